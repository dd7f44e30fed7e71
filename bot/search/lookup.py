"""One search under way, on a reader's thread: candidates by their headings, ranked, and by their texts where needed."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bot.models import Paper
from bot.search import conditions, expansion, query, ranking
from bot.search.candidates import candidates
from bot.search.expansion import Group
from bot.search.headings import Headings, Mask, Positions, Segments
from bot.search.query import Query
from bot.search.ranking import InText, Ranking, Wanted
from bot.store import index, papers
from bot.store.database import Connection
from bot.store.index import Filters
from bot.text.words import words

_TEXT_CANDIDATES = 20
_BEGINNING_SO = 50
_NEAR = 25.0
"""A paper that covers less of the query than this is not even near."""

_SURE = 93.0
_COMMON = 50


@dataclass(frozen=True, kw_only=True)
class Lookup:
    """What is looked for, and where.

    Attributes:
        connection: to the library.
        headings: of the same library, of now or of a short while ago.
        query: in parts.
        filters: its conditions for texts.
        allowed: its conditions by position; None where there are none.
        groups: its telling words with what would do in their place.
        wanted: the same for ranking.
    """

    connection: Connection
    headings: Headings
    query: Query
    filters: Filters
    allowed: Mask | None
    groups: Sequence[Group]
    wanted: Wanted


def identified(connection: Connection, asked: Query) -> Paper | None:
    """Return the paper whose identifier was typed."""
    owners = papers.owners(connection, asked.identifiers) if asked.identifiers else {}
    owner = next((owners[name] for name in asked.identifiers if name in owners), None)
    return None if owner is None else papers.get_paper(connection, owner)


def titled(headings: Headings, asked: Query) -> Segments:
    """Return the titles, as segments, that were typed in full, by the order of the papers' ids."""
    typed = words(asked.text)
    found = headings.beginning(typed, last_is_whole=not is_cut(asked))
    return found if is_cut(asked) else found[headings.length(found) == len(typed)]


def is_cut(asked: Query) -> bool:
    """Return whether more was typed than is read."""
    return len(asked.text) >= query.MOST_CHARACTERS


def begin(connection: Connection, headings: Headings, asked: Query, *, texts: bool) -> Lookup:
    """Return the search for what was asked; ``texts`` tells whether it will ask texts as well."""
    vocabulary = headings.vocabulary
    wanted = asked.everything_wanted[: query.MOST_WORDS]
    in_texts = _in_texts(connection, headings, wanted) if texts else set[str]()
    groups = expansion.expand(wanted, vocabulary, in_texts=in_texts) if wanted else []
    return Lookup(
        connection=connection,
        headings=headings,
        query=asked,
        filters=conditions.filters(headings, asked),
        allowed=conditions.allowed(connection, headings, asked),
        groups=groups,
        wanted=Wanted(
            words=wanted,
            alternatives={group.word: group.alternatives for group in groups if not group.in_texts},
            in_texts={group.word for group in groups if group.in_texts},
            title=words(asked.text),
            is_cut=is_cut(asked),
        ),
    )


def _in_texts(connection: Connection, headings: Headings, wanted: Iterable[str]) -> set[str]:
    """Return those words, rare in headings, that some text has and that are no misprint of an inflection."""
    vocabulary = headings.vocabulary
    return {
        word
        for word in index.words_of_texts(connection, [one for one in dict.fromkeys(wanted) if vocabulary.is_rare(one)])
        if not any(
            expansion.is_inflection(word, near.word) and index.are_one_in_texts(connection, word, near.word)
            for near in vocabulary.corrections(word)
        )
    }


def ranked(search: Lookup, limit: int, *, texts: bool) -> Ranking:
    """Return the papers that are near, best first.

    Args:
        search: what is looked for.
        limit: how many are wanted; fewer are found only where there are no more.
        texts: whether texts are asked where headings do not answer.
    """
    headings = search.headings
    found = np.union1d(_beginning(search), candidates(headings, search.groups, search.allowed)).astype(np.int32)
    best = ranking.rank(search.wanted, headings, found)
    few = len(best) < limit
    # A single rare word may be what a paper calls its own thing in its text.
    is_name = len(search.groups) == 1 and search.groups[0].papers < _COMMON
    if texts and (few or (best.best < _SURE and (best.lacking[0] or is_name))):
        most = max(_TEXT_CANDIDATES, limit)
        by_text = _by_text(search, most, loosely=few or best.best < ranking.GOOD)
        in_texts = _texts(search, by_text)
        found = np.union1d(best.papers[:most], np.array(list(in_texts), dtype=np.int32)).astype(np.int32)
        best = ranking.rank(search.wanted, headings, found, in_texts)
    return best.where(best.coverage >= _NEAR)


def _beginning(search: Lookup) -> Positions:
    """Return papers whose title begins with what was typed, those with the shortest titles, for there may be many."""
    headings = search.headings
    titles = headings.beginning(search.wanted.title)
    if search.allowed is not None:
        titles = titles[search.allowed[headings.owners[titles]]]
    shortest = np.argsort(headings.length(titles), kind="stable")[:_BEGINNING_SO]
    return headings.owners[titles[shortest]]


def _by_text(search: Lookup, limit: int, *, loosely: bool) -> dict[int, float]:
    """Return papers that have all the words somewhere, or all but one, with how well in 0..1.

    ``loosely`` takes those with some of the words as well: the costliest look of all in a large library.
    """
    rarest = sorted(search.groups, key=lambda group: group.papers)

    def found(match: str, best: float) -> dict[int, float]:
        ids = index.in_texts(search.connection, match, limit=limit, filters=search.filters)
        return {paper_id: best * (1 - place / (2 * limit)) for place, paper_id in enumerate(ids)}

    by_text = found(expansion.strict(rarest), 1.0)
    # The commonest word tells least.
    for left_out in range(len(rarest) - 1, max(-1, len(rarest) - 4), -1):
        if by_text or len(rarest) < 3:
            break
        some = [group for place, group in enumerate(rarest) if place != left_out]
        by_text = found(expansion.strict(some), 0.8)
    if loosely and not by_text and len(rarest) > 1:
        by_text = found(expansion.loose(rarest), 0.7)
    return by_text


def _texts(search: Lookup, by_text: dict[int, float]) -> dict[int, InText]:
    """Return the texts of these papers by position, of those that the headings know and the query allows."""
    headings = search.headings
    texts = papers.texts(search.connection, list(by_text))
    return {
        position: InText.of(texts[number], by_text[number])
        for position, number in ((position, int(headings.ids[position])) for position in headings.position_of(
            list(texts)
        ).tolist())
        if search.allowed is None or search.allowed[position]
    }  # fmt: skip
