"""``/search``: the half-remembered paper; ``/similar``: the ones like it."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import PaperRound
from bot.rendering import embeds
from bot.search.query import with_conditions
from cogs import choices


class Search(commands.Cog):
    """Finding papers."""

    @app_commands.command(name="search", description="Find papers; typos are forgiven")
    @app_commands.describe(
        query="Words of the title, an author, an identifier or a link",
        author="Only papers by this person",
        venue="Only papers of this venue, such as ICLR 2024",
        year="Only papers of this year, or of years such as 2022..2024",
        track="Only papers of this track, such as oral",
        keyword="Only papers with this keyword",
        hits="How many, 1 to 10",
    )
    @app_commands.autocomplete(
        author=choices.authors, venue=choices.venues, track=choices.tracks, keyword=choices.keywords
    )
    async def search(  # noqa: PLR0917 - one for each option that a person sees
        self,
        interaction: discord.Interaction[PaperRound],
        query: app_commands.Range[str, 1, 300],
        author: app_commands.Range[str, 1, 100] | None = None,
        venue: app_commands.Range[str, 1, 100] | None = None,
        year: app_commands.Range[str, 4, 12] | None = None,
        track: app_commands.Range[str, 1, 100] | None = None,
        keyword: app_commands.Range[str, 1, 100] | None = None,
        hits: app_commands.Range[int, 1, 10] | None = None,
    ) -> None:
        """Answer with the papers that match best."""
        await interaction.response.defer(thinking=True)
        services = interaction.client.services
        asked = with_conditions(query, author=author, venue=venue, year=year, track=track, keyword=keyword)
        findings = await services.searcher.search(asked, limit=hits or services.settings.search.hits)
        await interaction.edit_original_response(**embeds.hits(findings).edit_arguments())

    @app_commands.command(name="similar", description="Papers like one paper")
    @app_commands.describe(paper="A title, an identifier or a link", hits="How many, 1 to 10")
    @app_commands.autocomplete(paper=choices.papers)
    async def similar(
        self,
        interaction: discord.Interaction[PaperRound],
        paper: app_commands.Range[str, 1, 300],
        hits: app_commands.Range[int, 1, 10] | None = None,
    ) -> None:
        """Answer with the papers that share most of its telling words."""
        await interaction.response.defer(thinking=True)
        services = interaction.client.services
        found = await services.searcher.get(paper)
        alike = await services.searcher.similar(found, limit=hits or services.settings.search.hits)
        await interaction.edit_original_response(**embeds.similar(found, alike).edit_arguments())


async def setup(bot: PaperRound) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(Search())
