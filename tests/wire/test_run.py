"""``paperround run`` as a process of its own against the stand-in: it starts, stops, is killed, and posts once."""

import asyncio
import datetime as dt
import os
import signal
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.models import DeliveryState, Schedule, Subscription, Topic
from bot.store import deliveries, subscriptions
from bot.store.database import Database
from tests.discord_server import Channel, DiscordServer, Guild, until

_WITHIN = 25.0


@dataclass
class Bots:
    """Starts bots on one store and kills those that are left."""

    store: Path
    environment: dict[str, str]
    started: list[asyncio.subprocess.Process] = field(default_factory=list)

    async def start(self, **environment: str) -> asyncio.subprocess.Process:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            "run",
            "--store",
            str(self.store),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env={**self.environment, **environment},
        )
        self.started.append(process)
        return process

    async def ended(self, process: asyncio.subprocess.Process) -> tuple[int, str]:
        async with asyncio.timeout(_WITHIN):
            said, _ = await process.communicate()
        assert process.returncode is not None
        return process.returncode, said.decode()


@pytest.fixture
async def server() -> AsyncIterator[DiscordServer]:
    """A stand-in on the host's clock, as another process keeps it."""
    async with DiscordServer() as started:
        yield started
        assert started.complaints == []


@pytest.fixture
def lab(server: DiscordServer) -> Guild:
    return server.world.add_guild("Lab")


@pytest.fixture
def channel(server: DiscordServer, lab: Guild) -> Channel:
    return server.world.add_channel(lab, "papers")


@pytest.fixture
async def bots(tmp_path: Path, server: DiscordServer) -> AsyncIterator[Bots]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PAPERROUND", "DISCORD"))}
    made = Bots(
        tmp_path / "library.db",
        {
            **kept,
            "PAPERROUND_DISCORD__TOKEN": server.token,
            "PAPERROUND_DISCORD__API_BASE": server.api_base,
            "PAPERROUND_DISCORD__GATEWAY": server.gateway_url,
            "PAPERROUND_DIGESTS__TICK_SECONDS": "1",
        },
    )
    yield made
    for process in made.started:
        if process.returncode is None:
            process.kill()
            await process.communicate()


async def subscribe(store: Path, guild: Guild, channel: Channel) -> None:
    """Put a subscription into the store whose edition is due since a few seconds ago."""
    due = dt.datetime.now(dt.UTC).replace(second=0, microsecond=0)
    wanted = Subscription(
        id=0,
        guild_id=guild.id,
        channel_id=channel.id,
        user_id=1,
        number=1,
        topic=Topic(),
        schedule=Schedule(days=frozenset(range(7)), at=due.time(), zone="UTC"),
        size=2,
        next_due_at=due,
        created_at=due - dt.timedelta(days=1),
    )
    async with await Database.open(store) as database:
        await database.write(lambda connection: subscriptions.insert(connection, wanted))


async def states(store: Path) -> dict[DeliveryState, int]:
    async with await Database.open(store) as database:
        return await database.read(deliveries.counts)


async def test_a_due_digest_is_posted_and_a_signal_ends_the_bot_in_order(
    bots: Bots, server: DiscordServer, lab: Guild, channel: Channel
) -> None:
    await subscribe(bots.store, lab, channel)
    process = await bots.start()
    await until(lambda: server.messages, within=_WITHIN)
    began = asyncio.get_running_loop().time()
    process.send_signal(signal.SIGTERM)
    status, said = await bots.ended(process)

    assert status == 0, said
    assert asyncio.get_running_loop().time() - began < 10
    assert "Traceback" not in said
    assert server.token not in said
    assert await states(bots.store) == {DeliveryState.SENT: 1}


async def test_a_bot_killed_after_discord_took_the_message_does_not_post_it_twice(
    bots: Bots, server: DiscordServer, lab: Guild, channel: Channel
) -> None:
    """The message is out, the answer is lost and the process gone: the next one looks before it sends."""
    await subscribe(bots.store, lab, channel)
    server.drop_connection_after_accepting("POST", "/channels/*/messages")
    process = await bots.start()
    await until(lambda: server.messages, within=_WITHIN)
    process.kill()
    await bots.ended(process)

    again = await bots.start()
    await until_states(bots.store, {DeliveryState.SENT: 1})
    again.send_signal(signal.SIGINT)
    status, said = await bots.ended(again)

    assert status == 0, said
    assert len(server.messages) == 1


async def test_a_refused_token_is_named_by_where_it_came_from_and_never_shown(
    bots: Bots, server: DiscordServer
) -> None:
    status, said = await bots.ended(await bots.start(PAPERROUND_DISCORD__TOKEN="wrong-but-secret"))
    assert status == 2
    assert "refuses the token from environment PAPERROUND_DISCORD__TOKEN" in said
    assert "wrong-but-secret" not in said
    assert "Traceback" not in said


async def test_a_second_bot_on_the_same_store_is_refused(bots: Bots, server: DiscordServer) -> None:
    await bots.start()
    await until(lambda: server.gateway.connected, within=_WITHIN)
    status, said = await bots.ended(await bots.start())
    assert status == 2
    assert "Another Paper Round is running" in said
    assert "Traceback" not in said


async def test_a_bot_that_cannot_reach_discord_at_first_waits_for_it(bots: Bots, server: DiscordServer) -> None:
    """discord.py 2.7.1 dies when its first gateway connection fails; and without a network at login."""
    server.faults.add("GET", "/users/@me", "status", status=503)
    server.gateway.plan("refuse")
    process = await bots.start()
    await until(lambda: server.gateway.connected, within=_WITHIN)
    process.send_signal(signal.SIGTERM)
    status, said = await bots.ended(process)
    assert status == 0, said
    assert said.count("discord cannot be reached; trying again") == 2
    assert "Traceback" not in said


async def until_states(store: Path, wanted: dict[DeliveryState, int]) -> None:
    async with asyncio.timeout(_WITHIN):
        while await states(store) != wanted:  # noqa: ASYNC110 -- another process writes them
            await asyncio.sleep(0.2)
