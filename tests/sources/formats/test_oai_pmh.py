"""Answers of OAI-PMH servers: records, deletions, errors, and where the list goes on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.models import Refusal
from bot.sources.base import COLLECTED, INDEXED, Defaults
from bot.sources.formats import oai_pmh
from tests.sources.formats.conftest import ABSTRACT, FILES


def read(content: str | bytes, defaults: Defaults | None = None):
    """The papers and the refusals of an answer."""
    content = content.encode() if isinstance(content, str) else content
    parts = [content[place : place + 100] for place in range(0, len(content), 100)]
    found = list(oai_pmh.read(parts, defaults or Defaults()))
    return [one for one in found if not isinstance(one, Refusal)], [one for one in found if isinstance(one, Refusal)]


def answer(*records: str, verb: str = "ListRecords", rest: str = "") -> str:
    return f"""<?xml version="1.0" encoding="UTF-8"?><OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">
<responseDate>2024-01-03T00:00:00Z</responseDate><{verb}>{"".join(records)}{rest}</{verb}></OAI-PMH>"""


def record(metadata: str, name: str = "oai:arXiv.org:2401.00001", status: str = "") -> str:
    return f"<record><header{status}><identifier>{name}</identifier></header><metadata>{metadata}</metadata></record>"


def raw(authors: str) -> str:
    return f"""<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>2401.00001</id><submitter>A. Nother</submitter>
<version version="v1"><date>Tue, 2 Jan 2024 10:00:00 GMT</date><size>9kb</size></version>
<version version="v2"><date>Wed, 3 Jan 2024 10:00:00 GMT</date></version>
<title>Tides</title><authors>{authors}</authors>
<categories>cs.CL</categories><doi>10.1000/SEA.1</doi><abstract>{ABSTRACT}</abstract></arXivRaw>"""


def dublin_core(fields: str) -> str:
    return f"""<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"
xmlns:dc="http://purl.org/dc/elements/1.1/">{fields}</oai_dc:dc>"""


@pytest.mark.parametrize("verb", ["ListRecords", "GetRecord"])
def test_a_record_of_arxiv_in_its_raw_form(verb):
    (paper,), refused = read(answer(record(raw("Ada Lovelace, Grace Hopper")), verb=verb))
    assert refused == []
    assert (paper.title, paper.abstract) == ("Tides", ABSTRACT)
    assert paper.identifiers == ("arxiv:2401.00001", "doi:10.1000/sea.1")
    assert (paper.venue, paper.published_on.isoformat(), paper.trust) == ("arXiv", "2024-01-02", INDEXED)
    assert paper.url == "https://arxiv.org/abs/2401.00001"


@pytest.mark.parametrize(
    "authors",
    [
        "Ada Lovelace, Grace B. Hopper and Karl von Frisch",
        "Ada Lovelace (1), Grace B. Hopper (2 and 3), Karl von Frisch ((1) Sea, Harbour (East), (2) Navy, (3) Hive)",
        "Ada Lovelace (Sea University),\n  Grace B. Hopper, Karl von Frisch (Hive (South), Hill and Dale)",
    ],
)
def test_the_affiliations_of_authors_are_no_authors(authors):
    (paper,), _ = read(answer(record(raw(authors))))
    assert paper.authors == ("Ada Lovelace", "Grace B. Hopper", "Karl von Frisch")


def test_people_in_parts_are_put_together():
    metadata = """<arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>math.GT/0309136</id><created>2003-09-08</created>
<authors><author><keyname>King</keyname><forenames>Martin</forenames><suffix>Jr.</suffix></author>
<author><keyname>Plato</keyname></author></authors><title>Tides</title></arXiv>"""
    (paper,), _ = read(answer(record(metadata)))
    assert paper.authors == ("Martin King Jr.", "Plato")
    assert (paper.identifiers, paper.year) == (("arxiv:math.GT/0309136",), 2003)


def test_dublin_core_of_a_repository():
    (paper,), _ = read(
        answer(
            record(
                dublin_core(f"""<dc:title>Tides</dc:title><dc:creator>Lovelace, Ada</dc:creator>
