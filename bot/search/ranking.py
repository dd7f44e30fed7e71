"""How well a paper answers a query: word by word, rare words counting more, misspelt words counting nearly.

Scorers of whole strings are harmful here: on 100,000 titles the same candidates had a mean reciprocal rank of
0.40 by WRatio and 0.91 by this. All candidates are compared at once, in arrays: rows are words of the query, columns
are words of the candidates or, further on, their titles.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA

from bot.search.headings import AUTHOR, COMPOUND, KEYWORD, TITLE, Headings, Positions, Segments, ragged
from bot.search.spelling import STOP_WORDS, Vocabulary
from bot.text.words import words

GOOD = 66.0
"""A paper that covers this much of a query, in 0..100, is an answer; below it is only near."""

_GOOD_ENOUGH = 45.0
"""The same for a paper that has something for every telling word."""

_STOP_WEIGHT = 0.15
_MISSPELT = 0.95
_CORRECTED, _FAR_CORRECTED = 0.78, 0.45
_JOINED = 0.97
_WORTH = {AUTHOR: 0.9, KEYWORD: 0.85, COMPOUND: _JOINED}
_PREFIX = 0.92
_IN_TEXT = 0.75
_NEARLY_IN_TEXT = 0.6
_NAMED_IN_TEXT = 0.95
_SOMETHING = 0.5

# Beyond the words that a paper has, at most, in points: how much of its title is explained, in how good an order,
# from its start, how well its text has the words, and whether they are what it is called.
_EXPLAINED, _ORDERED, _STARTED, _BEGUN, _TEXT, _NAME = 8.0, 6.0, 1.0, 8.0, 12.0, 4.0
_BONUS = _EXPLAINED + _ORDERED + _STARTED + _BEGUN + _TEXT + _NAME

_NAME_IN_TEXT = re.compile(r"\b\w*[A-Z]\w*[A-Z]\w*")

Matrix = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is looked for.

    Attributes:
        words: folded, in the order typed, not empty.
        alternatives: for a word, the others that would do as well in a text.
        in_texts: those of the words that some text has just so: nothing else is meant by them.
        title: the folded words of all that was typed, to know a title typed in full.
        is_cut: whether more was typed than was read, so that a title may go on.
    """

    words: Sequence[str]
    alternatives: Mapping[str, Sequence[str]]
    title: Sequence[str]
    in_texts: Collection[str] = ()
    is_cut: bool = False


@dataclass(frozen=True, kw_only=True)
class InText:
    """A candidate that was found by its text.

    Attributes:
        rank: how well, in 0..1.
        text: its words, folded, each with a space before it.
        names: those with two capitals and more, folded: what the paper calls its own things.
    """

    rank: float
    text: str
    names: Collection[str] = ()

    @classmethod
    def of(cls, text: str, rank: float) -> "InText":
        """Return what is needed of a text."""
        return cls(
            rank=rank, text=" " + " ".join(words(text)), names=frozenset(words(" ".join(_NAME_IN_TEXT.findall(text))))
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Ranking:
    """Candidates in their order, best first; all three are as long.

    Attributes:
        papers: positions.
        scores: 0..100; only a title typed in full has 100.
        coverage: 0..100, the weighted part of the query that the paper has.
        lacking: whether the paper has nothing for some telling word.
    """

    papers: Positions
    scores: NDArray[np.float64]
    coverage: NDArray[np.float64]
    lacking: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.papers)

    @property
    def best(self) -> float:
        """The coverage of the first candidate; 0 where there is none."""
        return float(self.coverage[0]) if len(self) else 0.0

    @property
    def is_answered(self) -> bool:
        """Whether the first candidate is an answer, not only near: misspelt words count less but are not lacking."""
        return self.best >= (GOOD if len(self) and self.lacking[0] else _GOOD_ENOUGH)

    def where(self, kept: NDArray[np.bool_]) -> "Ranking":
        """Return the candidates that are kept."""
        return Ranking(
            papers=self.papers[kept],
            scores=self.scores[kept],
            coverage=self.coverage[kept],
            lacking=self.lacking[kept],
        )


