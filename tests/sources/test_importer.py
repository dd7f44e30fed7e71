"""Imports: each paper once, nothing lost, nothing merged that is two."""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.models import ImportReport, Paper, Refusal
from bot.sources.base import RawPaper
from bot.sources.files import FileSource
from bot.sources.identity import fingerprint
from bot.sources.merging import better_abstract, merge
from bot.sources.preparing import digest, prepare
from bot.store import papers


@dataclass
class Given:
    """A source of what a test gives it."""

    records: list
    name: str = "given"
    is_large: bool = False
    is_lasting: bool = False

    def read(self) -> Iterator[RawPaper | Refusal]:
        for number, record in enumerate(self.records, 1):
            if isinstance(record, Refusal):
                yield record
            else:
                yield RawPaper(**{"where": f"line {number}", "record": record, **record})


@pytest.fixture
def bring(importer):
    """Import records, or a file, and return the four counts."""

    async def run(*records, name="given", **options):
        is_source = len(records) == 1 and hasattr(records[0], "read")
        report = await importer.run(records[0] if is_source else Given(list(records), name), **options)
        assert report.read == report.added + report.merged + report.unchanged + report.refused
        return report.added, report.merged, report.unchanged, report.refused

    return run


@pytest.fixture
def library(database):
    async def every():
        return sorted(await database.read(lambda c: papers.newest(c, limit=10_000)), key=lambda paper: paper.id)

    return every


def titled(title="Learning From Residual Tides", **fields):
    return {"title": title, "authors": ("Ana Núñez", "Bo Ng"), "venue": "ICLR", "year": 2024, **fields}


async def test_a_second_import_changes_nothing_and_touches_no_row(made, written, bring, database):
    path = written(made.plain(made.TIDES, made.ROOFS, "Too short.", made.BEES))

    assert await bring(FileSource(path)) == (3, 0, 0, 1)
    before = await database.read(lambda c: (c.execute("SELECT * FROM papers").fetchall(), papers.version(c)))
    assert await bring(FileSource(path)) == (0, 0, 3, 1)
    assert await database.read(lambda c: (c.execute("SELECT * FROM papers").fetchall(), papers.version(c))) == before


async def test_the_same_abstract_in_another_setting_is_the_same_paper(made, written, bring):
    await bring(FileSource(written(made.plain(made.TIDES, made.BEES))))

    wrapped = made.plain(made.BEES, made.TIDES.replace("’", "'").replace(", ", " , "), width=60)
    assert await bring(FileSource(written(wrapped, "other"))) == (0, 0, 2, 0)


@pytest.mark.parametrize("list_first", [True, False])
async def test_a_title_and_an_abstract_find_each_other_by_a_fingerprint(made, written, bring, library, list_first):
    record = titled(abstract=made.ROOFS, identifiers=("openreview:abCD123456",), synopsis="About roofs.")
    listed = FileSource(written(made.plain(made.ROOFS.rsplit(",", 1)[0] + ".", made.BEES)))
    steps = [listed, record] if list_first else [record, listed]
    for step in steps:
        await bring(step)

    roofs, bees = sorted(await library(), key=lambda paper: paper.title_made)

    assert (roofs.title, roofs.title_made) == ("Learning From Residual Tides", False)
    assert roofs.abstract.endswith("that both photographs share.")
    assert roofs.aliases == ()
    assert bees.title_made


async def test_an_abstract_reaches_a_paper_that_knows_only_its_fingerprint(made, written, bring, library):
    known = fingerprint(made.TIDES)
    await bring(
        titled(synopsis="Tides, learnt.", identifiers=(known.text_id, "openreview:abCD123456"), runs=known.runs)
    )

    lacking = made.TIDES.replace(" All readings and the code are released.", "")
    assert await bring(FileSource(written(made.plain(lacking, made.BEES)))) == (1, 1, 0, 0)
    assert await bring(FileSource(written(made.plain(made.TIDES), "whole"))) == (0, 1, 0, 0)

    paper = (await library())[0]
    assert (paper.abstract, paper.synopsis, paper.title_made) == (made.TIDES, "Tides, learnt.", False)


async def test_text_is_readable_and_the_original_is_kept(made, written, bring, library, database):
    await bring(FileSource(written(made.plain(made.ROOFS))))

    (paper,) = await library()
    (kept,) = await database.read(lambda c: papers.originals(c, paper.id))

    assert "$" not in paper.abstract
    assert "O(n log n)" in paper.abstract
    assert json.loads(kept.record) == {"abstract": made.ROOFS}


SAME = [
    (
        "a shared identifier",
        {"identifiers": ("arxiv:2401.00001",)},
        {"title": "Wholly Other", "identifiers": ("arxiv:2401.00001",)},
    ),
    ("title and authors", {}, {"title": "Learning from Residual Tides.", "venue": "arXiv", "year": 2023}),
    ("title, venue and year", {}, {"authors": ()}),
    ("an alias", {}, {"title": "Old Name", "aliases": ("Learning From Residual Tides",)}),
    ("preprint and publication", {"identifiers": ("arxiv:2401.00001",)}, {"identifiers": ("openreview:abCD123456",)}),
    ("initials", {}, {"authors": ("A. Nunez", "Ng, Bo"), "venue": None, "year": None}),
]


