import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import InvalidInput
from bot.search.query import MOST_CHARACTERS, MOST_WORDS, parse, with_conditions


def test_the_parts_of_the_language_are_told_apart():
    query = parse(
        'difusion "step by step" -cats author:"Bo Lindqvist" keyword:rl venue:ICLR track:oral year:2023..2024'
    )

    assert query.words == ("difusion",)
    assert query.phrases == ("step by step",)
    assert query.excluded == ("cats",)
    assert query.authors == ("Bo Lindqvist",)
    assert query.keywords == ("rl",)
    assert query.venues == ("ICLR",)
    assert query.tracks == ("oral",)
    assert query.years == (2023, 2024)


@pytest.mark.parametrize(
    ("typed", "years"),
    [
        ("year:2023", (2023, 2023)),
        ("year:2024..2022", (2022, 2024)),
        ("YEAR:2023..", (2023, 9999)),
        ("year:soon", None),
        ("year:20", None),
    ],
)
def test_years_are_one_or_a_span(typed: str, years: tuple[int, int] | None):
    assert parse(f"graphs {typed}").years == years


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("a AND", ("a", "and")),
        ("NEAR(graph", ("near", "graph")),
        ('say "hello', ("say", "hello")),
        ("gra* % `x` @everyone 🦆", ("gra", "x", "everyone")),
        ("a\0b", ("a", "b")),
        ("title:graphs", ("title", "graphs")),
        ("author: graphs", ("author", "graphs")),
        ("zero - shot", ("zero", "shot")),
        ("few-shot", ("few", "shot")),
        ("cafe\u0301 Ñandú", ("cafe", "nandu")),
    ],
)
def test_what_is_not_of_the_language_is_words(typed: str, words: tuple[str, ...]):
    query = parse(typed)

    assert query.words == words
    assert (query.phrases, query.excluded, query.authors) == ((), (), ())


@pytest.mark.parametrize(
    ("typed", "identifier"),
    [
        ("2401.01234", "arxiv:2401.01234"),
        ("arXiv:2401.01234v3", "arxiv:2401.01234"),
        ("https://arxiv.org/pdf/2401.01234v2.pdf", "arxiv:2401.01234"),
        ("<http://www.arxiv.org/abs/2401.01234?context=cs>", "arxiv:2401.01234"),
        ("math.GT/0309136", "arxiv:math/0309136"),
        ("https://doi.org/10.1234/ABC.5", "doi:10.1234/abc.5"),
        ("doi:10.1234/ABC.5", "doi:10.1234/abc.5"),
        ("10.48550/arXiv.2401.01234", "arxiv:2401.01234"),
        ("https://openreview.net/forum?id=AbCdEf12Gh", "openreview:AbCdEf12Gh"),
        ("openreview.net/pdf?id=AbCdEf12Gh", "openreview:AbCdEf12Gh"),
        ("https://aclanthology.org/2020.acl-main.1/", "acl:2020.acl-main.1"),
        ("id:2401.01234", "arxiv:2401.01234"),
    ],
)
def test_identifiers_and_addresses_are_looked_up_and_never_words(typed: str, identifier: str):
    query = parse(typed)

    assert identifier in query.identifiers
    assert query.only_identifier
    assert query.words == ()


def test_what_may_be_an_openreview_id_may_also_be_a_word():
    query = parse("archlock")

    assert query.identifiers == ("openreview:archlock",)
    assert query.words == ("archlock",)
    assert not query.only_identifier


@pytest.mark.parametrize("typed", ["", "   ", '"', "*", "%%", "🦆🦆", "-", "…", "\0", '""'])
def test_a_query_without_letter_or_digit_is_refused(typed: str):
    with pytest.raises(InvalidInput, match=r"^Give at least one word to search for\.$"):
        parse(typed)


@given(st.text(max_size=2000))
def test_whatever_is_typed_has_parts_of_bounded_size_or_is_refused(typed: str):
    try:
        query = parse(typed)
    except InvalidInput:
        return
    assert len(query.text) <= MOST_CHARACTERS
    assert len(query.words) <= MOST_WORDS


def test_conditions_are_added_as_the_language_says_them():
    asked = with_conditions(
        "tides", author=' Li  "Wei" ', venue="ICLR 2024", year="2022..2024", keyword=None, track=" "
    )

    assert asked == 'tides author:"Li Wei" venue:"ICLR 2024" year:"2022..2024"'
    parsed = parse(asked)
    assert (parsed.words, parsed.authors, parsed.venues) == (("tides",), ("Li Wei",), ("ICLR 2024",))
    assert parsed.years == (2022, 2024)


@pytest.mark.parametrize("year", ["soon", "24", "2023 or so"])
def test_a_year_that_is_none_is_refused(year):
    with pytest.raises(InvalidInput, match="is no year"):
        with_conditions("tides", year=year)