def rank(wanted: Wanted, headings: Headings, papers: Positions, texts: Mapping[int, InText] | None = None) -> Ranking:
    """Return the candidates, best first; equal scores stand in the order of the papers' ids.

    Args:
        wanted: the words of the query.
        headings: where the candidates' words are.
        papers: positions, each once, at most a few hundred; cost is linear in their number.
        texts: of the candidates that were found by their text, by position.
    """
    if not papers.size:
        empty = np.zeros(0)
        return Ranking(papers=papers, scores=empty, coverage=empty, lacking=empty.astype(np.bool_))
    texts = texts or {}
    papers = np.sort(papers)
    table = _Similarities(wanted, headings, papers)
    weights = np.array([_weight(place, wanted, headings.vocabulary) for place in range(table.count)], dtype=np.float32)
    weights /= float(weights.sum())

    in_titles, places = table.in_titles()
    got = np.maximum(in_titles, table.elsewhere()[:, table.owners])
    for column in np.flatnonzero(np.isin(papers[table.owners], list(texts))):
        got[:, column] = _with_text(got[:, column], wanted, texts[int(papers[table.owners[column]])])
    begins = np.isin(table.titles, headings.beginning(wanted.title))
    # A single letter says something where everything before it is right.
    got[-1, begins] = np.maximum(got[-1, begins], _PREFIX)
    coverage = np.clip(weights @ got, 0, 1) * 100.0
    is_whole = begins & (table.lengths == len(wanted.title)) & _ends(headings, table.titles, wanted)
    scores = coverage + _bonus(places, in_titles, table.lengths) + _BEGUN * begins + _NAME * table.named(wanted.words)
    if texts:
        scores += (
            _TEXT * np.array([texts[paper].rank if paper in texts else 0.0 for paper in papers.tolist()])[table.owners]
        )
    scores *= 99 / (100 + _BONUS)
    if wanted.is_cut:
        is_whole |= begins
    is_alias = headings.first_segments[papers][table.owners] != table.titles
    scores[is_whole] = np.where(is_alias[is_whole], 99.5, 100.0)
    coverage[is_whole] = 100.0
    # Of the titles that a paper goes by the best counts.
    starts = np.searchsorted(table.owners, np.arange(papers.size))
    scores, coverage = np.maximum.reduceat(scores, starts), np.maximum.reduceat(coverage, starts)
    something = np.array([_IN_TEXT if word in wanted.in_texts else _SOMETHING for word in wanted.words])
    is_telling = _telling(wanted.words)
    lacking = np.logical_and.reduceat((got[is_telling] < something[is_telling, None]).any(axis=0), starts)
    order = np.lexsort((papers, -scores))
    return Ranking(papers=papers[order], scores=scores[order], coverage=coverage[order], lacking=lacking[order])


