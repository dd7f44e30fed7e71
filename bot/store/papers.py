"""The papers' tables.

Functions over a ``Connection``, to be run by ``Database.read`` and ``Database.write``.
"""

import datetime as dt
import json
import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

from bot.errors import NotFound
from bot.models import Paper
from bot.store.database import Connection

_SELECT: LiteralString = """
    SELECT id, title, title_made, abstract, synopsis, authors, keywords, aliases, venue, year, track, url, published_on
    FROM papers
"""

# Lists go into a statement as one JSON text: SQLite limits the number of parameters, and this keeps statements literal.

_COMPOUND = re.compile(r"\w+(?:[-\u2010-\u2015\u2019'&+]\w+)+")
_CAMEL = re.compile(r"\b\w*[a-z\d][A-Z]\w*")
_NOT_WORD = re.compile(r"[\W_]+")


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


def version(connection: Connection) -> int:
    """Return a number that grows whenever papers have changed."""
    return int(connection.execute("SELECT version FROM library_version").fetchone()[0])


def bump_version(connection: Connection) -> int:
    """Say that papers have changed; return the new version."""
    connection.execute("UPDATE library_version SET version = version + 1")
    return version(connection)


def insert(connection: Connection, paper: Paper, *, added_at: dt.datetime) -> int:
    """Add a paper with its identifiers, whatever its ``id`` says; return its number.

    Its identifiers must belong to no other paper.
    """
    cursor = connection.execute(
        """
        INSERT INTO papers (title, title_made, abstract, synopsis, authors, keywords, aliases, venue, year, track,
                            url, published_on, added_at, joined)
        VALUES (:title, :title_made, :abstract, :synopsis, :authors, :keywords, :aliases, :venue, :year, :track,
                :url, :published_on, :added_at, :joined)
        """,
        {**_parameters(paper), "added_at": int(added_at.timestamp())},
    )
    paper_id = cursor.lastrowid
    assert paper_id is not None  # noqa: S101 - SQLite gives every inserted row a number
    _add_identifiers(connection, paper_id, paper.identifiers)
    return paper_id


def update(connection: Connection, paper: Paper) -> None:
    """Store every field of a paper that is there already; identifiers are added, never taken away.

    Its identifiers must belong to no other paper.
    """
    connection.execute(
        """
        UPDATE papers
        SET title = :title, title_made = :title_made, abstract = :abstract, synopsis = :synopsis,
            authors = :authors, keywords = :keywords, aliases = :aliases, venue = :venue, year = :year,
            track = :track, url = :url, published_on = :published_on, joined = :joined
        WHERE id = :id
        """,
        {**_parameters(paper), "id": paper.id},
    )
    _add_identifiers(connection, paper.id, paper.identifiers)


def absorb(connection: Connection, *, kept: int, gone: int) -> None:
    """Give everything that hangs on the paper ``gone`` to the paper ``kept`` and remove ``gone``.

    The fields are not merged here. Where both were in the same list, the entry of ``kept`` stays.
    """
    numbers = {"kept": kept, "gone": gone}
    for statement in (
        "UPDATE identifiers SET paper_id = :kept WHERE paper_id = :gone",
        "UPDATE originals SET paper_id = :kept WHERE paper_id = :gone",
        "UPDATE OR IGNORE sketches SET paper_id = :kept WHERE paper_id = :gone",
        "UPDATE OR IGNORE fingerprints SET paper_id = :kept WHERE paper_id = :gone",
        "UPDATE OR IGNORE picks SET paper_id = :kept WHERE paper_id = :gone",
        "UPDATE OR IGNORE edition_papers SET paper_id = :kept WHERE paper_id = :gone",
        "DELETE FROM papers WHERE id = :gone",
    ):
        connection.execute(statement, numbers)


def known_originals(connection: Connection, source: str, digests: Sequence[str]) -> set[str]:
    """Return those of the digests that ``source`` has brought before."""
    rows = connection.execute(
        """
        SELECT digest FROM originals
        WHERE source = :source AND digest IN (SELECT value FROM json_each(:digests))
        """,
        {"source": source, "digests": json.dumps(list(digests))},
    )
    return {digest for (digest,) in rows}


def keep_original(connection: Connection, paper_id: int, *, source: str, digest: str, record: str) -> None:
    """Keep what a source brought for a paper, as JSON text, as it came."""
    connection.execute(
        "INSERT OR IGNORE INTO originals (paper_id, source, digest, record) VALUES (?, ?, ?, ?)",
        (paper_id, source, digest, record),
    )


