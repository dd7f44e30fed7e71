"""Importing a large list: its speed, what it takes of memory and disk, and how commands fare meanwhile.

    python tests/bench/bench_import.py [PAPERS]

Prints a table and one line of JSON. Without the real data it says so and ends well.
"""

import asyncio
import datetime as dt
import gzip
import itertools
import json
import resource
import sys
import tempfile
import time
from pathlib import Path

from bot.search.searcher import Searcher
from bot.sources.files import FileSource
from bot.sources.importer import Importer
from bot.store.database import Database

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
QUERIES = (
    "difusion policies",
    "graph neural network",
    "tidal energy",
    "robust federated lerning",
    "lets verify step by step",
)


def first_lines(count: int, target: Path) -> Path:
    with gzip.open(DATA / "scale_100k.jsonl.gz", "rb") as packed, target.open("wb") as plain:
        plain.writelines(itertools.islice(packed, count))
    return target


def size(path: Path) -> int:
    return path.stat().st_size


def memory_mb() -> float:
    here = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    apart = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return (here + apart) / 1024


async def timed(source: Path, store: Path) -> dict[str, float]:
    """Import into an empty library, then again; return seconds and sizes."""
    async with await Database.open(store) as database:
        importer = Importer(database, lambda: dt.datetime.now(dt.UTC))
        began = time.perf_counter()
        report = await importer.run(FileSource(source))
        first = time.perf_counter() - began
        began = time.perf_counter()
        again = await importer.run(FileSource(source))
        second = time.perf_counter() - began
    return {
        "papers": report.read,
        "merged": report.merged,
        "seconds": first,
        "papers a second": report.read / first,
        "repeat seconds": second,
        "repeat unchanged": again.unchanged,
        "disk to text": size(store) / size(source),
    }


async def latencies(database: Database, until: asyncio.Task | None, count: int) -> list[float]:
    searcher = Searcher(database)
    found: list[float] = []
    for query in itertools.cycle(QUERIES):
        if len(found) >= count or (until is not None and until.done()):
            return sorted(found)
        began = time.perf_counter()
        await searcher.search(query)
        found.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(0.01)
    return found


async def searched_meanwhile(library: Path, more: Path) -> dict[str, float]:
    """Search a library, idle and while an import runs into it; return both 99th percentiles in milliseconds."""
    async with await Database.open(library) as database:
        await latencies(database, None, 50)
        idle = await latencies(database, None, 300)
        importer = Importer(database, lambda: dt.datetime.now(dt.UTC))
        running = asyncio.create_task(importer.run(FileSource(more)))
        busy = await latencies(database, running, 100_000)
        await running
    return {"idle p99 ms": idle[int(len(idle) * 0.99)], "importing p99 ms": busy[int(len(busy) * 0.99)]}


async def main(arguments: list[str]) -> None:
    if not DATA.is_dir():
        print(f"SKIPPED: the real data are not here ({DATA}).")
        return
    count = int(arguments[0]) if arguments else 100_000
    with tempfile.TemporaryDirectory() as folder:
        small_text = first_lines(max(count // 10, 1), Path(folder, "small.jsonl"))
        text = first_lines(count, Path(folder, "all.jsonl"))
        small = await timed(small_text, Path(folder, "small.db"))
        whole = await timed(text, Path(folder, "all.db"))
        figures = {
            "small": small,
            "whole": whole,
            "cost a paper, whole to small": (whole["seconds"] / whole["papers"]) / (small["seconds"] / small["papers"]),
            "memory MB, both processes": memory_mb(),
            **await searched_meanwhile(Path(folder, "small.db"), text),
        }
    for name, one in (("small", small), ("whole", whole)):
        print(
            f"{name:6} {one['papers']:7,.0f} papers {one['seconds']:7.1f} s  {one['papers a second']:6,.0f} a second  "
            f"repeated {one['repeat seconds']:5.1f} s  disk {one['disk to text']:.2f} times the text"
        )
    print(f"cost a paper, whole to small: {figures['cost a paper, whole to small']:.2f}")
    print(f"memory at most, both processes: {figures['memory MB, both processes']:.0f} MB")
    print(f"search p99: {figures['idle p99 ms']:.1f} ms idle, {figures['importing p99 ms']:.1f} ms while importing")
    print(json.dumps(figures))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
