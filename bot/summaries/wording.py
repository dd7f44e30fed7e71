"""Words that carry meaning, their stems, and how much two bags of them have in common."""

import math
from collections.abc import Iterable, Mapping
from functools import lru_cache

_STOP_WORDS = frozenset(
    "a an the of in on for to and or with by from as at is are was were be been being that this these those it "
    "its which we our us they their them can may not but also than such into via between over under more most "
    "both each other has have had do does using use used based how what when where while if then thus however".split(),
)
_ENDINGS = (
    "ization",
    "isation",
    "ational",
    "fulness",
    "iveness",
    "ments",
    "ation",
    "ment",
    "ness",
    "ings",
    "ing",
    "ies",
    "ied",
    "ers",
    "ed",
    "er",
    "es",
    "ly",
    "s",
)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return ``word`` without the commonest English endings, so that *learns* meets *learning*."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + ("y" if ending in {"ies", "ied"} else "")
    return word


def content(words: Iterable[str]) -> list[str]:
    """Return the stems of those ``words`` that carry meaning, in order; the words are folded."""
    return [stem(word) for word in words if len(word) > 1 and word not in _STOP_WORDS]


def similarity(one: Mapping[str, float], other: Mapping[str, float], *, of_other: float | None = None) -> float:
    """Return the cosine of two bags of words, 0..1; ``of_other`` is ``norm(other)`` where that is known."""
    small, large = (one, other) if len(one) <= len(other) else (other, one)
    shared = sum(weight * large[word] for word, weight in small.items() if word in large)
    return shared / (norm(one) * (of_other or norm(other))) if shared else 0.0


def norm(bag: Mapping[str, float]) -> float:
    """Return the Euclidean length of a bag of words."""
    return math.sqrt(sum([weight * weight for weight in bag.values()]))
