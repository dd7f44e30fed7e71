"""A small library, and subscriptions and a composer on it."""

import datetime as dt
from collections.abc import Awaitable, Callable, Sequence

import pytest

from bot.digests.composer import Composer
from bot.digests.subscriptions import Subscriptions
from bot.models import Delivery, Edition, Now, Paper
from bot.search.searcher import Searcher
from bot.store import deliveries, papers
from bot.store.database import Connection, Database
from bot.summaries.summarizer import Summarizer

Add = Callable[[Sequence[str]], Awaitable[list[int]]]
DeliveriesOf = Callable[[Edition], Awaitable[list[Delivery]]]

TITLES = tuple(
    f"{subject} {verb} {thing}"
    for subject, verb, thing in [
        ("Ducks", "Sort", "Themselves by Size"),
        ("Herons", "Count", "Fish in Murky Water"),
        ("Swans", "Learn", "the Shape of a Lake"),
        ("Geese", "Vote", "on the Way South"),
        ("Coots", "Share", "Nests without Quarrel"),
        ("Gulls", "Guess", "Where Bread Falls"),
    ]
)


@pytest.fixture
def searcher(database: Database) -> Searcher:
    return Searcher(database)


@pytest.fixture
def add(database: Database, clock: Now) -> Add:
    """Add papers with these titles, now, and give their ids."""

    async def add(titles: Sequence[str]) -> list[int]:
        def work(connection: Connection) -> list[int]:
            ids = [
                papers.insert(
                    connection,
                    Paper(
                        id=0,
                        title=title,
                        abstract=f"We watch a pond. {title}, as we show. Nobody taught them.",
                        authors=("Ada Drake",),
                        venue="Pond",
                        year=2026,
                    ),
                    added_at=clock(),
                )
                for title in titles
            ]
            papers.bump_version(connection)
            return ids

        return await database.write(work)

    return add


@pytest.fixture
async def library(add: Add, clock: Now) -> list[int]:
    ids = await add(TITLES)
    clock.instant += dt.timedelta(seconds=1)  # pyright: ignore[reportFunctionMemberAccess] -- the tests' clock
    return ids


@pytest.fixture
def subscriptions(database: Database, searcher: Searcher, clock: Now, library: list[int]) -> Subscriptions:
    return Subscriptions(database, searcher, clock, default_zone="UTC")


@pytest.fixture
def composer(database: Database, searcher: Searcher, clock: Now) -> Composer:
    return Composer(database, searcher, Summarizer(), clock, catch_up=dt.timedelta(hours=12), sentences=1)


@pytest.fixture
def deliveries_of(database: Database) -> DeliveriesOf:
    async def deliveries_of(edition: Edition) -> list[Delivery]:
        return await database.read(lambda connection: deliveries.of_edition(connection, edition.id))

    return deliveries_of
