"""The outbox: every delivery reaches its end, and none is posted twice.

A claim is a durable intent: it is on the disk before anything is sent. Whatever may have arrived is
in doubt, from the first try that may have and on Discord's clock, and is looked for in the channel
before it is sent again; within a few minutes Discord itself drops a repeat, by the nonce. What
cannot be decided is not posted twice.
"""

import asyncio
import datetime as dt
import logging
import random
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bot.delivery.messenger import Messenger, Sight
from bot.delivery.pace import Pace
from bot.delivery.verdict import Outcome, Verdict, judge
from bot.models import Delivery, DeliveryState, Now, Subscription
from bot.store import deliveries, editions, subscriptions
from bot.store.database import Connection, Database

log = logging.getLogger(__name__)

Tell = Callable[[Subscription, str], Awaitable[None]]
"""Tells a guild's managers that a subscription was paused, and why."""

_CONCURRENCY = 8
_FIRST_BACKOFF_SECONDS = 5.0
_NONCE_HOLDS = dt.timedelta(seconds=90)
"""So long after the first try Discord surely drops a repeat; it promises "a few minutes"."""
_RENEW_AFTER = dt.timedelta(minutes=10)
_UNDECIDED_AFTER_EXPIRY = dt.timedelta(hours=1)
_OUTAGE_AFTER = 5
_FINISH_SECONDS = 4.0
_HAND_BACK_SECONDS = 2.0

_ENDS = {
    Outcome.SENT: DeliveryState.SENT,
    Outcome.FAILED: DeliveryState.FAILED,
    Outcome.SKIPPED: DeliveryState.SKIPPED,
}


@dataclass(frozen=True, kw_only=True)
class DrainReport:
    """What one look at the outbox did."""

    sent: int = 0
    postponed: int = 0
    failed: int = 0
    skipped: int = 0
    unknown: int = 0


@dataclass
class _Attempt:
    """What is known so far of a delivery in hand.

    Attributes:
        begun: whether a request that may make the message has begun.
        absent: whether the channel was read and the message is not in it.
    """

    delivery: Delivery
    begun: bool = False
    absent: bool = False
    renewed: dt.datetime | None = None

    @property
    def uncertain(self) -> bool:
        """Whether an earlier attempt may have arrived."""
        return self.delivery.doubt_since is not None and not self.absent


@dataclass
class _Tally:
    counts: Counter[str] = field(default_factory=Counter[str])

    def report(self) -> DrainReport:
        return DrainReport(**self.counts)


