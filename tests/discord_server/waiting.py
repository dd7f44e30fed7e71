"""Waiting for what comes over a wire, without guessing how long it takes."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_LOOK_EVERY_SECONDS = 0.005


async def until(condition: Callable[[], T], *, within: float = 5.0) -> T:
    """Return what ``condition`` gives as soon as it is true.

    Raises:
        TimeoutError: it was not within so many real seconds.
    """
    async with asyncio.timeout(within):
        while not (found := condition()):  # noqa: ASYNC110 -- it looks at plain data, which has no events
            await asyncio.sleep(_LOOK_EVERY_SECONDS)
        return found
