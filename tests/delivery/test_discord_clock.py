import datetime as dt
from typing import Any

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.delivery.discord_clock import DiscordClock


async def test_until_discord_answers_it_is_the_hosts(clock: Any) -> None:
    assert DiscordClock(clock).now() == clock()


async def test_it_goes_on_from_the_last_answer_whatever_the_host_does(clock: Any) -> None:
    seconds = [100.0]
    discord = DiscordClock(clock, monotonic=lambda: seconds[0])
    discord.told("Mon, 02 Mar 2026 09:00:00 GMT")
    seconds[0] += 30
    clock.advance(hours=5)
    assert discord.now() == dt.datetime(2026, 3, 2, 9, 0, 30, tzinfo=dt.UTC)


async def test_a_date_that_is_none_changes_nothing(clock: Any) -> None:
    discord = DiscordClock(clock)
    for date in ("", "yesterday", "Mon, 99 Mar 2026 09:00:00 GMT"):
        discord.told(date)
    assert discord.now() == clock()


async def test_the_trace_reads_the_date_of_every_answer(clock: Any) -> None:
    async def answer(_request: web.Request) -> web.Response:
        return web.Response(headers={"Date": "Tue, 03 Mar 2026 10:00:00 GMT"})

    app = web.Application()
    app.router.add_get("/", answer)
    discord = DiscordClock(clock, monotonic=lambda: 0.0)
    async with (
        TestServer(app) as server,
        aiohttp.ClientSession(trace_configs=[discord.trace_config()]) as session,
        session.get(server.make_url("/")),
    ):
        pass
    assert discord.now() == dt.datetime(2026, 3, 3, 10, tzinfo=dt.UTC)
