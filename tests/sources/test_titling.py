"""Display titles made from a paper's own words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sources.titling import LONGEST_MADE_TITLE, made_title


def test_a_method_that_the_text_introduces_gives_the_title(made):
    assert made_title(made.TIDES) == "TRL: Tidal Residual Learning"
    assert made_title(made.BEES) == "HumBox"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Ships sink. We present the Evolving Keel (EK), which does not.", "EK: Evolving Keel"),
        ("Ships sink. In this paper we study how keels evolve under load.", "How keels evolve under load"),
        ("Keels evolve under load, says an old rule. It is wrong.", "Keels evolve under load, says an old rule"),
        ("word", "Word"),
    ],
)
def test_the_title_is_the_most_telling_clause(text, title):
    assert made_title(text) == title


WORDS = "we propose a method (ABC) , that . graph networks learning the of".split()


@given(st.text(alphabet=st.characters(codec="utf-8"), min_size=1).filter(lambda text: text.strip()))
def test_a_title_is_short_never_empty_and_ends_without_a_stop(text):
    title = made_title(text)
    assert 0 < len(title) <= LONGEST_MADE_TITLE + 2
    assert title.strip() == title


@given(st.lists(st.sampled_from(WORDS), min_size=30))
def test_a_title_ends_at_the_end_of_a_word(words):
    text = " ".join(words)
    assert made_title(text).split()[-1].lower().strip("():,.") in {word.lower().strip("():,.") for word in words}
