"""The short fields of every paper, word by word, held in memory: where every search looks first.

Titles, aliases, authors and keywords are kept as numbers of words, and for each word the papers that have it. A paper
stands under its position, 0 for the one with the smallest id. 100,000 papers take about 40 MB; reading them takes a
second.
"""

import itertools
import json
import re
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from bot.search.spelling import Vocabulary
from bot.text.words import fold

TITLE, AUTHOR, KEYWORD, COMPOUND = range(4)
"""What a segment holds: one title, all authors, all keywords, or the hyphenated words of titles each in one piece."""

Positions = NDArray[np.int32]
Segments = NDArray[np.int32] | NDArray[np.int64]
Mask = NDArray[np.bool_]

_AT_A_TIME = 250
"""Papers; a regular expression holds the interpreter's lock, and the event loop waits for it."""

_WORD = re.compile(r"[^\W_]+")
# Of UTF-8 text in which only ASCII holds anything but words: splitting bytes is five times as fast as matching.
_OTHER = re.compile(r"[^\w\x00-\x7f]+")
_BREAK = b"\x01"
_SPACED = bytes(code if chr(code).isalnum() or code >= 128 or code == _BREAK[0] else 32 for code in range(256))
_LONGEST_NAME = 255
_LAST_YEAR = 9999


class HeadingRow(NamedTuple):
    """What is read of a paper; lists are JSON texts, as they are stored."""

    id: int
    title: str
    aliases: str
    authors: str
    keywords: str
    venue: str | None
    year: int | None
    track: str | None


Key = TypeVar("Key")


class _Numbers(dict[Key, int]):
    """Numbers its keys in the order in which they are first asked for."""

    def __missing__(self, key: Key) -> int:
        number = self[key] = len(self)
        return number


