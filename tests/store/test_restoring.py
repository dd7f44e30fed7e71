"""A backup takes the store's place whole, or the store stays as it was."""

import contextlib
import os
import sqlite3
from pathlib import Path

import pytest

from bot.errors import StoreError
from bot.store import facts
from bot.store.database import Database
from bot.store.restoring import restore


async def store_with(path: Path, name: str) -> None:
    async with await Database.open(path) as database:
        await database.write(lambda connection: facts.keep_fact(connection, "who", name))


async def who(path: Path) -> str | None:
    async with await Database.open(path) as database:
        return await database.read(lambda connection: facts.find_fact(connection, "who"))


async def test_a_restored_backup_is_the_store_and_the_old_one_is_kept(tmp_path: Path):
    await store_with(tmp_path / "library.db", "new")
    await store_with(tmp_path / "backup.db", "old")

    kept = restore(tmp_path / "backup.db", tmp_path / "library.db")

    assert await who(tmp_path / "library.db") == "old"
    assert kept is not None
    assert await who(kept) == "new"
    assert await who(tmp_path / "backup.db") == "old"


async def test_restoring_where_nothing_is_makes_the_store(tmp_path: Path):
    await store_with(tmp_path / "backup.db", "old")
    assert restore(tmp_path / "backup.db", tmp_path / "library.db") is None
    assert await who(tmp_path / "library.db") == "old"


async def test_a_damaged_backup_is_refused_and_the_store_stays(tmp_path: Path):
    await store_with(tmp_path / "library.db", "new")
    await store_with(tmp_path / "backup.db", "old")
    whole = (tmp_path / "backup.db").read_bytes()
    (tmp_path / "backup.db").write_bytes(whole[:8192] + b"\xff" * 8192 + whole[16384:])

    with pytest.raises(StoreError):
        restore(tmp_path / "backup.db", tmp_path / "library.db")
    assert await who(tmp_path / "library.db") == "new"
    assert not [name for name in os.listdir(tmp_path) if "restoring" in name or "replaced" in name]  # noqa: PTH208


async def test_another_programs_file_and_a_missing_one_are_refused(tmp_path: Path):
    await store_with(tmp_path / "library.db", "new")
    with contextlib.closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE theirs (id INTEGER)")
        connection.commit()

    for wrong in ("other.db", "nowhere.db"):
        with pytest.raises(StoreError, match=wrong.split(".")[0]):
            restore(tmp_path / wrong, tmp_path / "library.db")
    assert await who(tmp_path / "library.db") == "new"