class _Similarities:
    """How alike each wanted word, and each pair of neighbours run together, is to each word of the candidates.

    Attributes:
        titles: the segments that hold the candidates' titles.
        owners: of the titles, an index of the candidates.
        lengths: of the titles, in words.
    """

    def __init__(self, wanted: Wanted, headings: Headings, papers: Positions) -> None:
        self.count = len(wanted.words)
        self._headings = headings
        self._papers = papers
        self._segments = headings.segments_of(papers)
        self._places = ragged(headings.segments[self._segments], headings.segments[self._segments + 1])
        numbers, self._columns = np.unique(headings.tokens[self._places], return_inverse=True)
        known = headings.vocabulary.words
        seen: list[int] = numbers.tolist()
        self._words = [known[number] for number in seen]
        self._table = _table(wanted, self._words)
        self._alike = self._table[:, self._columns]
        self._sizes = headings.length(self._segments)
        # An empty segment would take the first word of the next one.
        self._has_words = self._sizes > 0
        self._starts = (np.cumsum(self._sizes) - self._sizes)[self._has_words]
        self._of_papers = np.repeat(np.arange(papers.size), np.diff(headings.first_segments)[papers])
        is_title = headings.kinds[self._segments] == TITLE
        self._is_title = is_title
        self.titles = self._segments[is_title]
        self.owners = self._of_papers[is_title]
        self.lengths = self._sizes[is_title]
        self._pieces = self._run_together(wanted)

    def in_titles(self) -> tuple[Matrix, NDArray[np.int64]]:
        """Return how well each wanted word stands in each title, and at which place, -1 for nowhere."""
        best = self._best(self._alike)
        found = best[: self.count, self._is_title]
        of_segments = np.repeat(np.arange(self._segments.size), self._sizes)
        within = np.arange(self._columns.size) - np.repeat(np.cumsum(self._sizes) - self._sizes, self._sizes)
        here = self._alike[: self.count]
        is_best = (here == best[: self.count][:, of_segments]) & (here > 0)
        first = np.where(is_best, within, np.iinfo(np.int64).max)
        places = np.full((self.count, self._segments.size), -1, dtype=np.int64)
        if self._starts.size:
            places[:, self._has_words] = np.minimum.reduceat(first, self._starts, axis=1)
        places = places[:, self._is_title]
        places[found <= 0] = -1
        found = np.maximum(found, self._pieces)
        # Two wanted words that run together are one of the title: each of them counts.
        together = best[self.count :, self._is_title] * _JOINED
        for row in range(together.shape[0]):
            is_better = together[row] > np.maximum(found[row], found[row + 1])
            found[row, is_better] = found[row + 1, is_better] = together[row, is_better]
        return found, places

    def elsewhere(self) -> Matrix:
        """Return how well each wanted word stands in what is not a title of each candidate."""
        best = self._best(self._alike)
        # Two wanted words that run together are a hyphenated one: each of them counts.
        together = best[self.count :]
        best = best[: self.count]
        if self.count > 1:
            is_compound = self._headings.kinds[self._segments] == COMPOUND
            best[:-1, is_compound] = np.maximum(best[:-1, is_compound], together[:, is_compound])
            best[1:, is_compound] = np.maximum(best[1:, is_compound], together[:, is_compound])
        found = np.zeros((self.count, self._papers.size), dtype=np.float32)
        kinds = self._headings.kinds[self._segments]
        for kind, worth in _WORTH.items():
            # A paper has at most one segment of each kind.
            of_kind = kinds == kind
            owners = self._of_papers[of_kind]
            found[:, owners] = np.maximum(found[:, owners], best[:, of_kind] * worth)
        return found

    def named(self, typed: Sequence[str]) -> NDArray[np.bool_]:
        """Return whether the telling words are the name that a title begins with: ``NAME: …``."""
        name = [word for word in typed if word not in STOP_WORDS]
        is_named = self._headings.names[self.titles] == len(name)
        if not name or not is_named.any():
            return np.zeros(self.titles.size, dtype=np.bool_)
        return is_named & np.isin(self.titles, self._headings.beginning(name, last_is_whole=True))

    def _best(self, alike: Matrix) -> Matrix:
        """Return the best of each segment's columns."""
        best = np.zeros((alike.shape[0], self._segments.size), dtype=np.float32)
        if self._starts.size:
            best[:, self._has_words] = np.maximum.reduceat(alike, self._starts, axis=1)
        return best

    def _run_together(self, wanted: Wanted) -> Matrix:
        """Return how well a word that may be two stands in each title as two neighbours run together."""
        found = np.zeros((self.count, self.titles.size), dtype=np.float32)
        rows = [row for row, word in enumerate(wanted.words) if self._headings.vocabulary.may_be_two(word)]
        if not rows:
            return found
        of_titles = np.repeat(self._is_title, self._sizes)
        columns: NDArray[np.int64] = self._columns[of_titles]
        owners = np.repeat(np.arange(self.titles.size), self.lengths)
        follows = np.flatnonzero(owners[:-1] == owners[1:])
        ones: list[int] = columns[follows].tolist()
        others: list[int] = columns[follows + 1].tolist()
        pairs = [self._words[one] + self._words[other] for one, other in zip(ones, others, strict=True)]
        if not pairs:
            return found
        alike = _alike([wanted.words[row] for row in rows], pairs) * _JOINED
        for row, values in zip(rows, alike, strict=True):
            np.maximum.at(found[row], owners[follows], values)
        return found


