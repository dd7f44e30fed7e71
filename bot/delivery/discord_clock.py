"""Discord's clock, read from the ``Date`` of its answers.

The age of a doubt is reckoned on it, because the host's clock may jump while a message is on its way.
"""

import datetime as dt
import email.utils
import time
from collections.abc import Callable
from types import SimpleNamespace

import aiohttp

from bot.models import Now


class DiscordClock:
    """Discord's time, to the second; the host's until Discord has answered once.

    Args:
        now: the host's clock.
        monotonic: seconds that never jump.
    """

    def __init__(self, now: Now, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._monotonic = monotonic
        self._read: tuple[dt.datetime, float] | None = None

    def now(self) -> dt.datetime:
        """Return the instant at Discord, in UTC."""
        if self._read is None:
            return self._now()
        told, at = self._read
        return told + dt.timedelta(seconds=self._monotonic() - at)

    def told(self, date: str) -> None:
        """Take the ``Date`` header of an answer; one that is no date changes nothing."""
        try:
            told = email.utils.parsedate_to_datetime(date)
        except ValueError:
            return
        if told.tzinfo is None:
            told = told.replace(tzinfo=dt.UTC)
        self._read = (told.astimezone(dt.UTC), self._monotonic())

    def trace_config(self) -> aiohttp.TraceConfig:
        """Return what ``discord.Client(http_trace=…)`` takes, so that every answer sets the clock."""
        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(self._answered)
        return trace

    async def _answered(
        self, _session: aiohttp.ClientSession, _context: SimpleNamespace, answer: aiohttp.TraceRequestEndParams
    ) -> None:
        date = answer.response.headers.get("Date")
        if date is not None:
            self.told(date)
