"""Messages: once for each nonce, within the permissions and the limits, and found again in the history."""

import datetime as dt
from typing import Any

import discord
import pytest

from tests.discord_server import Channel, ChannelKind, DiscordServer, Guild, Limit, Permission, Role, User, until
from tests.wire.conftest import SmallBot


@pytest.fixture
def channel(bot: SmallBot, papers: Channel) -> discord.TextChannel:
    """#papers as the bot sees it."""
    found = bot.get_channel(papers.id)
    assert isinstance(found, discord.TextChannel)
    return found


async def test_the_same_nonce_makes_one_message(channel: discord.TextChannel, discord_server: DiscordServer) -> None:
    first = await channel.send("one", nonce="edition-1")
    second = await channel.send("one, again", nonce="edition-1")

    assert second.id == first.id
    assert [message.content for message in discord_server.messages] == ["one"]


async def test_a_nonce_is_forgotten_after_its_window(
    channel: discord.TextChannel, discord_server: DiscordServer, clock: Any
) -> None:
    await channel.send("one", nonce="edition-1")
    clock.advance(seconds=discord_server.nonces.window.total_seconds() - 1)
    await channel.send("one", nonce="edition-1")
    assert len(discord_server.messages) == 1

    clock.advance(seconds=1)
    await channel.send("one", nonce="edition-1")
    assert len(discord_server.messages) == 2


async def test_a_nonce_belongs_to_the_author_over_all_channels(
    channel: discord.TextChannel, discord_server: DiscordServer, guild: Guild, bot: SmallBot
) -> None:
    other = discord_server.world.add_channel(guild, "other")
    there = await until(lambda: bot.get_channel(other.id))
    assert isinstance(there, discord.TextChannel)
    await channel.send("one", nonce="edition-1")
    await there.send("one", nonce="edition-1")

    assert [message.channel_id for message in discord_server.messages] == [channel.id]


async def test_the_nonce_of_a_deleted_message_is_an_unknown_message(channel: discord.TextChannel) -> None:
    message = await channel.send("one", nonce="edition-1")
    await message.delete()
    with pytest.raises(discord.NotFound) as refused:
        await channel.send("one", nonce="edition-1")
    assert refused.value.code == 10008


async def test_a_message_can_be_edited_fetched_and_deleted(
    channel: discord.TextChannel, discord_server: DiscordServer
) -> None:
    message = await channel.send("one")
    await message.edit(content="two", embed=discord.Embed(title="Two"))
    fetched = await channel.fetch_message(message.id)
    assert (fetched.content, fetched.embeds[0].title) == ("two", "Two")
    assert fetched.edited_at is not None

    await message.delete()
    assert discord_server.messages == []
    with pytest.raises(discord.NotFound):
        await channel.fetch_message(message.id)


async def test_the_history_begins_after_a_moment_and_is_read_page_by_page(
    channel: discord.TextChannel, discord_server: DiscordServer, ada: User, papers: Channel, clock: Any
) -> None:
    discord_server.say(papers, ada, "before")
    clock.advance(minutes=1)
    since = clock()
    for number in range(250):
        clock.advance(seconds=1)
        discord_server.say(papers, ada, f"{number}")
    mine = await channel.send("mine")

    found = [one async for one in channel.history(after=since, limit=300, oldest_first=True)]
    assert len(found) == 251
    assert found[-1].id == mine.id
    assert [one.id for one in found] == sorted(one.id for one in found)
    newest = [one async for one in channel.history(limit=2)]
    assert [one.id for one in newest] == [mine.id, found[-2].id]


async def test_only_its_own_messages_have_content_for_a_bot_without_that_intent(
    channel: discord.TextChannel, discord_server: DiscordServer, ada: User, papers: Channel
) -> None:
    discord_server.say(papers, ada, "hers")
    await channel.send("mine")
    assert [one.content async for one in channel.history()] == ["mine", ""]


async def test_a_history_that_may_not_be_read_is_empty(
    channel: discord.TextChannel, discord_server: DiscordServer, papers: Channel
) -> None:
    await channel.send("one")
    _deny(discord_server, papers, Permission.READ_MESSAGE_HISTORY)
    assert [one async for one in channel.history()] == []


