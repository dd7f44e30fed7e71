"""What discord.py makes of a bad connection; figures in its own behaviour, not in the stand-in's."""

import asyncio
import time

import aiohttp
import discord
import pytest

from tests.discord_server import Channel, DiscordServer
from tests.wire.conftest import SmallBot

POSTS = ("POST", "/channels/*/messages")


@pytest.fixture
def channel(bot: SmallBot, papers: Channel) -> discord.TextChannel:
    """#papers as the bot sees it."""
    found = bot.get_channel(papers.id)
    assert isinstance(found, discord.TextChannel)
    return found


async def test_a_retry_with_the_same_nonce_after_a_dropped_answer_makes_one_message(
    channel: discord.TextChannel, discord_server: DiscordServer
) -> None:
    discord_server.drop_connection_after_accepting(*POSTS)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await channel.send("one", nonce="edition-1")
    assert len(discord_server.messages) == 1

    message = await channel.send("one", nonce="edition-1")
    assert [one.id for one in discord_server.messages] == [message.id]


async def test_a_retry_with_a_new_nonce_makes_two(channel: discord.TextChannel, discord_server: DiscordServer) -> None:
    """The control of the test above: without the nonce the stand-in doubles, as Discord would."""
    discord_server.drop_connection_after_accepting(*POSTS)
    with pytest.raises(aiohttp.ServerDisconnectedError):
        await channel.send("one", nonce="edition-1")
    await channel.send("one", nonce="edition-2")
    assert len(discord_server.messages) == 2


@pytest.mark.parametrize(
    ("kind", "error"), [("drop", aiohttp.ServerDisconnectedError), ("reset", aiohttp.ClientOSError)]
)
async def test_a_connection_cut_before_discord_acted_leaves_nothing(
    channel: discord.TextChannel, discord_server: DiscordServer, kind: str, error: type[Exception]
) -> None:
    discord_server.faults.add(*POSTS, kind)
    with pytest.raises(error):
        await channel.send("one")
    assert discord_server.messages == []


async def test_a_500_after_acting_makes_no_second_message_because_discord_py_keeps_its_nonce(
    channel: discord.TextChannel, discord_server: DiscordServer
) -> None:
    fault = discord_server.faults.add(*POSTS, "status", status=502, html=True, when="after")
    await channel.send("one")

    assert fault.struck == 1
    assert len(discord_server.messages) == 1
    assert len([call for call in discord_server.requests if call.method == "POST"]) == 2


async def test_a_503_is_not_tried_again(channel: discord.TextChannel, discord_server: DiscordServer) -> None:
    discord_server.faults.add(*POSTS, "status", status=503, html=True)
    with pytest.raises(discord.DiscordServerError):
        await channel.send("one")
    assert discord_server.messages == []


async def test_a_status_with_discords_own_code_reaches_the_bot(
    channel: discord.TextChannel, discord_server: DiscordServer
) -> None:
    discord_server.faults.add(*POSTS, "status", status=403, code=50013, message="Missing Permissions")
    with pytest.raises(discord.Forbidden) as refused:
        await channel.send("one")
    assert refused.value.code == 50013


@pytest.mark.parametrize("scope", ["user", "global", "shared"])
async def test_a_429_is_waited_for(channel: discord.TextChannel, discord_server: DiscordServer, scope: str) -> None:
    discord_server.faults.add(*POSTS, "rate_limit", retry_after=0.3, scope=scope)
    begun = time.monotonic()
    await channel.send("one")

    assert time.monotonic() - begun >= 0.3
    assert len(discord_server.messages) == 1


@pytest.mark.parametrize("options", [{"via": False}, {"html": True}], ids=["without Via", "a page"])
async def test_a_429_of_cloudflare_is_raised_at_once(
    channel: discord.TextChannel, discord_server: DiscordServer, options: dict[str, bool]
) -> None:
    discord_server.faults.add(*POSTS, "rate_limit", retry_after=30.0, **options)
    with pytest.raises(discord.HTTPException) as refused:
        await channel.send("one")
    assert refused.value.status == 429


async def test_an_hour_long_429_is_raised_where_the_client_has_a_limit(
    channel: discord.TextChannel, discord_server: DiscordServer
) -> None:
    discord_server.faults.add(*POSTS, "rate_limit", retry_after=3600.0)
    with pytest.raises(discord.RateLimited):
        await channel.send("one")


async def test_a_send_that_is_given_up_is_made_all_the_same(
    channel: discord.TextChannel, discord_server: DiscordServer
) -> None:
    discord_server.faults.add(*POSTS, "delay", seconds=0.2)
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await channel.send("one")
    await asyncio.sleep(0.4)
    assert len(discord_server.messages) == 1


async def test_a_request_that_hangs_is_let_go_when_the_server_stops(
    channel: discord.TextChannel, discord_server: DiscordServer
) -> None:
    discord_server.faults.add(*POSTS, "hang")
    sending = asyncio.create_task(channel.send("one"))
    _, waiting = await asyncio.wait({sending}, timeout=0.2)
    assert waiting
    await discord_server.stop()
    with pytest.raises((aiohttp.ClientError, OSError)):
        await sending
    assert discord_server.messages == []


@pytest.mark.parametrize(
    ("kind", "error"),
    [("truncate", aiohttp.ClientPayloadError), ("garbage", UnicodeDecodeError), ("empty", Exception)],
)
async def test_a_spoilt_answer_leaves_the_message_made(
    channel: discord.TextChannel, discord_server: DiscordServer, kind: str, error: type[Exception]
) -> None:
    discord_server.faults.add(*POSTS, kind, when="after")
    with pytest.raises(error):
        await channel.send("one")
    assert len(discord_server.messages) == 1


async def test_a_fault_strikes_as_often_as_it_was_told_and_only_where(
    channel: discord.TextChannel, discord_server: DiscordServer
) -> None:
    discord_server.faults.add(*POSTS, "status", status=503, times=2)
    for _ in range(2):
        with pytest.raises(discord.DiscordServerError):
            await channel.send("one")
        assert [one async for one in channel.history()] == []
    await channel.send("one")
    assert len(discord_server.messages) == 1


def test_a_fault_that_does_not_exist_is_refused(discord_server: DiscordServer) -> None:
    with pytest.raises(ValueError, match="no such fault"):
        discord_server.faults.add(*POSTS, "explode")  # pyright: ignore[reportArgumentType] -- what is tested
    with pytest.raises(ValueError, match="takes no seconds"):
        discord_server.faults.add(*POSTS, "drop", seconds=1)
