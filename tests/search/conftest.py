"""A small library of made-up papers, as the search sees it."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from bot.models import Paper
from bot.search.searcher import Searcher
from bot.store import papers
from bot.store.database import Connection, Database

ADDED = dt.datetime(2026, 1, 5, tzinfo=dt.UTC)

LIBRARY = (
    Paper(
        id=0,
        title="Diffusion Policies for Robots That Pour Tea",
        abstract="We teach an arm to pour tea. A diffusion model draws the motion, a planner checks each of its steps.",
        authors=("Aurélie Ñandú", "Bo Lindqvist"),
        keywords=("robotics", "imitation"),
        venue="ICLR 2024",
        year=2024,
        track="oral",
        identifiers=("openreview:AbCdEf12Gh", "arxiv:2401.01234"),
    ),
    Paper(
        id=0,
        title="AP-Perf: Average Precision Without Tears",
        abstract="Ranking measures are hard to train for; a smooth bound makes them easy.",
        authors=("Chen Wei",),
        venue="NeurIPS 2023",
        year=2023,
        track="poster",
        identifiers=("doi:10.1234/apperf.5",),
    ),
    Paper(
        id=0,
        title="Few-Shot Autoencoders in the Wild",
        abstract="Codes learnt from a handful of pictures, step by step, without labels.",
        authors=("Dana Kowalska",),
        venue="ICLR 2024",
        year=2024,
        track="poster",
        aliases=("Learning Codes from a Handful of Pictures",),
    ),
    Paper(
        id=0,
        title="Let's Count Every Sheep",
        abstract="Counting animals from the air with a graph of their likely walks.",
        authors=("Emre Öztürk",),
        venue="ICML 2022",
        year=2022,
    ),
    Paper(id=0, title="Graph Walks", authors=("Bo Lindqvist",), year=2021),
    Paper(id=0, title="Graph Walks Revisited for Café Owners", year=2025),
)


@pytest.fixture
def add(database: Database) -> Callable[..., Awaitable[list[int]]]:
    async def add(*new: Paper) -> list[int]:
        def work(connection: Connection) -> list[int]:
            ids = [papers.insert(connection, paper, added_at=ADDED) for paper in new]
            papers.bump_version(connection)
            return ids

        return await database.write(work)

    return add


@pytest.fixture
async def searcher(database: Database, add: Callable[..., Awaitable[list[int]]]) -> Searcher:
    await add(*LIBRARY)
    return Searcher(database)


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of a library that a whole module reads; tests open it themselves."""
    path = tmp_path_factory.mktemp("lasting") / "library.db"

    def work(connection: Connection) -> None:
        for paper in LIBRARY:
            papers.insert(connection, paper, added_at=ADDED)
        papers.bump_version(connection)

    async def fill() -> None:
        async with await Database.open(path) as database:
            await database.write(work)

    asyncio.run(fill())
    return path
