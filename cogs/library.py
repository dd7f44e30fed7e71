"""``/library``: what is in it, where it comes from, and bringing in a file."""

import datetime as dt
import re
import tempfile
from pathlib import Path

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import PaperRound
from bot.rendering import embeds
from bot.sources.files import FileSource
from bot.store import papers
from cogs.access import operated

_LATELY = dt.timedelta(days=7)


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class Library(commands.GroupCog, name="library", description="The library of papers"):
    """What the library holds."""

    @app_commands.command(name="stats", description="How many papers there are, and from where")
    async def stats(self, interaction: discord.Interaction[PaperRound]) -> None:
        """Show what the library holds."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        services = interaction.client.services
        since = services.now() - _LATELY
        counts = await services.database.read(lambda connection: papers.counts(connection, since=since))
        await interaction.edit_original_response(**embeds.library(counts).edit_arguments())

    @app_commands.command(name="sources", description="Where papers come from, and whether each source is fresh")
    async def sources(self, interaction: discord.Interaction[PaperRound]) -> None:
        """Show how the sources fare."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        statuses = await interaction.client.services.sites.statuses()
        await interaction.edit_original_response(**embeds.sources(statuses).edit_arguments())

    @app_commands.command(name="import", description="Bring the papers of a file into the library (the operator only)")
    @app_commands.describe(file="A list of papers: JSON, BibTeX, RIS, CSV, a feed, Markdown or plain text; .gz too")
    @app_commands.rename(force="take_fewer")
    @app_commands.describe(force="Take it even if it brings far fewer papers than before")
    async def bring(
        self, interaction: discord.Interaction[PaperRound], file: discord.Attachment, force: bool = False
    ) -> None:
        """Import an attachment."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        await operated(interaction)
        with tempfile.TemporaryDirectory(prefix="paperround-") as folder:
            # The name comes from outside: nothing of it may lead out of the folder.
            path = Path(folder, re.sub(r"[^\w.-]+", "_", file.filename).lstrip(".") or "attachment")
            await file.save(path)
            report = await interaction.client.services.importer.run(FileSource(path), force=force)
        await interaction.edit_original_response(**embeds.imported(file.filename, report).edit_arguments())


async def setup(bot: PaperRound) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(Library())
