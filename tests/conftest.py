"""What every test may ask for: a clock that only moves when told, and a real database."""

import datetime as dt
import gc
import logging
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from bot.store.database import Database


class Clock:
    """The ``now`` port, standing still until a test moves it."""

    def __init__(self, instant: dt.datetime) -> None:
        self.instant = instant

    def __call__(self) -> dt.datetime:
        return self.instant

    def advance(self, **amount: float) -> None:
        self.instant += dt.timedelta(**amount)


@pytest.fixture(autouse=True)
def _loggers_as_they_were() -> Iterator[None]:
    """Take back what a command line did to the loggers of this process, for the tests that read the log."""
    loggers = [logging.getLogger(), *map(logging.getLogger, list(logging.root.manager.loggerDict))]
    levels = {logger: logger.level for logger in loggers}
    handlers = list(logging.root.handlers)
    yield
    for logger, level in levels.items():
        logger.setLevel(level)
    for handler in [one for one in logging.root.handlers if one not in handlers]:
        logging.root.removeHandler(handler)


@pytest.fixture
def clock() -> Clock:
    return Clock(dt.datetime(2026, 3, 2, 8, 0, tzinfo=dt.UTC))


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with await Database.open(tmp_path / "library.db") as opened:
        yield opened


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real lists and samples, which is not part of the repository."""
    named = os.environ.get("PAPERROUND_TEST_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the real data are not here ({folder}); set PAPERROUND_TEST_DATA to their folder")
    return folder


@pytest.fixture
def grows_with_its_input() -> Callable[[Callable[[int], object], int], None]:
    """Return a check that eight times the input takes nowhere near the sixty-four times of a square.

    Both are measured in the same run, in seconds of this process, so that the machine does not matter;
    the garbage collector rests meanwhile, since its pauses grow with all that other tests left behind.
    """

    def seconds(work: Callable[[int], object], size: int) -> float:
        measured: list[float] = []
        gc.disable()
        try:
            for _ in range(3):
                began = time.process_time()
                work(size)
                measured.append(time.process_time() - began)
        finally:
            gc.enable()
        return min(measured)

    def check(work: Callable[[int], object], size: int) -> None:
        small, large = seconds(work, size), seconds(work, 8 * size)
        assert large <= 24 * small + 0.05, f"{small:.3f} s for {size}, {large:.3f} s for {8 * size}"

    return check
