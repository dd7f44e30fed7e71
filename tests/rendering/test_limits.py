"""Text is cut to Discord's measure, never within a character that a person sees."""

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from bot.rendering import limits


@given(st.text(), st.integers(1, 60))
def test_a_cut_text_fits_and_is_a_beginning_of_the_whole(text: str, limit: int):
    result = limits.cut(text, limit)
    assert limits.units(result) <= limit
    if result != text:
        assert limits.units(text) > limit
        assert text.startswith(result.removesuffix("…"))


@given(
    st.lists(st.sampled_from(["a", " ", "e\u0301", "👍🏽", "👩\u200d👧", "🇩🇪", "한"]), max_size=30), st.integers(1, 30)
)
def test_a_cut_never_falls_within_a_grapheme(pieces: list[str], limit: int):
    text = "".join(pieces)
    kept = limits.cut(text, limit).removesuffix("…")
    assert regex.findall(r"\X", text)[: len(regex.findall(r"\X", kept))] == regex.findall(r"\X", kept)


def test_units_are_utf16_code_units():
    assert limits.units("a👍é") == len("a👍é".encode("utf-16-le")) // 2


def test_a_text_that_fits_exactly_is_not_cut():
    assert limits.cut("x" * 256, 256) == "x" * 256
    assert limits.cut("x" * 257, 256) == "x" * 255 + "…"


def test_a_cut_prefers_the_end_of_a_word():
    assert limits.cut("sorting ducks by size", 16) == "sorting ducks…"


def test_a_limit_below_one_is_a_fault_of_the_caller():
    with pytest.raises(ValueError, match="at least 1"):
        limits.cut("text", 0)
