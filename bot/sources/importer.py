"""Bringing a source's papers into the library: each recognised, merged or added, or refused with a reason."""

import asyncio
import contextlib
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.models import ImportReport, Now, Paper, Refusal
from bot.sources import ahead, identity, matching
from bot.sources.ahead import Batch
from bot.sources.base import Source
from bot.sources.merging import merge
from bot.sources.preparing import PreparedPaper, bands
from bot.store import facts, papers, recognition, sources
from bot.store.database import Connection, Database
from bot.store.packing import Original

MOST_REASONS = 10_000
"""Refusals that a report spells out; the others are only counted."""

SMALLEST_GUARDED = 20
"""A source that brought fewer papers than this may bring any number the next time."""

_FILED = "papers are filed by"
_MANNER = f"version {identity.VERSION}"
_REFILED_AT_ONCE = 1000


@dataclass
class _Tally:
    read: int = 0
    added: int = 0
    merged: int = 0
    unchanged: int = 0
    refused: int = 0
    refusals: list[Refusal] = field(default_factory=list[Refusal])

    def take(self, batch: Batch) -> None:
        self.read += batch.read
        self.unchanged += batch.unchanged
        self.refused += len(batch.refusals)
        self.refusals.extend(batch.refusals[: MOST_REASONS - len(self.refusals)])

    def report(self) -> ImportReport:
        return ImportReport(
            read=self.read,
            added=self.added,
            merged=self.merged,
            unchanged=self.unchanged,
            refused=self.refused,
            refusals=tuple(self.refusals),
        )


