"""One paper as JSON: which field becomes what, and what is no record."""

import datetime as dt

import pytest

from bot.models import Refusal
from bot.sources.formats.list_records import raw_paper

RECORD = {
    "id": "v8L0pN6EO1",
    "title": "A Title",
    "abstract": "An abstract.",
    "authors": ["Ana Núñez", "B. Ng"],
    "url": "https://openreview.net/forum?id=v8L0pN6EO1",
    "arxiv_id": "2305.20051v2",
    "arxiv_verified": True,
    "keywords": ["tides", "harbours"],
    "presentation": "Oral",
    "venue": "ICLR",
    "year": 2024,
    "title_aliases": ["An Old Title"],
    "published": "2024-01-16T00:00:00Z",
}


def test_every_field_finds_its_place():
    raw = raw_paper(RECORD, where="line 1")

    assert (raw.title, raw.abstract, raw.venue, raw.year, raw.track) == (
        "A Title",
        "An abstract.",
        "ICLR",
        2024,
        "oral",
    )
    assert raw.authors == ("Ana Núñez", "B. Ng")
    assert raw.keywords == ("tides", "harbours")
    assert raw.aliases == ("An Old Title",)
    assert raw.published_on == dt.date(2024, 1, 16)
    assert raw.identifiers == ("arxiv:2305.20051", "openreview:v8L0pN6EO1")
    assert raw.record == RECORD


def test_an_unverified_arxiv_id_is_no_identifier():
    assert raw_paper({**RECORD, "arxiv_verified": False}, where="").identifiers == ("openreview:v8L0pN6EO1",)


@pytest.mark.parametrize(
    "extra", [{"abstract_truncated": True}, {"abstract": "x" * 1000}], ids=["said", "a thousand characters"]
)
def test_a_cut_abstract_is_marked(extra):
    assert raw_paper({**RECORD, **extra}, where="").abstract_cut
    assert not raw_paper(RECORD, where="").abstract_cut


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Ana Núñez; B. Ng", ("Ana Núñez", "B. Ng")),
        ("Ana Núñez, B. Ng", ("Ana Núñez", "B. Ng")),
        ("Ana Núñez, B. Ng and C. Doe", ("Ana Núñez", "B. Ng", "C. Doe")),
        ([{"name": "Ana Núñez"}, {"name": "B. Ng"}, None, 7, ""], ("Ana Núñez", "B. Ng")),
        (None, ()),
    ],
)
def test_authors_come_as_a_list_or_as_one_text(written, names):
    assert raw_paper({**RECORD, "authors": written}, where="").authors == names


def test_openreviews_wrapped_values_are_unwrapped():
    raw = raw_paper({"title": {"value": "T"}, "keywords": {"value": ["a"]}}, where="")
    assert (raw.title, raw.keywords) == ("T", ("a",))


@pytest.mark.parametrize("field", ["title", "abstract", "synopsis"])
@pytest.mark.parametrize("value", [5, ["x"], {"a": 1}, True])
def test_a_text_field_that_is_no_text_is_refused(field, value):
    assert raw_paper({**RECORD, field: value}, where="line 4") == Refusal(
        where="line 4", why=f"Its {field} is not text."
    )


@pytest.mark.parametrize("extra", [{"status": "Withdraw"}, {"decision": "Reject"}, {"status": "Desk Reject"}])
def test_a_withdrawn_or_rejected_record_is_refused(extra):
    assert "status" in raw_paper({**RECORD, **extra}, where="").why


@pytest.mark.parametrize("year", [0, 99999, 10**30, "soon", None, True, 2024.5, [2024]])
def test_a_year_that_is_none_is_left_out(year):
    assert raw_paper({**RECORD, "year": year}, where="").year is None


@pytest.mark.parametrize("url", ["javascript:alert(1)", "ftp://x", "https://a b", "x" * 3000, 5])
def test_an_address_that_is_not_of_the_web_is_left_out(url):
    assert raw_paper({**RECORD, "url": url}, where="").url is None


def test_venue_and_year_are_filled_in_only_where_the_record_has_none(made, written):
    path = written(made.json_lines({"title": "A"}, {"title": "B", "venue": "ICML", "year": 2020}))
    found, _ = made.read(path, venue="ICLR", year=2024)
    assert [(raw.venue, raw.year) for raw in found] == [("ICLR", 2024), ("ICML", 2020)]


