"""From a due subscription to an edition and its deliveries: read, decide, then one transaction.

An edition's papers and messages are fixed here; whatever happens later sends exactly them.
"""

import asyncio
import base64
import datetime as dt
import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.digests import schedule as schedules
from bot.digests.selection import pick
from bot.errors import Conflict, NotFound
from bot.models import Edition, EditionState, Now, Paper, Subscription, SubscriptionState
from bot.rendering import digest
from bot.rendering.messages import Message
from bot.search.searcher import Searcher
from bot.store import deliveries, editions, papers, subscriptions
from bot.store.database import Connection, Database
from bot.summaries.summarizer import Summarizer

log = logging.getLogger(__name__)

_BATCH = 200
_NONCE = 25
_LATE = dt.timedelta(minutes=15)
"""A digest that comes later than this says so."""
_NOTHING = "Nothing to post: no paper is left that matches this subscription's topic and that it has not had."
_AT_LEAST = dt.timedelta(hours=1)
"""However late an edition is composed, its messages are tried for this long."""


@dataclass(frozen=True, kw_only=True)
class _Slot:
    """The edition that is due: what it is for, and what was missed before it."""

    subscription: Subscription
    local_date: dt.date
    due_at: dt.datetime
    following: dt.datetime
    missed: tuple[tuple[dt.date, dt.datetime], ...] = ()
    too_late: bool = False
    late: bool = False


@dataclass(frozen=True, kw_only=True)
class _Draft:
    """What an edition would hold."""

    number: int
    chosen: tuple[Paper, ...]


class Composer:
    """Composes editions.

    Args:
        catch_up: how late an edition may still be posted.
        sentences: the length of a paper's summary in a digest.
    """

    def __init__(
        self,
        database: Database,
        searcher: Searcher,
        summarizer: Summarizer,
        now: Now,
        *,
        catch_up: dt.timedelta,
        sentences: int,
    ) -> None:
        self._database = database
        self._searcher = searcher
        self._summarizer = summarizer
        self._now = now
        self._catch_up = catch_up
        self._sentences = sentences

    async def compose_due(self) -> list[Edition]:
        """Compose every edition that is due now and return what became of each, skipped ones too.

        One subscription that cannot be composed is logged, left for the next look, and stops no other.
        """
        composed: list[Edition] = []
        failed: set[int] = set()
        while True:
            now = self._now()
            limit = _BATCH + len(failed)
            found = await self._database.read(
                lambda connection, now=now, limit=limit: subscriptions.due(connection, now, limit=limit)
            )
            waiting = [one for one in found if one.id not in failed]
            if not waiting:
                return composed
            for subscription in waiting:
                try:
                    composed.extend(
                        await self._compose(
                            _slot(subscription, subscription.next_due_at or now, now, self._catch_up), now
                        )
                    )
                except Exception:
                    failed.add(subscription.id)
                    log.exception("edition could not be composed", extra={"subscription": subscription.id})

    async def compose_now(self, subscription: Subscription) -> Edition:
        """Compose today's edition out of turn and return it; it does not come again at its usual time.

        Raises:
            Conflict: the subscription is paused, or had today's edition already.
            NotFound: no paper is left for it.
        """
        if subscription.state is SubscriptionState.PAUSED or subscription.next_due_at is None:
            raise Conflict(
                f"Subscription {subscription.number} is paused. /digest resume {subscription.number} wakes it."
            )
        now = self._now()
        today = schedules.local_date(subscription.schedule, now)
        following = subscription.next_due_at
        if schedules.local_date(subscription.schedule, following) == today:
            following = schedules.next_due(subscription.schedule, following)[0]
        slot = _Slot(subscription=subscription, local_date=today, due_at=now, following=following)
        draft = await self._database.read(lambda connection: self._draft(connection, subscription, today, now))
        if draft is None:
            raise Conflict(f"Today's digest of subscription {subscription.number} is out already.")
        if not draft.chosen:
            raise NotFound(_NOTHING)
        messages = await self._rendered(slot, draft)
        kept = await self._database.write(lambda connection: self._keep(connection, slot, draft, messages, now))
        if not kept:
            raise Conflict(f"Subscription {subscription.number} was changed meanwhile. Try again.")
        return kept[-1]

    async def preview(self, subscription: Subscription) -> list[Message]:
        """Return what the subscription would post next, as it stands now; nothing is kept."""
        now = self._now()
        due = subscription.next_due_at or now
        date = schedules.local_date(subscription.schedule, due)
        draft = await self._database.read(
            lambda connection: self._draft(connection, subscription, date, now, even_if_out=True)
        )
        if draft is None or not draft.chosen:
            return [Message(content=_NOTHING)]
        slot = _Slot(subscription=subscription, local_date=date, due_at=due, following=due)
        return await self._rendered(slot, draft, marks=lambda _part: "preview")

    async def _compose(self, slot: _Slot, now: dt.datetime) -> list[Edition]:
        draft, messages = None, list[Message]()
        if not slot.too_late:
            draft = await self._database.read(
                lambda connection: self._draft(connection, slot.subscription, slot.local_date, now)
            )
            if draft is not None:
                messages = await self._rendered(slot, draft)
        kept = await self._database.write(lambda connection: self._keep(connection, slot, draft, messages, now))
        for edition in kept:
            log.info(
                "edition composed" if edition.state is EditionState.COMPOSED else "edition not posted",
                extra={
                    "edition": edition.id,
                    "subscription": edition.subscription_id,
                    "papers": len(edition.paper_ids),
                    "state": str(edition.state),
                    "why": edition.why,
                },
            )
        return kept

    def _draft(
        self,
        connection: Connection,
        subscription: Subscription,
        date: dt.date,
        now: dt.datetime,
        *,
        even_if_out: bool = False,
    ) -> _Draft | None:
        """Choose the papers; None when the subscription had this date's edition already."""
        if not even_if_out and editions.find_for_date(connection, subscription.id, date) is not None:
            return None
        since = editions.last_composed_at(connection, subscription.id) or subscription.created_at
        chosen = pick(
            self._searcher.matching(connection, subscription.topic.query),
            fresh=papers.ids_added_since(connection, since),
            had=editions.papers_had(connection, subscription.id),
            had_today_in_channel=_in_channel_today(connection, subscription, now),
            size=subscription.size,
            fill_up=subscription.fill_up,
        )
        return _Draft(
            number=editions.next_number(connection, subscription.id),
            chosen=tuple(papers.get_papers(connection, chosen)),
        )

    async def _rendered(
        self, slot: _Slot, draft: _Draft, *, marks: Callable[[int], str] | None = None
    ) -> list[Message]:
        """Summarise and render, off the event loop."""

        def mark(part: int) -> str:
            return _nonce(slot, part)[: deliveries.MARK]

        marked = marks or mark

        def work() -> list[Message]:
            subscription = slot.subscription
            if not draft.chosen:
                if not subscription.speak_when_empty:
                    return []
                return digest.empty(subscription, draft.number, slot.local_date, marks=marked)
            summarised = [
                (paper, self._summarizer.summarize(paper, sentences=self._sentences)) for paper in draft.chosen
            ]
            return digest.edition(subscription, draft.number, slot.local_date, summarised, marks=marked, late=slot.late)

        return await asyncio.to_thread(work)

    def _keep(
        self,
        connection: Connection,
        slot: _Slot,
        draft: _Draft | None,
        messages: Sequence[Message],
        now: dt.datetime,
    ) -> list[Edition]:
        """Write it all, unless the subscription is no longer as it was read; then nothing."""
        subscription = slot.subscription
        if not subscriptions.set_next_due(
            connection, subscription.id, expected=subscription.next_due_at, following=slot.following
        ):
            return []
        kept: list[Edition] = []
        skipped = [*slot.missed, *([(slot.local_date, slot.due_at)] if slot.too_late else [])]
        for date, due in skipped:
            edition = editions.insert(
                connection,
                subscription_id=subscription.id,
                local_date=date,
                due_at=due,
                composed_at=now,
                state=EditionState.SKIPPED,
                why="late",
            )
            kept.extend([edition] if edition is not None else [])
        if draft is None:
            return kept
        brought = _in_channel_today(connection, subscription, now)
        edition = editions.insert(
            connection,
            subscription_id=subscription.id,
            local_date=slot.local_date,
            due_at=slot.due_at,
            composed_at=now,
            state=EditionState.COMPOSED if draft.chosen else EditionState.EMPTY,
            paper_ids=[paper.id for paper in draft.chosen],
            why=None if draft.chosen else "empty",
        )
        if edition is None:
            return kept
        if edition.number != draft.number or brought.intersection(edition.paper_ids):
            raise Conflict("The subscription was changed meanwhile. Try again.")
        for part, message in enumerate(messages):
            deliveries.insert(
                connection,
                edition_id=edition.id,
                subscription_id=subscription.id,
                part=part,
                channel_id=subscription.channel_id,
                payload=message.to_json(),
                nonce=_nonce(slot, part),
                next_attempt_at=now,
                expires_at=max(slot.due_at + self._catch_up, now + _AT_LEAST),
            )
        return [*kept, edition]


