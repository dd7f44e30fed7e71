"""The messenger with the real discord.py against a simulated server."""

import datetime as dt
from dataclasses import dataclass, replace
from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle, GuildHandle
from simcord.env import Env

from bot.delivery.discord_clock import DiscordClock
from bot.delivery.messenger import DiscordMessenger, Look, Sight
from bot.delivery.notices import Notices
from bot.delivery.verdict import Blocked, Unsendable, judge
from bot.models import Delivery, Schedule, Subscription, Topic
from bot.rendering import buttons
from bot.rendering.messages import Button, Message

NONCE = "abcdefghij" + "k" * 15


@dataclass(kw_only=True)
class Stage:
    env: Env
    client: discord.Client
    guild: GuildHandle
    papers: ChannelHandle
    messenger: DiscordMessenger

    def channel_where(self, **permissions: bool) -> ChannelHandle:
        """Make a channel in which the bot's permissions are so."""
        user = self.client.user
        assert user is not None
        overwrites: Any = {user: discord.PermissionOverwrite(**permissions)}
        return self.guild.create_text_channel("corner", overwrites=overwrites)

    def sent(self) -> list[Any]:
        return [one for one in self.env.http_requests if one.method == "POST" and one.path.endswith("/messages")]


@pytest.fixture
def simcord_bot() -> discord.Client:
    return discord.Client(intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.none())


@pytest.fixture
async def stage(simcord_env: Env, simcord_bot: discord.Client) -> Stage:
    guild = simcord_env.create_guild(name="Lab")
    papers = guild.create_text_channel("papers")
    await simcord_env.settle()
    messenger = DiscordMessenger(simcord_bot, DiscordClock(simcord_env.now))
    return Stage(env=simcord_env, client=simcord_bot, guild=guild, papers=papers, messenger=messenger)


def message(mark: str, *, footer: bool = True, button: bool = True) -> Message:
    embed = discord.Embed(title="Papers", description="Ducks")
    if footer:
        embed.set_footer(text=f"No. 1 · #{mark}")
    own = (Button(label="1", custom_id=buttons.paper(7, mark)),) if button else ()
    return Message(embeds=(embed,), buttons=own, fallback=f"Papers: Ducks\n-# #{mark}")


def delivery(channel_id: int, payload: Message, doubt_since: dt.datetime | None = None) -> Delivery:
    now = dt.datetime.now(dt.UTC)
    return Delivery(
        id=1,
        edition_id=1,
        subscription_id=1,
        part=0,
        channel_id=channel_id,
        payload=payload.to_json(),
        nonce=NONCE,
        mark=NONCE[:10],
        next_attempt_at=now,
        expires_at=now,
        doubt_since=doubt_since,
    )


async def test_a_delivery_is_posted_with_its_nonce_enforced(stage: Stage) -> None:
    number = await stage.messenger.send(delivery(stage.papers.id, message(NONCE[:10])))
    (posted,) = stage.papers.history()
    assert posted.id == number
    assert posted.embeds[0].title == "Papers"
    (request,) = stage.sent()
    assert request.json["nonce"] == NONCE
    assert request.json["enforce_nonce"] is True


@pytest.mark.parametrize(
    ("footer", "button", "sight"),
    [(True, True, Sight.FOUND), (True, False, Sight.FOUND), (False, True, Sight.FOUND), (False, False, Sight.ABSENT)],
)
async def test_it_is_found_by_its_mark_in_footer_or_button(
    stage: Stage, footer: bool, button: bool, sight: Sight
) -> None:
    since = stage.env.now()
    for mark in ("othermark0", NONCE[:10]):
        one = delivery(stage.papers.id, message(mark, footer=footer, button=button), since)
        number = await stage.messenger.send(one)
    assert await stage.messenger.find(one) == Look(sight=sight, message_id=number if sight is Sight.FOUND else None)


async def test_its_plain_form_is_found_too(stage: Stage) -> None:
    since = stage.env.now()
    one = delivery(stage.papers.id, message(NONCE[:10], button=False).plain(), since)
    await stage.messenger.send(one)
    assert (await stage.messenger.find(one)).sight is Sight.FOUND


