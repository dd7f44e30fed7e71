"""When a subscription is due: pure, and the only place where zones are reckoned with.

A wall time that the clock skips falls on the next valid instant of the same date (PEP 495 maps 02:30
to 03:30); one that occurs twice falls on its first occurrence; a date that a zone never had (Apia,
2011-12-30) has no due moment. APScheduler's CronTrigger does neither: 3.11.3 skips the day after
spring-forward for 00:00–00:59 and fires twice in the autumn hour.
"""

import datetime as dt
import difflib
import re
import zoneinfo
from functools import cache

from bot.errors import InvalidInput
from bot.models import Schedule

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SETS = {
    "daily": frozenset(range(7)),
    "everyday": frozenset(range(7)),
    "all": frozenset(range(7)),
    "weekdays": frozenset(range(5)),
    "workdays": frozenset(range(5)),
    "weekend": frozenset({5, 6}),
    "weekends": frozenset({5, 6}),
}
_SHORTEST_DAY = 2
_TIME = re.compile(r"(\d{1,2})(?:\s*[:.h]\s*(\d{2})|(?<=\d\d)(\d{2}))?\s*(?:(a|p)\.?\s*m\.?)?", re.IGNORECASE)
_NOON = 12

# Names that zoneinfo knows but that are fixed offsets or historic: a digest there would ignore summer time.
_WITHOUT_SUMMER_TIME = {
    "EST": "America/New_York",
    "EST5EDT": "America/New_York",
    "MST": "America/Denver",
    "MST7MDT": "America/Denver",
    "HST": "Pacific/Honolulu",
    "PST8PDT": "America/Los_Angeles",
    "CST6CDT": "America/Chicago",
    "CET": "Europe/Berlin",
    "MET": "Europe/Berlin",
    "EET": "Europe/Helsinki",
    "WET": "Europe/Lisbon",
    "PST": "America/Los_Angeles",
    "CST": "America/Chicago",
    "BST": "Europe/London",
    "IST": "Asia/Kolkata",
    "JST": "Asia/Tokyo",
}
_FAR = dt.timedelta(days=400)


def parse_days(text: str) -> frozenset[int]:
    """Return the weekdays that ``text`` names, 0 is Monday: ``weekdays``, ``daily``, ``mon, thu``, ``Fridays``.

    Raises:
        InvalidInput: a word is no day.
    """
    words = re.findall(r"[^\s,;&+/]+", text.casefold().replace("every day", "daily"))
    days: set[int] = set()
    for word in words:
        if word in {"and", "on", "every"}:
            continue
        if word in _SETS:
            days |= _SETS[word]
            continue
        stem = word.rstrip(".").removesuffix("s") if word.rstrip(".") != "tues" else "tues"
        matches = [number for number, day in enumerate(_DAYS) if day.startswith(stem)]
        if len(stem) < _SHORTEST_DAY or len(matches) != 1:
            raise InvalidInput(f"“{word[:40]}” is no day. Write weekdays, daily, or days such as Monday, Thursday.")
        days.add(matches[0])
    if not days:
        raise InvalidInput("Name the days: weekdays, daily, or days such as Monday, Thursday.")
    return frozenset(days)


def parse_time(text: str) -> dt.time:
    """Return the wall time that ``text`` names: ``9:00``, ``09:00``, ``0900``, ``9am``, ``8.30 pm``.

    Raises:
        InvalidInput: it names none.
    """
    match = _TIME.fullmatch(text.strip())
    if match is not None:
        hour, minute, half = int(match[1]), int(match[2] or match[3] or 0), (match[4] or "").casefold()
        if half and 1 <= hour <= _NOON:
            hour = hour % _NOON + (_NOON if half == "p" else 0)
        elif half:
            hour = 99
        if (match[2] or match[3] or half) and hour < 24 and minute < 60:
            return dt.time(hour, minute)
    raise InvalidInput(f"“{text.strip()[:40]}” is no time of day. Write it as 09:00 or 9am.")


