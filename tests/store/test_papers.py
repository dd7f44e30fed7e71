"""The papers' tables: what goes in comes out, found by number, identifier and age."""

import datetime as dt
from dataclasses import replace

import pytest

from bot.errors import NotFound
from bot.models import Paper
from bot.store import index, papers, recognition
from bot.store.packing import Original

FULL = Paper(
    id=0,
    title="AP-Perf: Incorporating Métrics",
    abstract="An abstract.",
    synopsis="A synopsis.",
    authors=("Ana Núñez", "B. Ng"),
    keywords=("metrics", "k-class"),
    aliases=("Another Title",),
    venue="ICLR",
    year=2024,
    track="oral",
    url="https://example.org/1",
    published_on=dt.date(2024, 1, 16),
    identifiers=("arxiv:2401.00001", "openreview:abCD1234"),
)


def plain(number):
    return Paper(id=0, title=f"Paper {number}", identifiers=(f"openreview:{number}",))


async def test_every_field_comes_back_as_it_went_in(database, clock):
    number = await database.write(lambda c: papers.insert(c, FULL, added_at=clock()))

    assert await database.read(lambda c: papers.get_paper(c, number)) == replace(FULL, id=number)


async def test_every_field_can_be_changed(database, clock):
    number = await database.write(lambda c: papers.insert(c, Paper(id=0, title="x", title_made=True), added_at=clock()))
    await database.write(lambda c: papers.update(c, replace(FULL, id=number)))

    assert await database.read(lambda c: papers.get_paper(c, number)) == replace(FULL, id=number)


@pytest.mark.parametrize("number", [0, -1, 7, 2**63, 10**40])
async def test_a_number_that_is_not_there_is_not_found(database, number):
    with pytest.raises(NotFound, match=str(number)):
        await database.read(lambda c: papers.get_paper(c, number))


async def test_papers_come_in_the_order_asked_for_and_missing_ones_are_left_out(database, clock):
    numbers = await database.write(lambda c: [papers.insert(c, plain(n), added_at=clock()) for n in range(5)])
    asked = [numbers[3], 999, numbers[0], numbers[4]]

    found = await database.read(lambda c: papers.get_papers(c, asked))

    assert [paper.title for paper in found] == ["Paper 3", "Paper 0", "Paper 4"]


async def test_more_papers_can_be_asked_for_than_a_statement_has_parameters(database, clock):
    number = await database.write(lambda c: papers.insert(c, FULL, added_at=clock()))

    found = await database.read(lambda c: papers.get_papers(c, range(40_000)))

    assert [paper.id for paper in found] == [number]


async def test_a_paper_is_found_by_each_of_its_identifiers(database, clock):
    number = await database.write(lambda c: papers.insert(c, FULL, added_at=clock()))

    for name in FULL.identifiers:
        found = await database.read(lambda c, name=name: papers.find_by_identifier(c, name))
        assert found is not None
        assert found.id == number
    assert await database.read(lambda c: papers.find_by_identifier(c, "openreview:ABCD1234")) is None


async def test_an_identifier_of_another_paper_cannot_be_taken(database, clock):
    await database.write(lambda c: papers.insert(c, FULL, added_at=clock()))

    with pytest.raises(Exception, match="UNIQUE"):
        await database.write(lambda c: papers.insert(c, replace(FULL, title="Thief"), added_at=clock()))
    assert await database.read(papers.count) == 1


async def test_the_newest_come_first_a_page_at_a_time(database, clock):
    for number in range(6):
        await database.write(lambda c, n=number: papers.insert(c, plain(n), added_at=clock()))
        clock.advance(minutes=1 if number != 3 else 0)

    first = await database.read(lambda c: papers.newest(c, limit=4))
    second = await database.read(lambda c: papers.newest(c, limit=4, offset=4))

    assert [paper.title for paper in [*first, *second]] == [f"Paper {n}" for n in (5, 4, 3, 2, 1, 0)]


async def test_papers_added_since_a_moment_include_that_moment(database, clock):
    for number in range(4):
        await database.write(lambda c, n=number: papers.insert(c, plain(n), added_at=clock()))
        clock.advance(hours=1)

    found = await database.read(lambda c: papers.added_since(c, clock() - dt.timedelta(hours=2), limit=9))

    assert [paper.title for paper in found] == ["Paper 3", "Paper 2"]


async def test_the_version_grows_with_every_bump(database):
    before = await database.read(papers.version)
    assert await database.write(papers.bump_version) == before + 1
    assert await database.read(papers.version) == before + 1


async def test_the_last_original_of_each_source_is_kept(database, clock):
    first = Original(source="a", record='{"n": 1}')
    number = await database.write(lambda c: papers.insert(c, FULL, added_at=clock(), originals=[first]))
    for record in ("[]", '{"n": 2}'):
        await database.write(lambda c, r=record: papers.keep_original(c, number, Original(source="b", record=r)))

    assert await database.read(lambda c: papers.originals(c, number)) == [
        first,
        Original(source="b", record='{"n": 2}'),
    ]
    assert await database.read(lambda c: papers.get_paper(c, number).abstract) == FULL.abstract


async def test_an_absorbed_paper_leaves_all_it_had_to_the_other(database, clock):
    one, two = await database.write(lambda c: [papers.insert(c, plain(n), added_at=clock()) for n in range(2)])

    def absorb(connection):
        recognition.set_fingerprint(connection, two, b"s")
        papers.keep_original(connection, two, Original(source="a", record="{}"))
        connection.execute("INSERT INTO picks (channel_id, paper_id, picked_at) VALUES (1, ?, 0)", (two,))
        papers.absorb(connection, kept=one, gone=two)

    await database.write(absorb)

    kept = await database.read(lambda c: papers.get_paper(c, one))
    assert kept.identifiers == ("openreview:0", "openreview:1")
    assert await database.read(lambda c: recognition.fingerprints(c, [one, two])) == {one: b"s"}
    assert await database.read(lambda c: papers.originals(c, one)) == [Original(source="a", record="{}")]
    assert await database.read(lambda c: c.execute("SELECT paper_id FROM picks").fetchall()) == [(one,)]
    assert await database.read(papers.count) == 1
    assert await database.read(lambda c: index.in_texts(c, index.quoted("Paper"), limit=9)) == [one]


async def test_many_papers_go_in_together_and_are_found(database, clock):
    arrivals = [papers.new_paper(plain(n), ()) for n in range(3)]
    numbers = await database.write(lambda c: papers.insert_many(c, arrivals, added_at=clock()))

    found = await database.read(lambda c: papers.get_papers(c, numbers))
    assert [replace(paper, id=0) for paper in found] == [plain(n) for n in range(3)]
    assert await database.read(lambda c: papers.ids_after(c, numbers[0], limit=9)) == numbers[1:]
    assert await database.read(lambda c: index.all_in_texts(c, index.quoted("Paper"))) == numbers


async def test_titles_and_texts_are_read_alone(database, clock):
    def work(connection):
        one = papers.insert(connection, replace(plain(1), abstract="Tides."), added_at=clock())
        two = papers.insert(connection, replace(plain(2), abstract=None, synopsis="Bees."), added_at=clock())
        three = papers.insert(connection, replace(plain(3), abstract=None, synopsis=None), added_at=clock())
        wanted = [three, one, two, 999]
        return [one, two, three], papers.titles(connection, wanted), papers.texts(connection, wanted)

    (one, two, three), titles, texts = await database.write(work)
    assert titles == {one: plain(1).title, two: plain(2).title, three: plain(3).title}
    assert texts == {one: "Tides.", two: "Bees.", three: ""}
