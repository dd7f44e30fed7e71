"""Papercopilot's lists, one file each."""

import pytest

from bot.errors import SourceError
from bot.sources.base import Defaults
from bot.sources.fetching import Validators
from bot.sources.sites.base import SiteState
from bot.sources.sites.papercopilot import PaperCopilot
from tests.sources.sites.conftest import Net, answer, json

LIST = [{"id": "abc", "title": "Harbours at Night", "status": "Poster", "author": "Ada Example"}]


async def test_a_list_brings_its_venue_and_year(net: Net):
    net.site.replays("/main/iclr/iclr2024.json", json(LIST, content_type="text/plain"))

    (page,) = await net.pages(PaperCopilot("ICLR", 2024, base=net.site.url("/main/")))

    assert page.format_name == "json"
    assert page.defaults == Defaults(venue="ICLR", year=2024)


@pytest.mark.parametrize(
    ("conference", "path", "venue"),
    [
        ("NeurIPS", "/nips/nips2023.json", "NeurIPS"),
        ("nips", "/nips/nips2023.json", "NeurIPS"),
        ("corl", "/corl/corl2023.json", "CoRL"),
        ("3dv", "/3dv/3dv2023.json", "3DV"),
    ],
)
async def test_a_conference_goes_by_its_usual_name(net: Net, conference: str, path: str, venue: str):
    net.site.replays(path, json(LIST))

    (page,) = await net.pages(PaperCopilot(conference, 2023, base=net.site.url()))

    assert page.defaults == Defaults(venue=venue, year=2023)


async def test_a_list_is_fetched_once_while_it_does_not_change(net: Net):
    state = SiteState()
    net.site.replays("/iclr/iclr2024.json", json(LIST, etag='W/"one"'), answer(status=304))
    site = PaperCopilot("iclr", 2024, base=net.site.url())

    assert len(await net.pages(site, state)) == 1
    assert await net.pages(site, state) == []
    assert state.validators == {"list": Validators(etag='W/"one"')}
    assert net.site.asked[1].headers["if-none-match"] == 'W/"one"'


async def test_a_list_that_is_not_there_is_said(net: Net):
    with pytest.raises(SourceError) as caught:
        await net.pages(PaperCopilot("iclr", 1999, base=net.site.url()))

    assert caught.value.sentence == "There is no list for ICLR 1999 at Papercopilot."
    assert len(net.site.asked) == 1
