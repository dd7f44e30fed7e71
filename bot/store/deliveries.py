"""The outbox's table: every message of every edition, and where it stands."""

import datetime as dt
from typing import Any, LiteralString

from bot.models import Delivery, DeliveryState
from bot.store.database import Connection
from bot.store.moments import instant, optional_instant, seconds

MARK = 10
"""Characters of the nonce that the message itself carries."""

LONGEST_WAIT = dt.timedelta(minutes=15)
"""No delivery is put back for longer than this."""

_SLACK_SECONDS = 60

_COLUMNS: LiteralString = """
    id, edition_id, subscription_id, part, channel_id, payload, nonce, state, attempt,
    next_attempt_at, expires_at, doubt_since, message_id, why
"""


def insert(
    connection: Connection,
    *,
    edition_id: int,
    subscription_id: int,
    part: int,
    channel_id: int,
    payload: str,
    nonce: str,
    next_attempt_at: dt.datetime,
    expires_at: dt.datetime,
) -> None:
    """Keep a new delivery, pending."""
    connection.execute(
        """
        INSERT INTO deliveries (
            edition_id, subscription_id, part, channel_id, payload, nonce, next_attempt_at, expires_at
        )
        VALUES (:edition, :subscription, :part, :channel, :payload, :nonce, :next, :expires)
        """,
        {
            "edition": edition_id,
            "subscription": subscription_id,
            "part": part,
            "channel": channel_id,
            "payload": payload,
            "nonce": nonce,
            "next": seconds(next_attempt_at),
            "expires": seconds(expires_at),
        },
    )


def claim(
    connection: Connection,
    *,
    owner: str,
    now: dt.datetime,
    discord_now: dt.datetime,
    lease: dt.timedelta,
    limit: int,
) -> list[Delivery]:
    """Take up to ``limit`` due deliveries for ``owner``: the durable intent to send them.

    Parts of an edition are taken in order, each only once the one before it was sent, and one
    delivery a channel is under way at a time. The ``doubt_since`` that a delivery comes back with is
    the one it had before: None means that no earlier attempt can have arrived. A delivery that waits
    for longer than anything waits is due too: the clock has jumped back.
    """
    rows = connection.execute(
        """
        SELECT id, channel_id, doubt_since
        FROM deliveries AS one
        WHERE state = 'pending'
            AND (next_attempt_at <= :now OR next_attempt_at > :impossible)
            AND NOT EXISTS (
                SELECT 1 FROM deliveries AS earlier
                WHERE earlier.edition_id = one.edition_id AND earlier.part < one.part
                    AND earlier.state IN ('pending', 'sending')
            )
            AND NOT EXISTS (
                SELECT 1 FROM deliveries AS other
                WHERE other.channel_id = one.channel_id AND other.state = 'sending'
            )
        ORDER BY next_attempt_at, id
        """,
        {"now": seconds(now), "impossible": seconds(now + LONGEST_WAIT) + _SLACK_SECONDS},
    )
    chosen: dict[int, tuple[int, int | None]] = {}
    for delivery_id, channel_id, doubt in rows:
        if channel_id not in chosen:
            chosen[channel_id] = (delivery_id, doubt)
            if len(chosen) == limit:
                break
    claimed: list[Delivery] = []
    for delivery_id, doubt in chosen.values():
        row = connection.execute(
            "UPDATE deliveries SET state = 'sending', attempt = attempt + 1, lease_owner = :owner,"
            " lease_until = :until, doubt_since = coalesce(doubt_since, :discord_now)"
            " WHERE id = :id AND state = 'pending' RETURNING " + _COLUMNS,
            {
                "id": delivery_id,
                "owner": owner,
                "until": seconds(now + lease),
                "discord_now": seconds(discord_now),
            },
        ).fetchone()
        claimed.append(_delivery((*row[:11], doubt, *row[12:])))
    return claimed


def release(connection: Connection, *, owner: str, now: dt.datetime, foreign: bool) -> int:
    """Hand back, in doubt, what is no longer being sent; return how many.

    That is whatever has outlived its lease and, where ``foreign`` is set, all that another ``owner``
    was sending: right only at the start of the one process that runs on the store.
    """
    return connection.execute(
        """
        UPDATE deliveries
        SET state = 'pending', lease_owner = NULL, lease_until = NULL
        WHERE state = 'sending' AND (lease_until < :now OR (:foreign AND lease_owner <> :owner))
        """,
        {"owner": owner, "now": seconds(now), "foreign": foreign},
    ).rowcount


