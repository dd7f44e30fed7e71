"""How sources fare, in words for the command line and for the check-up."""

import datetime as dt

from bot.models import Freshness, SourceStatus


def as_lines(status: SourceStatus) -> list[str]:
    """Return a source's state in one or two lines of plain text."""
    record = status.record
    name = f"{record.name} (watched, every {interval(status.every)})" if status.every else record.name
    first = f"{name}: {status.freshness.value}"
    return [first, f"    {what_is_known(status)}"] if what_is_known(status) else [first]


def what_is_known(status: SourceStatus) -> str:
    """Return when a source answered, had something new, or failed, and why; empty where nothing is known."""
    record = status.record
    parts: list[str] = []
    if status.freshness is Freshness.FAILING and record.failing_since is not None:
        parts.append(f"failing since {_moment(record.failing_since)}: {record.error}")
    if record.answered_at is not None:
        parts.append(f"last answered {_moment(record.answered_at)}")
        new = f"last new paper {_moment(record.new_paper_at)}" if record.new_paper_at else "no new paper yet"
        parts.append(new)
    elif record.read_at is not None:
        parts.append(f"{record.records} papers, read {_moment(record.read_at)}")
    return "; ".join(parts)


def interval(every: dt.timedelta | None) -> str:
    """Return a length of time in the largest unit that divides it: "6 h", "2 d", "90 min"."""
    minutes = round(every.total_seconds() / 60) if every else 0
    for size, unit in ((24 * 60, "d"), (60, "h")):
        if minutes and minutes % size == 0:
            return f"{minutes // size} {unit}"
    return f"{minutes} min"


def _moment(instant: dt.datetime) -> str:
    return instant.astimezone(dt.UTC).strftime("%Y-%m-%d %H:%M UTC")
