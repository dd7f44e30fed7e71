"""Every paper that a query lets through: for topics of subscriptions and for random picks. No typo is forgiven."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bot.search import conditions, expansion, lookup, query
from bot.search.headings import Headings, Mask
from bot.search.query import Query
from bot.store import index
from bot.store.database import Connection

_FEW = 20


def in_order(connection: Connection, headings: Headings, text: str, *, limit: int | None) -> list[int]:
    """Return the ids of the papers that have every word of the query, best first; for no query those added last first.

    Raises:
        InvalidInput: something was typed, but no letter and no digit.
    """
    if not text.strip():
        return headings.ids[::-1][:limit].tolist()
    asked = query.parse(text)
    known = lookup.identified(connection, asked)
    if known is not None or asked.only_identifier:
        return [] if known is None else [known.id]
    allowed = conditions.allowed(connection, headings, asked)
    if not asked.words:
        return headings.ids[allowed][::-1][:limit].tolist() if allowed is not None else []
    by_text = index.in_texts(connection, expansion.strict_or_joined(asked.words, headings.vocabulary), limit=-1)
    if allowed is not None:
        by_text = np.array(by_text, dtype=np.int64)[_allowed(headings, by_text, allowed)].tolist()
    titled: list[int] = headings.ids[headings.owners[lookup.titled(headings, asked)]].tolist()
    return list(dict.fromkeys([*titled, *by_text, *_by_headings(headings, asked, allowed).tolist()]))[:limit]


def in_any_order(connection: Connection, headings: Headings, text: str) -> NDArray[np.int64]:
    """Return the ids of papers that have every word of the query, each once; for no query all.

    Where twenty papers and more have the words in their headings, those that only mention them are left out.

    Raises:
        InvalidInput: something was typed, but no letter and no digit.
    """
    if not text.strip():
        return headings.ids
    asked = query.parse(text)
    known = lookup.identified(connection, asked)
    if known is not None or asked.only_identifier:
        return np.array([] if known is None else [known.id], dtype=np.int64)
    allowed = conditions.allowed(connection, headings, asked)
    if not asked.words:
        return headings.ids if allowed is None else headings.ids[allowed]
    found = _by_headings(headings, asked, allowed)
    if found.size >= _FEW:
        return found
    by_text = index.all_in_texts(connection, expansion.strict_or_joined(asked.words, headings.vocabulary))
    kept = np.array(by_text, dtype=np.int64)
    if allowed is not None:
        kept = kept[_allowed(headings, by_text, allowed)]
    return np.union1d(kept, found)


def _by_headings(headings: Headings, asked: Query, allowed: Mask | None) -> NDArray[np.int64]:
    found = headings.having_all(expansion.telling(asked.words))
    return headings.ids[found if allowed is None else found[allowed[found]]]


def _allowed(headings: Headings, ids: Sequence[int], allowed: Mask) -> Mask:
    return np.isin(ids, headings.ids[allowed])
