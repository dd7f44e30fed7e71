import datetime as dt
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.models import Delivery, DeliveryState, EditionState, Schedule, Subscription, Topic
from bot.store import deliveries, editions, subscriptions
from bot.store.database import Connection, Database

NOW = dt.datetime(2026, 3, 2, 8, 0, tzinfo=dt.UTC)
MINUTE = dt.timedelta(minutes=1)
Plan = Callable[..., Awaitable[None]]


@pytest.fixture
def plan(database: Database) -> Plan:
    """Plan an edition of some parts, each edition for a new subscription."""
    numbers = iter(range(1, 1000))

    async def plan(channel: int = 10, parts: int = 1, expires_at: dt.datetime = NOW + 60 * MINUTE) -> None:
        number = next(numbers)

        def work(connection: Connection) -> None:
            wanted = Subscription(
                id=0, guild_id=1, channel_id=channel, user_id=1, number=number, topic=Topic(),
                schedule=Schedule(days=frozenset({0}), at=dt.time(8), zone="UTC"),
                size=1, next_due_at=NOW, created_at=NOW,
            )  # fmt: skip
            subscription_id = subscriptions.insert(connection, wanted)
            edition = editions.insert(
                connection, subscription_id=subscription_id, local_date=NOW.date(), due_at=NOW, composed_at=NOW,
                state=EditionState.COMPOSED,
            )  # fmt: skip
            assert edition is not None
            for part in range(parts):
                deliveries.insert(
                    connection, edition_id=edition.id, subscription_id=subscription_id, part=part,
                    channel_id=channel, payload="{}", nonce=f"{number:05}-{part:05}-nonce",
                    next_attempt_at=NOW, expires_at=expires_at,
                )  # fmt: skip

        await database.write(work)

    return plan


async def claim(database: Database, *, owner: str = "me", now: dt.datetime = NOW, limit: int = 10) -> list[Delivery]:
    return await database.write(
        lambda connection: deliveries.claim(
            connection, owner=owner, now=now, discord_now=now, lease=MINUTE, limit=limit
        )
    )


async def settle(database: Database, delivery: Delivery, *, owner: str = "me", **values: Any) -> bool:
    values = {"state": DeliveryState.SENT, "at": NOW, **values}
    return await database.write(lambda connection: deliveries.settle(connection, delivery, owner=owner, **values))


async def postpone(database: Database, delivery: Delivery, **values: Any) -> bool:
    values = {"owner": "me", "until": NOW + MINUTE, "in_doubt": True, **values}
    return await database.write(lambda connection: deliveries.postpone(connection, delivery, **values))


async def row(database: Database, edition: int = 1) -> Delivery:
    return (await database.read(lambda connection: deliveries.of_edition(connection, edition)))[0]


async def test_a_claim_is_the_durable_intent_to_send(database: Database, plan: Plan) -> None:
    await plan()
    (claimed,) = await claim(database)
    kept = await row(database)
    assert (kept.state, kept.attempt, kept.doubt_since) == (DeliveryState.SENDING, 1, NOW)
    assert claimed.doubt_since is None
    assert claimed.mark == claimed.nonce[:10]
    assert await claim(database, owner="other") == []


async def test_one_delivery_a_channel_and_parts_in_order(database: Database, plan: Plan) -> None:
    await plan(10, parts=2)
    await plan(10)
    await plan(11)
    first = await claim(database)
    assert [(one.edition_id, one.part) for one in first] == [(1, 0), (3, 0)]
    assert await claim(database) == []
    await settle(database, first[0])
    assert [(one.edition_id, one.part) for one in await claim(database)] == [(1, 1)]


async def test_a_limit_is_kept(database: Database, plan: Plan) -> None:
    for channel in range(5):
        await plan(channel)
    assert len(await claim(database, limit=2)) == 2
    assert len(await claim(database, limit=2)) == 2


async def test_only_the_owner_settles_and_only_once(database: Database, plan: Plan) -> None:
    await plan()
    (claimed,) = await claim(database)
    assert not await settle(database, claimed, owner="other")
    assert await settle(database, claimed, message_id=77)
    assert not await settle(database, claimed, state=DeliveryState.FAILED)
    assert not await postpone(database, claimed)
    kept = await row(database)
    assert (kept.state, kept.message_id) == (DeliveryState.SENT, 77)


async def test_a_doubt_keeps_its_first_moment(database: Database, plan: Plan) -> None:
    await plan()
    for minute in range(3):
        (claimed,) = await claim(database, now=NOW + minute * MINUTE)
        await postpone(database, claimed, until=NOW + (minute + 1) * MINUTE)
    assert (await row(database)).doubt_since == NOW


async def test_a_try_that_certainly_failed_adds_no_doubt_and_takes_none_away(database: Database, plan: Plan) -> None:
    await plan()
    (clean,) = await claim(database)
    await postpone(database, clean, in_doubt=False)
    assert (await row(database)).doubt_since is None
    (doubtful,) = await claim(database, now=NOW + MINUTE)
    await postpone(database, doubtful, until=NOW + 2 * MINUTE)
    (again,) = await claim(database, now=NOW + 2 * MINUTE)
    await postpone(database, again, in_doubt=False)
    assert (await row(database)).doubt_since == NOW + MINUTE


async def test_an_attempt_may_go_uncounted(database: Database, plan: Plan) -> None:
    await plan()
    (claimed,) = await claim(database)
    await postpone(database, claimed, counts=False, in_doubt=False)
    assert (await row(database)).attempt == 0


async def test_what_others_were_sending_is_handed_back_in_doubt(database: Database, plan: Plan) -> None:
    await plan()
    await claim(database, owner="gone")

    async def release(now: dt.datetime, *, foreign: bool) -> int:
        return await database.write(
            lambda connection: deliveries.release(connection, owner="me", now=now, foreign=foreign)
        )

    assert await release(NOW, foreign=False) == 0
    assert await release(NOW, foreign=True) == 1
    (claimed,) = await claim(database, now=NOW + MINUTE)
    assert claimed.doubt_since == NOW
    assert await release(NOW + MINUTE, foreign=True) == 0
    assert await release(NOW + 3 * MINUTE, foreign=False) == 1


async def test_only_what_was_never_in_doubt_expires(database: Database, plan: Plan) -> None:
    await plan(10, expires_at=NOW)
    await plan(11, expires_at=NOW)
    (doubtful, _) = await claim(database)
    await postpone(database, doubtful)
    await database.write(lambda connection: deliveries.postpone(connection, _, owner="me", until=NOW, in_doubt=False))
    gone = await database.write(lambda connection: deliveries.expire(connection, NOW + MINUTE))
    assert [one.edition_id for one in gone] == [2]
    assert await database.read(deliveries.counts) == {DeliveryState.PENDING: 1, DeliveryState.SKIPPED: 1}


async def test_skipping_the_later_parts_leaves_other_editions_alone(database: Database, plan: Plan) -> None:
    await plan(10, parts=3)
    await plan(11, parts=2)
    first, _ = await claim(database)
    skipped = await database.write(
        lambda connection: deliveries.skip_later_parts(connection, first, why="refused", at=NOW)
    )
    assert skipped == 2
    assert await database.read(deliveries.counts) == {
        DeliveryState.SENDING: 2,
        DeliveryState.SKIPPED: 2,
        DeliveryState.PENDING: 1,
    }
