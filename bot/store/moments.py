"""Instants as the schema keeps them: whole seconds of UTC since 1970."""

import datetime as dt


def seconds(instant: dt.datetime) -> int:
    """Return an aware instant as whole seconds, rounded down."""
    return int(instant.timestamp())


def instant(seconds: int) -> dt.datetime:
    """Return kept seconds as an aware instant in UTC."""
    return dt.datetime.fromtimestamp(seconds, tz=dt.UTC)


def optional_seconds(moment: dt.datetime | None) -> int | None:
    """Return as ``seconds`` does; None stays None."""
    return None if moment is None else seconds(moment)


def optional_instant(kept: int | None) -> dt.datetime | None:
    """Return as ``instant`` does; None stays None."""
    return None if kept is None else instant(kept)
