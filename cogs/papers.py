"""``/paper``, ``/summary`` and ``/random``, and the buttons on a paper, which outlive a restart."""

import asyncio
import re
from typing import Any, Self

import discord
from discord import app_commands
from discord.ext import commands

from bot.client import PaperRound
from bot.rendering import buttons, embeds
from bot.rendering.messages import Message
from bot.replies import explained
from cogs import choices

Button = discord.ui.Button[discord.ui.View]


class Papers(commands.Cog):
    """One paper at a time."""

    @app_commands.command(name="paper", description="Show a paper; its title completes while you type")
    @app_commands.describe(title="A title, an identifier or a link")
    @app_commands.autocomplete(title=choices.papers)
    async def paper(self, interaction: discord.Interaction[PaperRound], title: app_commands.Range[str, 1, 300]) -> None:
        """Answer with the paper."""
        await interaction.response.defer(thinking=True)
        paper = await interaction.client.services.searcher.get(title)
        await interaction.edit_original_response(**embeds.paper(paper).edit_arguments())

    @app_commands.command(name="summary", description="The sentences that say what a paper did")
    @app_commands.describe(
        paper="A title, an identifier or a link", sentences="How many, 1 to 5", ranker="How they are chosen"
    )
    @app_commands.autocomplete(paper=choices.papers, ranker=choices.rankers)
    async def summary(
        self,
        interaction: discord.Interaction[PaperRound],
        paper: app_commands.Range[str, 1, 300],
        sentences: app_commands.Range[int, 1, 5] = 2,
        ranker: str | None = None,
    ) -> None:
        """Answer with the paper's summary."""
        await interaction.response.defer(thinking=True)
        services = interaction.client.services
        found = await services.searcher.get(paper)
        summary = await asyncio.to_thread(services.summarizer.summarize, found, sentences=sentences, ranker=ranker)
        await interaction.edit_original_response(**embeds.summary(found, summary).edit_arguments())

    @app_commands.command(name="random", description="A paper by chance; none comes twice until all were shown here")
    @app_commands.describe(query="Choose among the papers that match this")
    async def random(
        self, interaction: discord.Interaction[PaperRound], query: app_commands.Range[str, 0, 300] = ""
    ) -> None:
        """Answer with a paper that this channel has not had in the present round."""
        await interaction.response.defer(thinking=True)
        message = await _random(interaction, query)
        await interaction.edit_original_response(**message.edit_arguments())


class SummaryButton(discord.ui.DynamicItem[Button], template=buttons.SUMMARY):
    """Summarises the paper it stands under, for the person who pressed it."""

    def __init__(self, paper_id: int) -> None:
        super().__init__(discord.ui.Button(label="Summary", custom_id=buttons.summary(paper_id)))
        self.paper_id = paper_id

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Return the button that a custom id describes."""
        return cls(int(match["paper"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer, or explain why not."""
        await explained(interaction, self._answer(interaction))

    async def _answer(self, interaction: discord.Interaction[PaperRound]) -> None:
        """Answer with two sentences."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        services = interaction.client.services
        paper = await services.searcher.get(f"#{self.paper_id}")
        summary = await asyncio.to_thread(services.summarizer.summarize, paper, sentences=2)
        await interaction.edit_original_response(**embeds.summary(paper, summary).edit_arguments())


class SimilarButton(discord.ui.DynamicItem[Button], template=buttons.SIMILAR):
    """Finds papers like the one it stands under, for the person who pressed it."""

    def __init__(self, paper_id: int) -> None:
        super().__init__(discord.ui.Button(label="Similar", custom_id=buttons.similar(paper_id)))
        self.paper_id = paper_id

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Return the button that a custom id describes."""
        return cls(int(match["paper"]))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer, or explain why not."""
        await explained(interaction, self._answer(interaction))

    async def _answer(self, interaction: discord.Interaction[PaperRound]) -> None:
        """Answer with as many papers as a search does."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        services = interaction.client.services
        paper = await services.searcher.get(f"#{self.paper_id}")
        alike = await services.searcher.similar(paper, limit=services.settings.search.hits)
        await interaction.edit_original_response(**embeds.similar(paper, alike).edit_arguments())


class PaperButton(discord.ui.DynamicItem[Button], template=buttons.PAPER):
    """Opens a paper of a list or a digest, for the person who pressed it."""

    def __init__(self, paper_id: int, custom_id: str) -> None:
        super().__init__(discord.ui.Button(label="Paper", custom_id=custom_id))
        self.paper_id = paper_id

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Return the button that a custom id describes."""
        return cls(int(match["paper"]), match[0])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer, or explain why not."""
        await explained(interaction, self._answer(interaction))

    async def _answer(self, interaction: discord.Interaction[PaperRound]) -> None:
        """Answer with the paper."""
        await interaction.response.defer(ephemeral=True, thinking=True)
        paper = await interaction.client.services.searcher.get(f"#{self.paper_id}")
        await interaction.edit_original_response(**embeds.paper(paper).edit_arguments())


class RandomButton(discord.ui.DynamicItem[Button], template=buttons.RANDOM):
    """Picks another paper for the channel."""

    def __init__(self, query: str) -> None:
        super().__init__(discord.ui.Button(label="Another", custom_id=buttons.random(query)))
        self.query = query

    @classmethod
    async def from_custom_id(
        cls, _interaction: discord.Interaction[Any], _item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Self:
        """Return the button that a custom id describes."""
        return cls(match["query"])

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Answer, or explain why not."""
        await explained(interaction, self._answer(interaction))

    async def _answer(self, interaction: discord.Interaction[PaperRound]) -> None:
        """Answer with another paper, for all to see."""
        await interaction.response.defer(thinking=True)
        message = await _random(interaction, self.query)
        await interaction.edit_original_response(**message.edit_arguments())


async def _random(interaction: discord.Interaction[PaperRound], query: str) -> Message:
    services = interaction.client.services
    paper = await services.picker.pick(interaction.channel_id or interaction.user.id, query)
    summary = await asyncio.to_thread(services.summarizer.summarize, paper, sentences=1)
    return embeds.random_paper(paper, summary, query)


async def setup(bot: PaperRound) -> None:
    """Called by discord.py when the extension is loaded."""
    await bot.add_cog(Papers())
    bot.add_dynamic_items(SummaryButton, SimilarButton, PaperButton, RandomButton)
