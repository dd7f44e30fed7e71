"""What a question costs may grow with the library, never with its square."""

import time

import pytest

from bot.models import Paper
from bot.search.searcher import Searcher
from bot.store import papers

MANY = 4_000


@pytest.fixture
async def large(database, clock) -> Searcher:
    def fill(connection):
        for number in range(MANY):
            papers.insert(
                connection,
                Paper(id=0, title=f"Kite number {number}", authors=("Wei Li",), keywords=("kites",)),
                added_at=clock(),
            )
        papers.bump_version(connection)

    await database.write(fill)
    searcher = Searcher(database)
    await searcher.search("warm up")
    return searcher


@pytest.mark.parametrize(
    "typed", ["author:li", "author:li kite", '"kite number"', "keyword:kites", "kite -7", "-seven"]
)
async def test_a_condition_that_most_papers_meet_costs_little(large, typed):
    """Looked up paper by paper, as SQLite would, each of these takes a second here and minutes in a large library."""
    began = time.perf_counter()
    findings = await large.search(typed)

    assert findings.hits
    assert time.perf_counter() - began < 0.4
