"""``/library``: its numbers, its sources, and a file that the operator brings in."""

from bot.store import sources

LIST = b"""[{"title": "Tides, Learnt", "authors": ["Ada Lovelace"], "year": 2024}, {"title": "Withdrawn"}]"""


async def test_anybody_may_see_how_much_there_is(lab):
    answer = await lab.ask(lab.ben, "library stats")
    assert "19 papers, 0 of them with their authors’ abstract. 19 came in" in answer
    assert "ICLR 19" in answer
    assert "All are of 2024." in answer


async def test_the_operator_brings_a_file_in_and_is_told_what_was_refused(lab):
    lab.running.client.owner_id = lab.ada.id

    answer = await lab.ask(lab.ada, "library import", file=("../papers list.json", LIST))

    assert "2 read" in answer
    assert "1 added, 0 merged, 0 unchanged, 1 refused." in answer
    assert "record 2: It is withdrawn" in answer
    assert "Tides, Learnt" in await lab.ask(lab.ben, "search", query="tides learnt")
    assert "papers_list.json" in await lab.ask(lab.ben, "library sources")


async def test_nobody_else_brings_a_file_in(lab):
    lab.running.client.owner_id = lab.ada.id

    answer = await lab.ask(lab.ben, "library import", file=("papers.json", LIST))

    assert answer == "Only whoever runs this bot may do that: the owner of its Discord application."
    assert "19 papers" in await lab.ask(lab.ben, "library stats")


async def test_a_file_that_holds_no_papers_gets_a_sentence(lab):
    lab.running.client.owner_id = lab.ada.id
    answer = await lab.ask(lab.ada, "library import", file=("picture.png", b"\x89PNG\r\n\x1a\n"))
    assert "It is a picture, not text." in answer


async def test_sources_show_since_when_and_why_one_fails(lab):
    assert "Nothing has been imported yet" in await lab.ask(lab.ben, "library sources")
    why = "arXiv asks us to slow down (429)."
    await lab.services.database.write(lambda c: sources.failed(c, "arxiv cs.CL", why=why, moment=lab.clock()))

    answer = await lab.ask(lab.ben, "library sources")

    assert "arxiv cs.CL" in answer
    assert "failing" in answer
    assert "slow down (429)" in answer
