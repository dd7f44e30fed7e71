"""Algorithms that choose sentences: the port, and the two of our own."""

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from bot.summaries import cues

_REPETITION = 1.5
"""What saying the same again costs, against the weights in ``cues``."""


class Ranker(Protocol):
    """Chooses the sentences that tell most; greedy algorithms need the count, so it is part of the question."""

    @property
    def name(self) -> str:
        """The name people choose it by."""
        ...

    def choose(self, sentences: Sequence[str], title: str | None, count: int) -> list[int]:
        """Return ``count`` different indexes into ``sentences``, best first.

        Args:
            sentences: more than ``count``, all different, each with at least one word.
            title: the paper's own title, or None.
            count: 1 or more.
        """
        ...


class Lead:
    """The first sentences, whatever they say."""

    name = "lead"

    def choose(self, sentences: Sequence[str], title: str | None, count: int) -> list[int]:
        """Return the first indexes."""
        return list(range(count))


class Cues:
    """The sentences that sound like what the paper does, and do not repeat each other."""

    name = "cues"

    def choose(self, sentences: Sequence[str], title: str | None, count: int) -> list[int]:
        """Return the best indexes, each the best beside those before it; cost grows with ``count``."""
        scores = cues.scores(sentences, title)
        bags = [Counter(cues.content(sentence)) for sentence in sentences]
        chosen: list[int] = []
        while len(chosen) < count:
            best = max(
                (index for index in range(len(sentences)) if index not in chosen), key=lambda index: scores[index]
            )
            chosen.append(best)
            for index, bag in enumerate(bags):
                scores[index] -= _REPETITION * cues.similarity(bag, bags[best])
        return chosen
