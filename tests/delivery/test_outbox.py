import asyncio
import random
from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.delivery.outbox import DrainReport, Outbox
from bot.delivery.verdict import Blocked
from bot.models import DeliveryState, Subscription, SubscriptionState
from bot.store import editions, subscriptions
from bot.store.database import Database

Make = Callable[..., Outbox]
Plan = Callable[..., Awaitable[int]]


class Killed(BaseException):
    """The process is gone: nobody settles, nobody hands back."""


def answer(status: int, code: int = 0, kind: type[discord.HTTPException] = discord.HTTPException) -> Exception:
    response: Any = SimpleNamespace(status=status, reason="", headers={"Via": "1.1 google"})
    return kind(response, {"code": code, "message": "no"})


def down() -> Exception:
    return answer(500, kind=discord.DiscordServerError)


async def subscription(database: Database, number: int) -> Subscription:
    found = await database.read(lambda connection: subscriptions.find(connection, number))
    assert found is not None
    return found


async def had(database: Database, number: int) -> set[int]:
    return await database.read(lambda connection: editions.papers_had(connection, number))


async def test_what_is_pending_is_posted_once(outbox: Outbox, plan: Plan, discord_twin: Any, rows: Any) -> None:
    await plan()
    assert await outbox.drain() == DrainReport(sent=1)
    assert await outbox.drain() == DrainReport()
    (row,) = await rows()
    assert (row.state, row.message_id, row.attempt) == (DeliveryState.SENT, 1, 1)
    assert len(discord_twin.posted) == 1
    assert discord_twin.looks == 0


@pytest.mark.parametrize("minutes", [2, 20, 300])
async def test_a_crash_between_sending_and_settling_does_not_post_twice(
    outbox_with: Make, plan: Plan, discord_twin: Any, clock: Any, states: Any, minutes: int
) -> None:
    """The message is out, the process is gone: soon after, and long after Discord forgot the nonce."""
    await plan()
    discord_twin.after.append(Killed())
    with pytest.raises(Killed):
        await outbox_with().drain()
    assert await states() == [DeliveryState.SENDING]

    clock.advance(minutes=minutes)
    assert await outbox_with().drain() == DrainReport(sent=1)
    assert len(discord_twin.posted) == 1


@pytest.mark.parametrize(
    "lost",
    [
        ConnectionResetError(104, "reset"),
        TimeoutError(),
        ValueError("not JSON"),
        down(),
        answer(503, kind=discord.DiscordServerError),
    ],
    ids=lambda error: type(error).__name__,
)
async def test_a_lost_answer_does_not_post_twice(
    outbox: Outbox, plan: Plan, discord_twin: Any, clock: Any, states: Any, lost: Exception
) -> None:
    await plan()
    discord_twin.after.append(lost)
    assert await outbox.drain() == DrainReport(postponed=1)
    clock.advance(minutes=15)
    assert await outbox.drain() == DrainReport(sent=1)
    assert len(discord_twin.posted) == 1


async def test_three_server_errors_and_then_it_works(
    outbox: Outbox, plan: Plan, discord_twin: Any, clock: Any, rows: Any
) -> None:
    await plan()
    discord_twin.before.extend([down(), down(), down()])
    for _ in range(3):
        assert await outbox.drain() == DrainReport(postponed=1)
        clock.advance(minutes=15)
    assert await outbox.drain() == DrainReport(sent=1)
    assert len(discord_twin.posted) == 1
    assert [row.attempt for row in await rows()] == [4]


async def test_a_postponed_delivery_is_left_alone_until_its_time(
    outbox: Outbox, plan: Plan, discord_twin: Any, clock: Any
) -> None:
    await plan()
    discord_twin.before.append(down())
    await outbox.drain()
    clock.advance(seconds=9)
    assert await outbox.drain() == DrainReport()
    clock.advance(seconds=1)
    assert await outbox.drain() == DrainReport(sent=1)


async def test_a_clock_that_jumps_back_hours_strands_nothing(
    outbox: Outbox, plan: Plan, discord_twin: Any, clock: Any
) -> None:
    await plan()
    discord_twin.before.append(down())
    await outbox.drain()
    clock.advance(hours=-5)
    assert await outbox.drain() == DrainReport(sent=1)


