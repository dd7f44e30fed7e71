"""An outbox on a real store, and a twin of Discord that keeps nonces and loses answers when told."""

import asyncio
import datetime as dt
from collections import deque
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.delivery.messenger import Look, Sight
from bot.delivery.outbox import Outbox
from bot.delivery.pace import Pace
from bot.models import Delivery, DeliveryState, EditionState, Now, Schedule, Subscription, Topic
from bot.store import deliveries, editions, subscriptions
from bot.store.database import Connection, Database

NONCE_HOLDS = dt.timedelta(minutes=3)


@dataclass
class Twin:
    """Discord as the outbox sees it.

    Attributes:
        before: errors raised before a message is made, one a send.
        after: errors raised once it is made, one a send; the answer is lost.
        readable: whether the history can be read; an error is raised instead.
        hang: whether a send never answers after the message is made.
    """

    now: Now
    posted: list[tuple[int, str, str, dt.datetime]] = field(default_factory=list[tuple[int, str, str, dt.datetime]])
    before: deque[Exception | None] = field(default_factory=deque[Exception | None])
    after: deque[BaseException | None] = field(default_factory=deque[BaseException | None])
    readable: bool | Exception = True
    hang: bool = False
    sends: int = 0
    looks: int = 0
    under_way: dict[int, int] = field(default_factory=dict[int, int])
    busiest: int = 0
    most_in_one_channel: int = 0
    begun: asyncio.Event = field(default_factory=asyncio.Event)

    def discord_now(self) -> dt.datetime:
        return self.now()

    async def send(self, delivery: Delivery) -> int:
        self.sends += 1
        channel = delivery.channel_id
        self.under_way[channel] = self.under_way.get(channel, 0) + 1
        self.busiest = max(self.busiest, sum(self.under_way.values()))
        self.most_in_one_channel = max(self.most_in_one_channel, self.under_way[channel])
        try:
            await asyncio.sleep(0)
            if self.before and (error := self.before.popleft()) is not None:
                raise error
            number = self._make(delivery)
            self.begun.set()
            if self.hang:
                await asyncio.sleep(3600)
            if self.after and (lost := self.after.popleft()) is not None:
                raise lost
            return number
        finally:
            self.under_way[channel] -= 1

    async def find(self, delivery: Delivery) -> Look:
        self.looks += 1
        if isinstance(self.readable, Exception):
            raise self.readable
        if not self.readable:
            return Look(sight=Sight.UNREADABLE)
        since = (delivery.doubt_since or self.now()) - dt.timedelta(seconds=10)
        for number, (channel, nonce, _, at) in enumerate(self.posted, start=1):
            if channel == delivery.channel_id and nonce.startswith(delivery.mark) and at >= since:
                return Look(sight=Sight.FOUND, message_id=number)
        return Look(sight=Sight.ABSENT)

    def _make(self, delivery: Delivery) -> int:
        for number, (_, nonce, _, at) in enumerate(self.posted, start=1):
            if nonce == delivery.nonce and self.now() - at < NONCE_HOLDS:
                return number
        self.posted.append((delivery.channel_id, delivery.nonce, delivery.payload, self.now()))
        return len(self.posted)


@pytest.fixture
def discord_twin(clock: Now) -> Twin:
    return Twin(clock)


@pytest.fixture
def pace() -> Pace:
    return Pace(1000, burst=100_000)


@pytest.fixture
def outbox_with(database: Database, discord_twin: Twin, clock: Now, pace: Pace) -> Callable[..., Outbox]:
    """Make an outbox: what a process has, so that a second one is a restart."""

    def make(**options: Any) -> Outbox:
        return Outbox(database, discord_twin, clock, pace=pace, jitter=lambda: 1.0, **options)

    return make


@pytest.fixture
def outbox(outbox_with: Callable[..., Outbox]) -> Outbox:
    return outbox_with()


@pytest.fixture
def plan(database: Database, clock: Now) -> Callable[..., Awaitable[int]]:
    """Plan an edition of ``parts`` messages for a channel and give its subscription's id."""
    numbers: Iterator[int] = iter(range(1, 10_000))

    async def plan(channel: int = 10, *, parts: int = 1, expires_in: dt.timedelta = dt.timedelta(hours=12)) -> int:
        number = next(numbers)
        now = clock()

        def work(connection: Connection) -> int:
            wanted = Subscription(
                id=0, guild_id=1, channel_id=channel, user_id=100, number=number, topic=Topic(),
                schedule=Schedule(days=frozenset(range(7)), at=dt.time(9), zone="UTC"),
                size=5, next_due_at=now + dt.timedelta(days=1), created_at=now,
            )  # fmt: skip
            subscription_id = subscriptions.insert(connection, wanted)
            edition = editions.insert(
                connection, subscription_id=subscription_id, local_date=now.date(), due_at=now,
                composed_at=now, state=EditionState.COMPOSED, paper_ids=[number],
            )  # fmt: skip
            assert edition is not None
            for part in range(parts):
                deliveries.insert(
                    connection, edition_id=edition.id, subscription_id=subscription_id, part=part,
                    channel_id=channel, payload=f"{number}/{part}", nonce=f"n{number:05}p{part:03}{'x' * 15}",
                    next_attempt_at=now, expires_at=now + expires_in,
                )  # fmt: skip
            return subscription_id

        return await database.write(work)

    return plan


@pytest.fixture
def rows(database: Database) -> Callable[[], Awaitable[list[Delivery]]]:
    """Give every delivery in the store."""

    def work(connection: Connection) -> list[Delivery]:
        ids = connection.execute("SELECT id FROM editions ORDER BY id").fetchall()
        return [one for (edition,) in ids for one in deliveries.of_edition(connection, edition)]

    async def rows() -> list[Delivery]:
        return await database.read(work)

    return rows


@pytest.fixture
def states(rows: Callable[[], Awaitable[list[Delivery]]]) -> Callable[[], Awaitable[list[DeliveryState]]]:
    async def states() -> list[DeliveryState]:
        return [one.state for one in await rows()]

    return states
