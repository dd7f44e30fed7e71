"""Papers of our own, plain and nasty."""

import datetime as dt

import pytest

from bot.models import Paper, Schedule, Subscription, Summary, SummaryOf, Topic

NASTY_TITLES = (
    "[Re] Title [x](http://evil.example)",
    "Title ] ( weird )",
    "MaskGAN: Filling in the _______",
    "A*: L_0 and L_1",
    "https://a.example/ attacks on **everything**",
    "@everyone and @here, <@&1> <@1> <@!1> <#1> </ban:1> <t:0:F> <:smile:1> :joy:",
    "# Heading\n- list\n> quote\n1. one\n```code",
    "text](\nhttp://evil.example)",
    "||spoiler|| ~~gone~~ __under__ `code`",
    "\\[backslashes\\](http://evil.example)",
    "e\u0301" * 300,
    "👩\u200d👩\u200d👧\u200d👦" * 60,
    "\u202egnirts desrever",
    "Long " * 200,
)


@pytest.fixture
def paper() -> Paper:
    return Paper(
        id=7,
        title="Ducks That Learn to Sort Themselves",
        abstract="We present a pond. Its ducks learn to sort themselves by size. They need no teacher.",
        authors=("Ada Drake", "Ben Mallard", "Cleo Teal", "Dan Eider"),
        keywords=("ducks", "sorting"),
        venue="ICLR",
        year=2024,
        track="poster",
        url="https://example.org/ducks_(2024)",
        identifiers=("arxiv:2401.00001", "openreview:duck123"),
    )


@pytest.fixture
def summary() -> Summary:
    return Summary(sentences=("We present a pond.",), indexes=(0,), ranker="learned", of=SummaryOf.ABSTRACT)


@pytest.fixture
def subscription() -> Subscription:
    return Subscription(
        id=1,
        guild_id=10,
        channel_id=20,
        user_id=30,
        number=1,
        topic=Topic(query="ducks"),
        schedule=Schedule(days=frozenset(range(5)), at=dt.time(9), zone="Europe/Berlin"),
        size=5,
        role_id=40,
        next_due_at=dt.datetime(2026, 3, 3, 8, tzinfo=dt.UTC),
        created_at=dt.datetime(2026, 3, 1, tzinfo=dt.UTC),
    )


@pytest.fixture(params=NASTY_TITLES)
def nasty(request: pytest.FixtureRequest) -> str:
    return request.param
