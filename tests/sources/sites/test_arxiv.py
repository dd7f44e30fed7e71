"""arXiv's search and feeds, replayed page by page, with all the ways in which it says that it is tired."""

import datetime as dt
from pathlib import Path

import pytest

from bot.errors import SourceError
from bot.sources.fetching import Validators
from bot.sources.sites.arxiv import ArxivFeed, ArxivSearch
from bot.sources.sites.base import Page, SiteState
from tests.sources.sites.conftest import Net, Reply, answer, dropped

NEWEST = dt.datetime(2026, 3, 1, 18, 0, tzinfo=dt.UTC)
EMPTY_RSS = """<?xml version='1.0' encoding='UTF-8'?>
<rss xmlns:arxiv="http://arxiv.org/schemas/atom" version="2.0"><channel><title>cs.CL updates on arXiv.org</title>
<skipDays><day>Saturday</day><day>Sunday</day></skipDays></channel></rss>"""


def moment(number: int) -> str:
    """When paper ``number`` was submitted; 0 is the newest, and each is an hour older than the one before."""
    return (NEWEST - dt.timedelta(hours=number)).strftime("%Y-%m-%dT%H:%M:%SZ")


def atom(numbers: range, *, total: int) -> str:
    entries = "".join(
        f"""
  <entry>
    <id>http://arxiv.org/abs/2603.{number:05}v1</id>
    <title>Paper {number} on how entry and id look</title>
    <updated>{moment(0)}</updated>
    <summary>We write &lt;published&gt;2001-01-01T00:00:00Z&lt;/published&gt; and mean nothing by it.</summary>
    <published>{moment(number)}</published>
    <author><name>Ada Example</name></author>
  </entry>"""
        for number in numbers
    )
    return f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/abc</id>
  <title>arXiv Query: search_query=cat:cs.CL</title>
  <opensearch:itemsPerPage>{len(numbers)}</opensearch:itemsPerPage>
  <opensearch:totalResults>{total}</opensearch:totalResults>
  <opensearch:startIndex>{numbers.start}</opensearch:startIndex>{entries}
