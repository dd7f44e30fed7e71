"""What every test may ask for: a clock that only moves when told, and a real database."""

import datetime as dt
import os
from collections.abc import AsyncIterator
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
