"""The tick and the rota of sources; the only home of APScheduler."""

import asyncio
import datetime as dt
import logging
from collections.abc import Awaitable, Callable

from apscheduler.schedulers.asyncio import AsyncIOScheduler
from apscheduler.triggers.interval import IntervalTrigger

log = logging.getLogger(__name__)


class Ticker:
    """Calls ``tick`` at once and then every ``seconds``, never while it still runs.

    What is due stands in the store: a tick only looks, so that a missed one costs nothing.
    """

    def __init__(self, tick: Callable[[], Awaitable[object]], seconds: float) -> None:
        self._tick = tick
        self._seconds = seconds
        self._rota: Rota | None = None

    def start(self) -> None:
        """Begin to tick, on the running loop; a second call changes nothing."""
        if self._rota is None:
            self._rota = Rota()
            self._rota.add(self._tick, every=dt.timedelta(seconds=self._seconds), first=dt.datetime.now(dt.UTC))

    def stop(self) -> None:
        """Tick no more; a tick that runs is cancelled. May be called twice, or before ``start``."""
        if self._rota is not None:
            self._rota.stop()
            self._rota = None


class Rota:
    """Calls several things, each at its own interval and never while it still runs."""

    def __init__(self) -> None:
        self._scheduler: AsyncIOScheduler | None = None

    def add(self, work: Callable[[], Awaitable[object]], *, every: dt.timedelta, first: dt.datetime) -> None:
        """Call ``work`` at ``first``, at once where that is past, and then every interval, on the running loop."""
        if self._scheduler is None:
            self._scheduler = AsyncIOScheduler(timezone=dt.UTC)
            self._scheduler.start()
        self._scheduler.add_job(  # pyright: ignore[reportUnknownMemberType] -- APScheduler 3 has no types
            self._look,
            IntervalTrigger(seconds=every.total_seconds(), timezone=dt.UTC),  # pyright: ignore[reportArgumentType] -- takes fractions too
            args=(work,),
            next_run_time=max(first, dt.datetime.now(dt.UTC)),
            # Its default drops a run that is a second late.
            misfire_grace_time=None,
            coalesce=True,
            max_instances=1,
        )

    def stop(self) -> None:
        """Call nothing more; what runs is cancelled. May be called twice, or before anything was added."""
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=False)
            self._scheduler = None

    async def _look(self, work: Callable[[], Awaitable[object]]) -> None:
        try:
            await work()
        except asyncio.CancelledError:
            # By our own stop: APScheduler would log it as a fault of the job.
            if self._scheduler is not None:
                raise
        except Exception:
            log.exception("scheduled work failed")
