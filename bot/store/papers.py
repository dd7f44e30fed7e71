"""The papers' tables.

Functions over a ``Connection``, to be run by ``Database.read`` and ``Database.write``.
"""

import datetime as dt
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

from bot.errors import NotFound
from bot.models import LibraryCounts, Paper
from bot.store import index, packing
from bot.store.database import Connection
from bot.store.packing import Original

_SELECT: LiteralString = """
    SELECT id, title, title_made, abstract_size, packed, synopsis, authors, keywords, aliases, venue, year, track, url,
           published_on, trust
    FROM papers
    LEFT JOIN long_texts ON long_texts.paper_id = papers.id
"""

# Lists go into a statement as one JSON text: SQLite limits the number of parameters, and this keeps statements literal.

# As letters, not as \u escapes: the full-text index reads this very text.
_LIST = json.JSONEncoder(ensure_ascii=False)


def get_paper(connection: Connection, paper_id: int) -> Paper:
    """Return one paper.

    Raises:
        NotFound: the library has no paper of this number.
    """
    found = get_papers(connection, [paper_id])
    if not found:
        raise NotFound(f"The library has no paper number {paper_id}.")
    return found[0]


def get_papers(connection: Connection, ids: Sequence[int]) -> list[Paper]:
    """Return the papers of these numbers, in this order; numbers that the library does not have are left out."""
    rows = connection.execute(
        _SELECT + "WHERE id IN (SELECT value FROM json_each(:ids))",
        {"ids": json.dumps(list(ids))},
    ).fetchall()
    found = {paper.id: paper for paper in _with_identifiers(connection, rows)}
    return [found[paper_id] for paper_id in ids if paper_id in found]


def titles(connection: Connection, ids: Sequence[int]) -> dict[int, str]:
    """Return the titles of these papers, of those that the library has."""
    return dict(
        connection.execute(
            "SELECT id, title FROM papers WHERE id IN (SELECT value FROM json_each(:ids))",
            {"ids": json.dumps(list(ids))},
        ).fetchall()
    )


def texts(connection: Connection, ids: Sequence[int]) -> dict[int, str]:
    """Return the abstracts of these papers, else their synopses, else nothing; of those that the library has."""
    rows = connection.execute(
        """
        SELECT id, synopsis, abstract_size, packed
        FROM papers
        LEFT JOIN long_texts ON long_texts.paper_id = papers.id
        WHERE id IN (SELECT value FROM json_each(:ids))
        """,
        {"ids": json.dumps(list(ids))},
    )
    return {number: packing.unpack_abstract(size, packed) or synopsis or "" for number, synopsis, size, packed in rows}


def names(connection: Connection, ids: Sequence[int], *, authors: bool) -> list[str]:
    """Return the authors of each of these papers, or else the keywords, as JSON lists."""
    rows = connection.execute(
        """
        SELECT CASE WHEN :authors THEN authors ELSE keywords END
        FROM papers WHERE id IN (SELECT value FROM json_each(:ids))
        """,
        {"ids": json.dumps(list(ids)), "authors": authors},
    )
    return [one for (one,) in rows]


def find_by_identifier(connection: Connection, name: str) -> Paper | None:
    """Return the paper that has the identifier ``scheme:value``, spelt as it is stored."""
    owner = owners(connection, [name]).get(name)
    return get_paper(connection, owner) if owner is not None else None


def owners(connection: Connection, names: Sequence[str]) -> dict[str, int]:
    """Return which paper each of these identifiers belongs to; free ones are left out."""
    return dict(
        connection.execute(
            "SELECT name, paper_id FROM identifiers WHERE name IN (SELECT value FROM json_each(:names))",
            {"names": json.dumps(list(names))},
        ).fetchall()
    )


def count(connection: Connection) -> int:
    """Return how many papers the library has."""
    return int(connection.execute("SELECT count(*) FROM papers").fetchone()[0])


def counts(connection: Connection, *, since: dt.datetime, venues: int = 5) -> LibraryCounts:
    """Return what the library holds; papers that came after ``since`` are recent."""
    lately = connection.execute("SELECT count(*) FROM papers WHERE added_at > ?", (int(since.timestamp()),)).fetchone()
    whole = connection.execute("SELECT count(*) FROM long_texts WHERE abstract_size IS NOT NULL").fetchone()
    first, last = connection.execute("SELECT min(year), max(year) FROM papers").fetchone()
    most = connection.execute(
        """
        SELECT venue, count(*) FROM papers
        WHERE venue IS NOT NULL
        GROUP BY venue
        ORDER BY count(*) DESC, venue
        LIMIT ?
        """,
        (venues,),
    ).fetchall()
    return LibraryCounts(
        papers=count(connection),
        with_abstract=whole[0],
        added_lately=lately[0],
        venues=tuple(most),
        years=None if first is None else (first, last),
    )


def newest(connection: Connection, *, limit: int, offset: int = 0) -> list[Paper]:
    """Return papers, those last added first."""
    rows = connection.execute(
        _SELECT + "ORDER BY added_at DESC, id DESC LIMIT :limit OFFSET :offset",
        {"limit": limit, "offset": offset},
    ).fetchall()
    return _with_identifiers(connection, rows)