</feed>"""


def page(numbers: range, *, total: int) -> Reply:
    return answer(atom(numbers, total=total), content_type="application/atom+xml")


def search(net: Net, **options: object) -> ArxivSearch:
    return ArxivSearch("cat:cs.CL", name="arxiv cs.CL", **{"base": net.site.url("/api/query"), **options})  # type: ignore[arg-type]


def papers_in(pages: list[Page]) -> int:
    return sum(one.content.count(b"<entry>") for one in pages)


async def test_pages_are_turned_to_the_end(net: Net):
    net.site.replays(
        "/api/query", page(range(200), total=450), page(range(200, 400), total=450), page(range(400, 450), total=450)
    )

    pages = await net.pages(search(net))

    assert papers_in(pages) == 450
    assert [one.format_name for one in pages] == ["feed"] * 3
    assert [one.where for one in pages] == ["papers 1 to 200", "papers 201 to 400", "papers 401 to 450"]
    assert [(asked.query["start"], asked.query["max_results"]) for asked in net.site.asked] == [
        ("0", "200"),
        ("200", "200"),
        ("400", "100"),
    ]
    assert {
        (asked.query["search_query"], asked.query["sortBy"], asked.query["sortOrder"]) for asked in net.site.asked
    } == {("cat:cs.CL", "submittedDate", "descending")}


async def test_arxiv_is_asked_every_three_seconds_at_most(net: Net):
    net.site.replays("/api/query", page(range(2), total=4), page(range(2, 4), total=4))

    await net.pages(search(net, page_size=2), pace={"127.0.0.1": 3.0})

    assert net.waits.slept == [3.0]


async def test_no_more_papers_are_asked_for_than_the_limit(net: Net):
    net.site.replays("/api/query", page(range(200), total=9999), page(range(200, 250), total=9999))

    assert papers_in(await net.pages(search(net, limit=250))) == 250
    assert [asked.query["max_results"] for asked in net.site.asked] == ["200", "50"]


async def test_new_papers_beyond_the_limit_are_a_matter_for_the_log(net: Net, caplog: pytest.LogCaptureFixture):
    net.site.replays("/api/query", page(range(4), total=9999))
    await net.pages(search(net, limit=4))
    await net.pages(search(net, limit=4), SiteState(newest=moment(2)))
    assert caplog.messages == []

    await net.pages(search(net, limit=4), SiteState(newest=moment(50)))

    assert caplog.messages == ["more new papers at arXiv than the limit"]


async def test_short_pages_lose_no_paper(net: Net):
    net.site.replays("/api/query", page(range(3), total=6), page(range(3, 4), total=6), page(range(4, 6), total=6))

    assert papers_in(await net.pages(search(net, page_size=3))) == 6
    assert [asked.query["start"] for asked in net.site.asked] == ["0", "3", "4"]


async def test_the_next_time_it_is_read_back_to_what_was_new_the_last_time(net: Net):
    state = SiteState(newest=moment(3))
    net.site.replays("/api/query", page(range(2), total=99), page(range(2, 4), total=99), page(range(4, 6), total=99))

    pages = await net.pages(search(net, page_size=2), state)

    # Paper 3 is as old as what was known; only paper 4 is older.
    assert papers_in(pages) == 6
    assert len(net.site.asked) == 3
    assert state.newest == moment(0)


async def test_a_first_reading_remembers_the_newest_paper(net: Net):
    state = SiteState()
    net.site.replays("/api/query", page(range(3), total=3))

    await net.pages(search(net), state)

    assert state.newest == moment(0)


async def test_a_reading_that_is_broken_off_remembers_nothing(net: Net):
    state = SiteState(newest=moment(50))
    net.site.replays("/api/query", page(range(2), total=99), answer(status=503))

    with pytest.raises(SourceError):
        await net.pages(search(net, page_size=2), state)

    assert state.newest == moment(50)


TIRED = [
    pytest.param(answer(status=429), id="429"),
    pytest.param(answer("Rate exceeded.", 429), id="429 with words"),
    pytest.param(answer("Rate exceeded."), id="200 with words"),
    pytest.param(answer(status=503), id="503"),
    pytest.param(answer(status=406), id="406"),
    pytest.param(answer(""), id="nothing"),
    pytest.param(answer(" \n"), id="blank"),
    pytest.param(page(range(0), total=4), id="no entries"),
    pytest.param(dropped, id="dropped"),
]


@pytest.mark.parametrize("tired", TIRED)
async def test_arxiv_is_asked_again_when_it_is_tired(net: Net, tired: Reply):
    net.site.replays("/api/query", tired, page(range(2), total=4), tired, tired, page(range(2, 4), total=4))

    assert papers_in(await net.pages(search(net, page_size=2))) == 4


@pytest.mark.parametrize("tired", TIRED)
async def test_arxiv_being_tired_is_never_no_papers(net: Net, tired: Reply):
    state = SiteState(newest=moment(9))
    net.site.replays("/api/query", tired)

    with pytest.raises(SourceError) as caught:
        await net.pages(search(net), state)

    assert caught.value.sentence.startswith("arXiv ")
    assert caught.value.sentence.endswith("it was asked 5 times; try again later.")
    assert state.newest == moment(9)
    assert len(net.site.asked) == 5


async def test_arxiv_says_when_to_come_back(net: Net):
    net.site.replays("/api/query", answer(status=429, retry_after="40"))

    with pytest.raises(SourceError) as caught:
        await net.pages(search(net), deadline_seconds=30)

    assert caught.value.sentence == "arXiv asks us to slow down (429); it can be asked again in 40 s."


async def test_a_query_that_nothing_matches_brings_nothing(net: Net):
    state = SiteState()
    net.site.replays("/api/query", page(range(0), total=0))

    assert await net.pages(search(net), state) == []
    assert state.newest is None
    assert len(net.site.asked) == 1


async def test_a_category_without_any_paper_is_a_mistake(net: Net):
    net.site.replays("/api/query", page(range(0), total=0))

    with pytest.raises(SourceError) as caught:
        await net.pages(search(net, must_match=True))

    assert caught.value.sentence == "arXiv knows no papers for “cat:cs.CL”; check how it is written."


async def test_nothing_at_all_is_not_believed_where_there_was_something(net: Net):
    net.site.replays("/api/query", page(range(0), total=0), page(range(2), total=2))

    assert papers_in(await net.pages(search(net), SiteState(newest=moment(5)))) == 2


async def test_a_page_that_repeats_ends_the_reading(net: Net):
    net.site.replays("/api/query", page(range(2), total=99))

    with pytest.raises(SourceError, match="same page again"):
        await net.pages(search(net, page_size=2))

    assert len(net.site.asked) == 2


async def test_pages_may_overlap_when_papers_appear_meanwhile(net: Net):
    net.site.replays("/api/query", page(range(3), total=5), page(range(2, 5), total=6))

    assert papers_in(await net.pages(search(net, page_size=3))) == 6


@pytest.mark.parametrize("status", [200, 400])
async def test_arxiv_s_own_reason_is_said(net: Net, status: int):
    error = """<feed xmlns="http://www.w3.org/2005/Atom">
  <opensearch:totalResults xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">1</opensearch:totalResults>
  <entry><id>https://arxiv.org/api/errors#incorrect_id_format_for_abc</id><title>Error</title>
  <summary>incorrect id format
  for &quot;abc&quot;</summary></entry></feed>"""
    net.site.replays("/api/query", answer(error, status))

    with pytest.raises(SourceError) as caught:
        await net.pages(search(net))

    assert caught.value.sentence == 'arXiv refuses the query: incorrect id format for "abc".'
    assert len(net.site.asked) == 1


@pytest.mark.parametrize(("status", "content"), [(200, "<html>Sorry</html>"), (200, "\0\xff"), (400, "Bad Request")])
async def test_what_is_no_list_is_an_error(net: Net, status: int, content: str):
    net.site.replays("/api/query", answer(content, status))

    with pytest.raises(SourceError):
        await net.pages(search(net))

    assert len(net.site.asked) == 1


async def test_real_pages_are_understood(net: Net, shared_data: Path):
    samples = shared_data / "samples"
    net.site.replays("/api/query", answer((samples / "arxiv_atom_search10.xml").read_bytes()))
    state = SiteState()

    assert papers_in(await net.pages(search(net, limit=10), state)) == 10
    assert state.newest is not None
    assert len(net.site.asked) == 1


async def test_a_real_empty_page_and_a_real_error_are_understood(net: Net, shared_data: Path):
    samples = shared_data / "samples"
    net.site.replays("/api/query", answer((samples / "arxiv_atom_empty.xml").read_bytes()))
    assert await net.pages(search(net)) == []

    net.site.replays("/api/query", answer((samples / "arxiv_atom_error_bad_id.xml").read_bytes()))
    with pytest.raises(SourceError, match="incorrect id format for abc"):
        await net.pages(search(net))


# The daily feed


async def test_a_feed_is_fetched_once_while_it_does_not_change(net: Net):
    state = SiteState()
    net.site.replays("/rss/cs.CL+cs.LG", answer(EMPTY_RSS, etag='"monday"'), answer(status=304))
    feed = ArxivFeed(["cs.CL", "cs.LG"], base=net.site.url("/rss"))

    first = await net.pages(feed, state)
    second = await net.pages(feed, state)

    assert [(one.content, one.format_name) for one in first] == [(EMPTY_RSS.encode(), "feed")]
    assert second == []
    assert net.site.asked[1].headers["if-none-match"] == '"monday"'
    assert state.validators == {"feed": Validators(etag='"monday"')}
    assert feed.name == "arxiv-rss cs.CL+cs.LG"


@pytest.mark.parametrize("tired", [answer(""), answer(status=406), answer(status=429), dropped])
async def test_a_feed_is_asked_for_again_when_arxiv_is_tired(net: Net, tired: Reply):
    net.site.replays("/rss/cs.CL", tired, answer(EMPTY_RSS))

    assert len(await net.pages(ArxivFeed(["cs.CL"], base=net.site.url("/rss")))) == 1


@pytest.mark.parametrize("status", [400, 404])
async def test_a_feed_of_no_category_is_said(net: Net, status: int):
    net.site.replays("/rss/cs.QQ", answer("Invalid", status))

    with pytest.raises(SourceError) as caught:
        await net.pages(ArxivFeed(["cs.QQ"], base=net.site.url("/rss")))

    assert caught.value.sentence == "arXiv has no feed for cs.QQ; check the category."
