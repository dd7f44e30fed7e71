"""What ``paperround doctor`` looks at: settings, store, clock, zone data, token, subscriptions."""

import datetime as dt
import email.utils
import time
import zoneinfo
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass

import aiohttp
import tzdata

from bot import app
from bot.errors import StoreError
from bot.models import Freshness, SubscriptionState
from bot.rendering.provenance import what_is_known
from bot.services import Services
from bot.store import papers, subscriptions
from config.settings import Settings

_DISCORD = "https://discord.com/api/v10"
_LARGEST_CLOCK_ERROR_SECONDS = 60
_TIMEOUT = aiohttp.ClientTimeout(total=10)
_SOURCE_REMEDIES = {
    Freshness.STALE: "It answers, but has had nothing new for longer than usual; see whether it has moved.",
    Freshness.FAILING: "Mend what the sentence says; paperround sources --read tries again at once.",
}
_UNAUTHORIZED = 401
_OK = 200


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One line of the check-up; ``remedy`` is empty when all is well."""

    what: str
    well: bool
    state: str
    remedy: str = ""

    def as_record(self) -> dict[str, object]:
        """Return the finding as JSON-able data."""
        return asdict(self)


async def examine(settings: Settings) -> list[Finding]:
    """Look at everything the bot needs and say what is wrong and how to mend it; never raises for a finding."""
    findings = [_zone_data(), *[finding async for finding in _store(settings)]]
    findings.extend([finding async for finding in _discord(settings)])
    return findings


def _zone_data() -> Finding:
    zones = len(zoneinfo.available_timezones())
    return Finding(what="time zones", well=zones > 0, state=f"{zones} zones, tzdata {tzdata.IANA_VERSION}")


async def _store(settings: Settings) -> AsyncIterator[Finding]:
    path = settings.store.path
    try:
        async with app.opened(settings) as services:
            database = services.database
            verdict = await database.read(lambda connection: connection.execute("PRAGMA quick_check").fetchone()[0])
            schema, count = await database.schema(), await database.read(papers.count)
            well = verdict == "ok"
            yield Finding(
                what="library",
                well=well,
                state=f"{path}, schema {schema}, {count} papers"
                if verdict == "ok"
                else f"{path} is damaged: {verdict}",
                remedy="" if well else "Restore a backup: paperround restore PATH.",
            )
            async for finding in _subscriptions(services):
                yield finding
            async for finding in _sources(services):
                yield finding
    except StoreError as error:
        yield Finding(what="library", well=False, state=error.sentence, remedy="Name another file with --store.")


async def _subscriptions(services: Services) -> AsyncIterator[Finding]:
    every = await services.database.read(subscriptions.list_all)
    troubled = [one for one in every if one.state is SubscriptionState.PAUSED and one.pause_reason != "asked"]
    yield Finding(what="subscriptions", well=True, state=f"{len(every)}, of which {len(troubled)} paused by trouble")
    for one in troubled:
        yield Finding(
            what=f"subscription {one.number} of server {one.guild_id}",
            well=False,
            state=f"paused: {one.pause_reason}",
            remedy=f"Let the bot see and write in channel {one.channel_id}, then /digest resume {one.number}.",
        )


async def _sources(services: Services) -> AsyncIterator[Finding]:
    watched = [status for status in await services.sites.statuses() if status.every is not None]
    if not watched:
        yield Finding(what="sources", well=True, state="no site is watched; sources.watch in the settings names them")
    for status in watched:
        freshness = status.freshness
        known = what_is_known(status)
        yield Finding(
            what=f"source {status.spec}",
            well=freshness in {Freshness.FRESH, Freshness.NEVER},
            state=f"{freshness.value}; {known}" if known else freshness.value,
            remedy=_SOURCE_REMEDIES.get(freshness, ""),
        )


async def _discord(settings: Settings) -> AsyncIterator[Finding]:
    token = settings.discord.token
    if token is None:
        yield Finding(
            what="token",
            well=False,
            state="none",
            remedy="Set PAPERROUND_DISCORD__TOKEN, or discord.token_file in the settings. paperround try needs none.",
        )
        return
    address = f"{settings.discord.api_base or _DISCORD}/users/@me"
    try:
        async with (
            aiohttp.ClientSession(timeout=_TIMEOUT) as session,
            session.get(address, headers={"Authorization": f"Bot {token.reveal()}"}) as answer,
        ):
            status, date = answer.status, answer.headers.get("Date", "")
            name = (await answer.json()).get("username", "?") if status == _OK else ""
    except (aiohttp.ClientError, OSError, ValueError) as error:
        yield Finding(
            what="Discord",
            well=False,
            state=f"not reachable: {type(error).__name__}",
            remedy="Check the network and discordstatus.com.",
        )
        return
    yield _token(settings, status, name)
    if date:
        yield _clock(date)


def _token(settings: Settings, status: int, name: str) -> Finding:
    origin = settings.discord.token_origin
    if status == _OK:
        return Finding(what="token", well=True, state=f"from {origin}, belongs to {name}")
    if status == _UNAUTHORIZED:
        return Finding(
            what="token",
            well=False,
            state=f"Discord refuses the token from {origin}",
            remedy="Copy it again from the Bot page of your application.",
        )
    return Finding(what="token", well=False, state=f"Discord answered {status}", remedy="Try again in a few minutes.")


def _clock(date: str) -> Finding:
    theirs = email.utils.parsedate_to_datetime(date)
    apart = abs((dt.datetime.fromtimestamp(time.time(), tz=dt.UTC) - theirs).total_seconds())
    well = apart <= _LARGEST_CLOCK_ERROR_SECONDS
    return Finding(
        what="clock",
        well=well,
        state=f"{apart:.0f} s away from Discord's",
        remedy="" if well else "Let the host set its clock from the network (NTP).",
    )
