"""The headings, kept between searches and renewed without making anybody wait."""

import contextlib
import ctypes
import threading
import time
from dataclasses import dataclass

from bot.search import headings
from bot.search.headings import HeadingRow, Headings
from bot.store import papers
from bot.store.database import Connection

_NOTICEABLE_SECONDS = 0.05
_REST = 20
"""Times as long as it takes to renew large headings, they are left alone before they are renewed again."""


@dataclass(frozen=True, kw_only=True)
class _Kept:
    version: int
    headings: Headings
    seconds: float
    renewed_at: float


class KeptHeadings:
    """The headings of one library; may be asked from several threads.

    Small ones are renewed as soon as papers have changed. Large ones, which take seconds, go on being used
    meanwhile: while an import runs, they would never be ready otherwise.
    """

    def __init__(self) -> None:
        self._kept: _Kept | None = None
        self._one_at_a_time = threading.Lock()
        self._is_old = False

    def of(self, connection: Connection) -> Headings:
        """Return the headings, of now or of a short while ago."""
        version = papers.version(connection)
        kept = self._kept
        if kept is None or (kept.version != version and kept.seconds < _NOTICEABLE_SECONDS):
            return self.renewed(connection)
        self._is_old = kept.version != version
        return kept.headings

    @property
    def is_due(self) -> bool:
        """Whether it is time to call ``renewed`` where nobody waits for it."""
        kept = self._kept
        return kept is not None and self._is_old and time.monotonic() > kept.renewed_at + _REST * kept.seconds

    def renewed(self, connection: Connection) -> Headings:
        """Read the headings anew if papers have changed, and return them: those of now."""
        with self._one_at_a_time:
            version = papers.version(connection)
            if self._kept is None or self._kept.version != version:
                began = time.monotonic()
                found = headings.read(map(HeadingRow._make, papers.headings(connection)))
                _give_memory_back()
                ended = time.monotonic()
                self._kept = _Kept(version=version, headings=found, seconds=ended - began, renewed_at=ended)
            self._is_old = False
            return self._kept.headings


def _give_memory_back() -> None:
    """Give back to the system what building took and no longer needs; glibc would keep it, 30 MB of 90."""
    with contextlib.suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
