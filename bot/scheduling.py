"""The tick, and the only home of APScheduler."""

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
        self._scheduler: AsyncIOScheduler | None = None

    def start(self) -> None:
        """Begin to tick, on the running loop; a second call changes nothing."""
        if self._scheduler is not None:
            return
        self._scheduler = scheduler = AsyncIOScheduler(timezone=dt.UTC)
        scheduler.add_job(  # pyright: ignore[reportUnknownMemberType] -- APScheduler 3 has no types
            self._look,
            IntervalTrigger(seconds=self._seconds, timezone=dt.UTC),  # pyright: ignore[reportArgumentType] -- takes fractions too
            next_run_time=dt.datetime.now(dt.UTC),
            # Its default drops a run that is a second late.
            misfire_grace_time=None,
            coalesce=True,
            max_instances=1,
        )
        scheduler.start()

    def stop(self) -> None:
        """Tick no more; a tick that runs is cancelled. May be called twice, or before ``start``."""
        if self._scheduler is not None:
            self._scheduler.shutdown(wait=False)
            self._scheduler = None

    async def _look(self) -> None:
        try:
            await self._tick()
        except asyncio.CancelledError:
            # By our own stop: APScheduler would log it as a fault of the job.
            if self._scheduler is not None:
                raise
        except Exception:
            log.exception("tick failed")
