"""Small facts about this installation, by name."""

from bot.store.database import Connection


def find_fact(connection: Connection, name: str) -> str | None:
    """Return the value kept under ``name``, or None."""
    row = connection.execute("SELECT value FROM facts WHERE name = :name", {"name": name}).fetchone()
    return None if row is None else str(row[0])


def keep_fact(connection: Connection, name: str, value: str) -> None:
    """Keep ``value`` under ``name``, in place of what was there."""
    connection.execute(
        """
        INSERT INTO facts (name, value)
        VALUES (:name, :value)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """,
        {"name": name, "value": value},
    )
