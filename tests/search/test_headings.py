"""The short fields of every paper in memory."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.search import headings
from bot.search.headings import AUTHOR, COMPOUND, KEYWORD, TITLE, HeadingRow, Headings
from bot.text.words import words


def row(number: int, title: str, **fields: object) -> HeadingRow:
    lists = {name: json.dumps(fields.pop(name, []), ensure_ascii=False) for name in ("aliases", "authors", "keywords")}
    rest = {"venue": None, "year": None, "track": None} | fields
    return HeadingRow(id=number, title=title, **lists, **rest)


LIBRARY = (
    row(3, "Graph Walks", authors=["Søren Łuk", "Zoë Graph"], venue="A", year=2021),
    row(
        7, "AP-Perf: Walking the State-of-the-Art", aliases=["Old Name"], keywords=["graph walks"], venue="B", year=2022
    ),
    row(8, "∞"),
    row(20, "Graph Walks of the North", track="oral", year=2021),
)


@pytest.fixture(scope="module")
def library() -> Headings:
    return headings.read(LIBRARY)


def ids(library: Headings, positions: object) -> list[int]:
    return library.ids[positions].tolist()


def spelt(library: Headings, paper: int) -> list[tuple[int, str]]:
    """Return the segments of a paper, as kind and text."""
    found = library.segments_of(library.position_of([paper]))
    return [
        (
            int(library.kinds[one]),
            " ".join(
                library.vocabulary.words[n] for n in library.tokens[library.segments[one] : library.segments[one + 1]]
            ),
        )
        for one in found
    ]


def test_every_field_is_kept_word_by_word_and_folded(library):
    assert spelt(library, 3) == [(TITLE, "graph walks"), (AUTHOR, "soren luk zoe graph")]
    assert spelt(library, 7) == [
        (TITLE, "ap perf walking the state of the art"),
        (TITLE, "old name"),
        (KEYWORD, "graph walks"),
        (COMPOUND, "apperf stateoftheart"),
    ]
    assert spelt(library, 8) == [(TITLE, "")]


def test_words_know_their_papers(library):
    assert ids(library, library.having("graph")) == [3, 7, 20]
    assert ids(library, library.having("walrus")) == []
    assert sorted(set(ids(library, library.having_one_of(library.vocabulary.begun("walk"))))) == [3, 7, 20]
    assert library.vocabulary.count("graph") == 3


def test_titles_are_found_by_how_they_begin(library):
    def beginning(*typed: str, whole: bool = False) -> list[int]:
        return ids(library, library.owners[library.beginning(typed, last_is_whole=whole)])

    assert beginning("graph", "wal") == [3, 20]
    assert beginning("graph", "walks", whole=True) == [3, 20]
    assert beginning("graph", "wal", whole=True) == []
    assert beginning("old") == [7]
    assert beginning("walks") == beginning("graph", "walks", "of", "the", "north", "sea") == beginning() == []


def test_a_field_is_told_from_the_others(library):
    number = library.vocabulary.number("graph")
    assert ids(library, library.in_field(AUTHOR, [number])) == [3]
    assert ids(library, library.in_field(KEYWORD, [number])) == [7]
    assert ids(library, library.in_field(KEYWORD, [])) == []


def test_venues_years_and_names_before_a_colon_are_kept(library):
    assert [library.venue_names[n] if n >= 0 else None for n in library.venues] == ["A", "B", None, None]
    assert library.years.tolist() == [2021, 2022, 0, 2021]
    assert [library.track_names[n] if n >= 0 else None for n in library.tracks] == [None, None, None, "oral"]
    assert library.names[library.first_segments[:-1]].tolist() == [0, 2, 0, 0]


def test_positions_of_unknown_papers_are_left_out(library):
    assert ids(library, library.position_of([20, 4, 3, 99])) == [20, 3]
    assert library.mask_of([7, 99]).tolist() == [False, True, False, False]


def test_a_library_without_papers_has_nothing():
    empty = headings.read([])
    assert len(empty) == 0
    assert empty.having("graph").size == empty.position_of([1]).size == empty.beginning(["graph"]).size == 0


@given(st.lists(st.tuples(st.text(max_size=30), st.lists(st.text(max_size=12), max_size=3)), max_size=6))
def test_any_text_is_split_as_a_query_is(made):
    library = headings.read(row(number, title, authors=authors) for number, (title, authors) in enumerate(made, 1))
    for number, (title, authors) in enumerate(made, 1):
        by_kind = dict(reversed(spelt(library, number)))
        assert by_kind[TITLE] == " ".join(words(re.sub("[\ud800-\udfff]", "?", title)))
        if authors and not set("\\".join(authors)) & {"\\", '"', "\b", "\f", "\n", "\r", "\t"}:
            said = [word for name in authors for word in words(name)]
            assert set(said) <= set(by_kind[AUTHOR].split()) or any(not one.isprintable() for one in "".join(authors))
    assert np.all(np.diff(library.owners) >= 0)
