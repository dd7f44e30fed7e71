"""Asking a real server on loopback that misbehaves in every way; no wait costs time."""

import asyncio
import datetime as dt
import gzip
import ipaddress
import itertools
import socket
import ssl
import traceback
import zlib
from collections.abc import AsyncIterator
from typing import Any

import pytest
import trustme

from bot.errors import SourceError
from bot.sources.addresses import is_public, literal
from bot.sources.fetching import ATTEMPTS, MOST_REDIRECTS, Fetched, Validators
from tests.sources.sites.conftest import Net, Reply, Table, answer, dropped, json, opened, silent, streamed


@pytest.fixture
async def net(clock: Any) -> AsyncIterator[Net]:
    async with opened(clock) as ready:
        yield ready


async def fetched(net: Net, path: str = "/x", *, host: str = "127.0.0.1", **options: Any) -> Fetched:
    asks = ("headers", "seen", "method", "json", "name", "answers", "throttled")
    of_get = {name: options.pop(name) for name in asks if name in options}
    async with net.fetcher(**options) as fetcher:
        return await fetcher.get(net.site.url(path, host), **of_get)


async def refused(net: Net, path: str = "/x", **options: Any) -> SourceError:
    with pytest.raises(SourceError) as caught:
        await fetched(net, path, **options)
    assert len(caught.value.sentence) <= 200
    return caught.value


# What an answer is


async def test_an_answer_comes_with_its_type_and_validators(net: Net):
    net.site.replays("/x", answer("<rss/>", content_type="Application/RSS+xml; charset=utf-8", etag='"a1"'))

    found = await fetched(net)

    assert (found.status, found.content, found.content_type) == (200, b"<rss/>", "application/rss+xml")
    assert found.validators == Validators(etag='"a1"')
    assert found.url == net.site.url("/x")
    assert not found.not_modified


async def test_who_asks_is_said(net: Net):
    net.site.replays("/x", answer("x"))

    await fetched(net, user_agent="paperround/1 (mailto:me@example.org)")

    assert net.site.asked[0].headers["user-agent"] == "paperround/1 (mailto:me@example.org)"


async def test_what_has_not_changed_is_not_sent_again(net: Net):
    seen = Validators(etag='W/"a1"', last_modified="Mon, 02 Mar 2026 05:00:00 GMT")
    net.site.replays("/x", answer(status=304))

    found = await fetched(net, seen=seen)

    assert found.not_modified
    assert found.content == b""
    assert found.validators == seen
    assert net.site.asked[0].headers["if-none-match"] == 'W/"a1"'
    assert net.site.asked[0].headers["if-modified-since"] == "Mon, 02 Mar 2026 05:00:00 GMT"


async def test_not_modified_is_no_answer_to_a_question_without_conditions(net: Net):
    net.site.replays("/x", answer(status=304))

    assert "304" in (await refused(net)).sentence


async def test_cookies_are_not_kept(net: Net):
    net.site.replays("/x", answer("x", set_cookie="who=me; Path=/"))

    async with net.fetcher(resolver=Table(papers_test="127.0.0.1")) as fetcher:
        await fetcher.get(net.site.url("/x", "papers.test"))
        await fetcher.get(net.site.url("/x", "papers.test"))

    assert "cookie" not in net.site.asked[1].headers


