import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.text.words import fold, words


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("croise", "Croisé"),
        ("ANTONIO", "António"),
        ("erdos", "Erdo\u030bs"),
        ("strasse", "Straße"),
        ("lojasiewicz", "Łojasiewicz"),
        ("soren", "Søren"),
        ("fine", "ﬁne"),
        ("pangu π", "PanGu 𝜋"),
        ("x2", "x²"),
    ],
)
def test_typographic_variants_meet_when_folded(typed: str, stored: str):
    assert fold(typed) == fold(stored)


def test_marks_that_make_another_letter_are_kept():
    assert fold("が") != fold("か")


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(text: str):
    assert fold(fold(text)) == fold(text)


def test_words_are_runs_of_letters_and_digits():
    assert words("AP-Perf: O(n²) for x_i, naïve GPT-4!") == [
        "ap",
        "perf",
        "o",
        "n2",
        "for",
        "x",
        "i",
        "naive",
        "gpt",
        "4",
    ]