async def test_two_outboxes_on_one_store_post_each_delivery_once(
    outbox_with: Make, plan: Plan, discord_twin: Any, states: Any
) -> None:
    for channel in range(20):
        await plan(channel)
    one, other = outbox_with(), outbox_with()
    reports = await asyncio.gather(one.drain(), other.drain())
    assert len(discord_twin.posted) == 20
    assert await states() == [DeliveryState.SENT] * 20
    assert sum(report.sent for report in reports) == 20


async def test_parts_come_in_order_and_one_at_a_time_in_a_channel(
    outbox: Outbox, plan: Plan, discord_twin: Any
) -> None:
    await plan(10, parts=3)
    await plan(10)
    for channel in range(20, 40):
        await plan(channel)
    assert (await outbox.drain()).sent == 24
    assert [payload for channel, _, payload, _ in discord_twin.posted if channel == 10 and payload[0] == "1"] == [
        "1/0",
        "1/1",
        "1/2",
    ]
    assert discord_twin.most_in_one_channel == 1
    assert 1 < discord_twin.busiest <= 8


async def test_a_part_waits_while_the_one_before_it_is_in_doubt(
    outbox: Outbox, plan: Plan, discord_twin: Any, clock: Any
) -> None:
    await plan(parts=2)
    discord_twin.before.append(down())
    assert await outbox.drain() == DrainReport(postponed=1)
    assert discord_twin.sends == 1
    clock.advance(minutes=15)
    assert await outbox.drain() == DrainReport(sent=2)
    assert [payload for _, _, payload, _ in discord_twin.posted] == ["1/0", "1/1"]


async def test_in_doubt_and_unreadable_it_is_sent_again_only_while_the_nonce_holds(
    outbox: Outbox, plan: Plan, discord_twin: Any, clock: Any, rows: Any, database: Database
) -> None:
    await plan()
    discord_twin.readable = False
    discord_twin.after.append(TimeoutError())
    await outbox.drain()
    clock.advance(seconds=60)
    discord_twin.after.append(TimeoutError())
    assert await outbox.drain() == DrainReport(postponed=1)
    assert len(discord_twin.posted) == 1
    clock.advance(minutes=5)
    assert await outbox.drain() == DrainReport(unknown=1)
    assert [row.why for row in await rows()] == ["unreadable"]
    assert len(discord_twin.posted) == 1
    assert await had(database, 1) == {1}


async def test_the_doubt_counts_from_the_first_attempt(
    outbox: Outbox, plan: Plan, discord_twin: Any, clock: Any, states: Any
) -> None:
    """Each look lost, each send lost: an age reckoned from the last attempt would send for ever."""
    await plan()
    discord_twin.readable = False
    discord_twin.after.extend(TimeoutError() for _ in range(10))
    for _ in range(10):
        await outbox.drain()
        clock.advance(seconds=45)
    assert len(discord_twin.posted) == 1
    assert await states() == [DeliveryState.UNKNOWN]


async def test_a_look_that_fails_leaves_the_doubt_and_sends_nothing(
    outbox: Outbox, plan: Plan, discord_twin: Any, clock: Any, rows: Any
) -> None:
    await plan()
    discord_twin.after.append(TimeoutError())
    await outbox.drain()
    discord_twin.readable = down()
    clock.advance(minutes=15)
    assert await outbox.drain() == DrainReport(postponed=1)
    assert discord_twin.sends == 1
    assert (await rows())[0].doubt_since is not None
    discord_twin.readable = True
    clock.advance(minutes=15)
    assert await outbox.drain() == DrainReport(sent=1)
    assert len(discord_twin.posted) == 1


async def test_a_rate_limit_waits_as_told_and_uses_no_attempt(
    outbox_with: Make, plan: Plan, discord_twin: Any, clock: Any, rows: Any
) -> None:
    outbox = outbox_with(attempts=2)
    await plan()
    for _ in range(4):
        discord_twin.before.append(discord.RateLimited(40))
        assert await outbox.drain() == DrainReport(postponed=1)
        (row,) = await rows()
        assert (row.attempt, row.doubt_since) == (0, None)
        clock.advance(seconds=39)
        assert await outbox.drain() == DrainReport()
        clock.advance(seconds=3)
    assert await outbox.drain() == DrainReport(sent=1)
    assert discord_twin.looks == 0