async def test_the_proxy_of_the_environment_is_not_used(net: Net, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    net.site.replays("/x", answer("x"))

    assert (await fetched(net)).content == b"x"


# What may pass, and what may not


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
async def test_what_may_pass_is_asked_for_again(net: Net, status: int):
    net.site.replays("/x", answer("busy", status), answer("busy", status), answer("here"))

    assert (await fetched(net)).content == b"here"
    assert len(net.site.asked) == 3


async def test_waits_grow_and_end(net: Net):
    net.site.replays("/x", answer(status=503))

    error = await refused(net)

    assert error.sentence == "127.0.0.1 is out of order (503); it was asked 5 times; try again later."
    assert error.status == 503
    assert len(net.site.asked) == ATTEMPTS
    assert len(net.waits.slept) == ATTEMPTS - 1
    for wait, longest in zip(net.waits.slept, (2, 4, 8, 16), strict=True):
        assert longest / 2 <= wait <= longest


async def test_a_site_is_left_alone_for_as_long_as_it_says(net: Net):
    net.site.replays("/x", answer(status=429, retry_after="37"), answer("here"))

    assert (await fetched(net)).content == b"here"
    assert net.waits.slept == [37.0]


async def test_the_end_of_a_wait_may_be_a_date(net: Net, clock: Any):
    until = (clock() + dt.timedelta(seconds=90)).strftime("%a, %d %b %Y %H:%M:%S GMT")
    net.site.replays("/x", answer(status=503, retry_after=until), answer("here"))

    await fetched(net)

    assert net.waits.slept == [90.0]


@pytest.mark.parametrize("said", ["soon", "-5", "0", "Mon, 01 Jan 1990 00:00:00 GMT", "1e3", "٣", "Mon, 99 Foo"])
async def test_a_wait_that_says_nothing_is_one_of_ours(net: Net, said: str):
    net.site.replays("/x", answer(status=429, retry_after=said), answer("here"))

    await fetched(net)

    assert 1 <= net.waits.slept[0] <= 2


async def test_a_wait_longer_than_the_deadline_is_said_instead_of_waited(net: Net, clock: Any):
    net.site.replays("/x", answer(status=429, retry_after="40"), answer("here"))

    error = await refused(net, name="arXiv", deadline_seconds=30)

    assert error.sentence == "arXiv asks us to slow down (429); it can be asked again in 40 s."
    assert error.status == 429
    assert error.come_back_at == clock() + dt.timedelta(seconds=40)
    assert net.waits.slept == []


async def test_all_waits_of_a_fetch_count_for_its_deadline(net: Net, clock: Any):
    net.site.replays("/x", answer(status=503, retry_after="20"))

    error = await refused(net, deadline_seconds=50)

    assert error.sentence == "127.0.0.1 is out of order (503); it can be asked again in 20 s."
    assert net.waits.slept == [20.0, 20.0]
    assert error.come_back_at == clock() + dt.timedelta(seconds=20)


async def test_until_then_the_site_is_not_asked_at_all(net: Net, clock: Any):
    net.site.replays("/x", answer(status=429, retry_after="7200"), answer("here"))
    async with net.fetcher() as fetcher:
        for path, minutes in (("/x", 0), ("/y", 30)):
            clock.advance(minutes=minutes)
            with pytest.raises(SourceError) as caught:
                await fetcher.get(net.site.url(path))
            assert caught.value.sentence == (
                f"127.0.0.1 asks us to slow down (429); it can be asked again in {120 - minutes} minutes."
            )
        assert len(net.site.asked) == 1

        clock.advance(minutes=90)
        assert (await fetcher.get(net.site.url("/x"))).content == b"here"


async def test_a_site_cannot_close_itself_for_good(net: Net, clock: Any):
    net.site.replays("/x", answer(status=503, retry_after="9" * 30))

    error = await refused(net)

    assert error.come_back_at == clock() + dt.timedelta(days=1)
    assert "24 hours" in error.sentence


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (400, "refuses the request (400)"),
        (401, "does not let us in (401)"),
        (403, "does not let us in (403)"),
        (404, "has nothing at this address (404)"),
        (410, "has nothing at this address (410)"),
        (451, "refuses the request (451)"),
    ],
)
async def test_what_will_not_pass_is_asked_for_once(net: Net, status: int, said: str):
    net.site.replays("/x", answer("no", status), answer("here"))

    error = await refused(net)

    assert error.sentence == f"127.0.0.1 {said}."
    assert error.status == status
    assert len(net.site.asked) == 1


async def test_a_caller_may_read_a_refusal_itself(net: Net):
    net.site.replays("/x", answer("why", 404))

    found = await fetched(net, answers={404})

    assert (found.status, found.content) == (404, b"why")


async def test_a_caller_may_take_an_answer_for_a_wish_to_be_left_alone(net: Net):
    net.site.replays("/x", answer("", 406), answer(""), answer("here"))

    found = await fetched(net, throttled=lambda found: not found.content)

    assert found.content == b"here"
    assert len(net.site.asked) == 3


async def test_a_dropped_connection_is_tried_again(net: Net):
    net.site.replays("/x", dropped, dropped, dropped, answer("here"))

    assert (await fetched(net)).content == b"here"


