"""The pace of sending: discord.py has no limiter ahead of Discord's 429, so we keep one."""

import asyncio
import time
from collections.abc import Awaitable, Callable


class Pace:
    """A token bucket, fair to those who wait.

    Args:
        per_second: permits a second, above 0.
        burst: permits that may have gathered; a second's worth where it is left out.
        monotonic: seconds that never jump.
    """

    def __init__(
        self,
        per_second: float,
        *,
        burst: float | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        if per_second <= 0:
            raise ValueError("per_second must be above 0")
        self._per_second = per_second
        self._burst = max(1.0, per_second if burst is None else burst)
        self._monotonic = monotonic
        self._sleep = sleep
        self._permits = self._burst
        self._filled_at = monotonic()
        self._turn = asyncio.Lock()

    async def take(self) -> None:
        """Wait until a permit is there and take it, first come, first served."""
        async with self._turn:
            self._fill()
            while self._permits < 1:
                await self._sleep((1 - self._permits) / self._per_second)
                self._fill()
            self._permits -= 1

    def _fill(self) -> None:
        now = self._monotonic()
        gathered = self._permits + (now - self._filled_at) * self._per_second
        # What rounding leaves short of a whole permit must not cost another sleep of no length.
        self._permits = min(self._burst, gathered if gathered >= 1 else round(gathered, 9))
        self._filled_at = now
