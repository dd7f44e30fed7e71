"""Which field of each format becomes what."""

import json

import pytest

from bot.sources.base import COLLECTED, INDEXED, PUBLISHER
from tests.sources.formats.conftest import ABSTRACT, FILES, NOTE


def test_a_note_of_openreview(put):
    (paper,), (reply,) = put(FILES["json"])

    assert (paper.title, paper.abstract, paper.synopsis) == ("Tides, Learnt", ABSTRACT, "Tides can be learnt.")
    assert (paper.venue, paper.year, paper.track, paper.trust) == ("ICLR", 2024, "poster", PUBLISHER)
    assert paper.authors == ("Ada Lovelace", "Grace Hopper")
    assert paper.identifiers == ("openreview:abCDefGH12",)
    assert paper.published_on.isoformat() == "2024-01-16"
    assert "review or a comment" in reply.why


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"ddate": 1}, "deleted"),
        (
            {"content": {**NOTE["content"], "venue": {"value": "ICLR 2024 Conference Withdrawn Submission"}}},
            "Withdrawn",
        ),
        (
            {"content": {**NOTE["content"], "venueid": {"value": "ICLR.cc/2024/Conference/Rejected_Submission"}}},
            "Reject",
        ),
    ],
)
def test_notes_that_are_no_papers_any_more(put, change, why):
    papers, (refused,) = put(json.dumps([{**NOTE, **change}]))
    assert papers == []
    assert why in refused.why


def test_a_submission_under_review_has_no_venue_yet(put):
    content = {
        **NOTE["content"],
        "venue": {"value": "Submitted to ICLR 2024"},
        "venueid": {"value": "ICLR.cc/2024/Conference/Submission"},
    }
    (paper,), _ = put(json.dumps([{**NOTE, "content": content}]))
    assert (paper.venue, paper.year) == (None, None)


def test_a_paper_of_semantic_scholar_alone_and_wrapped(put):
    paper = {
        "paperId": "f" * 40, "title": "Tides", "abstract": ABSTRACT, "year": 2024,
        "venue": "Neural Information Processing Systems",
        "externalIds": {"ArXiv": "2401.00001", "DOI": "10.1000/ABC"}, "authors": [{"name": "Ada Lovelace"}],
        "tldr": {"text": "Learnt."}, "embedding": {"vector": [0.5]},
    }  # fmt: skip
    (alone, wrapped), _ = put(json.dumps({"data": [paper, {"citedPaper": paper}]}))

    assert alone.identifiers == wrapped.identifiers == ("arxiv:2401.00001", "doi:10.1000/abc")
    assert (alone.venue, alone.synopsis, alone.trust) == ("NeurIPS", "Learnt.", INDEXED)
    assert "embedding" not in alone.record


def test_an_entry_of_papercopilot(put):
    entry = {
        "id": "abCDefGH12", "title": "Tides", "status": "Spotlight", "track": "main",
        "author": "Ada Lovelace;Grace Hopper",
        "keywords": "tides;gauges", "site": "https://openreview.net/forum?id=abCDefGH12", "abstract": ABSTRACT,
        "bibtex": "@inproceedings{\nx,\nbooktitle={First Conference on Language Modeling},\nyear={2024},\n}",
    }  # fmt: skip
    (paper,), (refused,) = put(json.dumps([entry, {**entry, "status": "Reject"}]))

    assert (paper.track, paper.authors, paper.keywords) == (
        "spotlight",
        ("Ada Lovelace", "Grace Hopper"),
        ("tides", "gauges"),
    )
    assert (paper.venue, paper.year) == ("COLM", 2024)
    assert "Reject" in refused.why


def test_a_daily_paper_of_hugging_face(put):
    entry = {"paper": {"id": "2401.00001", "title": "Tides", "summary": ABSTRACT, "authors": [{"name": "Ada Lovelace"}],
                       "publishedAt": "2024-01-02T00:00:00.000Z"}, "numComments": 3}  # fmt: skip
    (paper,), _ = put(json.dumps([entry]))
    assert (paper.identifiers, paper.abstract, paper.year) == (("arxiv:2401.00001",), ABSTRACT, 2024)


def test_an_answer_that_is_an_error_is_told(put):
    papers, (refused,) = put('{"error": "Paper with id 0 not found"}')
    assert papers == []
    assert "Paper with id 0 not found" in refused.why


def test_json_that_breaks_keeps_what_came_before(put):
    papers, (number, refused) = put('[{"title": "A"}, 3, {"title": "B"}, {"title"')
    assert [paper.title for paper in papers] == ["A", "B"]
    assert number.why == "It is not a JSON object."
    assert (refused.where, "broken" in refused.why) == ("record 4", True)


