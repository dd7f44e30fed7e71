"""The subscriptions of all guilds."""

import datetime as dt
from typing import Any, LiteralString

from bot.models import Schedule, Subscription, SubscriptionState, Topic
from bot.store.database import Connection
from bot.store.moments import instant, optional_instant, optional_seconds, seconds

_COLUMNS: LiteralString = """
    id, guild_id, channel_id, user_id, number, query, days, at, zone, size, role_id,
    fill_up, speak_when_empty, state, pause_reason, next_due_at, created_at
"""


def insert(connection: Connection, subscription: Subscription) -> int:
    """Keep a new subscription and return its id; the one it carries is ignored."""
    row = connection.execute(
        """
        INSERT INTO subscriptions (
            guild_id, channel_id, user_id, number, query, days, at, zone, size, role_id,
            fill_up, speak_when_empty, state, pause_reason, next_due_at, created_at
        )
        VALUES (
            :guild_id, :channel_id, :user_id, :number, :query, :days, :at, :zone, :size, :role_id,
            :fill_up, :speak_when_empty, :state, :pause_reason, :next_due_at, :created_at
        )
        RETURNING id
        """,
        {
            "guild_id": subscription.guild_id,
            "channel_id": subscription.channel_id,
            "user_id": subscription.user_id,
            "number": subscription.number,
            "query": subscription.topic.query,
            "days": "".join(str(day) for day in sorted(subscription.schedule.days)),
            "at": f"{subscription.schedule.at:%H:%M}",
            "zone": subscription.schedule.zone,
            "size": subscription.size,
            "role_id": subscription.role_id,
            "fill_up": subscription.fill_up,
            "speak_when_empty": subscription.speak_when_empty,
            "state": subscription.state,
            "pause_reason": subscription.pause_reason,
            "next_due_at": optional_seconds(subscription.next_due_at),
            "created_at": seconds(subscription.created_at),
        },
    ).fetchone()
    return int(row[0])


def find(connection: Connection, subscription_id: int) -> Subscription | None:
    """Return the subscription with this id, or None."""
    return _one(connection, "WHERE id = :id", {"id": subscription_id})


def find_by_number(connection: Connection, guild_id: int, number: int) -> Subscription | None:
    """Return the guild's subscription with this number, or None."""
    return _one(connection, "WHERE guild_id = :guild AND number = :number", {"guild": guild_id, "number": number})


def list_for_guild(connection: Connection, guild_id: int) -> list[Subscription]:
    """Return the guild's subscriptions by their numbers."""
    return _many(connection, "WHERE guild_id = :guild ORDER BY number", {"guild": guild_id})


def list_all(connection: Connection) -> list[Subscription]:
    """Return every subscription, by guild and number."""
    return _many(connection, "ORDER BY guild_id, number", {})


def due(connection: Connection, now: dt.datetime, *, limit: int) -> list[Subscription]:
    """Return the active subscriptions whose next edition is due, the longest due first."""
    return _many(
        connection,
        "WHERE state = 'active' AND next_due_at <= :now ORDER BY next_due_at, id LIMIT :limit",
        {"now": seconds(now), "limit": limit},
    )


def set_next_due(
    connection: Connection, subscription_id: int, *, expected: dt.datetime | None, following: dt.datetime
) -> bool:
    """Move on to the following due moment; False when the subscription is no longer as ``expected``."""
    changed = connection.execute(
        """
        UPDATE subscriptions
        SET next_due_at = :following
        WHERE id = :id AND state = 'active' AND next_due_at = :expected
        """,
        {"id": subscription_id, "expected": optional_seconds(expected), "following": seconds(following)},
    )
    return changed.rowcount == 1


def pause(connection: Connection, subscription_id: int, reason: str) -> bool:
    """Pause an active subscription; False when it was not active."""
    changed = connection.execute(
        """
        UPDATE subscriptions
        SET state = 'paused', pause_reason = :reason, next_due_at = NULL
        WHERE id = :id AND state = 'active'
        """,
        {"id": subscription_id, "reason": reason},
    )
    return changed.rowcount == 1


def resume(connection: Connection, subscription_id: int, next_due_at: dt.datetime) -> bool:
    """Wake a paused subscription; False when it was not paused."""
    changed = connection.execute(
        """
        UPDATE subscriptions
        SET state = 'active', pause_reason = NULL, next_due_at = :next
        WHERE id = :id AND state = 'paused'
        """,
        {"id": subscription_id, "next": seconds(next_due_at)},
    )
    return changed.rowcount == 1


def delete(connection: Connection, subscription_id: int) -> None:
    """Forget a subscription, its editions and its deliveries."""
    connection.execute("DELETE FROM subscriptions WHERE id = :id", {"id": subscription_id})


def _one(connection: Connection, where: LiteralString, parameters: dict[str, Any]) -> Subscription | None:
    found = _many(connection, where, parameters)
    return found[0] if found else None


def _many(connection: Connection, where: LiteralString, parameters: dict[str, Any]) -> list[Subscription]:
    rows = connection.execute("SELECT " + _COLUMNS + " FROM subscriptions " + where, parameters)
    return [_subscription(row) for row in rows]


def _subscription(row: tuple[Any, ...]) -> Subscription:
    return Subscription(
        id=row[0],
        guild_id=row[1],
        channel_id=row[2],
        user_id=row[3],
        number=row[4],
        topic=Topic(query=row[5]),
        schedule=Schedule(
            days=frozenset(int(day) for day in row[6]),
            at=dt.time.fromisoformat(row[7]),
            zone=row[8],
        ),
        size=row[9],
        role_id=row[10],
        fill_up=bool(row[11]),
        speak_when_empty=bool(row[12]),
        state=SubscriptionState(row[13]),
        pause_reason=row[14],
        next_due_at=optional_instant(row[15]),
        created_at=instant(row[16]),
    )