<dc:creator>Lovelace, Ada</dc:creator><dc:subject>tides</dc:subject><dc:description>Comment: 5 pages</dc:description>
<dc:description>{ABSTRACT}</dc:description><dc:date>2010</dc:date><dc:identifier>https://example.org/7</dc:identifier>
<dc:relation>https://doi.org/10.1000/A</dc:relation>"""),
                name="oai:example.org:7",
            )
        )
    )
    assert (paper.title, paper.abstract, paper.authors) == ("Tides", ABSTRACT, ("Ada Lovelace",))
    assert (paper.identifiers, paper.url) == (("doi:10.1000/a",), "https://example.org/7")
    assert (paper.venue, paper.year, paper.published_on, paper.trust) == (None, 2010, None, COLLECTED)


def test_dublin_core_of_arxiv_is_of_arxiv():
    fields = "<dc:title>Tides</dc:title><dc:identifier>http://arxiv.org/abs/2401.00001v2</dc:identifier>"
    (paper,), _ = read(answer(record(dublin_core(fields))))
    assert (paper.venue, paper.identifiers) == ("arXiv", ("arxiv:2401.00001",))


def test_what_whoever_imports_says_is_used_where_a_record_says_nothing():
    (paper,), _ = read(answer(record(dublin_core("<dc:title>Tides</dc:title>"))), Defaults(venue="Sea", year=2023))
    assert (paper.venue, paper.year) == ("Sea", 2023)


def test_a_record_that_is_deleted_or_empty_is_refused_under_its_name():
    deleted = '<record><header status="deleted"><identifier>oai:x:1</identifier></header></record>'
    papers, refused = read(answer(deleted, record("", name="oai:x:2"), record(raw("Ada Lovelace"))))
    assert len(papers) == 1
    assert refused == [
        Refusal(where="oai:x:1", why="It is deleted at its source."),
        Refusal(where="oai:x:2", why="The record is empty."),
    ]


@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        ("badResumptionToken", "begin again"),
        ("cannotDisseminateFormat", "no records in this format"),
        ("idDoesNotExist", "no record of this id"),
        ("noSetHierarchy", "no sets"),
        ("somethingNew", "Ask later"),
    ],
)
def test_an_error_is_refused_with_what_it_means(code, meaning):
    papers, (refused,) = read(f'<OAI-PMH><error code="{code}">Ask later</error></OAI-PMH>')
    assert papers == []
    assert code in refused.why
    assert meaning in refused.why


def test_a_list_without_records_is_no_error():
    assert read('<OAI-PMH><error code="noRecordsMatch">none</error></OAI-PMH>') == ([], [])


@settings(deadline=None)
@given(
    st.binary(max_size=300), st.sampled_from([b"", b"<OAI-PMH><record><metadata><dc>", b"<OAI-PMH><record><header>"])
)
def test_any_bytes_are_read_or_refused(content, start):
    oai_pmh.recognises(start + content or b" ")
    for one in oai_pmh.read([start + content]):
        assert one.where


def test_every_cut_keeps_the_records_before_it():
    content = FILES["oai"].encode()
    counts = [len(read(content[: len(content) * tenth // 10])[0]) for tenth in range(11)]
    assert counts == sorted(counts)
    assert counts[10] == 1


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE o [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
        '<!DOCTYPE o [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
    ],
)
def test_entities_of_its_own_are_never_looked_up(declaration):
    papers, (refused,) = read(f"{declaration}<OAI-PMH>{record(dublin_core('<dc:title>&a;</dc:title>'))}</OAI-PMH>")
    assert papers == []
    assert "entities" in refused.why


@pytest.mark.parametrize(
    ("name", "papers", "refused"),
    [
        ("arxiv_oai_pmh_ListRecords.xml", 1, 0),
        ("oai_dc_ListRecords.xml", 1, 1),
        ("oai_dc_badResumptionToken.xml", 0, 1),
        ("oai_dc_noRecordsMatch.xml", 0, 0),
    ],
)
def test_the_real_answers(shared_data, name, papers, refused):
    content = (shared_data / "samples" / name).read_bytes()
    found, reasons = read(content)
    assert (len(found), len(reasons)) == (papers, refused)
    assert all(paper.title and paper.abstract and paper.authors for paper in found)


def test_every_cut_of_the_real_answers_is_read_or_refused(shared_data):
    for sample in sorted((shared_data / "samples").glob("*oai*.xml")):
        content = sample.read_bytes()
        for tenth in range(1, 10):
            assert read(content[: len(content) * tenth // 10])[1]