def added_since(connection: Connection, moment: dt.datetime, *, limit: int) -> list[Paper]:
    """Return the papers that were added at ``moment`` or later, those last added first."""
    rows = connection.execute(
        _SELECT + "WHERE added_at >= :moment ORDER BY added_at DESC, id DESC LIMIT :limit",
        {"moment": int(moment.timestamp()), "limit": limit},
    ).fetchall()
    return _with_identifiers(connection, rows)


def ids_added_since(connection: Connection, moment: dt.datetime) -> set[int]:
    """Return the ids of the papers that came into the library after ``moment``."""
    rows = connection.execute("SELECT id FROM papers WHERE added_at > :moment", {"moment": int(moment.timestamp())})
    return {row[0] for row in rows}


def ids_after(connection: Connection, paper_id: int, *, limit: int) -> list[int]:
    """Return the ids greater than ``paper_id``, the smallest first."""
    rows = connection.execute("SELECT id FROM papers WHERE id > ? ORDER BY id LIMIT ?", (paper_id, limit))
    return [found for (found,) in rows]


def headings(connection: Connection) -> Iterator[tuple[int, str, str, str, str, str | None, int | None, str | None]]:
    """Yield of every paper, by id: id, title, aliases, authors and keywords as JSON texts, venue, year, track."""
    yield from connection.execute(
        "SELECT id, title, aliases, authors, keywords, venue, year, track FROM papers ORDER BY id"
    )


def version(connection: Connection) -> int:
    """Return a number that grows whenever papers have changed."""
    return int(connection.execute("SELECT version FROM library_version").fetchone()[0])


def bump_version(connection: Connection) -> int:
    """Say that papers have changed; return the new version."""
    connection.execute("UPDATE library_version SET version = version + 1")
    return version(connection)


@dataclass(frozen=True, kw_only=True)
class NewPaper:
    """A paper that is not in the library yet, its row made up already; it can go to another process.

    Attributes:
        row: what the tables take, under the columns' names.
        identifiers: ``scheme:value``; they belong to no other paper.
    """

    row: dict[str, Any]
    identifiers: tuple[str, ...]


def new_paper(paper: Paper, originals: Sequence[Original]) -> NewPaper:
    """Return a paper made up for ``insert_many``, whatever its ``id`` says; 0.2 ms for one with an abstract."""
    size, packed = packing.pack(paper.abstract, originals)
    row = {**_parameters(paper), "abstract": paper.abstract, "abstract_size": size, "packed": packed}
    return NewPaper(row=row, identifiers=paper.identifiers)


def insert(connection: Connection, paper: Paper, *, added_at: dt.datetime, originals: Sequence[Original] = ()) -> int:
    """Add a paper with its identifiers, whatever its ``id`` says; return its number.

    Its identifiers must belong to no other paper.
    """
    return insert_many(connection, [new_paper(paper, originals)], added_at=added_at)[0]


def insert_many(connection: Connection, arrivals: Sequence[NewPaper], *, added_at: dt.datetime) -> list[int]:
    """Add papers with their identifiers; return their numbers, in order.

    No identifier may belong to a paper of the library or to two of these.
    """
    first = int(connection.execute("SELECT ifnull(max(id), 0) + 1 FROM papers").fetchone()[0])
    moment = int(added_at.timestamp())
    rows = [{**one.row, "id": number, "added_at": moment} for number, one in enumerate(arrivals, first)]
    connection.executemany(
        """
        INSERT INTO papers (id, title, title_made, synopsis, authors, keywords, aliases, venue, year, track,
                            url, published_on, trust, added_at)
        VALUES (:id, :title, :title_made, :synopsis, :authors, :keywords, :aliases, :venue, :year, :track,
                :url, :published_on, :trust, :added_at)
        """,
        rows,
    )
    connection.executemany(
        "INSERT INTO long_texts (paper_id, abstract_size, packed) VALUES (:id, :abstract_size, :packed)", rows
    )
    connection.executemany(
        "INSERT INTO identifiers (name, paper_id) VALUES (?, ?)",
        [(name, number) for number, one in enumerate(arrivals, first) for name in one.identifiers],
    )
    index.add(connection, rows)
    return [row["id"] for row in rows]


def update(connection: Connection, paper: Paper) -> None:
    """Store every field of a paper that is there already; identifiers are added, never taken away.

    Its identifiers must belong to no other paper.
    """
    old = get_paper(connection, paper.id)
    connection.execute(
        """
        UPDATE papers
        SET title = :title, title_made = :title_made, synopsis = :synopsis,
            authors = :authors, keywords = :keywords, aliases = :aliases, venue = :venue, year = :year,
            track = :track, url = :url, published_on = :published_on, trust = :trust
        WHERE id = :id
        """,
        _parameters(paper),
    )
    if paper.abstract != old.abstract:
        _keep_texts(connection, paper.id, paper.abstract, originals(connection, paper.id))
    before, after = _indexed(old), _indexed(paper)
    if before != after:
        index.remove(connection, before)
        index.add(connection, [after])
    _add_identifiers(connection, paper.id, paper.identifiers)


