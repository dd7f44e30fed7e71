"""The starter library: what it holds, and the true abstracts finding their way to it."""

import json
import random
import re
import textwrap
from importlib import resources

import pytest

from bot.sources.files import FileSource
from bot.sources.identity import ATTACHED_TEXT, fingerprint, resemblance
from bot.sources.importer import Importer
from bot.sources.starter import FILE, StarterLibrary, starter_paper
from bot.store import papers
from bot.store.database import Database


@pytest.fixture
async def starter(importer, database):
    report = await importer.run(StarterLibrary())
    assert (report.added, report.refused) == (19, 0)
    return {
        paper.identifier("openreview"): paper for paper in await database.read(lambda c: papers.newest(c, limit=99))
    }


async def test_every_starter_paper_comes_with_its_facts_and_a_synopsis(starter):
    for paper in starter.values():
        assert (paper.venue, paper.year, paper.title_made, paper.abstract) == ("ICLR", 2024, False, None)
        assert paper.authors
        assert paper.keywords
        assert paper.track in {"oral", "spotlight", "poster"}
        assert paper.url == f"https://openreview.net/forum?id={paper.identifier('openreview')}"
        assert len(paper.synopsis.split()) >= 30


def test_every_packaged_line_knows_its_true_abstract_and_holds_none():
    lines = [json.loads(line) for line in (resources.files("bot.sources") / FILE).read_text("utf-8").splitlines()]
    runs_of_all = [bytes.fromhex(line["runs"]) for line in lines]

    assert not any(line.get("abstract") for line in lines)
    assert len({line["text_id"] for line in lines}) == len(lines) == 19
    for number, one in enumerate(runs_of_all):
        assert all(resemblance(one, other) < ATTACHED_TEXT / 4 for other in runs_of_all[:number])


async def test_the_starter_library_imported_again_changes_nothing(starter, importer):
    assert (await importer.run(StarterLibrary())).unchanged == 19


async def test_abstracts_of_others_attach_to_no_starter_paper(starter, importer, made, written):
    report = await importer.run(FileSource(written(made.plain(made.TIDES, made.ROOFS, made.BEES))))
    assert (report.added, report.merged) == (3, 0)


def test_a_packaged_paper_of_our_own_making_knows_its_abstract_by_fingerprint(made):
    known = fingerprint(made.TIDES)
    raw = starter_paper({"title": "T", "text_id": known.text_id, "runs": known.runs.hex()}, where="line 1")
    assert raw.identifiers == (known.text_id,)
    assert raw.runs == known.runs


def wrapped(text: str, _: random.Random) -> str:
    return textwrap.fill(text, 72)


def with_other_signs(text: str, _: random.Random) -> str:
    return text.replace("—", " - ").replace("'", "’").replace('"', "“").replace("-", "\u2010")


def with_other_tex(text: str, _: random.Random) -> str:
    text = re.sub(r"\$([^$]*)\$", r"\\(\1\\)", text)
    return text.replace("\\mathbb", "\\mathbf").replace("\\omega", "ω").replace("\\leq", "\\le").replace("%", "\\%")


def lacking_a_sentence(text: str, numbers: random.Random) -> str:
    sentences = re.split(r"(?<=[.!?]) (?=[A-Z])", text)
    sentences.pop(numbers.randrange(len(sentences)))
    return " ".join(sentences)


def lacking_its_longest_sentence(text: str, _: random.Random) -> str:
    sentences = re.split(r"(?<=[.!?]) (?=[A-Z])", text)
    sentences.remove(max(sentences, key=len))
    return " ".join(sentences)


@pytest.mark.parametrize(
    "garble",
    [str, wrapped, with_other_signs, with_other_tex, lacking_a_sentence, lacking_its_longest_sentence],
    ids=lambda garble: garble.__name__,
)
async def test_every_true_abstract_of_the_real_list_attaches_to_its_paper(
    shared_data, starter, database, importer: Importer, written, garble
):
    heading, *abstracts = (shared_data / "iclr2024_abstracts.txt").read_text("utf-8").strip().split("\n\n")
    facts = [json.loads(line) for line in (shared_data / "seed_facts.jsonl").read_text("utf-8").splitlines()]
    numbers = random.Random(4)
    garbled = abstracts if garble is str else [garble(abstract, numbers) for abstract in abstracts]

    report = await importer.run(FileSource(written("\n\n".join([heading, *garbled]))))

    assert (report.read, report.added, report.merged, report.refused) == (19, 0, 19, 0)
    for fact, abstract in zip(facts, garbled, strict=True):
        paper = await database.read(lambda c, fact=fact: papers.get_paper(c, starter[fact["id"]].id))
        assert paper.title.casefold() == fact["title"].casefold().strip()
        assert resemblance(fingerprint(paper.abstract).runs, fingerprint(abstract).runs) > 0.8


async def test_starter_list_and_lines_are_one_library_in_any_order(shared_data, tmp_path, clock):
    sources = [
        StarterLibrary(),
        FileSource(shared_data / "iclr2024_abstracts.txt"),
        FileSource(shared_data / "iclr2024.jsonl.gz"),
    ]
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        async with await Database.open(tmp_path / f"{order}.db") as database:
            for number in order:
                await Importer(database, clock).run(sources[number])
            assert await database.read(papers.count) == 2261
            for number in order:
                report = await Importer(database, clock).run(sources[number])
                assert report.unchanged == report.read