def _table(wanted: Wanted, columns: Sequence[str]) -> Matrix:
    """Return how alike the rows are to the columns, which are sorted."""
    rows = [*wanted.words, *(one + other for one, other in pairwise(wanted.words))]
    if not columns:
        return np.zeros((len(rows), 0), dtype=np.float32)
    table = _alike(rows, columns)
    # The library's own words for a misspelt one count more than words that are merely alike.
    for row, word in enumerate(wanted.words):
        for other in wanted.alternatives.get(word, ()):
            place = bisect_left(columns, other)
            if place < len(columns) and columns[place] == other:
                worth = _CORRECTED if table[row, place] > 0 else _FAR_CORRECTED
                table[row, place] = max(float(table[row, place]), worth)
    last = wanted.words[-1]
    if len(last) >= 2:
        row = table[len(wanted.words) - 1]
        begun = slice(bisect_left(columns, last), bisect_left(columns, last + "\U0010ffff"))
        row[begun] = np.maximum(row[begun], _PREFIX)
    return table


def _alike(rows: Sequence[str], columns: Sequence[str]) -> Matrix:
    # cdist, unlike extract, releases the interpreter's lock (RapidFuzz issue 129).
    raw = process.cdist(rows, columns, scorer=OSA.normalized_similarity, dtype=np.float32)
    # Short words must be right nearly to the letter: one letter in three makes another word.
    least = np.array([0.99 if len(row) <= 3 else 0.7 if len(row) <= 5 else 0.62 for row in rows], dtype=np.float32)
    # A number is another number when one digit differs.
    numeric = np.array([any(character.isdigit() for character in row) for row in rows])
    least[numeric] = np.maximum(least[numeric], 0.8)
    alike = np.where(raw >= least[:, None], raw, 0)
    return np.where(alike < 0.999, alike**2 * _MISSPELT, 1).astype(np.float32)


def _telling(typed: Sequence[str]) -> NDArray[np.bool_]:
    telling = np.array([word not in STOP_WORDS for word in typed])
    return telling if telling.any() else ~telling


def _weight(place: int, wanted: Wanted, vocabulary: Vocabulary) -> float:
    word = wanted.words[place]
    # A word that was typed again says no more.
    if word in STOP_WORDS or word in wanted.words[:place]:
        return _STOP_WEIGHT
    if vocabulary.count(word) == 0:
        # A misspelt word weighs what the word that was meant weighs.
        meant = [other for other in wanted.alternatives.get(word, ()) if " " not in other]
        return vocabulary.weight(meant[0] if meant else word)
    return vocabulary.weight(word)


def _ends(headings: Headings, titles: Segments, wanted: Wanted) -> NDArray[np.bool_]:
    """Return whether each title ends with the very word that was typed last."""
    number = headings.vocabulary.number(wanted.title[-1]) if wanted.title else None
    ends = headings.segments[titles + 1] - 1
    return np.zeros(titles.size, dtype=np.bool_) if number is None else headings.tokens[ends] == number


def _with_text(got: Matrix, wanted: Wanted, found: InText) -> Matrix:
    got = got.copy()
    text, spoken = found.text, f"{found.text} "
    for index, word in enumerate(wanted.words):
        if word in found.names:
            got[index] = max(float(got[index]), _NAMED_IN_TEXT)
        if got[index] >= _IN_TEXT:
            continue
        if f" {word} " in spoken or (len(word) > 4 and f" {word}" in text):
            got[index] = _IN_TEXT
            continue
        others: Collection[str] = wanted.alternatives.get(word, ()) if len(word) > 4 else ()
        inflected = len(word) > 5 and f" {word[: max(5, len(word) - 3)]}" in text
        if inflected or any(f" {other} " in spoken for other in others):
            got[index] = max(float(got[index]), _NEARLY_IN_TEXT)
    return got


def _bonus(places: NDArray[np.int64], in_titles: Matrix, lengths: Segments) -> NDArray[np.float64]:
    """Return for each title how much of it is explained, in how good an order, and whether from its start."""
    stands = (in_titles > 0) & (places >= 0)
    placed = np.sort(np.where(stands, places, -1), axis=0)
    distinct = (placed >= 0).astype(np.int64)
    distinct[1:] &= placed[1:] != placed[:-1]
    follows = (places[1:] == places[:-1] + 1) & stands[1:] & stands[:-1]
    first = np.where(stands.any(axis=0), places[stands.argmax(axis=0), np.arange(places.shape[1])], -1)
    return (
        _EXPLAINED * distinct.sum(axis=0) / np.maximum(lengths, 1)
        + _ORDERED * follows.sum(axis=0) / max(1, places.shape[0] - 1)
        + _STARTED * (first == 0)
    )
