"""What any member types: search, paper, summary, random, help; and the buttons under the answers."""

import discord
import pytest

TITLE = "Let's Verify Step by Step"


async def test_a_misspelt_title_is_found_and_the_correction_is_named(lab):
    answer = await lab.ask(lab.ben, "search", query="lets verfy stepp by step")
    assert TITLE in answer
    assert "Showing results for verify, step." in answer


async def test_a_found_paper_opens_for_the_one_who_presses_its_number(lab):
    found = await lab.ben.slash(lab.papers, "search", query="verify step by step")
    opened = await lab.press(lab.ben, found.response.message, "1")
    assert opened.ephemeral
    assert TITLE in lab.read(opened)
    assert "not the authors' abstract" in lab.read(opened)


async def test_as_many_hits_are_shown_as_were_asked_for(lab):
    found = await lab.ben.slash(lab.papers, "search", query="learning", hits=2)
    labels = [button["label"] for row in found.response.components for button in row["components"]]
    assert labels == ["1", "2"]


async def test_a_title_completes_while_it_is_typed_and_the_choice_is_that_paper(lab):
    choices = await lab.ben.autocomplete(lab.papers, "paper", "title", "automat")
    assert choices
    assert choices[0]["name"].startswith("AutomaTikZ")
    assert "AutomaTikZ" in await lab.ask(lab.ben, "paper", title=choices[0]["value"])


@pytest.mark.parametrize("typed", ["", " ", "x" * 100, "@everyone", '"', "NEAR(", "🦆"])
async def test_completion_never_offers_what_discord_refuses(lab, typed: str):
    choices = await lab.ben.autocomplete(lab.papers, "paper", "title", typed)
    assert len(choices) <= 25
    assert all(1 <= len(choice["name"]) <= 100 and 1 <= len(choice["value"]) <= 100 for choice in choices)


async def test_a_paper_is_found_by_its_link(lab):
    assert TITLE in await lab.ask(lab.ben, "paper", title="https://openreview.net/forum?id=v8L0pN6EOi")
    assert TITLE in await lab.ask(lab.ben, "paper", title="arXiv:2305.20050v1")


async def test_a_summary_says_what_it_is_drawn_from(lab):
    answer = await lab.ask(lab.ben, "summary", paper="AutomaTikZ", sentences=3)
    assert "3 sentences of Paper Round's synopsis" in answer


async def test_every_ranker_that_is_offered_works(lab):
    offered = [choice["value"] for choice in await lab.ben.autocomplete(lab.papers, "summary", "ranker", "", paper="x")]
    assert {"learned", "lead", "lexrank", "lsa"} <= set(offered)
    for ranker in offered:
        assert f"chosen by {ranker}" in await lab.ask(lab.ben, "summary", paper="AutomaTikZ", ranker=ranker)


async def test_an_unknown_ranker_is_named_with_those_there_are(lab):
    answer = await lab.ask(lab.ben, "summary", paper="AutomaTikZ", ranker="magic")
    assert "magic" in answer
    assert "lexrank" in answer


async def test_conditions_narrow_a_search_and_complete_while_they_are_typed(lab):
    venues = await lab.ben.autocomplete(lab.papers, "search", "venue", "icl", query="learning")
    assert [choice["value"] for choice in venues] == ["ICLR"]
    authors = await lab.ben.autocomplete(lab.papers, "search", "author", "light", query="x")
    assert "Hunter Lightman" in [choice["value"] for choice in authors]

    answer = await lab.ask(lab.ben, "search", query="step", author="Hunter Lightman", venue="ICLR", year="2023..2024")
    assert TITLE in answer
    assert TITLE not in await lab.ask(lab.ben, "search", query="verify step", venue="NeurIPS 1999")
    refused = await lab.ask(lab.ben, "search", query="step", year="soonish")
    assert "is no year" in refused


