"""The sources' tables: what each has brought, and how each fares.

Functions over a ``Connection``, to be run by ``Database.read`` and ``Database.write``.
"""

import datetime as dt
import json
from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

from bot.models import SourceRecord
from bot.store.database import Connection
from bot.store.moments import optional_instant

_SELECT: LiteralString = """
    SELECT name, records, read_at, asked_at, answered_at, new_paper_at, longest_gap, failing_since, error
    FROM sources
"""


def seen(connection: Connection, source: str, digests: Sequence[int]) -> set[int]:
    """Return those of the digests that ``source`` has brought before."""
    rows = connection.execute(
        """
        SELECT digest FROM records_seen
        WHERE source_id = (SELECT id FROM sources WHERE name = :source)
            AND digest IN (SELECT value FROM json_each(:digests))
        """,
        {"source": source, "digests": json.dumps(list(digests))},
    )
    return {digest for (digest,) in rows}


def remember(connection: Connection, source: str, digests: Iterable[int]) -> None:
    """Remember the digests of what ``source`` has brought."""
    number = _number(connection, source)
    connection.executemany(
        "INSERT OR IGNORE INTO records_seen (source_id, digest) VALUES (?, ?)",
        [(number, digest) for digest in sorted(digests)],
    )


def size(connection: Connection, source: str) -> int:
    """Return how many papers the source brought when it was last read to its end; 0 for an unknown one."""
    row = connection.execute("SELECT records FROM sources WHERE name = ?", (source,)).fetchone()
    return int(row[0]) if row else 0


def read_whole(connection: Connection, source: str, *, records: int, moment: dt.datetime) -> None:
    """Remember that the source was read to its end and brought so many papers."""
    connection.execute(
        "UPDATE sources SET records = :records, read_at = :moment WHERE id = :id",
        {"records": records, "moment": int(moment.timestamp()), "id": _number(connection, source)},
    )


def record_of(connection: Connection, source: str) -> SourceRecord:
    """Return what is known of a source; of one that was never read, nothing but its name."""
    row = connection.execute(_SELECT + "WHERE name = ?", (source,)).fetchone()
    return _record(row) if row else SourceRecord(name=source)


def all_records(connection: Connection) -> list[SourceRecord]:
    """Return what is known of every source, by their names."""
    return [_record(row) for row in connection.execute(_SELECT + "ORDER BY name")]


def state_of(connection: Connection, source: str) -> str:
    """Return what a site is asked with next time, as JSON text."""
    row = connection.execute("SELECT state FROM sources WHERE name = ?", (source,)).fetchone()
    return str(row[0]) if row else "{}"


def answered(connection: Connection, source: str, *, state: str, has_new: bool, moment: dt.datetime) -> None:
    """Remember that a site answered, what it is to be asked with next time, and whether a paper was new."""
    connection.execute(
        """
        UPDATE sources
        SET asked_at = :moment, answered_at = :moment, state = :state, failing_since = NULL, error = NULL,
            longest_gap = CASE
                WHEN :has_new AND new_paper_at IS NOT NULL THEN max(ifnull(longest_gap, 0), :moment - new_paper_at)
                ELSE longest_gap
            END,
            new_paper_at = CASE WHEN :has_new THEN :moment ELSE new_paper_at END
        WHERE id = :id
        """,
        {
            "id": _number(connection, source),
            "moment": int(moment.timestamp()),
            "state": state,
            "has_new": int(has_new),
        },
    )


def failed(connection: Connection, source: str, *, why: str, moment: dt.datetime) -> None:
    """Remember that a site could not be read, and since when that is so."""
    connection.execute(
        """
        UPDATE sources
        SET asked_at = :moment, failing_since = ifnull(failing_since, :moment), error = :why
        WHERE id = :id
        """,
        {"id": _number(connection, source), "moment": int(moment.timestamp()), "why": why},
    )


def _record(row: tuple[Any, ...]) -> SourceRecord:
    name, records, read_at, asked_at, answered_at, new_paper_at, longest_gap, failing_since, error = row
    return SourceRecord(
        name=name,
        records=records,
        read_at=optional_instant(read_at),
        asked_at=optional_instant(asked_at),
        answered_at=optional_instant(answered_at),
        new_paper_at=optional_instant(new_paper_at),
        longest_gap=None if longest_gap is None else dt.timedelta(seconds=longest_gap),
        failing_since=optional_instant(failing_since),
        error=error,
    )


def _number(connection: Connection, source: str) -> int:
    connection.execute("INSERT OR IGNORE INTO sources (name) VALUES (?)", (source,))
    return int(connection.execute("SELECT id FROM sources WHERE name = ?", (source,)).fetchone()[0])