async def test_a_site_that_drops_connections_is_not_asked_more_often_than_others(net: Net):
    """aiohttp would ask twice each time."""
    net.site.replays("/x", answer("x"), dropped)

    async with net.fetcher() as fetcher:
        await fetcher.get(net.site.url("/x"))
        with pytest.raises(SourceError, match="it was asked 5 times"):
            await fetcher.get(net.site.url("/x"))

    assert [asked.method for asked in net.site.asked] == ["GET"] * (1 + ATTEMPTS)


async def test_half_an_answer_is_none(net: Net):
    async def half() -> AsyncIterator[bytes]:
        yield b"<rss><item>"

    net.site.replays("/x", streamed(half, length=1000), answer("<rss/>"))

    assert (await fetched(net)).content == b"<rss/>"


async def test_half_an_answer_every_time_is_an_error(net: Net):
    async def half() -> AsyncIterator[bytes]:
        yield b"<rss><item>"

    net.site.replays("/x", streamed(half, length=1000))

    error = await refused(net)

    assert error.sentence == "127.0.0.1 broke off its answer; it was asked 5 times; try again later."


async def test_silence_is_tried_again_and_then_said(net: Net):
    net.site.replays("/x", silent)

    error = await refused(net, silence_seconds=0.05)

    assert error.sentence == "127.0.0.1 does not answer; it was asked 5 times; try again later."
    assert len(net.site.asked) == ATTEMPTS


async def test_nobody_at_the_port_is_said(net: Net):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and not listening
        async with net.fetcher() as fetcher:
            with pytest.raises(SourceError) as caught:
                await fetcher.get(f"http://127.0.0.1:{taken.getsockname()[1]}/x")

    assert caught.value.sentence == "127.0.0.1 cannot be reached; it was asked 5 times; try again later."


async def test_a_trickle_ends_with_the_deadline(net: Net):
    async def trickle() -> AsyncIterator[bytes]:
        while True:
            yield b"."
            await asyncio.sleep(0.01)

    net.site.replays("/x", streamed(trickle))

    error = await refused(net, deadline_seconds=0.3)

    assert error.sentence == "127.0.0.1 did not answer fully within 0.3 s."
    assert len(net.site.asked) == 1


async def test_a_certificate_that_nobody_signed_is_not_believed(clock: Any):
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("papers.test").configure_cert(context)
    async with opened(clock, context) as net, net.fetcher(resolver=Table(papers_test="127.0.0.1")) as fetcher:
        with pytest.raises(SourceError) as caught:
            await fetcher.get(f"https://papers.test:{net.site.port}/x")

    assert caught.value.sentence == "The certificate of papers.test is not valid, so it is not read."
    assert net.waits.slept == []


# How much is read


async def test_an_endless_answer_is_cut_off(net: Net):
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 65536
            yield b"x" * 65536

    net.site.replays("/x", streamed(endless))

    error = await refused(net, longest_body=1024 * 1024)

    assert error.sentence == "127.0.0.1 answers with more than 1 MiB, which is not read."
    assert sent < 64 * 1024 * 1024
    assert len(net.site.asked) == 1


async def test_an_answer_of_just_the_longest_length_is_read(net: Net):
    net.site.replays("/x", answer(b"x" * 5000), answer(b"x" * 5001))

    assert len((await fetched(net, longest_body=5000)).content) == 5000
    await refused(net, longest_body=5000)


PACKED = [
    pytest.param("gzip", gzip.compress(b"papers " * 9999, mtime=0), id="gzip"),
    pytest.param("X-GZip", gzip.compress(b"papers " * 9999, mtime=0), id="gzip under its old name"),
    pytest.param(
        "gzip", gzip.compress(b"papers " * 9, mtime=0) + gzip.compress(b"papers " * 9990, mtime=0), id="two members"
    ),
    pytest.param("deflate", zlib.compress(b"papers " * 9999), id="deflate"),
    pytest.param("identity", b"papers " * 9999, id="as it is"),
]


@pytest.mark.parametrize(("coding", "body"), PACKED)
async def test_packed_answers_are_unpacked(net: Net, coding: str, body: bytes):
    net.site.replays("/x", answer(body, content_encoding=coding))

    assert (await fetched(net)).content == b"papers " * 9999


