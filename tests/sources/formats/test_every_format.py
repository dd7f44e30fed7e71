"""Every format: known by its content, read in full, and never undone by what is broken."""

import gzip
import random
from pathlib import Path

import pytest

from bot.models import Refusal
from bot.sources.base import Defaults
from bot.sources.detect import FORMATS, detect
from tests.sources.formats.conftest import ABSTRACT, FILES

COUNTS = {
    "feed": (1, 0), "oai": (1, 1), "acl": (1, 1), "json": (1, 1), "jsonl": (2, 0),
    "bibtex": (2, 0), "ris": (1, 0), "csv": (2, 0), "markdown": (2, 0), "list": (2, 0),
}  # fmt: skip


def test_there_is_a_file_for_every_format():
    assert set(FILES) == set(FORMATS) == set(COUNTS)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("dress", ["plain", "bom", "utf-16", "gzip", "windows line ends"])
def test_a_file_is_known_by_its_content_in_every_dress(put, name, dress):
    content = FILES[name].encode()
    dressed = {
        "plain": content,
        "bom": b"\xef\xbb\xbf" + content,
        "utf-16": FILES[name].encode("utf-16"),
        "gzip": gzip.compress(content),
        "windows line ends": content.replace(b"\n", b"\r\n"),
    }[dress]

    papers, refused = put(dressed)

    assert detect(content).format_name == name
    assert (len(papers), len(refused)) == COUNTS[name]
    assert ABSTRACT[:40] in "".join(paper.abstract or "" for paper in papers)


@pytest.mark.parametrize("name", FORMATS)
def test_venue_and_year_can_be_said_for_records_that_do_not(name):
    two = "# Bees\n\n- [Bees Hum Too](https://arxiv.org/abs/2401.00001)\n- [Roofs Shine](https://arxiv.org/abs/2401.00002)"
    bare = {
        "json": '[{"title": "Bees"}]',
        "jsonl": '{"title": "Bees"}\n{"title": "Roofs"}',
        "ris": "TY  - JOUR\nTI  - Bees\nER  - ",
        "bibtex": "@misc{a, title={Bees}}",
        "csv": "title,authors\nBees,Ada Lovelace\n",
        "list": ABSTRACT,
        "markdown": two,
        "feed": "<rss><channel><item><title>Bees</title></item></channel></rss>",
        "oai": "<OAI-PMH><record><metadata><dc><title>Bees</title></dc></metadata></record></OAI-PMH>",
        "acl": '<collection><paper id="1"><title>Bees</title></paper></collection>',
    }[name]
    found = list(FORMATS[name].read([bare.encode()], Defaults(venue="Sea", year=2023)))

    assert found
    assert all((one.venue, one.year) == ("Sea", 2023) for one in found)


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_that_is_cut_keeps_what_came_before(name):
    content = FILES[name].encode()
    for tenth in range(11):
        found = list(FORMATS[name].read([content[: len(content) * tenth // 10]], Defaults()))
        assert all(one.why if isinstance(one, Refusal) else one.where for one in found)


@pytest.mark.parametrize("name", FORMATS)
def test_bytes_that_are_flipped_never_end_an_import(name):
    numbers = random.Random(name)
    content = FILES[name].encode()
    for _ in range(200):
        broken = bytearray(content)
        for _ in range(numbers.randrange(1, 12)):
            place = numbers.randrange(len(broken))
            match numbers.randrange(4):
                case 0:
                    broken[place] = numbers.randrange(256)
                case 1:
                    del broken[place : place + numbers.randrange(40)]
                case 2:
                    broken[place:place] = broken[: numbers.randrange(60)]
                case _:
                    broken[place:place] = numbers.choice([b"\0", b"\xff\xfe", b"{", b'"', b"<", b"]]>", b"\n\n", b"@"])
        for one in FORMATS[name].read([bytes(broken)], Defaults()):
            assert one.where


HOSTILE = {
    "an entity bomb": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><%s>&b;</%s>',
    "a file from outside": b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/hostname">]><%s>&a;</%s>',
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("root", [b"feed", b"OAI-PMH", b"collection"])
def test_xml_that_declares_entities_is_refused(put, content, root):
    papers, refused = put(content % (root, root))
    assert papers == []
    assert "entities" in refused[0].why


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 10_000,
        b'[{"title":' + b"[" * 10_000,
        b'{"a":' * 10_000,
        b'{"title": "A", "x": ' + b"[" * 10_000 + b"]" * 10_000 + b"}\n" * 2,
        b"title," + b"a," * 1_000_000,
        b"title,abstract\n" + b'"' * 2_000_001,
        b"@article{a, title={" + b"{" * 100_000,
        b"<feed>" + b"<a>" * 20_000,
        b"TY  - JOUR\n" + b"AB  - x\n" * 50_000,
        b"# a\n" + b"[x](https://arxiv.org/abs/2401.00001" * 2_000,
        gzip.compress(b"a" * 50_000_000),
        b"\0" * 10_000,
    ],
    ids=range(12),
)
def test_content_made_to_hurt_gets_a_sentence(put, content):
    papers, refused = put(content)
    assert len(papers) <= 1
    assert all(len(one.why) <= 300 for one in refused)


def test_a_small_file_that_unpacks_to_a_huge_one_is_left(put):
    """A gibibyte in a megabyte: its members are the same, so that making it is cheap."""
    member = gzip.compress((b'{"title": "' + b"a" * 60_000 + b'"}\n') * 280, mtime=0)
    papers, refused = put(member * 64)
    assert len(papers) < 20 * 280
    assert "300 times its size" in refused[-1].why


def test_every_real_sample_is_read(shared_data: Path, put):
    read = {}
    for sample in sorted((shared_data / "samples").iterdir()):
        papers, refused = put(sample.read_bytes())
        read[sample.name] = (len(papers), len(refused))

    assert read["acl_anthology_2024.cl.xml"] == (10, 0)
    assert read["arxiv_atom_search10.xml"] == (10, 0)
    assert read["arxiv_rss.xml"] == (13, 0)
    assert read["dblp_iclr_15.bib"] == (15, 0)
    assert read["iclr_cc_list.csv"] == (39, 0)
    assert read["markdown_list_azminewasi.md"] == (11, 0)
    assert read["openreview_v2_notes_iclr2024_reconstructed.json"] == (5, 0)
    assert read["papercopilot_colm2024_5.json"] == (5, 0)
    assert read["s2_paper_references.json"] == (40, 0)
    assert read["ris_example_full.ris"] == (2, 0)
    assert read["zotero_export.csv"] == (5, 0)
    assert {name for name, (papers, _) in read.items() if papers == 0} == {
        "arxiv_atom_empty.xml",
        "arxiv_atom_error_bad_id.xml",
        "oai_dc_badResumptionToken.xml",
        "oai_dc_noRecordsMatch.xml",
        "ris_example_bom.ris",
        "s2_not_found.json",
        "s2_paper_batch.json",
    }


def test_no_real_sample_that_is_cut_or_flipped_ends_an_import(shared_data: Path, put):
    numbers = random.Random(1)
    for sample in sorted((shared_data / "samples").iterdir()):
        content = sample.read_bytes()
        for tenth in range(1, 10):
            put(content[: len(content) * tenth // 10])
        for _ in range(10):
            broken = bytearray(content)
            for _ in range(20):
                broken[numbers.randrange(len(broken))] = numbers.randrange(256)
            put(bytes(broken))
