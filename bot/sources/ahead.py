"""Reading and cleaning papers ahead of the store; of large sources in a process of their own.

Cleaning costs as much time as storing. In one process the two would share one interpreter's lock, and the bot
that answers commands meanwhile would wait for both.
"""

import asyncio
import contextlib
import gc
import itertools
import os
import pickle
import struct
import sys
from collections.abc import AsyncGenerator, Generator
from dataclasses import dataclass
from pathlib import Path

from bot.errors import Unavailable
from bot.models import Refusal
from bot.sources.base import RawPaper, Source
from bot.sources.preparing import PreparedPaper, digest, prepare
from bot.store import sources
from bot.store.database import reading

BATCH = 500
"""Records at a time."""

_LENGTH = struct.Struct(">Q")
_BUFFER = 4 * 1024 * 1024
_WITHOUT_HASTE = 10  # nice(2): commands go first


@dataclass(frozen=True, kw_only=True)
class Batch:
    """What became of the next records of a source.

    Attributes:
        read: how many records there were, refused ones among them.
        unchanged: how many the source has brought before, just so.
        refusals: in order.
        prepared: the others, in order.
    """

    read: int
    unchanged: int
    refusals: tuple[Refusal, ...]
    prepared: tuple[PreparedPaper, ...]


async def batches(source: Source, library: Path) -> AsyncGenerator[Batch]:
    """Yield what the source brings, batch by batch; the next one is being prepared meanwhile if it is large.

    Raises:
        Unavailable: the other process was killed.
    """
    if source.is_large:
        async with contextlib.aclosing(_apart(source, library)) as found:
            async for batch in found:
                yield batch
        return
    here = _batches(source, library)
    try:
        while (batch := await asyncio.to_thread(next, here, None)) is not None:
            yield batch
    finally:
        await asyncio.to_thread(here.close)


def holds(source: Source, number: int) -> bool:
    """Return whether the source brings at least this many papers; reads no further than that."""
    papers = (found for found in source.read() if isinstance(found, RawPaper))
    return sum(1 for _ in itertools.islice(papers, number)) >= number


def _batches(source: Source, library: Path) -> Generator[Batch]:
    with reading(library) as connection:
        records = source.read()
        while taken := list(itertools.islice(records, BATCH)):
            digests = [digest(found) for found in taken if isinstance(found, RawPaper)]
            known = sources.seen(connection, source.name, digests)
            numbers = iter(digests)
            fresh = [found for found in taken if isinstance(found, Refusal) or next(numbers) not in known]
            results = prepare(fresh, source=source.name, digests=[number for number in digests if number not in known])
            yield Batch(
                read=len(taken),
                unchanged=sum(number in known for number in digests),
                refusals=tuple(found for found in results if isinstance(found, Refusal)),
                prepared=tuple(found for found in results if isinstance(found, PreparedPaper)),
            )


async def _apart(source: Source, library: Path) -> AsyncGenerator[Batch]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        "from bot.sources.ahead import work; work()",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=_BUFFER,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert process.stdin is not None and process.stdout is not None  # noqa: S101, PT018 - both are pipes
    try:
        process.stdin.write(pickle.dumps((source, library)))
        process.stdin.write_eof()
        while True:
            size = _LENGTH.unpack(await process.stdout.readexactly(_LENGTH.size))[0]
            if size == 0:
                return
            found = pickle.loads(await process.stdout.readexactly(size))  # noqa: S301 - of our own process
            if isinstance(found, BaseException):
                raise found
            yield found
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        raise Unavailable(
            "The process that reads the papers was ended from outside, perhaps for want of memory; "
            "what came before is kept. Import again to go on."
        ) from error
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def work() -> None:
    """Be that process: read a source and a library's path from standard input, write batches to standard output."""
    with contextlib.suppress(OSError, AttributeError):
        os.nice(_WITHOUT_HASTE)
    # Batches hold no cycles, and looking for some takes a tenth of the time.
    gc.disable()
    source, library = pickle.loads(sys.stdin.buffer.read())  # noqa: S301 - of our own process
    try:
        for batch in _batches(source, library):
            _send(pickle.dumps(batch))
    except Exception as error:  # noqa: BLE001 - it is raised again in the process that asked
        _send(pickle.dumps(error))
    _send(b"")


def _send(content: bytes) -> None:
    sys.stdout.buffer.write(_LENGTH.pack(len(content)) + content)
    sys.stdout.buffer.flush()
