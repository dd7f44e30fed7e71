"""Which papers are worth ranking: those whose headings have the most telling words of the query."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bot.search.expansion import Group
from bot.search.headings import Headings, Mask, Positions, ragged

MOST = 100
"""Papers that are ranked word by word."""

_MOST_LOOKED_AT = 3000
_SHORTER = 0.08
_ADJACENT = 0.06
_BEGINNING = 0.1


def candidates(headings: Headings, groups: Sequence[Group], allowed: Mask | None, *, most: int = MOST) -> Positions:
    """Return the papers that have the words that weigh most, in no order; none that has none of them.

    The cost grows with the number of papers that have each word: about 1 ms for six words of 100,000 papers.

    Args:
        headings: where to look.
        groups: the words of the query and what would do in their place.
        allowed: by position, whether a paper may be among them; None lets every paper through.
        most: how many, at most.
    """
    if not len(headings):
        return headings.owners[:0]
    gained = np.zeros(len(headings), dtype=np.float32)
    best = np.zeros(len(headings), dtype=np.float32)
    for group in groups:
        ways = sorted(group.ways(headings), key=lambda way: way[0])
        # Of the ways in which a paper has the word the best counts: the last one written.
        for worth, papers in ways:
            best[papers] = worth * group.weight
        touched = np.concatenate([headings.owners[:0], *(papers for _, papers in ways)])
        # A paper that is touched twice is given the same number twice.
        gained[touched] = gained[touched] + best[touched]
        best[touched] = 0
    if allowed is not None:
        gained[~allowed] = 0
    found = np.flatnonzero(gained)
    if found.size <= most:
        return found.astype(np.int32)
    total = sum(group.weight for group in groups)
    scores = gained[found] + _SHORTER * total / headings.length(headings.first_segments[found])
    if found.size > _MOST_LOOKED_AT:
        kept = np.argpartition(scores, -_MOST_LOOKED_AT)[-_MOST_LOOKED_AT:]
        found, scores = found[kept], scores[kept]
    scores += total * _in_order(headings, found, [group.word for group in groups])
    return found[np.argpartition(scores, -most)[-most:]].astype(np.int32)


def _in_order(headings: Headings, papers: NDArray[np.int64], typed: Sequence[str]) -> NDArray[np.float64]:
    """Return how many of the words stand in the title one after the other, as they were typed, in 0..``_ADJACENT``."""
    pairs = [
        (headings.vocabulary.number(one), headings.vocabulary.begun(other) if place == len(typed) - 2 else None, other)
        for place, (one, other) in enumerate(pairwise(typed))
    ]
    if not pairs:
        return np.zeros(papers.size)
    titles = headings.first_segments[papers]
    places = ragged(headings.segments[titles], headings.segments[titles + 1])
    owners = np.repeat(np.arange(papers.size), headings.length(titles))
    tokens = headings.tokens[places]
    together = np.zeros(tokens.size, dtype=np.float64)
    for first, begun, other in pairs:
        number = headings.vocabulary.number(other)
        numbers = begun if begun is not None else range(number, number + 1) if number is not None else range(0)
        if first is None or not numbers:
            continue
        together[:-1] += (
            (tokens[:-1] == first)
            & (tokens[1:] >= numbers.start)
            & (tokens[1:] < numbers.stop)
            & (owners[:-1] == owners[1:])
        )
    return _ADJACENT * np.bincount(owners, together, papers.size) / len(pairs)
