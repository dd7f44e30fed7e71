"""Names that complete the options of a command."""

import pytest

from bot.models import Paper
from bot.search.completing import Field


@pytest.fixture
async def named(searcher, add):
    await add(
        Paper(
            id=0, title="Tides", authors=("Søren Lindqvist", "Bo Ek"), keywords=("graph learning",), venue="ICLR 2024"
        ),
        Paper(id=0, title="Bees", authors=("Bo Ek",), keywords=("Graph Theory", "bees"), track="spotlight"),
    )
    return searcher


@pytest.mark.parametrize(
    ("field", "typed", "names"),
    [
        (Field.AUTHOR, "bo", ["Bo Ek", "Bo Lindqvist"]),
        (Field.AUTHOR, "lind so", ["Søren Lindqvist"]),
        (Field.AUTHOR, "xyz", []),
        (Field.AUTHOR, "", []),
        (Field.AUTHOR, "***", []),
        (Field.KEYWORD, "graph", ["Graph Theory", "graph learning"]),
        (Field.VENUE, "", ["ICLR 2024", "ICML 2022", "NeurIPS 2023"]),
        (Field.VENUE, "neur 20", ["NeurIPS 2023"]),
        (Field.TRACK, "", ["poster", "oral", "spotlight"]),
        (Field.TRACK, "spot", ["spotlight"]),
    ],
)
async def test_names_complete_from_the_beginnings_of_their_words(named, field, typed, names):
    assert await named.complete_name(field, typed) == names


async def test_no_more_names_than_were_asked_for(named):
    assert await named.complete_name(Field.VENUE, "", limit=1) == ["ICLR 2024"]