@pytest.mark.parametrize(("one", "other"), [case[1:] for case in SAME], ids=[case[0] for case in SAME])
async def test_two_descriptions_of_one_paper_become_one(bring, one, other):
    added, merged, unchanged, _ = await bring(titled(**one), titled(**other))
    assert (added, merged + unchanged) == (1, 1)


OTHERS = [
    ("two OpenReview ids", {"identifiers": ("openreview:a1",)}, {"identifiers": ("openreview:a2",)}),
    ("one arXiv id under two OpenReview ids", {"identifiers": ("openreview:a1", "arxiv:2401.00001")},
     {"identifiers": ("openreview:a2", "arxiv:2401.00001")}),
    ("other authors", {}, {"authors": ("Cem Doe", "Di Roe")}),
    ("nothing but the title", {"venue": None}, {"authors": (), "year": 2020}),
    ("a short title that recurs", {"title": "Preface", "year": 2023}, {"title": "Preface", "year": 2024}),
    ("another number", {"title": "Shared Task 2023 on Tides"}, {"title": "Shared Task 2024 on Tides"}),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), [case[1:] for case in OTHERS], ids=[case[0] for case in OTHERS])
async def test_two_papers_stay_two(bring, one, other):
    assert await bring(titled(**one), titled(**other)) == (2, 0, 0, 0)


async def test_two_parts_with_one_abstract_stay_two(made, bring):
    parts = [titled(f"Tides, Part {number}", abstract=made.TIDES) for number in ("I", "II")]
    assert await bring(*parts) == (2, 0, 0, 0)
    assert await bring(*parts, name="again") == (0, 0, 2, 0)


async def test_a_made_title_never_matches(made, bring, library):
    await bring({"abstract": made.TIDES})
    (paper,) = await library()
    await bring(titled(paper.title, venue=None, year=None))
    assert len(await library()) == 2


async def test_a_record_that_bridges_two_papers_makes_them_one(bring, library, database):
    await bring(titled("Tides on arXiv", identifiers=("arxiv:2401.00001",), authors=("X Y",)))
    await bring(titled("Tides at ICLR", identifiers=("openreview:abCD123456",), keywords=("sea",)))
    await bring(titled("Tides at ICLR", identifiers=("arxiv:2401.00001", "openreview:abCD123456")))

    (paper,) = await library()
    assert paper.identifiers == ("arxiv:2401.00001", "openreview:abCD123456")
    assert {paper.title, *paper.aliases} == {"Tides on arXiv", "Tides at ICLR"}
    assert paper.keywords == ("sea",)


async def test_merging_unites_lists_and_loses_no_field(bring, library):
    await bring(titled(keywords=("sea", "Tides"), url="https://example.org/1", track="oral", synopsis="S."))
    await bring(
        titled("Learning from residual tides", authors=("A. Núñez", "Bo Ng", "Cem Doe"), keywords=("tides", "pilots"),
               aliases=("Old Name",), venue=None, year=None)
    )  # fmt: skip

    (paper,) = await library()
    assert paper.authors == ("Ana Núñez", "Bo Ng", "Cem Doe")
    assert paper.keywords == ("sea", "Tides", "pilots")
    assert paper.aliases == ("Old Name",)
    assert (paper.url, paper.track, paper.synopsis, paper.venue, paper.year) == (
        "https://example.org/1",
        "oral",
        "S.",
        "ICLR",
        2024,
    )


@pytest.mark.parametrize("cut_first", [True, False])
async def test_a_whole_abstract_is_kept_over_a_cut_one(made, bring, library, cut_first):
    cut = titled(abstract=made.TIDES[:300], abstract_cut=True)
    records = [cut, titled(abstract=made.TIDES)]
    await bring(*(records if cut_first else reversed(records)))
    await bring(titled(abstract=""), titled(), name="without")

    assert [paper.abstract for paper in await library()] == [made.TIDES]


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"title": ""}, "blank"),
        ({"title": "   ", "abstract": "x " * 50}, "blank"),
        ({"title": "N/A"}, "blank"),
        ({"title": "Withdrawn"}, "withdrawn"),
        ({"title": "[WITHDRAWN] A Real Title"}, "withdrawn"),
        ({"title": "This paper has been withdrawn by the authors."}, "withdrawn"),
        ({}, "neither a title nor an abstract"),
        ({"abstract": " \n"}, "neither a title nor an abstract"),
    ],
)
async def test_a_blank_or_withdrawn_record_is_refused_and_the_rest_is_kept(importer, record, why):
    report = await importer.run(Given([titled("First of Them All"), record, titled("Last of Them All")]))
    assert report.added == 2
    assert [one.where for one in report.refusals] == ["line 2"]
    assert why in report.refusals[0].why


