"""The headings that are kept between searches."""

import datetime as dt

import pytest

from bot.models import Paper
from bot.search import keeping
from bot.search.searcher import Searcher
from bot.store import papers

NOW = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)


@pytest.fixture
def add(database):
    async def run(title: str) -> None:
        def work(connection):
            papers.insert(connection, Paper(id=0, title=title), added_at=NOW)
            papers.bump_version(connection)

        await database.write(work)

    return run


async def test_a_small_library_knows_its_new_words_at_once(database, add):
    searcher = Searcher(database)
    await add("Tides Are Learnt")
    assert (await searcher.search("tidse")).hits
    await add("Beehives Hum")
    assert (await searcher.search("beehivse")).hits


async def test_large_headings_are_renewed_while_the_old_one_answers(database, add, monkeypatch):
    monkeypatch.setattr(keeping, "_NOTICEABLE_SECONDS", -1.0)
    monkeypatch.setattr(keeping, "_REST", 0)
    kept = keeping.KeptHeadings()
    await add("Tides Are Learnt")
    before = await database.read(kept.of)
    await add("Beehives Hum")

    assert await database.read(kept.of) is before
    assert kept.is_due
    await database.read(kept.renewed)
    after = await database.read(kept.of)
    assert (len(before), len(after)) == (1, 2)
    assert not kept.is_due


async def test_a_search_has_it_renewed_behind_its_back(database, add, monkeypatch):
    monkeypatch.setattr(keeping, "_NOTICEABLE_SECONDS", -1.0)
    monkeypatch.setattr(keeping, "_REST", 0)
    searcher = Searcher(database)
    await add("Tides Are Learnt")
    await searcher.search("tides")
    await add("Beehives Hum")
    await searcher.search("tides")
    for _ in range(50):
        if (await searcher.search("beehivse")).hits:
            return
    pytest.fail("the new words never came to be known")
