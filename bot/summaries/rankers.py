"""Algorithms that choose sentences: the port, and the two of our own."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Protocol, cast

from bot.summaries.features import bag_of, dangles, of_sentences
from bot.summaries.wording import similarity

_REPETITION = 5.0
"""What saying quite the same again costs, on the scale of the learned sums; half the same costs a quarter of it."""
_DANGLING = 0.15
"""What it costs to lean on a sentence that is not told."""


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


class Learned:
    """The sentences that say what the paper did, by weights learned from summaries that authors wrote.

    A weighted sum of ``features``; tests/bench/train_ranker.py learns the weights from SciTLDR (Cachola et al. 2020).
    Several sentences are chosen one after the other, each against those before it (Carbonell and Goldstein 1998), so
    that they do not repeat each other.
    """

    name = "learned"

    def choose(self, sentences: Sequence[str], title: str | None, count: int) -> list[int]:
        """Return the best indexes, each the best beside those before it; cost grows with ``count``."""
        weights = _weights()
        values = [sum([weights[name] * value for name, value in row.items()]) for row in of_sentences(sentences, title)]
        bags = [bag_of(sentence) for sentence in sentences] if count > 1 else []
        leaning = [index > 0 and dangles(sentence) for index, sentence in enumerate(sentences)]
        chosen: list[int] = []
        while len(chosen) < count:
            best = max(
                (index for index in range(len(sentences)) if index not in chosen),
                key=lambda index: values[index] - _DANGLING * (leaning[index] and index - 1 not in chosen),
            )
            chosen.append(best)
            for index, bag in enumerate(bags):
                values[index] -= _REPETITION * similarity(bag, bags[best]) ** 2
        return chosen


@cache
def _weights() -> Mapping[str, float]:
    text = resources.files("bot.summaries").joinpath("learned.json").read_text(encoding="utf-8")
    return cast("dict[str, dict[str, float]]", json.loads(text))["weights"]
