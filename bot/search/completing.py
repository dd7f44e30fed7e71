"""What was typed so far, completed: titles of papers, and names for the options of a command."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from bot.errors import InvalidInput
from bot.search import lookup, query
from bot.search.headings import AUTHOR, KEYWORD, Headings
from bot.search.lookup import Lookup
from bot.store import papers
from bot.store.database import Connection
from bot.text.words import words

_COMPLETES = 60.0
_FORGIVING_FROM = 4
_PAPERS_LOOKED_AT = 300
"""To complete a name: thousands of papers may have somebody whose name begins so."""


@dataclass(frozen=True, kw_only=True)
class Completion:
    """A paper that what was typed so far may become."""

    paper_id: int
    title: str


class Field(StrEnum):
    """What else can be completed: the fields that a query can ask for."""

    AUTHOR = "author"
    KEYWORD = "keyword"
    VENUE = "venue"
    TRACK = "track"


def titles(connection: Connection, headings: Headings, text: str, *, limit: int) -> list[Completion]:
    """Return papers for what was typed so far, best first; the newest for nothing, none for what is no text."""
    if not text.strip():
        return [Completion(paper_id=paper.id, title=paper.title) for paper in papers.newest(connection, limit=limit)]
    number = query.number(text)
    if number is not None:
        return _completions(connection, [number])
    try:
        asked = query.parse(text)
    except InvalidInput:
        return []
    known = lookup.identified(connection, asked)
    if known is not None or asked.only_identifier:
        return [] if known is None else [Completion(paper_id=known.id, title=known.title)]
    typed = words(asked.text)[: query.MOST_WORDS]
    if len("".join(typed)) < _FORGIVING_FROM:
        first = headings.owners[headings.beginning(typed)[:limit]]
        spread = headings.having_all(typed, begun=True)[:limit] if first.size < limit else first
        ids: list[int] = headings.ids[np.concatenate([first, spread])].tolist()
        return _completions(connection, list(dict.fromkeys(ids))[:limit])
    found = _best(lookup.begin(connection, headings, query.as_words(asked), texts=False), limit)
    for start in headings.vocabulary.beginnings(typed[-1]) if len(found) < limit else ():
        # The word is not finished, so its typo shows against the beginnings of words only.
        begun = query.parse(" ".join([*typed[:-1], start]))
        more = _best(lookup.begin(connection, headings, begun, texts=False), limit)
        found = [*more, *(one for one in found if one not in more)]
    return _completions(connection, found[:limit])


def names(connection: Connection, headings: Headings, field: Field, text: str, *, limit: int) -> list[str]:
    """Return the names of a field all of whose typed words begin one of theirs, the most frequent first."""
    typed = words(text[: query.MOST_CHARACTERS])
    if field in {Field.VENUE, Field.TRACK}:
        known, numbers = (
            (headings.venue_names, headings.venues) if field is Field.VENUE else (headings.track_names, headings.tracks)
        )
        counts = np.bincount(numbers[numbers >= 0], minlength=len(known)).tolist()
        counted = Counter(dict(zip(known, counts, strict=True)))
    elif not typed:
        return []
    else:
        counted = _counted(connection, headings, field, typed)
    likely = [name for name in counted if _begins(typed, words(name))]
    return sorted(likely, key=lambda name: (-counted[name], name))[:limit]


def _counted(connection: Connection, headings: Headings, field: Field, typed: Sequence[str]) -> Counter[str]:
    kind = AUTHOR if field is Field.AUTHOR else KEYWORD
    found = np.ones(len(headings), dtype=np.bool_)
    for word in typed:
        found &= headings.in_field(kind, headings.vocabulary.begun(word))
    # The newest papers tell best who is asked for.
    ids: list[int] = headings.ids[np.flatnonzero(found)[-_PAPERS_LOOKED_AT:]].tolist()
    lists = papers.names(connection, ids, authors=kind == AUTHOR)
    return Counter(name for one in lists for name in json.loads(one))


def _begins(typed: Sequence[str], name: Sequence[str]) -> bool:
    return all(any(word.startswith(start) for word in name) for start in typed)


def _best(search: Lookup, limit: int) -> list[int]:
    ranked = lookup.ranked(search, limit, texts=False)
    return search.headings.ids[ranked.papers[ranked.coverage >= _COMPLETES][:limit]].tolist()


def _completions(connection: Connection, ids: Sequence[int]) -> list[Completion]:
    found = papers.titles(connection, ids)
    return [Completion(paper_id=number, title=found[number]) for number in ids if number in found]