def absorb(connection: Connection, *, kept: int, gone: int) -> None:
    """Give everything that hangs on the paper ``gone`` to the paper ``kept`` and remove ``gone``.

    The fields are not merged here. Where both were in the same list, or the same source brought both,
    what ``kept`` has stays.
    """
    lost = get_paper(connection, gone)
    of_kept = originals(connection, kept)
    known = {one.source for one in of_kept}
    more = [one for one in originals(connection, gone) if one.source not in known]
    _keep_texts(connection, kept, get_paper(connection, kept).abstract, [*of_kept, *more])
    index.remove(connection, _indexed(lost))
    numbers = {"kept": kept, "gone": gone}
    for statement in (
        "UPDATE identifiers SET paper_id = :kept WHERE paper_id = :gone",
        "UPDATE OR IGNORE fingerprints SET paper_id = :kept WHERE paper_id = :gone",
        "UPDATE OR IGNORE picks SET paper_id = :kept WHERE paper_id = :gone",
        "UPDATE OR IGNORE edition_papers SET paper_id = :kept WHERE paper_id = :gone",
        "DELETE FROM papers WHERE id = :gone",
    ):
        connection.execute(statement, numbers)


def keep_original(connection: Connection, paper_id: int, original: Original) -> None:
    """Keep what a source brought for a paper, in place of what the same source brought before."""
    others = [one for one in originals(connection, paper_id) if one.source != original.source]
    _keep_texts(connection, paper_id, get_paper(connection, paper_id).abstract, [*others, original])


def originals(connection: Connection, paper_id: int) -> list[Original]:
    """Return what sources brought for a paper, the last of each."""
    row = connection.execute("SELECT abstract_size, packed FROM long_texts WHERE paper_id = ?", (paper_id,)).fetchone()
    return list(packing.unpack(*row)[1]) if row else []


def _keep_texts(connection: Connection, paper_id: int, abstract: str | None, kept: Sequence[Original]) -> None:
    size, packed = packing.pack(abstract, kept)
    connection.execute(
        """
        INSERT INTO long_texts (paper_id, abstract_size, packed) VALUES (:id, :size, :packed)
        ON CONFLICT (paper_id) DO UPDATE SET abstract_size = excluded.abstract_size, packed = excluded.packed
        """,
        {"id": paper_id, "size": size, "packed": packed},
    )


def _indexed(paper: Paper) -> dict[str, Any]:
    values = {**_parameters(paper), "abstract": paper.abstract}
    return {name: values[name] for name in index.FIELDS}


def _with_identifiers(connection: Connection, rows: list[tuple[Any, ...]]) -> list[Paper]:
    names: dict[int, list[str]] = {}
    for paper_id, name in connection.execute(
        """
        SELECT paper_id, name FROM identifiers
        WHERE paper_id IN (SELECT value FROM json_each(:ids))
        ORDER BY name
        """,
        {"ids": json.dumps([row[0] for row in rows])},
    ):
        names.setdefault(paper_id, []).append(name)
    return [_paper(row, names) for row in rows]


def _paper(row: tuple[Any, ...], names: dict[int, list[str]]) -> Paper:
    # The columns' types are held by a STRICT table.
    (paper_id, title, made, size, packed, synopsis, authors, keywords, aliases, venue, year, track, url, day, trust) = (
        row
    )
    return Paper(
        id=paper_id,
        title=title,
        title_made=bool(made),
        abstract=packing.unpack_abstract(size, packed),
        synopsis=synopsis,
        authors=tuple(json.loads(authors)),
        keywords=tuple(json.loads(keywords)),
        aliases=tuple(json.loads(aliases)),
        venue=venue,
        year=year,
        track=track,
        url=url,
        published_on=dt.date.fromisoformat(day) if day else None,
        trust=trust,
        identifiers=tuple(names.get(paper_id, ())),
    )


def _parameters(paper: Paper) -> dict[str, Any]:
    return {
        "id": paper.id,
        "title": paper.title,
        "title_made": int(paper.title_made),
        "synopsis": paper.synopsis,
        "authors": _list(paper.authors),
        "keywords": _list(paper.keywords),
        "aliases": _list(paper.aliases),
        "venue": paper.venue,
        "year": paper.year,
        "track": paper.track,
        "url": paper.url,
        "published_on": paper.published_on.isoformat() if paper.published_on else None,
        "trust": paper.trust,
    }


def _list(values: tuple[str, ...]) -> str:
    return _LIST.encode(values) if values else "[]"


def _add_identifiers(connection: Connection, paper_id: int, names: Iterable[str]) -> None:
    for name in names:
        try:
            connection.execute("INSERT INTO identifiers (name, paper_id) VALUES (?, ?)", (name, paper_id))
        except sqlite3.IntegrityError:
            if owners(connection, [name]).get(name) != paper_id:
                raise
