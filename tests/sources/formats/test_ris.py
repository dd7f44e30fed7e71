"""RIS: tags, values over many lines, ends that are missing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.models import Refusal
from bot.sources.formats import ris

TWO = """Record #1 of 2
TY  - CPAPER
TI  - Tides over
  two lines
AU  - Lovelace, Ada
AU  - King, Martin, Jr.
AB  - Harbours fill.
And empty again.
PY  - 2021/03/04/
T2  - Proceedings of the 38th International Conference on Machine Learning
KW  - tides; gauges
KW  - harbours
DO  - 10.1000/Sea.1
UR  - https://arxiv.org/abs/2401.00001; https://example.org/x
ER  -

TY  - GEN
T1  - Bees Hum
A1  - Frisch, Karl von
Y1  - 2014//
N2  - They do.
M1  - arXiv:2401.00002
ER  -
"""


def read(content):
    return list(ris.read([content.encode() if isinstance(content, str) else content]))


def test_records_are_read_with_names_identifiers_and_days():
    tides, bees = read(TWO)
    assert (tides.title, tides.abstract) == ("Tides over two lines", "Harbours fill. And empty again.")
    assert tides.authors == ("Ada Lovelace", "Martin King Jr.")
    assert (tides.venue, tides.year, tides.published_on.isoformat()) == ("ICML", 2021, "2021-03-04")
    assert tides.keywords == ("tides", "gauges", "harbours")
    assert tides.identifiers == ("arxiv:2401.00001", "doi:10.1000/sea.1")
    assert (tides.url, tides.where) == ("https://arxiv.org/abs/2401.00001", "line 2")
    assert (bees.title, bees.abstract, bees.authors) == ("Bees Hum", "They do.", ("Karl von Frisch",))
    assert (bees.year, bees.published_on, bees.identifiers) == (2014, None, ("arxiv:2401.00002",))


def test_a_record_whose_end_is_missing_ends_where_the_next_begins():
    found = read("TY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two\nAB  - Only the beg")
    assert [(one.title, one.abstract_cut) for one in found] == [("One", False), ("Two", True)]


@pytest.mark.parametrize("row", ["TI - One", "TI  -One", "TI  - One\r", "  TI  - One"])
def test_tags_may_be_spaced_otherwise(row):
    assert [one.title for one in read(f"TY  - JOUR\n{row}\nER  -\n")] == ["One"]


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ("TY  - JOUR\nDO  - 10.1000/x", "It has neither a title nor an abstract."),
        ("TY  - EDBOOK\nTI  - Waves", "It is a whole volume, not a paper."),
        ("TY  - BOOK\nTI  - Waves", "It is a whole volume, not a paper."),
        ("TY  - ELEC\nTI  - My page\nUR  - https://example.org", "It is a web page, not a paper."),
    ],
)
def test_what_is_no_paper_is_refused_and_the_next_is_read(record, why):
    refused, paper = read(record + "\nER  - \nTY  - JOUR\nTI  - Bees\nER  - \n")
    assert (refused, paper.title) == (Refusal(where="line 1", why=why), "Bees")


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (TWO.encode(), True),
        (b"TY  - JOUR\r\nTI  - x\r\nER  - \r\n", True),
        (b"TYPOGRAPHY - of old\nTI - x", False),
        (b"ICLR 2024 Papers\n\nTy  - no", False),
    ],
)
def test_a_first_record_is_recognised(head, known):
    assert ris.recognises(head) is known


@pytest.mark.parametrize(
    ("name", "papers", "refused"),
    [
        ("bom", 0, 1),
        ("extraneous_data", 2, 0),
        ("full", 2, 0),
        ("multiline", 3, 0),
        ("urls", 4, 0),
        ("utf_chars", 1, 0),
    ],
)
def test_real_files_are_read_in_full(shared_data, name, papers, refused):
    content = (shared_data / "samples" / f"ris_example_{name}.ris").read_bytes()
    found = read(content)
    assert ris.recognises(content.removeprefix(b"\xef\xbb\xbf"))
    assert sum(isinstance(one, Refusal) for one in found) == refused
    assert len(found) == papers + refused


def test_values_over_lines_are_the_same_however_they_are_wrapped(shared_data):
    found = read((shared_data / "samples" / "ris_example_multiline.ris").read_bytes())
    assert len({one.abstract for one in found}) == 1


@given(st.binary(max_size=400), st.integers(0, 10))
def test_nothing_undoes_it(noise, tenths):
    cut = TWO.encode()[: len(TWO) * tenths // 10]
    assert ris.recognises(noise or b" ") in {True, False}
    for one in [*read(noise), *read(cut + noise), *read(b"TY  - " + noise + b"\n" + TWO.encode())]:
        assert one.where


def test_a_value_over_very_many_lines_takes_time_in_proportion(grows_with_its_input):
    grows_with_its_input(lambda size: read(b"TY  - JOUR\nAB  - " + b"a\n" * size), 5_000)
