import asyncio
import datetime as dt
import json
from typing import Any

import pytest

from bot.digests.composer import Composer
from bot.digests.subscriptions import Subscriptions
from bot.errors import Conflict, NotFound
from bot.models import Edition, EditionState, Subscription
from bot.rendering.messages import Message
from bot.store.database import Database

GUILD, CHANNEL, USER = 1, 10, 100
DUE = dt.datetime(2026, 3, 2, 9, 0, tzinfo=dt.UTC)


@pytest.fixture
async def subscription(subscriptions: Subscriptions) -> Subscription:
    """Daily at 09:00 UTC, two papers; the clock stands an hour before."""
    return await subscriptions.subscribe(GUILD, CHANNEL, USER, days="daily", at="09:00", size=2)


async def test_nothing_is_composed_before_it_is_due(composer: Composer, subscription: Subscription) -> None:
    assert await composer.compose_due() == []


async def test_a_due_edition_is_composed_once_with_its_messages_fixed(
    composer: Composer, subscription: Subscription, subscriptions: Subscriptions, deliveries_of: Any, clock: Any
) -> None:
    clock.instant = DUE
    (edition,) = await composer.compose_due()
    assert await composer.compose_due() == []

    assert (edition.number, edition.local_date, edition.state) == (1, DUE.date(), EditionState.COMPOSED)
    assert len(edition.paper_ids) == 2
    (delivery,) = await deliveries_of(edition)
    assert len(delivery.nonce) == 25
    assert delivery.nonce.startswith(delivery.mark)
    assert delivery.mark in delivery.payload
    assert Message.from_json(delivery.payload).to_json() == delivery.payload
    assert (await subscriptions.get(GUILD, 1)).next_due_at == DUE + dt.timedelta(days=1)


async def test_no_paper_comes_twice_to_a_subscription(
    composer: Composer, subscription: Subscription, library: list[int], clock: Any
) -> None:
    had: list[int] = []
    states: list[EditionState] = []
    for day in range(5):
        clock.instant = DUE + dt.timedelta(days=day)
        (edition,) = await composer.compose_due()
        had.extend(edition.paper_ids)
        states.append(edition.state)
    assert sorted(had) == sorted(library)
    assert states == [EditionState.COMPOSED] * 3 + [EditionState.EMPTY] * 2


async def test_no_paper_comes_twice_to_a_channel_in_a_day(
    composer: Composer, subscription: Subscription, subscriptions: Subscriptions, clock: Any
) -> None:
    await subscriptions.subscribe(GUILD, CHANNEL, USER, days="daily", at="10:00", size=10)
    clock.instant = DUE
    (first,) = await composer.compose_due()
    clock.advance(hours=1)
    (second,) = await composer.compose_due()
    assert len(second.paper_ids) == 4
    assert not set(first.paper_ids) & set(second.paper_ids)


async def test_two_editions_for_a_channel_at_the_same_moment_share_no_paper(
    composer: Composer, subscription: Subscription, subscriptions: Subscriptions, library: list[int]
) -> None:
    other = await subscriptions.subscribe(GUILD, CHANNEL, USER, days="daily", at="10:00", size=2)
    answers = await asyncio.gather(
        composer.compose_now(subscription), composer.compose_now(other), return_exceptions=True
    )
    came = [paper for one in answers if isinstance(one, Edition) for paper in one.paper_ids]
    assert came
    assert len(came) == len(set(came))
    assert all(isinstance(one, Edition | Conflict) for one in answers)


async def test_new_papers_come_first(composer: Composer, subscription: Subscription, add: Any, clock: Any) -> None:
    clock.instant = DUE
    await composer.compose_due()
    clock.advance(hours=1)
    new = await add(["Otters Borrow the Nets of Fishermen"])
    clock.instant = DUE + dt.timedelta(days=1)
    (edition,) = await composer.compose_due()
    assert edition.paper_ids[0] == new[0]
    assert len(edition.paper_ids) == 2


async def test_without_filling_up_a_day_without_new_papers_is_empty(
    composer: Composer, subscriptions: Subscriptions, deliveries_of: Any, clock: Any
) -> None:
    for channel, speak in ((1, False), (2, True)):
        await subscriptions.subscribe(
            GUILD, channel, USER, days="daily", at="09:00", fill_up=False, speak_when_empty=speak
        )
    clock.instant = DUE
    quiet, speaking = await composer.compose_due()
    assert (quiet.state, quiet.why, speaking.state) == (EditionState.EMPTY, "empty", EditionState.EMPTY)
    assert await deliveries_of(quiet) == []
    assert len(await deliveries_of(speaking)) == 1


async def test_an_edition_eleven_hours_late_comes_once_and_says_so(
    composer: Composer, subscription: Subscription, deliveries_of: Any, clock: Any
) -> None:
    clock.instant = DUE + dt.timedelta(hours=11)
    (edition,) = await composer.compose_due()
    assert edition.state is EditionState.COMPOSED
    (delivery,) = await deliveries_of(edition)
    assert "late" in json.loads(delivery.payload)["embeds"][0]["title"]
    assert delivery.expires_at > clock()


