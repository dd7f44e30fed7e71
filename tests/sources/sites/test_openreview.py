"""OpenReview's second API: logging in, being turned away, and turning pages."""

import json as jsons
from pathlib import Path
from typing import Any

import pytest

from bot.errors import SourceError
from bot.sources.base import Defaults
from bot.sources.sites.base import SiteState
from bot.sources.sites.openreview import Account, OpenReview
from tests.sources.sites.conftest import Net, Reply, answer, json

VENUE = "ICLR.cc/2024/Conference"
ACCOUNT = Account(user="ada@example.org", password="hush-hush")
TOKEN = json({"token": "abc.def.ghi", "user": {"profile": {"id": "~Ada_Example1"}}})
CHALLENGE = {"name": "ChallengeRequiredError", "message": "Challenge required", "status": 403, "details": {}}


def notes(numbers: range, *, count: int | None = None) -> Reply:
    found: dict[str, Any] = {
        "notes": [
            {"id": f"note{number}", "forum": f"note{number}", "content": {"title": {"value": f"Paper {number}"}}}
            for number in numbers
        ]
    }
    return json(found if count is None else {**found, "count": count})


def openreview(net: Net, *, account: Account | None = ACCOUNT, venue: str = VENUE) -> OpenReview:
    net.site.replays("/login", TOKEN)
    return OpenReview(venue, account=account, base=net.site.url())


async def refusal(net: Net, site: OpenReview) -> str:
    with pytest.raises(SourceError) as caught:
        await net.pages(site)
    for secret in (ACCOUNT.user, ACCOUNT.password, "abc.def.ghi"):
        assert secret not in caught.value.sentence
    assert len(caught.value.sentence) <= 200
    return caught.value.sentence


async def test_whoever_logs_in_reads_all_pages(net: Net):
    site = openreview(net)
    net.site.replays("/notes", notes(range(1000), count=1500), notes(range(1000, 1500), count=1500))

    pages = await net.pages(site)

    assert [len(jsons.loads(one.content)["notes"]) for one in pages] == [1000, 500]
    assert [(one.format_name, one.defaults) for one in pages] == [("json", Defaults(venue="ICLR", year=2024))] * 2
    login, *asked = net.site.asked
    assert (login.method, jsons.loads(login.body)) == ("POST", {"id": ACCOUNT.user, "password": ACCOUNT.password})
    assert [one.query for one in asked] == [
        {"content.venueid": VENUE, "limit": "1000", "offset": "0"},
        {"content.venueid": VENUE, "limit": "1000", "offset": "1000"},
    ]
    assert {one.headers["authorization"] for one in asked} == {"Bearer abc.def.ghi"}
    assert site.name == "openreview ICLR.cc/2024/Conference"


async def test_a_stranger_reads_where_openreview_lets_one(net: Net):
    site = openreview(net, account=None)
    net.site.replays("/notes", notes(range(2), count=2))

    assert len(await net.pages(site)) == 1
    assert "authorization" not in net.site.asked[0].headers


async def test_without_a_count_pages_are_turned_until_one_is_empty(net: Net):
    site = openreview(net)
    net.site.replays("/notes", notes(range(1000)), notes(range(1000, 1003)), notes(range(0)))

    assert len(await net.pages(site)) == 2
    assert net.site.asked[-1].query["offset"] == "1003"


@pytest.mark.parametrize(
    "reply",
    [
        json(CHALLENGE, 403),
        json(CHALLENGE),
        json({"name": "ForbiddenError", "message": "Forbidden"}, 403),
        answer(status=401),
        answer("<!doctype html><title>Just a moment...</title>", 403, content_type="text/html"),
        answer("<!doctype html><title>Just a moment...</title>", content_type="text/html"),
        answer("\n<html></html>", content_type="text/plain"),
    ],
)
async def test_a_stranger_is_told_to_log_in(net: Net, reply: Reply):
    site = openreview(net, account=None)
    net.site.replays("/notes", reply)

    assert await refusal(net, site) == (
        "OpenReview answers only those who log in: set sources.openreview_user and sources.openreview_password."
    )
    assert len(net.site.asked) == 1


@pytest.mark.parametrize("status", [400, 401, 403])
async def test_a_wrong_password_is_said(net: Net, status: int):
    site = openreview(net)
    net.site.replays("/login", json({"name": "Error", "message": "Invalid username or password"}, status))

    assert await refusal(net, site) == (
        "OpenReview does not know this user or password: check sources.openreview_user and sources.openreview_password."
    )
    assert [asked.path for asked in net.site.asked] == ["/login"]


