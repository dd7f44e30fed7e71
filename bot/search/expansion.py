"""A query's words with what would do in their place: other spellings, two words for one, one for two."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from bot.search.headings import Headings, Positions
from bot.search.spelling import STOP_WORDS, Vocabulary
from bot.store import index

MISSPELT, SPLIT, JOINED, BEGUN = 0.8, 0.9, 0.97, 0.92
"""What a word counts that stands in another spelling, in two words, in one with its neighbour, or begins so."""

_RAREST = 4
_MEANT_IN_TEXTS = 2
"""Other spellings that texts are searched for: each may stand in thousands of them, and to rank those takes long."""


@dataclass(frozen=True, kw_only=True)
class Group:
    """A word and what would do as well.

    Attributes:
        word: folded, as typed.
        weight: how telling it is; above 0.
        others: other words of the library, likeliest first.
        split: pairs of words, each with a space, that run together are the word.
        joined: words that are this one and a neighbour run together.
        begun: whether longer words that begin with ``word`` would do too.
        papers: about how many papers have one of these in a heading.
        in_texts: whether some text has the word as it was typed, so that there nothing else is meant.
    """

    word: str
    weight: float = 1.0
    others: tuple[str, ...] = ()
    split: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    begun: bool = False
    papers: int = 0
    in_texts: bool = False

    @property
    def alternatives(self) -> tuple[str, ...]:
        """Everything that would do in a text in place of the word."""
        return (*self.others, *self.split)

    def ways(self, headings: Headings) -> Iterator[tuple[float, Positions]]:
        """Yield what a paper is worth that has the word in some way, 0..1, and the papers that have it so."""
        yield 1.0, headings.having(self.word)
        if self.begun:
            yield BEGUN, headings.having_one_of(headings.vocabulary.begun(self.word))
        for place, other in enumerate(self.others):
            yield MISSPELT - 0.05 * place, headings.having(other)
        for one in self.joined:
            yield JOINED, headings.having(one)
        for pair in self.split:
            left, _, right = pair.partition(" ")
            yield SPLIT, np.intersect1d(headings.having(left), headings.having(right), assume_unique=True)

    def expression(self) -> str:
        """Return the FTS5 expression of the group."""
        meant = () if self.in_texts else (*self.others[:_MEANT_IN_TEXTS], *self.split)
        return index.any_of(index.quoted(one) for one in (self.word, *meant))


def telling(words: Sequence[str]) -> list[str]:
    """Return the words without those that tell little; all of them where there are no others."""
    return [word for word in words if word not in STOP_WORDS] or list(words)


def expand(words: Sequence[str], vocabulary: Vocabulary, *, in_texts: Collection[str]) -> list[Group]:
    """Return the groups of a query's telling words, in their order.

    Args:
        words: folded.
        vocabulary: where other words come from.
        in_texts: those of the words that stand in texts, and so are no misprints though no heading has them.
    """
    together: dict[str, list[str]] = {}
    for one, other in pairwise(words):
        if vocabulary.count(one + other):
            together.setdefault(one, []).append(one + other)
            together.setdefault(other, []).append(one + other)
    groups: list[Group] = []
    for word in telling(words):
        others: list[str] = []
        if vocabulary.is_rare(word):
            others = [
                near.word
                for near in vocabulary.corrections(word)
                # In a small library a word that no heading has is not rare.
                if word not in in_texts or vocabulary.papers >= 1000
            ]
        is_known = vocabulary.count(word) > 0
        groups.append(
            Group(
                word=word,
                # A misspelt word weighs what the word that was meant weighs.
                weight=vocabulary.weight(word if is_known or not others else others[0]),
                others=tuple(others),
                split=vocabulary.split(word) if vocabulary.may_be_two(word) else (),
                joined=tuple(together.get(word, ())),
                begun=word == words[-1] and len(word) >= 2,
                papers=sum(vocabulary.count(one) for one in (word, *others)),
                in_texts=word in in_texts,
            )
        )
    return groups


def is_inflection(word: str, other: str) -> bool:
    """Return whether two words differ in nothing but their ends."""
    same = max(3, len(word) - 2)
    return word[:same] == other[:same]


def strict(groups: Sequence[Group]) -> str:
    """Return the expression for papers that have every group."""
    return index.all_of(group.expression() for group in groups)


def strict_or_joined(words: Sequence[str], vocabulary: Vocabulary) -> str:
    """Return the expression for papers that have every word as it was typed, two neighbours perhaps run together."""
    wanted = telling(words)
    ways = [wanted]
    for one, other in pairwise(words):
        if vocabulary.count(one + other) and one in wanted and other in wanted:
            ways.append([*(word for word in wanted if word not in {one, other}), one + other])
    return index.any_of(index.all_of(index.quoted(word) for word in way) for way in ways)


def loose(groups: Sequence[Group]) -> str:
    """Return the expression for papers that have two of the groups that fewest papers have.

    One of them alone would bring tens of thousands in a large library, and to rank those takes long.
    """
    rarest = sorted(groups, key=lambda group: group.papers)[:_RAREST]
    return index.any_of(strict(two) for two in combinations(rarest, 2))