@pytest.mark.parametrize("length", [9, *range(65_536 - 260, 65_536 + 260, 20), 131_072, 200_000])
async def test_raw_deflate_is_unpacked_too(net: Net, length: int):
    """Some servers leave zlib's header out (RFC 9110, 8.4.1.2, note); nothing follows the data then."""
    packer = zlib.compressobj(wbits=-15)
    body = packer.compress(b"z" * length) + packer.flush()
    net.site.replays("/x", answer(body, content_encoding="deflate"))

    assert (await fetched(net)).content == b"z" * length
    assert len(net.site.asked) == 1


@pytest.mark.parametrize("length", [1, 65535, 65536, 65537, 131072, 200000, 262144 + 257])
async def test_what_unpacks_to_much_more_is_whole(net: Net, length: int):
    net.site.replays("/x", answer(gzip.compress(b"z" * length), content_encoding="gzip"))

    assert (await fetched(net)).content == b"z" * length
    assert len(net.site.asked) == 1


async def test_a_bomb_is_stopped_before_it_fills_the_memory(net: Net):
    packer = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packer.compress(bytes(1024 * 1024)) for _ in range(256)) + packer.flush()
    net.site.replays("/x", answer(bomb, content_encoding="gzip"))

    error = await refused(net, longest_body=1024 * 1024)

    assert "more than 1 MiB" in error.sentence


@pytest.mark.parametrize(
    "body",
    [gzip.compress(b"papers " * 9999, mtime=0)[:-9], b"not packed at all", gzip.compress(b"x", mtime=0) + b"rubbish"],
)
async def test_damaged_packing_is_tried_again(net: Net, body: bytes):
    net.site.replays("/x", answer(body, content_encoding="gzip"), answer("here"))

    assert (await fetched(net)).content == b"here"


async def test_an_empty_answer_may_call_itself_packed(net: Net):
    net.site.replays("/x", answer(b"", content_encoding="gzip"))

    assert (await fetched(net)).content == b""


async def test_a_packing_that_was_not_asked_for_is_refused(net: Net):
    net.site.replays("/x", answer(b"\x0b\x02", content_encoding="br"))

    assert "(br)" in (await refused(net)).sentence


# One after the other


async def test_a_site_is_asked_one_thing_at_a_time_with_a_pause_between(net: Net):
    async def slow() -> AsyncIterator[bytes]:
        await asyncio.sleep(0.02)
        yield b"x"

    net.site.replays("/x", streamed(slow))

    async with net.fetcher(pace={"127.0.0.1": 3.0}) as fetcher:
        await asyncio.gather(*(fetcher.get(net.site.url("/x")) for _ in range(4)))

    assert net.site.most_at_once == 1
    moments = [asked.at for asked in net.site.asked]
    assert [late - early for early, late in itertools.pairwise(moments)] == [3.0, 3.0, 3.0]


async def test_all_hosts_of_arxiv_are_one_site(net: Net):
    """arXiv's terms count requests to its API, its feeds and its lists together."""
    table = Table(export_arxiv_org="127.0.0.1", rss_arxiv_org="127.0.0.1", example_org="127.0.0.1")
    net.site.replays("/x", answer("x"))

    async with net.fetcher(resolver=table) as fetcher:
        for host in ("export.arxiv.org", "rss.arxiv.org", "example.org", "example.org"):
            await fetcher.get(net.site.url("/x", host))

    assert net.waits.slept == [3.0, 1.0]


# Redirects


async def test_redirects_are_followed_and_where_they_end_is_said(net: Net):
    net.site.replays("/x", answer(status=301, location="/y"))
    net.site.replays("/y", answer(status=302, location=net.site.url("/z")))
    net.site.replays("/z", answer("here"))

    found = await fetched(net)

    assert (found.content, found.url) == (b"here", net.site.url("/z"))


async def test_a_circle_of_redirects_is_left(net: Net):
    net.site.replays("/x", answer(status=302, location="/y"))
    net.site.replays("/y", answer(status=302, location="/x"))

    error = await refused(net)

    assert error.sentence == "127.0.0.1 sends us on more than 5 times."
    assert len(net.site.asked) == MOST_REDIRECTS + 1


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://example.org/", "javascript:alert(1)", "data:,x"])
async def test_a_redirect_leads_to_no_other_scheme(net: Net, target: str):
    net.site.replays("/x", answer(status=302, location=target))

    assert f"({target.partition(':')[0]}:)" in (await refused(net)).sentence