@dataclass(frozen=True, kw_only=True, eq=False)
class Headings:
    """The short fields at one version of the library; never changes, safe to use from several threads.

    Attributes:
        vocabulary: the words, by their numbers.
        ids: of the papers, ascending, by position.
        years: by position; 0 where it is unknown.
        venues: by position, an index of ``venue_names``; -1 where it is unknown.
        tracks: the same of ``track_names``.
        tokens: numbers of words, segment after segment.
        segments: where each segment begins in ``tokens``, and at last their number.
        kinds: of the segments, ``TITLE`` and so on.
        names: of a title's segment, how many words stand before its first colon; 0 where it has none.
        owners: of the segments, the paper's position; ascending.
        first_segments: by position, the paper's title; the aliases follow; and at last the number of segments.
        titles: the segments that hold a title, in the order of its first word.
        first_words: their numbers.
    """

    vocabulary: Vocabulary
    ids: NDArray[np.int64]
    years: NDArray[np.int16]
    venues: NDArray[np.int32]
    venue_names: tuple[str, ...]
    tracks: NDArray[np.int32]
    track_names: tuple[str, ...]
    tokens: NDArray[np.int32]
    segments: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    names: NDArray[np.uint8]
    owners: Positions
    first_segments: NDArray[np.int32]
    titles: NDArray[np.int32]
    first_words: NDArray[np.int32]
    _having: Positions
    _having_starts: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ids)

    def having(self, word: str) -> Positions:
        """Return the papers that have the folded word in a heading, ascending."""
        number = self.vocabulary.number(word)
        return self._having[:0] if number is None else self.having_one_of(range(number, number + 1))

    def having_one_of(self, numbers: range) -> Positions:
        """Return the papers that have one of these words, word after word: a paper may stand here more than once."""
        return self._having[self._having_starts[numbers.start] : self._having_starts[numbers.stop]]

    def having_all(self, words: Sequence[str], *, begun: bool = False) -> Positions:
        """Return the papers that have every folded word in a heading, ascending; the last may begin so if ``begun``."""
        found: Positions | None = None
        for place, word in enumerate(words):
            is_open = begun and place == len(words) - 1
            having = self.having_one_of(self.vocabulary.begun(word)) if is_open else self.having(word)
            found = np.unique(having) if found is None else np.intersect1d(found, having)
        return self._having[:0] if found is None else found

    def position_of(self, ids: Sequence[int]) -> Positions:
        """Return the positions of these papers, in their order; those that are not here are left out."""
        wanted = np.asarray(ids, dtype=np.int64)
        places = np.searchsorted(self.ids, wanted)
        places[places == len(self.ids)] = 0
        return places[self.ids[places] == wanted].astype(np.int32) if len(self.ids) else self._having[:0]

    def mask_of(self, ids: Sequence[int]) -> Mask:
        """Return by position whether a paper is among these."""
        mask = np.zeros(len(self.ids), dtype=np.bool_)
        mask[self.position_of(ids)] = True
        return mask

    def segments_of(self, papers: Positions) -> NDArray[np.int64]:
        """Return the segments of these papers, paper after paper."""
        return ragged(self.first_segments[papers], self.first_segments[papers + 1])

    def in_field(self, kind: int, numbers: Iterable[int]) -> Mask:
        """Return by position whether a paper has one of these words in its authors or its keywords."""
        found = np.unique(np.concatenate([self._having[:0], *(self.having_one_of(range(n, n + 1)) for n in numbers)]))
        segments = self.segments_of(found)
        segments = segments[self.kinds[segments] == kind]
        tokens = self.tokens[ragged(self.segments[segments], self.segments[segments + 1])]
        sizes = self.segments[segments + 1] - self.segments[segments]
        is_meant = np.isin(tokens, np.array(sorted(numbers), dtype=np.int32))
        mask = np.zeros(len(self.ids), dtype=np.bool_)
        mask[np.repeat(self.owners[segments], sizes)[is_meant]] = True
        return mask

    def beginning(self, typed: Sequence[str], *, last_is_whole: bool = False) -> Segments:
        """Return the titles, as segments, that begin with these folded words; the last may be going on."""
        titles = self.titles[:0]
        for place, word in enumerate(typed):
            is_last = place == len(typed) - 1
            numbers = self.vocabulary.begun(word) if is_last and not last_is_whole else self._numbers(word)
            if place == 0:
                first, last = np.searchsorted(self.first_words, (numbers.start, numbers.stop))
                titles = self.titles[first:last]
                continue
            titles = titles[self.segments[titles] + place < self.segments[titles + 1]]
            tokens = self.tokens[self.segments[titles] + place]
            titles = titles[(tokens >= numbers.start) & (tokens < numbers.stop)]
        return np.sort(titles)

    def length(self, segments: Segments) -> Segments:
        """Return how many words each segment has."""
        return self.segments[segments + 1] - self.segments[segments]

    def _numbers(self, word: str) -> range:
        number = self.vocabulary.number(word)
        return range(0) if number is None else range(number, number + 1)


def ragged(starts: Segments, ends: Segments) -> NDArray[np.int64]:
    """Return the numbers from each start up to, but without, its end, range after range."""
    sizes = ends - starts
    if not sizes.size:
        return np.zeros(0, dtype=np.int64)
    shifts = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    return shifts + np.arange(int(sizes.sum()), dtype=np.int64)


def read(rows: Iterable[HeadingRow]) -> Headings:
    """Return the index of these papers, which come in the order of their ids."""
    builder = _Builder()
    rows = iter(rows)
    while some := list(itertools.islice(rows, _AT_A_TIME)):
        builder.add(some)
    return builder.built()


