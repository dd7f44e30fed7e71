"""Large sources are read in a process of their own, and nothing is lost when something is killed."""

import asyncio
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bot.errors import Unavailable
from bot.sources import ahead
from bot.sources.files import FileSource
from bot.sources.importer import Importer
from bot.store import papers

WORDS = [f"word{one}{two}" for one in "abcdefghij" for two in "klmnopqrst"]


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A file of 4,000 papers that is large enough for a process of its own."""
    path = tmp_path / "large.jsonl"
    numbers = random.Random(3)
    lines = [
        json.dumps({"title": f"Paper {n}", "abstract": " ".join(numbers.choices(WORDS, k=60)), "x": "y" * 1200})
        for n in range(4000)
    ]
    path.write_text("\n".join(lines) + "\nnot a record\n", encoding="utf-8")
    return path


def readers() -> list[int]:
    """Return the processes that read for this one."""
    if shutil.which("ps") is None:
        pytest.skip("this system has no ps to list processes with")
    table = subprocess.run(["ps", "-e", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in table.splitlines()]
    return [int(pid) for pid, parent, args in rows if parent == str(os.getpid()) and "bot.sources.ahead" in args]


def test_a_large_file_goes_apart_and_a_small_one_does_not(large, tmp_path):
    small = tmp_path / "small.jsonl"
    small.write_text('{"title": "A"}\n', encoding="utf-8")

    assert FileSource(large).is_large
    assert not FileSource(small).is_large
    assert not FileSource("-").is_large


async def test_what_is_read_apart_is_what_is_read_here(large, database, importer, monkeypatch):
    apart = await importer.run(FileSource(large), dry_run=True)
    monkeypatch.setattr(FileSource, "is_large", False)
    here = await importer.run(FileSource(large))

    assert apart == here
    assert (here.added + here.merged, here.refused) == (4000, 1)
    assert (await importer.run(FileSource(large))).unchanged == 4000


async def test_a_reader_that_is_killed_is_told_and_what_came_before_is_kept(large, database, importer):
    def kill_the_reader(read: int) -> None:
        for child in readers():
            os.kill(child, signal.SIGKILL)

    with pytest.raises(Unavailable, match="Import again"):
        await importer.run(FileSource(large), progress=kill_the_reader)

    kept = await database.read(papers.count)
    again = await importer.run(FileSource(large))
    assert 0 < kept < 4000
    assert (again.unchanged, again.added) == (kept, 4000 - kept)


async def test_an_import_that_is_cancelled_leaves_no_process_behind(large, importer):
    running = asyncio.create_task(importer.run(FileSource(large)))
    await asyncio.sleep(1.0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert readers() == []


@pytest.mark.parametrize("after", [0.7, 2.0])
def test_an_import_that_is_killed_keeps_what_it_reported(large, tmp_path, after):
    """SIGKILL at any moment: the file is whole, and the next import brings the rest and nothing twice."""
    store = tmp_path / "killed.db"
    command = [sys.executable, "-m", "bot", "import", str(large), "--store", str(store), "--json"]
    root = Path(ahead.__file__).parents[2]
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PAPERROUND_")}
    process = subprocess.Popen(command, cwd=root, env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    time.sleep(after)
    process.kill()
    process.communicate()

    if store.exists():
        connection = sqlite3.connect(store)
        assert connection.execute("PRAGMA quick_check").fetchone() == ("ok",)
        connection.close()
    finished = subprocess.run(command, cwd=root, env=environ, capture_output=True, text=True, check=False)
    report = json.loads(finished.stdout)
    assert report["added"] + report["unchanged"] == 4000
    assert report["refused"] == 1
    connection = sqlite3.connect(store)
    assert connection.execute("SELECT count(DISTINCT title) FROM papers WHERE title LIKE 'Paper %'").fetchone() == (
        4000,
    )
    connection.close()


async def test_a_source_that_shrinks_is_refused_without_force(database, clock, tmp_path):
    importer = Importer(database, clock)
    path = tmp_path / "list.jsonl"
    path.write_text("\n".join(json.dumps({"title": f"Paper number {n}"}) for n in range(100)), encoding="utf-8")
    assert (await importer.run(FileSource(path))).added == 100

    path.write_text('{"title": "Paper number 1"}\n{"title": "Another"}', encoding="utf-8")
    refused = await importer.run(FileSource(path))
    assert (refused.added, refused.refused) == (0, 1)
    assert "--force" in refused.refusals[0].why
    assert await database.read(papers.count) == 100

    assert (await importer.run(FileSource(path), force=True)).added == 1
    assert (await importer.run(FileSource(path))).unchanged == 2
