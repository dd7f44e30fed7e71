"""From an empty or older file to the present schema, forward only.

``PRAGMA application_id`` tells our files from others, ``PRAGMA user_version`` counts the migrations
that a file has had. Each migration is a numbered ``.sql`` file and one transaction.
"""

import contextlib
import json
import os
import sqlite3
from importlib import resources
from pathlib import Path

from bot.errors import StoreError
from bot.store import packing
from bot.store.packing import Original

APPLICATION_ID = 0x50525244
"""``PRRD``, in the header of every file of ours."""

_MINIMUM_SQLITE = (3, 37, 0)  # STRICT tables


def scripts() -> list[tuple[int, str]]:
    """Return the migrations as (number, SQL), in their order, numbered from 1 without a gap."""
    folder = resources.files("bot.store") / "migrations"
    files = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".sql"))
    found = [(int(name[:4]), (folder / name).read_text(encoding="utf-8")) for name in files]
    if [number for number, _ in found] != list(range(1, len(found) + 1)):
        raise StoreError("The migrations inside the package are not complete; install Paper Round again.")
    return found


def prepare(path: Path) -> None:
    """Make the file at ``path`` ready for use: create it, or bring it to the present schema.

    Raises:
        StoreError: as ``Database.open``.
    """
    if sqlite3.sqlite_version_info < _MINIMUM_SQLITE:
        raise StoreError(f"Paper Round needs SQLite 3.37 or newer; this Python brings {sqlite3.sqlite_version}.")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None, timeout=30)) as connection:
            check_is_ours(connection, path)
            # Of a new file only: long rows fill larger pages better.
            connection.execute("PRAGMA page_size = 8192")
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
            connection.execute("PRAGMA synchronous = FULL")
            connection.create_function("packed", 2, _packed, deterministic=True)
            _migrate(connection, path)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"The library at {path} cannot be used: {error}.") from error


def version_of(connection: sqlite3.Connection) -> int:
    """Return how many migrations the file has had; 0 for an empty one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def tune_writer(connection: sqlite3.Connection) -> None:
    """Set a connection up for writing durably: FULL, since NORMAL forgets an intent on power loss."""
    connection.execute("PRAGMA busy_timeout = 10000")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA cache_size = -65536")


def tune_reader(connection: sqlite3.Connection) -> None:
    """Set a connection up so that it can only read."""
    connection.execute("PRAGMA busy_timeout = 10000")
    connection.execute("PRAGMA query_only = ON")


def copy(connection: sqlite3.Connection, target: Path) -> None:
    """Copy the whole database of ``connection`` to a new file that nobody else may read.

    Raises:
        StoreError: ``target`` exists or cannot be written.
    """
    if target.exists():
        raise StoreError(f"{target} exists already; name a new file.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with contextlib.closing(sqlite3.connect(target)) as copied:
            connection.backup(copied, pages=1024)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"The copy {target} cannot be written: {error}.") from error


def check_is_ours(connection: sqlite3.Connection, path: Path) -> None:
    """See that the file is empty or a library of ours that this version can read.

    Raises:
        StoreError: it is not SQLite, not ours, or newer than this version.
    """
    try:
        application_id = int(connection.execute("PRAGMA application_id").fetchone()[0])
        tables = int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
    except sqlite3.DatabaseError as error:
        raise StoreError(f"{path} is not a Paper Round library: {error}.") from error
    if application_id != APPLICATION_ID and (application_id != 0 or tables > 0):
        raise StoreError(f"{path} belongs to another program; name another file.")
    known = len(scripts())
    present = version_of(connection)
    if present > known:
        raise StoreError(
            f"{path} was written by a newer Paper Round (schema {present}, this one knows {known}); update Paper Round."
        )


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    version = version_of(connection)
    waiting = [(number, sql) for number, sql in scripts() if number > version]
    if waiting and version > 0:
        copy(connection, free_name(path.with_name(f"{path.name}.before-{version + 1}")))
    for number, sql in waiting:
        # executescript would commit first; as one script the BEGIN and the COMMIT hold it together.
        # The version is read again inside, since another process may have been quicker.
        try:
            connection.execute("BEGIN IMMEDIATE")
            if version_of(connection) < number:
                for statement in _statements(sql):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _packed(abstract: str | None, originals: str) -> bytes:
    """For migration 2: pack an abstract with the source and record pairs of a JSON array."""
    pairs = json.loads(originals)
    return packing.pack(abstract, [Original(source=source, record=record) for source, record in pairs])[1]


def _statements(sql: str) -> list[str]:
    """Split a script at the semicolons that end a statement, as SQLite itself sees them."""
    statements: list[str] = []
    waiting = ""
    for line in sql.splitlines(keepends=True):
        waiting += line
        if line.rstrip().endswith(";") and sqlite3.complete_statement(waiting):
            statements.append(waiting.strip())
            waiting = ""
    if waiting.strip():
        statements.append(waiting.strip())
    return statements


def free_name(path: Path) -> Path:
    """Return ``path``, or where it is taken the first of ``path-2``, ``path-3``, … that is not."""
    candidate = path
    number = 1
    while os.path.lexists(candidate):
        number += 1
        candidate = path.with_name(f"{path.name}-{number}")
    return candidate
