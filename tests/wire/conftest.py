"""A stand-in for Discord on loopback, real discord.py in front of it, and a small bot of the tests' own."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeVar

import discord
import pytest
from discord import app_commands

from tests.discord_server import Channel, DiscordServer, Guild, User

Client = TypeVar("Client", bound=discord.Client)


class Online(Protocol):
    """Takes a client through login and READY, and closes it in the end."""

    def __call__(self, client: Client, token: str) -> AbstractAsyncContextManager[Client]: ...


class SmallBot(discord.Client):
    """What the stand-in is proven with: a command, a completion, a deferral, a button, no privileged intent."""

    def __init__(self, *, intents: discord.Intents | None = None, **options: Any) -> None:
        super().__init__(
            intents=intents or discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_ratelimit_timeout=30.0,
            # discord.py always waits so long for one guild more, 2 s by default.
            guild_ready_timeout=0.2,
            **options,
        )
        self.tree = app_commands.CommandTree(self)
        self.happened: list[str] = []
        self._add_commands()

    async def setup_hook(self) -> None:
        await self.tree.sync()

    def dispatch(self, event: str, /, *args: Any, **more: Any) -> None:
        self.happened.append(event)
        super().dispatch(event, *args, **more)

    def _add_commands(self) -> None:
        @self.tree.command(description="Say it back.")
        async def echo(interaction: discord.Interaction, text: str) -> None:
            await interaction.response.send_message(text)

        @echo.autocomplete("text")
        async def complete(_: discord.Interaction, typed: str) -> list[app_commands.Choice[str]]:
            return [app_commands.Choice(name=f"{typed} {number}", value=f"{typed}-{number}") for number in range(3)]

        @self.tree.command(description="Think, then answer twice.")
        async def think(interaction: discord.Interaction) -> None:
            await interaction.response.defer(ephemeral=True)
            await interaction.edit_original_response(content="first")
            await interaction.followup.send("second", ephemeral=True)

        @self.tree.command(description="Show a button.")
        async def show(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("press it", view=_Buttons())

        @self.tree.command(description="For managers.")
        @app_commands.default_permissions(manage_guild=True)
        async def manage(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("managed")

        @self.tree.command(description="Ask for more.")
        async def ask(interaction: discord.Interaction) -> None:
            await interaction.response.send_modal(_Form())

        group = app_commands.Group(name="digest", description="Digests.")

        @group.command(description="Name a channel.")
        async def point(interaction: discord.Interaction, channel: discord.TextChannel) -> None:
            await interaction.response.send_message(f"#{channel.name}")

        self.tree.add_command(group)


class _Buttons(discord.ui.View):
    @discord.ui.button(label="More", custom_id="more")
    async def more(self, interaction: discord.Interaction, _: discord.ui.Button["_Buttons"]) -> None:
        await interaction.response.edit_message(content="pressed")


class _Form(discord.ui.Modal, title="More"):
    words: discord.ui.TextInput["_Form"] = discord.ui.TextInput(label="Words", custom_id="words")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"read: {self.words.value}")


@pytest.fixture
async def discord_server(clock: Any) -> AsyncIterator[DiscordServer]:
    """A stand-in that all of discord.py in this process is pointed at; its time is the test's ``clock``.

    Where Discord's OpenAPI document is at hand, every request and answer is held against it.
    """
    async with DiscordServer(now=clock, tls=True) as server:
        with server.class_attributes():
            yield server
        assert server.complaints == []


@pytest.fixture
async def unpatched(clock: Any) -> AsyncIterator[DiscordServer]:
    """A stand-in that is reached by Discord's own names only, through ``unpatched.connector()``."""
    async with DiscordServer(now=clock, tls=True) as server:
        yield server
        assert server.complaints == []


@pytest.fixture
def guild(discord_server: DiscordServer) -> Guild:
    return discord_server.world.add_guild("Lab")


@pytest.fixture
def papers(discord_server: DiscordServer, guild: Guild) -> Channel:
    return discord_server.world.add_channel(guild, "papers")


@pytest.fixture
def ada(discord_server: DiscordServer, guild: Guild) -> User:
    user = discord_server.world.add_user("ada")
    discord_server.world.add_member(guild, user)
    return user


@pytest.fixture
def online() -> Online:
    """Take a client through login and READY, and close it in the end; a start that dies fails the test at once."""

    @contextlib.asynccontextmanager
    async def bring_online(client: Client, token: str) -> AsyncIterator[Client]:
        async with client:
            await client.login(token)
            running = asyncio.create_task(client.connect())
            ready = asyncio.create_task(client.wait_until_ready())
            try:
                async with asyncio.timeout(10):
                    await asyncio.wait({running, ready}, return_when=asyncio.FIRST_COMPLETED)
                if running.done():
                    running.result()
                    pytest.fail("the client left before it was ready")
                yield client
            finally:
                ready.cancel()
                await client.close()
                await asyncio.gather(running, ready, return_exceptions=True)

    return bring_online


@pytest.fixture
async def bot(online: Online, discord_server: DiscordServer, papers: Channel) -> AsyncIterator[SmallBot]:
    """The small bot, online in the lab with #papers."""
    client = SmallBot()
    async with online(client, discord_server.token):
        yield client
