"""Papers like one paper."""

import pytest

from bot.models import Paper
from bot.search.similar import telling_terms
from bot.search.spelling import Vocabulary

TIDES = Paper(
    id=0,
    title="Tidal Gauges That Drift",
    abstract="Gauges drift and tides do not. We correct the drift of a gauge by its neighbours along the coast.",
    authors=("Ada Drift",),
    keywords=("oceanography",),
)


@pytest.fixture
async def sea(searcher, add):
    ids = await add(
        TIDES,
        Paper(id=0, title="Correcting Gauges Along a Coast", keywords=("oceanography",)),
        Paper(id=0, title="Salt", abstract="Oceanography of a coast without gauges, whose drift nobody measured."),
        Paper(id=0, title="Bees Hum", abstract="A hive hums at night."),
    )
    return searcher, ids


async def test_the_papers_that_share_most_come_first_and_the_paper_itself_never(sea):
    searcher, (tides, coast, salt, bees) = sea
    found = await searcher.similar(await searcher.get(f"#{tides}"))

    assert [hit.paper.id for hit in found][:2] == [coast, salt]
    assert not {tides, bees} & {hit.paper.id for hit in found}
    assert all(0 < hit.score <= 100 for hit in found)


async def test_a_paper_that_nothing_resembles_has_no_like(sea, add):
    searcher, _ = sea
    (alone,) = await add(Paper(id=0, title="Quokka Xylophones", authors=("Zed",)))
    assert await searcher.similar(await searcher.get(f"#{alone}")) == []


async def test_no_more_than_were_asked_for(sea):
    searcher, (tides, *_) = sea
    assert len(await searcher.similar(await searcher.get(f"#{tides}"), limit=1)) == 1


def test_telling_words_are_rare_often_said_and_nobodys_name():
    known = Vocabulary([("gauges", 5), ("drift", 9), ("coast", 3), ("the", 900), ("tides", 40)], papers=1000)
    terms = telling_terms(TIDES, known, {"gauges": 5, "coast": 3, "tides": 400}.__getitem__)

    assert list(terms) == ["gauges", "coast", "tides"]
    assert all(weight > 0 for weight in terms.values())