async def test_similar_papers_open_and_never_hold_the_paper_itself(lab):
    shown = await lab.ben.slash(lab.papers, "similar", paper=TITLE)
    answer = lab.read(shown)
    assert "Papers like" in answer.partition("\n")[0]
    assert TITLE not in answer.partition("\n")[2]
    opened = await lab.press(lab.ben, shown.response.message, "1")
    assert opened.ephemeral

    paper = await lab.ben.slash(lab.papers, "paper", title=TITLE)
    pressed = await lab.press(lab.ben, paper.response.message, "Similar")
    assert lab.read(pressed) == answer
    assert pressed.ephemeral


async def test_random_shows_every_paper_before_one_comes_again(lab):
    titles = [(await lab.ask(lab.ben, "random")).splitlines()[0] for _ in range(19)]
    assert len(set(titles)) == 19
    again = (await lab.ask(lab.ben, "random")).splitlines()[0]
    assert again in titles
    assert again != titles[-1]


async def test_random_keeps_to_its_query_and_so_does_its_button(lab):
    first = await lab.ben.slash(lab.papers, "random", query="graph")
    second = await lab.press(lab.ada, first.response.message, "Another")
    assert "graph" in (lab.read(first) + "").casefold()
    assert lab.read(first) != lab.read(second)
    assert not second.ephemeral


async def test_the_buttons_of_a_paper_work_after_a_restart(lab):
    shown = await lab.ben.slash(lab.papers, "paper", title=TITLE)
    message = shown.response.message
    await lab.restart()

    summary = await lab.press(lab.ben, message, "Summary")
    another = await lab.press(lab.ben, message, "Random paper")

    assert TITLE in lab.read(summary)
    assert "chosen by learned" in lab.read(summary)
    assert another.response is not None


async def test_a_button_of_an_older_version_gets_an_answer(lab):
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="Old", custom_id="pr:forgotten:1"))
    channel = lab.running.client.get_channel(lab.papers.id)
    message = await channel.send("old", view=view)
    view.stop()

    answer = await lab.press(lab.ben, message, "Old")
    assert "older version" in lab.read(answer)
    assert answer.ephemeral


async def test_help_lists_what_the_person_may_use(lab):
    for_member = await lab.ask(lab.ben, "help")
    for_manager = await lab.ask(lab.ada, "help")
    assert "/search" in for_member
    assert "/digest subscribe" not in for_member
    assert "/digest subscribe" in for_manager


async def test_reading_works_in_a_private_message(lab):
    ben = lab.env.create_user("Zoe")
    lab.guild.add_member(ben)
    result = await ben.slash("search", query="verify step by step")
    assert TITLE in lab.read(result)


@pytest.mark.parametrize(
    "query",
    [
        " ",
        "🦆🦆",
        "x" * 300,
        '"',
        "*",
        "NEAR(",
        "a AND",
        "%",
        "```",
        "@everyone",
        "\\",
        "id:",
        "-",
        "year:x..y",
        "a" * 3 + " " + "()" * 90,
    ],
)
@pytest.mark.parametrize("command", ["search", "random", "paper", "summary"])
async def test_whatever_is_typed_gets_a_sentence_and_pings_nobody(lab, command: str, query: str):
    option = {"search": "query", "random": "query", "paper": "title", "summary": "paper"}[command]
    result = await lab.ben.slash(lab.papers, command, **{option: query})
    answer = lab.read(result)
    assert answer.strip()
    assert "Traceback" not in answer
    assert "(reference" not in answer, "an unforeseen error"
    assert not result.response.message.mention_everyone
    assert "@everyone" not in result.response.content


async def test_no_match_names_the_closest_words(lab):
    answer = await lab.ask(lab.ben, "search", query="zzqqxx blorf")
    assert "No paper matches" in answer or "No exact match" in answer


async def test_a_fault_of_ours_gets_one_sentence_with_a_reference(lab, monkeypatch, caplog):
    """The store fails under the command: the person gets a sentence, the log the traceback, once."""
    lab.fault_expected = True
    await lab.services.database.close()
    answer = await lab.ask(lab.ben, "search", query="verify")
    assert "try again" in answer
    reference = answer.rpartition("reference ")[2].strip(")")
    assert len([record for record in caplog.records if getattr(record, "reference", None) == reference]) == 1
