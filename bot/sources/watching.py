"""The sites that papers come from on their own: what is watched, how each is read, how each fares."""

import asyncio
import contextlib
import dataclasses
import datetime as dt
import json
import logging
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bot.errors import InvalidInput, SourceError
from bot.models import Freshness, ImportReport, Now, Refusal, SourceRecord, SourceStatus
from bot.sources.base import RawPaper
from bot.sources.contents import records
from bot.sources.fetching import Fetcher, Validators
from bot.sources.importer import Importer
from bot.sources.sites.base import Page, Site, SiteState
from bot.sources.sites.openreview import Account
from bot.sources.sites.specs import REAL_PLACES, Places, site
from bot.store import sources
from bot.store.database import Database

log = logging.getLogger(__name__)

_EVERY = re.compile(r"(?P<spec>.*?\S)\s+every\s+(?P<count>\d{1,4})\s*(?P<unit>min|h|d)[a-z]*\s*", re.IGNORECASE)
_UNITS = {"min": dt.timedelta(minutes=1), "h": dt.timedelta(hours=1), "d": dt.timedelta(days=1)}
_SHORTEST = dt.timedelta(minutes=15)
_USUAL_SILENCE = dt.timedelta(days=14)
_LARGE = 4 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Watched:
    """A site that is read again and again.

    Attributes:
        spec: as the settings have it, without the interval.
        every: the time between two readings.
    """

    spec: str
    site: Site
    every: dt.timedelta


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What the operator chose about sites.

    Attributes:
        watch: ``spec`` or ``spec every N h`` (or min, or d) each.
        every: for those that say nothing.
        limit: papers to take from a search at most each time.
    """

    watch: tuple[str, ...] = ()
    every: dt.timedelta = dt.timedelta(days=1)
    limit: int = 500
    account: Account | None = None
    places: Places = REAL_PLACES


class Sites:
    """Reads sites into the library."""

    def __init__(
        self, database: Database, importer: Importer, fetcher: Fetcher, now: Now, choices: Choices | None = None
    ) -> None:
        """Check what is to be watched; nothing is asked yet.

        Raises:
            InvalidInput: something to watch is no site; the sentence says what to write instead.
        """
        self._database = database
        self._importer = importer
        self._fetcher = fetcher
        self._now = now
        self._choices = choices or Choices()
        self._one_at_a_time = asyncio.Lock()
        self.watched: tuple[Watched, ...] = tuple(self._watched(spec) for spec in self._choices.watch)

    def find(self, spec: str) -> Site | None:
        """Return the site that ``spec`` names, or None where it names none, such as a file.

        Raises:
            InvalidInput: it is almost a site.
        """
        choices = self._choices
        return site(spec, now=self._now, account=choices.account, limit=choices.limit, places=choices.places)

    async def read(
        self,
        source: Site,
        *,
        dry_run: bool = False,
        force: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> ImportReport:
        """Ask a site for what is new and import it; what comes of it is remembered.

        Raises:
            SourceError: the site cannot be read; what it was asked with stays as it was, so that nothing is missed.
        """
        async with self._one_at_a_time:
            return await self._read(source, dry_run=dry_run, force=force, progress=progress)

    async def read_watched(self, watched: Watched) -> None:
        """Read a site as the schedule wants it: a failure is remembered and logged, never raised."""
        try:
            report = await self.read(watched.site)
        except SourceError as error:
            log.warning("source could not be read", extra={"source": watched.site.name, "why": error.sentence})
        else:
            counts = {"added": report.added, "merged": report.merged, "refused": report.refused}
            log.info("source read", extra={"source": watched.site.name, **counts})

    async def next_due(self, watched: Watched) -> dt.datetime:
        """Return when the site is to be read next: an interval after it was last asked, or now."""
        found = await self._database.read(lambda connection: sources.record_of(connection, watched.site.name))
        now = self._now()
        if found.asked_at is None:
            return now
        # A clock that was set back must not put it off for ever.
        return min(max(found.asked_at + watched.every, now), now + watched.every)

    async def statuses(self) -> list[SourceStatus]:
        """Return every source with how it fares: the watched ones first, then those that were imported."""
        known = {record.name: record for record in await self._database.read(sources.all_records)}
        now = self._now()
        found: list[SourceStatus] = []
        for one in self.watched:
            record = known.pop(one.site.name, SourceRecord(name=one.site.name))
            freshness = freshness_of(record, now=now, every=one.every)
            found.append(SourceStatus(record=record, freshness=freshness, spec=one.spec, every=one.every))
        rest = (record for record in known.values() if record.read_at or record.asked_at)
        return [*found, *(SourceStatus(record=one, freshness=freshness_of(one, now=now)) for one in rest)]

    def _watched(self, text: str) -> Watched:
        found = _EVERY.fullmatch(text)
        spec = found["spec"] if found else text.strip()
        every = int(found["count"]) * _UNITS[found["unit"].lower()] if found else self._choices.every
        if every < _SHORTEST:
            raise InvalidInput(f"“{text[:80]}”: a source may be read every {_SHORTEST.seconds // 60} minutes at most.")
        known = self.find(spec)
        if known is None:
            raise InvalidInput(f"“{spec[:80]}” is no site. Files are imported with: paperround import FILE.")
        return Watched(spec=spec, site=known, every=every)

    async def _read(
        self, source: Site, *, dry_run: bool, force: bool, progress: Callable[[int], None] | None
    ) -> ImportReport:
        state = _state_from(await self._database.read(lambda connection: sources.state_of(connection, source.name)))
        pages: list[Page] = []
        try:
            async with contextlib.aclosing(source.pages(self._fetcher, state)) as found:
                async for page in found:
                    pages.append(page)  # noqa: PERF401 - a comprehension would not close it
        except SourceError as error:
            why = error.sentence
            if not dry_run:
                await self._database.write(
                    lambda connection: sources.failed(connection, source.name, why=why, moment=self._now())
                )
            raise
        fetched = FetchedPages(name=source.name, pages=tuple(pages), is_lasting=source.brings_all and bool(pages))
        report = await self._importer.run(fetched, dry_run=dry_run, force=force, progress=progress)
        if not dry_run:
            await self._database.write(
                lambda connection: sources.answered(
                    connection,
                    source.name,
                    state=_state_as_text(state),
                    has_new=report.added > 0,
                    moment=self._now(),
                )
            )
        return report


@dataclass(frozen=True, kw_only=True)
class FetchedPages:
    """The source over what a site has answered."""

    name: str
    pages: Sequence[Page]
    is_lasting: bool = False

    @property
    def is_large(self) -> bool:
        """Whether the pages are more than what is read in a second or two."""
        return sum(len(page.content) for page in self.pages) > _LARGE

    def read(self) -> Iterator[RawPaper | Refusal]:
        """Yield the records of every page."""
        for page in self.pages:
            found = records([page.content], shown=page.where, format_name=page.format_name, defaults=page.defaults)
            for one in found:
                yield one if one.where == page.where else dataclasses.replace(one, where=f"{page.where}, {one.where}")


def freshness_of(record: SourceRecord, *, now: dt.datetime, every: dt.timedelta | None = None) -> Freshness:
    """Return how a source fares.

    It is stale when it answers, but has had nothing new for twice as long as it ever had before; two weeks
    where that is not known yet. One that is read whole once, such as a file, is fresh.
    """
    if record.failing_since is not None:
        return Freshness.FAILING
    if record.answered_at is None:
        return Freshness.FRESH if record.read_at is not None else Freshness.NEVER
    usual = max(2 * record.longest_gap if record.longest_gap else _USUAL_SILENCE, 2 * (every or dt.timedelta()))
    since = record.new_paper_at or record.answered_at
    return Freshness.STALE if every is not None and now - since > usual else Freshness.FRESH


def _state_from(text: str) -> SiteState:
    said = json.loads(text)
    validators = {
        name: Validators(etag=etag, last_modified=modified)
        for name, (etag, modified) in said.get("validators", {}).items()
    }
    return SiteState(validators=validators, newest=said.get("newest"))


def _state_as_text(state: SiteState) -> str:
    validators = {name: [one.etag, one.last_modified] for name, one in state.validators.items()}
    return json.dumps({"validators": validators, "newest": state.newest})
