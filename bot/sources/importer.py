"""Bringing a source's papers into the library: each recognised, merged or added, or refused with a reason."""

import asyncio
import itertools
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot.models import ImportReport, Now, Paper, Refusal
from bot.sources import identity, matching
from bot.sources.base import RawPaper, Source
from bot.sources.merging import merge
from bot.sources.preparing import Original, PreparedPaper, original, prepare
from bot.store import papers
from bot.store.database import Connection, Database

BATCH = 500
"""Records in one transaction."""

MOST_REASONS = 10_000
"""Refusals that a report spells out; the others are only counted."""


@dataclass
class _Tally:
    read: int = 0
    added: int = 0
    merged: int = 0
    unchanged: int = 0
    refused: int = 0
    refusals: list[Refusal] = field(default_factory=list[Refusal])

    def refuse(self, refusal: Refusal) -> None:
        self.refused += 1
        if len(self.refusals) < MOST_REASONS:
            self.refusals.append(refusal)

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
        self, source: Source, *, dry_run: bool = False, progress: Callable[[int], None] | None = None
    ) -> ImportReport:
        """Import everything that the source yields, one transaction a batch, and return what was done.

        An import that is broken off has kept its whole batches; run again, it goes on where it stopped.
        About 1 ms a new paper with an abstract; what was imported before costs a tenth of that.

        Args:
            source: read once, on another thread.
            dry_run: change nothing and return the same report; works on a copy of the library,
                which takes its room on the disk for temporary files.
            progress: called after every batch with the number of records read so far.
        """
        if not dry_run:
            return await self._run(self._database, source, progress)
        with tempfile.TemporaryDirectory(prefix="paperround-") as folder:
            copy = Path(folder, "library.db")
            await self._database.backup(copy)
            async with await Database.open(copy, readers=1) as database:
                return await self._run(database, source, progress)

    async def _run(self, database: Database, source: Source, progress: Callable[[int], None] | None) -> ImportReport:
        tally = _Tally()
        records = source.read()
        while batch := await asyncio.to_thread(_next_batch, records):
            # In the order in which the source has them: a batch's refusals come as they stand.
            originals = [found for found in batch if isinstance(found, Original)]
            digests = [found.digest for found in originals]
            known = await database.read(
                lambda connection, d=digests: papers.known_originals(connection, source.name, d)
            )
            prepared = await asyncio.to_thread(_prepare_new, batch, known)
            tally.read += len(batch)
            tally.unchanged += sum(found.digest in known for found in originals)
            for refusal in prepared:
                if isinstance(refusal, Refusal):
                    tally.refuse(refusal)
            arrivals = [found for found in prepared if isinstance(found, PreparedPaper)]
            if arrivals:
                added, merged = await database.write(
                    lambda connection, a=arrivals: self._store(connection, a, source.name)
                )
                tally.added += added
                tally.merged += merged
                tally.unchanged += len(arrivals) - added - merged
            if progress is not None:
                progress(tally.read)
        return tally.report()

    def _store(self, connection: Connection, arrivals: list[PreparedPaper], source: str) -> tuple[int, int]:
        """Add or merge every arrival; return how many were added and how many changed a paper."""
        added = merged = 0
        now = self._now()
        for arrival in arrivals:
            if papers.known_originals(connection, source, [arrival.digest]):
                continue
            known = _recognised(connection, arrival)
            if known is None:
                paper_id = papers.insert(connection, _without_taken(connection, arrival.paper), added_at=now)
                added += 1
                _file(connection, paper_id, arrival.paper, arrival.fingerprint.sketch, is_kept=True)
            else:
                paper_id = known.id
                merged += _merge(connection, known, arrival, source)
            papers.keep_original(connection, paper_id, source=source, digest=arrival.digest, record=arrival.record)
        if added or merged:
            papers.bump_version(connection)
        return added, merged


def _next_batch(records: Iterator[RawPaper | Refusal]) -> list[Original | Refusal]:
    taken = itertools.islice(records, BATCH)
    return [found if isinstance(found, Refusal) else original(found) for found in taken]


def _prepare_new(batch: Iterable[Original | Refusal], known: set[str]) -> list[PreparedPaper | Refusal]:
    return [
        found if isinstance(found, Refusal) else prepare(found)
        for found in batch
        if isinstance(found, Refusal) or found.digest not in known
    ]


