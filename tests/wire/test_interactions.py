"""Commands, autocompletion, buttons and follow-ups, from a person through discord.py and back."""

from typing import Any

import aiohttp
import discord
import pytest
from discord import app_commands

from tests.discord_server import Channel, DiscordServer, Guild, NotOffered, Permission, User, until
from tests.wire.conftest import Online, SmallBot


async def test_a_slash_command_is_answered_in_its_channel(
    bot: SmallBot, discord_server: DiscordServer, papers: Channel, ada: User
) -> None:
    answer = await discord_server.people.slash(ada, papers, "echo", text="hello").answered()

    assert answer is not None
    assert answer.content == "hello"
    assert discord_server.messages == [answer]


async def test_an_option_completes_while_it_is_typed(
    bot: SmallBot, discord_server: DiscordServer, papers: Channel, ada: User
) -> None:
    typing = discord_server.people.complete(ada, papers, "echo", "text", text="diff")
    await typing.answered()

    assert typing.choices is not None
    assert [choice["value"] for choice in typing.choices] == ["diff-0", "diff-1", "diff-2"]


async def test_a_deferred_answer_and_its_follow_up_are_seen_by_one_person_only(
    bot: SmallBot, discord_server: DiscordServer, papers: Channel, ada: User
) -> None:
    thinking = discord_server.people.slash(ada, papers, "think")
    answer = await thinking.answered()
    await until(lambda: thinking.followups)

    assert answer is not None
    assert (answer.content, answer.visible_to) == ("first", ada.id)
    assert [message.content for message in thinking.followups] == ["second"]
    assert discord_server.messages == []


async def test_a_button_changes_the_message_it_is_under(
    bot: SmallBot, discord_server: DiscordServer, papers: Channel, ada: User
) -> None:
    shown = await discord_server.people.slash(ada, papers, "show").answered()
    assert shown is not None
    await discord_server.people.press(ada, shown, "More").answered()

    assert [message.content for message in discord_server.messages] == ["pressed"]


async def test_a_command_of_a_group_gets_the_channel_it_was_given(
    bot: SmallBot, discord_server: DiscordServer, papers: Channel, ada: User
) -> None:
    answer = await discord_server.people.slash(ada, papers, "digest point", channel=papers).answered()

    assert answer is not None
    assert answer.content == "#papers"


async def test_a_command_for_managers_is_hidden_from_members(
    bot: SmallBot, discord_server: DiscordServer, guild: Guild, papers: Channel, ada: User
) -> None:
    with pytest.raises(NotOffered, match="hidden"):
        discord_server.people.slash(ada, papers, "manage")

    managers = discord_server.world.add_role(guild, "managers", permissions=int(Permission.MANAGE_GUILD))
    discord_server.world.give_role(ada, managers)
    answer = await discord_server.people.slash(ada, papers, "manage").answered()
    assert answer is not None
    assert answer.content == "managed"


async def test_an_answer_after_three_seconds_finds_no_interaction(
    discord_server: DiscordServer, papers: Channel, online: Online, clock: Any
) -> None:
    failed: list[BaseException] = []
    async with online(_slow(clock, seconds=3.1, failed=failed), discord_server.token):
        asking = discord_server.people.slash(discord_server.world.owner, papers, "slow")
        await until(lambda: failed)

    assert isinstance(failed[0], discord.NotFound)
    assert failed[0].code == 10062
    assert asking.callback is None
    assert discord_server.messages == []


async def test_a_token_is_worth_nothing_after_fifteen_minutes(
    bot: SmallBot, discord_server: DiscordServer, papers: Channel, ada: User, clock: Any
) -> None:
    asking = discord_server.people.slash(ada, papers, "echo", text="hello")
    await asking.answered()
    hook = f"{discord_server.api_base}/webhooks/{discord_server.world.bot.id}/{asking.token}"

    async with aiohttp.ClientSession() as session:
        clock.advance(minutes=14)
        early = await session.post(hook, json={"content": "early"})
        clock.advance(minutes=1, seconds=1)
        late = await session.post(hook, json={"content": "late"})

    assert (early.status, late.status) == (204, 401)
    assert [message.content for message in discord_server.messages] == ["hello", "early"]


async def test_a_second_first_answer_is_refused(
    bot: SmallBot, discord_server: DiscordServer, papers: Channel, ada: User
) -> None:
    asking = discord_server.people.slash(ada, papers, "echo", text="hello")
    await asking.answered()
    address = f"{discord_server.api_base}/interactions/{asking.id}/{asking.token}/callback"

    async with aiohttp.ClientSession() as session:
        again = await session.post(address, json={"type": 4, "data": {"content": "again"}})
        body = await again.json()

    assert (again.status, body["code"]) == (400, 40060)
    assert len(discord_server.messages) == 1


async def test_commands_keep_their_ids_when_they_are_told_again(bot: SmallBot, discord_server: DiscordServer) -> None:
    before = [(one["name"], one["id"], one["version"]) for one in discord_server.commands[None]]
    await bot.tree.sync()
    after = [(one["name"], one["id"], one["version"]) for one in discord_server.commands[None]]

    assert after == before


def _slow(clock: Any, *, seconds: float, failed: list[BaseException]) -> discord.Client:
    """Return a client whose command answers when its time is over."""

    class Slow(SmallBot):
        def _add_commands(self) -> None:
            @self.tree.command(description="Too late.")
            async def slow(interaction: discord.Interaction) -> None:
                clock.advance(seconds=seconds)
                await interaction.response.send_message("late")

            @self.tree.error
            async def on_error(_: discord.Interaction, error: app_commands.AppCommandError) -> None:
                failed.append(error.__cause__ or error)

    return Slow()


async def test_a_form_is_opened_filled_in_and_read(
    bot: SmallBot, discord_server: DiscordServer, papers: Channel, ada: User
) -> None:
    opened = discord_server.people.slash(ada, papers, "ask")
    await until(lambda: opened.modal)
    answer = await discord_server.people.submit(opened, words="ducks").answered()
    assert answer is not None
    assert answer.content == "read: ducks"
