"""Sessions that end and are taken up again, and what the bot is told of its guilds."""

import json
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest

from tests.discord_server import Channel, DiscordServer, Guild, User, until
from tests.wire.conftest import Online, SmallBot


@pytest.fixture
async def socket(discord_server: DiscordServer) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """A bare connection to the gateway, past its HELLO."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{discord_server.gateway_url}?v=10&encoding=json") as opened,
    ):
        hello = await opened.receive_json()
        assert hello["op"] == 10
        yield opened


@pytest.mark.parametrize("end", ["op 7", "op 9", "1001", "4000", "cut"])
async def test_a_lost_session_is_resumed_with_what_was_missed(
    end: str, bot: SmallBot, discord_server: DiscordServer, guild: Guild
) -> None:
    gateway = discord_server.gateway
    if end == "op 7":
        gateway.request_reconnect()
    elif end == "op 9":
        gateway.invalidate(resumable=True)
    elif end == "cut":
        gateway.cut()
    else:
        await gateway.close(int(end))
    missed = discord_server.world.add_channel(guild, "missed")

    await until(lambda: "resumed" in bot.happened, within=10)
    assert bot.get_channel(missed.id) is not None
    assert (gateway.identifies, gateway.resumes) == (1, 1)


async def test_a_session_that_is_invalid_begins_anew(
    bot: SmallBot, discord_server: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot, "before_identify_hook", _at_once)
    discord_server.gateway.invalidate(resumable=False)
    await until(lambda: bot.happened.count("ready") == 2, within=10)
    assert discord_server.gateway.identifies == 2


async def test_a_resume_of_a_forgotten_session_begins_anew(
    bot: SmallBot, discord_server: DiscordServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot, "before_identify_hook", _at_once)
    discord_server.gateway.forget_sessions()
    discord_server.gateway.request_reconnect()
    await until(lambda: bot.happened.count("ready") == 2, within=10)
    assert (discord_server.gateway.identifies, discord_server.gateway.resumes) == (2, 1)


async def test_a_command_that_came_while_the_bot_was_away_is_answered_after_the_resume(
    bot: SmallBot, discord_server: DiscordServer, papers: Channel, ada: User
) -> None:
    discord_server.gateway.cut()
    answer = await discord_server.people.slash(ada, papers, "echo", text="still here").answered(within=10)
    assert answer is not None
    assert answer.content == "still here"


async def test_heartbeats_are_sent_and_answered(discord_server: DiscordServer, online: Online) -> None:
    discord_server.gateway.heartbeat_seconds = 0.1
    async with online(SmallBot(), discord_server.token) as bot:
        await until(lambda: discord_server.gateway.heartbeats >= 3)
        assert bot.latency < 1.0
        assert bot.happened.count("disconnect") == 0


async def test_a_guild_that_comes_late_is_told_when_it_is_there(
    discord_server: DiscordServer, guild: Guild, papers: Channel, online: Online
) -> None:
    discord_server.world.begin_outage(guild)
    async with online(SmallBot(), discord_server.token) as bot:
        seen = bot.get_guild(guild.id)
        assert seen is not None
        assert seen.unavailable
        assert bot.get_channel(papers.id) is None
        discord_server.world.end_outage(guild)
        await until(lambda: bot.get_channel(papers.id))
        assert "guild_available" in bot.happened


async def test_what_happens_in_a_guild_is_told_to_the_bot(
    bot: SmallBot, discord_server: DiscordServer, guild: Guild, papers: Channel
) -> None:
    world = discord_server.world
    world.begin_outage(guild)
    await until(lambda: "guild_unavailable" in bot.happened)
    world.end_outage(guild)
    await until(lambda: "guild_available" in bot.happened)
    world.delete_channel(papers)
    await until(lambda: bot.get_channel(papers.id) is None)
    world.remove_bot(guild)
    await until(lambda: "guild_remove" in bot.happened)
    world.return_bot(guild)
    await until(lambda: "guild_join" in bot.happened)


async def test_messages_are_told_only_to_who_asked_for_them(
    bot: SmallBot, discord_server: DiscordServer, papers: Channel, ada: User, online: Online
) -> None:
    listening = SmallBot(intents=discord.Intents(guilds=True, guild_messages=True))
    async with online(listening, discord_server.token):
        discord_server.say(papers, ada, "hello")
        await until(lambda: "message" in listening.happened)
    assert "message" not in bot.happened


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ("no json", 4002),
        (json.dumps({"op": 1, "d": "x" * 5000}), 4002),
        (json.dumps({"op": 8, "d": {}}), 4003),
        (json.dumps({"op": 2, "d": {"token": "wrong", "intents": 1}}), 4004),
        (json.dumps({"op": 6, "d": {"token": "wrong", "session_id": "s", "seq": 0}}), 4004),
    ],
    ids=["no JSON", "too long", "before IDENTIFY", "wrong token", "wrong token in RESUME"],
)
async def test_a_client_that_breaks_the_rules_is_shown_the_door(
    socket: aiohttp.ClientWebSocketResponse, sent: str, code: int
) -> None:
    await socket.send_str(sent)
    end = await socket.receive(timeout=5)
    assert (end.type, end.data) == (aiohttp.WSMsgType.CLOSE, code)


@pytest.mark.parametrize(
    ("identify", "code"),
    [({"intents": 1 << 40}, 4013), ({"intents": 2}, 4014), ({"intents": 1, "shard": [2, 2]}, 4010)],
    ids=["no such intent", "not granted", "no such shard"],
)
async def test_an_identify_that_cannot_be_served_is_fatal(
    socket: aiohttp.ClientWebSocketResponse, discord_server: DiscordServer, identify: dict[str, object], code: int
) -> None:
    await socket.send_json({"op": 2, "d": {"token": discord_server.token, **identify}})
    end = await socket.receive(timeout=5)
    assert (end.type, end.data) == (aiohttp.WSMsgType.CLOSE, code)


async def _at_once(*_: object, **__: object) -> None:
    """Leave out the 5 s that discord.py waits before an IDENTIFY."""