@pytest.mark.parametrize(
    ("denied", "code"), [(Permission.VIEW_CHANNEL, 50001), (Permission.SEND_MESSAGES, 50013)], ids=["view", "send"]
)
async def test_a_bot_that_may_not_post_gets_403(
    channel: discord.TextChannel, discord_server: DiscordServer, papers: Channel, denied: Permission, code: int
) -> None:
    _deny(discord_server, papers, denied)
    with pytest.raises(discord.Forbidden) as refused:
        await channel.send("one")
    assert refused.value.code == code
    assert discord_server.messages == []


async def test_a_channel_that_was_deleted_is_unknown_and_a_kicked_bot_has_no_access(
    channel: discord.TextChannel, discord_server: DiscordServer, guild: Guild, papers: Channel, bot: SmallBot
) -> None:
    other = discord_server.world.add_channel(guild, "other")
    there = await until(lambda: bot.get_channel(other.id))
    assert isinstance(there, discord.TextChannel)
    discord_server.world.delete_channel(papers)
    with pytest.raises(discord.NotFound) as gone:
        await channel.send("one")
    discord_server.world.remove_bot(guild)
    with pytest.raises(discord.Forbidden) as kicked:
        await there.send("one")

    assert (gone.value.code, kicked.value.code) == (10003, 50001)
    await until(lambda: bot.get_guild(guild.id) is None)


async def test_embeds_vanish_without_embed_links_and_the_rest_is_posted(
    channel: discord.TextChannel, discord_server: DiscordServer, papers: Channel
) -> None:
    _deny(discord_server, papers, Permission.EMBED_LINKS)
    await channel.send("text", embed=discord.Embed(title="Embed"))
    with pytest.raises(discord.Forbidden) as refused:
        await channel.send(embed=discord.Embed(title="Embed"))

    assert refused.value.code == 50013
    assert [(one.content, one.embeds) for one in discord_server.messages] == [("text", [])]


async def test_overwrites_count_in_discords_order(
    channel: discord.TextChannel, discord_server: DiscordServer, guild: Guild, papers: Channel
) -> None:
    """@everyone is shut out, a role of the bot is let in again, and the bot itself shut out at last."""
    world = discord_server.world
    role = world.add_role(guild, "posters")
    world.give_role(world.bot, role)
    _deny(discord_server, papers, Permission.SEND_MESSAGES, target=guild.everyone)
    world.overwrite(papers, role, allow=int(Permission.SEND_MESSAGES))
    await channel.send("let in")

    _deny(discord_server, papers, Permission.SEND_MESSAGES)
    with pytest.raises(discord.Forbidden):
        await channel.send("shut out")
    assert len(discord_server.messages) == 1


async def test_the_bot_sees_the_same_permissions_as_the_server(
    channel: discord.TextChannel, discord_server: DiscordServer, papers: Channel, bot: SmallBot
) -> None:
    _deny(discord_server, papers, Permission.EMBED_LINKS)
    await until(lambda: not channel.permissions_for(channel.guild.me).embed_links)
    world = discord_server.world
    assert channel.permissions_for(channel.guild.me).value == world.granted(papers, world.bot)


async def test_only_a_role_that_may_be_mentioned_and_is_allowed_is_pinged(
    channel: discord.TextChannel, discord_server: DiscordServer, guild: Guild
) -> None:
    readers = discord_server.world.add_role(guild, "readers", mentionable=True)
    closed = discord_server.world.add_role(guild, "closed")
    text = f"<@&{readers.id}> <@&{closed.id}> @everyone"
    await channel.send(text)
    await channel.send(text, allowed_mentions=discord.AllowedMentions(roles=[discord.Object(readers.id)]))
    await channel.send(text, allowed_mentions=discord.AllowedMentions.all())

    assert [(one.pinged_roles, one.pinged_everyone) for one in discord_server.messages] == [
        ([], False),
        ([readers.id], False),
        ([readers.id], False),
    ]


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({"content": "x" * 2001}, "content"),
        ({"embed": discord.Embed(title="x" * 257)}, "embeds"),
        ({"embeds": [discord.Embed(description="x" * 3001)] * 2}, "embeds"),
    ],
    ids=["content", "title", "all embeds together"],
)
async def test_a_message_over_a_limit_is_an_invalid_form(
    channel: discord.TextChannel, discord_server: DiscordServer, message: dict[str, Any], field: str
) -> None:
    with pytest.raises(discord.HTTPException) as refused:
        await channel.send(**message)
    assert (refused.value.status, refused.value.code) == (400, 50035)
    assert f"In {field}" in refused.value.text
    assert discord_server.messages == []
    discord_server.complaints.clear()


