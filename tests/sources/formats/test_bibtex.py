"""BibTeX: macros, braces, names, volumes, and entries that are broken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.models import Refusal
from bot.sources.base import NOTHING_SAID
from bot.sources.formats import bibtex
from bot.sources.formats.bibtex_values import people, resolved, unprotected

TWO = rb"""% Encoding: UTF-8
@string{sea = "Journal of " # {the Sea}}
@comment{jabref-meta: databaseType:bibtex;}
@article{tides, title = "The {Tide} of {{\"O}resund}", author = {van der Meer, Ada and King, Jr., Martin and others},
  journal = sea # ", Series B", year = 2021, month = nov, doi = {10.1000/A\_b},
  abstract = {Harbours fill, and $x_{i}$ tells by how much.}, keywords = {tides, harbours; gauges}, }
@misc{bees,
  title={Bees Hum},
  author={{The Hive and Friends, Inc.} and Anonymous},
  eprint={2401.00002}, archivePrefix={arXiv}, primaryClass={cs.SD}, year={2024}
}
"""


def read(content, defaults=NOTHING_SAID):
    content = content.encode() if isinstance(content, str) else content
    return list(bibtex.read([content], defaults))


def test_entries_are_read_with_macros_names_and_identifiers():
    tides, bees = read(TWO)
    assert tides.title == r"The Tide of {\"O}resund"
    assert tides.authors == ("Ada van der Meer", "Martin King Jr.")
    assert (tides.venue, tides.year) == ("Journal of the Sea, Series B", 2021)
    assert tides.record["month"] == "November"
    assert tides.identifiers == ("doi:10.1000/a_b",)
    assert tides.abstract == "Harbours fill, and $x_{i}$ tells by how much."
    assert tides.keywords == ("tides", "harbours", "gauges")
    assert tides.where == "line 4, entry tides"
    assert (bees.authors, bees.venue) == (("The Hive and Friends, Inc.",), "arXiv")
    assert bees.identifiers == ("arxiv:2401.00002",)


def test_entries_under_one_key_are_papers_all_the_same():
    entry = "@inproceedings{\nkey2024,\ntitle={Paper %d},\nbooktitle={ICLR 2024},\nyear={2024}\n}\n\n"
    found = read("".join(entry % number for number in range(3)))
    assert [paper.title for paper in found] == ["Paper 0", "Paper 1", "Paper 2"]


def test_entries_on_one_line_are_told_apart():
    found = read("@misc{a, title={One}} @misc{a, title={Two}}@misc(b, title={Three})")
    assert [paper.title for paper in found] == ["One", "Two", "Three"]


def test_a_broken_entry_spoils_no_other():
    first, broken, last = read("@misc{a, title={One}}\n@misc{b, title={Two\n@misc{c, title={Three}}\n")
    assert (first.title, last.title) == ("One", "Three")
    assert broken == Refusal(
        where="line 2", why="The entry is broken: a brace, a quotation mark or a comma is missing."
    )


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("@proceedings{p, title={Proceedings of the Sea}}", "It is a whole volume, not a paper."),
        ("@book{b, title={Waves}, editor={Some One}}", "It is a whole volume, not a paper."),
        ("@misc{m, author={Some One}}", "It has neither a title nor an abstract."),
        ("@misc{m, title={Waves}, note={Withdrawn}}", "Its status is “Withdrawn”."),
    ],
)
def test_what_is_no_paper_is_refused(entry, why):
    assert [one.why for one in read(entry)] == [why]


def test_a_book_with_an_author_and_an_unknown_type_are_taken():
    found = read("@book{b, title={Waves}, author={Ada Lovelace}}\n@software{s, title={HumBox}}")
    assert [paper.title for paper in found] == ["Waves", "HumBox"]


def test_a_submission_keeps_its_year_and_has_no_venue():
    (paper,) = read(
        "@inproceedings{a, title={Waves}, author={Anonymous}, year={2025}, note={under review},"
        "booktitle={Submitted to The Fourteenth International Conference on Learning Representations}}"
    )
    assert (paper.venue, paper.year, paper.authors) == (None, 2025, ())


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("{TLDR}: {E}xtreme", "TLDR: Extreme"),
        ("{{TD-MPC2:} Scalable}", "TD-MPC2: Scalable"),
        (r"J{\"{u}}rgen and {\'e}t{\'{e}}", r"J{\"{u}}rgen and {\'e}t{\'{e}}"),
        (r"\emph{Deep {BERT}} at \textbf{once}", r"\emph{Deep BERT} at \textbf{once}"),
        (r"$\frac{a}{b}$ of {GPT}", r"$\frac{a}{b}$ of GPT"),
        ("costs {$}5", "costs $5"),
        ("x_{1} {open", "x_{1} open"),
        ("closed} {A}", "closed} A"),
    ],
)
def test_only_braces_that_protect_case_go(text, plain):
    assert unprotected(text) == plain


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Lovelace, Ada  and\n  Alan M. Turing", ("Ada Lovelace", "Alan M. Turing")),
        ("Anders Sand and Andy Land", ("Anders Sand", "Andy Land")),
        ("{Barnes and Noble} and others", ("Barnes and Noble",)),
        (" and ", ()),
        ("Peng, Nanyun (Violet)", ("Nanyun (Violet) Peng",)),
    ],
)
def test_names_are_parted_outside_braces(text, names):
    assert people(text) == names


def test_macros_that_double_each_other_do_not_fill_the_memory():
    doubled = "".join(f"@string{{s{n + 1} = s{n} # s{n}}}\n" for n in range(60))
    found = read("@string{s0 = {wave}}\n" + doubled + "@misc{a, title={One}, note=s60}\n@misc{b, title=s3}")
    assert [paper.title for paper in found] == ["One", "wave" * 8]
    assert resolved("a # a", {"a": "x" * 10}, 15) is None


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (b"@article{a, title = {x}}", True),
        (b"@inproceedings{\nanonymous2025your,\ntitle={Your", True),
        (b'This file was made by a program.\n\n@string{a = "b"}', True),
        (b"# Papers\n\n@article{a, title={x}}", False),
        (b"ada@example.org wrote, see below", False),
        (b"@override\ndef f(): pass", False),
        (b"no entry", False),
    ],
)
def test_an_entry_at_the_beginning_is_recognised(head, known):
    assert bibtex.recognises(head) is known


@pytest.mark.parametrize(
    ("name", "papers"), [("acl_anthology.bib", 1), ("openreview_bibtex.bib", 4), ("dblp_iclr_15.bib", 15)]
)
def test_real_files_are_read_in_full(shared_data, name, papers):
    found = read((shared_data / "samples" / name).read_bytes())
    assert len(found) == papers
    assert not any(isinstance(one, Refusal) for one in found)
    assert all(paper.title and paper.identifiers and "{" not in paper.title for paper in found)
    assert {paper.venue for paper in found} <= {"ICLR", "EMNLP Findings", None}


@given(st.binary(max_size=400), st.integers(0, 10))
def test_nothing_undoes_it(noise, tenths):
    cut = TWO[: len(TWO) * tenths // 10]
    assert bibtex.recognises(noise or b" ") in {True, False}
    for one in [*read(noise), *read(cut + noise), *read(b"@a{" + noise + b"\n" + TWO)]:
        assert one.where


def test_a_file_of_broken_entries_takes_time_in_proportion(grows_with_its_input):
    grows_with_its_input(lambda size: read(b"@a{\n" * size), 2_000)
