"""From any file to the present schema, or a sentence why not."""

import contextlib
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from bot.errors import StoreError
from bot.store import index, migrating, papers
from bot.store.database import Database


def schema(path: Path) -> list[tuple[str, str]]:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")
        return [(name, sql) for name, sql in rows]


def test_a_new_file_is_ours_and_up_to_date(tmp_path: Path):
    migrating.prepare(tmp_path / "library.db")

    with contextlib.closing(sqlite3.connect(tmp_path / "library.db")) as connection:
        assert migrating.version_of(connection) == len(migrating.scripts())
        assert connection.execute("PRAGMA application_id").fetchone()[0] == migrating.APPLICATION_ID
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_preparing_twice_changes_nothing_and_keeps_no_copy(tmp_path: Path):
    migrating.prepare(tmp_path / "library.db")
    before = schema(tmp_path / "library.db")
    migrating.prepare(tmp_path / "library.db")

    assert schema(tmp_path / "library.db") == before
    assert not list(tmp_path.glob("*before*"))


def test_an_older_file_is_copied_before_it_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    migrating.prepare(tmp_path / "library.db")
    known = migrating.scripts()
    following = (len(known) + 1, "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;")
    monkeypatch.setattr(migrating, "scripts", lambda: [*known, following])
    migrating.prepare(tmp_path / "library.db")

    assert "later" in [name for name, _ in schema(tmp_path / "library.db")]
    (copied,) = tmp_path.glob("*before*")
    assert "later" not in [name for name, _ in schema(copied)]


def test_a_migration_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    migrating.prepare(tmp_path / "library.db")
    before = schema(tmp_path / "library.db")
    known = migrating.scripts()
    broken = (len(known) + 1, "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;\nINSERT INTO nowhere VALUES (1);")
    monkeypatch.setattr(migrating, "scripts", lambda: [*known, broken])

    with pytest.raises(StoreError, match="nowhere"):
        migrating.prepare(tmp_path / "library.db")
    assert schema(tmp_path / "library.db") == before


def test_a_newer_file_is_refused_and_not_touched(tmp_path: Path):
    migrating.prepare(tmp_path / "library.db")
    with contextlib.closing(sqlite3.connect(tmp_path / "library.db")) as connection:
        connection.execute("PRAGMA user_version = 999")
    with pytest.raises(StoreError, match="newer Paper Round"):
        migrating.prepare(tmp_path / "library.db")


@pytest.mark.parametrize(
    "content", [b"not a database at all, only text " * 40, b"SQLite format 3\x00" + b"\xff" * 4096]
)
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes):
    (tmp_path / "notes.txt").write_bytes(content)
    with pytest.raises(StoreError, match="notes"):
        migrating.prepare(tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_bytes() == content


def test_another_programs_database_is_refused(tmp_path: Path):
    with contextlib.closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE theirs (id INTEGER)")
        connection.commit()
    with pytest.raises(StoreError, match="another program"):
        migrating.prepare(tmp_path / "other.db")


def test_a_folder_in_the_files_place_is_refused(tmp_path: Path):
    (tmp_path / "library.db").mkdir()
    with pytest.raises(StoreError, match="cannot be used"):
        migrating.prepare(tmp_path / "library.db")


async def test_a_library_of_the_first_schema_keeps_its_papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "library.db"
    known = migrating.scripts()
    monkeypatch.setattr(migrating, "scripts", lambda: known[:1])
    migrating.prepare(path)
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "INSERT INTO papers (title, abstract, authors, added_at) VALUES ('Tides', 'Gauges drift.', '[\"Ada\"]', 0)"
        )
        connection.execute("INSERT INTO papers (title, synopsis, added_at) VALUES ('Bees', 'They hum.', 0)")
        connection.execute("INSERT INTO identifiers (name, paper_id) VALUES ('arxiv:2401.00001', 1)")
        connection.execute("INSERT INTO originals VALUES (1, 'list', 'd', '{\"abstract\":\"Gauges drift.\"}')")
    monkeypatch.undo()

    async with await Database.open(path) as database:
        tides, bees = await database.read(lambda c: papers.get_papers(c, [1, 2]))
        (kept,) = await database.read(lambda c: papers.originals(c, 1))
        found = await database.read(lambda c: index.in_texts(c, index.quoted("drifting"), limit=9))
        await database.write(lambda c: papers.update(c, replace(tides, title="Tides and Gauges")))
        again = await database.read(lambda c: index.in_texts(c, index.quoted("gauges", column="title"), limit=9))

    assert (tides.title, tides.abstract, tides.authors) == ("Tides", "Gauges drift.", ("Ada",))
    assert tides.identifiers == ("arxiv:2401.00001",)
    assert (bees.abstract, bees.synopsis) == (None, "They hum.")
    assert (kept.source, kept.record) == ("list", '{"abstract":"Gauges drift."}')
    assert (found, again) == ([1], [1])
