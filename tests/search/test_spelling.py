from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import OSA

from bot.search.spelling import Vocabulary, allowed_distance


def vocabulary(**counts: int) -> Vocabulary:
    return Vocabulary(counts.items(), papers=5000)


def nearest(words: Vocabulary, typed: str) -> list[str]:
    return [one.word for one in words.corrections(typed)]


def test_the_nearest_and_commonest_words_come_first():
    words = vocabulary(diffusion=300, diffusions=2, infusion=1, policies=40, policy=90)

    assert nearest(words, "difusion")[0] == "diffusion"
    assert nearest(words, "policise") == ["policies"]
    assert nearest(words, "poliyc")[0] == "policy"


def test_a_wrong_first_letter_is_forgiven():
    assert nearest(vocabulary(transformer=50, former=3), "yransformer")[0] == "transformer"


def test_short_words_may_differ_by_one_letter_only_and_numbers_not_at_all():
    words = Vocabulary([("graph", 9), ("bert", 9), ("2023", 9)], papers=5000)

    assert nearest(words, "brt") == ["bert"]
    assert nearest(words, "xxrt") == []
    assert nearest(words, "2024") == []


def test_no_more_than_four_corrections_are_offered():
    words = Vocabulary([(f"vector{letter}", 1) for letter in "abcdefg"], papers=5000)

    assert len(words.corrections("vectorz")) == 4


def test_words_that_run_together_are_split_where_both_are_common():
    words = vocabulary(few=40, shot=60, hot=1)

    assert words.split("fewshot") == ("few shot",)


def test_words_have_numbers_and_those_that_begin_so_stand_together():
    words = vocabulary(walk=3, walks=1, wall=2, tide=1)

    assert [words.words[number] for number in words.begun("walk")] == ["walk", "walks"]
    assert words.words[words.number("tide")] == "tide"
    assert words.number("wal") is None


@given(st.lists(st.text("abcdeé1", min_size=1, max_size=9), unique=True, max_size=40), st.text("abcdeé", max_size=9))
def test_no_word_within_the_distance_is_overlooked(known, typed):
    """Against a comparison with every word: what is passed over beforehand must be farther away."""
    words = Vocabulary([(word, 1) for word in known], papers=5000)
    most = allowed_distance(typed)
    near = {
        word: distance
        for word in known
        if len(word) >= 3 and not word.isdigit() and 0 < (distance := OSA.distance(typed, word)) <= most
    }
    found = {one.word: one.distance for one in words.corrections(typed)}

    assert found.items() <= near.items()
    if len(typed) >= 3:
        # Where a word is one letter away, those farther away need not be looked for.
        nearest = [word for word, distance in near.items() if distance == 1] or near
        assert len(found) >= min(4, len(nearest))


def test_beginnings_are_offered_only_where_no_word_begins_so():
    words = vocabulary(diffusion=300, diffuse=2, graph=90)

    assert words.beginnings("difus")[0] == "diffus"
    assert words.beginnings("diff") == words.beginnings("dif") == words.beginnings("zzzz") == []
