"""The editions of all subscriptions, and which paper came in which."""

import datetime as dt
from collections.abc import Sequence
from typing import Any, LiteralString

from bot.models import Edition, EditionState
from bot.store.database import Connection
from bot.store.moments import instant, seconds

_COLUMNS: LiteralString = "id, subscription_id, number, local_date, due_at, composed_at, state, why"


def insert(
    connection: Connection,
    *,
    subscription_id: int,
    local_date: dt.date,
    due_at: dt.datetime,
    composed_at: dt.datetime,
    state: EditionState,
    paper_ids: Sequence[int] = (),
    why: str | None = None,
) -> Edition | None:
    """Keep a new edition with its papers; None when the subscription has had one for this local date.

    Only what was meant to be posted is counted: a skipped date gets the number 0.
    """
    number = 0
    if state is not EditionState.SKIPPED:
        number = (
            1
            + connection.execute(
                "SELECT coalesce(max(number), 0) FROM editions WHERE subscription_id = :id", {"id": subscription_id}
            ).fetchone()[0]
        )
    row = connection.execute(
        """
        INSERT INTO editions (subscription_id, number, local_date, due_at, composed_at, state, why)
        VALUES (:subscription, :number, :date, :due, :composed, :state, :why)
        ON CONFLICT (subscription_id, local_date) DO NOTHING
        RETURNING id
        """,
        {
            "subscription": subscription_id,
            "number": number,
            "date": local_date.isoformat(),
            "due": seconds(due_at),
            "composed": seconds(composed_at),
            "state": state,
            "why": why,
        },
    ).fetchone()
    if row is None:
        return None
    connection.executemany(
        """
        INSERT INTO edition_papers (subscription_id, paper_id, edition_id, position)
        VALUES (:subscription, :paper, :edition, :position)
        """,
        [
            {"subscription": subscription_id, "paper": paper_id, "edition": row[0], "position": position}
            for position, paper_id in enumerate(paper_ids)
        ],
    )
    return find(connection, row[0])


def find(connection: Connection, edition_id: int) -> Edition | None:
    """Return the edition with this id, or None."""
    return _one(connection, "WHERE id = :id", {"id": edition_id})


def find_for_date(connection: Connection, subscription_id: int, local_date: dt.date) -> Edition | None:
    """Return the subscription's edition for a local date, or None."""
    return _one(
        connection,
        "WHERE subscription_id = :id AND local_date = :date",
        {"id": subscription_id, "date": local_date.isoformat()},
    )


def find_last(connection: Connection, subscription_id: int) -> Edition | None:
    """Return the subscription's latest edition, whatever became of it, or None."""
    return _one(
        connection, "WHERE subscription_id = :id ORDER BY due_at DESC, id DESC LIMIT 1", {"id": subscription_id}
    )


def next_number(connection: Connection, subscription_id: int) -> int:
    """Return the number that the subscription's next edition will have."""
    row = connection.execute(
        "SELECT 1 + coalesce(max(number), 0) FROM editions WHERE subscription_id = :id", {"id": subscription_id}
    ).fetchone()
    return int(row[0])


def last_composed_at(connection: Connection, subscription_id: int) -> dt.datetime | None:
    """Return when the subscription's latest edition with papers was composed, or None."""
    row = connection.execute(
        "SELECT max(composed_at) FROM editions WHERE subscription_id = :id AND state = 'composed'",
        {"id": subscription_id},
    ).fetchone()
    return None if row[0] is None else instant(row[0])


def papers_had(connection: Connection, subscription_id: int) -> set[int]:
    """Return the ids of all papers that the subscription has had."""
    rows = connection.execute(
        "SELECT paper_id FROM edition_papers WHERE subscription_id = :id", {"id": subscription_id}
    )
    return {row[0] for row in rows}


def papers_in_channel_since(connection: Connection, channel_id: int, moment: dt.datetime) -> set[int]:
    """Return the ids of the papers that any subscription brought to the channel since ``moment``."""
    rows = connection.execute(
        """
        SELECT DISTINCT had.paper_id
        FROM edition_papers AS had
        JOIN editions ON editions.id = had.edition_id
        JOIN deliveries ON deliveries.edition_id = editions.id
        WHERE deliveries.channel_id = :channel AND editions.composed_at >= :moment
        """,
        {"channel": channel_id, "moment": seconds(moment)},
    )
    return {row[0] for row in rows}


def free_unposted(connection: Connection, subscription_id: int) -> None:
    """Let the papers of editions of which certainly nothing was posted come again in another."""
    connection.execute(
        """
        DELETE FROM edition_papers
        WHERE subscription_id = :id AND edition_id IN (
            SELECT edition_id FROM deliveries
            WHERE subscription_id = :id
            GROUP BY edition_id
            HAVING sum(state NOT IN ('failed', 'skipped')) = 0
        )
        """,
        {"id": subscription_id},
    )


def _one(connection: Connection, where: LiteralString, parameters: dict[str, Any]) -> Edition | None:
    row = connection.execute("SELECT " + _COLUMNS + " FROM editions " + where, parameters).fetchone()
    if row is None:
        return None
    papers = connection.execute(
        "SELECT paper_id FROM edition_papers WHERE edition_id = :id ORDER BY position", {"id": row[0]}
    )
    return Edition(
        id=row[0],
        subscription_id=row[1],
        number=row[2],
        local_date=dt.date.fromisoformat(row[3]),
        due_at=instant(row[4]),
        composed_at=instant(row[5]),
        state=EditionState(row[6]),
        paper_ids=tuple(paper[0] for paper in papers),
        why=row[7],
    )
