"""From what a person writes to the site that is meant, and to the right words where none is."""

from typing import Any

import pytest

from bot.errors import InvalidInput
from bot.sources.sites.base import Site
from bot.sources.sites.openreview import Account
from bot.sources.sites.specs import EXAMPLES, Places, site
from tests.sources.sites.conftest import Net, answer, json

EMPTY_ATOM = "<feed><opensearch:totalResults>0</opensearch:totalResults></feed>"


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("arxiv:cs.CL", "arxiv cs.CL"),
        (" arXiv: cs.cl ", "arxiv cs.CL"),
        ("arxiv:cs.CL+cs.LG", "arxiv cs.CL+cs.LG"),
        ("arxiv:cs.CL, cs.LG, cs.CL", "arxiv cs.CL+cs.LG"),
        ("arxiv:all:diffusion AND cat:cs.CV", "arxiv all:diffusion AND cat:cs.CV"),
        ("arxiv-rss:cs.CL", "arxiv-rss cs.CL"),
        ("arxiv-rss:cs.CL+stat.ML", "arxiv-rss cs.CL+stat.ML"),
        ("openreview:ICLR.cc/2024/Conference", "openreview ICLR.cc/2024/Conference"),
        ("openreview:TMLR", "openreview TMLR"),
        ("papercopilot:iclr/2024", "papercopilot iclr/2024"),
        ("papercopilot:NeurIPS/2023", "papercopilot nips/2023"),
        ("huggingface", "huggingface"),
        ("HuggingFace:", "huggingface"),
        ("huggingface:2024-01-15", "huggingface 2024-01-15"),
        ("https://example.org/feed.xml", "example.org/feed.xml"),
        ("http://example.org/feed.xml", "example.org/feed.xml"),
    ],
)
def test_a_site_is_known_by_its_spec(spec: str, name: str, clock: Any):
    found = site(spec, now=clock)

    assert found is not None
    assert found.name == name


@pytest.mark.parametrize("spec", EXAMPLES.values())
def test_every_example_is_a_site(spec: str, clock: Any):
    assert site(spec, now=clock) is not None


@pytest.mark.parametrize(
    "spec",
    ["papers.jsonl", "-", "", "./arxiv", "/data/iclr2024.jsonl.gz", "C:\\papers\\list.txt", "archive", "face", "a:b"],
)
def test_a_file_is_no_site(spec: str, clock: Any):
    assert site(spec, now=clock) is None


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("arxv:cs.CL", "There is no source “arxv”; did you mean arxiv:cs.CL?"),
        ("arxiv_rss:cs.CL", "did you mean arxiv-rss:cs.CL?"),
        ("open-review:ICLR.cc/2024/Conference", "did you mean openreview:ICLR.cc/2024/Conference?"),
        ("papercoplot:iclr/2024", "did you mean papercopilot:iclr/2024?"),
        ("hugingface", "did you mean huggingface?"),
        ("hugging-face:2024-01-15", "did you mean huggingface:2024-01-15?"),
        ("htps://example.org/x", "did you mean https://example.org/x?"),
        ("arxiv", "such as arxiv:cs.CL"),
        ("arxiv:", "such as arxiv:cs.CL"),
        ("openreview", "such as openreview:ICLR.cc/2024/Conference"),
        ("arxiv:ca.CL", "arXiv has no archive “ca”; did you mean arxiv:cs.CL?"),
        ("arxiv:cs.CL+maths.AG", "did you mean arxiv:math.AG?"),
        ("arxiv:2401.01234", "is not a category of arXiv; one looks like arxiv:cs.CL"),
        ("arxiv:diffusion models", "A query names its fields, such as arxiv:all:diffusion."),
        ("arxiv-rss:all:diffusion", "one looks like arxiv-rss:cs.CL"),
        ("openreview:ICLR 2024", "one looks like openreview:ICLR.cc/2024/Conference"),
        ("papercopilot:iclr2024", "one looks like papercopilot:iclr/2024"),
        ("papercopilot:../2024", "one looks like papercopilot:iclr/2024"),
        ("huggingface:yesterday", "one looks like huggingface:2024-01-15"),
        ("huggingface:2024-02-30", "is not a day"),
        ("https:example.org", "one looks like https://example.org/feed.xml"),
        ("https://[::1", "not a whole web address"),
        ("https://ada:secret@example.org/feed", "user name or a password"),
        ("ftp://example.org/feed", "begin with http:// or https://"),
        ("file:///etc/passwd", "begin with http:// or https://"),
        ("arxiv:all:" + "x" * 2000, "too long"),
    ],
)
def test_what_is_almost_a_site_is_said_rightly(spec: str, said: str, clock: Any):
    with pytest.raises(InvalidInput) as caught:
        site(spec, now=clock)

    assert said in caught.value.sentence
    assert "secret" not in caught.value.sentence
    assert len(caught.value.sentence) <= 200


@pytest.mark.parametrize(
    ("spec", "query"),
    [
        ("arxiv:cs.CL", "cat:cs.CL"),
        ("arxiv:cs.CL+cs.LG", "cat:cs.CL OR cat:cs.LG"),
        ("arxiv:cs", "cat:cs.*"),
        ("arxiv:quant-ph", "cat:quant-ph"),
        ("arxiv:COND-MAT.STR-EL", "cat:cond-mat.str-el"),
        ("arxiv:physics.optics", "cat:physics.optics"),
        ("arxiv:astro-ph.he", "cat:astro-ph.HE"),
        ('arxiv:ti:"tidal residuals" ANDNOT cat:cs.CV', 'ti:"tidal residuals" ANDNOT cat:cs.CV'),
        ("arxiv:all:a+b&max_results=9", "all:a+b&max_results=9"),
    ],
)
async def test_arxiv_is_asked_in_its_own_language(net: Net, spec: str, query: str):
    net.site.replays(
        "/api", answer(EMPTY_ATOM.replace(">0<", ">1<").replace("</feed>", "<entry><id>a</id></entry></feed>"))
    )

    await net.pages(made(net, spec))

    assert net.site.asked[0].query["search_query"] == query
    assert net.site.asked[0].query["max_results"] == "7"


async def test_the_account_is_for_openreview(net: Net):
    net.site.replays("/or/login", json({"token": "t"}))
    net.site.replays("/or/notes", json({"notes": [{"id": "a"}], "count": 1}))

    await net.pages(made(net, "openreview:ICLR.cc/2024/Conference"))

    assert [asked.path for asked in net.site.asked] == ["/or/login", "/or/notes"]


async def test_sites_are_where_the_settings_say(net: Net):
    net.site.replays("/rss/cs.CL", answer("<rss/>"))
    net.site.replays("/lists/iclr/iclr2024.json", json([]))
    net.site.replays("/hf/api/daily_papers", json([]))

    for spec in ("arxiv-rss:cs.CL", "papercopilot:iclr/2024", "huggingface", "huggingface:2024-01-15"):
        assert len(await net.pages(made(net, spec))) == 1


def made(net: Net, spec: str) -> Site:
    places = Places(
        arxiv_api=net.site.url("/api"),
        arxiv_rss=net.site.url("/rss"),
        openreview=net.site.url("/or"),
        papercopilot=net.site.url("/lists"),
        hugging_face=net.site.url("/hf"),
    )
    found = site(spec, now=net.clock, account=Account(user="ada", password="x"), limit=7, places=places)
    assert found is not None
    return found
