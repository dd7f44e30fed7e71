"""What a query asks of papers beside having its words: in arrays for headings, in SQL for texts."""

from collections.abc import Iterable

import numpy as np

from bot.search.headings import AUTHOR, KEYWORD, Headings, Mask
from bot.search.query import Query
from bot.store import index
from bot.store.database import Connection
from bot.store.index import Filters
from bot.text.words import words


def filters(headings: Headings, asked: Query) -> Filters:
    """Return the conditions as the index of texts takes them; letters with a stroke are others to it."""
    within = [index.quoted(phrase) for phrase in asked.phrases]
    for column, values in (("authors", asked.authors), ("keywords", asked.keywords)):
        within += [
            index.any_of(index.quoted(one, column=column) for one in _spelt(headings, word))
            for value in values
            for word in words(value)
        ]
    return Filters(
        years=asked.years,
        venues=_named(asked.venues, headings.venue_names) if asked.venues else None,
        tracks=_named(asked.tracks, headings.track_names) if asked.tracks else None,
        within=index.all_of(within) if within else "",
        without=index.any_of(index.quoted(one) for one in asked.excluded) if asked.excluded else "",
    )


def allowed(connection: Connection, headings: Headings, asked: Query) -> Mask | None:
    """Return by position whether a paper meets the query's conditions; None where there is none."""
    masks: list[Mask] = []
    if asked.years is not None:
        first, last = (min(max(year, 0), 9999) for year in asked.years)
        masks.append((headings.years >= max(first, 1)) & (headings.years <= last))
    for values, names, numbers in (
        (asked.venues, headings.venue_names, headings.venues),
        (asked.tracks, headings.track_names, headings.tracks),
    ):
        if values:
            # The last place stands for the unknown, whose number is -1.
            is_named = np.zeros(len(names) + 1, dtype=np.bool_)
            named = set(_named(values, names))
            is_named[[number for number, name in enumerate(names) if name in named]] = True
            masks.append(is_named[numbers])
    for kind, values in ((AUTHOR, asked.authors), (KEYWORD, asked.keywords)):
        for word in (word for value in values for word in words(value)):
            found = (headings.vocabulary.number(one) for one in _spelt(headings, word))
            masks.append(headings.in_field(kind, [number for number in found if number is not None]))
    masks += [headings.mask_of(index.all_in_texts(connection, index.quoted(phrase))) for phrase in asked.phrases]
    if asked.excluded:
        without = index.any_of(index.quoted(one) for one in asked.excluded)
        masks.append(~headings.mask_of(index.all_in_texts(connection, without)))
    return np.logical_and.reduce(masks) if masks else None


def _named(values: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that have all words of one of the values."""
    wanted = [set(words(value)) for value in values]
    return tuple(name for name in names if any(one <= set(words(name)) for one in wanted))


def _spelt(headings: Headings, word: str) -> list[str]:
    """Return the word, or, where no paper has it, what it may have been meant for."""
    vocabulary = headings.vocabulary
    return [word, *(near.word for near in vocabulary.corrections(word))] if not vocabulary.count(word) else [word]