def parse_zone(text: str) -> str:
    """Return the IANA name of the zone that ``text`` names, in its own spelling: ``europe/berlin`` → ``Europe/Berlin``.

    Raises:
        InvalidInput: it is empty or unknown, or an abbreviation; the sentence names what may be meant.
    """
    typed = "_".join(text.split())
    if not typed:
        raise InvalidInput("Name a time zone, such as Europe/Berlin.")
    if typed.upper() in _WITHOUT_SUMMER_TIME:
        meant = _WITHOUT_SUMMER_TIME[typed.upper()]
        raise InvalidInput(f"“{typed[:40]}” is an abbreviation and does not say where you are. Did you mean {meant}?")
    found = _zones().get(typed.casefold())
    if found is not None:
        return found
    near = zones_like(typed, limit=3)
    hint = f"Did you mean {' or '.join(near)}?" if near else "Write it as Europe/Berlin or America/New_York."
    raise InvalidInput(f"There is no time zone “{typed[:40]}”. {hint}")


def zones_like(text: str, *, limit: int) -> list[str]:
    """Return up to ``limit`` IANA zones whose names contain or resemble ``text``, the likeliest first."""
    typed = "_".join(text.split()).casefold()
    offered = {low: name for low, name in _zones().items() if "/" in name and not name.startswith("Etc/")}
    if not typed:
        usual = ("UTC", "Europe/Berlin", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Tokyo")
        return [name for name in usual if name.casefold() in _zones()][:limit]
    offered["utc"] = "UTC"
    containing = sorted(
        (low for low in offered if typed in low),
        key=lambda low: (not low.rpartition("/")[2].startswith(typed), not low.startswith(typed), low),
    )
    if containing:
        return [offered[low] for low in containing[:limit]]
    cities = {low.rpartition("/")[2]: low for low in sorted(offered, reverse=True)}
    near = difflib.get_close_matches(typed, [*offered, *cities], n=limit, cutoff=0.6)
    return [offered[low] for low in dict.fromkeys(cities.get(one, one) for one in near)]


def due_at(schedule: Schedule, local_date: dt.date) -> dt.datetime | None:
    """Return the instant at which a local date's edition is due; None where schedule or zone lacks that date."""
    if local_date.weekday() not in schedule.days:
        return None
    zone = zoneinfo.ZoneInfo(schedule.zone)
    wall = dt.datetime.combine(local_date, schedule.at, tzinfo=zone)
    instant = wall.replace(fold=0).astimezone(dt.UTC)
    # In a gap the round trip comes back later the same date; a date that never was comes back as another.
    return instant if instant.astimezone(zone).date() == local_date else None


def local_date(schedule: Schedule, instant: dt.datetime) -> dt.date:
    """Return the calendar date in the schedule's zone at ``instant``."""
    return instant.astimezone(zoneinfo.ZoneInfo(schedule.zone)).date()


def next_due(schedule: Schedule, after: dt.datetime) -> tuple[dt.datetime, dt.date]:
    """Return the first due moment later than ``after``, with the local date it belongs to."""
    date = local_date(schedule, after) - dt.timedelta(days=1)
    last = date + _FAR
    while date <= last:
        due = due_at(schedule, date)
        if due is not None and due > after:
            return due, date
        date += dt.timedelta(days=1)
    raise AssertionError("every weekday comes within a year")


def newest_due(schedule: Schedule, first: dt.datetime, now: dt.datetime) -> tuple[dt.datetime, dt.date]:
    """Return the latest due moment in ``first..now``, with its local date; ``first`` is one, not after ``now``."""
    newest = (first, local_date(schedule, first))
    date = local_date(schedule, now)
    while date > newest[1]:
        due = due_at(schedule, date)
        if due is not None and first <= due <= now:
            return due, date
        date -= dt.timedelta(days=1)
    return newest


@cache
def _zones() -> dict[str, str]:
    """Return every IANA name by its case-folded form; the parsed list does not change while we run."""
    return {name.casefold(): name for name in zoneinfo.available_timezones() if name not in {"localtime", "Factory"}}
