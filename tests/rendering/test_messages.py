"""Every message that is built is one that Discord takes."""

import datetime as dt
from dataclasses import replace

import discord
import pytest

from bot.models import Findings, Hit, Paper, Subscription, Summary, SummaryOf
from bot.rendering import buttons, digest, embeds, limits
from bot.rendering.messages import Button, Message, check

TODAY = dt.date(2026, 3, 3)


def marks(part: int) -> str:
    return f"mark{part}xxxx"


def monster(number: int) -> Paper:
    """A paper with everything too long."""
    return Paper(
        id=number,
        title="*_[" * 100,
        abstract="An _abstract_ without end. " * 400,
        authors=tuple(f"Author_{index} " + "N" * 80 for index in range(40)),
        keywords=tuple(f"key*word* {index}" for index in range(60)),
        venue="V" * 300,
        year=2024,
        track="T" * 100,
        url="https://example.org/" + "(" * 150,
        identifiers=("openreview:" + "x" * 50,),
    )


def long_summary() -> Summary:
    return Summary(
        sentences=("A **sentence** without end " * 60,), indexes=(0,), ranker="learned", of=SummaryOf.SYNOPSIS
    )


@pytest.mark.parametrize("size", range(1, 11))
def test_a_digest_of_the_longest_papers_fits_and_loses_none(subscription: Subscription, size: int):
    papers = [(monster(number), long_summary()) for number in range(1, size + 1)]
    messages = digest.edition(subscription, 12, TODAY, papers, marks=marks, late=True)

    shown = [button.label for message in messages for button in message.buttons]
    assert shown == [str(number) for number in range(1, size + 1)]
    for part, message in enumerate(messages):
        check(message)
        check(message.plain())
        assert f"#{marks(part)}" in (message.embeds[0].footer.text or "")
        assert f"#{marks(part)}" in message.plain().content
        assert all(buttons.mark_of(button.custom_id or "") == marks(part) for button in message.buttons)


def test_a_digest_mentions_its_role_once_and_nothing_else(subscription: Subscription, paper: Paper, summary: Summary):
    papers = [(replace(monster(number), title="@everyone <@&99>"), long_summary()) for number in range(1, 11)]
    messages = digest.edition(subscription, 1, TODAY, papers, marks=marks)
    assert len(messages) > 1

    first, *others = [message.arguments() for message in messages]
    assert first["content"] == "<@&40>"
    assert first["allowed_mentions"].to_dict() == {"parse": [], "roles": [40]}
    for other in others:
        assert other["allowed_mentions"].to_dict() == {"parse": []}
        assert not other["content"]


def test_a_digest_says_what_a_person_wants_to_know(subscription: Subscription, paper: Paper, summary: Summary):
    (message,) = digest.edition(subscription, 3, TODAY, [(paper, summary)], marks=marks, late=True)
    embed = message.embeds[0]
    assert embed.title == "Papers for Tuesday, 3 March 2026: ducks (late; meant for 09:00)"
    assert embed.description == (
        "**1.** [Ducks That Learn to Sort Themselves](https://example.org/ducks_%282024%29)\n"
        "*Ada Drake, Ben Mallard, Cleo Teal et al. · ICLR 2024, poster*\n"
        "We present a pond."
    )


def test_a_synopsis_is_never_shown_as_the_authors_words(subscription: Subscription, paper: Paper):
    drawn = Summary(sentences=("Ducks sort.",), indexes=(0,), ranker="learned", of=SummaryOf.SYNOPSIS)
    bare = replace(paper, abstract=None, synopsis="Ducks sort. A pond helps. It works.")
    (message,) = digest.edition(subscription, 3, TODAY, [(bare, drawn)], marks=marks)

    assert "our synopsis" in (message.embeds[0].description or "")
    assert "not the authors' abstract" in (embeds.paper(bare).embeds[0].description or "")
    assert "not of the authors' abstract" in (embeds.summary(bare, drawn).embeds[0].footer.text or "")


