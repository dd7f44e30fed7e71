"""The verb that fills the library: ``import``."""

import argparse
import datetime as dt
import json
import sys
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from bot import app
from bot.errors import SourceError
from bot.models import Freshness, ImportReport, Refusal, SourceStatus
from bot.rendering.provenance import as_lines
from bot.services import Services
from bot.sources import detect, files
from bot.sources.sites import specs
from bot.verbs.arguments import Verbs, between
from config.settings import Settings

_SHOWN_REFUSALS = 20


def add_verbs(verbs: Verbs, common: argparse.ArgumentParser) -> None:
    """Add the verbs of this room to the parser."""
    parser = verbs.add_parser(
        "import",
        parents=[common],
        help="bring papers into the library; repeating it changes nothing",
        description="Exit status: 0 all taken, 1 some refused, 2 nothing read.",
    )
    parser.add_argument(
        "what",
        nargs="+",
        help="a file, a folder, - for standard input, or a site: " + ", ".join(specs.EXAMPLES.values()),
    )
    known = "; ".join(f"{name}: {entry.about}" for name, entry in detect.FORMATS.items())
    parser.add_argument("--format", metavar="NAME", help=f"one of {known} (default: by content)")
    parser.add_argument("--venue", help="the venue of papers that name none")
    parser.add_argument("--year", type=between(1900, 2100), help="the year of papers that name none")
    parser.add_argument("--force", action="store_true", help="take a source that brings far fewer papers than before")
    parser.add_argument("--dry-run", action="store_true", help="report what would happen and change nothing")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    parser.set_defaults(verb=_import)

    shown = verbs.add_parser("sources", parents=[common], help="where papers come from, and how each source fares")
    shown.add_argument("--read", action="store_true", help="read every watched site now, first")
    shown.add_argument("--json", action="store_true", help="one JSON array instead of text")
    shown.set_defaults(verb=_sources)


async def _import(settings: Settings, chosen: argparse.Namespace) -> int:
    errors = Console(stderr=True)
    report = ImportReport()
    async with app.opened(settings) as services:
        with _progress(errors, quiet=chosen.json) as progress:
            for what in chosen.what:
                task = progress.add_task(str(what), total=None)
                part = await _import_one(
                    services,
                    what,
                    chosen,
                    progress=lambda read, task=task: progress.update(task, completed=read),
                )
                report = _sum(report, part)
    if chosen.json:
        print(json.dumps(_record(report), ensure_ascii=False))
    else:
        _tell(report, dry_run=chosen.dry_run)
    if report.refused and report.read == report.refused:
        return 2
    return 1 if report.refused else 0


async def _import_one(
    services: Services, what: str, chosen: argparse.Namespace, progress: Callable[[int], None]
) -> ImportReport:
    # A file of this name goes before a site; nobody names a file "arxiv:cs.CL".
    found = None if _is_file(what) else services.sites.find(what)
    if found is None:
        source = files.FileSource(what, format_name=chosen.format, venue=chosen.venue, year=chosen.year)
        return await services.importer.run(source, dry_run=chosen.dry_run, force=chosen.force, progress=progress)
    try:
        return await services.sites.read(found, dry_run=chosen.dry_run, force=chosen.force, progress=progress)
    except SourceError as error:
        return ImportReport(read=1, refused=1, refusals=(Refusal(where=what, why=error.sentence),))


def _is_file(what: str) -> bool:
    return what == files.STANDARD_INPUT or Path(what).exists()


async def _sources(settings: Settings, chosen: argparse.Namespace) -> int:
    async with app.opened(settings) as services:
        if chosen.read:
            for one in services.sites.watched:
                await services.sites.read_watched(one)
        statuses = await services.sites.statuses()
    if chosen.json:
        print(json.dumps([_status_record(status) for status in statuses], ensure_ascii=False))
    elif not statuses:
        print("No source yet. Import a file or a site, or name sites under sources.watch in the settings.")
    else:
        for line in (line for status in statuses for line in as_lines(status)):
            print(line)
    return 1 if any(status.freshness is Freshness.FAILING for status in statuses) else 0


def _status_record(status: SourceStatus) -> dict[str, object]:
    record = {
        name: value.isoformat() if isinstance(value, dt.datetime) else value
        for name, value in asdict(status.record).items()
        if name != "longest_gap"
    }
    every = status.every.total_seconds() if status.every else None
    return {**record, "freshness": status.freshness.value, "watched": status.spec, "every_seconds": every}


def _progress(console: Console, *, quiet: bool) -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        disable=quiet or not console.is_terminal,
        transient=True,
    )


def _sum(one: ImportReport, other: ImportReport) -> ImportReport:
    return replace(
        one,
        read=one.read + other.read,
        added=one.added + other.added,
        merged=one.merged + other.merged,
        unchanged=one.unchanged + other.unchanged,
        refused=one.refused + other.refused,
        refusals=one.refusals + other.refusals,
    )


def _record(report: ImportReport) -> dict[str, object]:
    record = asdict(report)
    record["reasons"] = record.pop("refusals")
    return record


def _tell(report: ImportReport, *, dry_run: bool) -> None:
    counts = f"{report.added} added, {report.merged} merged, {report.unchanged} unchanged, {report.refused} refused"
    print(f"{report.read} read: {counts}{' (dry run: nothing was changed)' if dry_run else ''}")
    for refusal in report.refusals[:_SHOWN_REFUSALS]:
        print(f"  {refusal.where}: {refusal.why}", file=sys.stderr)
    if len(report.refusals) > _SHOWN_REFUSALS:
        print(f"  … and {len(report.refusals) - _SHOWN_REFUSALS} more; --json lists them all", file=sys.stderr)
