"""The only wiring: settings → store → services → client; the order of starting and stopping.

``opened`` gives what works without Discord, ``Running`` is the bot around one client, and ``run``
keeps it connected until it is told to stop.
"""

import asyncio
import contextlib
import datetime as dt
import hashlib
import logging
import signal
from collections.abc import AsyncGenerator
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib import metadata
from typing import Any, Self

import aiohttp
import discord

from bot.client import PaperRound, use_stand_in
from bot.delivery.discord_clock import DiscordClock
from bot.delivery.messenger import DiscordMessenger
from bot.delivery.notices import Notices
from bot.delivery.outbox import Outbox
from bot.delivery.pace import Pace
from bot.digests.composer import Composer
from bot.digests.subscriptions import Subscriptions
from bot.errors import InvalidInput, Unavailable
from bot.metrics import Metrics
from bot.models import DeliveryState, Now
from bot.scheduling import Rota, Ticker
from bot.search.picker import Picker
from bot.search.searcher import Searcher
from bot.services import Services
from bot.sources import starter
from bot.sources.fetching import Fetcher
from bot.sources.importer import Importer
from bot.sources.sites.openreview import Account
from bot.sources.watching import Choices, Sites
from bot.store import deliveries, facts, papers
from bot.store.claim import Claim
from bot.store.database import Database
from bot.summaries.summarizer import Summarizer
from bot.web import Web
from config.settings import Settings, SettingsError

log = logging.getLogger(__name__)

_STOP_SECONDS = 8.0
_FIRST_RETRY_SECONDS = 2.0
_LONGEST_RETRY_SECONDS = 300.0
_STARTER = "starter library"

_TOKEN_REFUSED = 4004  # Discord, Gateway close event codes
_SERVER_ERRORS = 500
_TOO_MANY_REQUESTS = 429


def utc_now() -> dt.datetime:
    """Return the host's clock, as the ``Now`` port."""
    return dt.datetime.now(dt.UTC)


@contextlib.asynccontextmanager
async def opened(settings: Settings, *, now: Now = utc_now) -> AsyncGenerator[Services]:
    """Open the store, see to it that the starter library is in it, and give the services.

    Raises:
        StoreError: as ``Database.open``.
        SettingsError: what is to be watched is no site.
    """
    async with (
        await Database.open(settings.store.path, readers=settings.store.readers) as database,
        Fetcher(
            user_agent=f"PaperRound/{metadata.version('paperround')}",
            now=utc_now,
            allow_private=settings.sources.allow_private,
        ) as fetcher,
    ):
        searcher = Searcher(database)
        summarizer = Summarizer(settings.summaries.ranker)
        importer = Importer(database, now)
        services = Services(
            settings=settings,
            now=now,
            database=database,
            searcher=searcher,
            picker=Picker(database, searcher, now),
            summarizer=summarizer,
            importer=importer,
            sites=_sites(settings, database, importer, fetcher, now),
            subscriptions=Subscriptions(database, searcher, now, default_zone=settings.digests.zone),
            composer=Composer(
                database,
                searcher,
                summarizer,
                now,
                catch_up=dt.timedelta(hours=settings.digests.catch_up_hours),
                sentences=settings.summaries.sentences,
            ),
        )
        await _bring_starter_library(services)
        yield services


class Running:
    """The bot around one Discord client: what starts with it and stops with it."""

    def __init__(self, services: Services, metrics: Metrics | None = None, **options: Any) -> None:
        settings = services.settings
        self.services = services
        self.metrics = metrics or Metrics()
        self.clock = DiscordClock(services.now)
        self.client = PaperRound(services, tick=self.tick, http_trace=self.clock.trace_config(), **options)
        self.outbox = Outbox(
            services.database,
            DiscordMessenger(self.client, self.clock),
            services.now,
            pace=Pace(settings.delivery.messages_per_second),
            tell=Notices(self.client).paused,
            lease_seconds=settings.delivery.lease_seconds,
            send_timeout_seconds=settings.delivery.send_timeout_seconds,
            attempts=settings.delivery.attempts,
        )
        self.ticker = Ticker(self.tick, settings.digests.tick_seconds)
        self.rota = Rota()
        self._one_tick = asyncio.Lock()

    async def tick(self) -> None:
        """Compose what is due and send what waits; a second tick waits for the first."""
        async with self._one_tick:
            for edition in await self.services.composer.compose_due():
                self.metrics.editions.labels(edition.state.value).inc()
            report = await self.outbox.drain()
            for state, number in asdict(report).items():
                if state != "postponed":
                    self.metrics.deliveries.labels(state).inc(number)
            counts = await self.services.database.read(deliveries.counts)
            waiting = counts.get(DeliveryState.PENDING, 0) + counts.get(DeliveryState.SENDING, 0)
            self.metrics.waiting.set(waiting)

    async def start_ticking(self) -> None:
        """Begin to look for due work once Discord's side is known to be ready."""
        self.services.searcher.warm()
        await self.client.wait_until_ready()
        self.ticker.start()
        sites = self.services.sites
        for one in sites.watched:
            self.rota.add(partial(sites.read_watched, one), every=one.every, first=await sites.next_due(one))
        log.info("bot started", extra={"guilds": len(self.client.guilds)})

    async def stop(self) -> None:
        """Stop in order: no new ticks, what is being sent is settled or handed back, then Discord."""
        self.ticker.stop()
        self.rota.stop()
        await self.outbox.stop()
        await self.client.close()
        log.info("bot stopped")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()


