"""The store's contract: what is written is whole, what fails leaves nothing, and readers cannot write."""

import asyncio
import sqlite3
from pathlib import Path

import pytest

from bot.errors import StoreError
from bot.store import facts
from bot.store.database import Connection, Database


def names(connection: Connection) -> list[str]:
    return [row[0] for row in connection.execute("SELECT name FROM facts ORDER BY name")]


def keep(name: str):
    return lambda connection: facts.keep_fact(connection, name, "kept")


async def test_a_fact_is_there_after_the_store_was_closed_and_opened_again(tmp_path: Path):
    async with await Database.open(tmp_path / "new" / "library.db") as database:
        await database.write(keep("one"))
    async with await Database.open(tmp_path / "new" / "library.db") as database:
        assert await database.read(names) == ["one"]


async def test_a_write_that_fails_leaves_nothing_and_harms_no_other(database: Database):
    def half(connection: Connection) -> None:
        facts.keep_fact(connection, "half", "kept")
        raise ValueError("in the middle")

    outcomes = await asyncio.gather(
        database.write(keep("before")), database.write(half), database.write(keep("after")), return_exceptions=True
    )

    assert isinstance(outcomes[1], ValueError)
    assert await database.read(names) == ["after", "before"]


async def test_a_cancelled_write_happens_whole_or_not_at_all_and_the_next_goes_through(database: Database):
    def two(connection: Connection) -> None:
        facts.keep_fact(connection, "a", "kept")
        facts.keep_fact(connection, "b", "kept")

    writing = asyncio.create_task(database.write(two))
    await asyncio.sleep(0)
    writing.cancel()
    await asyncio.gather(writing, return_exceptions=True)
    await database.write(keep("c"))

    assert await database.read(names) in (["a", "b", "c"], ["c"])


async def test_many_writers_and_readers_at_once_lose_nothing(database: Database):
    async def write_and_read(number: int) -> None:
        await database.write(keep(f"{number:03}"))
        assert f"{number:03}" in await database.read(names)

    await asyncio.gather(*(write_and_read(number) for number in range(200)))

    assert len(await database.read(names)) == 200


async def test_two_processes_on_one_file_do_not_lock_each_other_out(tmp_path: Path):
    """Each has its own writer; the busy timeout lets one wait for the other."""
    one = await Database.open(tmp_path / "library.db")
    other = await Database.open(tmp_path / "library.db")
    async with one, other:
        await asyncio.gather(*(store.write(keep(f"{number:03}")) for number in range(100) for store in (one, other)))
        assert len(await one.read(names)) == 100


async def test_a_reader_cannot_write(database: Database):
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        await database.read(keep("one"))


async def test_a_write_waits_for_the_disk(database: Database):
    """NORMAL would forget the last commits on a power loss, and with them which messages were sent."""
    assert await database.write(lambda connection: connection.execute("PRAGMA synchronous").fetchone()[0]) == 2
    assert await database.read(lambda connection: connection.execute("PRAGMA journal_mode").fetchone()[0]) == "wal"


async def test_a_backup_taken_while_writes_go_on_is_whole(database: Database, tmp_path: Path):
    writes = [asyncio.create_task(database.write(keep(f"{number:03}"))) for number in range(50)]
    await database.backup(tmp_path / "copy.db")
    await asyncio.gather(*writes)

    async with await Database.open(tmp_path / "copy.db") as copied:
        assert set(await copied.read(names)) <= {f"{number:03}" for number in range(50)}
    assert (tmp_path / "copy.db").stat().st_mode & 0o077 == 0


async def test_a_backup_never_overwrites_a_file(database: Database, tmp_path: Path):
    (tmp_path / "precious").write_text("mine")
    with pytest.raises(StoreError, match="exists already"):
        await database.backup(tmp_path / "precious")
    assert (tmp_path / "precious").read_text() == "mine"


async def test_a_closed_store_says_so(database: Database):
    await database.close()
    await database.close()
    with pytest.raises(StoreError, match="closed"):
        await database.read(names)
