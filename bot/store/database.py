"""The SQLite file: how it is opened, read and written.

A write is one function that runs whole on the writer's thread, inside one transaction, together
with the others that wait: a caller that is cancelled can only abandon the answer and never leaves
a transaction open (two coroutines on one connection would share one, omnilib/aiosqlite#19). A read
is one function on a reader's thread, because a hop between threads costs more than most queries.
"""

import asyncio
import contextlib
import sqlite3
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self, TypeVar

import aiosqlite

from bot.errors import StoreError
from bot.store import migrating

Connection = sqlite3.Connection
"""What the modules of the store take; only they and ``Database`` know that it is SQLite's."""

T = TypeVar("T")

_MOST_IN_ONE_COMMIT = 256


@dataclass(slots=True)
class _Job:
    work: Callable[[Connection], Any]
    answer: asyncio.Future[Any]


class Database:
    """One writer and a few readers over one file.

    Open it with ``Database.open``; close it with ``close`` or use it as an async context manager.
    """

    def __init__(self, path: Path, writer: aiosqlite.Connection, readers: list[aiosqlite.Connection]) -> None:
        self.path = path
        self._writer = writer
        self._readers = readers
        self._idle: asyncio.LifoQueue[aiosqlite.Connection] = asyncio.LifoQueue()
        for reader in readers:
            self._idle.put_nowait(reader)
        self._jobs: deque[_Job] = deque()
        self._pump: asyncio.Task[None] | None = None
        self._closed = False

    @classmethod
    async def open(cls, path: Path, *, readers: int = 2) -> Self:
        """Open the file, making it and its folder if they are not there, and bring its schema up to date.

        Before a migration of a file that has content, a copy is kept beside it.

        Args:
            path: where the file is or shall be.
            readers: connections that may read at the same time, 1..8.

        Raises:
            StoreError: the file is not SQLite, not ours, newer than this version, damaged or not writable.
        """
        if not 1 <= readers <= 8:
            raise ValueError("readers must lie in 1..8")
        await asyncio.to_thread(migrating.prepare, path)
        opened: list[aiosqlite.Connection] = []
        try:
            for number in range(1 + readers):
                connection = await aiosqlite.connect(path, isolation_level=None)
                opened.append(connection)
                await _on(connection, migrating.tune_writer if number == 0 else migrating.tune_reader)
        except (sqlite3.Error, OSError) as error:
            for connection in opened:
                await connection.close()
            raise StoreError(f"The library at {path} cannot be opened: {error}.") from error
        return cls(path, opened[0], opened[1:])

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` on a connection that cannot write and return what it returns.

        ``work`` must read all it needs before it returns: no cursor may leave it.

        Raises:
            StoreError: the database is closed.
        """
        self._must_be_open()
        reader = await self._idle.get()
        try:
            return await _on(reader, work)
        finally:
            # A cancelled read still runs on its thread; the next one on this connection queues behind it.
            self._idle.put_nowait(reader)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in a transaction and return what it returns, once it is on the disk.

        When ``work`` raises, nothing of it is kept, and nothing of other writes is lost. A caller
        that is cancelled does not know whether the write happened; it happened whole or not at all.

        Raises:
            StoreError: the database is closed.
        """
        self._must_be_open()
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._jobs.append(_Job(work, answer))
        if self._pump is None or self._pump.done():
            self._pump = asyncio.create_task(self._write_waiting(), name="store writer")
        return await answer

    async def schema(self) -> int:
        """Return the number of the newest migration that the file has had."""
        return await self.read(migrating.version_of)

    async def backup(self, target: Path) -> None:
        """Copy the database, as it stands at one moment, to a new file; writes go on meanwhile.

        Raises:
            StoreError: ``target`` exists or cannot be written.
        """
        await self.read(lambda connection: migrating.copy(connection, target))

    async def close(self) -> None:
        """Finish what was accepted, then close every connection; may be called twice."""
        if self._closed:
            return
        self._closed = True
        if self._pump is not None:
            with contextlib.suppress(asyncio.CancelledError):
                await self._pump
        for connection in (*self._readers, self._writer):
            await connection.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _must_be_open(self) -> None:
        if self._closed:
            raise StoreError("The library is closed.")

    async def _write_waiting(self) -> None:
        while self._jobs:
            jobs = [self._jobs.popleft() for _ in range(min(len(self._jobs), _MOST_IN_ONE_COMMIT))]
            try:
                outcomes = await _on(self._writer, partial(_commit_together, [job.work for job in jobs]))
            except Exception as error:  # noqa: BLE001 -- it is handed to every caller, none of whose writes was kept
                outcomes: list[tuple[Any, Exception | None]] = [(None, error)] * len(jobs)
            for job, (value, error) in zip(jobs, outcomes, strict=True):
                if job.answer.done():
                    continue
                if error is None:
                    job.answer.set_result(value)
                else:
                    job.answer.set_exception(error)


async def _on(connection: aiosqlite.Connection, work: Callable[[Connection], T]) -> T:
    """Run ``work`` on the connection's own thread, in one hop; aiosqlite offers no public way to do that."""
    return await connection._execute(lambda: work(connection._conn))  # pyright: ignore[reportPrivateUsage, reportUnknownMemberType]


def _commit_together(
    works: list[Callable[[Connection], Any]], connection: Connection
) -> list[tuple[Any, Exception | None]]:
    outcomes: list[tuple[Any, Exception | None]] = []
    connection.execute("BEGIN IMMEDIATE")
    try:
        for work in works:
            connection.execute("SAVEPOINT one_write")
            try:
                outcomes.append((work(connection), None))
            except Exception as error:
                if not connection.in_transaction:
                    # A full disk or an I/O error has rolled everything back already.
                    raise
                connection.execute("ROLLBACK TO one_write")
                outcomes.append((None, error))
            connection.execute("RELEASE one_write")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return outcomes


@contextlib.contextmanager
def reading(path: Path) -> Generator[Connection]:
    """Open a library that is open elsewhere, in this process or another, for reading only.

    The connection may go from one thread to another, but be used by one at a time.
    """
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, check_same_thread=False)
    try:
        migrating.tune_reader(connection)
        yield connection
    finally:
        connection.close()