@pytest.mark.parametrize("reply", [json(CHALLENGE, 403), answer("<html>", 403, content_type="text/html")])
async def test_a_login_that_wants_a_browser_is_no_wrong_password(net: Net, reply: Reply):
    site = openreview(net)
    net.site.replays("/login", reply)

    assert "browser" in await refusal(net, site)


@pytest.mark.parametrize("said", [{"mfaPending": True}, {"token": None}, {"token": "two\nlines"}, [], {}])
async def test_a_login_without_a_token_is_said(net: Net, said: object):
    site = openreview(net)
    net.site.replays("/login", json(said))

    assert "more than a password" in await refusal(net, site)


async def test_an_account_that_may_not_see_the_venue_is_said(net: Net):
    site = openreview(net)
    net.site.replays("/notes", json({"name": "ForbiddenError"}, 403))

    assert await refusal(net, site) == "OpenReview does not show “ICLR.cc/2024/Conference” to this account."


@pytest.mark.parametrize("reply", [notes(range(0), count=0), notes(range(0)), json({"name": "Error"}, 400)])
async def test_a_venue_that_is_not_there_is_said(net: Net, reply: Reply):
    site = openreview(net, venue="ICLR.cc/2424/Conference")
    net.site.replays("/notes", reply)

    assert "“ICLR.cc/2424/Conference”; check how it is spelt" in await refusal(net, site)


async def test_a_page_that_repeats_ends_the_reading(net: Net):
    site = openreview(net)
    net.site.replays("/notes", notes(range(1000)))

    assert "same page again" in await refusal(net, site)
    assert len(net.site.asked) == 3


async def test_pages_that_end_too_soon_are_an_error(net: Net):
    site = openreview(net)
    net.site.replays("/notes", notes(range(1000), count=2500), notes(range(0), count=2500))

    assert await refusal(net, site) == "OpenReview sent 1000 of 2500 papers and then none; try again later."


@pytest.mark.parametrize("reply", [answer("{"), answer(""), json([]), json({"notes": 3}), answer("[" * 100_000)])
async def test_what_is_no_list_of_notes_is_an_error(net: Net, reply: Reply):
    site = openreview(net)
    net.site.replays("/notes", reply)

    assert "cannot be read" in await refusal(net, site)


async def test_openreview_is_asked_again_when_it_is_tired(net: Net):
    site = openreview(net)
    tired = json({"name": "RateLimitError", "message": "Too many requests"}, 429, retry_after="20")
    net.site.replays("/login", tired, TOKEN)
    net.site.replays("/notes", tired, notes(range(3), count=3))

    assert len(await net.pages(site)) == 1
    assert net.waits.slept.count(20.0) == 2


async def test_a_reading_that_is_broken_off_remembers_nothing(net: Net):
    site = openreview(net)
    state = SiteState()
    net.site.replays("/notes", notes(range(1000), count=2000), json(CHALLENGE, 403))

    with pytest.raises(SourceError):
        await net.pages(site, state)

    assert state == SiteState()


@pytest.mark.parametrize(
    ("venue", "defaults"),
    [
        ("NeurIPS.cc/2023/Conference", Defaults(venue="NeurIPS", year=2023)),
        ("aclweb.org/ACL/2025/Conference", Defaults(venue="ACL", year=2025)),
        ("ICLR.cc/2024/Workshop/ME-FoMo", Defaults(venue="ICLR", year=2024)),
        ("robot-learning.org/CoRL/2023/Conference", Defaults(venue="CoRL", year=2023)),
        ("acm.org/Somewhere/Else", Defaults()),
        ("TMLR", Defaults(venue="TMLR")),
    ],
)
async def test_the_venue_s_name_says_what_its_papers_do_not(net: Net, venue: str, defaults: Defaults):
    site = openreview(net, venue=venue)
    net.site.replays("/notes", notes(range(1), count=1))

    assert [one.defaults for one in await net.pages(site)] == [defaults]


async def test_an_account_does_not_show_itself():
    assert repr(ACCOUNT) == str(ACCOUNT) == "Account(********)"


async def test_real_notes_are_understood(net: Net, shared_data: Path):
    site = openreview(net)
    content = (shared_data / "samples" / "openreview_v2_notes_iclr2024_reconstructed.json").read_bytes()
    net.site.replays("/notes", answer(content, content_type="application/json"), notes(range(0)))

    assert [one.content for one in await net.pages(site)] == [content]
