"""Libraries to measure with, made once and kept in a folder for temporary files.

A kept library is taken again as long as the data, the store's schema and the way papers are recognised are the same.
"""

import datetime as dt
import gzip
import hashlib
import itertools
import json
import pickle
import random
import re
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.models import Paper
from bot.sources import identity
from bot.sources.files import FileSource
from bot.sources.importer import Importer
from bot.store import migrating, papers
from bot.store.database import Database

KEPT_IN = Path(tempfile.gettempdir()) / "paperround-bench"
_ADDED = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
_WORD = re.compile(r"\w+")
_AT_ONCE = 2_000


@dataclass(frozen=True, kw_only=True)
class Row:
    """A paper of a library as the rivals get it."""

    id: int
    title: str
    abstract: str | None
    authors: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Library:
    """Attributes: path: of the store; rows: its papers, by number."""

    path: Path
    rows: Sequence[Row]


async def imported(data: Path, *, most: int | None = None, fresh: bool = False, mixed: bool = False) -> Library:
    """Return the library of the first ``most`` lines of a packed JSON Lines file, as the real import makes it.

    ``mixed`` brings the lines out of their order, for a list whose first ones are the ones that are asked for.

    Raises:
        FileNotFoundError: the data are not there.
    """
    store = KEPT_IN / f"{data.name.split('.')[0]}-{most or 'all'}-{_manner(data)}.db"
    rows = store.with_suffix(".rows")
    if fresh or not rows.exists():
        _forget(store)
        lines = list(_lines(data, most))
        if mixed:
            random.Random(2024).shuffle(lines)
        plain = store.with_suffix(".jsonl")
        plain.write_bytes(b"".join(lines))
        async with await Database.open(store) as database:
            await Importer(database, lambda: _ADDED).run(FileSource(plain))
            rows.write_bytes(pickle.dumps(await _rows(database)))
        plain.unlink()
    return Library(path=store, rows=pickle.loads(rows.read_bytes()))


async def million(real: Library, *, papers_in_all: int = 1_000_000, fresh: bool = False) -> Path:
    """Return a store with the papers of another and as many made from them as it takes; takes minutes at first.

    A made paper has the beginning of one title and the end of another that share a word, likewise its abstract. Good
    for speed and size, not for quality.
    """
    store = real.path.with_name(f"{real.path.stem}-to-{papers_in_all}.db")
    done = store.with_suffix(".done")
    if not fresh and done.exists():
        return store
    _forget(store)
    shutil.copyfile(real.path, store)
    made = _spliced(real.rows, papers_in_all - len(real.rows))
    async with await Database.open(store) as database:
        while batch := [papers.new_paper(paper, ()) for paper in itertools.islice(made, _AT_ONCE)]:
            await database.write(lambda connection, batch=batch: papers.insert_many(connection, batch, added_at=_ADDED))
        await database.write(papers.bump_version)
    done.touch()
    return store


def _spliced(rows: Sequence[Row], count: int) -> Iterator[Paper]:
    chance = random.Random(900)
    by_word: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        for word in {word.lower() for word in _WORD.findall(row.title) if len(word) > 3}:
            by_word[word].append(place)
    made = 0
    while made < count:
        first = chance.choice(rows)
        shared = chance.choice([word for word in _WORD.findall(first.title) if len(word) > 3] or [""])
        others = by_word.get(shared.lower(), ())
        if len(others) < 2:
            continue
        second = rows[chance.choice(others)]
        begin = re.search(rf"\b{shared}\b", first.title, re.IGNORECASE)
        end = re.search(rf"\b{shared}\b", second.title, re.IGNORECASE)
        if second is first or begin is None or end is None:
            continue
        made += 1
        one, other = (row.abstract or "" for row in (first, second))
        yield Paper(
            id=0,
            title=(first.title[: begin.end()] + second.title[end.end() :]).strip(),
            abstract=(one[: len(one) // 2] + " " + other[len(other) // 2 :]).strip() or None,
            authors=tuple(dict.fromkeys([*first.authors[:2], *second.authors[:2]])),
            venue=f"Made {made % 50}",
            year=1990 + made % 35,
            identifiers=(f"made:{made}",),
        )


async def _rows(database: Database) -> list[Row]:
    rows: list[Row] = []
    last = 0
    while ids := await database.read(lambda connection, last=last: papers.ids_after(connection, last, limit=5_000)):
        some = await database.read(lambda connection, ids=ids: papers.get_papers(connection, ids))
        rows += [Row(id=one.id, title=one.title, abstract=one.abstract, authors=one.authors) for one in some]
        last = ids[-1]
    return rows


def _manner(data: Path) -> str:
    KEPT_IN.mkdir(parents=True, exist_ok=True)
    what = f"schema {migrating.scripts()[-1][0]} identity {identity.VERSION}".encode()
    return hashlib.sha256(data.read_bytes() + what).hexdigest()[:12]


def _lines(data: Path, most: int | None) -> Iterator[bytes]:
    with gzip.open(data, "rb") as packed:
        for line in itertools.islice(packed, most):
            yield line if line.endswith(b"\n") else line + b"\n"


def _forget(store: Path) -> None:
    for kept in store.parent.glob(f"{store.stem}.*"):
        kept.unlink()


def json_lines(path: Path) -> list[dict[str, object]]:
    """Return the records of a plain JSON Lines file, whose texts may hold U+2028."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