def test_lines_end_at_line_feeds_only(made, written):
    found, refused = made.read(written(made.json_lines({"title": "One\u2028two\u0085three"}, {"title": "B"})))
    assert [raw.title for raw in found] == ["One\u2028two\u0085three", "B"]
    assert refused == []


BROKEN = [
    (b'{"title": "cut', "The JSON is broken"),
    (b'["title"]', "not a JSON object"),
    (b"null", "not a JSON object"),
    (b"5", "not a JSON object"),
    (b'{"title": "\xff\xfe"}', "not UTF-8 (byte 12)"),
    (b'{"title": "a\0b"}', "NUL byte"),
    (b'{"title": ' + b"[" * 200_000 + b"}", "nested too deeply"),
    (b'{"year": ' + b"9" * 5_000 + b"}", "number that is too long"),
    (b'{"title": "' + b"x" * 1_100_000 + b'"}', "longer than 1 MiB"),
]


@pytest.mark.parametrize(("line", "why"), BROKEN, ids=[why for _, why in BROKEN])
def test_a_broken_line_is_refused_with_its_number_and_the_rest_is_kept(made, written, line, why):
    path = written(b'{"title": "First"}\n' + line + b'\r\n\n{"title": "Last"}')

    found, refused = made.read(path)

    assert [raw.title for raw in found] == ["First", "Last"]
    assert [one.where for one in refused] == ["line 2"]
    assert why in refused[0].why


@pytest.mark.parametrize(
    ("people", "names"),
    [
        ([{"fullname": "Ana Núñez", "institution": "Sea"}, {"id": 2, "fullname": "B. Ng"}], ("Ana Núñez", "B. Ng")),
        ([{"first_name": "Ana", "last_name": "Núñez"}, {"given": "B.", "family": "Ng"}], ("Ana Núñez", "B. Ng")),
        ([{"firstName": "Ana", "lastName": "Núñez"}, {"literal": "The Sea Group"}], ("Ana Núñez", "The Sea Group")),
        ([{"institution": "Sea"}, {"name": None, "last": "Ng"}, [], {}], ("Ng",)),
    ],
)
def test_people_are_named_in_the_ways_of_conferences_and_bibliographies(people, names):
    assert raw_paper({"title": "T", "authors": people}, where="").authors == names


def test_an_entry_of_arxivs_own_dump():
    raw = raw_paper(
        {
            "id": "0704.0001", "title": "T", "authors": "A. N\\'u\\~nez (Sea), B. Ng Jr.", "doi": "10.1000/ABC",
            "authors_parsed": [["Núñez", "Ana", ""], ["Ng", "B.", "Jr."], ["Plato"]], "abstract": "  An abstract.\n",
        },
        where="",
    )  # fmt: skip
    assert raw.authors == ("Ana Núñez", "B. Ng Jr.", "Plato")
    assert raw.identifiers == ("arxiv:0704.0001", "doi:10.1000/abc")


def test_names_of_fields_may_be_spelt_in_capitals_and_with_hyphens():
    raw = raw_paper(
        {
            "Title": "T", "ABSTRACT": "A.", "DOI": "10.1000/ABC", "URL": "https://example.org/1",
            "container-title": "Sea Letters", "Author": [{"given": "Ana", "family": "Núñez"}], "TLDR": "S.",
        },
        where="",
    )  # fmt: skip
    assert (raw.title, raw.abstract, raw.synopsis, raw.venue) == ("T", "A.", "S.", "Sea Letters")
    assert (raw.authors, raw.url, raw.identifiers) == (("Ana Núñez",), "https://example.org/1", ("doi:10.1000/abc",))


@pytest.mark.parametrize(
    "name", ["date", "published", "publishedAt", "publication_date", "published_date", "date_published"]
)
def test_the_day_goes_by_many_names(name):
    assert raw_paper({"title": "T", name: "2024-01-16T00:00:00Z"}, where="").published_on == dt.date(2024, 1, 16)


def test_addresses_of_pages_and_files_name_the_paper():
    raw = raw_paper(
        {"title": "T", "url_abs": "https://arxiv.org/abs/2401.00001v2", "url_pdf": "https://arxiv.org/pdf/2401.00001"},
        where="",
    )
    assert (raw.url, raw.identifiers) == ("https://arxiv.org/abs/2401.00001v2", ("arxiv:2401.00001",))


def test_the_summary_and_the_item_of_a_json_feed_are_abstracts():
    assert raw_paper({"title": "T", "summary": "S."}, where="").abstract == "S."
    assert raw_paper({"title": "T", "content_text": "C."}, where="").abstract == "C."
