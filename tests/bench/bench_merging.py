"""How well papers are recognised: titles that changed, and a hundred thousand that must stay apart.

    python tests/bench/bench_merging.py [PAPERS]

Prints a table and one line of JSON. Without the real data it says so and ends well.
"""

import asyncio
import datetime as dt
import gzip
import itertools
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.models import Refusal
from bot.sources.base import RawPaper
from bot.sources.formats import list_records
from bot.sources.importer import Importer
from bot.store import papers
from bot.store.database import Database

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


class Records:
    """A source over records in memory."""

    is_large = False
    is_lasting = False

    def __init__(self, name: str, records: Iterable[dict]) -> None:
        self.name = name
        self._records = records

    def read(self) -> Iterator[RawPaper | Refusal]:
        for number, record in enumerate(self._records, 1):
            yield list_records.raw_paper(record, where=f"record {number}")


@asynccontextmanager
async def library() -> AsyncIterator[tuple[Database, Importer]]:
    with tempfile.TemporaryDirectory() as folder:
        async with await Database.open(Path(folder, "bench.db")) as database:
            yield database, Importer(database, lambda: dt.datetime.now(dt.UTC))


def lines(name: str) -> Iterator[dict]:
    with gzip.open(DATA / name, "rt", encoding="utf-8", newline="\n") as stream:
        for line in stream:
            yield json.loads(line)


async def changed_titles(*, keeps_venue: bool, with_abstracts: bool) -> tuple[int, int, int]:
    """Import the final list, then the 200 earlier titles without identifiers; return (merged right, wrong, all)."""
    final = {record["id"]: record for record in lines("iclr2024.jsonl.gz")}
    changed = list(lines("iclr2024_title_changes.jsonl.gz"))
    right = wrong = 0
    async with library() as (database, importer):
        plain = [
            {name: one.get(name) for name in ("url", "title", "abstract", "authors", "venue", "year")}
            for one in final.values()
        ]
        await importer.run(Records("final", plain))
        earlier = []
        for one in changed:
            record = {"title": one["earlier"], "authors": one["earlier_authors"]}
            if keeps_venue:
                record |= {"venue": "ICLR", "year": 2024}
            if with_abstracts:
                record["abstract"] = final[one["id"]].get("abstract")
            earlier.append(record)
        await importer.run(Records("earlier", earlier))
        for one in changed:
            owner = await database.read(lambda c, i=f"openreview:{one['id']}": papers.find_by_identifier(c, i))
            kept = await database.read(lambda c, n=owner.id: papers.originals(c, n))
            right += any(o.source == "earlier" and json.loads(o.record)["title"] == one["earlier"] for o in kept)
            wrong += any(o.source == "earlier" and json.loads(o.record)["title"] != one["earlier"] for o in kept)
    return right, wrong, len(changed)


async def kept_apart(count: int, *, with_identifiers: bool) -> tuple[int, int, list[str]]:
    """Import different papers; return (papers, merges, those under two titles)."""
    fields = ("title", "abstract", "authors", "venue", "year", *(("id", "url") if with_identifiers else ()))
    records = itertools.islice(lines("scale_100k.jsonl.gz"), count)
    bare = [{name: one.get(name) for name in fields} for one in records]
    doubtful: list[str] = []
    async with library() as (database, importer):
        half = len(bare) // 2
        # Two sources, so that no rule is helped by two records standing in one list.
        one = await importer.run(Records("first half", bare[:half]))
        two = await importer.run(Records("second half", bare[half:]))
        merged = one.read + two.read - one.added - two.added - one.refused - two.refused
        for number in range(1, await database.read(papers.count) + 1):
            if number % 5000 == 1:
                page = await database.read(lambda c, n=number: papers.get_papers(c, list(range(n, n + 5000))))
                doubtful += [f"{one.title}  |  {alias}" for one in page for alias in one.aliases]
    return len(bare), merged, doubtful


async def main(arguments: list[str]) -> None:
    if not DATA.is_dir():
        print(f"SKIPPED: the real data are not here ({DATA}).")
        return
    count = int(arguments[0]) if arguments else 100_000
    figures: dict[str, object] = {}
    for keeps_venue, with_abstracts in itertools.product((True, False), (True, False)):
        right, wrong, every = await changed_titles(keeps_venue=keeps_venue, with_abstracts=with_abstracts)
        known = "authors and abstracts" if with_abstracts else "authors alone"
        name = f"{'same venue' if keeps_venue else 'no venue'}, {known}"
        precision = right / (right + wrong) if right + wrong else 1.0
        print(f"titles changed, {name:40} recall {right / every:.3f}  precision {precision:.3f}  wrong {wrong}")
        figures[f"changed titles, {name}"] = {"recall": right / every, "precision": precision}
    for with_identifiers in (True, False):
        read, merged, doubtful = await kept_apart(count, with_identifiers=with_identifiers)
        name = "with identifiers" if with_identifiers else "without identifiers"
        print(f"{read} papers {name}: {merged} merged, of which {len(doubtful)} under two titles:")
        for pair in doubtful:
            print("   ", pair[:200])
        figures[f"kept apart, {name}"] = {"papers": read, "merged": merged, "under two titles": len(doubtful)}
    print(json.dumps(figures))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
