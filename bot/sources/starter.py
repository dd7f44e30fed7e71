"""The starter library: the papers that come with Paper Round, each with a synopsis of our own.

The authors' abstracts are not in the package. Each line carries what the true abstract is known by, so that
importing a list with the abstracts attaches them to these papers.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from typing import Any

from bot.models import Refusal
from bot.sources.base import PUBLISHER, RawPaper
from bot.sources.formats import list_records

FILE = "starter.jsonl"


def packaged() -> bytes:
    """Return the packaged file as it is."""
    return (resources.files("bot.sources") / FILE).read_bytes()


class StarterLibrary:
    """The source over the packaged file."""

    @property
    def name(self) -> str:
        """``starter``."""
        return "starter"

    @property
    def is_large(self) -> bool:
        """No."""
        return False

    @property
    def is_lasting(self) -> bool:
        """No: a new version of the package may bring other papers."""
        return False

    def read(self) -> Iterator[RawPaper | Refusal]:
        """Yield the packaged papers in the order of the list they are from."""
        for number, line in enumerate(packaged().decode("utf-8").split("\n"), 1):
            if line.strip():
                yield starter_paper(json.loads(line), where=f"line {number}")


def starter_paper(record: dict[str, Any], *, where: str) -> RawPaper | Refusal:
    """Return a packaged record as a raw paper that knows its true abstract by fingerprint."""
    raw = list_records.raw_paper(record, where=where)
    if isinstance(raw, Refusal):
        return raw
    text_id, runs = record.get("text_id"), record.get("runs")
    return replace(
        raw,
        identifiers=(*raw.identifiers, text_id) if isinstance(text_id, str) else raw.identifiers,
        trust=PUBLISHER,
        runs=bytes.fromhex(runs) if isinstance(runs, str) else None,
    )
