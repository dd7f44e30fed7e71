"""The library's words, and which of them a misspelt one may have been meant for."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA

STOP_WORDS = frozenset(
    (
        "a an the of in on for to and or with by from as at is are be via using towards toward its their this that "
        "can not into how what do does than paper papers about"
    ).split()
)
"""Words that tell little: they weigh next to nothing and need not be found."""

MOST_CORRECTIONS = 4

_SHORTEST, _LONGEST = 3, 40
_NEAR_ENOUGH = 0.9
"""A word one letter away that eight papers have: words two letters away need not be looked for."""

_SHORTEST_HALF = 3
_FEW = 20
_SHORTEST_START = 4
_LAST = "\U0010ffff"


@dataclass(frozen=True, kw_only=True)
class Correction:
    """A word of the library that a typed one resembles, and by how many letters they differ."""

    word: str
    distance: int


class Vocabulary:
    """The words of titles, aliases, authors and keywords at one version of the library; never changes.

    Safe to use from several threads. The 106,000 words of 100,000 papers take about 12 MB.

    Args:
        rows: words, folded, each once, with the number of papers that have each.
        papers: how many papers the library has.

    Attributes:
        words: folded, each once, sorted; a word's place here is its number.
        counts: for each word, how many papers have it.
    """

    def __init__(self, rows: Iterable[tuple[str, int]], *, papers: int) -> None:
        self.papers = papers
        pairs = sorted(rows)
        self.words = [word for word, _ in pairs]
        self.counts: NDArray[np.int32] = np.array([count for _, count in pairs], dtype=np.int32)
        lengths = np.array(list(map(len, self.words)), dtype=np.int64)
        letters = _letters(self.words, lengths)
        # Numbers are not misspelt words, and whatever is longer than a word is none.
        is_number = np.array(list(map(str.isdigit, self.words)), dtype=np.bool_)
        lengths[is_number | (lengths < _SHORTEST) | (lengths > _LONGEST)] = 0
        self._by_length = np.argsort(lengths, kind="stable").astype(np.int32)
        self._letters = letters[self._by_length]
        self._starts = np.searchsorted(lengths[self._by_length], np.arange(_LONGEST + 2))
        self._cached = lru_cache(maxsize=4096)(self._corrections)

    def __len__(self) -> int:
        return len(self.words)

    def number(self, word: str) -> int | None:
        """Return the number of a folded word; None where the library does not have it."""
        place = bisect_left(self.words, word)
        return place if place < len(self.words) and self.words[place] == word else None

    def begun(self, start: str) -> range:
        """Return the numbers of the words that begin so."""
        return range(bisect_left(self.words, start), bisect_left(self.words, start + _LAST))

    def count(self, word: str) -> int:
        """Return how many papers have the folded word in a heading; 0 when none has."""
        number = self.number(word)
        return 0 if number is None else int(self.counts[number])

    def weight(self, word: str) -> float:
        """Return the inverse document frequency of a word (Robertson & Zaragoza 2009, eq. 3.3, smoothed); above 0."""
        return math.log(1 + (self.papers + 0.5) / (self.count(word) + 0.5))

    def is_rare(self, word: str) -> bool:
        """Return whether so few papers have the word that it may itself be a misprint."""
        return self.count(word) < (3 if self.papers >= 1000 else 1) or self.count(word) < self.papers // 50_000

    def may_be_two(self, word: str) -> bool:
        """Return whether so few papers have the word in one piece that two may be meant that run together."""
        return len(word) >= 2 * _SHORTEST_HALF and self.count(word) < _FEW

    def corrections(self, word: str) -> tuple[Correction, ...]:
        """Return up to four words of the library that a folded word may have been meant for, likeliest first.

        Up to 1 letter may differ in words of 3 or 4 letters, 2 up to 8 letters, 3 beyond; numbers have none.
        Costs about 1 ms with 100,000 words; the last ones asked for are remembered.
        """
        if not _SHORTEST <= len(word) <= _LONGEST or any(character.isdigit() for character in word):
            return ()
        return self._cached(word)

    def split(self, word: str) -> tuple[str, ...]:
        """Return the pairs of common words, each pair with a space, that run together are ``word``."""
        enough = 5 if self.papers >= 1000 else 1
        halves = ((word[:at], word[at:]) for at in range(_SHORTEST_HALF, min(len(word), _LONGEST) - _SHORTEST_HALF + 1))
        return tuple(
            f"{left} {right}" for left, right in halves if self.count(left) >= enough and self.count(right) >= enough
        )

    def beginnings(self, start: str) -> list[str]:
        """Return at most two beginnings of words, one letter from what was typed of a word so far, likeliest first.

        None where fewer than four letters were typed or a word of the library begins so; the first letter is
        taken to be right. Costs about 5 ms with 100,000 words.
        """
        if not _SHORTEST_START <= len(start) <= _LONGEST or self.begun(start):
            return []
        counts: dict[str, int] = {}
        numbers = self.begun(start[0])
        for word, count in zip(
            self.words[numbers.start : numbers.stop], self.counts[numbers.start : numbers.stop].tolist(), strict=True
        ):
            for size in range(len(start) - 1, min(len(word), len(start) + 1) + 1):
                counts[word[:size]] = counts.get(word[:size], 0) + count
        if not counts:
            return []
        starts = list(counts)
        distances = _distances(start, starts, 1)
        near = [starts[place] for place in np.flatnonzero(distances <= 1)]
        # Of two that are one letter away, the longer says more of the word.
        return sorted(near, key=lambda one: (-counts[one] * len(one) ** 2, one))[:2]

    def _corrections(self, word: str) -> tuple[Correction, ...]:
        found = self._near(word, 1)
        most = allowed_distance(word)
        if most > 1 and not (found and found[0][0] <= _NEAR_ENOUGH):
            found = self._near(word, most)
        return tuple(Correction(word=near, distance=distance) for _, distance, near in found[:MOST_CORRECTIONS])

    def _near(self, word: str, most: int) -> list[tuple[float, int, str]]:
        """Return the words that differ by at most so many letters, each with its rank and its distance, best first."""
        letters = _letters([word], np.array([len(word)]))[0]
        first, last = max(len(word) - most, _SHORTEST), min(len(word) + most, _LONGEST)
        # A wrong letter takes at most one letter out of the word's and puts at most one in: this leaves
        # one word in fifty to be compared.
        these = self._letters[self._starts[first] : self._starts[last + 1]]
        likely = np.flatnonzero(np.bitwise_count(these & ~letters) <= most)
        likely = likely[np.bitwise_count(letters & ~these[likely]) <= most]
        if not likely.size:
            return []
        numbers: list[int] = self._by_length[likely + self._starts[first]].tolist()
        near = [self.words[number] for number in numbers]
        distances = _distances(word, near, most)
        places = np.flatnonzero(distances <= most)
        return sorted(
            (self._rank(word, near[place], distance), distance, near[place])
            for place, distance in zip(places.tolist(), distances[places].tolist(), strict=True)
            if distance
        )

    def _rank(self, word: str, near: str, distance: int) -> float:
        strange_start = 0.3 if near[0] != word[0] else 0.0
        return distance + strange_start - 0.12 * math.log10(self.count(near) + 1)


def allowed_distance(word: str) -> int:
    """Return how many letters may be wrong in a word of this length."""
    return 1 if len(word) <= 4 else 2 if len(word) <= 8 else 3


def _distances(word: str, others: Sequence[str], most: int) -> NDArray[np.int64]:
    # cdist, unlike extract, releases the interpreter's lock (RapidFuzz issue 129).
    return process.cdist([word], others, scorer=OSA.distance, score_cutoff=most, dtype=np.int64)[0]


def _letters(words: Sequence[str], lengths: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return which letters each word has, a bit for each of a..z and 0..9; others share the rest."""
    if not words:
        return np.zeros(0, dtype=np.uint64)
    codes = np.frombuffer("".join(words).encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
    bits = np.where(
        (codes >= ord("a")) & (codes <= ord("z")),
        codes - ord("a"),
        np.where((codes >= ord("0")) & (codes <= ord("9")), codes - ord("0") + 26, 36 + codes % 28),
    )
    starts = np.cumsum(lengths) - lengths
    return np.bitwise_or.reduceat(np.uint64(1) << bits.astype(np.uint64), starts)