class Outbox:
    """Sends what is pending.

    Args:
        pace: a permit is taken before a delivery is claimed.
        tell: called once for every subscription that is paused because of what Discord said.
        lease_seconds: how long a claim holds; longer than a look and a send together may take.
        send_timeout_seconds: how long Discord may take for an answer.
        attempts: the most tries of one delivery; an outage of Discord does not count.
        owner: the name of this outbox in the store; made up where it is left out.
        jitter: draws from 0..1.
    """

    def __init__(
        self,
        database: Database,
        messenger: Messenger,
        now: Now,
        *,
        pace: Pace,
        tell: Tell | None = None,
        lease_seconds: float = 60,
        send_timeout_seconds: float = 20,
        attempts: int = 12,
        owner: str | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._database = database
        self._messenger = messenger
        self._now = now
        self._pace = pace
        self._tell = tell
        # A look and two sends (a plainer message after a refusal) must fit, or the lease ends under our hands.
        self._lease = dt.timedelta(seconds=max(lease_seconds, 2 * send_timeout_seconds + 15))
        self._send_timeout = send_timeout_seconds
        self._attempts = attempts
        self._owner = owner or secrets.token_hex(8)
        self._jitter = jitter
        self._first = True
        self._stopping = False
        self._workers: set[asyncio.Task[None]] = set()
        self._quiet_until: dt.datetime | None = None
        self._failures_in_a_row = 0

    async def drain(self) -> DrainReport:
        """Send whatever is due and return what became of it.

        A caller that is cancelled abandons the report only; ``stop`` ends the sending.
        """
        tally = _Tally()
        now = self._now()
        await self._database.write(lambda connection: self._clear(connection, now, tally))
        self._first = False
        if not self._is_quiet(now):
            workers = {
                asyncio.create_task(self._work(tally), name=f"outbox {number}")
                for number in range(1 if self._in_outage() else _CONCURRENCY)
            }
            self._workers |= workers
            for worker in workers:
                worker.add_done_callback(self._workers.discard)
            done, _ = await asyncio.wait(workers)
            errors = [worker.exception() for worker in done if not worker.cancelled()]
            for error in filter(None, errors):
                raise error
        report = tally.report()
        if tally.counts:
            log.info("outbox drained", extra=dict(tally.counts))
        return report

    async def stop(self) -> None:
        """Claim no more, and finish what is in hand within seconds or hand it back in doubt."""
        self._stopping = True
        if not self._workers:
            return
        _, late = await asyncio.wait(set(self._workers), timeout=_FINISH_SECONDS)
        for worker in late:
            worker.cancel()
        if late:
            await asyncio.wait(late, timeout=_HAND_BACK_SECONDS)

    def _clear(self, connection: Connection, now: dt.datetime, tally: _Tally) -> None:
        """Take back what nobody sends any more, and end what is no longer worth sending."""
        released = deliveries.release(connection, owner=self._owner, now=now, foreign=self._first)
        if released:
            log.warning("deliveries are in doubt", extra={"deliveries": released})
        for gone in deliveries.expire(connection, now):
            editions.free_unposted(connection, gone.subscription_id)
            tally.counts["skipped"] += 1

    async def _work(self, tally: _Tally) -> None:
        while not (self._stopping or self._is_quiet(self._now())):
            await self._pace.take()
            now, discord_now = self._now(), self._messenger.discord_now()
            claimed = await self._database.write(
                lambda connection, now=now, discord_now=discord_now: deliveries.claim(
                    connection, owner=self._owner, now=now, discord_now=discord_now, lease=self._lease, limit=1
                )
            )
            if not claimed:
                return
            await self._handle(_Attempt(claimed[0]), tally)
            if self._in_outage():
                # One probe a look is enough to see whether it is over.
                return

    async def _handle(self, attempt: _Attempt, tally: _Tally) -> None:
        try:
            doubt_since = attempt.delivery.doubt_since
            if doubt_since is not None and await self._resolved(attempt, doubt_since, tally):
                return
            if self._now() > attempt.delivery.expires_at:
                end = DeliveryState.UNKNOWN if attempt.uncertain else DeliveryState.SKIPPED
                await self._settle(attempt, end, tally, why="late")
                return
            attempt.begun = True
            try:
                async with asyncio.timeout(self._send_timeout):
                    message_id = await self._messenger.send(attempt.delivery)
            except Exception as error:  # noqa: BLE001 -- every error has its verdict; a fault of ours is logged there
                await self._judged(attempt, judge(error), error, tally)
                return
            self._failures_in_a_row = 0
            await self._settle(attempt, DeliveryState.SENT, tally, message_id=message_id)
        except asyncio.CancelledError:
            # The write is accepted at once and happens even when this task is cancelled again.
            await asyncio.shield(self._postponed(attempt, self._now(), in_doubt=attempt.begun, counts=False))
            raise

    async def _resolved(self, attempt: _Attempt, doubt_since: dt.datetime, tally: _Tally) -> bool:
        """Look whether an earlier attempt arrived; True when that, or the look's failure, decides."""
        delivery = attempt.delivery
        discord_now = self._messenger.discord_now()
        try:
            async with asyncio.timeout(self._send_timeout):
                look = await self._messenger.find(delivery)
        except Exception as error:  # noqa: BLE001 -- as in _handle
            verdict = judge(error)
            if verdict.outcome is Outcome.RETRY:
                await self._judged(attempt, verdict, error, tally)
            else:
                await self._settle(attempt, DeliveryState.UNKNOWN, tally, why=verdict.why, pause=verdict.pause)
            return True
        if look.sight is Sight.FOUND:
            log.info("delivery was found in its channel", extra={"delivery": delivery.id})
            await self._settle(attempt, DeliveryState.SENT, tally, message_id=look.message_id)
            return True
        age = discord_now - doubt_since
        if look.sight is Sight.ABSENT:
            attempt.absent = True
            attempt.renewed = discord_now if age > _RENEW_AFTER else None
            return False
        if age <= _NONCE_HOLDS:
            return False
        await self._settle(attempt, DeliveryState.UNKNOWN, tally, why="unreadable")
        return True

    async def _judged(self, attempt: _Attempt, verdict: Verdict, error: Exception, tally: _Tally) -> None:
        delivery = attempt.delivery
        if verdict.ours:
            log.error(
                "delivery failed",
                extra={"delivery": delivery.id, "why": verdict.why},
                exc_info=(type(error), error, error.__traceback__),
            )
        if verdict.outcome is not Outcome.RETRY:
            self._failures_in_a_row = 0
            end = _ENDS[verdict.outcome]
            if end is not DeliveryState.SENT and attempt.uncertain:
                end = DeliveryState.UNKNOWN
            await self._settle(attempt, end, tally, why=verdict.why, pause=verdict.pause)
            return
        now = self._now()
        if verdict.quiet_seconds:
            self._quiet_until = now + dt.timedelta(seconds=verdict.quiet_seconds)
        self._failures_in_a_row += verdict.in_doubt
        counts = verdict.counts and not self._in_outage()
        in_doubt = attempt.begun and verdict.in_doubt
        undecided_for_long = now > delivery.expires_at + _UNDECIDED_AFTER_EXPIRY
        if (counts and delivery.attempt >= self._attempts) or undecided_for_long:
            end = DeliveryState.UNKNOWN if in_doubt or attempt.uncertain else DeliveryState.FAILED
            await self._settle(attempt, end, tally, why=verdict.why)
            return
        until = now + self._wait(verdict, delivery.attempt)
        await self._postponed(attempt, until, in_doubt=in_doubt, counts=counts, why=verdict.why)
        tally.counts["postponed"] += 1

    async def _settle(
        self,
        attempt: _Attempt,
        state: DeliveryState,
        tally: _Tally,
        *,
        message_id: int | None = None,
        why: str | None = None,
        pause: str | None = None,
    ) -> None:
        """Write the end of a delivery, and what follows from it, in one transaction."""
        delivery, now = attempt.delivery, self._now()
        lost = state in {DeliveryState.FAILED, DeliveryState.SKIPPED}

        def work(connection: Connection) -> tuple[bool, int, Subscription | None]:
            subscription = subscriptions.find(connection, delivery.subscription_id)
            ours = deliveries.settle(
                connection, delivery, owner=self._owner, state=state, at=now, message_id=message_id, why=why
            )
            paused, skipped = False, 0
            if ours and lost:
                skipped = deliveries.skip_later_parts(connection, delivery, why=why or str(state), at=now)
            if pause is not None:
                paused = subscriptions.pause(connection, delivery.subscription_id, pause)
                deliveries.skip_waiting(connection, delivery.subscription_id, why=pause, at=now)
            if lost or pause is not None:
                editions.free_unposted(connection, delivery.subscription_id)
            return ours, skipped, subscription if paused else None

        ours, skipped, paused = await self._database.write(work)
        if not ours:
            log.warning("delivery was no longer ours", extra={"delivery": delivery.id})
            return
        tally.counts[str(state)] += 1
        tally.counts.update({"skipped": skipped} if skipped else {})
        if state is not DeliveryState.SENT:
            log.warning("delivery was not posted", extra={"delivery": delivery.id, "state": str(state), "why": why})
        if paused is not None and pause is not None:
            await self._told(paused, pause)

    async def _told(self, subscription: Subscription, reason: str) -> None:
        log.warning("subscription was paused", extra={"subscription": subscription.id, "why": reason})
        if self._tell is None:
            return
        try:
            async with asyncio.timeout(self._send_timeout):
                await self._tell(subscription, reason)
        except Exception as error:  # noqa: BLE001 -- telling is a courtesy; /digest list says it too
            log.warning(
                "managers could not be told", extra={"subscription": subscription.id, "error": type(error).__name__}
            )

    async def _postponed(
        self, attempt: _Attempt, until: dt.datetime, *, in_doubt: bool, counts: bool, why: str | None = None
    ) -> None:
        await self._database.write(
            lambda connection: deliveries.postpone(
                connection,
                attempt.delivery,
                owner=self._owner,
                until=until,
                in_doubt=in_doubt,
                counts=counts,
                renew_doubt=attempt.renewed,
                why=why,
            )
        )

    def _wait(self, verdict: Verdict, attempt: int) -> dt.timedelta:
        """Return Discord's own wait, else a full-jitter backoff (AWS Architecture Blog, 2015)."""
        longest = deliveries.LONGEST_WAIT.total_seconds()
        if verdict.quiet_seconds:
            return dt.timedelta(seconds=min(longest, verdict.quiet_seconds))
        if verdict.wait_seconds is not None:
            # The store keeps whole seconds: up, lest it be too early.
            return dt.timedelta(seconds=min(longest, verdict.wait_seconds + 1))
        return dt.timedelta(seconds=self._jitter() * min(longest, _FIRST_BACKOFF_SECONDS * 2**attempt))

    def _in_outage(self) -> bool:
        return self._failures_in_a_row >= _OUTAGE_AFTER

    def _is_quiet(self, now: dt.datetime) -> bool:
        return self._quiet_until is not None and now < self._quiet_until