def _slot(subscription: Subscription, first: dt.datetime, now: dt.datetime, catch_up: dt.timedelta) -> _Slot:
    """Decide which date's edition is due: the newest in ``first..now``; what lies before it was missed."""
    due, date = schedules.newest_due(subscription.schedule, first, now)
    missed: list[tuple[dt.date, dt.datetime]] = []
    earlier = first
    while earlier < due:
        missed.append((schedules.local_date(subscription.schedule, earlier), earlier))
        earlier = schedules.next_due(subscription.schedule, earlier)[0]
    return _Slot(
        subscription=subscription,
        local_date=date,
        due_at=due,
        following=schedules.next_due(subscription.schedule, max(now, due))[0],
        missed=tuple(missed),
        too_late=now - due > catch_up,
        late=now - due > _LATE,
    )


def _in_channel_today(connection: Connection, subscription: Subscription, now: dt.datetime) -> set[int]:
    """Return the papers that any subscription brought to the channel on what is today there."""
    today = schedules.local_date(subscription.schedule, now)
    midnight = dt.datetime.combine(today, dt.time(), tzinfo=dt.UTC)
    # Zones reach 14 hours to either side of UTC: rather a little more than a day than two of a kind in one.
    return editions.papers_in_channel_since(connection, subscription.channel_id, midnight - dt.timedelta(hours=14))


def _nonce(slot: _Slot, part: int) -> str:
    """Return the delivery's nonce: the same whenever, and from whichever backup, this edition is sent."""
    subscription = slot.subscription
    named = "|".join(
        str(piece)
        for piece in (
            subscription.id,
            subscription.channel_id,
            int(subscription.created_at.timestamp()),
            slot.local_date.isoformat(),
            part,
        )
    )
    digested = hashlib.blake2b(named.encode(), digest_size=20).digest()
    return base64.b32encode(digested).decode().lower()[:_NONCE]