async def test_a_title_about_withdrawal_is_a_title(bring):
    assert await bring(titled("Withdrawn or Retracted: A Study of Preprints"), titled("Removed Noise Matters")) == (
        2,
        0,
        0,
        0,
    )


async def test_a_dry_run_reports_the_same_and_writes_nothing(made, written, bring, importer, database):
    await bring(titled(abstract=made.TIDES))
    path = written(made.plain(made.TIDES, made.BEES, made.BEES, "short"))
    before = await database.read(lambda c: "\n".join(c.iterdump()))

    dry = await importer.run(FileSource(path), dry_run=True)

    assert await database.read(lambda c: "\n".join(c.iterdump())) == before
    assert dry == await importer.run(FileSource(path))
    assert dry == ImportReport(
        read=4, added=1, unchanged=2, refused=1,
        refusals=(Refusal(where="line 9", why="The paragraph is too short for an abstract (1 word)."),),
    )  # fmt: skip


async def test_progress_and_the_clock_are_used_and_batches_do_not_matter(bring, database, clock):
    seen = []
    records = [titled(f"Paper Number {number} of a Long List", authors=()) for number in range(1201)]
    assert await bring(*records, *records[:100], progress=seen.append) == (1201, 0, 100, 0)
    assert seen == [500, 1000, 1301]
    assert await database.read(lambda c: len(papers.added_since(c, clock(), limit=9999))) == 1201


async def test_half_a_surrogate_pair_and_a_nul_do_no_harm(bring, library):
    record = json.loads('{"title": "Half \\ud83d a \\u0000 Pair", "abstract": "\\udc00 x", "keywords": ["\\ud800"]}')
    assert await bring({**record, "keywords": tuple(record["keywords"])}) == (1, 0, 0, 0)
    (paper,) = await library()
    assert paper.title.startswith("Half")
    assert paper.title.endswith("Pair")
    paper.title.encode()


TEXTS = st.none() | st.text(max_size=60)


@given(title=TEXTS, abstract=TEXTS, authors=st.lists(st.text(max_size=20), max_size=3).map(tuple))
def test_any_text_is_prepared_or_refused(title, abstract, authors):
    raw = RawPaper(title=title, abstract=abstract, authors=authors, where="x", record={"title": title})
    [found] = prepare([raw], source="given", digests=[digest(raw)])
    if not isinstance(found, Refusal):
        assert found.paper.title


PAPERS = st.builds(
    Paper,
    id=st.just(1),
    title=st.sampled_from(["One Title", "one title", "Other"]),
    title_made=st.booleans(),
    abstract=st.sampled_from([None, "Words.", "Words. And more.", "Else entirely."]),
    authors=st.lists(st.sampled_from(["A. Ng", "Ana Ng", "Bo Li"]), unique=True, max_size=3).map(tuple),
    venue=st.sampled_from([None, "arXiv", "ICLR"]),
    year=st.sampled_from([None, 2023, 2024]),
    aliases=st.sampled_from([(), ("Alias",), ("Other",)]),
)


@given(old=PAPERS, new=PAPERS)
def test_merging_again_changes_nothing(old, new):
    once = merge(old, new)
    assert merge(once, new) == once
    assert bool(once.abstract) == bool(old.abstract or new.abstract)


@given(st.sampled_from(["a b c.", "a b", "A-B c d"]), st.sampled_from([None, "a b c.", "x y z w"]))
def test_the_better_abstract_does_not_depend_on_the_order(one, other):
    chosen = better_abstract(one, other, new_is_cut=False)
    assert better_abstract(other, one, new_is_cut=False) in {chosen, one if chosen == other else other}
    assert chosen


async def test_the_real_list_after_the_real_lines(shared_data, importer, database):
    lines = await importer.run(FileSource(shared_data / "iclr2024.jsonl.gz"))
    assert (lines.read, lines.added, lines.refused) == (2261, 2261, 0)

    listed = await importer.run(FileSource(shared_data / "iclr2024_abstracts.txt"))
    assert (listed.read, listed.added, listed.refused) == (19, 0, 0)

    again = await importer.run(FileSource(shared_data / "iclr2024.jsonl.gz"))
    assert again.unchanged == 2261
    assert await database.read(papers.count) == 2261


def test_the_real_lines_are_all_read(made, shared_data):
    content = gzip.decompress((shared_data / "iclr2024.jsonl.gz").read_bytes())
    found, refused = made.read(shared_data / "iclr2024.jsonl.gz")
    assert len(found) == content.count(b"\n") + (not content.endswith(b"\n"))
    assert refused == []


@pytest.mark.parametrize("pattern", ["-", "$", "\\a", "{", "&amp;", "we propose (", "a-", ". A", "\u0301"])
def test_hostile_text_is_prepared_in_linear_time(grows_with_its_input, pattern):
    def work(size: int) -> None:
        text = (pattern * size)[:size] + "x"
        prepare([RawPaper(title=text, where="x")], source="given", digests=[0])
        prepare([RawPaper(abstract=text, where="x")], source="given", digests=[0])

    grows_with_its_input(work, 20_000)