@pytest.mark.parametrize(
    "target", ["http://user:secret@example.org/", "https:///x", "https:", "http://x:99999/", "http://[::1"]
)
async def test_a_redirect_to_no_proper_address_is_refused(net: Net, target: str):
    net.site.replays("/x", answer(status=302, location=target))

    assert "secret" not in (await refused(net)).sentence


async def test_a_redirect_without_a_target_is_refused(net: Net):
    net.site.replays("/x", answer(status=302))

    assert "302" in (await refused(net)).sentence


async def test_what_is_meant_for_one_site_is_not_told_to_another(net: Net):
    table = Table(one_test="127.0.0.1", other_test="127.0.0.1")
    net.site.replays("/x", answer(status=302, location="/y"))
    net.site.replays("/y", answer(status=307, location=net.site.url("/z", "other.test")))
    net.site.replays("/z", answer("here"))

    await fetched(net, host="one.test", headers={"Authorization": "Bearer secret"}, resolver=table)

    assert [asked.headers.get("authorization") for asked in net.site.asked] == ["Bearer secret"] * 2 + [None]


async def test_what_is_posted_goes_to_one_site_only(net: Net):
    table = Table(one_test="127.0.0.1", other_test="127.0.0.1")
    net.site.replays("/x", answer(status=307, location=net.site.url("/z", "other.test")))
    net.site.replays("/z", answer("here"))

    error = await refused(net, host="one.test", method="POST", json={"password": "secret"}, resolver=table)

    assert "secret" not in error.sentence
    assert [asked.path for asked in net.site.asked] == ["/x"]


async def test_after_a_post_the_result_may_lie_elsewhere(net: Net):
    net.site.replays("/x", answer(status=303, location="/y"))
    net.site.replays("/y", json({"token": "t"}))

    await fetched(net, method="POST", json={"id": 1})

    assert [(asked.method, asked.body) for asked in net.site.asked] == [("POST", b'{"id": 1}'), ("GET", b"")]


# What is inside is not asked


INSIDE = (
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "0.0.0.0",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "64:ff9b:1::7f00:1",
    "2002:7f00:1::1",
    "2002:a9fe:a9fe::",
    "2001::7f00:1",
    "2001:db8::1",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
    "100::1",
)
OUTSIDE = ("1.1.1.1", "151.101.3.42", "2606:4700::6810:84e5", "::ffff:1.1.1.1", "64:ff9b::101:101", "2002:101:101::1")
SPELLINGS = (
    "2130706433",
    "0x7f.1",
    "0x7f000001",
    "127.1",
    "0177.0.0.1",
    "017700000001",
    "127.0.0.1.5",
    "1.2.3.0x4",
    "127.0.0.",
    "fe80::1%eth0",
    "::1%1",
    "1::2::3",
)


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_inside_is_not_public(address: str):
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", OUTSIDE)
def test_an_address_outside_is_public(address: str):
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_number_in_another_spelling_is_no_name(spelling: str):
    with pytest.raises(ValueError, match=r".*"):
        literal(spelling)


@pytest.mark.parametrize("name", ["example.org", "1and1.example", "0x.example", "3.example", "a-1", "export.arxiv.org"])
def test_a_name_may_have_numbers_in_it(name: str):
    assert literal(name) is None


@pytest.mark.parametrize("address", INSIDE)
async def test_no_address_inside_is_asked(net: Net, address: str):
    host = f"[{address}]" if ":" in address else address
    async with net.fetcher(allow_private=False) as fetcher:
        with pytest.raises(SourceError, match="not public"):
            await fetcher.get(f"http://{host}:{net.site.port}/x")
    assert net.site.asked == []


@pytest.mark.parametrize("host", [*SPELLINGS[:-3], "１２７.１", "127。1", "[fe80::1%25eth0]"])
async def test_no_number_in_another_spelling_is_asked(net: Net, host: str):
    for allow_private in (False, True):
        async with net.fetcher(allow_private=allow_private) as fetcher:
            with pytest.raises(SourceError):
                await fetcher.get(f"http://{host}:{net.site.port}/x")
    assert net.site.asked == []


@pytest.mark.parametrize("host", ["127.0.0.1.", "１２７.0.0.1", "127。0。0。1", "localhost", "ⓛocalhost", "LOCALHOST."])
async def test_no_disguise_leads_inside(net: Net, host: str):
    net.site.replays("/x", answer("inside"))
    async with net.fetcher(allow_private=False) as fetcher:
        with pytest.raises(SourceError):
            await fetcher.get(f"http://{host}:{net.site.port}/x")
    assert net.site.asked == []


