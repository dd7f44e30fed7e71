"""Papers like one paper: those that share its telling words, in headings and in texts."""

import math
import re
from collections.abc import Callable, Sequence

from bot.models import Hit, Paper
from bot.search.candidates import candidates
from bot.search.expansion import Group
from bot.search.headings import Headings
from bot.search.snippets import snippet
from bot.search.spelling import STOP_WORDS, Vocabulary
from bot.store import index, papers
from bot.store.database import Connection
from bot.text.words import words

_LIKELY, _TERMS = 40, 20
_MOST_COUNTED = 3000
"""A word that more papers have tells little in a library of any size, and counting them all takes long."""

_ASKED_IN_TEXTS = 8
_CANDIDATES = 60
_IN_TITLE, _IN_KEYWORDS, _IN_TEXT = 3.0, 3.0, 1.0
"""How much more a word of the title or of the keywords says of a paper than one of its text."""

_ONLY_IN_TEXT = 0.5
_LEAST = 12.0
_FEWEST_SHARED = 2
_HAS_LETTER = re.compile(r"[^\W\d_]")


def telling_terms(paper: Paper, vocabulary: Vocabulary, papers_with: Callable[[str], int]) -> dict[str, float]:
    """Return the words that tell most of a paper, each with its weight, the weightiest first.

    A word weighs by how often the paper has it and where (saturated as in BM25), and by how few papers have it
    anywhere; words that no other paper has in a heading cannot tell what is alike.

    Args:
        paper: of the library.
        vocabulary: the words of its headings.
        papers_with: how many papers have a word anywhere; asked for the likeliest words only.
    """
    frequency: dict[str, float] = {}
    for text, worth in (
        (" ".join((paper.title, *paper.aliases)), _IN_TITLE),
        (" ".join(paper.keywords), _IN_KEYWORDS),
        (paper.text, _IN_TEXT),
    ):
        for word in words(text):
            frequency[word] = frequency.get(word, 0.0) + worth
    people = set(words(" ".join(paper.authors)))
    saturated = {
        word: count * 2.2 / (count + 1.2)
        for word, count in frequency.items()
        if len(word) > 2
        and word not in STOP_WORDS
        and word not in people
        and _HAS_LETTER.search(word)
        and vocabulary.count(word) >= min(2, vocabulary.papers)
    }
    likely = sorted(saturated, key=lambda word: (-saturated[word] * vocabulary.weight(word), word))[:_LIKELY]
    weights = {word: saturated[word] * math.log(1 + vocabulary.papers / max(1, papers_with(word))) for word in likely}
    return dict(sorted(weights.items(), key=lambda item: (-item[1], item[0]))[:_TERMS])


def like(connection: Connection, headings: Headings, paper: Paper, *, limit: int) -> list[Hit]:
    """Return the papers that share most of a paper's telling words, best first; scores are in 0..100.

    None that shares hardly anything. Costs about 30 ms with 100,000 papers.
    """

    def papers_with(word: str) -> int:
        counted = index.number_in_texts(connection, word, most=_MOST_COUNTED)
        return counted if counted < _MOST_COUNTED else max(counted, len(headings) // 10)

    terms = telling_terms(paper, headings.vocabulary, papers_with)
    if not terms:
        return []
    groups = [Group(word=word, weight=weight) for word, weight in terms.items()]
    by_headings = candidates(headings, groups, None, most=_CANDIDATES)
    ids: list[int] = headings.ids[by_headings].tolist()
    ids += _by_texts(connection, list(terms))
    found = papers.get_papers(connection, [one for one in dict.fromkeys(ids) if one != paper.id])
    most = math.fsum(terms.values())
    shared = [(_shared(other, terms), other) for other in found]
    # One word in common is no likeness.
    scored = [(100 * math.fsum(weights) / most, other) for weights, other in shared if len(weights) >= _FEWEST_SHARED]
    best = sorted(scored, key=lambda pair: (-pair[0], pair[1].id))[:limit]
    return [
        Hit(paper=other, score=round(score, 2), snippet=snippet(other.text, set(terms)))
        for score, other in best
        if score >= _LEAST
    ]


def _by_texts(connection: Connection, terms: Sequence[str]) -> list[int]:
    """Return the papers whose texts have two of the weightiest words: to rank all that have one takes too long."""
    first, *others = terms[:_ASKED_IN_TEXTS]
    pairs = [index.all_of([index.quoted(first), index.quoted(other)]) for other in others]
    return index.in_texts(connection, index.any_of(pairs or [index.quoted(first)]), limit=_CANDIDATES)


def _shared(other: Paper, terms: dict[str, float]) -> list[float]:
    """Return what each telling word is worth that the other paper has."""
    headings = set(words(" ".join((other.title, *other.aliases, *other.keywords))))
    text = set(words(other.text))
    return [
        weight * (1.0 if word in headings else _ONLY_IN_TEXT)
        for word, weight in terms.items()
        if word in headings or word in text
    ]