async def test_what_another_wrote_is_not_taken_for_it(stage: Stage) -> None:
    since = stage.env.now()
    ben = stage.guild.add_member(stage.env.create_user("Ben"))
    await ben.send(stage.papers, f"-# #{NONCE[:10]}")
    look = await stage.messenger.find(delivery(stage.papers.id, message(NONCE[:10]), since))
    assert look.sight is Sight.ABSENT


async def test_without_the_history_permission_absence_proves_nothing(stage: Stage) -> None:
    corner = stage.channel_where(read_message_history=False)
    await stage.env.settle()
    look = await stage.messenger.find(delivery(corner.id, message(NONCE[:10]), stage.env.now()))
    assert look.sight is Sight.UNREADABLE


@pytest.mark.parametrize("missing", ["view_channel", "send_messages"])
async def test_where_the_bot_may_not_write_discord_is_not_asked(stage: Stage, missing: str) -> None:
    corner = stage.channel_where(**{missing: False})
    await stage.env.settle()
    with pytest.raises(Blocked) as blocked:
        await stage.messenger.send(delivery(corner.id, message(NONCE[:10])))
    assert blocked.value.reason == "no_access"
    assert stage.sent() == []


async def test_without_embed_links_the_plain_form_is_posted(stage: Stage) -> None:
    corner = stage.channel_where(embed_links=False)
    await stage.env.settle()
    await stage.messenger.send(delivery(corner.id, message(NONCE[:10])))
    (posted,) = corner.history()
    assert posted.embeds == []
    assert "Papers: Ducks" in posted.content


async def test_a_message_that_discord_refuses_is_posted_plain(stage: Stage) -> None:
    stage.env.inject_error("POST", "/channels/*/messages", status=400, code=50035, message="Invalid Form Body")
    await stage.messenger.send(delivery(stage.papers.id, message(NONCE[:10])))
    (posted,) = stage.papers.history()
    assert posted.embeds == []
    assert [one.json["nonce"] for one in stage.sent()][-1] == NONCE


async def test_a_channel_that_is_gone_is_known_as_such(stage: Stage) -> None:
    channel = stage.client.get_channel(stage.papers.id)
    assert isinstance(channel, discord.TextChannel)
    await channel.delete()
    await stage.env.settle()
    with pytest.raises(discord.NotFound) as gone:
        await stage.messenger.send(delivery(stage.papers.id, message(NONCE[:10])))
    assert judge(gone.value).pause == "channel_gone"


async def test_an_archived_thread_is_opened_again(stage: Stage) -> None:
    channel = stage.client.get_channel(stage.papers.id)
    assert isinstance(channel, discord.TextChannel)
    thread = await channel.create_thread(name="digests", type=discord.ChannelType.public_thread)
    await thread.edit(archived=True)
    await stage.env.settle()
    await stage.messenger.send(delivery(thread.id, message(NONCE[:10])))
    opened = await stage.client.fetch_channel(thread.id)
    assert isinstance(opened, discord.Thread)
    assert not opened.archived


async def test_a_channel_for_no_messages_is_refused(stage: Stage) -> None:
    category = stage.guild.create_category("things")
    await stage.env.settle()
    with pytest.raises(Blocked, match="wrong_channel"):
        await stage.messenger.send(delivery(category.id, message(NONCE[:10])))


async def test_who_subscribed_is_told_of_a_pause_where_there_is_no_system_channel(stage: Stage) -> None:
    ada = stage.env.create_user("Ada")
    stage.guild.add_member(ada)
    paused = Subscription(
        id=1,
        guild_id=stage.guild.id,
        channel_id=stage.papers.id,
        user_id=ada.id,
        number=3,
        topic=Topic(query="**ducks** @everyone"),
        schedule=Schedule(days=frozenset({0}), at=dt.time(9), zone="UTC"),
        size=5,
        created_at=stage.env.now(),
    )
    await Notices(stage.client).paused(paused, "no_access")
    (told,) = ada.dm_channel.history()
    assert "/digest resume 3" in told.content
    assert "View Channel" in told.content
    assert stage.sent()[-1].json["allowed_mentions"] == {"parse": []}


async def test_a_payload_that_is_no_message_reaches_nobody(stage: Stage) -> None:
    for payload in ("", "{}", "[1]", '{"content": 5}'):
        broken = replace(delivery(stage.papers.id, message(NONCE[:10])), payload=payload)
        with pytest.raises(Unsendable):
            await stage.messenger.send(broken)
    assert stage.sent() == []
