import json

import numpy as np
import pytest

from bot.models import Paper
from bot.search import headings
from bot.search.headings import HeadingRow
from bot.search.ranking import GOOD, InText, Ranking, Wanted, rank
from bot.text.words import words


def paper(number: int, title: str, **fields: object) -> Paper:
    return Paper(id=number, title=title, **fields)


def ranked(typed: str, *candidates: Paper, texts: dict[int, float] | None = None) -> tuple[list[int], Ranking]:
    """Rank the papers of a library that has no others; return their ids and the ranking."""
    rows = [
        HeadingRow(
            id=one.id,
            title=one.title,
            aliases=json.dumps(one.aliases),
            authors=json.dumps(one.authors, ensure_ascii=False),
            keywords=json.dumps(one.keywords),
            venue=None,
            year=None,
            track=None,
        )
        for one in sorted(candidates, key=lambda one: one.id)
    ]
    library = headings.read(rows)
    wanted = Wanted(
        words=words(typed),
        alternatives={word: [near.word for near in library.vocabulary.corrections(word)] for word in words(typed)},
        title=words(typed),
    )
    in_texts = {
        int(library.position_of([one.id])[0]): InText.of(one.text, texts[one.id])
        for one in candidates
        if texts and one.id in texts
    }
    found = rank(wanted, library, np.arange(len(library), dtype=np.int32), in_texts)
    return library.ids[found.papers].tolist(), found


def test_a_title_typed_in_full_has_100_and_equal_ones_stand_by_number():
    ids, found = ranked(
        "graph WALKS!", paper(9, "Graph Walks Revisited"), paper(7, "Graph walks"), paper(3, "Graph Walks")
    )

    assert ids == [3, 7, 9]
    assert found.scores.tolist()[:2] == [100, 100]
    assert found.scores[2] < 100


def test_another_title_typed_in_full_comes_next():
    ids, found = ranked("old name", paper(1, "New Name", aliases=("Old Name",)), paper(2, "An Old Name or Two"))

    assert ids == [1, 2]
    assert found.scores[0] == 99.5


@pytest.mark.parametrize("typed", ["difusion policys", "fewshot", "few shot", "apperf", "ap perf", "grraph walks"])
def test_misspelt_split_and_joined_words_are_good_answers(typed: str):
    _, found = ranked(
        typed,
        paper(1, "Diffusion Policies"),
        paper(2, "Few-Shot Learning"),
        paper(3, "AP-Perf"),
        paper(4, "Graph Walks Revisited"),
    )

    assert found.coverage[0] >= GOOD > found.coverage[1]


def test_rare_words_count_more_than_common_ones():
    ids, _ = ranked(
        "learning walrus", paper(1, "Learning"), paper(2, "A Walrus"), *(paper(n, "Learning It") for n in range(3, 20))
    )

    assert ids[0] == 2


def test_a_number_is_not_another_number():
    assert ranked("1234", paper(1, "Report 1235"))[1].coverage[0] == 0


def test_words_that_stand_only_in_the_text_count_where_the_text_was_found():
    with_text = paper(2, "Tea", abstract="Of diffusion and its policies.")

    assert ranked("diffusion policies", paper(1, "Coffee"), with_text, texts={2: 1.0})[0][0] == 2


def test_scores_stay_in_bounds_and_a_title_without_words_does_no_harm():
    ids, found = ranked("graph walks", paper(1, "Walks on a Graph"), paper(2, "∞"), paper(3, "Graph Walks", authors=()))

    assert ids[0] == 3
    assert ((found.scores >= 0) & (found.scores <= 100)).all()
    assert ((found.coverage >= 0) & (found.coverage <= 100)).all()


def test_no_candidates_give_no_ranking():
    assert ranked("graph")[0] == []


def test_the_name_before_a_colon_is_what_a_single_word_means():
    assert ranked("perf", paper(1, "Perf Tests"), paper(2, "Perf: Learning of Graph Walks Revisited"))[0] == [2, 1]


def test_of_titles_that_begin_so_the_one_that_goes_on_comes_before_one_that_holds_the_words():
    ids, _ = ranked(
        "towards stat", paper(1, "Statistics and Towards"), paper(2, "Towards Statistical Tides of the North")
    )

    assert ids == [2, 1]


def test_what_a_paper_calls_its_own_thing_comes_before_a_person_of_that_name():
    by_homer = paper(1, "Grasping Cups", authors=("Homer Vale",))
    coined = paper(2, "Longer Contexts", abstract="We call it HOMER, for it tells long tales.")
    mentions = paper(3, "Epic Poems", abstract="Verses of Homer and others.")

    assert ranked("homer", by_homer, coined, mentions, texts={2: 1.0, 3: 1.0})[0][0] == 2


def test_a_word_typed_twice_counts_once():
    _, found = ranked("tie a bow tie", paper(1, "Walks", authors=("Tie Yan",)), paper(2, "Bow Shapes"))

    assert found.coverage.max() < GOOD
