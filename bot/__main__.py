"""The command line: ``paperround``, also ``python -m bot``."""

import argparse
import asyncio
import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from bot import logs
from bot.errors import PaperRoundError
from bot.verbs import digests, library, operating, reading
from config import settings as configuration

EXIT_REFUSED = 2
"""The exit status after bad input or unusable settings, with one sentence on standard error."""


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of every verb; each verb's namespace carries its function as ``verb``."""
    parser = argparse.ArgumentParser(
        prog="paperround",
        description="Research papers for Discord: search, summaries, and digests that arrive once and on time.",
        epilog="Begin with: paperround try",
    )
    parser.add_argument("--version", action="version", version=f"paperround {operating.version()}")
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--settings", type=Path, metavar="FILE", help="a settings file (see config/default.toml)")
    common.add_argument("--store", type=Path, metavar="PATH", help="the library's file (default: as in the settings)")
    verbs = parser.add_subparsers(title="verbs", metavar="VERB", required=True)
    for room in (operating, library, reading, digests):
        room.add_verbs(verbs, common)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one verb and return its exit status: 0 done, 1 done in part, 2 refused, 130 interrupted."""
    chosen = build_parser().parse_args(arguments)
    try:
        settings = configuration.load(chosen.settings, os.environ)
        if chosen.store is not None:
            settings = settings.with_store(chosen.store)
        logs.set_up(_level(settings, chosen), settings.log.format, sys.stderr, secrets=settings.secrets())
        return int(asyncio.run(chosen.verb(settings, chosen)) or 0)
    except (PaperRoundError, configuration.SettingsError) as error:
        print(f"paperround: {error}", file=sys.stderr)
        return EXIT_REFUSED
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`paperround search … | head`): nothing is left to say.
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _level(settings: configuration.Settings, chosen: argparse.Namespace) -> str:
    """Return the log level: in a terminal verb's output only what is wrong has a place, unless asked for."""
    chosen_level = settings.origins.get("log.level", configuration.DEFAULT) != configuration.DEFAULT
    return settings.log.level if chosen_level or getattr(chosen, "serves", False) else "ERROR"


if __name__ == "__main__":
    sys.exit(main())
