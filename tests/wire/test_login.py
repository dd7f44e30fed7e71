"""How a bot comes in: with the right token, a refused one, without a gateway, and without any patch."""

import asyncio

import aiohttp
import discord
import pytest
from discord.http import Route

from tests.discord_server import Channel, DiscordServer, Guild, until
from tests.wire.conftest import Online, SmallBot


async def test_a_bot_logs_in_and_knows_its_guild(
    bot: SmallBot, discord_server: DiscordServer, guild: Guild, papers: Channel
) -> None:
    assert bot.user is not None
    assert bot.user.id == discord_server.world.bot.id
    seen = bot.get_guild(guild.id)
    assert seen is not None
    assert seen.me.id == bot.user.id
    assert bot.get_channel(papers.id) is not None
    assert discord_server.gateway.identifies == 1


async def test_an_unpatched_bot_talks_to_the_stand_in_and_to_nobody_else(
    unpatched: DiscordServer, online: Online
) -> None:
    """discord.py keeps Discord's own addresses, TLS and all; only the connector is ours."""
    papers = unpatched.world.add_channel(unpatched.world.add_guild(), "papers")
    connector = unpatched.connector()
    assert Route.BASE.startswith("https://discord.com/")

    async with online(SmallBot(connector=connector), unpatched.token) as bot:
        channel = bot.get_channel(papers.id)
        assert isinstance(channel, discord.TextChannel)
        await channel.send("over TLS")
        answer = await unpatched.people.slash(unpatched.world.owner, papers, "echo", text="hello").answered()
        unpatched.gateway.cut()
        await until(lambda: "resumed" in bot.happened)

    assert answer is not None
    assert [message.content for message in unpatched.messages] == ["over TLS", "hello"]
    assert connector.refused == []


async def test_a_bot_that_asks_for_another_host_is_found_out(unpatched: DiscordServer) -> None:
    connector = unpatched.connector()
    async with aiohttp.ClientSession(connector=connector) as session:
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.get("https://example.org/")
        assert connector.refused == ["example.org"]


async def test_a_refused_token_is_a_login_failure(discord_server: DiscordServer) -> None:
    async with SmallBot() as client:
        with pytest.raises(discord.LoginFailure):
            await client.login("not.the.token")
    assert [call.status for call in discord_server.requests] == [401]
    assert discord_server.invalid_requests == 1


async def test_a_token_that_was_reset_after_login_ends_the_bot_with_4004(discord_server: DiscordServer) -> None:
    async with SmallBot() as client:
        await client.login(discord_server.token)
        discord_server.token = "another.token"
        with pytest.raises(discord.ConnectionClosed) as closed:
            await client.connect()
    assert closed.value.code == 4004


async def test_a_privileged_intent_that_was_not_granted_ends_the_bot_with_4014(discord_server: DiscordServer) -> None:
    async with SmallBot(intents=discord.Intents(guilds=True, members=True)) as client:
        await client.login(discord_server.token)
        with pytest.raises(discord.PrivilegedIntentsRequired):
            await client.connect()


async def test_a_client_whose_first_gateway_connection_fails_dies_as_discord_py_does(
    discord_server: DiscordServer, papers: Channel, online: Online
) -> None:
    """Rapptz/discord.py#10520; a new client gets in."""
    discord_server.gateway.plan("refuse")
    async with SmallBot() as client:
        await client.login(discord_server.token)
        with pytest.raises(AttributeError, match="sequence"):
            await client.connect()

    async with online(SmallBot(), discord_server.token) as second:
        assert second.get_channel(papers.id) is not None


async def test_a_bot_that_gets_no_ready_stays_unready(discord_server: DiscordServer) -> None:
    discord_server.gateway.plan("no_ready")
    async with SmallBot() as client:
        await client.login(discord_server.token)
        running = asyncio.create_task(client.connect())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.3):
                await client.wait_until_ready()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert discord_server.gateway.identifies == 1


async def test_the_class_attributes_are_restored() -> None:
    before = Route.BASE
    async with DiscordServer() as server:
        with server.class_attributes():
            assert server.api_base == Route.BASE
    assert before == Route.BASE


async def test_a_stopped_server_refuses_connections_and_can_start_again_where_it_was(clock) -> None:
    server = DiscordServer(now=clock)
    async with server:
        address = server.api_base
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.ClientConnectorError):
            await session.get(f"{address}/users/@me")
        async with server:
            assert server.api_base == address
            answer = await session.get(f"{address}/users/@me", headers={"Authorization": f"Bot {server.token}"})
            assert answer.status == 200
