import random
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest

from bot.errors import InvalidInput, NotFound
from bot.models import Now, Paper
from bot.search.picker import Picker
from bot.search.searcher import Searcher
from bot.store.database import Database

Add = Callable[..., Awaitable[list[int]]]

CHANNEL = 7


def picker(database: Database, now: Now, seed: int = 1) -> Picker:
    return Picker(database, Searcher(database), now, chance=random.Random(seed))


async def test_no_paper_comes_twice_before_all_were_seen(database: Database, add: Add, clock: Now):
    ids = await add(*(Paper(id=0, title=f"Paper {number}") for number in range(50)))
    pick = picker(database, clock).pick
    drawn = [(await pick(CHANNEL)).id for _ in range(200)]

    for start in range(0, 200, 50):
        assert sorted(drawn[start : start + 50]) == ids
    assert all(one != other for one, other in pairwise(drawn))


async def test_every_paper_is_as_likely_as_any_other(database: Database, add: Add, clock: Now):
    """The first pick of 400 channels among 5: chi-square with 4 degrees of freedom, p = 0.001."""
    ids = await add(*(Paper(id=0, title=f"Paper {number}") for number in range(5)))
    pick = picker(database, clock, seed=11).pick
    drawn = Counter([(await pick(channel)).id for channel in range(400)])

    assert sum((drawn[one] - 80) ** 2 / 80 for one in ids) < 18.47


async def test_a_round_survives_a_restart(database: Database, add: Add, clock: Now):
    await add(*(Paper(id=0, title=f"Paper {number}") for number in range(10)))
    before = [(await picker(database, clock, seed=1).pick(CHANNEL)).id for _ in range(5)]
    after = [(await picker(database, clock, seed=1).pick(CHANNEL)).id for _ in range(5)]

    assert len({*before, *after}) == 10


async def test_a_new_round_does_not_begin_with_the_paper_shown_last(database: Database, add: Add, clock: Now):
    await add(Paper(id=0, title="One"), Paper(id=0, title="Two"))
    pick = picker(database, clock).pick
    drawn = [(await pick(CHANNEL)).id for _ in range(40)]

    assert all(one != other for one, other in pairwise(drawn))


async def test_the_only_paper_comes_again_and_again(database: Database, add: Add, clock: Now):
    await add(Paper(id=0, title="Alone"))
    pick = picker(database, clock).pick

    assert [(await pick(CHANNEL)).title for _ in range(3)] == ["Alone"] * 3


async def test_channels_have_rounds_of_their_own(database: Database, add: Add, clock: Now):
    await add(Paper(id=0, title="One"), Paper(id=0, title="Two"))
    pick = picker(database, clock).pick

    for channel in (1, 2):
        assert {(await pick(channel)).title, (await pick(channel)).title} == {"One", "Two"}


async def test_a_query_narrows_the_choice_and_its_round_alone_begins_anew(database: Database, add: Add, clock: Now):
    await add(*(Paper(id=0, title=f"{kind} {number}") for kind in ("Goat", "Newt") for number in range(3)))
    pick = picker(database, clock).pick
    goats = [(await pick(CHANNEL, "goat")).title for _ in range(4)]

    assert sorted(goats[:3]) == ["Goat 0", "Goat 1", "Goat 2"]
    # One goat is seen in the new round: five papers are left.
    rest = [(await pick(CHANNEL)).title for _ in range(5)]
    assert len({*rest, goats[3]}) == 6


async def test_what_cannot_be_picked_is_said(database: Database, add: Add, clock: Now):
    pick = picker(database, clock).pick
    with pytest.raises(NotFound, match="library is empty"):
        await pick(CHANNEL)
    await add(Paper(id=0, title="Diffusion"))
    with pytest.raises(NotFound, match=r"^No paper matches “difusion”\. Closest words in the library: diffusion\.$"):
        await pick(CHANNEL, "difusion")
    with pytest.raises(InvalidInput):
        await pick(CHANNEL, "***")