def test_a_search_of_arxiv(put):
    (paper,), _ = put(FILES["feed"])
    assert paper.identifiers == ("arxiv:2401.00001", "doi:10.1000/xyz")
    assert (paper.venue, paper.year, paper.url) == ("arXiv", 2024, "https://arxiv.org/abs/2401.00001")
    assert (paper.authors, paper.trust) == (("Ada Lovelace", "Grace Hopper"), INDEXED)


def test_the_news_of_arxiv(put):
    news = f"""<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><item><title>Tides</title>
<link>https://arxiv.org/abs/2509.15217</link><description>arXiv:2509.15217v1 Announce Type: new
Abstract: {ABSTRACT}</description><guid isPermaLink="false">oai:arXiv.org:2509.15217v1</guid>
<dc:creator>Ada Lovelace, Grace Hopper</dc:creator></item></channel></rss>"""
    (paper,), _ = put(news)
    assert (paper.abstract, paper.identifiers) == (ABSTRACT, ("arxiv:2509.15217",))
    assert paper.authors == ("Ada Lovelace", "Grace Hopper")


def test_any_other_feed(put):
    feed = f"""<rss version="2.0"><channel><item><title>A &lt; B</title><link>https://example.org/1</link>
<description>{ABSTRACT}</description><pubDate>Tue, 02 Jan 2024 10:00:00 GMT</pubDate></item>
<item><title>Short</title><description>No abstract, this.</description></item></channel></rss>"""
    (paper, short), _ = put(feed)
    assert (paper.title, paper.abstract, paper.trust) == ("A < B", ABSTRACT, COLLECTED)
    assert (paper.url, paper.published_on.isoformat()) == ("https://example.org/1", "2024-01-02")
    assert short.abstract is None


def test_an_error_of_arxiv_is_no_paper(put):
    feed = """<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>https://arxiv.org/api/errors#bad</id>
<title>Error</title><summary>incorrect id format for abc</summary></entry></feed>"""
    papers, (refused,) = put(feed)
    assert papers == []
    assert "incorrect id format" in refused.why


def test_the_acl_anthology(put):
    (paper,), (refused,) = put(FILES["acl"])
    assert paper.title == "Tides of NLP in $O(n)$"
    assert paper.identifiers == ("acl:2024.sea-1.1", "doi:10.1000/sea.1")
    assert (paper.venue, paper.year, paper.authors) == ("SEA", 2024, ("Ada Lovelace",))
    assert refused.where == "2024.sea-1.2"
    assert "retracted" in refused.why


def test_dublin_core(put):
    answer = f"""<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><ListRecords><record><header/><metadata>
<oai_dc:dc xmlns:oai_dc="x" xmlns:dc="y"><dc:title>Tides</dc:title><dc:creator>Lovelace, Ada</dc:creator>
<dc:description>{ABSTRACT}</dc:description><dc:date>2024-01-02</dc:date><dc:identifier>https://doi.org/10.1000/A</dc:identifier>
</oai_dc:dc></metadata></record></ListRecords></OAI-PMH>"""
    (paper,), _ = put(answer)
    assert (paper.title, paper.authors, paper.identifiers) == ("Tides", ("Ada Lovelace",), ("doi:10.1000/a",))
    assert paper.published_on.isoformat() == "2024-01-02"


def test_an_answer_with_an_error_says_what_it_means(put):
    _, (refused,) = put('<OAI-PMH><error code="badResumptionToken">no</error></OAI-PMH>')
    assert "begin again" in refused.why


def test_bibtex_with_strings_repeated_keys_and_protected_letters(put):
    (tides, bees), _ = put(FILES["bibtex"])
    assert (tides.title, tides.venue, tides.year) == ("TIDES: Learnt", "Sea Journal", 2024)
    assert (tides.authors, tides.identifiers) == (("Ada Lovelace", "Grace Hopper"), ("doi:10.1000/abc",))
    assert (bees.venue, bees.identifiers) == ("ICLR", ("openreview:abCDefGH12",))


def test_a_table_with_quotes_and_lines_in_its_cells(put):
    (tides, bees), _ = put(FILES["csv"])
    assert (tides.title, tides.year, tides.authors) == ('Tides, "Learnt"', 2024, ("Ada Lovelace", "Grace Hopper"))
    assert tides.identifiers == ("openreview:abCDefGH12",)
    assert bees.title.split() == ["Bees", "Hum"]
