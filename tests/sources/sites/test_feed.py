"""Any address as a source."""

import gzip

import pytest

from bot.errors import SourceError
from bot.sources.base import Defaults
from bot.sources.fetching import Validators
from bot.sources.sites.base import SiteState
from bot.sources.sites.feed import Feed
from tests.sources.sites.conftest import Net, answer

RSS = "<rss version='2.0'><channel><item><title>Harbours at Night</title></item></channel></rss>"


async def test_a_file_is_read_in_whatever_format_it_shows(net: Net):
    net.site.replays("/papers", answer(RSS))

    (page,) = await net.pages(Feed(net.site.url("/papers"), defaults=Defaults(venue="ICLR")))

    assert (page.content, page.format_name, page.defaults) == (RSS.encode(), None, Defaults(venue="ICLR"))
    assert page.where == f"127.0.0.1:{net.site.port}/papers"


async def test_a_packed_file_comes_as_it_is(net: Net):
    packed = gzip.compress(b'{"title": "Harbours at Night"}\n')
    net.site.replays("/papers.jsonl.gz", answer(packed, content_type="application/gzip"))

    (page,) = await net.pages(Feed(net.site.url("/papers.jsonl.gz")))

    assert page.content == packed


async def test_a_file_is_fetched_once_while_it_does_not_change(net: Net):
    state = SiteState()
    since = "Mon, 02 Mar 2026 05:00:00 GMT"
    net.site.replays("/feed", answer(RSS, last_modified=since), answer(status=304), answer(RSS + " ", etag='"b"'))
    feed = Feed(net.site.url("/feed"))

    assert len(await net.pages(feed, state)) == 1
    assert await net.pages(feed, state) == []
    assert len(await net.pages(feed, state)) == 1

    assert [asked.headers.get("if-modified-since") for asked in net.site.asked] == [None, since, since]
    assert state.validators == {"feed": Validators(etag='"b"')}


async def test_whoever_stops_reading_gets_the_file_again(net: Net):
    state = SiteState()
    net.site.replays("/feed", answer(RSS, etag='"a"'))

    async with net.fetcher() as fetcher:
        pages = Feed(net.site.url("/feed")).pages(fetcher, state)
        await anext(pages)
        await pages.aclose()

    assert state == SiteState()


async def test_an_empty_file_is_an_error(net: Net):
    net.site.replays("/feed", answer("\n"))

    with pytest.raises(SourceError, match="is empty"):
        await net.pages(Feed(net.site.url("/feed")))


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://Example.org/feed.xml", "example.org/feed.xml"),
        ("https://example.org", "example.org"),
        ("https://example.org/", "example.org"),
        ("http://example.org:8080/a%20b", "example.org:8080/a b"),
    ],
)
def test_a_file_is_called_by_its_address(url: str, name: str):
    assert Feed(url).name == name


def test_a_key_in_an_address_is_not_shown_and_still_tells_feeds_apart():
    one, other = Feed("https://example.org/feed?key=secret1"), Feed("https://example.org/feed?key=secret2")

    assert one.name != other.name
    assert one.name == Feed("https://example.org/feed?key=secret1").name
    assert "secret" not in one.name
