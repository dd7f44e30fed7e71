"""The full-text index over papers: what is put into it and what is asked of it.

It holds every field, stemmed. A match is an FTS5 expression put together by ``quoted``, ``any_of`` and ``all_of``
alone, so that nothing a person types is ever an operator.
"""

import json
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import LiteralString

from bot.store.database import Connection


@dataclass(frozen=True, kw_only=True)
class Filters:
    """What a paper must be beside having the words; the default lets every paper through.

    Attributes:
        years: first and last, both included.
        venues: one of these, spelt as they are stored; None is any.
        tracks: the same for tracks.
        within: an expression that the paper's fields, stemmed, must match; empty is none.
        without: the same for what they must not match.
    """

    years: tuple[int, int] | None = None
    venues: tuple[str, ...] | None = None
    tracks: tuple[str, ...] | None = None
    within: str = ""
    without: str = ""


EVERY_PAPER = Filters()


FIELDS = ("id", "title", "aliases", "authors", "keywords", "abstract", "synopsis")
"""What of a paper is indexed. The index keeps no texts: to take a paper out, say what was put in."""


def add(connection: Connection, rows: Sequence[Mapping[str, object]]) -> None:
    """Put papers into the index, each with at least ``FIELDS``."""
    connection.executemany(
        """
        INSERT INTO texts (rowid, title, aliases, authors, keywords, abstract, synopsis)
        VALUES (:id, :title, :aliases, :authors, :keywords, :abstract, :synopsis)
        """,
        rows,
    )


def remove(connection: Connection, row: Mapping[str, object]) -> None:
    """Take a paper out of the index, exactly as it was put in."""
    connection.execute(
        """
        INSERT INTO texts (texts, rowid, title, aliases, authors, keywords, abstract, synopsis)
        VALUES ('delete', :id, :title, :aliases, :authors, :keywords, :abstract, :synopsis)
        """,
        row,
    )


def quoted(text: str, *, prefix: bool = False, column: str = "", first: bool = False) -> str:
    """Return ``text`` as an FTS5 string: the words in it, adjacent and in order, whatever signs it holds.

    Args:
        text: what was typed.
        prefix: whether the last word may go on.
        column: one of the index's own columns, to look in that alone.
        first: whether the words must begin the column.
    """
    # A NUL ends the statement for SQLite; a lone surrogate cannot be encoded.
    plain = unicodedata.normalize("NFC", text).replace("\0", " ").encode("utf-8", "replace").decode()
    string = ("^ " if first else "") + '"' + plain.replace('"', '""') + '"' + ("*" if prefix else "")
    return f"{column} : {string}" if column else string


def any_of(expressions: Iterable[str]) -> str:
    """Return the expression that matches where one of these does."""
    return "(" + " OR ".join(expressions) + ")"


def all_of(expressions: Iterable[str]) -> str:
    """Return the expression that matches where all of these do."""
    return "(" + " AND ".join(expressions) + ")"


def in_texts(connection: Connection, match: str, *, limit: int, filters: Filters = EVERY_PAPER) -> list[int]:
    """Return the ids any of whose fields match, stemmed, best by BM25 first; a negative limit is none."""
    # Weights: title 6, aliases 6, authors 4, keywords 3, abstract 1, synopsis 1.
    return _ids(
        connection,
        "SELECT texts.rowid FROM texts",
        "texts.rowid",
        "texts MATCH :match",
        "ORDER BY bm25(texts, 6, 6, 4, 3, 1, 1), texts.rowid LIMIT :limit",
        {"match": match, "limit": limit},
        filters,
    )


def all_in_texts(connection: Connection, match: str) -> list[int]:
    """Return the ids any of whose fields match, stemmed, ascending: what ``in_texts`` finds, in a tenth of the time."""
    rows = connection.execute("SELECT rowid FROM texts WHERE texts MATCH :match", {"match": match})
    return [paper_id for (paper_id,) in rows]


def anywhere(connection: Connection, *, limit: int, filters: Filters = EVERY_PAPER) -> list[int]:
    """Return the ids of all papers that the filters let through, those last added first; a negative limit is none."""
    return _ids(
        connection,
        "SELECT papers.id FROM papers",
        "papers.id",
        "1",
        "ORDER BY papers.added_at DESC, papers.id DESC LIMIT :limit",
        {"limit": limit},
        filters,
    )


def words_of_texts(connection: Connection, words: Sequence[str]) -> set[str]:
    """Return those of the words that some paper has in any field, in whatever inflection."""
    found: set[str] = set()
    for word in words:
        row = connection.execute("SELECT 1 FROM texts WHERE texts MATCH :match LIMIT 1", {"match": quoted(word)})
        if row.fetchone() is not None:
            found.add(word)
    return found


def number_in_texts(connection: Connection, word: str, *, most: int) -> int:
    """Return how many papers have the word in any field, stemmed; ``most`` where there are more."""
    counted = "SELECT count(*) FROM (SELECT 1 FROM texts WHERE texts MATCH :match LIMIT :most)"
    return int(connection.execute(counted, {"match": quoted(word), "most": most}).fetchone()[0])


def are_one_in_texts(connection: Connection, word: str, other: str) -> bool:
    """Return whether two words are inflections of one to the index: no paper has the first without the second."""
    match = f"{quoted(word)} NOT {quoted(other)}"
    return connection.execute("SELECT 1 FROM texts WHERE texts MATCH :m LIMIT 1", {"m": match}).fetchone() is None


def _ids(  # noqa: PLR0917 - five of them are the parts of one statement
    connection: Connection,
    select: LiteralString,
    key: LiteralString,
    condition: LiteralString,
    order: LiteralString,
    values: dict[str, object],
    filters: Filters,
) -> list[int]:
    statement: LiteralString = select
    where: list[LiteralString] = [condition]
    if filters.years is not None or filters.venues is not None or filters.tracks is not None:
        if key != "papers.id":
            statement += " JOIN papers ON papers.id = " + key
        where.append("(:first IS NULL OR papers.year BETWEEN :first AND :last)")
        where.append("(:venues IS NULL OR papers.venue IN (SELECT value FROM json_each(:venues)))")
        where.append("(:tracks IS NULL OR papers.track IN (SELECT value FROM json_each(:tracks)))")
        first, last = filters.years or (None, None)
        values |= {"first": first, "last": last, "venues": _json(filters.venues), "tracks": _json(filters.tracks)}
    # Without the plus, SQLite asks the full-text index about each row anew: seconds where thousands match.
    if filters.within:
        where.append("+" + key + " IN (SELECT rowid FROM texts WHERE texts MATCH :within)")
        values |= {"within": filters.within}
    if filters.without:
        where.append("+" + key + " NOT IN (SELECT rowid FROM texts WHERE texts MATCH :without)")
        values |= {"without": filters.without}
    statement += " WHERE " + " AND ".join(where) + " " + order
    return [paper_id for (paper_id,) in connection.execute(statement, values)]


def _json(values: Sequence[str] | None) -> str | None:
    return None if values is None else json.dumps(list(values))
