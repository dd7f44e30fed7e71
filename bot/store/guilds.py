"""What the managers of each guild chose, and which guilds the bot has left."""

import datetime as dt

from bot.models import GuildSettings
from bot.store.database import Connection
from bot.store.moments import seconds


def find_settings(connection: Connection, guild_id: int) -> GuildSettings | None:
    """Return what the guild's managers chose, or None where they chose nothing."""
    row = connection.execute("SELECT zone FROM guilds WHERE guild_id = :guild", {"guild": guild_id}).fetchone()
    return None if row is None else GuildSettings(guild_id=guild_id, zone=row[0])


def keep_settings(connection: Connection, settings: GuildSettings) -> None:
    """Keep what the guild's managers chose."""
    connection.execute(
        """
        INSERT INTO guilds (guild_id, zone)
        VALUES (:guild, :zone)
        ON CONFLICT (guild_id) DO UPDATE SET zone = excluded.zone
        """,
        {"guild": settings.guild_id, "zone": settings.zone},
    )


def mark_left(connection: Connection, guild_id: int, *, zone: str, at: dt.datetime) -> None:
    """Note that the bot has left a guild; ``zone`` is kept for one that had chosen none."""
    connection.execute(
        """
        INSERT INTO guilds (guild_id, zone, left_at)
        VALUES (:guild, :zone, :at)
        ON CONFLICT (guild_id) DO UPDATE SET left_at = excluded.left_at
        """,
        {"guild": guild_id, "zone": zone, "at": seconds(at)},
    )


def mark_joined(connection: Connection, guild_id: int) -> None:
    """Note that the bot is in a guild."""
    connection.execute("UPDATE guilds SET left_at = NULL WHERE guild_id = :guild", {"guild": guild_id})


def forget_left_before(connection: Connection, moment: dt.datetime) -> int:
    """Forget the guilds that the bot left before ``moment``, with all that was theirs; return how many."""
    left = {"moment": seconds(moment)}
    connection.execute(
        """
        DELETE FROM subscriptions
        WHERE guild_id IN (SELECT guild_id FROM guilds WHERE left_at < :moment)
        """,
        left,
    )
    return connection.execute("DELETE FROM guilds WHERE left_at < :moment", left).rowcount
