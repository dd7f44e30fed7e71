"""The verb that fills the library: ``import``."""

import argparse
import json
import sys
from dataclasses import asdict, replace

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from bot import app
from bot.models import ImportReport
from bot.sources import detect, files
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
    parser.add_argument("what", nargs="+", help="a file, a folder, or - for standard input")
    parser.add_argument("--format", metavar="NAME", help=f"{', '.join(detect.FORMATS)} (default: by content)")
    parser.add_argument("--venue", help="the venue of papers that name none")
    parser.add_argument("--year", type=between(1900, 2100), help="the year of papers that name none")
    parser.add_argument("--dry-run", action="store_true", help="report what would happen and change nothing")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of text")
    parser.set_defaults(verb=_import)


async def _import(settings: Settings, chosen: argparse.Namespace) -> int:
    errors = Console(stderr=True)
    report = ImportReport()
    async with app.opened(settings) as services:
        with _progress(errors, quiet=chosen.json) as progress:
            for what in chosen.what:
                task = progress.add_task(str(what), total=None)
                source = files.FileSource(what, format_name=chosen.format, venue=chosen.venue, year=chosen.year)
                part = await services.importer.run(
                    source,
                    dry_run=chosen.dry_run,
                    progress=lambda read, task=task: progress.update(task, completed=read),
                )
                report = _sum(report, part)
    if chosen.json:
        print(json.dumps(_record(report), ensure_ascii=False))
    else:
        _tell(report, dry_run=chosen.dry_run)
    if report.read == report.refused:
        return 2
    return 1 if report.refused else 0


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
