import asyncio
import logging
import time

import pytest

from bot.scheduling import Ticker


async def test_the_first_tick_comes_at_once_and_others_follow() -> None:
    ticks = asyncio.Semaphore(0)

    async def tick() -> None:
        ticks.release()

    ticker = Ticker(tick, 0.02)
    ticker.start()
    ticker.start()
    async with asyncio.timeout(5):
        for _ in range(3):
            await ticks.acquire()
    ticker.stop()
    ticker.stop()


async def test_a_tick_that_fails_is_logged_and_the_next_one_comes(caplog: pytest.LogCaptureFixture) -> None:
    ticks = asyncio.Semaphore(0)

    async def tick() -> None:
        ticks.release()
        raise RuntimeError("broken")

    ticker = Ticker(tick, 0.02)
    with caplog.at_level(logging.ERROR):
        ticker.start()
        async with asyncio.timeout(5):
            await ticks.acquire()
            await ticks.acquire()
    ticker.stop()
    assert "scheduled work failed" in caplog.text


async def test_no_tick_begins_while_another_runs() -> None:
    running = most = begun = 0
    enough = asyncio.Event()

    async def tick() -> None:
        nonlocal running, most, begun
        running, begun = running + 1, begun + 1
        most = max(most, running)
        await asyncio.sleep(0.05)
        running -= 1
        if begun >= 3:
            enough.set()

    ticker = Ticker(tick, 0.01)
    ticker.start()
    async with asyncio.timeout(5):
        await enough.wait()
    ticker.stop()
    assert most == 1


async def test_after_a_blocked_loop_the_tick_still_comes() -> None:
    ticks = asyncio.Semaphore(0)

    async def tick() -> None:
        ticks.release()

    ticker = Ticker(tick, 0.05)
    ticker.start()
    async with asyncio.timeout(10):
        await ticks.acquire()
        # A late run is dropped by APScheduler after 1 s unless it is told otherwise.
        time.sleep(1.3)  # noqa: ASYNC251 -- to block the loop is the point
        await ticks.acquire()
    ticker.stop()


async def test_stopped_before_it_began_it_does_nothing() -> None:
    async def tick() -> None:
        raise AssertionError

    Ticker(tick, 1).stop()


async def test_stopped_in_the_middle_of_a_tick_it_ends_the_tick_and_reports_no_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def tick() -> None:
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    ticker = Ticker(tick, 60)
    ticker.start()
    await asyncio.wait_for(begun.wait(), 5)
    ticker.stop()
    await asyncio.wait_for(ended.wait(), 5)
    await asyncio.sleep(0.05)

    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