class _Builder:
    def __init__(self) -> None:
        self._numbers = _Numbers({_BREAK: 0})
        self._number: Callable[[bytes], int] = self._numbers.__getitem__
        # Arrays grow in one piece: what thousands of small ones leave behind is not given back to the system.
        self._tokens = array("i")
        self._ids, self._years = array("q"), array("h")
        self._venues, self._tracks = array("i"), array("i")
        self._venue_numbers, self._track_numbers = _Numbers[str](), _Numbers[str]()
        self._kinds, self._names = bytearray(), bytearray()
        self._sizes = array("q")

    def add(self, rows: Sequence[HeadingRow]) -> None:
        texts: list[str] = []
        for row in rows:
            before = len(texts)
            titles = [row.title, *json.loads(row.aliases)] if row.aliases != "[]" else [row.title]
            folded = [_folded(title) for title in titles]
            texts += folded
            self._kinds += bytes([TITLE]) * len(titles)
            self._names += bytes(_length_of_name(title) for title in folded)
            for kind, text in ((AUTHOR, row.authors), (KEYWORD, row.keywords)):
                if text != "[]":
                    texts.append(_folded(text))
                    self._kinds.append(kind)
            compounds = _compounds(folded)
            if compounds:
                texts.append(compounds)
                self._kinds.append(COMPOUND)
            self._names += bytes(len(self._kinds) - len(self._names))
            self._sizes.append(len(texts) - before)
            self._ids.append(row.id)
            self._years.append(min(max(row.year or 0, 0), _LAST_YEAR))
            self._venues.append(-1 if row.venue is None else self._venue_numbers[row.venue])
            self._tracks.append(-1 if row.track is None else self._track_numbers[row.track])
        found = "".join(f"{text} \x01 " for text in texts).encode("utf-8", "replace").translate(_SPACED).split()
        self._tokens.extend(map(self._number, found))

    def built(self) -> Headings:
        tokens = np.array(self._tokens, dtype=np.int32)
        del self._tokens
        breaks = np.flatnonzero(tokens == 0)
        tokens = tokens[tokens != 0] - 1
        ends = breaks - np.arange(breaks.size)
        segments = np.concatenate(([0], ends)).astype(np.int32)
        unsorted = [word.decode() for word in self._numbers if word != _BREAK]
        order = sorted(range(len(unsorted)), key=unsorted.__getitem__)
        renumbered = np.empty(len(order), dtype=np.int32)
        renumbered[order] = np.arange(len(order), dtype=np.int32)
        tokens = renumbered[tokens]
        sizes = np.array(self._sizes, dtype=np.int64)
        owners = np.repeat(np.arange(sizes.size, dtype=np.int32), sizes)
        having, starts = _having(tokens, np.repeat(owners, np.diff(segments)), len(order))
        counts = np.diff(starts).tolist()
        kinds = np.frombuffer(bytes(self._kinds), dtype=np.uint8)
        titles = np.flatnonzero((kinds == TITLE) & (np.diff(segments) > 0)).astype(np.int32)
        titles = titles[np.argsort(tokens[segments[titles]], kind="stable")]
        return Headings(
            vocabulary=Vocabulary(zip((unsorted[number] for number in order), counts, strict=True), papers=sizes.size),
            ids=np.array(self._ids, dtype=np.int64),
            years=np.array(self._years, dtype=np.int16),
            venues=np.array(self._venues, dtype=np.int32),
            venue_names=tuple(self._venue_numbers),
            tracks=np.array(self._tracks, dtype=np.int32),
            track_names=tuple(self._track_numbers),
            tokens=tokens,
            segments=segments,
            kinds=kinds,
            titles=titles,
            first_words=tokens[segments[titles]],
            names=np.frombuffer(bytes(self._names), dtype=np.uint8),
            owners=owners,
            first_segments=np.concatenate(([0], np.cumsum(sizes))).astype(np.int32),
            _having=having,
            _having_starts=starts,
        )


def _having(tokens: NDArray[np.int32], papers: Positions, words: int) -> tuple[Positions, NDArray[np.int32]]:
    """Return for every word the papers that have it, each once, and where the papers of each word begin."""
    order = np.argsort(tokens, kind="stable")
    tokens, papers = tokens[order], papers[order]
    is_first = np.ones(tokens.size, dtype=np.bool_)
    is_first[1:] = (tokens[1:] != tokens[:-1]) | (papers[1:] != papers[:-1])
    return papers[is_first], np.searchsorted(tokens[is_first], np.arange(words + 1)).astype(np.int32)


def _folded(text: str) -> str:
    """Return the text folded, with nothing but words between spaces where it is not ASCII."""
    folded = (text.lower() if text.isascii() else fold(text)).replace("\x01", " ")
    return folded if folded.isascii() else _OTHER.sub(" ", folded)


def _compounds(titles: Iterable[str]) -> str:
    """Return the hyphenated words of folded titles, each in one piece: it is often typed so."""
    pieces = (piece for title in titles for piece in title.split() if not piece.isalnum())
    return " ".join("".join(parts) for parts in map(_WORD.findall, pieces) if len(parts) > 1)


def _length_of_name(title: str) -> int:
    before, colon, _ = title.partition(":")
    return min(len(_WORD.findall(before)), _LONGEST_NAME) if colon else 0
