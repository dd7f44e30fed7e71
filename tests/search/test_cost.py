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


async def seconds(searcher: Searcher, typed: str) -> float:
    """Return the least of three measurements, in seconds of this process."""
    measured: list[float] = []
    for _ in range(3):
        began = time.process_time()
        await searcher.search(typed)
        measured.append(time.process_time() - began)
    return min(measured)


@pytest.mark.parametrize(
    "typed", ["author:li", "author:li kite", '"kite number"', "keyword:kites", "kite -7", "-seven"]
)
async def test_a_condition_that_most_papers_meet_costs_little(large, typed):
    """Looked up paper by paper, as SQLite would, each takes a hundred times as long as words do."""
    assert (await large.search(typed)).hits
    plain, conditional = await seconds(large, "kite number"), await seconds(large, typed)
    assert conditional <= 15 * plain + 0.05
