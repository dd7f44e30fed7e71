"""Autocompletion: at most 25 choices of at most 100 characters, in time or not at all."""

import asyncio
import logging
from collections.abc import Awaitable, Sequence
from typing import TypeVar

import discord
from discord import app_commands

from bot.client import PaperRound
from bot.digests import schedule
from bot.errors import PaperRoundError
from bot.rendering import limits
from bot.rendering.schedules import topic_words, when_words
from bot.search.completing import Field

log = logging.getLogger(__name__)

Choices = list[app_commands.Choice[str]]
Numbers = list[app_commands.Choice[int]]

T = TypeVar("T")


async def papers(interaction: discord.Interaction[PaperRound], typed: str) -> Choices:
    """Complete a paper's title; the value is its number in the library, so that nothing is looked up twice."""
    services = interaction.client.services
    completions = await _in_time(interaction, services.searcher.complete(typed, limit=limits.CHOICES))
    return [
        app_commands.Choice(name=limits.cut(one.title, limits.CHOICE_NAME), value=f"#{one.paper_id}")
        for one in completions
    ]


async def authors(interaction: discord.Interaction[PaperRound], typed: str) -> Choices:
    """Complete a person's name, as papers have it."""
    return await _names(interaction, Field.AUTHOR, typed)


async def venues(interaction: discord.Interaction[PaperRound], typed: str) -> Choices:
    """Complete a venue of the library."""
    return await _names(interaction, Field.VENUE, typed)


async def tracks(interaction: discord.Interaction[PaperRound], typed: str) -> Choices:
    """Complete a track of the library."""
    return await _names(interaction, Field.TRACK, typed)


async def keywords(interaction: discord.Interaction[PaperRound], typed: str) -> Choices:
    """Complete a keyword that papers have."""
    return await _names(interaction, Field.KEYWORD, typed)


async def zones(_interaction: discord.Interaction[PaperRound], typed: str) -> Choices:
    """Complete an IANA zone."""
    return [app_commands.Choice(name=zone, value=zone) for zone in schedule.zones_like(typed, limit=limits.CHOICES)]


async def days(_interaction: discord.Interaction[PaperRound], typed: str) -> Choices:
    """Offer the usual sets of days; any other can be typed."""
    usual = ("weekdays", "daily", "Monday", "Monday, Wednesday, Friday", "Tuesday, Thursday", "Friday", "weekends")
    return [app_commands.Choice(name=one, value=one) for one in usual if typed.strip().casefold() in one.casefold()]


async def rankers(interaction: discord.Interaction[PaperRound], typed: str) -> Choices:
    """Offer the ways in which sentences are chosen."""
    names = interaction.client.services.summarizer.ranker_names()
    return [app_commands.Choice(name=name, value=name) for name in names if typed.strip().casefold() in name]


async def subscriptions(interaction: discord.Interaction[PaperRound], typed: str) -> Numbers:
    """Complete the number of one of the server's subscriptions."""
    if interaction.guild_id is None:
        return []
    services = interaction.client.services
    found = await _in_time(interaction, services.subscriptions.list_for(interaction.guild_id))
    choices: Numbers = []
    for one in found:
        channel = interaction.guild and interaction.guild.get_channel_or_thread(one.channel_id)
        place = f"#{channel.name}" if channel else "a channel I cannot see"
        name = f"{one.number} · {place} · {when_words(one.schedule)} · {topic_words(one.topic)}"
        if typed.casefold() in name.casefold():
            choices.append(app_commands.Choice(name=limits.cut(name, limits.CHOICE_NAME), value=one.number))
    return choices[: limits.CHOICES]


async def _names(interaction: discord.Interaction[PaperRound], field: Field, typed: str) -> Choices:
    services = interaction.client.services
    found = await _in_time(interaction, services.searcher.complete_name(field, typed, limit=limits.CHOICES))
    # A value of more characters is none of Discord's, and one that is cut would find nothing.
    return [
        app_commands.Choice(name=name, value=name) for name in found if 0 < limits.units(name) <= limits.CHOICE_NAME
    ]


async def _in_time(interaction: discord.Interaction[PaperRound], answer: Awaitable[Sequence[T]]) -> Sequence[T]:
    """Wait for the answer as long as the settings allow; an empty list is better than a late one."""
    budget = interaction.client.services.settings.search.completion_ms / 1000
    try:
        async with asyncio.timeout(budget):
            return await answer
    except TimeoutError:
        log.info("completion was too slow", extra={"seconds": budget})
    except PaperRoundError as error:
        log.debug("completion gave nothing", extra={"code": error.code})
    return ()
