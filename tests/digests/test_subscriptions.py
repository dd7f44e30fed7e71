import asyncio
import datetime as dt
from typing import Any

import pytest

from bot.digests.composer import Composer
from bot.digests.subscriptions import MOST_IN_A_GUILD, Subscriptions
from bot.errors import Conflict, InvalidInput, NotFound, UserError
from bot.models import DeliveryState, Subscription, SubscriptionState

GUILD, CHANNEL, USER = 1, 10, 100


async def subscribe(subscriptions: Subscriptions, **changes: Any) -> Subscription:
    chosen: dict[str, Any] = {"days": "daily", "at": "09:00", **changes}
    return await subscriptions.subscribe(GUILD, chosen.pop("channel", CHANNEL), USER, **chosen)


async def test_a_subscription_is_kept_as_it_was_asked_for(subscriptions: Subscriptions) -> None:
    made = await subscribe(
        subscriptions,
        query="  swans ",
        days="mon, thu",
        at="8am",
        zone="europe/berlin",
        size=3,
        role_id=7,
        fill_up=False,
    )

    assert await subscriptions.get(GUILD, 1) == made
    assert await subscriptions.list_for(GUILD) == [made]
    assert made.topic.query == "swans"
    assert made.schedule.zone == "Europe/Berlin"
    # The clock stands at Monday, 08:00:01 UTC, an hour after 8am in Berlin.
    assert made.next_due_at == dt.datetime(2026, 3, 5, 7, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("changes", "hint"),
    [
        ({"zone": "Europe/Berlln"}, "Europe/Berlin"),
        ({"zone": ""}, "Europe/Berlin"),
        ({"at": "25:99"}, "09:00"),
        ({"days": "someday"}, "weekdays"),
        ({"size": 0}, "1 to 10"),
        ({"size": 11}, "1 to 10"),
        ({"query": "zzzqqqxx"}, "zzzqqqxx"),
        ({"query": "x" * 500}, "300"),
    ],
)
async def test_what_cannot_be_used_is_refused_and_nothing_is_kept(
    subscriptions: Subscriptions, changes: dict[str, Any], hint: str
) -> None:
    with pytest.raises(UserError) as refused:
        await subscribe(subscriptions, **changes)
    assert hint in refused.value.sentence
    assert await subscriptions.list_for(GUILD) == []


@pytest.mark.parametrize("query", ['"', "*", "NEAR(", "a AND", "%", "```", "@everyone", "🦆🦆", "' OR 1=1 --"])
async def test_a_strange_topic_gets_a_sentence_or_is_kept_whole(subscriptions: Subscriptions, query: str) -> None:
    try:
        made = await subscribe(subscriptions, query=query)
    except UserError:
        assert await subscriptions.list_for(GUILD) == []
    else:
        assert await subscriptions.list_for(GUILD) == [made]


async def test_a_topic_that_matches_nothing_names_the_closest_words(subscriptions: Subscriptions) -> None:
    with pytest.raises(InvalidInput, match=r"No paper matches the topic “qwanzzz”"):
        await subscribe(subscriptions, query="qwanzzz")


async def test_the_same_subscription_twice_is_a_conflict(subscriptions: Subscriptions) -> None:
    await subscribe(subscriptions, query="swans")
    with pytest.raises(Conflict, match="Subscription 1"):
        await subscribe(subscriptions, query="swans")
    await subscribe(subscriptions, query="swans", channel=11)
    await subscribe(subscriptions, query="swans", at="10:00")


async def test_a_server_has_a_most_even_when_asked_all_at_once(subscriptions: Subscriptions) -> None:
    answers = await asyncio.gather(
        *(subscribe(subscriptions, channel=channel) for channel in range(MOST_IN_A_GUILD + 5)), return_exceptions=True
    )

    assert sum(isinstance(answer, Conflict) for answer in answers) == 5
    assert [one.number for one in await subscriptions.list_for(GUILD)] == [*range(1, MOST_IN_A_GUILD + 1)]


