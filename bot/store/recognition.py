"""By what papers without a common identifier are recognised: under which numbers they are filed.

Functions over a ``Connection``, to be run by ``Database.read`` and ``Database.write``.
"""

import json
from collections.abc import Iterable, Sequence

from bot.store.database import Connection


def file_under(connection: Connection, filed: Iterable[tuple[int, int]]) -> None:
    """File papers, each pair a number of 31 bits and a paper's id, so that ``filed_under`` finds them."""
    # In their order, neighbours land on the same pages of the table.
    connection.executemany("INSERT OR IGNORE INTO bands (band, paper_id) VALUES (?, ?)", sorted(filed))


def filed_under(connection: Connection, bands: Sequence[int], *, limit: int = 50) -> list[int]:
    """Return the papers filed under any of these numbers, those with the most of them first."""
    rows = connection.execute(
        """
        SELECT paper_id FROM bands
        WHERE band IN (SELECT value FROM json_each(:bands))
        GROUP BY paper_id
        ORDER BY count(*) DESC, paper_id
        LIMIT :limit
        """,
        {"bands": json.dumps(list(bands)), "limit": limit},
    )
    return [paper_id for (paper_id,) in rows]


def taken_bands(connection: Connection, bands: Sequence[int]) -> set[int]:
    """Return those of the numbers that some paper is filed under."""
    rows = connection.execute(
        """
        SELECT value FROM json_each(:bands)
        WHERE EXISTS (SELECT 1 FROM bands WHERE band = value)
        """,
        {"bands": json.dumps(list(bands))},
    )
    return {band for (band,) in rows}


def forget_bands(connection: Connection) -> None:
    """Take every paper out of the files, to file them anew."""
    connection.execute("DELETE FROM bands")


def fingerprints(connection: Connection, ids: Sequence[int]) -> dict[int, bytes]:
    """Return the runs of abstracts that the library does not have, for those of these papers with one."""
    return dict(
        connection.execute(
            "SELECT paper_id, runs FROM fingerprints WHERE paper_id IN (SELECT value FROM json_each(:ids))",
            {"ids": json.dumps(list(ids))},
        ).fetchall()
    )


def set_fingerprint(connection: Connection, paper_id: int, runs: bytes | None) -> None:
    """Keep the runs of an abstract that the library does not have; None when it has it now."""
    connection.execute("DELETE FROM fingerprints WHERE paper_id = ?", (paper_id,))
    if runs is not None:
        connection.execute("INSERT INTO fingerprints (paper_id, runs) VALUES (?, ?)", (paper_id, runs))
