"""The bot as Discord sees it: cogs by name, commands synced when they changed, no privileged intent."""

import asyncio
import hashlib
import json
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import yarl
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.replies import explain
from bot.services import Services
from bot.store import facts

log = logging.getLogger(__name__)

COGS = ("cogs.search", "cogs.papers", "cogs.digests", "cogs.library", "cogs.admin", "cogs.help")

_LONGEST_RATE_LIMIT_SECONDS = 60.0
_STALE = "This button is from an older version of me. Run the command again for a fresh one."


def use_stand_in(api_base: str | None, gateway: str | None) -> None:
    """Send everything to a stand-in for Discord instead; None leaves Discord's own address.

    discord.py offers no option for this; these two class attributes move all of it, webhooks and
    interactions too.
    """
    if api_base is not None:
        Route.BASE = api_base
    if gateway is not None:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)


class _Tree(app_commands.CommandTree["PaperRound"]):
    async def on_error(
        self, interaction: discord.Interaction["PaperRound"], error: app_commands.AppCommandError, /
    ) -> None:
        await explain(interaction, error)


class PaperRound(commands.Bot):
    """The Discord client of Paper Round.

    Args:
        services: what the commands work with.
        tick: looks for due work now; called after somebody asked for an edition out of turn.
        options: passed on to ``discord.Client`` (a connector, a clock trace).
    """

    def __init__(self, services: Services, *, tick: Callable[[], Awaitable[None]], **options: Any) -> None:
        super().__init__(
            # A prefix that no message can begin with: there are slash commands only.
            command_prefix=lambda _bot, _message: [],
            help_command=None,
            tree_cls=_Tree,
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
            max_ratelimit_timeout=_LONGEST_RATE_LIMIT_SECONDS,
            **options,
        )
        self.services = services
        self._tick = tick
        self._ticks: set[asyncio.Task[None]] = set()
        self._templates: list[re.Pattern[str]] = []

    async def setup_hook(self) -> None:
        """Load the cogs and tell Discord of the commands if they changed since last time."""
        for cog in COGS:
            await self.load_extension(cog)
        await self._sync_if_changed()

    def add_dynamic_items(self, *items: type[discord.ui.DynamicItem[discord.ui.Item[Any]]]) -> None:
        """Register buttons that outlive a process, and remember which custom ids they answer."""
        super().add_dynamic_items(*items)
        self._templates.extend(item.__discord_ui_compiled_template__ for item in items)

    def tick_soon(self) -> None:
        """Look for due work without making the caller wait for it."""
        task = asyncio.create_task(self._look(), name="tick asked for")
        self._ticks.add(task)
        task.add_done_callback(self._ticks.discard)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer the buttons and forms that no code of this version knows; Discord would show a failure."""
        if interaction.type not in {discord.InteractionType.component, discord.InteractionType.modal_submit}:
            return
        custom_id = str((interaction.data or {}).get("custom_id", ""))
        if any(template.fullmatch(custom_id) for template in self._templates):
            return
        try:
            await interaction.response.send_message(_STALE, ephemeral=True)
        except (discord.InteractionResponded, discord.HTTPException) as error:
            await explain(interaction, error)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Keep what its managers had set, should the bot come back within the grace time."""
        await self.services.subscriptions.guild_joined(guild.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Begin the grace time after which the guild's settings are removed."""
        await self.services.subscriptions.guild_left(guild.id)

    async def close(self) -> None:
        """Leave Discord; a tick that somebody asked for is given up, and what it began goes on later."""
        for task in tuple(self._ticks):
            task.cancel()
        await asyncio.gather(*self._ticks, return_exceptions=True)
        await super().close()

    async def _look(self) -> None:
        try:
            await self._tick()
        except Exception:
            log.exception("tick failed")

    async def _sync_if_changed(self) -> None:
        """PUT the commands only when their definition differs from what was last told.

        Discord counts the commands created a day (200 a guild, error 30034), and a PUT at every
        start would reload every user's client.
        """
        definitions = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps(definitions, sort_keys=True).encode()).hexdigest()
        name = f"commands of {self.application_id}"
        database = self.services.database
        if await database.read(lambda connection: facts.find_fact(connection, name)) == digest:
            return
        synced = await self.tree.sync()
        await database.write(lambda connection: facts.keep_fact(connection, name, digest))
        log.info("commands synced", extra={"commands": len(synced)})