@pytest.mark.parametrize("address", ["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "::ffff:127.0.0.1"])
async def test_a_name_that_leads_inside_is_not_asked(net: Net, address: str):
    table = Table(papers_test=address)

    error = await refused(net, host="papers.test", allow_private=False, resolver=table)

    assert error.sentence == "papers.test is inside a network that is not public, so it is not fetched."
    assert table.looked_up == ["papers.test"]
    assert net.site.asked == []


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:{port}/y",
        "http://169.254.169.254/y",
        "http://[::1]:{port}/y",
        "http://inside.test:{port}/y",
        "//inside.test:{port}/y",
    ],
)
async def test_a_redirect_does_not_lead_inside(net: Net, target: str):
    table = Table(papers_test="127.0.0.1", inside_test="127.0.0.1")
    net.site.replays("/x", answer(status=302, location=target.format(port=net.site.port)))
    net.site.replays("/y", answer("inside"))

    error = await refused(net, host="papers.test", allow_private=False, trusted_hosts=["papers.test"], resolver=table)

    assert "not public" in error.sentence
    assert [asked.path for asked in net.site.asked] == ["/x"]


async def test_a_host_that_the_operator_trusts_may_be_inside(net: Net):
    table = Table(mirror_lan="127.0.0.1")
    net.site.replays("/x", answer("papers"))

    found = await fetched(net, host="Mirror.lan", allow_private=False, trusted_hosts=["mirror.LAN"], resolver=table)

    assert found.content == b"papers"


@pytest.mark.parametrize("who", ["ada", "ada:secret", ":secret", "ada:"])
async def test_nobody_logs_in_through_an_address(net: Net, who: str):
    net.site.replays("/x", answer(status=302, location=f"http://{who}@127.0.0.1:{net.site.port}/y"))
    net.site.replays("/y", answer("here"))

    for url in (net.site.url("/x"), f"http://{who}@127.0.0.1:{net.site.port}/y"):
        async with net.fetcher() as fetcher:
            with pytest.raises(SourceError, match="a user name or a password") as caught:
                await fetcher.get(url)
        assert "secret" not in caught.value.sentence
    assert [asked.path for asked in net.site.asked] == ["/x"]


async def test_a_name_that_nobody_has_is_said_at_once(net: Net):
    error = await refused(net, host="nowhere.test", resolver=Table())

    assert error.sentence == "There is no site with the name nowhere.test."
    assert net.waits.slept == []


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://example.org/x",
        "gopher://example.org/",
        "example.org/x",
        "/etc/passwd",
        "//example.org/x",
        "",
        "http://",
        "http:///x",
        "http://user@example.org/",
        "http://user:secret@example.org/",
        "http://:secret@example.org/",
        "http://exa mple.org/",
        "http://[::1/",
        "http://x:99999/",
        f"http://{'a' * 70}.org/",
        f"http://{'ä' * 300}.org/",
        "http://a..b/",
        "http://\x00/",
    ],
)
async def test_what_is_no_web_address_is_refused(net: Net, url: str):
    async with net.fetcher(allow_private=False, resolver=None) as fetcher:
        with pytest.raises(SourceError) as caught:
            await fetcher.get(url)
    assert "secret" not in caught.value.sentence
    assert net.waits.slept == []


@pytest.mark.parametrize(
    "reply", [answer(status=403), answer(status=503), answer(status=302, location="ftp://x/"), dropped]
)
async def test_no_sentence_tells_what_was_in_the_address(net: Net, reply: Reply):
    net.site.replays("/private-feed", reply)

    error = await refused(net, "/private-feed?key=secret", headers={"Authorization": "Bearer secret"})

    told = error.sentence + "".join(traceback.format_exception(error))
    assert "key" not in told
    assert "secret" not in told
    assert "private-feed" not in told


@pytest.mark.parametrize("host", ["exa mple.org", "\x00", "a..b", "1.2.3"])
async def test_an_address_that_cannot_be_asked_is_not_told_either(net: Net, host: str):
    key = str(net.site.port)
    url = f"http://{host}/?key={key}"

    async with net.fetcher() as fetcher:
        with pytest.raises(SourceError) as caught:
            await fetcher.get(url)

    assert key not in "".join(traceback.format_exception(caught.value))
