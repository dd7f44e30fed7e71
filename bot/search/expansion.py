"""A query's words with what would do in their place, and the expressions the index is asked with."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bot.search.spelling import STOP_WORDS, Vocabulary
from bot.store import index

_BUDGET = 25_000
"""Papers that the words of a loose search may have together: it keeps its time bounded in a large library."""

_BEGUN = 200


@dataclass(frozen=True, kw_only=True)
class Group:
    """A word and what would do as well.

    Attributes:
        word: folded, as typed.
        others: other words of the library, or phrases of two words.
        begun: whether longer words that begin with ``word`` would do too.
        papers: about how many papers have one of these in a heading.
    """

    word: str
    others: tuple[str, ...] = ()
    begun: bool = False
    papers: int = 0

    def expression(self, vocabulary: Vocabulary, *, begun: bool = False) -> str:
        """Return the FTS5 expression of the group."""
        spelt = [
            index.quoted(spelling, prefix=begun and self.begun and spelling == self.word)
            for word in (self.word, *self.others)
            for spelling in vocabulary.indexed(word)
        ]
        return index.any_of(spelt)


def telling(words: Sequence[str]) -> list[str]:
    """Return the words without those that tell little; all of them where there are no others."""
    return [word for word in words if word not in STOP_WORDS] or list(words)


def expand(
    words: Sequence[str], vocabulary: Vocabulary, *, in_texts: Collection[str], corrected: bool = True
) -> list[Group]:
    """Return the groups of a query's telling words, in their order.

    Args:
        words: folded.
        vocabulary: where other words come from.
        in_texts: those of the words that stand in texts, and so are no misprints though no heading has them.
        corrected: whether words that resemble a rare one would do.
    """
    groups: list[Group] = []
    for word in telling(words):
        others: list[str] = []
        if corrected and vocabulary.is_rare(word):
            others = [
                near.word
                for near in vocabulary.corrections(word)
                if word not in in_texts or vocabulary.papers >= 1000 or is_inflection(word, near.word)
            ]
        if vocabulary.count(word) == 0:
            others += vocabulary.split(word)
        begun = word == words[-1] and len(word) >= 2
        papers = sum(vocabulary.count(one) for one in (word, *others)) + (_BEGUN if begun else 0)
        groups.append(Group(word=word, others=tuple(others), begun=begun, papers=papers))
    return groups


def joined(words: Sequence[str], vocabulary: Vocabulary) -> list[Group]:
    """Return a group for each two neighbours that are one word of the library: ``auto encoders``."""
    pairs = (one + other for one, other in pairwise(words))
    return [Group(word=pair, papers=vocabulary.count(pair)) for pair in dict.fromkeys(pairs) if vocabulary.count(pair)]


def is_inflection(word: str, other: str) -> bool:
    """Return whether two words differ in nothing but their ends."""
    same = max(3, len(word) - 2)
    return word[:same] == other[:same]


def strict(groups: Sequence[Group], vocabulary: Vocabulary, *, begun: bool = False) -> str:
    """Return the expression for papers that have every group."""
    return index.all_of(group.expression(vocabulary, begun=begun) for group in groups)


def strict_or_joined(words: Sequence[str], groups: Sequence[Group], vocabulary: Vocabulary) -> str:
    """Return the expression for papers that have every group, two neighbours perhaps run together."""
    by_word = {group.word: group for group in groups}
    ways = [strict(groups, vocabulary)]
    for one, other in pairwise(words):
        if vocabulary.count(one + other) and one in by_word and other in by_word:
            rest = [group for group in groups if group.word not in {one, other}]
            ways.append(strict([*rest, Group(word=one + other)], vocabulary))
    return index.any_of(ways)


def loose(groups: Sequence[Group], pairs: Sequence[Group], vocabulary: Vocabulary) -> str:
    """Return the expression for papers that have some of the groups: rare ones alone, common ones two together."""
    rarest = sorted(groups, key=lambda group: group.papers)
    left = _BUDGET
    alone: list[Group] = []
    for group in (*rarest, *pairs):
        if alone and group.papers > left:
            continue
        alone.append(group)
        left -= group.papers
    common = [group for group in rarest if group not in alone]
    return index.any_of(
        [
            *(group.expression(vocabulary, begun=len(group.word) >= 4) for group in alone),
            *(strict(two, vocabulary) for two in pairwise(common)),
        ]
    )
