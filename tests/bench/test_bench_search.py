"""The measuring itself: a benchmark that flatters is worse than none."""

import argparse
import asyncio
import gzip
import json
import random
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import bench_search
import libraries
from bench_search import main
from figures import chi_square, figures
from rivals import rivals

TOWNS = "Bergen Lisbon Osaka Quito Tromso Lagos Hobart Turku Split Cusco Davos Gdansk Leiden Malmo Nantes".split()
THINGS = "bridges harbours glaciers orchards tunnels".split()


@pytest.fixture
def kept_here(tmp_path, monkeypatch):
    monkeypatch.setattr(libraries, "KEPT_IN", tmp_path / "kept")
    return tmp_path


@pytest.fixture
def data(kept_here) -> Path:
    lines = [
        {
            "id": f"made:{town}{thing}",
            "title": f"Surveying the {thing} of {town} by drone and by satellite",
            "abstract": f"Every spring the {thing} near {town} move; measurements from several ground stations "
            f"follow them through seasons, storms, floods, droughts and winters, with {len(town) * 7} sensors.",
            "authors": [f"Ada {town}", f"Bo {thing.title()}"],
            "venue": "Survey",
            "year": 2000 + place,
        }
        for place, thing in enumerate(THINGS)
        for town in TOWNS
    ]
    path = kept_here / "made.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(json.dumps(line) for line in lines).encode()))
    return path


def test_ranks_become_the_usual_figures():
    assert figures([1, 2, 0, 6]) == {"n": 4, "mrr": round((1 + 1 / 2 + 1 / 6) / 4, 4), "r1": 0.25, "r5": 0.5}


def test_chi_square_tells_uneven_counts_from_even_ones():
    chance = random.Random(3)
    even = [chance.randrange(40) for _ in range(800)]
    uneven = [min(chance.randrange(40), chance.randrange(40)) for _ in range(800)]

    assert chi_square([even.count(one) for one in range(40)]) > 0.05
    assert chi_square([uneven.count(one) for one in range(40)]) < 0.001


async def test_a_freeze_of_the_loop_is_seen():
    async def freezes() -> None:
        await asyncio.sleep(0.01)
        time.sleep(0.05)  # noqa: ASYNC251 - the fault that is to be seen

    assert 45 < await bench_search._longest_freeze(freezes()) < 500


async def test_a_library_is_made_once_and_again_when_the_data_change(data):
    first = await libraries.imported(data)
    made = first.path.stat().st_mtime_ns

    assert len(first.rows) == len(TOWNS) * len(THINGS)
    again = await libraries.imported(data)
    assert (again.path, again.path.stat().st_mtime_ns) == (first.path, made)
    assert again.rows == first.rows

    data.write_bytes(gzip.compress(gzip.decompress(data.read_bytes()).replace(b"Surveying", b"Charting")))
    other = await libraries.imported(data)
    assert other.path != first.path
    assert all(row.title.startswith("Charting") for row in other.rows)


async def test_a_large_library_is_spliced_from_titles_that_share_a_word(data):
    library = await libraries.imported(data)
    store = await libraries.million(library, papers_in_all=500)

    async with await libraries.Database.open(store) as database:
        titles = await database.read(
            lambda connection: [title for (title,) in connection.execute("SELECT title FROM papers")]
        )
    assert len(titles) == 500
    assert all(title.startswith("Surveying") and title.endswith("satellite") for title in titles)


async def test_every_rival_finds_a_title_typed_in_full(data):
    rows = (await libraries.imported(data)).rows

    for name, answer in rivals(rows).items():
        assert [answer(row.title)[0] for row in rows[:5]] == [row.id for row in rows[:5]], name


async def test_random_picks_are_timed_and_forgotten(data):
    library = await libraries.imported(data)
    async with await libraries.Database.open(library.path) as database:
        groups = [("Survey", 2001, len(TOWNS))]
        report = await bench_search._picks(database, bench_search.Searcher(database), groups, 3)
        left = await database.read(lambda connection: connection.execute("SELECT count(*) FROM picks").fetchone()[0])

    assert report["few"]["matching"] == len(TOWNS)
    assert report["few"]["chi_square_p"] > 0.001
    assert left == 0


async def test_known_items_are_measured_and_failures_shown(data, capsys):
    library = await libraries.imported(data)
    items = bench_search.known_items(library.rows, seed=6, per_class=3)
    chosen = argparse.Namespace(rivals=True, quick=True, failures="all")

    report = await bench_search.known(library, items, chosen)

    assert report["ours"]["classes"]["missing"]["n"] == 3
    assert 0 < report["ours"]["mrr"] <= 1
    assert {"ours", "WRatio", "token_set_ratio", "FTS5"} <= set(report)
    assert ("wanted:" in capsys.readouterr().out) == (report["ours"]["r1"] < 1)


def test_missing_data_fail_loudly(tmp_path, capsys):
    assert main([str(tmp_path)]) == 1
    assert "scale_100k.jsonl.gz" in capsys.readouterr().err
