"""XML one record at a time, within bounds."""

import tracemalloc
from xml.etree.ElementTree import Element

import pytest

from bot.models import Refusal
from bot.sources.formats.elements import begins, elements, name_of, text_of

PAPERS = frozenset({"paper"})


def pieces(content: bytes, size: int = 64):
    return (content[place : place + size] for place in range(0, len(content), size))


def read(content: bytes, **options):
    return list(elements(pieces(content), PAPERS, **options))


def test_a_record_inside_a_record_comes_with_it_only():
    (found,) = read(b"<a><paper>one<paper>two</paper>three</paper></a>")
    assert text_of(found) == "onetwothree"


def test_namespaces_do_not_matter():
    (found,) = read(b'<a xmlns:x="y"><x:paper xmlns="z"><title>T</title></x:paper></a>')
    assert name_of(found) == "paper"


def test_what_lies_around_a_record_is_known():
    around: list[Element] = []
    content = b'<a id="1"><b id="2"><paper/></b><c id="3"><paper/></c></a>'
    seen = [[outer.get("id") for outer in around] for _ in elements(pieces(content), PAPERS, around=around)]
    assert seen == [["1", "2"], ["1", "3"]]


@pytest.mark.parametrize("size", [1, 7, 64, 10_000])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_a_file_that_was_in_utf_16_is_read_as_what_it_is_now(size, mark):
    content = mark + "<?xml version='1.0' encoding='UTF-16LE'?><a><paper>café</paper></a>".encode()
    (found,) = elements([b"", *pieces(content, size)], PAPERS)
    assert text_of(found) == "café"


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"<a>" * 20_000, "nested too deeply"),
        (b"<a><paper>" + b"<b>" * 20_000, "nested too deeply"),
        (b"<a><paper>" + b"<b/>" * 200_000 + b"</paper></a>", "more than any paper"),
        (b"<a><paper>" + b"b" * 17_000_000 + b"</paper></a>", "longer than 16 MiB"),
        (b'<!DOCTYPE a [<!ENTITY b "bbbb">]><a><paper>&b;</paper></a>', "entities"),
        (b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a><paper>&b;</paper></a>', "entities"),
        (b'<!DOCTYPE a [<!ENTITY % b SYSTEM "http://127.0.0.1/b"> %b;]><a/>', "entities"),
        (b"<a><paper>x</a>", "broken"),
        (b"<a><paper>\x00</paper></a>", "broken"),
        (b"<?xml version='1.0' encoding='nonsense'?><a/>", "broken"),
        (b"<?xml version='1.0' encoding='gb2312'?><a/>", "broken"),
        (b"", "broken"),
    ],
    ids=range(12),
)
def test_what_must_not_be_read_ends_in_one_sentence(content, why):
    (refused,) = elements(pieces(content, 65_536), PAPERS)
    assert isinstance(refused, Refusal)
    assert why in refused.why
    assert len(refused.why) <= 200


def test_what_was_read_is_forgotten():
    """Sixty megabytes of records and of what lies between them."""
    tracemalloc.start()
    record = b"<other><deep/>" + b"y" * 3_000 + b"</other><paper><title>" + b"x" * 3_000 + b"</title></paper>"
    number = sum(1 for _ in elements([b"<a>", *[record] * 10_000, b"</a>"], PAPERS))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert number == 10_000
    assert most < 8 * 1024**2


def test_records_that_are_short_may_be_long_together():
    record = b"<paper>" + b"x" * 60_000 + b"</paper>"
    assert len(list(elements([b"<a>", *[record] * 400, b"</a>"], PAPERS))) == 400


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"<rss version='2.0'>", "rss"),
        (b"<?xml version='1.0'?>\n<!-- a -->\n<!DOCTYPE x [<!ELEMENT y>]><rdf:RDF>", "rdf"),
        (b"<OAI-PMH xmlns='x'>", "oai-pmh"),
        (b"not XML <rss>", ""),
        (b"<!-- unclosed", ""),
    ],
)
def test_the_outermost_element_is_named(head, name):
    assert begins(head) == name


def test_text_nested_deeper_than_calls_can_be_is_told():
    element = inner = Element("a")
    for _ in range(5_000):
        deeper = Element("i")
        inner.append(deeper)
        inner = deeper
    inner.text = "down here"
    assert text_of(element) == "down here"
