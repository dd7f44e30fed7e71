import datetime as dt
import itertools
import zoneinfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.digests.schedule import (
    due_at,
    local_date,
    newest_due,
    next_due,
    parse_days,
    parse_time,
    parse_zone,
    zones_like,
)
from bot.errors import InvalidInput
from bot.models import Schedule

EVERY_DAY = frozenset(range(7))


def daily(at: str, zone: str) -> Schedule:
    return Schedule(days=EVERY_DAY, at=dt.time.fromisoformat(at), zone=zone)


def utc(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("weekdays", {0, 1, 2, 3, 4}),
        ("Daily", EVERY_DAY),
        ("every day", EVERY_DAY),
        ("weekends", {5, 6}),
        ("mon,thu", {0, 3}),
        ("Monday, Thursday", {0, 3}),
        ("Tuesdays and Fridays", {1, 4}),
        ("tues; WED.", {1, 2}),
        ("on sundays", {6}),
        ("weekdays, sat", {0, 1, 2, 3, 4, 5}),
    ],
)
def test_days_are_read_as_people_write_them(text: str, days: set[int]) -> None:
    assert parse_days(text) == days


@pytest.mark.parametrize("text", ["", "  ", ",", "someday", "t", "s", "mon-fri-x", "2", "@everyone", "mondaymonday"])
def test_what_is_no_day_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(InvalidInput, match="weekdays"):
        parse_days(text)


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("8:30", dt.time(8, 30)),
        ("08:30", dt.time(8, 30)),
        ("8am", dt.time(8)),
        ("12am", dt.time(0)),
        ("12 pm", dt.time(12)),
        ("8.30 pm", dt.time(20, 30)),
        ("8:30 p.m.", dt.time(20, 30)),
        ("0900", dt.time(9)),
        ("00:00", dt.time(0)),
        ("23:59", dt.time(23, 59)),
        (" 17h05 ", dt.time(17, 5)),
    ],
)
def test_times_are_read_as_people_write_them(text: str, time: dt.time) -> None:
    assert parse_time(text) == time


@pytest.mark.parametrize("text", ["", "25:99", "24:00", "9:60", "13pm", "0am", "9", "noon", "9:5", "1:2:3", "-1:00"])
def test_what_is_no_time_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(InvalidInput, match="09:00 or 9am"):
        parse_time(text)


