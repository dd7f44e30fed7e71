"""Tables: names of columns, delimiters, quotation marks that are broken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.models import Refusal
from bot.sources.base import Defaults
from bot.sources.formats import tables

MINICONF = '''UID,title,authors,abstract,keywords,session
main.1,"Tides, Learnt",Ada Lovelace|Grace Hopper,"Harbours
fill.",tides|gauges,Oral 3A
main.2,"Bees ""Hum""",Karl von Frisch,They do.,,
'''


def read(content, defaults=None):
    content = content.encode() if isinstance(content, str) else content
    return list(tables.read([content], defaults or Defaults()))


def test_a_list_of_a_conference_site_is_read():
    tides, bees = read(MINICONF)
    assert (tides.title, tides.abstract) == ("Tides, Learnt", "Harbours\nfill.")
    assert (tides.authors, tides.keywords) == (("Ada Lovelace", "Grace Hopper"), ("tides", "gauges"))
    assert (tides.track, tides.where) == ("oral", "line 2")
    assert (bees.title, bees.authors, bees.where) == ('Bees "Hum"', ("Karl von Frisch",), "line 4")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_delimiter_and_line_end_is_the_same(delimiter, newline):
    rows = [["Year", "PAPER_TITLE", "Abstract Note", "Venue"], ["2021", "Tides", "They fill.", "ICML"]]
    content = newline.join(delimiter.join(row) for row in rows)
    assert tables.recognises(content.encode())
    assert [(one.title, one.abstract, one.venue, one.year) for one in read("\ufeff" + content)] == [
        ("Tides", "They fill.", "ICML", 2021)
    ]


def test_what_tells_excel_the_delimiter_is_no_row():
    content = "sep=;\ntitle;year\nTides;2021\n"
    assert tables.recognises(content.encode())
    assert [one.title for one in read(content)] == ["Tides"]


def test_one_author_of_a_reference_manager_is_one_person():
    names = '"Item Type","Title","Author","Conference Name","Date"\n'
    row = '"conferencePaper","Tides","Lovelace, Ada","Twelfth International Conference on Learning Representations",'
    (paper,) = read(names + row + '"2024-01-16"\n')
    assert (paper.authors, paper.venue, paper.year) == (("Ada Lovelace",), "ICLR", 2024)
    assert paper.published_on.isoformat() == "2024-01-16"


@pytest.mark.parametrize(
    ("said", "authors"),
    [
        ("Ada Lovelace, Grace Hopper", ("Ada Lovelace", "Grace Hopper")),
        ("Lovelace, Ada; Hopper, Grace", ("Ada Lovelace", "Grace Hopper")),
        ("['Ada Lovelace', 'Grace Hopper']", ("Ada Lovelace", "Grace Hopper")),
        ("Anonymous", ()),
    ],
)
def test_lists_of_people_come_in_many_shapes(said, authors):
    assert [one.authors for one in read(f'title,authors\nTides,"{said}"\n')] == [authors]


def test_identifiers_come_from_every_column_that_holds_one():
    (paper,) = read(
        "title,doi,arxiv,openreview_link,pdf,id\n"
        "Tides,10.1000/A,2401.00001v2,https://openreview.net/forum?id=abCDefGH12,https://example.org/a.pdf,7\n"
    )
    assert paper.identifiers == ("arxiv:2401.00001", "doi:10.1000/a", "openreview:abCDefGH12")
    assert paper.url == "https://openreview.net/forum?id=abCDefGH12"


@pytest.mark.parametrize(
    ("venue", "said"),
    [
        ("ICLR 2024 oral", ("ICLR", 2024, "oral")),
        ("NeurIPS 2023 Poster", ("NeurIPS", 2023, "poster")),
        ("Interspeech 2021", ("Interspeech", 2021, None)),
        ("The 2024 Conference on Empirical Methods in Natural Language Processing", ("EMNLP", 2024, None)),
        ("Submitted to ICLR 2024", (None, 2024, None)),
        ("", ("Sea", 2020, None)),
    ],
)
def test_a_venue_says_year_and_track_too(venue, said):
    (paper,) = read(f'title,venue\nTides,"{venue}"\n', Defaults(venue=None if venue else "Sea", year=2020))
    assert (paper.venue, paper.year, paper.track) == said


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (",,attachment,", "It is no paper; its type is “attachment”."),
        ("Tides,,note,", "It is no paper; its type is “note”."),
        (",,journalArticle,x", "It has neither a title nor an abstract."),
        ("Tides,,book,", "It is a whole volume, not a paper."),
        ("Tides,a,b,c,d,e", "It has 6 fields, and the first line names 4 columns."),
    ],
)
def test_what_is_no_paper_is_refused_and_the_next_is_read(row, why):
    refused, paper = read(f"title,author,item type,x\n{row}\nBees,Ada Lovelace,,\n")
    assert (refused, paper.title) == (Refusal(where="line 2", why=why), "Bees")


def test_a_rejected_paper_is_refused():
    assert [one.why for one in read("title,decision\nTides,Reject\n")] == ["Its status is “Reject”."]


def test_uneven_rows_blank_rows_and_names_that_repeat():
    found = read("title,year,title\n,,Tides\nBees\n\n,,\nRoofs,2020,Other,,\ntitle,year,title\n")
    assert [(one.title, one.year) for one in found] == [("Tides", None), ("Bees", None), ("Roofs", 2020)]


def test_a_quotation_mark_that_never_closes_costs_one_row():
    found = read('title,abstract\n"Tides,They fill\nBees,They hum\nRoofs,They shine\n')
    assert [one.why if isinstance(one, Refusal) else one.title for one in found] == [
        "A quotation mark is never closed.",
        "Bees",
        "Roofs",
    ]


def test_a_quotation_mark_that_closes_only_after_a_mebibyte_costs_one_row():
    rows = b"Bees," + b"They hum. " * 20 + b"\n"
    refused, *found = read(b'title,abstract\n"Tides,They fill\n' + rows * 10_000)
    assert (refused.where, len(found)) == ("line 2", 10_000)
    assert {one.title for one in found} == {"Bees"}


def test_a_long_text_is_read_and_a_longer_one_refused():
    found = read("title,paper_text\nTides," + "x" * 300_000 + "\nBees," + "x" * 1_100_000 + "\nRoofs,x\n")
    assert [one.why if isinstance(one, Refusal) else one.title for one in found] == [
        "Tides",
        "It is longer than 1 MiB.",
        "Roofs",
    ]


def test_a_table_with_far_too_many_columns_is_refused_at_once():
    (refused,) = read("title" + ",a" * 5_000 + "\n" + "x," * 5_000 + "\n")
    assert refused == Refusal(where="line 1", why="The table has more than 2,000 columns.")


def test_a_table_without_a_title_says_so():
    assert [one.where for one in read("a,b\n1,2\n")] == ["line 1"]
    assert read("") == []


@pytest.mark.parametrize(
    ("head", "known"),
    [
        (MINICONF.encode(), True),
        (b",Title,Abstract\n0,a,b", True),
        (b'"Key","Item Type","Title"\n', True),
        (b"name,age\nAda,36", False),
        (b"title\nTides", False),
        (b"| Title | Authors |\n|---|---|", False),
        (b"# Title, abstract", False),
        (b"Abstract, we show that tides, which many believe to be simple things after all, are not\n", False),
    ],
)
def test_a_line_that_names_a_title_is_recognised(head, known):
    assert tables.recognises(head) is known


def test_real_files_are_read_in_full(shared_data):
    zotero = read((shared_data / "samples" / "zotero_export.csv").read_bytes())
    assert [(one.venue, one.year, one.identifiers[0][:11]) for one in zotero] == [("ICLR", 2024, "openreview:")] * 5
    assert zotero[0].authors == ("Prateek Chanda", "Shrey Modi", "Ganesh Ramakrishnan")
    assert all(one.abstract and one.keywords for one in zotero)
    listed = read((shared_data / "samples" / "iclr_cc_list.csv").read_bytes())
    assert len(listed) == 39
    assert {(one.venue, one.year, one.identifiers) for one in listed} == {("ICLR", 2024, ())}
    assert all(one.url.startswith("https://iclr.cc/virtual/2024/poster/") and one.authors for one in listed)


@given(st.binary(max_size=400), st.integers(0, 10))
def test_nothing_undoes_it(noise, tenths):
    cut = MINICONF.encode()[: len(MINICONF) * tenths // 10]
    assert tables.recognises(noise or b" ") in {True, False}
    for one in [*read(noise), *read(cut + noise), *read(b"title,abstract\n" + noise + b"\n" + MINICONF.encode())]:
        assert one.where


def test_quotation_marks_that_open_ever_anew_take_time_in_proportion(grows_with_its_input):
    grows_with_its_input(lambda size: read(b"title,abstract\n" + b'a"b,"c\n' * size), 2_000)