async def test_an_empty_message_is_refused(channel: discord.TextChannel) -> None:
    with pytest.raises(discord.HTTPException) as refused:
        await channel.send("")
    assert refused.value.code == 50006


async def test_a_message_too_many_waits_for_its_bucket(
    channel: discord.TextChannel, discord_server: DiscordServer
) -> None:
    """discord.py reads the headers and waits, so that no 429 is met."""
    discord_server.buckets.limits["POST", "/channels/{channel_id}/messages"] = Limit(requests=2, seconds=0.5)
    begun = dt.datetime.now(dt.UTC)
    for number in range(3):
        await channel.send(f"{number}")

    assert (dt.datetime.now(dt.UTC) - begun).total_seconds() >= 0.4
    assert [call.status for call in discord_server.requests if call.path.endswith("/messages")] == [200, 200, 200]


async def test_answers_carry_the_servers_time(
    channel: discord.TextChannel, discord_server: DiscordServer, clock: Any
) -> None:
    sent = await channel.send("one")
    clock.advance(days=2)
    later = await channel.send("two")
    assert later.created_at - sent.created_at == dt.timedelta(days=2)


async def test_a_direct_message_reaches_who_takes_them(bot: SmallBot, discord_server: DiscordServer, ada: User) -> None:
    user = await bot.fetch_user(ada.id)
    await user.send("hello")
    ada.accepts_messages = False
    with pytest.raises(discord.Forbidden) as refused:
        await user.send("again")

    assert refused.value.code == 50007
    assert [one.guild_id for one in discord_server.messages] == [None]


async def test_an_announcement_is_published_once(bot: SmallBot, discord_server: DiscordServer, guild: Guild) -> None:
    news = discord_server.world.add_channel(guild, "news", kind=ChannelKind.ANNOUNCEMENT)
    channel = await until(lambda: bot.get_channel(news.id))
    assert isinstance(channel, discord.TextChannel)
    message = await channel.send("news")
    await message.publish()
    with pytest.raises(discord.HTTPException) as refused:
        await message.publish()
    assert refused.value.code == 40033


async def test_a_forum_post_is_a_thread_with_its_first_message(
    bot: SmallBot, discord_server: DiscordServer, guild: Guild
) -> None:
    forum = discord_server.world.add_channel(guild, "forum", kind=ChannelKind.FORUM)
    channel = await until(lambda: bot.get_channel(forum.id))
    assert isinstance(channel, discord.ForumChannel)
    thread, message = await channel.create_thread(name="Edition 1", content="papers")
    await thread.send("more")

    assert message.id == thread.id
    assert [(one.channel_id, one.content) for one in discord_server.messages] == [
        (thread.id, "papers"),
        (thread.id, "more"),
    ]


async def test_an_archived_thread_takes_messages_after_it_was_opened_again(
    bot: SmallBot, discord_server: DiscordServer, papers: Channel
) -> None:
    kept = discord_server.world.add_thread(papers, "talk", owner=discord_server.world.owner)
    discord_server.world.archive(kept)
    thread = await bot.fetch_channel(kept.id)
    assert isinstance(thread, discord.Thread)
    with pytest.raises(discord.HTTPException) as refused:
        await thread.send("one")
    await thread.edit(archived=False)
    await thread.send("two")

    assert refused.value.code == 50083
    assert [one.content for one in discord_server.messages] == ["two"]


def _deny(server: DiscordServer, channel: Channel, what: Permission, *, target: Role | User | None = None) -> None:
    server.world.overwrite(channel, target or server.world.bot, deny=int(what))