@pytest.mark.parametrize(
    ("text", "zone"),
    [("europe/berlin", "Europe/Berlin"), ("AMERICA/new york", "America/New_York"), ("utc", "UTC"), ("UTC ", "UTC")],
)
def test_a_zone_comes_back_in_its_own_spelling(text: str, zone: str) -> None:
    assert parse_zone(text) == zone


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Europe/Berlln", "Europe/Berlin"),
        ("Berlin", "Europe/Berlin"),
        ("EST", "America/New_York"),
        ("pst", "America/Los_Angeles"),
        ("", "Europe/Berlin"),
        ("GMT-8", "Europe/Berlin"),
        ("GMT+0100", "Europe/Berlin"),
        ("localtime", "Did you mean"),
        ("../../etc/passwd", "Europe/Berlin"),
    ],
)
def test_a_name_that_is_no_place_is_refused_with_a_hint(text: str, meant: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        parse_zone(text)
    assert meant in refused.value.sentence


def test_zones_complete_by_city_first() -> None:
    assert zones_like("berl", limit=5)[0] == "Europe/Berlin"
    assert zones_like("new y", limit=5)[0] == "America/New_York"
    assert "America/Toronto" in zones_like("toronot", limit=5)
    assert len(zones_like("a", limit=25)) == 25
    assert zones_like("", limit=3)


@pytest.mark.parametrize(
    ("zone", "at", "date", "due"),
    [
        ("Europe/Berlin", "09:00", "2026-01-15", "2026-01-15T08:00"),
        ("Europe/Berlin", "09:00", "2026-07-15", "2026-07-15T07:00"),
        # 02:00 becomes 03:00; 02:30 is skipped and falls on 03:30.
        ("Europe/Berlin", "02:30", "2026-03-29", "2026-03-29T01:30"),
        # 03:00 becomes 02:00; 02:30 comes twice, first in summer time.
        ("Europe/Berlin", "02:30", "2026-10-25", "2026-10-25T00:30"),
        ("America/New_York", "02:30", "2026-03-08", "2026-03-08T07:30"),
        ("America/New_York", "01:30", "2026-11-01", "2026-11-01T05:30"),
        # Havana skips midnight itself.
        ("America/Havana", "00:00", "2026-03-08", "2026-03-08T05:00"),
        ("America/Havana", "00:30", "2026-11-01", "2026-11-01T04:30"),
        # Lord Howe moves by half an hour.
        ("Australia/Lord_Howe", "02:15", "2026-10-04", "2026-10-03T15:45"),
        ("Australia/Lord_Howe", "01:45", "2026-04-05", "2026-04-04T14:45"),
        ("Pacific/Apia", "09:00", "2011-12-29", "2011-12-29T19:00"),
        ("Pacific/Apia", "09:00", "2011-12-31", "2011-12-30T19:00"),
    ],
)
def test_the_due_moment_follows_the_zone(zone: str, at: str, date: str, due: str) -> None:
    assert due_at(daily(at, zone), dt.date.fromisoformat(date)) == utc(due)


def test_a_date_that_a_zone_never_had_is_not_due() -> None:
    schedule = daily("09:00", "Pacific/Apia")
    assert due_at(schedule, dt.date(2011, 12, 30)) is None
    assert next_due(schedule, utc("2011-12-29T19:00")) == (utc("2011-12-30T19:00"), dt.date(2011, 12, 31))


def test_a_day_off_the_schedule_is_not_due() -> None:
    mondays = Schedule(days=frozenset({0}), at=dt.time(9), zone="UTC")
    assert due_at(mondays, dt.date(2026, 3, 3)) is None
    assert next_due(mondays, utc("2026-03-02T09:00")) == (utc("2026-03-09T09:00"), dt.date(2026, 3, 9))
    assert next_due(mondays, utc("2026-03-02T08:59:59")) == (utc("2026-03-02T09:00"), dt.date(2026, 3, 2))


def test_the_newest_due_moment_is_found_over_a_long_downtime() -> None:
    schedule = daily("09:00", "UTC")
    first = utc("2026-03-02T09:00")
    assert newest_due(schedule, first, utc("2026-03-30T08:00")) == (utc("2026-03-29T09:00"), dt.date(2026, 3, 29))
    assert newest_due(schedule, first, first) == (first, dt.date(2026, 3, 2))


ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "America/Havana",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Asia/Beirut",
    "Africa/Casablanca",
    "America/Santiago",
    "Atlantic/Azores",
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
    "UTC",
)


@given(
    zone=st.sampled_from(ZONES),
    minute=st.integers(0, 24 * 60 - 1),
    start=st.dates(dt.date(2011, 1, 1), dt.date(2026, 12, 1)),
)
def test_each_date_that_exists_is_due_exactly_once_and_in_order(zone: str, minute: int, start: dt.date) -> None:
    schedule = Schedule(days=EVERY_DAY, at=dt.time(minute // 60, minute % 60), zone=zone)
    instant = dt.datetime.combine(start, dt.time(), tzinfo=zoneinfo.ZoneInfo(zone)).astimezone(dt.UTC)
    instant -= dt.timedelta(days=1)
    dates: list[dt.date] = []
    for _ in range(40):
        due, date = next_due(schedule, instant)
        assert due > instant
        assert local_date(schedule, due) == date
        dates.append(date)
        instant = due
    apart = [(later - earlier).days for earlier, later in itertools.pairwise(dates)]
    gone = zone == "Pacific/Apia" and dates[0] < dt.date(2011, 12, 30) < dates[-1]
    assert sorted(apart) == [1] * 38 + [2 if gone else 1]


@pytest.mark.parametrize("zone", ZONES)
def test_no_date_around_a_change_of_the_clocks_is_lost_or_doubled(zone: str) -> None:
    for at in ("00:00", "00:30", "02:00", "02:30", "23:30"):
        schedule = daily(at, zone)
        due = [due_at(schedule, dt.date(2026, 1, 1) + dt.timedelta(days=day)) for day in range(365)]
        assert all(due)
        assert sorted(set(due)) == due