class Importer:
    """Runs imports into one library."""

    def __init__(self, database: Database, now: Now) -> None:
        self._database = database
        self._now = now

    async def run(
        self,
        source: Source,
        *,
        dry_run: bool = False,
        force: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> ImportReport:
        """Import everything that the source yields, one transaction a batch, and return what was done.

        An import that is broken off has kept its whole batches; run again, it goes on where it stopped.
        A third of a millisecond a new paper with an abstract; what was imported before costs a tenth of that.

        Args:
            source: read on another thread, or in another process if it is large.
            dry_run: change nothing and return the same report; works on a copy of the library,
                which takes its room on the disk for temporary files.
            force: take the source even if it brings less than half of what it brought before.
            progress: called after every batch with the number of records read so far.

        Raises:
            Unavailable: the process that reads a large source was killed.
        """
        if not dry_run:
            return await self._run(self._database, source, force, progress)
        with tempfile.TemporaryDirectory(prefix="paperround-") as folder:
            copy = Path(folder, "library.db")
            await self._database.backup(copy)
            async with await Database.open(copy, readers=1) as database:
                return await self._run(database, source, force, progress)

    async def _run(
        self, database: Database, source: Source, force: bool, progress: Callable[[int], None] | None
    ) -> ImportReport:
        shrunk = None if force else await _shrinkage(database, source)
        if shrunk is not None:
            return ImportReport(read=1, refused=1, refusals=(shrunk,))
        await _file_anew_if_needed(database)
        tally = _Tally()
        async with contextlib.aclosing(ahead.batches(source, database.path)) as batches:
            async for batch in batches:
                tally.take(batch)
                if batch.prepared:
                    added, merged = await database.write(
                        lambda connection, b=batch: self._store(connection, b.prepared, source.name)
                    )
                    tally.added += added
                    tally.merged += merged
                    tally.unchanged += len(batch.prepared) - added - merged
                if progress is not None:
                    progress(tally.read)
        accepted = tally.read - tally.refused
        if source.is_lasting and accepted:
            now = self._now()
            await database.write(
                lambda connection: sources.read_whole(connection, source.name, records=accepted, moment=now)
            )
        return tally.report()

    def _store(self, connection: Connection, arrivals: Iterable[PreparedPaper], source: str) -> tuple[int, int]:
        """Add or merge every arrival; return how many were added and how many changed a paper."""
        arrivals = list(arrivals)
        known = sources.seen(connection, source, [arrival.digest for arrival in arrivals])
        # Most arrivals resemble nothing that is there: they go in together, many times as fast as one by one.
        taken_names = set(papers.owners(connection, [name for one in arrivals for name in one.paper.identifiers]))
        taken_bands = recognition.taken_bands(connection, [band for one in arrivals for band in one.bands])
        waiting: list[PreparedPaper] = []
        added = merged = 0
        for arrival in arrivals:
            if arrival.digest in known:
                continue
            known.add(arrival.digest)
            if taken_names.isdisjoint(arrival.paper.identifiers) and taken_bands.isdisjoint(arrival.bands):
                waiting.append(arrival)
            else:
                added += self._add(connection, waiting)
                waiting.clear()
                paper = _recognised(connection, arrival, source)
                if paper is None:
                    own = _without_taken(connection, arrival.paper).identifiers
                    added += self._add(connection, [replace(arrival, new=replace(arrival.new, identifiers=own))])
                else:
                    merged += _merge(connection, paper, arrival, source)
            taken_names.update(arrival.paper.identifiers)
            taken_bands.update(arrival.bands)
        added += self._add(connection, waiting)
        sources.remember(connection, source, [arrival.digest for arrival in arrivals])
        if added or merged:
            papers.bump_version(connection)
        return added, merged

    def _add(self, connection: Connection, arrivals: list[PreparedPaper]) -> int:
        numbers = papers.insert_many(connection, [one.new for one in arrivals], added_at=self._now())
        pairs = list(zip(numbers, arrivals, strict=True))
        recognition.file_under(connection, [(band, number) for number, one in pairs for band in one.bands])
        for number, one in pairs:
            if one.paper.abstract is None and one.runs is not None:
                recognition.set_fingerprint(connection, number, one.runs)
        return len(numbers)


async def _shrinkage(database: Database, source: Source) -> Refusal | None:
    """Return why a source is not to be taken that brings less than half of what it brought before."""
    if not source.is_lasting:
        return None
    before = await database.read(lambda connection: sources.size(connection, source.name))
    wanted = (before + 1) // 2
    if before < SMALLEST_GUARDED or await asyncio.to_thread(ahead.holds, source, wanted):
        return None
    return Refusal(
        where=source.name,
        why=f"It brings less than half of the {before} papers that it brought before, so nothing was taken. "
        "If that is right, import it with --force.",
    )


async def _file_anew_if_needed(database: Database) -> None:
    """File every paper under the numbers of this version, after an older one filed them in its own manner."""
    if await database.read(lambda connection: facts.find_fact(connection, _FILED)) == _MANNER:
        return
    await database.write(recognition.forget_bands)
    last = 0
    while numbers := await database.read(
        lambda connection, after=last: papers.ids_after(connection, after, limit=_REFILED_AT_ONCE)
    ):
        found = await database.read(lambda connection, n=numbers: papers.get_papers(connection, n))
        filed = await asyncio.to_thread(_filed, found)
        await database.write(lambda connection, f=filed: recognition.file_under(connection, f))
        last = numbers[-1]
    await database.write(lambda connection: facts.keep_fact(connection, _FILED, _MANNER))


def _recognised(connection: Connection, arrival: PreparedPaper, source: str) -> Paper | None:
    """Return the paper that the arrival is, after making one of those that it shows to be one."""
    paper = arrival.paper
    strong = [name for name in paper.identifiers if not name.startswith("text:")]
    numbers = list(dict.fromkeys(papers.owners(connection, strong).values()))
    owners = [
        found for found in papers.get_papers(connection, sorted(numbers)) if matching.same_by_identifier(found, paper)
    ]
    if owners:
        return _united(connection, owners)
    return _by_text(connection, arrival) or _by_title(connection, arrival) or _by_people(connection, arrival, source)


def _by_text(connection: Connection, arrival: PreparedPaper) -> Paper | None:
    text_id = next((name for name in arrival.paper.identifiers if name.startswith("text:")), None)
    exact = papers.find_by_identifier(connection, text_id) if text_id is not None else None
    if exact is not None and matching.same_by_text(exact, arrival.paper, likeness=1.0):
        return exact
    runs = arrival.runs
    if runs is None:
        return None
    near = papers.get_papers(connection, recognition.filed_under(connection, identity.bands(runs)))
    likeness = {paper.id: _likeness(runs, other) for paper, other in _with_runs(connection, near)}
    for found in sorted(near, key=lambda paper: (-likeness[paper.id], paper.id)):
        if likeness[found.id] < identity.ATTACHED_TEXT:
            return None
        if matching.same_by_text(found, arrival.paper, likeness=likeness[found.id]):
            return found
    return None


def _by_title(connection: Connection, arrival: PreparedPaper) -> Paper | None:
    titles = _true_titles(arrival.paper)
    if not titles:
        return None
    numbers = recognition.filed_under(connection, [identity.title_band(title) for title in titles])
    for found, other in _with_runs(connection, papers.get_papers(connection, numbers)):
        likeness = _likeness(arrival.runs, other) if arrival.runs and other else None
        if matching.same_by_title(found, arrival.paper, likeness=likeness):
            return found
    return None


def _by_people(connection: Connection, arrival: PreparedPaper, source: str) -> Paper | None:
    band = identity.people_band(arrival.paper.authors)
    if band is None:
        return None
    numbers = recognition.filed_under(connection, [band])
    matched = [
        found
        for found, other in _with_runs(connection, papers.get_papers(connection, numbers))
        if matching.same_by_people(
            found, arrival.paper, likeness=_likeness(arrival.runs, other) if arrival.runs and other else None
        )
        # What one source lists under two titles is two papers.
        and all(one.source != source for one in papers.originals(connection, found.id))
    ]
    # The same people may well have two papers in one place: then nothing tells which one this is.
    return matched[0] if len(matched) == 1 else None


def _filed(found: list[Paper]) -> list[tuple[int, int]]:
    return [(band, paper.id) for paper in found for band in bands(paper, _runs(paper))]


def _runs(paper: Paper) -> bytes | None:
    return identity.fingerprint(paper.abstract).runs


def _with_runs(connection: Connection, found: list[Paper]) -> list[tuple[Paper, bytes | None]]:
    """Return each paper with the runs of its abstract, kept where the library does not have the abstract."""
    kept = recognition.fingerprints(connection, [paper.id for paper in found if paper.abstract is None])
    return [(paper, _runs(paper) if paper.abstract else kept.get(paper.id)) for paper in found]


def _likeness(one: bytes, other: bytes | None) -> float:
    return identity.resemblance(one, other) if other else 0.0


def _united(connection: Connection, owners: list[Paper]) -> Paper:
    """Make one paper of those that an arrival's identifiers belong to, where none contradicts the first."""
    first, *others = owners
    for other in others:
        if matching.contradict(first, other):
            continue
        papers.absorb(connection, kept=first.id, gone=other.id)
        of_both = bands(other, _runs(other))
        first = merge(first, other)
        papers.update(connection, first)
        recognition.file_under(connection, [(band, first.id) for band in (*of_both, *bands(first, None))])
        papers.bump_version(connection)
    return first


def _merge(connection: Connection, known: Paper, arrival: PreparedPaper, source: str) -> bool:
    """Store what the arrival adds to a known paper; return whether it was anything."""
    originals = papers.originals(connection, known.id)
    merged = merge(
        known,
        _without_taken(connection, arrival.paper, owner=known.id),
        new_is_cut=arrival.abstract_cut,
        same_source=any(one.source == source for one in originals),
    )
    if merged != known:
        papers.update(connection, merged)
        recognition.file_under(connection, [(band, known.id) for band in (*bands(merged, None), *arrival.bands)])
    papers.keep_original(connection, known.id, Original(source=source, record=arrival.original))
    if merged.abstract is not None:
        recognition.set_fingerprint(connection, known.id, None)
    elif arrival.runs is not None:
        recognition.set_fingerprint(connection, known.id, arrival.runs)
    return merged != known


def _without_taken(connection: Connection, paper: Paper, *, owner: int | None = None) -> Paper:
    """Return the paper without identifiers that belong to another than ``owner``."""
    taken = papers.owners(connection, paper.identifiers)
    return replace(paper, identifiers=tuple(name for name in paper.identifiers if taken.get(name, owner) == owner))


def _true_titles(paper: Paper) -> tuple[str, ...]:
    return paper.aliases if paper.title_made else (paper.title, *paper.aliases)
