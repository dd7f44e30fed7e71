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
