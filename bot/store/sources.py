"""The sources' tables: what each has brought, and how each fares.

Functions over a ``Connection``, to be run by ``Database.read`` and ``Database.write``.
"""

import datetime as dt
import json
from collections.abc import Iterable, Sequence

from bot.store.database import Connection


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


def _number(connection: Connection, source: str) -> int:
    connection.execute("INSERT OR IGNORE INTO sources (name) VALUES (?)", (source,))
    return int(connection.execute("SELECT id FROM sources WHERE name = ?", (source,)).fetchone()[0])
