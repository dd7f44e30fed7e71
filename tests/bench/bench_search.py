"""The search, measured: what it finds, how fast, and what it holds. Beside it stand what others do.

    python tests/bench/bench_search.py [DATA_FOLDER] [--quick] [--only PART] [--seed 5] [--failures CLASS]

The parts: known (twelve classes of half-remembered papers, latency), list (the queries over ICLR 2024, and those
without an answer), loop (its longest freeze), typing (autocompletion), memory, and with --million: million (latency
and random picks among 1,000,000). Tune on seed 5; report seed 6. The libraries are kept for the next run. The last
line is JSON.
"""

import argparse
import asyncio
import datetime as dt
import json
import multiprocessing
import random
import statistics
import sys
import time
import tracemalloc
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from figures import chi_square, figures, over_classes, percentiles
from known_items import KnownItem, known_items
from libraries import Library, imported, json_lines, million
from rivals import SLOW, rivals

from bot.errors import InvalidInput
from bot.search.keeping import KeptHeadings
from bot.search.picker import Picker
from bot.search.searcher import Searcher
from bot.store.database import Database

PARTS = ("known", "list", "loop", "typing", "memory", "million")
_ANSWERS = 10
_SLOW_PER_CLASS = 20
_QUICK_SLOW_PER_CLASS = 5
_AT_ONCE = 64
Find = Callable[[str], Awaitable[list[int]]]


async def ranks(
    asked: Sequence[tuple[str, str, set[int]]], find: Find
) -> tuple[dict[str, list[int]], dict[str, float], list[tuple[str, str, set[int], list[int]]]]:
    """Return the ranks by class, the latency, and what did not come first."""
    places: dict[str, list[int]] = defaultdict(list)
    milliseconds: list[float] = []
    missed: list[tuple[str, str, set[int], list[int]]] = []
    # In the order of the classes, what one query leaves warm would serve the next one too often.
    for name, query, wanted in random.Random(7).sample(asked, len(asked)):
        began = time.perf_counter()
        found = await find(query)
        milliseconds.append((time.perf_counter() - began) * 1000)
        places[name].append(next((place for place, one in enumerate(found, 1) if one in wanted), 0))
        if places[name][-1] != 1:
            missed.append((name, query, wanted, found))
    return places, percentiles(milliseconds), missed


def _product(searcher: Searcher) -> Find:
    async def find(query: str) -> list[int]:
        try:
            return [hit.paper.id for hit in (await searcher.search(query, limit=_ANSWERS)).hits]
        except InvalidInput:
            return []

    return find


async def known(library: Library, items: Sequence[KnownItem], chosen: argparse.Namespace) -> dict[str, Any]:
    asked = [(item.name, item.query, {library.rows[item.target].id}) for item in items]
    report: dict[str, Any] = {}
    async with await Database.open(library.path) as database:
        searcher = Searcher(database)
        began = time.perf_counter()
        await searcher.search("warm up")
        report["first_ms"] = round((time.perf_counter() - began) * 1000)
        places, latency, missed = await ranks(asked, _product(searcher))
    report["ours"] = {**over_classes(places), **latency}
    if chosen.failures:
        _show_failures(library, missed, chosen.failures)
    if not chosen.rivals:
        return report
    most = _QUICK_SLOW_PER_CLASS if chosen.quick else _SLOW_PER_CLASS
    for name, answer in rivals(library.rows).items():
        print(f"measuring {name}", file=sys.stderr)

        async def find(query: str, answer: Callable[[str], list[int]] = answer) -> list[int]:
            return answer(query)

        some = _first_of_each(asked, most) if name in SLOW else asked
        places, latency, _ = await ranks(some, find)
        report[name] = {**over_classes(places), **latency}
    return report


def _first_of_each(asked: Sequence[tuple[str, str, set[int]]], most: int) -> list[tuple[str, str, set[int]]]:
    counts: Counter[str] = Counter()
    kept = []
    for one in asked:
        counts[one[0]] += 1
        if counts[one[0]] <= most:
            kept.append(one)
    return kept