async def test_an_edition_thirteen_hours_late_is_recorded_as_skipped(
    composer: Composer, subscription: Subscription, subscriptions: Subscriptions, deliveries_of: Any, clock: Any
) -> None:
    clock.instant = DUE + dt.timedelta(hours=13)
    (edition,) = await composer.compose_due()
    assert (edition.state, edition.why, edition.paper_ids) == (EditionState.SKIPPED, "late", ())
    assert await deliveries_of(edition) == []
    assert (await subscriptions.get(GUILD, 1)).next_due_at == DUE + dt.timedelta(days=1)


async def test_after_three_days_down_only_the_newest_edition_comes(
    composer: Composer, subscription: Subscription, clock: Any
) -> None:
    clock.instant = DUE + dt.timedelta(days=3, hours=1)
    found = await composer.compose_due()
    assert [(one.state, one.local_date.day) for one in found] == [
        (EditionState.SKIPPED, 2),
        (EditionState.SKIPPED, 3),
        (EditionState.SKIPPED, 4),
        (EditionState.COMPOSED, 5),
    ]
    assert found[-1].number == 1


async def test_two_composers_compose_one_edition(
    composer: Composer, subscription: Subscription, database: Database, clock: Any
) -> None:
    clock.instant = DUE
    answers = await asyncio.gather(*(composer.compose_due() for _ in range(4)))
    assert sum(len(found) for found in answers) == 1


async def test_one_broken_subscription_stops_no_other(
    composer: Composer, subscription: Subscription, subscriptions: Subscriptions, database: Database, clock: Any
) -> None:
    broken = await subscriptions.subscribe(GUILD, 11, USER, days="daily", at="08:30")
    await database.write(
        lambda connection: connection.execute(
            "UPDATE subscriptions SET zone = 'Not/AZone' WHERE id = :id", {"id": broken.id}
        )
    )
    clock.instant = DUE
    (edition,) = await composer.compose_due()
    assert edition.subscription_id == subscription.id
    assert await composer.compose_due() == []


async def test_a_clock_that_jumps_back_brings_no_second_edition(
    composer: Composer, subscription: Subscription, clock: Any
) -> None:
    clock.instant = DUE
    await composer.compose_due()
    clock.instant = DUE - dt.timedelta(hours=2)
    assert await composer.compose_due() == []
    clock.instant = DUE
    assert await composer.compose_due() == []


async def test_an_edition_asked_for_early_does_not_come_again(
    composer: Composer, subscription: Subscription, subscriptions: Subscriptions, clock: Any
) -> None:
    edition = await composer.compose_now(subscription)
    assert edition.state is EditionState.COMPOSED
    after = await subscriptions.get(GUILD, 1)
    assert after.next_due_at == DUE + dt.timedelta(days=1)
    with pytest.raises(Conflict, match="out already"):
        await composer.compose_now(after)
    clock.instant = DUE
    assert await composer.compose_due() == []
    clock.instant = DUE + dt.timedelta(days=1)
    (following,) = await composer.compose_due()
    assert following.number == 2


async def test_asked_for_twice_at_once_it_comes_once(composer: Composer, subscription: Subscription) -> None:
    answers = await asyncio.gather(*(composer.compose_now(subscription) for _ in range(3)), return_exceptions=True)
    assert sum(isinstance(answer, Conflict) for answer in answers) == 2


async def test_a_paused_subscription_is_not_composed_early(
    composer: Composer, subscription: Subscription, subscriptions: Subscriptions
) -> None:
    paused = await subscriptions.pause(GUILD, 1)
    with pytest.raises(Conflict, match="resume"):
        await composer.compose_now(paused)


async def test_asked_for_early_with_no_paper_left_todays_edition_is_not_used_up(
    composer: Composer, subscriptions: Subscriptions, clock: Any
) -> None:
    subscription = await subscriptions.subscribe(GUILD, CHANNEL, USER, days="daily", at="09:00", fill_up=False)
    with pytest.raises(NotFound, match="Nothing to post"):
        await composer.compose_now(subscription)
    assert await subscriptions.get(GUILD, 1) == subscription


async def test_a_preview_keeps_nothing(composer: Composer, subscription: Subscription, clock: Any) -> None:
    first = await composer.preview(subscription)
    assert await composer.preview(subscription) == first
    clock.instant = DUE
    (edition,) = await composer.compose_due()
    assert (edition.number, len(edition.paper_ids)) == (1, 2)


async def test_a_preview_says_when_there_is_nothing(composer: Composer, subscriptions: Subscriptions) -> None:
    subscription = await subscriptions.subscribe(GUILD, CHANNEL, USER, days="daily", at="09:00", fill_up=False)
    (message,) = await composer.preview(subscription)
    assert "Nothing to post" in message.content


async def test_a_long_edition_is_posted_in_parts_each_with_its_own_nonce(
    composer: Composer, subscriptions: Subscriptions, add: Any, deliveries_of: Any, clock: Any
) -> None:
    await add([f"Storks {number} " + "Carry Long and Winding Sentences " * 12 for number in range(10)])
    await subscriptions.subscribe(GUILD, CHANNEL, USER, days="daily", at="09:00", size=10)
    clock.instant = DUE
    (edition,) = await composer.compose_due()
    parts = await deliveries_of(edition)
    assert len(parts) > 1
    assert [one.part for one in parts] == [*range(len(parts))]
    assert len({one.nonce for one in parts}) == len(parts)
    assert all(one.mark in one.payload for one in parts)