def test_an_empty_digest_mentions_nobody_and_carries_its_mark(subscription: Subscription):
    (message,) = digest.empty(subscription, 3, TODAY, marks=marks)
    assert message.arguments()["allowed_mentions"].to_dict() == {"parse": []}
    assert marks(0) in message.plain().content


def test_a_message_comes_back_from_json_as_it_was(subscription: Subscription, paper: Paper, summary: Summary):
    (message,) = digest.edition(subscription, 3, TODAY, [(paper, summary)], marks=marks)
    again = Message.from_json(message.to_json())
    assert again.to_json() == message.to_json()
    assert [embed.to_dict() for embed in again.embeds] == [embed.to_dict() for embed in message.embeds]


@pytest.mark.parametrize("text", ["{}", '{"content": 1}', "[]"])
def test_json_that_is_no_message_is_refused(text: str):
    with pytest.raises(ValueError, match="not a message"):
        Message.from_json(text)


async def test_the_buttons_of_a_message_outlive_a_process(subscription: Subscription, paper: Paper, summary: Summary):
    view = embeds.paper(paper).arguments()["view"]
    assert view.timeout is None
    assert view.is_persistent() is False or all(item.custom_id for item in view.children if item.url is None)


def test_answers_with_the_longest_papers_fit(nasty: str):
    papers = [replace(monster(number), title=nasty, aliases=(nasty,)) for number in range(1, 11)]
    found = tuple(Hit(paper=one, score=90, snippet=nasty * 5) for one in papers)
    closest = tuple("w" * 60 for _ in range(30))
    for message in (
        embeds.hits(Findings(query=nasty * 10, hits=found, exact=False, corrections=(("a", nasty), ("b", nasty)))),
        embeds.hits(Findings(query=nasty, closest_words=closest)),
        embeds.paper(papers[0]),
        embeds.summary(papers[0], long_summary()),
        embeds.random_paper(papers[0], long_summary(), nasty),
        embeds.failure(nasty * 20, "abc123"),
    ):
        check(message)


def test_sixty_subscriptions_are_listed_whole(subscription: Subscription):
    many = [
        replace(subscription, number=number, topic=replace(subscription.topic, query="q" * 300))
        for number in range(1, 61)
    ]
    pages = embeds.subscriptions(many)
    text = "\n".join(page.embeds[0].description or "" for page in pages)
    for page in pages:
        check(page)
    assert all(f"**{number}.**" in text for number in range(1, 61))


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"content": "x" * 2001}, "content 2001"),
        ({"content": "👍" * 1001}, "content 2002"),
        ({"embeds": (discord.Embed(title="x" * 257),)}, "embed title"),
        ({"embeds": (discord.Embed(description="x" * 4097),)}, "embed description"),
        ({"embeds": tuple(discord.Embed(description="x" * 700) for _ in range(10))}, "embed text 7000"),
        ({"embeds": tuple(discord.Embed(description="x") for _ in range(11))}, "embeds 11"),
        ({"embeds": (discord.Embed().add_field(name="n", value="x" * 1054),)}, "field value"),
        ({"content": "x", "buttons": (Button(label="x" * 81, custom_id="a"),)}, "button label"),
        ({"content": "x", "buttons": (Button(label="x", custom_id="a" * 101),)}, "custom id"),
        ({"content": "x", "buttons": (Button(label="x"),)}, "one of custom_id and url"),
        (
            {"content": "x", "buttons": (Button(label="x", custom_id="a"), Button(label="y", custom_id="a"))},
            "two buttons",
        ),
        ({}, "nothing to show"),
    ],
)
def test_what_discord_would_refuse_is_refused_here(wrong: dict[str, object], named: str):
    with pytest.raises(ValueError, match=named):
        Message(**wrong)  # pyright: ignore[reportArgumentType]


def test_the_longest_query_that_fits_stays_in_the_button():
    assert limits.units(buttons.random("q" * 80)) <= limits.CUSTOM_ID
    assert buttons.random("q" * 81) == buttons.random("")