def _recognised(connection: Connection, arrival: PreparedPaper) -> Paper | None:
    """Return the paper that the arrival is, after making one of those that it shows to be one."""
    paper = arrival.paper
    strong = [name for name in paper.identifiers if not name.startswith("text:")]
    numbers = list(dict.fromkeys(papers.owners(connection, strong).values()))
    owners = [
        found for found in papers.get_papers(connection, sorted(numbers)) if matching.same_by_identifier(found, paper)
    ]
    if owners:
        return _united(connection, owners)
    return _by_text(connection, arrival) or _by_title(connection, arrival)


def _by_text(connection: Connection, arrival: PreparedPaper) -> Paper | None:
    text_id, sketch = arrival.fingerprint.text_id, arrival.fingerprint.sketch
    exact = papers.find_by_identifier(connection, text_id) if text_id is not None else None
    if exact is not None and matching.same_by_text(exact, arrival.paper, likeness=1.0):
        return exact
    if sketch is None:
        return None
    near = papers.filed_under(connection, identity.bands(sketch))
    likeness = {
        number: identity.resemblance(sketch, other) for number, other in papers.sketches(connection, near).items()
    }
    for number in sorted(likeness, key=lambda number: (-likeness[number], number)):
        if likeness[number] < identity.ATTACHED_TEXT:
            return None
        found = papers.get_paper(connection, number)
        if matching.same_by_text(found, arrival.paper, likeness=likeness[number]):
            return found
    return None


def _by_title(connection: Connection, arrival: PreparedPaper) -> Paper | None:
    titles = _true_titles(arrival.paper)
    if not titles:
        return None
    sketch = arrival.fingerprint.sketch
    numbers = papers.filed_under(connection, [identity.title_band(title) for title in titles])
    sketches = papers.sketches(connection, numbers)
    for found in papers.get_papers(connection, numbers):
        other = sketches.get(found.id)
        likeness = identity.resemblance(sketch, other) if sketch and other else None
        if matching.same_by_title(found, arrival.paper, likeness=likeness):
            return found
    return None


def _united(connection: Connection, owners: list[Paper]) -> Paper:
    """Make one paper of those that an arrival's identifiers belong to, where none contradicts the first."""
    first, *others = owners
    for other in others:
        if matching.contradict(first, other):
            continue
        papers.absorb(connection, kept=first.id, gone=other.id)
        first = merge(first, other)
        papers.update(connection, first)
        _file(connection, first.id, first, None, is_kept=False)
        papers.bump_version(connection)
    return first


def _merge(connection: Connection, known: Paper, arrival: PreparedPaper, source: str) -> bool:
    """Store what the arrival adds to a known paper; return whether it was anything."""
    merged = merge(
        known,
        _without_taken(connection, arrival.paper, owner=known.id),
        new_is_cut=arrival.abstract_cut,
        same_source=papers.has_original_from(connection, known.id, source),
    )
    if merged == known:
        return False
    papers.update(connection, merged)
    is_kept = arrival.paper.abstract is not None and merged.abstract == arrival.paper.abstract
    has_sketch = bool(papers.sketches(connection, [known.id]))
    _file(connection, known.id, merged, arrival.fingerprint.sketch, is_kept=is_kept or not has_sketch)
    return True


def _file(connection: Connection, paper_id: int, paper: Paper, sketch: bytes | None, *, is_kept: bool) -> None:
    """File a paper so that it is recognised by its titles and by this sketch, kept whole where it is the best."""
    papers.file_under(connection, paper_id, [identity.title_band(title) for title in _true_titles(paper)])
    if sketch is not None:
        papers.file_under(connection, paper_id, identity.bands(sketch))
        if is_kept:
            papers.set_sketch(connection, paper_id, sketch)


def _without_taken(connection: Connection, paper: Paper, *, owner: int | None = None) -> Paper:
    """Return the paper without identifiers that belong to another than ``owner``."""
    taken = papers.owners(connection, paper.identifiers)
    return replace(paper, identifiers=tuple(name for name in paper.identifiers if taken.get(name, owner) == owner))


def _true_titles(paper: Paper) -> tuple[str, ...]:
    return paper.aliases if paper.title_made else (paper.title, *paper.aliases)
