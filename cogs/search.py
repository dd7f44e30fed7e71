"""``/search``: the half-remembered paper."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import PaperRound
from bot.rendering import embeds


class Search(commands.Cog):
    """Finding papers."""

    @app_commands.command(name="search", description="Find papers; typos are forgiven")
    @app_commands.describe(query="Words of the title, an author, an identifier or a link", hits="How many, 1 to 10")
    async def search(
        self,
        interaction: discord.Interaction[PaperRound],
        query: app_commands.Range[str, 1, 300],
        hits: app_commands.Range[int, 1, 10] | None = None,
    ) -> None:
        """Answer with the papers that match best."""
        await interaction.response.defer(thinking=True)
        services = interaction.client.services
        findings = await services.searcher.search(query, limit=hits or services.settings.search.hits)
        await interaction.edit_original_response(**embeds.hits(findings).edit_arguments())


async def setup(bot: PaperRound) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(Search())
