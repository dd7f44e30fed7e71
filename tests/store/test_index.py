import datetime as dt

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.models import Paper
from bot.store import index, papers
from bot.store.database import Connection, Database
from bot.store.index import Filters

NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


@pytest.fixture
async def library(database: Database) -> Database:
    made = (
        Paper(id=0, title="Graph Walks", abstract="On policies.", venue="A", year=2021, track="oral"),
        Paper(id=0, title="Walking Graphs", authors=("Zoë Graph",), venue="B", year=2022, aliases=("Old Name",)),
        Paper(id=0, title="Tea", keywords=("graph",), year=2023),
    )

    def work(connection: Connection) -> None:
        for paper in made:
            papers.insert(connection, paper, added_at=NOW)

    await database.write(work)
    return database


async def test_texts_are_matched_by_stems_in_every_field(library: Database):
    def work(connection: Connection) -> tuple[list[int], list[int]]:
        match = index.quoted("graphs")
        return index.in_texts(connection, match, limit=9), index.all_in_texts(connection, match)

    ranked, plain = await library.read(work)
    assert sorted(ranked) == plain == [1, 2, 3]


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        (Filters(), [1, 2, 3]),
        (Filters(years=(2021, 2022)), [1, 2]),
        (Filters(venues=("B",)), [2]),
        (Filters(venues=()), []),
        (Filters(tracks=("oral",)), [1]),
        (Filters(without=index.quoted("policy")), [2, 3]),
        (Filters(within=index.quoted("zoe", column="authors")), [2]),
    ],
)
async def test_filters_let_through_what_they_say(library: Database, filters: Filters, ids: list[int]):
    def work(connection: Connection) -> list[list[int]]:
        match = index.quoted("graph", prefix=True)
        return [
            sorted(index.in_texts(connection, match, limit=9, filters=filters)),
            sorted(index.anywhere(connection, limit=9, filters=filters)),
        ]

    assert await library.read(work) == [ids] * 2


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    typed=st.one_of(
        st.text(max_size=60), st.sampled_from(['"', "a AND", "NEAR(", "*", "^a", "{title}: a", "\0", "\ud800"])
    )
)
async def test_no_text_is_ever_an_operator(library: Database, typed: str):
    match = index.all_of([index.quoted(typed, prefix=True), index.any_of([index.quoted(typed, column="title")])])

    await library.read(lambda connection: index.in_texts(connection, match, limit=5))
    await library.read(lambda connection: index.all_in_texts(connection, match))
