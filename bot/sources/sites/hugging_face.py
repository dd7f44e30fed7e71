"""Hugging Face's Daily Papers, which people pick from arXiv."""

import datetime as dt
from collections.abc import AsyncGenerator
from typing import Final

from yarl import URL

from bot.errors import SourceError
from bot.models import Now
from bot.sources.fetching import Fetcher
from bot.sources.sites.base import Page, SiteState

BASE: Final = "https://huggingface.co"

_LIMIT: Final = 100
_MOST_DAYS: Final = 7
"""Days that are caught up with after a pause."""


class HuggingFace:
    """The picks of one day, or of today and the days that were missed."""

    def __init__(self, day: dt.date | None = None, *, now: Now, base: str = BASE) -> None:
        """Name the picks.

        Args:
            day: None for today's, by ``now``, each time they are asked for.
            now: the clock; the site counts its days in UTC.
            base: the site's address.
        """
        self._day = day
        self._now = now
        self._base = base.rstrip("/")

    @property
    def name(self) -> str:
        """``huggingface``, with the day where one was named."""
        return f"huggingface {self._day}" if self._day else "huggingface"

    @property
    def brings_all(self) -> bool:
        """No: a day at a time."""
        return False

    async def pages(self, fetcher: Fetcher, state: SiteState) -> AsyncGenerator[Page]:
        """Yield the picks of each day.

        Picks come in all day long, so the day that was read last is read once more.

        Raises:
            SourceError: the day lies ahead, or the site cannot be read.
        """
        for day in self._days(state.newest):
            url = URL(f"{self._base}/api/daily_papers").with_query(date=day.isoformat(), limit=str(_LIMIT))
            answer = await fetcher.get(
                str(url), seen=state.validators.get(day.isoformat()), name="Hugging Face", answers={400, 404}
            )
            if answer.status in {400, 404}:
                raise SourceError(f"Hugging Face has no daily papers for {day}.", status=answer.status)
            if not answer.not_modified:
                yield Page(content=answer.content, format_name="json", where=f"picks of {day}")
            # What is said of other days will not be asked for again.
            state.validators = {day.isoformat(): answer.validators}
            state.newest = day.isoformat()

    def _days(self, newest: str | None) -> list[dt.date]:
        if self._day is not None:
            return [self._day]
        today = self._now().astimezone(dt.UTC).date()
        try:
            first = dt.date.fromisoformat(newest) if newest else today
        except ValueError:
            first = today
        first = min(max(first, today - dt.timedelta(days=_MOST_DAYS - 1)), today)
        return [first + dt.timedelta(days=days) for days in range((today - first).days + 1)]
