"""Recall and MRR of the search on known items: python tests/bench/bench_search.py [DATA_FOLDER] [--papers N].

Without --papers the library is ICLR 2024; with it, the ICLR papers and the first N of 100,000 others. Beside ours
stand RapidFuzz over all titles and FTS5 alone. The last line is JSON.
"""

import argparse
import asyncio
import datetime as dt
import gzip
import json
import random
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from rapidfuzz import fuzz, process, utils

from bot.models import Paper
from bot.search.searcher import Searcher
from bot.store import index, papers
from bot.store.database import Connection, Database
from bot.text.words import words

Answer = Callable[[Connection, str], list[int]]


def _records(path: Path, most: int | None = None) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for number, line in enumerate(lines):
            if most is not None and number >= most:
                return
            yield json.loads(line)


def _paper(record: dict[str, Any]) -> Paper:
    return Paper(
        id=0,
        title=record["title"],
        abstract=record.get("abstract") or None,
        authors=tuple(record.get("authors") or ()),
        keywords=tuple(record.get("keywords") or ()),
        venue=record.get("venue"),
        year=record.get("year"),
        identifiers=(f"bench:{record['id']}",),
    )


def _load(connection: Connection, records: Sequence[dict[str, Any]]) -> None:
    seen: set[str] = set()
    for record in records:
        if record.get("title") and record["id"] not in seen:
            seen.add(record["id"])
            papers.insert(connection, _paper(record), added_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC))
    papers.bump_version(connection)


def _rapidfuzz(connection: Connection, scorer: Callable[..., float]) -> Answer:
    titles = {
        paper_id: utils.default_process(title)
        for paper_id, title in connection.execute("SELECT id, title FROM papers ORDER BY id")
    }

    def answer(_: Connection, query: str) -> list[int]:
        return [one[2] for one in process.extract(utils.default_process(query), titles, scorer=scorer, limit=10)]

    return answer


def _fts5(connection: Connection, query: str) -> list[int]:
    return index.in_texts(connection, index.any_of(index.quoted(word) for word in words(query)), limit=10)


def measure(
    connection: Connection, queries: Sequence[dict[str, Any]], gold: dict[str, int], answer: Answer
) -> dict[str, Any]:
    ranks: dict[str, list[int]] = defaultdict(list)
    milliseconds: list[float] = []
    for query in queries:
        began = time.perf_counter()
        found = answer(connection, query["query"])
        milliseconds.append((time.perf_counter() - began) * 1000)
        wanted = {gold[name] for name in query["gold"] if name in gold}
        ranks[query["cls"]].append(next((place for place, one in enumerate(found, 1) if one in wanted), 0))
    milliseconds.sort()
    p50, p99 = (round(milliseconds[int(len(milliseconds) * share)], 1) for share in (0.5, 0.99))
    classes = {
        name: {
            "n": len(places),
            "r1": round(statistics.mean(place == 1 for place in places), 3),
            "r5": round(statistics.mean(1 <= place <= 5 for place in places), 3),
            "mrr": round(statistics.mean(1 / place if place else 0 for place in places), 3),
        }
        for name, places in ranks.items()
    }
    everything = [place for places in ranks.values() for place in places]
    mrr = round(statistics.mean(1 / place if place else 0 for place in everything), 3)
    return {"mrr": mrr, "p50_ms": p50, "p99_ms": p99, "classes": classes}


async def _run(folder: Path, more: int) -> dict[str, Any]:
    queries = [json.loads(line) for line in (folder / "known_item_queries.jsonl").open(encoding="utf-8")]
    answerable = [query for query in queries if query["gold"]]
    records = list(_records(folder / "iclr2024.jsonl.gz"))
    if more:
        records += _records(folder / "scale_100k.jsonl.gz", more)
    # Equal scores stand by number: the papers that are looked for must not come first.
    random.Random(2024).shuffle(records)
    with tempfile.TemporaryDirectory() as place:
        async with await Database.open(Path(place) / "bench.db") as database:
            await database.write(lambda connection: _load(connection, records))
            searcher = Searcher(database)
            began = time.perf_counter()
            await searcher.search("warm up")
            report: dict[str, Any] = {"papers": len(records), "first_ms": round((time.perf_counter() - began) * 1000)}

            def ours(connection: Connection, query: str) -> list[int]:
                return [hit.paper.id for hit in searcher._find(connection, query, limit=10).hits]

            def all_of_them(connection: Connection) -> dict[str, Any]:
                gold = {
                    name.removeprefix("bench:"): paper_id
                    for name, paper_id in connection.execute("SELECT name, paper_id FROM identifiers")
                }
                methods: dict[str, Answer] = {
                    "ours": ours,
                    "WRatio": _rapidfuzz(connection, fuzz.WRatio),
                    "token_set_ratio": _rapidfuzz(connection, fuzz.token_set_ratio),
                    "FTS5": _fts5,
                }
                return {name: measure(connection, answerable, gold, answer) for name, answer in methods.items()}

            report["methods"] = await database.read(all_of_them)
            claims: dict[str, list[bool]] = defaultdict(list)
            for query in queries:
                claims[query["cls"]].append((await searcher.search(query["query"])).exact)
            report["said_exact"] = {name: round(statistics.mean(some), 3) for name, some in claims.items()}
    return report


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).resolve().parents[3] / "shared" / "data")
    parser.add_argument("--papers", type=int, default=0, metavar="N", help="add the first N of the 100,000")
    chosen = parser.parse_args(arguments)
    if not (chosen.folder / "known_item_queries.jsonl").is_file():
        print(f"Skipped: there are no queries in {chosen.folder}; name the folder of the data.")
        return 0
    report = asyncio.run(_run(chosen.folder, chosen.papers))
    names = list(report["methods"])
    print(f"{report['papers']} papers; r1 r5 mrr")
    print(f"{'':22}" + "".join(f"{name:>24}" for name in names))
    for cls in report["methods"]["ours"]["classes"]:
        cells = [report["methods"][name]["classes"][cls] for name in names]
        print(f"{cls:22}" + "".join(f"{cell['r1']:>12.3f}{cell['r5']:6.3f}{cell['mrr']:6.3f}" for cell in cells))
    for key in ("mrr", "p50_ms", "p99_ms"):
        print(f"{key:22}" + "".join(f"{report['methods'][name][key]:>24}" for name in names))
    print("said exact:", report["said_exact"])
    print(json.dumps(report))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
