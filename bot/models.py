"""The nouns of Paper Round: frozen data, no I/O.

Every ``datetime`` here is aware and in UTC. A zone appears only in a ``Schedule``, by its IANA name.
"""

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

Now = Callable[[], dt.datetime]
"""The clock, as a port: returns the current instant, aware and in UTC."""


@dataclass(frozen=True, kw_only=True)
class Paper:
    """One work, whatever its form, with its text already clean and readable.

    Attributes:
        id: the library's own number.
        title: what is shown; made from the paper's own words where ``title_made`` is true.
        abstract: the authors' own, or None where nobody has brought it yet.
        synopsis: text about the paper that is not its authors' abstract, or None.
        identifiers: ``scheme:value``, such as ``openreview:v8L0pN6EOi``; sorted.
        aliases: other titles it goes by (before its final version, or made by us).
        trust: how far the best source that described it is trusted, 0 (a plain list) … 3 (its publisher).
    """

    id: int
    title: str
    title_made: bool = False
    abstract: str | None = None
    synopsis: str | None = None
    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    venue: str | None = None
    year: int | None = None
    track: str | None = None
    url: str | None = None
    published_on: dt.date | None = None
    identifiers: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    trust: int = 1

    @property
    def text(self) -> str:
        """The abstract, else the synopsis, else the empty string."""
        return self.abstract or self.synopsis or ""

    def identifier(self, scheme: str) -> str | None:
        """Return the value of the first identifier of ``scheme`` (``openreview``, ``arxiv``, ``doi``, …), if any."""
        prefix = f"{scheme}:"
        return next((name.removeprefix(prefix) for name in self.identifiers if name.startswith(prefix)), None)


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A ranked candidate.

    Attributes:
        score: 0..100, comparable within one search.
        snippet: text around the terms, with the terms marked by U+0002 and U+0003 (start and end of a
            match); empty when the paper has no text.
    """

    paper: Paper
    score: float
    snippet: str = ""


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What a search found.

    Attributes:
        query: what was typed, as it was typed.
        hits: best first; empty when even the nearest papers are far.
        exact: False when no hit is good and ``hits`` are only the nearest papers.
        corrections: (typed word, word of the library used instead), in the order typed.
        closest_words: words of the library nearest to those that matched nothing.
    """

    query: str
    hits: tuple[Hit, ...] = ()
    exact: bool = True
    corrections: tuple[tuple[str, str], ...] = ()
    closest_words: tuple[str, ...] = ()


class SummaryOf(StrEnum):
    """What a summary was drawn from."""

    ABSTRACT = "abstract"
    SYNOPSIS = "synopsis"
    NOTHING = "nothing"


@dataclass(frozen=True, kw_only=True)
class Summary:
    """Sentences taken verbatim from a paper's text, in their order.

    Attributes:
        indexes: the sentences' positions in the text, ascending, from 0; same length as ``sentences``.
        ranker: the name of the algorithm that chose them.
    """

    sentences: tuple[str, ...]
    indexes: tuple[int, ...]
    ranker: str
    of: SummaryOf

    @property
    def text(self) -> str:
        """The sentences as one line."""
        return " ".join(self.sentences)


@dataclass(frozen=True, kw_only=True)
class Topic:
    """The saved query of a subscription; the empty query is every paper."""

    query: str = ""


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """When a subscription speaks: on these weekdays, at this wall time, in this zone.

    Attributes:
        days: weekdays, 0 is Monday; never empty.
        at: wall time, no seconds.
        zone: IANA name.
    """

    days: frozenset[int]
    at: dt.time
    zone: str


class SubscriptionState(StrEnum):
    """Whether a subscription gets editions."""

    ACTIVE = "active"
    PAUSED = "paused"


@dataclass(frozen=True, kw_only=True)
class Subscription:
    """A channel wants a topic on a schedule.

    Attributes:
        number: its number within the guild, from 1: what people type.
        size: papers in an edition, 1..10.
        role_id: the role to mention, or None.
        fill_up: whether older papers it has not had fill an edition up.
        speak_when_empty: whether a day without papers gets a short word.
        pause_reason: a code such as ``asked``, ``no_access``, ``channel_gone``; None while active.
        next_due_at: the moment its next edition is meant for; None while paused.
    """

    id: int
    guild_id: int
    channel_id: int
    user_id: int
    number: int
    topic: Topic
    schedule: Schedule
    size: int
    role_id: int | None = None
    fill_up: bool = True
    speak_when_empty: bool = False
    state: SubscriptionState = SubscriptionState.ACTIVE
    pause_reason: str | None = None
    next_due_at: dt.datetime | None = None
    created_at: dt.datetime


