"""The plain list of abstracts: headings, paragraphs, wrapping."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sources.formats.plain_list import Heading, join_lines, parse_heading


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("ICLR 2024 Papers", Heading(venue="ICLR", year=2024)),
        ("# NeurIPS 2023 — Oral Papers", Heading(venue="NeurIPS", year=2023, track="oral")),
        ("Accepted papers of ICML 2022:", Heading(venue="ICML", year=2022)),
        ("Interspeech 2021", Heading(venue="Interspeech", year=2021)),
        ("ACL Abstracts", Heading(venue="ACL")),
        ("2024", Heading(year=2024)),
        ("Papers that I like", Heading()),
        ("Some words", None),
        ("In 2024 we measured the papers of the ICLR.", None),
        ("", None),
    ],
)
def test_a_heading_gives_venue_year_and_track(line, heading):
    assert parse_heading(line) == heading


@pytest.mark.parametrize("width", [None, 60, 72, 100])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_list_is_the_same_wrapped_or_not_with_either_line_end(made, written, width, newline):
    path = written(made.plain(made.TIDES, made.ROOFS, made.BEES, width=width).replace("\n", newline))

    found, refused = made.read(path)

    assert refused == []
    assert [raw.abstract for raw in found] == [made.TIDES, made.ROOFS, made.BEES]
    assert {(raw.title, raw.venue, raw.year) for raw in found} == {(None, "ICLR", 2024)}


def test_where_is_the_line_on_which_the_paragraph_begins(made, written):
    found, _ = made.read(written(made.plain(made.TIDES, made.ROOFS)))
    assert [raw.where for raw in found] == ["line 3", "line 5"]


def test_a_list_without_a_heading_has_neither_venue_nor_year(made, written):
    found, refused = made.read(written(made.plain(made.TIDES, made.BEES, heading=None)))
    assert [(raw.venue, raw.year) for raw in found] == [(None, None)] * 2
    assert refused == []


def test_a_heading_may_stand_right_above_the_first_abstract(made, written):
    found, _ = made.read(written(f"ICLR 2024 Papers\n{made.TIDES}\n\n{made.BEES}\n"))
    assert [(raw.abstract, raw.venue) for raw in found] == [(made.TIDES, "ICLR"), (made.BEES, "ICLR")]


def test_a_later_heading_counts_from_there_on(made, written):
    found, refused = made.read(written(made.plain(made.TIDES, "ICML 2023 Papers", made.BEES)))
    assert [(raw.venue, raw.year) for raw in found] == [("ICLR", 2024), ("ICML", 2023)]
    assert refused == []


def test_venue_and_year_can_be_given_instead(made, written):
    found, _ = made.read(written(made.plain(made.TIDES, heading="My Papers")), venue="ICLR", year=2024)
    assert [(raw.venue, raw.year) for raw in found] == [("ICLR", 2024)]


def test_abstracts_on_one_line_each_without_blank_lines_are_told_apart(made, written):
    found, _ = made.read(written(f"ICLR 2024 Papers\n{made.TIDES}\n{made.ROOFS}\n{made.BEES}\n"))
    assert [raw.abstract for raw in found] == [made.TIDES, made.ROOFS, made.BEES]


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["a de-", "noising step"], "a denoising step"),
        (["a log-", "concave law, log-concave"], "a log-concave law, log-concave"),
        (["we use self-", "attention"], "we use self-attention"),
        (["state-of-", "the-art"], "state-of-the-art"),
        (["denoising by de-", "noising"], "denoising by denoising"),
        (["the GPT-", "4 model"], "the GPT-4 model"),
        (["a range -", "no word"], "a range - no word"),
        (["soft\u00ad", "ware"], "software"),
        (["  two  ", "words  "], "two words"),
    ],
)
def test_words_divided_at_a_line_end_are_put_together(lines, joined):
    assert join_lines(lines) == joined


@given(st.lists(st.text(max_size=40), max_size=6))
def test_joining_lines_loses_no_letter(lines):
    kept = "".join(character for line in lines for character in line if character.isalnum())
    assert "".join(character for character in join_lines(lines) if character.isalnum()) == kept


def test_a_short_paragraph_is_refused_and_the_rest_is_kept(made, written):
    found, refused = made.read(written(made.plain(made.TIDES, "A stray remark of a reader.", made.BEES)))
    assert len(found) == 2
    assert [(one.where, one.why) for one in refused] == [
        ("line 5", "The paragraph is too short for an abstract (6 words).")
    ]


def test_a_list_in_windows_1252_is_read_and_the_log_says_so(made, written, caplog):
    text = made.plain(made.TIDES.replace("Harbour", "Hafenbehörde – “Harbour”"))
    found, _ = made.read(written(text.encode("cp1252")))
    assert "Hafenbehörde – “Harbour”" in found[0].abstract
    assert "Windows-1252" in caplog.text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_list_in_any_marked_encoding_is_read(made, written, encoding):
    found, refused = made.read(written(made.plain(made.TIDES + " Ünï–code", made.BEES).encode(encoding)))
    assert [raw.abstract for raw in found] == [made.TIDES + " Ünï–code", made.BEES]
    assert found[0].venue == "ICLR"
    assert refused == []


def test_a_paragraph_of_nothing_but_divided_words_is_joined_in_linear_time(grows_with_its_input):
    assert join_lines(["word de-"] * 50).startswith("word deword")
    grows_with_its_input(lambda size: join_lines(["word de-"] * size), 5_000)
