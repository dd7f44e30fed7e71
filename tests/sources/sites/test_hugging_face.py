"""Hugging Face's picks, day by day."""

import datetime as dt
from typing import Any

import pytest

from bot.errors import SourceError
from bot.sources.fetching import Validators
from bot.sources.sites.base import SiteState
from bot.sources.sites.hugging_face import HuggingFace
from tests.sources.sites.conftest import Net, answer, json

PICKS = [{"paper": {"id": "2603.00001", "title": "Harbours at Night"}, "title": "Harbours at Night"}]


def site(net: Net, day: dt.date | None = None) -> HuggingFace:
    return HuggingFace(day, now=net.clock, base=net.site.url())


def days(net: Net) -> list[str]:
    return [asked.query["date"] for asked in net.site.asked]


async def test_today_s_picks_are_read_when_no_day_is_named(net: Net):
    net.site.replays("/api/daily_papers", json(PICKS))

    (page,) = await net.pages(site(net))

    assert page.format_name == "json"
    assert net.site.asked[0].query == {"date": "2026-03-02", "limit": "100"}
    assert site(net).name == "huggingface"


async def test_a_named_day_is_read(net: Net):
    net.site.replays("/api/daily_papers", json(PICKS))
    named = site(net, dt.date(2024, 1, 15))

    await net.pages(named, SiteState(newest="2026-03-01"))

    assert days(net) == ["2024-01-15"]
    assert named.name == "huggingface 2024-01-15"


async def test_days_that_were_missed_are_caught_up_with(net: Net, clock: Any):
    state = SiteState()
    net.site.replays("/api/daily_papers", json(PICKS))
    await net.pages(site(net), state)
    clock.advance(days=2)

    await net.pages(site(net), state)

    # What was picked later on the first day is not lost.
    assert days(net) == ["2026-03-02", "2026-03-02", "2026-03-03", "2026-03-04"]


@pytest.mark.parametrize(
    ("newest", "first"),
    [("2025-01-01", "2026-02-24"), ("2026-03-09", "2026-03-02"), ("rubbish", "2026-03-02")],
)
async def test_a_long_pause_or_a_strange_clock_asks_for_few_days(net: Net, newest: str, first: str):
    net.site.replays("/api/daily_papers", json([]))

    await net.pages(site(net), SiteState(newest=newest))

    assert days(net)[0] == first
    assert days(net)[-1] == "2026-03-02"
    assert len(days(net)) <= 7


async def test_a_day_that_has_not_changed_is_not_sent_again(net: Net):
    state = SiteState()
    net.site.replays("/api/daily_papers", json(PICKS, etag='W/"one"'), answer(status=304))
    await net.pages(site(net), state)

    assert await net.pages(site(net), state) == []
    assert state.validators == {"2026-03-02": Validators(etag='W/"one"')}


@pytest.mark.parametrize("status", [400, 404])
async def test_a_day_without_a_list_is_said(net: Net, status: int):
    net.site.replays("/api/daily_papers", json({"error": "Invalid date"}, status))

    with pytest.raises(SourceError) as caught:
        await net.pages(site(net, dt.date(2999, 1, 1)))

    assert caught.value.sentence == "Hugging Face has no daily papers for 2999-01-01."
