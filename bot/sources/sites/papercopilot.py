"""Papercopilot's lists of conferences' papers, one JSON file a year on GitHub."""

from collections.abc import AsyncGenerator
from typing import Final

from bot.errors import SourceError
from bot.sources.base import Defaults
from bot.sources.fetching import Fetcher
from bot.sources.sites.base import Page, SiteState

BASE: Final = "https://raw.githubusercontent.com/papercopilot/paperlists/main"

_FOLDERS: Final = {"neurips": "nips", "mm": "acmmm", "thewebconf": "www"}
"""Conferences that the lists keep under another name."""

_VENUES: Final = {
    "nips": "NeurIPS",
    "corl": "CoRL",
    "automl": "AutoML",
    "acmmm": "ACM MM",
    "siggraphasia": "SIGGRAPH Asia",
}


class PaperCopilot:
    """The list of one conference in one year."""

    def __init__(self, conference: str, year: int, *, base: str = BASE) -> None:
        """Name the list.

        Args:
            conference: as people write it: ``iclr``, ``NeurIPS``.
            year: with four digits.
            base: the address that the lists' folders are under.
        """
        lowered = conference.lower()
        self._folder = _FOLDERS.get(lowered, lowered)
        self._venue = _VENUES.get(self._folder, self._folder.upper())
        self._year = year
        self._base = base.rstrip("/")

    @property
    def name(self) -> str:
        """``papercopilot iclr/2024``."""
        return f"papercopilot {self._folder}/{self._year}"

    @property
    def brings_all(self) -> bool:
        """Yes: the whole list."""
        return True

    async def pages(self, fetcher: Fetcher, state: SiteState) -> AsyncGenerator[Page]:
        """Yield the list, if it has changed.

        Raises:
            SourceError: there is no such list, or it cannot be had.
        """
        answer = await fetcher.get(
            f"{self._base}/{self._folder}/{self._folder}{self._year}.json",
            seen=state.validators.get("list"),
            name="Papercopilot",
            answers={404},
        )
        if answer.not_modified:
            return
        if answer.status == 404:
            raise SourceError(f"There is no list for {self._venue} {self._year} at Papercopilot.", status=404)
        yield Page(
            content=answer.content,
            format_name="json",
            where=f"{self._venue} {self._year}",
            defaults=Defaults(venue=self._venue, year=self._year),
        )
        state.validators["list"] = answer.validators