async def run(settings: Settings) -> None:
    """Run the bot on Discord until SIGINT or SIGTERM.

    Raises:
        SettingsError: there is no token, or Discord refuses it.
        StoreError: the store cannot be opened, or another process runs on it.
    """
    if settings.discord.token is None:
        raise _no_token()
    use_stand_in(settings.discord.api_base, settings.discord.gateway)
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, told.set)
    with Claim(settings.store.path):
        async with opened(settings) as services, _watched(services) as watch:
            serving = asyncio.create_task(_stay_connected(services, watch), name="bot")
            waiting = asyncio.create_task(told.wait(), name="signal")
            await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            if told.is_set():
                serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving


@dataclass
class _Watch:
    """What the pages for monitoring know: the counters, and the bot of the moment."""

    metrics: Metrics = field(default_factory=Metrics)
    running: Running | None = None

    async def waits_for(self) -> str | None:
        """Return what the bot waits for, or None when it is at work."""
        if self.running is None or not self.running.client.is_ready() or self.running.client.is_closed():
            return "Discord"
        await self.running.services.database.read(papers.version)
        return None


@contextlib.asynccontextmanager
async def _watched(services: Services) -> AsyncGenerator[_Watch]:
    watch = _Watch()
    web = services.settings.web
    if not web.enabled:
        yield watch
        return
    async with Web(ready=watch.waits_for, metrics=watch.metrics, host=web.host, port=web.port):
        yield watch


async def _stay_connected(services: Services, watch: _Watch) -> None:
    """Serve until cancelled; where Discord cannot be reached, try again with growing pauses.

    A client that failed is thrown away: discord.py 2.7.1 cannot connect again after its first
    connection failed (Rapptz/discord.py#10520).
    """
    pause = _FIRST_RETRY_SECONDS
    while True:
        watch.running = running = Running(services, watch.metrics)
        try:
            await _serve(running)
        except (OSError, aiohttp.ClientError, discord.DiscordException, AttributeError) as error:
            if not _may_pass(running, error):
                if isinstance(error, discord.DiscordException):
                    raise Unavailable(f"Discord does not let the bot in: {error}") from error
                raise
            if running.client.is_ready():
                pause = _FIRST_RETRY_SECONDS
            log.warning(
                "discord cannot be reached; trying again",
                extra={"seconds": round(pause), "reason": type(error).__name__},
            )
        finally:
            await _stop(running)
        await asyncio.sleep(pause)
        pause = min(pause * 2, _LONGEST_RETRY_SECONDS)


async def _serve(running: Running) -> None:
    settings = running.services.settings
    token = settings.discord.token
    if token is None:
        raise _no_token()
    try:
        await running.client.login(token.reveal())
    except discord.LoginFailure as error:
        raise _refused(settings) from error
    ticking = asyncio.create_task(running.start_ticking(), name="start ticking")
    try:
        await running.client.connect()
    except discord.ConnectionClosed as error:
        if error.code == _TOKEN_REFUSED:
            raise _refused(settings) from error
        raise
    finally:
        ticking.cancel()


async def _stop(running: Running) -> None:
    try:
        async with asyncio.timeout(_STOP_SECONDS):
            await running.stop()
    except TimeoutError:
        log.warning("stopping took too long and was cut short; what was being sent is looked for at the next start")


def _no_token() -> SettingsError:
    return SettingsError(
        "No Discord token. Set PAPERROUND_DISCORD__TOKEN, or discord.token_file in the settings; "
        "paperround try needs none."
    )


def _refused(settings: Settings) -> SettingsError:
    return SettingsError(
        f"Discord refuses the token from {settings.discord.token_origin}. "
        "Copy it again from the Bot page of your application."
    )


def _may_pass(running: Running, error: BaseException) -> bool:
    """Tell whether trying again can help; a fault of ours and a fatal close must not loop."""
    if isinstance(error, AttributeError):
        return running.client.ws is None  # pyright: ignore[reportUnnecessaryComparison] -- None until connected
    if isinstance(error, discord.HTTPException):
        return error.status >= _SERVER_ERRORS or error.status == _TOO_MANY_REQUESTS
    return isinstance(error, OSError | aiohttp.ClientError | discord.GatewayNotFound | discord.RateLimited)


def _sites(settings: Settings, database: Database, importer: Importer, fetcher: Fetcher, now: Now) -> Sites:
    chosen = settings.sources
    account = None
    if chosen.openreview_user is not None and chosen.openreview_password is not None:
        account = Account(user=chosen.openreview_user, password=chosen.openreview_password.reveal())
    choices = Choices(watch=chosen.watch, every=dt.timedelta(hours=chosen.hours), limit=chosen.papers, account=account)
    try:
        return Sites(database, importer, fetcher, now, choices)
    except InvalidInput as error:
        raise SettingsError(f"sources.watch: {error.sentence}") from error


async def _bring_starter_library(services: Services) -> None:
    """Import the packaged papers once for each version of them; a repeat would change nothing."""
    digest = hashlib.sha256(starter.packaged()).hexdigest()
    database = services.database
    if await database.read(lambda connection: facts.find_fact(connection, _STARTER)) == digest:
        return
    report = await services.importer.run(starter.StarterLibrary())
    await database.write(lambda connection: facts.keep_fact(connection, _STARTER, digest))
    log.info("starter library imported", extra={"added": report.added, "merged": report.merged})
