from bot.search.spelling import Vocabulary


def vocabulary(**counts: int) -> Vocabulary:
    return Vocabulary(counts.items(), papers=5000)


def nearest(words: Vocabulary, typed: str) -> list[str]:
    return [one.word for one in words.corrections(typed)]


def test_the_nearest_and_commonest_words_come_first():
    words = vocabulary(diffusion=300, diffusions=2, infusion=1, policies=40, policy=90)

    assert nearest(words, "difusion")[0] == "diffusion"
    assert set(nearest(words, "policys")) == {"policy", "policies"}


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


def test_a_folded_word_knows_how_the_index_spells_it():
    words = Vocabulary([("søren", 2), ("soren", 1)], papers=10)

    assert words.count("soren") == 3
    assert set(words.indexed("soren")) == {"soren", "søren"}


def test_beginnings_are_offered_only_where_no_word_begins_so():
    words = vocabulary(diffusion=300, diffuse=2, graph=90)

    assert words.beginnings("difus")[0] == "diffus"
    assert words.beginnings("diff") == words.beginnings("dif") == words.beginnings("zzzz") == []
