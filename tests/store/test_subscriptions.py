import datetime as dt
from dataclasses import replace

import pytest

from bot.models import Schedule, Subscription, SubscriptionState, Topic
from bot.store import subscriptions
from bot.store.database import Database

NOW = dt.datetime(2026, 3, 2, 8, 0, tzinfo=dt.UTC)
WANTED = Subscription(
    id=0,
    guild_id=1,
    channel_id=10,
    user_id=100,
    number=1,
    topic=Topic(query="ducks & “swans”"),
    schedule=Schedule(days=frozenset({0, 3, 6}), at=dt.time(8, 5), zone="Europe/Berlin"),
    size=3,
    role_id=2**63 - 1,
    fill_up=False,
    speak_when_empty=True,
    next_due_at=NOW + dt.timedelta(hours=1),
    created_at=NOW,
)


async def keep(database: Database, subscription: Subscription) -> Subscription:
    number = await database.write(lambda connection: subscriptions.insert(connection, subscription))
    return replace(subscription, id=number)


async def test_a_subscription_comes_back_as_it_was_kept(database: Database) -> None:
    kept = await keep(database, WANTED)
    assert await database.read(lambda connection: subscriptions.find(connection, kept.id)) == kept
    assert await database.read(lambda connection: subscriptions.find_by_number(connection, 1, 1)) == kept
    assert await database.read(lambda connection: subscriptions.find(connection, kept.id + 1)) is None
    assert await database.read(lambda connection: subscriptions.find_by_number(connection, 2, 1)) is None


async def test_a_number_belongs_to_one_subscription_of_a_guild(database: Database) -> None:
    await keep(database, WANTED)
    with pytest.raises(Exception, match="UNIQUE"):
        await keep(database, WANTED)
    other = await keep(database, replace(WANTED, guild_id=2))
    assert await database.read(lambda connection: subscriptions.list_for_guild(connection, 2)) == [other]
    assert len(await database.read(subscriptions.list_all)) == 2


async def test_the_longest_due_comes_first_and_the_paused_never(database: Database) -> None:
    later = await keep(database, WANTED)
    sooner = await keep(database, replace(WANTED, number=2, next_due_at=NOW))
    resting = await keep(database, replace(WANTED, number=3, next_due_at=NOW))
    await database.write(lambda connection: subscriptions.pause(connection, resting.id, "asked"))

    async def due(moment: dt.datetime, limit: int = 10) -> list[int]:
        found = await database.read(lambda connection: subscriptions.due(connection, moment, limit=limit))
        return [one.id for one in found]

    assert await due(NOW - dt.timedelta(seconds=1)) == []
    assert await due(NOW) == [sooner.id]
    assert await due(NOW + dt.timedelta(hours=1)) == [sooner.id, later.id]
    assert await due(NOW + dt.timedelta(hours=1), limit=1) == [sooner.id]


async def test_the_next_due_moment_moves_only_from_where_it_was_seen(database: Database) -> None:
    kept = await keep(database, WANTED)
    following = NOW + dt.timedelta(days=1)

    async def move(expected: dt.datetime | None) -> bool:
        return await database.write(
            lambda connection: subscriptions.set_next_due(connection, kept.id, expected=expected, following=following)
        )

    assert not await move(NOW)
    assert await move(kept.next_due_at)
    assert not await move(kept.next_due_at)
    await database.write(lambda connection: subscriptions.pause(connection, kept.id, "asked"))
    assert not await move(following)
    assert not await move(None)


async def test_pausing_and_resuming_happen_once(database: Database) -> None:
    kept = await keep(database, WANTED)
    assert await database.write(lambda connection: subscriptions.pause(connection, kept.id, "asked"))
    assert not await database.write(lambda connection: subscriptions.pause(connection, kept.id, "no_access"))
    paused = await database.read(lambda connection: subscriptions.find(connection, kept.id))
    assert paused == replace(kept, state=SubscriptionState.PAUSED, pause_reason="asked", next_due_at=None)
    assert await database.write(lambda connection: subscriptions.resume(connection, kept.id, NOW))
    assert not await database.write(lambda connection: subscriptions.resume(connection, kept.id, NOW))
