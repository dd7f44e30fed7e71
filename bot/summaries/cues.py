"""What marks the sentence of an abstract that says what the paper does: a transparent sum, nothing trained."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from bot.text.words import words

_STOP_WORDS = frozenset(
    "a an the of in on for to and or with by from as at is are was were be been being that this these those it "
    "its which we our us they their them can may not but also than such into via between over under more most "
    "both each other has have had do does using use used based how what when where while if then thus however".split(),
)
_PROPOSING = re.compile(
    r"\bwe (?:\w+ ){0,2}?"
    r"(?:propose|introduce|present|develop|describe|design|devise|formulate|build|create|offer)\b"
    r"|\b(?:this|our) (?:paper|work|article|study|thesis) (?:\w+ )?"
    r"(?:propos|introduc|present|develop|describ|show|demonstrat|prov|stud|investigat|explor|analy|address|offer|review)"
    r"|\bis (?:proposed|introduced|presented)\b",
    re.IGNORECASE,
)
_CLAIMING = re.compile(
    r"\bwe (?:\w+ )?(?:show|demonstrate|prove|establish|find|derive|study|investigate|explore|analy[sz]e|examine"
    r"|address|consider|argue|provide|revisit|extend|use|learn|train)",
    re.IGNORECASE,
)
_OURS = re.compile(r"\b(?:we|our)\b|\bthis (?:paper|work)\b", re.IGNORECASE)
_METHOD = re.compile(
    r"\b(?:method|approach|model|algorithm|framework|technique|architecture|network|mechanism|strategy|objective|loss"
    r"|dataset|benchmark|regulari[sz]\w+)\b",
    re.IGNORECASE,
)
_DANGLING = re.compile(
    r"(?:however|but|yet|unfortunately|nevertheless|this|these|those|it|they|such|moreover|furthermore|additionally|also"
    r"|in addition|besides|finally|thus|therefore|hence|for (?:example|instance)|specifically|in particular|instead)\b"
    r"(?! (?:paper|work|article|study)\b)",
    re.IGNORECASE,
)
_AVAILABILITY = re.compile(r"https?://|\b(?:code|data) (?:is|are|will be) |\bavailable at\b", re.IGNORECASE)
_SHORT, _LONG = 12, 30


def stem(word: str) -> str:
    """Return ``word`` without the commonest English endings, so that *learns* meets *learning*."""
    for ending in (
        "ization",
        "isation",
        "ational",
        "ments",
        "ation",
        "ment",
        "ings",
        "ing",
        "ies",
        "ers",
        "ed",
        "er",
        "es",
        "ly",
        "s",
    ):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word


def content(text: str) -> list[str]:
    """Return the stems of the words of ``text`` that carry meaning, in order."""
    return [stem(word) for word in words(text) if len(word) > 1 and word not in _STOP_WORDS]


def similarity(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the cosine of two bags of words, 0..1."""
    shared = sum(weight * other[word] for word, weight in one.items() if word in other)
    return shared / (_norm(one) * _norm(other)) if shared else 0.0


def scores(sentences: Sequence[str], title: str | None) -> list[float]:
    """Return how well each sentence alone tells what the paper does; higher is better, comparable within one text.

    The weights are set by hand; tests/bench/bench_summaries.py measures them on SciTLDR (Cachola et al. 2020).
    """
    bags = [Counter(content(sentence)) for sentence in sentences]
    whole: Counter[str] = Counter()
    for bag in bags:
        whole.update(bag)
    title_words = set(content(title or ""))
    proposing = next((index for index, sentence in enumerate(sentences) if _PROPOSING.search(sentence)), None)
    return [
        _score(sentence, bag, whole, title_words) + (1.0 if index == proposing else 0.0)
        for index, (sentence, bag) in enumerate(zip(sentences, bags, strict=True))
    ]


def _score(sentence: str, bag: Counter[str], whole: Counter[str], title_words: set[str]) -> float:
    length = len(sentence.split())
    total = 1.0 * similarity(bag, whole)
    if title_words and bag:
        shared = title_words & bag.keys()
        total += 2.0 * len(shared) / len(title_words) + 1.5 * len(shared) / len(bag)
    total += 0.5 * bool(_PROPOSING.search(sentence)) + 0.3 * bool(_CLAIMING.search(sentence))
    total += 0.3 * bool(_OURS.search(sentence)) + 0.2 * bool(_METHOD.search(sentence))
    total -= 0.5 * bool(_DANGLING.match(sentence)) + 0.7 * bool(_AVAILABILITY.search(sentence))
    return total - 0.08 * max(0, _SHORT - length) - 0.03 * max(0, length - _LONG)


def _norm(bag: Mapping[str, float]) -> float:
    return math.sqrt(sum(weight * weight for weight in bag.values()))
