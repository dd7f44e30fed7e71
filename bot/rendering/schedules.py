"""Schedules, topics and moments in words."""

import datetime as dt
import zoneinfo

from bot.models import Schedule, Topic

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SETS = {
    frozenset(range(7)): "every day",
    frozenset(range(5)): "weekdays",
    frozenset({5, 6}): "weekends",
}


def when_words(schedule: Schedule) -> str:
    """Return a schedule as a person says it: ``weekdays at 09:00, Europe/Berlin``."""
    return f"{days_words(schedule.days)} at {schedule.at:%H:%M}, {schedule.zone}"


def days_words(days: frozenset[int]) -> str:
    """Return weekdays as a person says them: ``every day``, ``weekdays``, ``Mondays and Thursdays``."""
    if days in _SETS:
        return _SETS[days]
    names = [f"{_DAYS[day]}s" for day in sorted(days)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def topic_words(topic: Topic) -> str:
    """Return a topic as a person says it; it is not escaped."""
    return topic.query.strip() or "every paper"


def moment(instant: dt.datetime, style: str = "F") -> str:
    """Return an instant that each reader's Discord shows in their own zone.

    Args:
        style: ``F`` the full date and time, ``R`` relative, ``t`` the time alone.
    """
    return f"<t:{int(instant.timestamp())}:{style}>"


def date_words(date: dt.date) -> str:
    """Return a date as ``Tuesday, 3 March 2026``."""
    return f"{_DAYS[date.weekday()]}, {date.day} {date:%B %Y}"


def wall_time(zone: str, instant: dt.datetime) -> str:
    """Return the time of day in an IANA zone, as ``09:00``."""
    return f"{instant.astimezone(zoneinfo.ZoneInfo(zone)):%H:%M}"
