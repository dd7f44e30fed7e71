"""The library's vocabulary, kept between searches and renewed without making anybody wait."""

import threading
import time
from dataclasses import dataclass

from bot.search.spelling import Vocabulary
from bot.store import index, papers
from bot.store.database import Connection

_NOTICEABLE_SECONDS = 0.05
_REST = 20
"""Times as long as it takes to renew a large vocabulary, it is left alone before it is renewed again."""


@dataclass(frozen=True, kw_only=True)
class _Kept:
    version: int
    vocabulary: Vocabulary
    seconds: float
    renewed_at: float


class KeptVocabulary:
    """The vocabulary of one library; may be asked from several threads.

    A small one is renewed as soon as papers have changed. A large one, which takes a second, goes on being used
    meanwhile: while an import runs, it would never be ready otherwise.
    """

    def __init__(self) -> None:
        self._kept: _Kept | None = None
        self._one_at_a_time = threading.Lock()
        self._is_old = False

    def of(self, connection: Connection) -> Vocabulary:
        """Return the vocabulary, of now or of a short while ago."""
        version = papers.version(connection)
        kept = self._kept
        if kept is None or (kept.version != version and kept.seconds < _NOTICEABLE_SECONDS):
            return self.renewed(connection)
        self._is_old = kept.version != version
        return kept.vocabulary

    @property
    def is_due(self) -> bool:
        """Whether it is time to call ``renewed`` where nobody waits for it."""
        kept = self._kept
        return kept is not None and self._is_old and time.monotonic() > kept.renewed_at + _REST * kept.seconds

    def renewed(self, connection: Connection) -> Vocabulary:
        """Read the vocabulary anew if papers have changed, and return it."""
        with self._one_at_a_time:
            version = papers.version(connection)
            if self._kept is None or self._kept.version != version:
                began = time.monotonic()
                vocabulary = Vocabulary(index.vocabulary(connection), papers=papers.count(connection))
                ended = time.monotonic()
                self._kept = _Kept(version=version, vocabulary=vocabulary, seconds=ended - began, renewed_at=ended)
            self._is_old = False
            return self._kept.vocabulary