def _show_failures(library: Library, missed: Sequence[tuple[str, str, set[int], list[int]]], name: str) -> None:
    titles = {row.id: row for row in library.rows}
    for _, query, wanted, found in (one for one in missed if name in {one[0], "all"}):
        place = next((place for place, one in enumerate(found, 1) if one in wanted), 0)
        print(f"\n{query!r}: {f'came as number {place}' if place else 'not among ten'}")
        for label, one in [("wanted", min(wanted)), *(("came", paper_id) for paper_id in found[:3])]:
            print(f"  {label}: {titles[one].title} ({', '.join(titles[one].authors[:4])})")


async def listed(folder: Path, chosen: argparse.Namespace) -> dict[str, Any]:
    """Measure the queries over the ICLR 2024 list, and how often no answer is told from one."""
    library = await imported(folder / "iclr2024.jsonl.gz", fresh=chosen.fresh, mixed=True)
    queries: list[dict[str, Any]] = json_lines(folder / "known_item_queries.jsonl")
    async with await Database.open(library.path) as database:
        named = await database.read(
            lambda connection: dict(connection.execute("SELECT name, paper_id FROM identifiers").fetchall())
        )
        lacking = {one for query in queries for one in query["gold"] if f"openreview:{one}" not in named}
        if lacking:
            raise LookupError(f"The library lacks papers that are asked for: {sorted(lacking)[:5]}.")
        asked = [
            (query["cls"], query["query"], {named[f"openreview:{one}"] for one in query["gold"]})
            for query in queries
            if query["gold"]
        ]
        searcher = Searcher(database)
        await searcher.search("warm up")
        places, latency, missed = await ranks(asked, _product(searcher))
        if chosen.failures:
            _show_failures(library, missed, chosen.failures)
        said = {query["query"]: (await searcher.search(query["query"])).exact for query in queries}
    report: dict[str, Any] = {"ours": {"classes": {name: figures(places[name]) for name in sorted(places)}, **latency}}
    without = [query["query"] for query in queries if not query["gold"]]
    answered = [query["query"] for query in queries if query["gold"]]
    alarms = [query for query in answered if not said[query]]
    report["no_answer"] = {
        "n": len(without),
        "named_so": round(statistics.mean(not said[query] for query in without), 4),
        "taken_for_answered": [query for query in without if said[query]],
        "false_alarms": round(len(alarms) / len(answered), 4),
        "alarmed_by": alarms,
    }
    if chosen.rivals:
        for name, answer in rivals(library.rows).items():

            async def find(query: str, answer: Callable[[str], list[int]] = answer) -> list[int]:
                return answer(query)

            places, latency, _ = await ranks(asked, find)
            report[name] = {"classes": {cls: figures(places[cls]) for cls in sorted(places)}, **latency}
    return report


async def loop(library: Library, items: Sequence[KnownItem]) -> dict[str, float]:
    """Return the longest time that the event loop answered nobody while 64 searches ran."""
    queries = [item.query for item in random.Random(64).sample(items, min(_AT_ONCE, len(items)))]
    async with await Database.open(library.path) as database:
        searcher = Searcher(database)
        await searcher.search("warm up")
        still = await _longest_freeze(asyncio.sleep(1))
        began = time.perf_counter()
        busy = await _longest_freeze(asyncio.gather(*(_product(searcher)(query) for query in queries)))
        seconds = time.perf_counter() - began
    return {
        "searches": len(queries),
        "longest_freeze_ms": round(busy, 2),
        "idle_freeze_ms": round(still, 2),
        "seconds": round(seconds, 2),
    }


async def _longest_freeze(work: Awaitable[Any]) -> float:
    running = asyncio.ensure_future(work)
    longest = 0.0
    while not running.done():
        began = time.perf_counter()
        await asyncio.sleep(0.001)
        longest = max(longest, (time.perf_counter() - began) * 1000 - 1)
    await running
    return longest


