from hypothesis import given
from hypothesis import strategies as st

from bot.search.snippets import END, START, snippet

LONG = "Opening words of no weight. " * 20 + "Here diffusion meets a policy at last. " + "More words follow. " * 20


def bare(text: str) -> str:
    return text.replace(START, "").replace(END, "")


def test_the_snippet_shows_the_terms_and_marks_them():
    found = snippet(LONG, {"diffusion", "policy"})

    assert f"{START}diffusion{END} meets a {START}policy{END}" in found
    assert found.startswith("…")
    assert found.endswith("…")


def test_inflections_accents_and_hyphens_are_marked():
    found = snippet("Policies of a Café with few-shot pairs", {"policy", "cafe", "fewshot"})

    assert found == f"{START}Policies{END} of a {START}Café{END} with {START}few-shot{END} pairs"


def test_without_a_match_it_is_the_beginning_and_without_text_nothing():
    assert snippet(LONG, {"walrus"}).startswith("Opening words")
    assert snippet("", {"walrus"}) == ""


@given(st.text(max_size=600), st.lists(st.sampled_from(["a", "the", "walk", "zz"]), max_size=3))
def test_marks_come_in_pairs_and_the_length_is_bounded(text: str, terms: list[str]):
    found = snippet(text, terms)

    assert found.count(START) == found.count(END)
    assert len(bare(found)) <= 202
    assert bare(found).strip("… ") in " ".join(bare(text.replace(START, " ").replace(END, " ")).split())


def test_words_are_not_cut():
    known = set(LONG.split())

    assert set(bare(snippet(LONG, {"diffusion"})).strip("…").split()) <= known