async def test_attempts_come_to_an_end(outbox_with: Make, plan: Plan, discord_twin: Any, clock: Any, rows: Any) -> None:
    outbox = outbox_with(attempts=3)
    await plan()
    discord_twin.before.extend(answer(400, 40004) for _ in range(3))
    for _ in range(3):
        await outbox.drain()
        clock.advance(minutes=15)
    assert [(row.state, row.why) for row in await rows()] == [(DeliveryState.FAILED, "discord_busy")]
    assert discord_twin.sends == 3


async def test_an_outage_of_hours_uses_up_no_attempts(
    outbox: Outbox, plan: Plan, discord_twin: Any, clock: Any
) -> None:
    for channel in range(20):
        await plan(channel)
    discord_twin.before.extend(down() for _ in range(200))
    for _ in range(20):
        await outbox.drain()
        clock.advance(minutes=16)
    assert discord_twin.sends < 60
    discord_twin.before.clear()
    for _ in range(3):
        await outbox.drain()
        clock.advance(minutes=16)
    assert len(discord_twin.posted) == 20


async def test_lost_access_pauses_tells_once_and_keeps_the_papers(
    outbox_with: Make, plan: Plan, discord_twin: Any, database: Database, states: Any
) -> None:
    told: list[tuple[int, str]] = []

    async def tell(paused: Subscription, reason: str) -> None:
        told.append((paused.id, reason))

    await plan(parts=3)
    discord_twin.before.append(Blocked("no_access"))
    outbox = outbox_with(tell=tell)
    assert await outbox.drain() == DrainReport(skipped=3)
    await outbox.drain()
    paused = await subscription(database, 1)
    assert (paused.state, paused.pause_reason) == (SubscriptionState.PAUSED, "no_access")
    assert told == [(1, "no_access")]
    assert await had(database, 1) == set()
    assert discord_twin.sends == 1


async def test_a_deleted_channel_fails_the_edition(
    outbox: Outbox, plan: Plan, discord_twin: Any, database: Database, states: Any
) -> None:
    await plan(parts=2)
    discord_twin.before.append(answer(404, 10003, discord.NotFound))
    assert await outbox.drain() == DrainReport(failed=1, skipped=1)
    assert (await subscription(database, 1)).pause_reason == "channel_gone"


async def test_managers_who_cannot_be_told_stop_nothing(outbox_with: Make, plan: Plan, discord_twin: Any) -> None:
    async def tell(_paused: Subscription, _reason: str) -> None:
        raise answer(403, 50007, discord.Forbidden)

    await plan(10)
    await plan(11)
    discord_twin.before.append(Blocked("no_access"))
    assert await outbox_with(tell=tell).drain() == DrainReport(skipped=1, sent=1)


async def test_a_message_deleted_since_counts_as_sent(outbox: Outbox, plan: Plan, discord_twin: Any, rows: Any) -> None:
    await plan()
    discord_twin.before.append(answer(404, 10008, discord.NotFound))
    assert await outbox.drain() == DrainReport(sent=1)
    assert [row.why for row in await rows()] == ["deleted_since"]


async def test_a_message_that_discord_refuses_fails_alone(
    outbox: Outbox, plan: Plan, discord_twin: Any, database: Database, states: Any
) -> None:
    await plan(10)
    await plan(11)
    discord_twin.before.append(answer(400, 50035))
    assert await outbox.drain() == DrainReport(failed=1, sent=1)
    assert (await subscription(database, 1)).state is SubscriptionState.ACTIVE


async def test_a_refused_token_quiets_the_outbox(outbox: Outbox, plan: Plan, discord_twin: Any, clock: Any) -> None:
    for channel in range(30):
        await plan(channel)
    discord_twin.before.extend(answer(401) for _ in range(100))
    await outbox.drain()
    assert discord_twin.sends <= 8
    await outbox.drain()
    assert discord_twin.sends <= 8
    discord_twin.before.clear()
    clock.advance(minutes=16)
    assert (await outbox.drain()).sent == 30


async def test_what_waited_too_long_is_skipped_and_its_papers_come_again(
    outbox: Outbox, plan: Plan, discord_twin: Any, clock: Any, database: Database, rows: Any
) -> None:
    await plan()
    clock.advance(hours=13)
    assert await outbox.drain() == DrainReport(skipped=1)
    assert [row.why for row in await rows()] == ["late"]
    assert discord_twin.sends == 0
    assert await had(database, 1) == set()


