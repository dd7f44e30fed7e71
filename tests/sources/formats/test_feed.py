"""Feeds of every kind, arXiv's among them, and what is left of one that is broken."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.models import Refusal
from bot.sources.base import COLLECTED, INDEXED, Defaults
from bot.sources.formats import feed
from tests.sources.formats.conftest import ABSTRACT, FILES

SPACES = (
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/" '
    'xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/"'
)


def read(content: str | bytes, defaults: Defaults | None = None):
    """The papers and the refusals of a feed."""
    content = content.encode() if isinstance(content, str) else content
    parts = [content[place : place + 500] for place in range(0, len(content), 500)]
    found = list(feed.read(parts, defaults or Defaults()))
    return [one for one in found if not isinstance(one, Refusal)], [one for one in found if isinstance(one, Refusal)]


def rss(*items: str) -> str:
    return f'<rss version="2.0" {SPACES}><channel><title>Sea</title>{"".join(items)}</channel></rss>'


def test_a_journal_with_identifiers_and_people_of_its_own():
    (paper,), refused = read(
        rss(f"""<item><title>Tides, Learnt</title><link>https://example.org/1</link><description>Short.</description>
<content:encoded><![CDATA[<p>{ABSTRACT}</p>]]></content:encoded><dc:creator>Lovelace, Ada</dc:creator>
<dc:creator>Hopper, Grace</dc:creator><prism:doi>10.1000/SEA.1</prism:doi><dc:date>2024-01-02</dc:date>
<prism:publicationName>Journal of the Sea</prism:publicationName></item>""")
    )
    assert refused == []
    assert (paper.title, paper.abstract) == ("Tides, Learnt", f"<p>{ABSTRACT}</p>")
    assert (paper.authors, paper.identifiers) == (("Ada Lovelace", "Grace Hopper"), ("doi:10.1000/sea.1",))
    assert (paper.venue, paper.year, paper.trust) == ("Journal of the Sea", 2024, COLLECTED)


def test_a_feed_in_rdf():
    (paper,), _ = read(f"""<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
xmlns="http://purl.org/rss/1.0/" {SPACES}><channel rdf:about="x"><title>Sea</title></channel>
<item rdf:about="https://example.org/1"><title>Tides</title><link>https://example.org/1</link>
<description>{ABSTRACT}</description><dc:creator>Ada Lovelace</dc:creator><dc:identifier>doi:10.1000/z</dc:identifier>
</item></rdf:RDF>""")
    assert (paper.title, paper.abstract, paper.identifiers) == ("Tides", ABSTRACT, ("doi:10.1000/z",))


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Ada Lovelace, Grace Hopper", ("Ada Lovelace", "Grace Hopper")),
        ("Ada Lovelace and Grace Hopper", ("Ada Lovelace", "Grace Hopper")),
        ("Lovelace, Ada", ("Ada Lovelace",)),
        ("Ada Lovelace", ("Ada Lovelace",)),
    ],
)
def test_one_element_may_name_all_the_people(written, names):
    (paper,), _ = read(rss(f"<item><title>Tides</title><dc:creator>{written}</dc:creator></item>"))
    assert paper.authors == names


@pytest.mark.parametrize("kind", ["new", "replace", "replace-cross", "cross"])
def test_the_news_of_arxiv_are_taken_whatever_their_kind(kind):
    (paper,), _ = read(
        rss(f"""<item><title>Tides (arXiv:2509.15217v2 [cs.CL] UPDATED)</title>
