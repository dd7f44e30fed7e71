"""The ACL Anthology's XML: volumes, their papers and what these are called."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.models import Refusal
from bot.sources.base import PUBLISHER, Defaults
from bot.sources.formats import acl_anthology
from tests.sources.formats.conftest import ABSTRACT, FILES

LINGUISTICS = "Association for Computational Linguistics"


def read(content: str | bytes, defaults: Defaults | None = None):
    """The papers and the refusals of a collection."""
    content = content.encode() if isinstance(content, str) else content
    parts = [content[place : place + 100] for place in range(0, len(content), 100)]
    found = list(acl_anthology.read(parts, defaults or Defaults()))
    return [one for one in found if not isinstance(one, Refusal)], [one for one in found if isinstance(one, Refusal)]


def collection(*papers: str, name="2024.sea", volume="1", booktitle="Proceedings of the Sea", venue="sea", year="2024"):
    return f"""<?xml version='1.0' encoding='UTF-8'?><collection id="{name}"><volume id="{volume}"><meta>
<booktitle>{booktitle}</booktitle><editor><first>Grace</first><last>Hopper</last></editor><year>{year}</year>
<venue>{venue}</venue></meta><frontmatter><url>{name}-{volume}.0</url></frontmatter>{"".join(papers)}</volume></collection>"""


def test_markup_in_a_title_becomes_text():
    (paper,), refused = read(
        collection(f"""<paper id="1"><title>Tides of <fixed-case>NLP</fixed-case>: <i>a <b>bold</b></i> look
at <tex-math>O(n^2)</tex-math> &amp; <url>https://example.org</url></title><author><first>Ada</first><last>Lovelace</last>
</author><author><last>Plato</last></author><abstract>{ABSTRACT} <tex-math>x</tex-math></abstract></paper>""")
    )
    assert " ".join(paper.title.split()) == "Tides of NLP: a bold look at $O(n^2)$ & https://example.org"
    assert paper.abstract == f"{ABSTRACT} $x$"
    assert (paper.authors, paper.trust) == (("Ada Lovelace", "Plato"), PUBLISHER)
    assert refused == []


@pytest.mark.parametrize(
    ("booktitle", "venue", "short"),
    [
        (f"Proceedings of the 57th Annual Meeting of the {LINGUISTICS}", "acl", "ACL"),
        (f"Findings of the {LINGUISTICS}: EMNLP 2020", "findings", "EMNLP Findings"),
        ("Computational Linguistics, Volume 50, Issue 1 - March 2024", "cl", "CL"),
        ("Proceedings of the 3rd Natural Logic Workshop (NALOMA III)", "naloma", "NALOMA"),
        ("Proceedings of the Workshop on Seas", "ws", "Proceedings of the Workshop on Seas"),
        ("", "lrec", "LREC"),
    ],
)
def test_a_volume_goes_by_the_short_name_of_its_venue(booktitle, venue, short):
    (paper,), _ = read(collection('<paper id="1"><title>Tides</title></paper>', booktitle=booktitle, venue=venue))
    assert (paper.venue, paper.year) == (short, 2024)


@pytest.mark.parametrize(
    ("name", "volume", "paper", "expected"),
    [
        ("2022.naloma", "1", "1", "2022.naloma-1.1"),
        ("2020.findings", "emnlp", "12", "2020.findings-emnlp.12"),
        ("P19", "1", "1", "P19-1001"),
        ("W19", "1", "1", "W19-0101"),
        ("W19", "51", "7", "W19-5107"),
        ("D19", "1", "12", "D19-1012"),
        ("D19", "50", "3", "D19-5003"),
    ],
)
@pytest.mark.parametrize("has_url", [True, False])
def test_a_paper_is_known_by_its_id_in_the_anthology(name, volume, paper, expected, has_url):
    url = f"<url hash='x'>{expected}</url>" if has_url else ""
    (found,), _ = read(collection(f'<paper id="{paper}"><title>Tides</title>{url}</paper>', name=name, volume=volume))
    assert found.identifiers == (f"acl:{expected}",)
    assert found.url == f"https://aclanthology.org/{expected}"
    assert found.where == expected


@pytest.mark.parametrize("mark", ["retracted", "removed"])
def test_a_paper_that_was_taken_back_is_refused(mark):
    papers, (refused,) = read(
        collection(
            f'<paper id="1"><title>Tides</title><{mark} date="2024-01-01">Wrong.</{mark}></paper>',
            '<paper id="2"><title>Bees</title></paper>',
        )
    )
    assert [paper.title for paper in papers] == ["Bees"]
    assert refused == Refusal(where="2024.sea-1.1", why=f"It is {mark} at the ACL Anthology.")


def test_every_volume_has_a_venue_of_its_own():
    one = collection('<paper id="1"><title>Tides</title></paper>')
    volume = one[one.index("<volume") : one.index("</collection>")]
    other = volume.replace(">sea<", ">air<").replace('id="1"', 'id="2"', 1).replace("<year>2024", "<year>2023")
    papers, _ = read(one.replace("</collection>", f"{other}</collection>"))
    assert [(paper.venue, paper.year) for paper in papers] == [("SEA", 2024), ("AIR", 2023)]
    assert [paper.identifiers for paper in papers] == [("acl:2024.sea-1.1",), ("acl:2024.sea-2.1",)]


@settings(deadline=None)
@given(st.binary(max_size=300), st.sampled_from([b"", b"<collection><volume><paper>", b"<collection><volume><meta>"]))
def test_any_bytes_are_read_or_refused(content, start):
    acl_anthology.recognises(start + content or b" ")
    for one in acl_anthology.read([start + content]):
        assert one.where


def test_every_cut_keeps_the_papers_before_it():
    content = FILES["acl"].encode()
    counts = [len(read(content[: len(content) * tenth // 10])[0]) for tenth in range(11)]
    assert counts == sorted(counts)
    assert (counts[0], counts[10]) == (0, 1)


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE c [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>',
        '<!DOCTYPE c [<!ENTITY a SYSTEM "file:///etc/hostname">]>',
    ],
)
def test_entities_of_its_own_are_never_looked_up(declaration):
    papers, (refused,) = read(declaration + '<collection id="x"><paper id="1"><title>&a;</title></paper></collection>')
    assert papers == []
    assert "entities" in refused.why


def test_the_real_collections(shared_data):
    papers, refused = read((shared_data / "samples/acl_anthology_2022.naloma.xml").read_bytes())
    assert (len(papers), refused) == (5, [])
    assert [paper.identifiers for paper in papers] == [(f"acl:2022.naloma-1.{number}",) for number in range(1, 6)]
    assert {(paper.venue, paper.year) for paper in papers} == {("NALOMA", 2022)}

    papers, refused = read((shared_data / "samples/acl_anthology_2024.cl.xml").read_bytes())
    assert (len(papers), refused) == (10, [])
    assert papers[0].identifiers == ("acl:2024.cl-1.1", "doi:10.1162/coli_a_00499")
    assert {(paper.venue, paper.year) for paper in papers} == {("CL", 2024)}
    assert all(paper.title and paper.authors for paper in papers)


def test_every_cut_of_the_real_collections_is_read_or_refused(shared_data):
    for sample in sorted((shared_data / "samples").glob("acl_*.xml")):
        content = sample.read_bytes()
        for tenth in range(1, 10):
            assert read(content[: len(content) * tenth // 10])[1]
