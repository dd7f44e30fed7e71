"""Which papers a channel's random picks have shown in the present round."""

import datetime as dt
import json
from collections.abc import Sequence

from bot.store.database import Connection


def shown(connection: Connection, channel_id: int) -> set[int]:
    """Return the papers that the channel has been shown in its present round."""
    rows = connection.execute("SELECT paper_id FROM picks WHERE channel_id = ?", (channel_id,))
    return {paper_id for (paper_id,) in rows}


def was_shown(connection: Connection, channel_id: int, paper_id: int) -> bool:
    """Return whether the channel has been shown the paper in its present round."""
    found = connection.execute("SELECT 1 FROM picks WHERE channel_id = ? AND paper_id = ?", (channel_id, paper_id))
    return found.fetchone() is not None


def last_shown(connection: Connection, channel_id: int, among: Sequence[int]) -> int | None:
    """Return which of these papers the channel was shown last, or None."""
    row = connection.execute(
        """
        SELECT paper_id FROM picks
        WHERE channel_id = :channel AND paper_id IN (SELECT value FROM json_each(:among))
        ORDER BY picked_at DESC
        LIMIT 1
        """,
        {"channel": channel_id, "among": json.dumps(list(among))},
    ).fetchone()
    return None if row is None else int(row[0])


def next_moment(connection: Connection, channel_id: int, at: dt.datetime) -> int:
    """Return ``at`` in whole seconds, moved behind the channel's last pick, so that picks keep their order."""
    row = connection.execute("SELECT max(picked_at) FROM picks WHERE channel_id = ?", (channel_id,)).fetchone()
    return max(int(at.timestamp()), -1 if row[0] is None else int(row[0]) + 1)


def keep(connection: Connection, channel_id: int, paper_id: int, *, moment: int) -> None:
    """Note that the channel is shown the paper; ``moment`` is what ``next_moment`` gave."""
    connection.execute(
        """
        INSERT INTO picks (channel_id, paper_id, picked_at) VALUES (:channel, :paper, :moment)
        ON CONFLICT (channel_id, paper_id) DO UPDATE SET picked_at = excluded.picked_at
        """,
        {"channel": channel_id, "paper": paper_id, "moment": moment},
    )


def forget(connection: Connection, channel_id: int, among: Sequence[int]) -> None:
    """Begin a new round over these papers: as if the channel had been shown none of them."""
    connection.execute(
        """
        DELETE FROM picks
        WHERE channel_id = :channel AND paper_id IN (SELECT value FROM json_each(:among))
        """,
        {"channel": channel_id, "among": json.dumps(list(among))},
    )
