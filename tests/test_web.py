"""The pages for monitoring, asked over a real socket."""

import asyncio
import socket
from collections.abc import AsyncIterator

import aiohttp
import pytest

from bot.errors import Unavailable
from bot.metrics import Metrics
from bot.web import Web


class Readiness:
    """What a test says the bot waits for."""

    def __init__(self) -> None:
        self.waiting_for: str | None = None
        self.error: Exception | None = None
        self.seconds = 0.0

    async def __call__(self) -> str | None:
        await asyncio.sleep(self.seconds)
        if self.error is not None:
            raise self.error
        return self.waiting_for


@pytest.fixture
def readiness() -> Readiness:
    return Readiness()


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


@pytest.fixture
async def pages(readiness: Readiness, metrics: Metrics) -> AsyncIterator[Web]:
    async with Web(ready=readiness, metrics=metrics, port=0) as started:
        yield started


async def fetched(pages: Web, path: str) -> tuple[int, str, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{pages.port}{path}") as answer:
        return answer.status, answer.headers["Content-Type"], await answer.text()


async def test_it_is_healthy_even_while_it_is_not_ready(pages: Web, readiness: Readiness):
    readiness.waiting_for = "Discord"

    assert (await fetched(pages, "/healthz"))[0] == 200
    assert (await fetched(pages, "/readyz"))[0::2] == (503, "waiting for Discord\n")


async def test_it_is_ready_once_nothing_is_waited_for(pages: Web):
    assert (await fetched(pages, "/readyz"))[0::2] == (200, "ready\n")


async def test_a_readiness_check_that_fails_is_not_ready_and_shows_nothing_of_the_fault(
    pages: Web, readiness: Readiness, caplog: pytest.LogCaptureFixture
):
    readiness.error = RuntimeError("inner detail")

    status, _, body = await fetched(pages, "/readyz")

    assert status == 503
    assert "inner detail" not in body
    assert "inner detail" in caplog.text


async def test_a_readiness_check_that_hangs_is_not_ready(
    pages: Web, readiness: Readiness, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("bot.web._READY_SECONDS", 0.05)
    readiness.seconds = 5

    assert (await fetched(pages, "/readyz"))[0::2] == (503, "waiting for an answer from the bot\n")


async def test_what_was_counted_is_shown_in_prometheus_format(pages: Web, metrics: Metrics):
    metrics.deliveries.labels(state="sent").inc(3)
    metrics.lateness.observe(2)

    status, kind, body = await fetched(pages, "/metrics")

    assert (status, kind.split(";")[0]) == (200, "text/plain")
    assert 'paperround_deliveries_total{state="sent"} 3.0' in body
    assert 'paperround_lateness_seconds_bucket{le="5.0"} 1.0' in body


def test_two_bots_in_one_process_do_not_share_counters():
    first, second = Metrics(), Metrics()
    first.answers.labels(outcome="ok").inc()

    assert b'outcome="ok"' in first.exposition()
    assert b'outcome="ok"' not in second.exposition()


async def test_other_paths_and_methods_are_refused(pages: Web):
    assert (await fetched(pages, "/"))[0] == 404
    async with aiohttp.ClientSession() as session:
        answer = await session.post(f"http://127.0.0.1:{pages.port}/healthz")
        assert answer.status == 405


async def test_a_port_in_use_is_named_with_the_settings_to_change(readiness: Readiness, metrics: Metrics):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Unavailable, match=rf"127\.0\.0\.1, port {port}: .*web\.port"):
            await Web(ready=readiness, metrics=metrics, port=port).start()


async def test_it_listens_on_loopback_only_and_stops_twice_without_harm(pages: Web):
    port = pages.port
    assert pages._runner is not None
    assert [address[0] for address in pages._runner.addresses] == ["127.0.0.1"]

    await pages.stop()
    await pages.stop()

    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=1)