async def typing(library: Library, count: int) -> dict[str, Any]:
    """Type titles letter by letter, up to forty, and take the time of each completion."""
    milliseconds: list[float] = []
    by_length: dict[int, list[float]] = defaultdict(list)
    async with await Database.open(library.path) as database:
        searcher = Searcher(database)
        await searcher.search("warm up")
        for row in random.Random(25).sample(library.rows, count):
            for length in range(1, min(len(row.title), 40) + 1):
                began = time.perf_counter()
                await searcher.complete(row.title[:length].lower(), limit=25)
                milliseconds.append((time.perf_counter() - began) * 1000)
                by_length[min((length - 1) // 4 * 4 + 1, 21)].append(milliseconds[-1])
    lengths = {f"from {start}": percentiles(some)["p99_ms"] for start, some in sorted(by_length.items())}
    return {"n": len(milliseconds), **percentiles(milliseconds), "p99_ms_by_length": lengths}


def held(path: Path, queries: Sequence[str]) -> dict[str, float]:
    """Return the MB that a fresh process holds for the search.

    Of the index alone, counted by tracemalloc, and of all of its own memory more than before the library was opened:
    RssAnon of Linux, the heap with SQLite's page caches, without what is mapped from files.
    """
    with multiprocessing.get_context("spawn").Pool(1) as apart:
        return apart.apply(_held, (path, list(queries)))


def _held(path: Path, queries: list[str]) -> dict[str, float]:
    async def work() -> dict[str, float]:
        before = _own_mb()
        async with await Database.open(path) as database:
            searcher = Searcher(database)
            await searcher.search("warm up")
            first = _own_mb()
            for query in queries:
                await _product(searcher)(query)
            searched = _own_mb()
            tracemalloc.start()
            index = await database.read(KeptHeadings().of)
            counted = tracemalloc.get_traced_memory()[0] / 1e6
            tracemalloc.stop()
            assert len(index), "the library is empty"
            return {
                "index_mb": round(counted, 1),
                "after_first_search_mb": round(first - before, 1),
                f"after_{len(queries)}_searches_mb": round(searched - before, 1),
            }

    return asyncio.run(work())


def _own_mb() -> float:
    status = Path("/proc/self/status")
    if not status.exists():
        raise OSError("Memory is measured on Linux only; choose the other parts with --only.")
    line = next(line for line in status.read_text().splitlines() if line.startswith("RssAnon"))
    return int(line.split()[1]) / 1024


async def large(store: Path, items: Sequence[KnownItem], seconds: float) -> dict[str, Any]:
    """Measure latency and random picks with a filter in a library of a million."""
    async with await Database.open(store) as database:
        searcher = Searcher(database)
        began = time.perf_counter()
        await searcher.search("warm up")
        first = round((time.perf_counter() - began) * 1000)
        _, latency, _ = await ranks([(item.name, item.query, set()) for item in items], _product(searcher))
        groups = await database.read(
            lambda connection: connection.execute(
                "SELECT venue, year, count(*) FROM papers WHERE venue IS NOT NULL AND year IS NOT NULL GROUP BY 1, 2"
            ).fetchall()
        )
        count = await database.read(lambda connection: connection.execute("SELECT count(*) FROM papers").fetchone()[0])
        picks = await _picks(database, searcher, groups, seconds)
    memory = held(store, [item.query for item in items[:: max(1, len(items) // 200)]])
    return {"papers": count, "first_ms": first, "queries": len(items), **latency, "random": picks, "memory": memory}


async def _picks(
    database: Database, searcher: Searcher, groups: Sequence[tuple[str, int, int]], seconds: float
) -> dict[str, Any]:
    """Pick with filters, each time for a channel that has seen nothing; the store forgets the picks afterwards."""
    chance = random.Random(11)
    picker = Picker(database, searcher, lambda: dt.datetime(2026, 2, 1, tzinfo=dt.UTC), chance=chance)
    simple = [one for one in groups if all(part.isalnum() for part in one[0].split())]
    if not simple:
        raise LookupError("No venue of the library can be written as a filter.")
    report: dict[str, Any] = {}
    try:
        for name, wanted in (("few", 40), ("many", max(count for *_, count in simple))):
            venue, year, _ = min(simple, key=lambda one: abs(one[2] - wanted))
            query = f'venue:"{venue}" year:{year}'
            matching = await database.read(lambda connection, query=query: searcher.matching(connection, query))
            milliseconds: list[float] = []
            drawn: Counter[int] = Counter()
            until = time.perf_counter() + seconds
            while time.perf_counter() < until and len(milliseconds) < 20 * len(matching):
                began = time.perf_counter()
                paper = await picker.pick(chance.getrandbits(60), query)
                milliseconds.append((time.perf_counter() - began) * 1000)
                drawn[paper.id] += 1
            report[name] = {"filter": query, "matching": len(matching), "n": len(milliseconds)}
            report[name] |= percentiles(milliseconds)
            # The test wants five of each.
            if len(milliseconds) >= 5 * len(matching) > 5:
                report[name]["chi_square_p"] = round(chi_square([drawn[one] for one in matching]), 4)
    finally:
        await database.write(lambda connection: connection.execute("DELETE FROM picks"))
    return report


async def run(folder: Path, chosen: argparse.Namespace) -> dict[str, Any]:
    parts = chosen.only or [part for part in PARTS if part != "million" or chosen.million]
    per_class = chosen.per_class or (20 if chosen.quick else 200)
    report: dict[str, Any] = {"seed": chosen.seed, "per_class": per_class}
    if set(parts) - {"list"}:
        library = await imported(folder / "scale_100k.jsonl.gz", most=chosen.papers, fresh=chosen.fresh)
        items = known_items(library.rows, seed=chosen.seed, per_class=per_class)
        report["papers"] = len(library.rows)
        some = items[:: max(1, len(items) // (60 if chosen.quick else 300))]
        works: dict[str, Callable[[], Any]] = {
            "known": lambda: known(library, items, chosen),
            "loop": lambda: loop(library, items),
            "typing": lambda: typing(library, 10 if chosen.quick else 60),
        }
        for part in [part for part in parts if part in works]:
            report[part] = await works[part]()
        if "memory" in parts:
            report["memory"] = held(library.path, [item.query for item in some])
        if "million" in parts:
            store = await million(library, fresh=chosen.fresh)
            report["million"] = await large(store, some, 10 if chosen.quick else 60)
    if "list" in parts:
        report["list"] = await listed(folder, chosen)
    return report


def show(report: dict[str, Any]) -> None:
    for part, cells in (("known", ("mrr", "r5")), ("list", ("r1", "r5"))):
        if part not in report:
            continue
        methods = {name: one for name, one in report[part].items() if isinstance(one, dict) and "classes" in one}
        print(f"\n{part}: {' and '.join(cells)}")
        print(f"{'':20}" + "".join(f"{name:>18}" for name in methods))
        for cls in methods["ours"]["classes"]:
            some = [one["classes"].get(cls) for one in methods.values()]
            print(
                f"{cls:20}" + "".join(f"{one[cells[0]]:11.3f}{one[cells[1]]:7.3f}" if one else " " * 18 for one in some)
            )
        if part == "known":
            means = "".join(f"{one['mrr']:11.3f}{one['r5']:7.3f}" for one in methods.values())
            print(f"{'all classes':20}{means}")
        speeds = "".join(f"{one['p50_ms']:11.1f}{one['p99_ms']:7.1f}" for one in methods.values())
        print(f"{'p50 and p99, ms':20}{speeds}")
    if "list" in report:
        no_answer = report["list"]["no_answer"]
        print(
            f"without an answer: {no_answer['named_so']:.3f} of {no_answer['n']} named so, "
            f"{no_answer['false_alarms']:.3f} false alarms"
        )
    for part in ("loop", "typing", "memory", "million"):
        if part in report:
            print(f"\n{part}: " + ", ".join(f"{name} {value}" for name, value in report[part].items()))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "data")
    parser.add_argument("--papers", type=int, default=100_000, metavar="N", help="the first N of the 100,000")
    parser.add_argument("--seed", type=int, default=6, metavar="S", help="5 is for tuning")
    parser.add_argument("--per-class", type=int, metavar="N", help="queries of each class, 200 unless said")
    parser.add_argument("--quick", action="store_true", help="fewer queries of everything")
    parser.add_argument("--only", action="append", choices=PARTS, metavar="PART", help="this part; may be repeated")
    parser.add_argument("--million", action="store_true", help="with 1,000,000 papers too; takes minutes")
    parser.add_argument("--rivals", action=argparse.BooleanOptionalAction, default=True, help="what others do")
    parser.add_argument("--fresh", action="store_true", help="make the libraries anew")
    parser.add_argument("--failures", metavar="CLASS", help="show what did not come first; all is every class")
    chosen = parser.parse_args(arguments)
    for name in ("scale_100k.jsonl.gz", "iclr2024.jsonl.gz", "known_item_queries.jsonl"):
        if not (chosen.folder / name).is_file():
            print(f"{chosen.folder} has no {name}; name the folder of the data.", file=sys.stderr)
            return 1
    report = asyncio.run(run(chosen.folder, chosen))
    show(report)
    print(json.dumps(report, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
