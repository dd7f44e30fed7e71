import datetime as dt
from typing import Any

import pytest

from bot.models import Edition, EditionState, Schedule, Subscription, Topic
from bot.store import deliveries, editions, subscriptions
from bot.store.database import Database

NOW = dt.datetime(2026, 3, 2, 8, 0, tzinfo=dt.UTC)
DAY = dt.timedelta(days=1)


@pytest.fixture
async def subscription_id(database: Database) -> int:
    schedule = Schedule(days=frozenset(range(7)), at=dt.time(8), zone="UTC")
    wanted = Subscription(
        id=0, guild_id=1, channel_id=10, user_id=100, number=1, topic=Topic(), schedule=schedule,
        size=3, next_due_at=NOW, created_at=NOW,
    )  # fmt: skip
    return await database.write(lambda connection: subscriptions.insert(connection, wanted))


async def keep(database: Database, subscription_id: int, day: int = 0, **changes: Any) -> Edition | None:
    values: dict[str, Any] = {
        "local_date": (NOW + day * DAY).date(),
        "due_at": NOW + day * DAY,
        "composed_at": NOW + day * DAY,
        "state": EditionState.COMPOSED,
        **changes,
    }
    return await database.write(
        lambda connection: editions.insert(connection, subscription_id=subscription_id, **values)
    )


async def deliver(database: Database, edition: Edition) -> None:
    await database.write(
        lambda connection: deliveries.insert(
            connection, edition_id=edition.id, subscription_id=edition.subscription_id, part=0, channel_id=10,
            payload="{}", nonce=f"nonce-{edition.id}", next_attempt_at=NOW, expires_at=NOW,
        )
    )  # fmt: skip


async def test_a_date_has_one_edition(database: Database, subscription_id: int) -> None:
    first = await keep(database, subscription_id, paper_ids=[7, 5, 6])
    assert first is not None
    assert first.paper_ids == (7, 5, 6)
    assert await keep(database, subscription_id, paper_ids=[8]) is None
    assert (
        await database.read(lambda connection: editions.find_for_date(connection, subscription_id, NOW.date())) == first
    )
    assert await database.read(lambda connection: editions.papers_had(connection, subscription_id)) == {5, 6, 7}


async def test_a_paper_comes_once_to_a_subscription_or_nothing_is_kept(
    database: Database, subscription_id: int
) -> None:
    first = await keep(database, subscription_id, paper_ids=[7])
    with pytest.raises(Exception, match="UNIQUE"):
        await keep(database, subscription_id, day=1, paper_ids=[8, 7])
    assert await database.read(lambda connection: editions.find_last(connection, subscription_id)) == first


async def test_skipped_dates_are_not_counted(database: Database, subscription_id: int) -> None:
    states = [EditionState.COMPOSED, EditionState.SKIPPED, EditionState.EMPTY]
    kept = [await keep(database, subscription_id, day, state=state) for day, state in enumerate(states)]
    assert [one.number for one in kept if one] == [1, 0, 2]
    assert await database.read(lambda connection: editions.next_number(connection, subscription_id)) == 3
    assert await database.read(lambda connection: editions.last_composed_at(connection, subscription_id)) == NOW
    assert await database.read(lambda connection: editions.find_last(connection, subscription_id)) == kept[-1]


async def test_papers_of_an_edition_that_was_not_posted_are_free_again(
    database: Database, subscription_id: int
) -> None:
    first = await keep(database, subscription_id, paper_ids=[1])
    second = await keep(database, subscription_id, 1, paper_ids=[2])
    assert first is not None
    assert second is not None
    for edition in (first, second):
        await deliver(database, edition)
    await database.write(
        lambda connection: connection.execute(
            "UPDATE deliveries SET state = 'skipped' WHERE edition_id = :id", {"id": second.id}
        )
    )
    await database.write(lambda connection: editions.free_unposted(connection, subscription_id))
    assert await database.read(lambda connection: editions.papers_had(connection, subscription_id)) == {1}


async def test_what_came_to_a_channel_lately_is_known(database: Database, subscription_id: int) -> None:
    first = await keep(database, subscription_id, paper_ids=[1])
    second = await keep(database, subscription_id, 1, paper_ids=[2])
    assert first is not None
    assert second is not None
    for edition in (first, second):
        await deliver(database, edition)
    since = NOW + dt.timedelta(hours=1)
    assert await database.read(lambda connection: editions.papers_in_channel_since(connection, 10, since)) == {2}
    assert await database.read(lambda connection: editions.papers_in_channel_since(connection, 10, NOW)) == {1, 2}
    assert await database.read(lambda connection: editions.papers_in_channel_since(connection, 11, NOW)) == set()


async def test_a_removed_subscription_leaves_nothing_behind(database: Database, subscription_id: int) -> None:
    edition = await keep(database, subscription_id, paper_ids=[1])
    assert edition is not None
    await deliver(database, edition)
    await database.write(lambda connection: subscriptions.delete(connection, subscription_id))
    assert await database.read(lambda connection: editions.find(connection, edition.id)) is None
    assert await database.read(deliveries.counts) == {}
    assert await database.read(lambda connection: editions.papers_had(connection, subscription_id)) == set()