<link>https://arxiv.org/abs/2509.15217</link><description>arXiv:2509.15217v2 Announce Type: {kind}
Abstract: {ABSTRACT}</description><guid isPermaLink="false">oai:arXiv.org:2509.15217v2</guid></item>""")
    )
    assert (paper.title, paper.abstract, paper.identifiers) == ("Tides", ABSTRACT, ("arxiv:2509.15217",))
    assert (paper.venue, paper.trust) == ("arXiv", INDEXED)


def test_an_abstract_of_a_few_words_is_none_but_arxivs_always_is_one():
    (short,), _ = read(rss("<item><title>Tides</title><description>Read on at our site.</description></item>"))
    assert short.abstract is None
    (arxiv,), _ = read(FILES["feed"].replace(ABSTRACT, "Tides come and go."))
    assert arxiv.abstract == "Tides come and go."


def test_an_empty_feed_holds_nothing():
    assert read('<feed xmlns="http://www.w3.org/2005/Atom"><title>none</title></feed>') == ([], [])
    assert read(rss()) == ([], [])


def test_a_year_in_the_feed_comes_before_the_one_that_was_said():
    dated = "<item><title>Tides</title><pubDate>Tue, 02 Jan 2024 10:00:00 GMT</pubDate></item>"
    (first, second), _ = read(rss(dated, "<item><title>Bees</title></item>"), Defaults(venue="Sea", year=1999))
    assert [(paper.venue, paper.year) for paper in (first, second)] == [("Sea", 2024), ("Sea", 1999)]


ITEMS = "".join(f"<item><title>Tides {number}</title></item>" for number in range(250))


def test_a_long_feed_is_read_to_its_end_in_its_order():
    papers, refused = read(rss(ITEMS))
    assert [paper.title for paper in papers] == [f"Tides {number}" for number in range(250)]
    assert [paper.where for paper in papers[98:102]] == ["entry 99", "entry 100", "entry 101", "entry 102"]
    assert refused == []


@pytest.mark.parametrize(
    ("fault", "title"),
    [
        ("Tides & Bees", "Tides & Bees"),
        ("Tides&nbsp;by caf&eacute;", "Tides\xa0by café"),
        ("Tides < Bees", "Tides < Bees"),
        ("Ti\x0bdes", "Tides"),
        ("<![CDATA[Tides & <i>Bees</i>]]> & more", "Tides & <i>Bees</i> & more"),
    ],
    ids=["ampersand", "entities of HTML", "bracket", "control character", "CDATA"],
)
def test_what_feeds_get_wrong_most_often_is_mended(fault, title):
    papers, refused = read(rss(ITEMS, f"<item><title>{fault}</title></item>", "<item><title>Last</title></item>"))
    assert len(papers) == 252
    assert (papers[250].title, papers[251].title, papers[251].where) == (title, "Last", "entry 252")
    assert refused == []


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [("utf-8", "cp1252"), ("iso-8859-15", "iso-8859-15"), ("gb2312", "gb2312"), ("utf-16", "utf-8"), ("zlib", "utf-8")],
)
def test_a_feed_in_another_encoding_than_it_says_or_in_a_rare_one(declared, encoding):
    title = "Tides of 海" if encoding == "gb2312" else "Tides of the café"
    content = f'<?xml version="1.0" encoding="{declared}"?>' + rss(f"<item><title>{title}</title></item>")
    (paper,), refused = read(content.encode(encoding))
    assert (paper.title, refused) == (title, [])


def test_a_feed_that_is_cut_keeps_its_whole_entries_and_says_so():
    papers, (refused,) = read(rss(ITEMS)[:6_000])
    assert 100 < len(papers) < 250
    assert [paper.title for paper in papers] == [f"Tides {number}" for number in range(len(papers))]
    assert "broken" in refused.why


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
        '<!DOCTYPE rss [<!entity a SYSTEM "file:///etc/hostname">]>',
    ],
)
def test_entities_of_its_own_are_never_looked_up(declaration):
    papers, (refused,) = read(declaration + rss("<item><title>&b;</title></item>"))
    assert papers == []
    assert "entities" in refused.why


def test_content_that_is_the_name_of_a_file_is_not_opened(tmp_path):
    path = tmp_path / "feed.xml"
    path.write_text(rss("<item><title>Secret</title></item>"))
    papers, refused = read(str(path))
    assert papers == []
    assert len(refused) == 1


@pytest.mark.parametrize("filler", [b"<", b"<!", b"&", b"<a ", b"<![CDATA[", b"<?", b"<!ELEMENT", b"</", b"&#"])
def test_reading_a_broken_feed_takes_time_in_proportion_to_its_length(filler, grows_with_its_input):
    def work(number: int) -> None:
        read(b'<rss version="2.0"><channel><item><title>Tides' + filler * number + b"</title></item></channel></rss>")

    grows_with_its_input(work, 2_000)


def test_a_feed_that_is_too_long_gets_a_sentence():
    papers, (refused,) = read(b'<rss version="2.0">' + b" " * (32 * 1024 * 1024))
    assert papers == []
    assert refused.why == "It is longer than 32 MiB."


@settings(deadline=None)
@given(
    st.binary(max_size=300), st.sampled_from([b"", b"<rss><channel><item>", b"<feed><entry><title>", b"<rdf><item>"])
)
def test_any_bytes_are_read_or_refused(content, start):
    feed.recognises(start + content or b" ")
    for one in feed.read([start + content]):
        assert one.where


@pytest.mark.parametrize(
    ("name", "papers", "refused"),
    [
        ("arxiv_atom_search10.xml", 10, 0),
        ("arxiv_atom_single.xml", 1, 0),
        ("arxiv_atom_old_style_id.xml", 1, 0),
        ("arxiv_atom_empty.xml", 0, 0),
        ("arxiv_atom_error_bad_id.xml", 0, 1),
        ("arxiv_rss.xml", 13, 0),
    ],
)
def test_the_real_feeds_of_arxiv(shared_data, name, papers, refused):
    content = (shared_data / "samples" / name).read_bytes()
    found, reasons = read(content)
    assert (len(found), len(reasons)) == (papers, refused)
    for paper in found:
        assert paper.identifiers[0].startswith("arxiv:")
        assert paper.authors
        assert paper.published_on
        assert not paper.abstract.startswith("arXiv:")


def test_a_doi_and_an_old_number_of_arxiv_are_found(shared_data):
    first, *_ = read((shared_data / "samples/arxiv_atom_search10.xml").read_bytes())[0]
    assert first.identifiers == ("arxiv:2202.12139", "doi:10.1109/icstw55395.2022.00035")
    (old,), _ = read((shared_data / "samples/arxiv_atom_old_style_id.xml").read_bytes())
    assert old.identifiers == ("arxiv:astro-ph/0601001",)


def test_every_cut_of_the_real_feeds_is_read_or_refused(shared_data):
    for sample in sorted((shared_data / "samples").glob("arxiv_*.xml")):
        content = sample.read_bytes()
        for tenth in range(1, 10):
            papers, refused = read(content[: len(content) * tenth // 10])
            assert papers or refused
