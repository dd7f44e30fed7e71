"""Verbs for whoever runs the bot: ``try``, ``run``, ``doctor``, ``backup``, ``restore``, ``migrate``, ``settings``."""

import argparse
import json
from importlib import metadata
from pathlib import Path

from bot import app, checkup
from bot.store import restoring
from bot.store.claim import Claim
from bot.store.database import Database
from bot.verbs.arguments import Verbs, between
from config import settings as configuration
from config.settings import Settings, SettingsError


def add_verbs(verbs: Verbs, common: argparse.ArgumentParser) -> None:
    """Add the verbs of this room to the parser."""
    play = verbs.add_parser("try", parents=[common], help="the whole bot in a simulated Discord, in your browser")
    play.add_argument("--once", action="store_true", help="end after the tour")
    play.add_argument("--port", type=between(1, 65535), metavar="N", help="the page's port (default: a free one)")
    play.set_defaults(verb=_try)

    run = verbs.add_parser("run", parents=[common], help="the bot on Discord")
    run.set_defaults(verb=_run, serves=True)

    doctor = verbs.add_parser("doctor", parents=[common], help="check everything the bot needs, with remedies")
    doctor.add_argument("--json", action="store_true", help="one JSON object instead of text")
    doctor.set_defaults(verb=_doctor)

    backup = verbs.add_parser("backup", parents=[common], help="copy the library while the bot runs")
    backup.add_argument("path", type=Path, help="a new file")
    backup.set_defaults(verb=_backup)

    restore = verbs.add_parser("restore", parents=[common], help="put a copy back, checked first")
    restore.add_argument("path", type=Path, help="a file that backup wrote")
    restore.set_defaults(verb=_restore)

    migrate = verbs.add_parser("migrate", parents=[common], help="bring the library's schema up to date")
    migrate.set_defaults(verb=_migrate)

    shown = verbs.add_parser("settings", parents=[common], help="the settings in effect, secrets masked")
    shown.add_argument("--json", action="store_true", help="one JSON object instead of text")
    shown.set_defaults(verb=_settings)


def version() -> str:
    """Return the version of the installed package."""
    return metadata.version("paperround")


async def _try(settings: Settings, chosen: argparse.Namespace) -> int:
    try:
        from bot import playground  # noqa: PLC0415 -- its libraries are an extra that `run` does not need
    except ModuleNotFoundError as error:
        raise SettingsError(
            f"`paperround try` needs the extra “try” ({error.name} is missing): pip install 'paperround[try]'."
        ) from error
    await playground.play(settings, once=chosen.once, port=chosen.port, say=print)
    return 0


async def _run(settings: Settings, _chosen: argparse.Namespace) -> int:
    await app.run(settings)
    return 0


async def _doctor(settings: Settings, chosen: argparse.Namespace) -> int:
    findings = await checkup.examine(settings)
    if chosen.json:
        print(json.dumps([finding.as_record() for finding in findings], ensure_ascii=False))
    else:
        for finding in findings:
            print(f"{'ok  ' if finding.well else 'FIX '} {finding.what}: {finding.state}")
            if finding.remedy:
                print(f"     → {finding.remedy}")
    return 0 if all(finding.well for finding in findings) else 1


async def _backup(settings: Settings, chosen: argparse.Namespace) -> int:
    async with await Database.open(settings.store.path) as database:
        await database.backup(chosen.path)
    print(f"The library was copied to {chosen.path}.")
    return 0


async def _restore(settings: Settings, chosen: argparse.Namespace) -> int:
    with Claim(settings.store.path):
        kept = restoring.restore(chosen.path, settings.store.path)
    print(f"{settings.store.path} was restored from {chosen.path}.")
    if kept is not None:
        print(f"The library that was there is kept as {kept}.")
    return 0


async def _migrate(settings: Settings, _chosen: argparse.Namespace) -> int:
    async with await Database.open(settings.store.path) as database:
        print(f"{settings.store.path} has schema {await database.schema()}.")
    return 0


async def _settings(settings: Settings, chosen: argparse.Namespace) -> int:
    lines = configuration.describe(settings)
    if chosen.json:
        print(json.dumps({key: {"value": value, "from": origin} for key, value, origin in lines}, ensure_ascii=False))
    else:
        for key, value, origin in lines:
            print(f"{key} = {value}    ({origin})")
    return 0