@pytest.mark.parametrize("arrived", [True, False])
async def test_in_doubt_and_expired_it_is_looked_for_and_not_sent(
    outbox: Outbox, plan: Plan, discord_twin: Any, clock: Any, states: Any, arrived: bool
) -> None:
    await plan()
    (discord_twin.after if arrived else discord_twin.before).append(TimeoutError())
    await outbox.drain()
    clock.advance(hours=13)
    await outbox.drain()
    assert await states() == [DeliveryState.SENT if arrived else DeliveryState.SKIPPED]
    assert discord_twin.sends == 1


async def test_a_hung_send_is_cut_and_found_later(outbox_with: Make, plan: Plan, discord_twin: Any, clock: Any) -> None:
    await plan()
    discord_twin.hang = True
    outbox = outbox_with(send_timeout_seconds=0.05)
    assert await outbox.drain() == DrainReport(postponed=1)
    discord_twin.hang = False
    clock.advance(minutes=15)
    assert await outbox.drain() == DrainReport(sent=1)
    assert len(discord_twin.posted) == 1


async def test_stopping_hands_back_what_does_not_finish(
    outbox_with: Make, plan: Plan, discord_twin: Any, clock: Any, rows: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.delivery.outbox._FINISH_SECONDS", 0.05)
    await plan(10)
    await plan(11, parts=2)
    discord_twin.hang = True
    outbox = outbox_with()
    draining = asyncio.create_task(outbox.drain())
    await discord_twin.begun.wait()
    await outbox.stop()
    await draining
    assert {row.state for row in await rows()} == {DeliveryState.PENDING}

    discord_twin.hang = False
    clock.advance(seconds=1)
    await outbox_with().drain()
    assert len(discord_twin.posted) == 3


async def test_a_cancelled_look_at_the_outbox_loses_and_doubles_nothing(
    outbox: Outbox, plan: Plan, discord_twin: Any, states: Any
) -> None:
    for channel in range(10):
        await plan(channel)
    draining = asyncio.create_task(outbox.drain())
    await discord_twin.begun.wait()
    draining.cancel()
    with pytest.raises(asyncio.CancelledError):
        await draining
    await outbox.drain()
    await outbox.stop()
    assert await states() == [DeliveryState.SENT] * 10
    assert len(discord_twin.posted) == 10


async def test_a_stopped_outbox_claims_nothing(outbox: Outbox, plan: Plan, discord_twin: Any) -> None:
    await plan()
    await outbox.stop()
    assert await outbox.drain() == DrainReport()
    assert discord_twin.sends == 0


async def test_a_subscription_removed_meanwhile_is_no_trouble(
    outbox: Outbox, plan: Plan, discord_twin: Any, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.delivery.outbox._FINISH_SECONDS", 0.05)
    await plan()
    discord_twin.hang = True
    draining = asyncio.create_task(outbox.drain())
    await discord_twin.begun.wait()
    await database.write(lambda connection: subscriptions.delete(connection, 1))
    await outbox.stop()
    assert await draining == DrainReport()


@pytest.mark.parametrize("seed", range(15))
async def test_whatever_gets_lost_each_delivery_is_posted_exactly_once(
    outbox_with: Make, plan: Plan, discord_twin: Any, clock: Any, states: Any, seed: int
) -> None:
    """Answers and requests lost at random, restarts at random, with pauses past the life of a nonce."""
    luck = random.Random(seed)
    for channel in range(6):
        await plan(channel, parts=luck.choice([1, 2]))
    outbox = outbox_with(attempts=1000)
    for _ in range(60):
        discord_twin.before.extend(luck.choice([None, None, down(), TimeoutError()]) for _ in range(8))
        discord_twin.after.extend(luck.choice([None, down(), OSError(), ValueError()]) for _ in range(8))
        await outbox.drain()
        discord_twin.before.clear()
        discord_twin.after.clear()
        clock.advance(seconds=luck.choice([5, 60, 200, 900]))
        if luck.random() < 0.3:
            outbox = outbox_with(attempts=1000)
    clock.advance(minutes=16)
    for _ in range(20):
        await outbox.drain()
        clock.advance(minutes=16)
    found = await states()
    assert set(found) <= {DeliveryState.SENT, DeliveryState.SKIPPED}
    nonces = [nonce for _, nonce, _, _ in discord_twin.posted]
    assert len(nonces) == len(set(nonces)) == found.count(DeliveryState.SENT)
