"""The queries that the search is measured with."""

import random
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from rapidfuzz.distance import OSA

sys.path.insert(0, str(Path(__file__).parent))

from known_items import CLASSES, known_items, mistyped

THINGS = "rivers bridges glaciers turbines orchards harbours tunnels reservoirs lighthouses windmills".split()
VERBS = "measuring predicting simulating repairing classifying".split()


@dataclass(frozen=True)
class Paper:
    title: str
    abstract: str | None
    authors: tuple[str, ...]


@pytest.fixture(scope="module")
def papers() -> list[Paper]:
    text = " ".join(f"{thing} {verb} sediment gravel concrete granite limestone" for thing in THINGS for verb in VERBS)
    return [
        Paper(
            title=f"{verb[:3].upper()}{chr(65 + place)}-Net: {verb.title()} the {thing} of northern countries",
            abstract=text,
            authors=(f"Ada {thing.title()}ström", f"Bo {verb.title()}"),
        )
        for verb in VERBS
        for place, thing in enumerate(THINGS)
    ]


def test_every_class_has_its_count_and_the_seed_decides(papers):
    items = known_items(papers, seed=5, per_class=20)

    assert [item.name for item in items] == [name for name in CLASSES for _ in range(20)]
    assert items == known_items(papers, seed=5, per_class=20)
    assert items != known_items(papers, seed=6, per_class=20)


def test_a_smaller_count_gives_the_first_of_a_larger_one(papers):
    few, many = (known_items(papers, seed=5, per_class=count) for count in (5, 20))

    for name in CLASSES:
        assert [item for item in few if item.name == name] == [item for item in many if item.name == name][:5]


def test_what_is_typed_comes_from_the_target(papers):
    for item in known_items(papers, seed=6, per_class=40):
        title = papers[item.target].title.lower().replace(":", "")
        typed = item.query.split()
        if item.name in {"exact", "prefix"}:
            assert item.query in title
        if item.name in {"swap", "missing"}:
            assert set(typed) <= set(title.split())
        if item.name == "author":
            assert typed[0] in " ".join(papers[item.target].authors).lower()
        if item.name == "content":
            assert len(typed) == 4
            assert sum(word in title.split() for word in typed) == 1


def test_typing_wrong_is_one_slip():
    chance = random.Random(1)

    slips = [OSA.distance("representation", mistyped("representation", chance)) for _ in range(500)]

    assert set(slips) == {1}
    assert mistyped("of", chance) == "of"


def test_too_few_papers_are_said(papers):
    with pytest.raises(ValueError, match="too few papers"):
        known_items(papers[:3], seed=5, per_class=1)


def test_papers_that_are_fit_for_no_query_of_a_class_are_said(papers):
    bare = [Paper(title=paper.title, abstract="Too short.", authors=paper.authors) for paper in papers]

    with pytest.raises(ValueError, match="content"):
        known_items(bare, seed=5, per_class=2)
