"""Ids that sort by time."""

import datetime as dt
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.discord_server.snowflakes import EPOCH, Snowflakes, at, moment_of


def test_ids_differ_and_sort_while_the_clock_stands(clock: Any) -> None:
    new_id = Snowflakes(clock)
    made = [new_id() for _ in range(1000)]
    assert made == sorted(set(made))
    assert moment_of(made[0]) == clock()


LAST = dt.datetime(2100, 1, 1, tzinfo=dt.UTC)


@given(st.datetimes(EPOCH.replace(tzinfo=None), LAST.replace(tzinfo=None), timezones=st.just(dt.UTC)))
def test_an_id_keeps_its_moment_to_the_millisecond(moment: dt.datetime) -> None:
    assert dt.timedelta(0) <= moment - moment_of(at(moment)) < dt.timedelta(milliseconds=1)
