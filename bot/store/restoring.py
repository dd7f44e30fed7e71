"""Putting a backup in the store's place, checked before anything is replaced."""

import contextlib
import sqlite3
from pathlib import Path

from bot.errors import StoreError
from bot.store import migrating


def restore(backup: Path, store: Path) -> Path | None:
    """Replace the file at ``store`` by a checked copy of ``backup``.

    The copy is made and checked beside the store, and takes its place in one step; nobody may have
    the store open meanwhile (hold a ``Claim``).

    Returns:
        Where the replaced file is kept, or None when there was none.

    Raises:
        StoreError: ``backup`` is missing, damaged, not ours or newer than this version; the store
            is then as it was.
    """
    if not backup.is_file():
        raise StoreError(f"There is no file {backup}.")
    fresh = migrating.free_name(store.with_name(f"{store.name}.restoring"))
    try:
        with contextlib.closing(sqlite3.connect(f"{backup.resolve().as_uri()}?mode=ro", uri=True)) as source:
            migrating.check_is_ours(source, backup)
            migrating.copy(source, fresh)
        with contextlib.closing(sqlite3.connect(fresh)) as copied:
            verdict = str(copied.execute("PRAGMA integrity_check").fetchone()[0])
        if verdict != "ok":
            raise StoreError(f"{backup} is damaged: {verdict}.")
        migrating.prepare(fresh)
        kept = _set_aside(store)
        fresh.replace(store)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"{backup} cannot be restored: {error}.") from error
    finally:
        for leftover in (fresh, *_beside(fresh)):
            leftover.unlink(missing_ok=True)
    return kept


def _set_aside(store: Path) -> Path | None:
    if not store.exists():
        return None
    # Whatever the write-ahead log holds belongs into the file before the file is moved.
    with contextlib.closing(sqlite3.connect(store)) as old:
        old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = migrating.free_name(store.with_name(f"{store.name}.replaced"))
    store.replace(kept)
    for leftover in _beside(store):
        leftover.unlink(missing_ok=True)
    return kept


def _beside(path: Path) -> tuple[Path, Path]:
    return path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")