def originals(connection: Connection, paper_id: int, *, limit: int = 100) -> list[tuple[str, str, str]]:
    """Return what sources brought for a paper, as (source, digest, JSON text)."""
    return connection.execute(
        "SELECT source, digest, record FROM originals WHERE paper_id = ? ORDER BY source, digest LIMIT ?",
        (paper_id, limit),
    ).fetchall()


def has_original_from(connection: Connection, paper_id: int, source: str) -> bool:
    """Return whether ``source`` has brought the paper before."""
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM originals WHERE paper_id = ? AND source = ?)", (paper_id, source)
    ).fetchone()
    return bool(row[0])


def file_under(connection: Connection, paper_id: int, bands: Iterable[int]) -> None:
    """File a paper under these numbers, so that ``filed_under`` finds it."""
    connection.executemany(
        "INSERT OR IGNORE INTO sketches (band, paper_id) VALUES (?, ?)", [(band, paper_id) for band in bands]
    )


def filed_under(connection: Connection, bands: Sequence[int], *, limit: int = 50) -> list[int]:
    """Return the papers filed under any of these numbers, those with the most of them first."""
    rows = connection.execute(
        """
        SELECT paper_id FROM sketches
        WHERE band IN (SELECT value FROM json_each(:bands))
        GROUP BY paper_id
        ORDER BY count(*) DESC, paper_id
        LIMIT :limit
        """,
        {"bands": json.dumps(list(bands)), "limit": limit},
    )
    return [paper_id for (paper_id,) in rows]


def sketches(connection: Connection, ids: Sequence[int]) -> dict[int, bytes]:
    """Return the sketches of these papers' abstracts; papers without one are left out."""
    return dict(
        connection.execute(
            "SELECT paper_id, sketch FROM fingerprints WHERE paper_id IN (SELECT value FROM json_each(:ids))",
            {"ids": json.dumps(list(ids))},
        ).fetchall()
    )


def set_sketch(connection: Connection, paper_id: int, sketch: bytes) -> None:
    """Keep the sketch of a paper's abstract in place of an earlier one."""
    connection.execute(
        """
        INSERT INTO fingerprints (paper_id, sketch) VALUES (:id, :sketch)
        ON CONFLICT (paper_id) DO UPDATE SET sketch = excluded.sketch
        """,
        {"id": paper_id, "sketch": sketch},
    )


def compounds(*titles: str) -> str:
    """Return the hyphenated and camel-case words of titles, each in one piece: ``AP-Perf`` is ``apperf``.

    Lower case, accents folded, each once, in order, separated by spaces.
    """
    found: dict[str, None] = {}
    for title in titles:
        for match in sorted((*_COMPOUND.finditer(title), *_CAMEL.finditer(title)), key=re.Match[str].start):
            folded = unicodedata.normalize("NFKD", _NOT_WORD.sub("", match[0])).lower()
            found["".join(character for character in folded if not unicodedata.combining(character))] = None
    return " ".join(found)


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
    (paper_id, title, made, abstract, synopsis, authors, keywords, aliases, venue, year, track, url, published_on) = row
    return Paper(
        id=paper_id,
        title=title,
        title_made=bool(made),
        abstract=abstract,
        synopsis=synopsis,
        authors=tuple(json.loads(authors)),
        keywords=tuple(json.loads(keywords)),
        aliases=tuple(json.loads(aliases)),
        venue=venue,
        year=year,
        track=track,
        url=url,
        published_on=dt.date.fromisoformat(published_on) if published_on else None,
        identifiers=tuple(names.get(paper_id, ())),
    )


def _parameters(paper: Paper) -> dict[str, object]:
    return {
        "title": paper.title,
        "title_made": int(paper.title_made),
        "abstract": paper.abstract,
        "synopsis": paper.synopsis,
        "authors": _list(paper.authors),
        "keywords": _list(paper.keywords),
        "aliases": _list(paper.aliases),
        "venue": paper.venue,
        "year": paper.year,
        "track": paper.track,
        "url": paper.url,
        "published_on": paper.published_on.isoformat() if paper.published_on else None,
        "joined": compounds(*(() if paper.title_made else (paper.title,)), *paper.aliases),
    }


def _list(values: tuple[str, ...]) -> str:
    # As letters, not as \u escapes: the full-text index reads this very text.
    return json.dumps(values, ensure_ascii=False)


def _add_identifiers(connection: Connection, paper_id: int, names: Iterable[str]) -> None:
    for name in names:
        try:
            connection.execute("INSERT INTO identifiers (name, paper_id) VALUES (?, ?)", (name, paper_id))
        except sqlite3.IntegrityError:
            if owners(connection, [name]).get(name) != paper_id:
                raise
