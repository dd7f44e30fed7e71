"""The library's words, and which of them a misspelt one may have been meant for."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from bot.text.words import fold

STOP_WORDS = frozenset(
    (
        "a an the of in on for to and or with by from as at is are be via using towards toward its their this that "
        "can not into how what do does than paper papers about"
    ).split()
)
"""Words that tell little: they weigh next to nothing and need not be found."""

MOST_CORRECTIONS = 4

_LONGEST = 40
_SHORTEST_HALF = 3
_SHORTEST_START = 4


@dataclass(frozen=True, kw_only=True)
class Correction:
    """A word of the library that a typed one resembles, and by how many letters they differ."""

    word: str
    distance: int


class Vocabulary:
    """The words of titles, aliases, authors and keywords at one version of the library; never changes.

    Safe to use from several threads. 100,000 papers have 106,000 words, which take about 80 MB.

    Args:
        rows: each word as it is indexed, with the number of papers that have it.
        papers: how many papers the library has.
    """

    def __init__(self, rows: Iterable[tuple[str, int]], *, papers: int) -> None:
        self.papers = papers
        self._counts: dict[str, int] = {}
        self._indexed: dict[str, list[str]] = {}
        for word, count in rows:
            folded = fold(word)
            self._counts[folded] = self._counts.get(folded, 0) + count
            if folded != word:
                self._indexed.setdefault(folded, []).append(word)
        self._by_length: dict[int, list[str]] = {}
        self._by_start: dict[tuple[str, int], list[str]] = {}
        for word in self._counts:
            # Numbers are not misspelt words.
            if word.isdigit() or not 3 <= len(word) <= _LONGEST:
                continue
            self._by_length.setdefault(len(word), []).append(word)
            # The second letter too: the first may be the one that is missing or swapped.
            for letter in {word[0], word[1]}:
                self._by_start.setdefault((letter, len(word)), []).append(word)
        self._cached = lru_cache(maxsize=4096)(self._corrections)

    def __len__(self) -> int:
        return len(self._counts)

    def count(self, word: str) -> int:
        """Return how many papers have the folded word in a heading; 0 when none has."""
        return self._counts.get(word, 0)

    def indexed(self, word: str) -> Sequence[str]:
        """Return the spellings under which the index holds a folded word, the plain one first."""
        return (word, *self._indexed.get(word, ()))

    def weight(self, word: str) -> float:
        """Return the inverse document frequency of a word (Robertson & Zaragoza 2009, eq. 3.3, smoothed); above 0."""
        return math.log(1 + (self.papers + 0.5) / (self.count(word) + 0.5))

    def is_rare(self, word: str) -> bool:
        """Return whether so few papers have the word that it may itself be a misprint."""
        return self.count(word) < (3 if self.papers >= 1000 else 1) or self.count(word) < self.papers // 50_000

    def corrections(self, word: str) -> tuple[Correction, ...]:
        """Return up to four words of the library that a folded word may have been meant for, likeliest first.

        Up to 1 letter may differ in words of 3 or 4 letters, 2 up to 8 letters, 3 beyond; numbers have none.
        Costs about 0.4 ms with 100,000 words, 10 ms where no word with the same first letter is near.
        """
        if not 3 <= len(word) <= _LONGEST or any(character.isdigit() for character in word):
            return ()
        return self._cached(word)

    def split(self, word: str) -> tuple[str, ...]:
        """Return the pairs of common words, each pair with a space, that run together are ``word``."""
        enough = 5 if self.papers >= 1000 else 1
        halves = ((word[:at], word[at:]) for at in range(_SHORTEST_HALF, min(len(word), _LONGEST) - _SHORTEST_HALF + 1))
        return tuple(
            f"{left} {right}" for left, right in halves if self.count(left) >= enough and self.count(right) >= enough
        )

    def completions(self, start: str, *, limit: int) -> list[str]:
        """Return words of the library that begin so, the commonest first; costs time in proportion to all words."""
        found = [word for word in self._counts if word.startswith(start)]
        return sorted(found, key=lambda word: (-self._counts[word], word))[:limit]

    def beginnings(self, start: str) -> list[str]:
        """Return at most two beginnings of words, one letter from what was typed of a word so far, likeliest first.

        None where fewer than four letters were typed or a word of the library begins so. Costs about 20 ms with
        100,000 words.
        """
        if not _SHORTEST_START <= len(start) <= _LONGEST:
            return []
        counts: dict[str, int] = {}
        for (letter, length), bucket in self._by_start.items():
            if letter != start[0] or length < len(start):
                continue
            for word in bucket:
                if word.startswith(start):
                    return []
                if word[0] == letter:
                    for size in range(len(start) - 1, len(start) + 2):
                        counts[word[:size]] = counts.get(word[:size], 0) + self._counts[word]
        near = process.extract(start, list(counts), scorer=OSA.distance, score_cutoff=1, limit=None)
        # Of two that are one letter away, the longer says more of the word.
        return sorted((one for one, _, _ in near), key=lambda one: (-counts[one] * len(one) ** 2, one))[:2]

    def _corrections(self, word: str) -> tuple[Correction, ...]:
        most = allowed_distance(word)
        lengths = range(len(word) - most, len(word) + most + 1)
        found = sorted(self._near(word, (self._by_start.get((word[0], length), []) for length in lengths), most))
        if not found or found[0][0] > 0.9:
            found = sorted(self._near(word, (self._by_length.get(length, []) for length in lengths), most))
        return tuple(Correction(word=near, distance=distance) for _, distance, near in found[:MOST_CORRECTIONS])

    def _near(self, word: str, lists: Iterator[list[str]], most: int) -> Iterator[tuple[float, int, str]]:
        for words in lists:
            for near, distance, _ in process.extract(word, words, scorer=OSA.distance, score_cutoff=most, limit=12):
                if near != word:
                    strange_start = 0.3 if near[0] != word[0] else 0.0
                    common = 0.12 * math.log10(self._counts[near] + 1)
                    yield distance + strange_start - common, int(distance), near


def allowed_distance(word: str) -> int:
    """Return how many letters may be wrong in a word of this length."""
    return 1 if len(word) <= 4 else 2 if len(word) <= 8 else 3
