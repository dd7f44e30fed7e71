"""Sites that are read again and again: what is remembered of them, and how they fare."""

import datetime as dt
import json
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

import pytest

from bot.errors import InvalidInput, SourceError
from bot.models import Freshness, SourceRecord
from bot.sources.fetching import Fetcher, Validators
from bot.sources.sites.base import Page, SiteState
from bot.sources.watching import Choices, Sites, freshness_of
from bot.store import papers, sources

HOUR = dt.timedelta(hours=1)
DAY = dt.timedelta(days=1)


@dataclass
class Board:
    """A site that answers with the titles it is given, or with an error."""

    answers: list
    name: str = "board"
    brings_all: bool = False
    asked_with: list[str | None] = field(default_factory=list)

    async def pages(self, fetcher: Fetcher, state: SiteState) -> AsyncGenerator[Page]:
        self.asked_with.append(state.newest)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        state.newest = f"after {len(self.asked_with)}"
        state.validators["board"] = Validators(etag='"x"')
        content = json.dumps([{"title": title, "id": f"openreview:{title:x<10}"} for title in answer]).encode()
        yield Page(content=content, format_name="json", where="page 1")


@pytest.fixture
async def sites(database, importer, clock):
    async with Fetcher(user_agent="tests", now=clock) as fetcher:
        yield Sites(database, importer, fetcher, clock)


async def test_papers_come_in_and_the_site_is_asked_from_there_on(sites, database):
    board = Board([["Tides", "Bees"], ["Roofs"]])

    first = await sites.read(board)
    second = await sites.read(board)

    assert (first.added, second.added) == (2, 1)
    assert board.asked_with == [None, "after 1"]
    assert await database.read(papers.count) == 3


async def test_a_failure_is_remembered_and_nothing_is_missed(sites, clock):
    board = Board([["Tides"], SourceError("The board is closed."), SourceError("Still closed."), ["Bees"]])
    await sites.read(board)
    clock.advance(hours=1)
    failed_at = clock()
    for sentence in ("The board is closed.", "Still closed."):
        with pytest.raises(SourceError, match=sentence):
            await sites.read(board)
        (status,) = await sites.statuses()
        assert (status.freshness, status.record.failing_since) == (Freshness.FAILING, failed_at)
        assert status.record.error == sentence
        clock.advance(hours=1)

    report = await sites.read(board)

    (status,) = await sites.statuses()
    assert report.added == 1
    assert board.asked_with == [None, "after 1", "after 1", "after 1"]
    assert (status.freshness, status.record.error) == (Freshness.FRESH, None)


async def test_the_schedule_survives_a_site_that_fails(sites):
    watched = type("W", (), {"site": Board([SourceError("The board is closed.")]), "every": HOUR})()

    await sites.read_watched(watched)

    assert (await sites.statuses())[0].freshness is Freshness.FAILING


async def test_a_dry_run_remembers_nothing(sites, database):
    board = Board([["Tides"], SourceError("Closed.")])

    assert (await sites.read(board, dry_run=True)).added == 1
    with pytest.raises(SourceError):
        await sites.read(board, dry_run=True)

    assert await database.read(papers.count) == 0
    assert await database.read(sources.all_records) == []


async def test_a_whole_list_that_shrinks_is_refused_until_forced(sites, database):
    titles = [f"Paper {number:03}" for number in range(60)]
    board = Board([titles, titles[:1], titles[:1]], brings_all=True)
    await sites.read(board)

    refused = await sites.read(board)
    forced = await sites.read(board, force=True)

    assert (refused.read, refused.refused) == (1, 1)
    assert "less than half of the 60 papers" in refused.refusals[0].why
    assert (forced.unchanged, forced.refused) == (1, 0)
    assert await database.read(papers.count) == 60


async def test_a_site_is_due_an_interval_after_it_was_asked(database, importer, clock):
    async with Fetcher(user_agent="tests", now=clock) as fetcher:
        choices = Choices(watch=("arxiv:cs.CL every 6 h", "huggingface"), every=DAY)
        sites = Sites(database, importer, fetcher, clock, choices)
    arxiv, hugging_face = sites.watched
    assert (arxiv.every, hugging_face.every) == (6 * HOUR, DAY)
    assert await sites.next_due(arxiv) == clock()

    asked_at = clock()
    await database.write(lambda c: sources.failed(c, arxiv.site.name, why="Closed.", moment=asked_at))
    clock.advance(hours=2)
    assert await sites.next_due(arxiv) == asked_at + 6 * HOUR
    clock.advance(hours=48)
    assert await sites.next_due(arxiv) == clock()

    never, known = (await sites.statuses())[1], (await sites.statuses())[0]
    assert (never.spec, never.freshness) == ("huggingface", Freshness.NEVER)
    assert (known.spec, known.every, known.freshness) == ("arxiv:cs.CL", 6 * HOUR, Freshness.FAILING)


@pytest.mark.parametrize(
    ("watch", "why"),
    [
        ("papers.bib", "no site"),
        ("arxv:cs.CL", "did you mean arxiv:cs.CL"),
        ("arxiv:cs.CL every 5 min", "15 minutes"),
        ("arxiv:xx.CL", "no archive"),
    ],
)
async def test_what_cannot_be_watched_is_refused_with_what_to_write(database, importer, clock, watch, why):
    async with Fetcher(user_agent="tests", now=clock) as fetcher:
        with pytest.raises(InvalidInput, match=why):
            Sites(database, importer, fetcher, clock, Choices(watch=(watch,)))


NOW = dt.datetime(2026, 3, 1, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("days_silent", "longest_gap", "freshness"),
    [
        (1, None, Freshness.FRESH),
        (13, None, Freshness.FRESH),
        (15, None, Freshness.STALE),
        (5, DAY, Freshness.STALE),
        (15, 10 * DAY, Freshness.FRESH),
    ],
)
def test_a_source_is_stale_after_an_unusual_silence(days_silent, longest_gap, freshness):
    record = SourceRecord(
        name="x", answered_at=NOW, new_paper_at=NOW - days_silent * DAY, longest_gap=longest_gap, asked_at=NOW
    )
    assert freshness_of(record, now=NOW, every=DAY) is freshness


async def test_the_longest_time_between_new_papers_is_remembered(database, clock):
    for days, has_new in ((0, True), (2, False), (1, True), (1, True)):
        clock.advance(days=days)
        await database.write(lambda c, n=has_new: sources.answered(c, "x", state="{}", has_new=n, moment=clock()))

    record = await database.read(lambda c: sources.record_of(c, "x"))
    assert record.longest_gap == 3 * DAY
    assert record.new_paper_at == record.answered_at == clock()
