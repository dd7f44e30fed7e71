from dataclasses import replace

import pytest

from bot.models import Paper
from bot.search.ranking import GOOD, Wanted, rank
from bot.search.spelling import Vocabulary
from bot.text.words import words

VOCABULARY = Vocabulary(
    [(word, 3) for word in "graph walks revisited diffusion policies few shot learning ap perf apperf".split()],
    papers=50,
)


def paper(number: int, title: str, **fields: object) -> Paper:
    return Paper(id=number, title=title, **fields)


def wanted(text: str) -> Wanted:
    return Wanted(words=words(text), alternatives={}, title=words(text), longest_title=300)


def order(text: str, *candidates: Paper, **more: object) -> list[int]:
    return [one.paper.id for one in rank(wanted(text), candidates, VOCABULARY, **more)]


def test_a_title_typed_in_full_has_100_and_equal_ones_stand_by_number():
    ranked = rank(
        wanted("graph WALKS!"),
        [paper(9, "Graph Walks Revisited"), paper(7, "Graph walks"), paper(3, "Graph Walks")],
        VOCABULARY,
    )

    assert [(one.paper.id, one.score) for one in ranked[:2]] == [(3, 100.0), (7, 100.0)]
    assert ranked[2].score < 100


@pytest.mark.parametrize("typed", ["difusion policys", "fewshot", "few shot", "apperf", "ap perf", "grraph walks"])
def test_misspelt_split_and_joined_words_are_good_answers(typed: str):
    candidates = [
        paper(1, "Diffusion Policies"),
        paper(2, "Few-Shot Learning"),
        paper(3, "AP-Perf"),
        paper(4, "Graph Walks Revisited"),
    ]
    corrected = {word: [one.word for one in VOCABULARY.corrections(word)] for word in words(typed)}
    first, second, *_ = rank(replace(wanted(typed), alternatives=corrected), candidates, VOCABULARY)

    assert first.coverage >= GOOD > second.coverage


def test_rare_words_count_more_than_common_ones():
    common = Vocabulary([("learning", 900), ("walrus", 1)], papers=1000)
    ranked = rank(wanted("learning walrus"), [paper(1, "Learning"), paper(2, "A Walrus")], common)

    assert ranked[0].paper.id == 2


def test_a_number_is_not_another_number():
    assert rank(wanted("1234"), [paper(1, "Report 1235")], VOCABULARY)[0].coverage == 0


def test_words_that_stand_only_in_the_text_count_where_the_text_was_found():
    with_text = paper(2, "Tea", abstract="Of diffusion and its policies.")

    assert order("diffusion policies", paper(1, "Coffee"), with_text, text_hits={2: 1.0})[0] == 2


def test_no_candidates_give_no_hits_and_scores_stay_in_bounds():
    assert rank(wanted("graph"), [], VOCABULARY) == []
    for one in rank(wanted("graph walks"), [paper(1, "Walks on a Graph"), paper(2, "∞")], VOCABULARY):
        assert 0 <= one.score <= 100


def test_the_name_before_a_colon_is_what_a_single_word_means():
    assert order("perf", paper(1, "Perf Tests"), paper(2, "Perf: Learning of Graph Walks Revisited")) == [2, 1]