async def test_a_number_that_became_free_is_given_again(subscriptions: Subscriptions) -> None:
    for channel in (1, 2, 3):
        await subscribe(subscriptions, channel=channel)
    removed = await subscriptions.remove(GUILD, 2)
    assert removed.channel_id == 2
    with pytest.raises(NotFound, match="/digest list"):
        await subscriptions.get(GUILD, 2)
    assert (await subscribe(subscriptions, channel=4)).number == 2


async def test_another_server_sees_nothing_of_it(subscriptions: Subscriptions) -> None:
    await subscribe(subscriptions)
    with pytest.raises(NotFound):
        await subscriptions.get(GUILD + 1, 1)
    with pytest.raises(NotFound):
        await subscriptions.remove(GUILD + 1, 1)


async def test_after_thirty_days_of_rest_no_backlog_comes(
    subscriptions: Subscriptions, composer: Composer, clock: Any
) -> None:
    await subscribe(subscriptions)
    paused = await subscriptions.pause(GUILD, 1)
    assert (paused.state, paused.pause_reason, paused.next_due_at) == (SubscriptionState.PAUSED, "asked", None)
    with pytest.raises(Conflict):
        await subscriptions.pause(GUILD, 1)

    clock.advance(days=30)
    assert await composer.compose_due() == []
    resumed = await subscriptions.resume(GUILD, 1)
    assert await composer.compose_due() == []
    assert resumed.next_due_at is not None
    assert dt.timedelta() < resumed.next_due_at - clock() < dt.timedelta(days=1)
    with pytest.raises(Conflict):
        await subscriptions.resume(GUILD, 1)


async def test_what_a_pause_held_back_comes_after_it(
    subscriptions: Subscriptions, composer: Composer, clock: Any
) -> None:
    await subscribe(subscriptions, size=6)
    clock.advance(hours=1)
    (edition,) = await composer.compose_due()
    await subscriptions.pause(GUILD, 1)

    why = await subscriptions.why(GUILD, 1)
    assert [(one.state, one.why) for one in why.deliveries] == [(DeliveryState.SKIPPED, "paused")]
    await subscriptions.resume(GUILD, 1)
    clock.advance(days=1)
    (again,) = await composer.compose_due()
    assert set(again.paper_ids) == set(edition.paper_ids)


async def test_why_tells_of_the_last_edition(subscriptions: Subscriptions, composer: Composer, clock: Any) -> None:
    await subscribe(subscriptions)
    assert (await subscriptions.why(GUILD, 1)).edition is None
    clock.advance(hours=1)
    (edition,) = await composer.compose_due()
    why = await subscriptions.why(GUILD, 1)
    assert why.edition == edition
    assert [one.state for one in why.deliveries] == [DeliveryState.PENDING]


async def test_the_servers_zone_is_used_where_none_is_named(subscriptions: Subscriptions) -> None:
    assert (await subscriptions.settings_of(GUILD)).zone == "UTC"
    await subscriptions.set_zone(GUILD, "asia/tokyo")
    with pytest.raises(InvalidInput):
        await subscriptions.set_zone(GUILD, "Mars/Olympus")
    assert (await subscribe(subscriptions)).schedule.zone == "Asia/Tokyo"
    assert (await subscriptions.settings_of(GUILD + 1)).zone == "UTC"


async def test_a_server_that_comes_back_finds_everything_as_it_was(subscriptions: Subscriptions, clock: Any) -> None:
    made = await subscribe(subscriptions)
    await subscribe(subscriptions, channel=11)
    await subscriptions.pause(GUILD, 2)
    await subscriptions.guild_left(GUILD)
    assert (await subscriptions.get(GUILD, 1)).pause_reason == "left_server"

    clock.advance(days=29)
    await subscriptions.guild_joined(GUILD)
    back = await subscriptions.get(GUILD, 1)
    assert back.state is SubscriptionState.ACTIVE
    assert back.schedule == made.schedule
    assert (await subscriptions.get(GUILD, 2)).pause_reason == "asked"


async def test_a_server_that_stays_away_is_forgotten(subscriptions: Subscriptions, clock: Any) -> None:
    await subscribe(subscriptions)
    await subscriptions.guild_left(GUILD)
    clock.advance(days=31)
    await subscriptions.guild_left(2)
    assert await subscriptions.list_for(GUILD) == []