def settle(
    connection: Connection,
    delivery: Delivery,
    *,
    owner: str,
    state: DeliveryState,
    at: dt.datetime,
    message_id: int | None = None,
    why: str | None = None,
) -> bool:
    """Bring a delivery to its end; False when it is no longer this owner's, and nothing is changed."""
    changed = connection.execute(
        """
        UPDATE deliveries
        SET state = :state, message_id = :message, why = :why, settled_at = :at,
            lease_owner = NULL, lease_until = NULL
        WHERE id = :id AND state = 'sending' AND lease_owner = :owner
        """,
        {"id": delivery.id, "owner": owner, "state": state, "message": message_id, "why": why, "at": seconds(at)},
    )
    return changed.rowcount == 1


def postpone(
    connection: Connection,
    delivery: Delivery,
    *,
    owner: str,
    until: dt.datetime,
    in_doubt: bool,
    counts: bool = True,
    renew_doubt: dt.datetime | None = None,
    why: str | None = None,
) -> bool:
    """Put a delivery back to be tried again; False when it is no longer this owner's.

    Args:
        in_doubt: whether this attempt may have arrived. Where it certainly did not, an earlier doubt
            still stays: it is ``delivery.doubt_since``.
        counts: whether the attempt counts towards the most there may be.
        renew_doubt: Discord's time from which the doubt counts anew, once earlier attempts are known
            not to have arrived.
    """
    kept = renew_doubt or delivery.doubt_since
    changed = connection.execute(
        """
        UPDATE deliveries
        SET state = 'pending', next_attempt_at = :until, attempt = attempt - :uncounted, why = :why,
            doubt_since = CASE WHEN :in_doubt THEN coalesce(:kept, doubt_since) ELSE :kept END,
            lease_owner = NULL, lease_until = NULL
        WHERE id = :id AND state = 'sending' AND lease_owner = :owner
        """,
        {
            "id": delivery.id,
            "owner": owner,
            "until": seconds(until),
            "uncounted": 0 if counts else 1,
            "in_doubt": in_doubt,
            "kept": None if kept is None else seconds(kept),
            "why": why,
        },
    )
    return changed.rowcount == 1


def expire(connection: Connection, now: dt.datetime) -> list[Delivery]:
    """Skip what waits, was never in doubt and is no longer worth sending; return it as it was."""
    rows = connection.execute(
        "SELECT " + _COLUMNS + " FROM deliveries"
        " WHERE state = 'pending' AND doubt_since IS NULL AND expires_at < :now ORDER BY id",
        {"now": seconds(now)},
    ).fetchall()
    connection.execute(
        """
        UPDATE deliveries
        SET state = 'skipped', why = 'late', settled_at = :now
        WHERE state = 'pending' AND doubt_since IS NULL AND expires_at < :now
        """,
        {"now": seconds(now)},
    )
    return [_delivery(row) for row in rows]


def skip_later_parts(connection: Connection, delivery: Delivery, *, why: str, at: dt.datetime) -> int:
    """Skip the parts that follow one that will not be posted; return how many."""
    return connection.execute(
        """
        UPDATE deliveries
        SET state = 'skipped', why = :why, settled_at = :at
        WHERE edition_id = :edition AND part > :part AND state = 'pending' AND doubt_since IS NULL
        """,
        {"edition": delivery.edition_id, "part": delivery.part, "why": why, "at": seconds(at)},
    ).rowcount


def skip_waiting(connection: Connection, subscription_id: int, *, why: str, at: dt.datetime) -> None:
    """Skip what a subscription has pending and never tried; what is in doubt goes on to its end."""
    connection.execute(
        """
        UPDATE deliveries
        SET state = 'skipped', why = :why, settled_at = :at
        WHERE subscription_id = :id AND state = 'pending' AND doubt_since IS NULL
        """,
        {"id": subscription_id, "why": why, "at": seconds(at)},
    )


def of_edition(connection: Connection, edition_id: int) -> list[Delivery]:
    """Return an edition's deliveries by their parts."""
    rows = connection.execute(
        "SELECT " + _COLUMNS + " FROM deliveries WHERE edition_id = :id ORDER BY part", {"id": edition_id}
    )
    return [_delivery(row) for row in rows]


def counts(connection: Connection) -> dict[DeliveryState, int]:
    """Return how many deliveries are in each state; states with none are missing."""
    rows = connection.execute("SELECT state, count(*) FROM deliveries GROUP BY state")
    return {DeliveryState(state): number for state, number in rows}


def _delivery(row: tuple[Any, ...]) -> Delivery:
    return Delivery(
        id=row[0],
        edition_id=row[1],
        subscription_id=row[2],
        part=row[3],
        channel_id=row[4],
        payload=row[5],
        nonce=row[6],
        mark=row[6][:MARK],
        state=DeliveryState(row[7]),
        attempt=row[8],
        next_attempt_at=instant(row[9]),
        expires_at=instant(row[10]),
        doubt_since=optional_instant(row[11]),
        message_id=row[12],
        why=row[13],
    )