class EditionState(StrEnum):
    """What became of an edition when it was due."""

    COMPOSED = "composed"
    EMPTY = "empty"
    SKIPPED = "skipped"


@dataclass(frozen=True, kw_only=True)
class Edition:
    """One numbered instalment of a subscription's digest, its papers fixed.

    Attributes:
        number: counts the subscription's editions, from 1.
        local_date: the calendar date in the subscription's zone that it belongs to.
        due_at: the moment it was meant for.
        paper_ids: in the order shown.
        why: a code for the person who asks why nothing came; None when it was composed.
    """

    id: int
    subscription_id: int
    number: int
    local_date: dt.date
    due_at: dt.datetime
    composed_at: dt.datetime
    state: EditionState
    paper_ids: tuple[int, ...] = ()
    why: str | None = None


class DeliveryState(StrEnum):
    """Where a delivery stands; ``PENDING`` and ``SENDING`` are under way, the others are ends."""

    PENDING = "pending"
    SENDING = "sending"
    SENT = "sent"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """One message of an edition on its way.

    Attributes:
        part: 0 for the first message of its edition.
        payload: the rendered message as JSON, fixed: every attempt sends the same.
        nonce: at most 25 characters, derived from subscription, local date and part.
        mark: the first characters of the nonce, carried in the message itself so that it can be found again.
        attempt: attempts begun; 0 is none.
        doubt_since: on Discord's clock, when the first attempt that may have arrived began; None when
            no attempt can have arrived.
        expires_at: after this it is not worth sending.
    """

    id: int
    edition_id: int
    subscription_id: int
    part: int
    channel_id: int
    payload: str
    nonce: str
    mark: str
    state: DeliveryState = DeliveryState.PENDING
    attempt: int = 0
    next_attempt_at: dt.datetime
    expires_at: dt.datetime
    doubt_since: dt.datetime | None = None
    message_id: int | None = None
    why: str | None = None


@dataclass(frozen=True, kw_only=True)
class Why:
    """What became of a subscription's latest edition: the answer to "why did nothing come?".

    Attributes:
        edition: the latest, or None before the first.
        deliveries: its messages, by their parts.
    """

    subscription: Subscription
    edition: Edition | None
    deliveries: tuple[Delivery, ...] = ()


@dataclass(frozen=True, kw_only=True)
class GuildSettings:
    """What a guild's managers chose; ``zone`` is an IANA name."""

    guild_id: int
    zone: str


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """A record that an import did not take: where it stood and why."""

    where: str
    why: str


@dataclass(frozen=True, kw_only=True)
class ImportReport:
    """What an import did; ``read`` is the sum of the four counts after it."""

    read: int = 0
    added: int = 0
    merged: int = 0
    unchanged: int = 0
    refused: int = 0
    refusals: tuple[Refusal, ...] = field(default=())


@dataclass(frozen=True, kw_only=True)
class SourceRecord:
    """What the library remembers of a place that papers came from.

    Attributes:
        records: the papers it brought when it was last read to its end.
        read_at: when that was; None for a site that brings only what is new.
        asked_at: when a site was last asked, whatever came of it.
        new_paper_at: when it last had a paper that the library did not have.
        longest_gap: the longest time between two such moments.
        failing_since: None when it answered last time, like ``error``.
    """

    name: str
    records: int = 0
    read_at: dt.datetime | None = None
    asked_at: dt.datetime | None = None
    answered_at: dt.datetime | None = None
    new_paper_at: dt.datetime | None = None
    longest_gap: dt.timedelta | None = None
    failing_since: dt.datetime | None = None
    error: str | None = None


class Freshness(StrEnum):
    """How a source fares."""

    NEVER = "never read"
    FRESH = "fresh"
    STALE = "stale"
    FAILING = "failing"


@dataclass(frozen=True, kw_only=True)
class SourceStatus:
    """A source with how it fares.

    Attributes:
        spec: what the settings call it; None for one that is not watched, such as a file.
        every: how often it is read; None for one that is not watched.
    """

    record: SourceRecord
    freshness: Freshness
    spec: str | None = None
    every: dt.timedelta | None = None


@dataclass(frozen=True, kw_only=True)
class LibraryCounts:
    """What the library holds.

    Attributes:
        added_lately: papers that came in the last seven days.
        venues: the venues with the most papers and their numbers, the largest first.
        years: the first and the last; None where no paper has one.
    """

    papers: int
    with_abstract: int
    added_lately: int
    venues: tuple[tuple[str, int], ...] = ()
    years: tuple[int, int] | None = None
