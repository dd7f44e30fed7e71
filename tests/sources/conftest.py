"""Papers of our own making, and the ways in which lists garble them."""

import gzip
import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.models import Refusal
from bot.sources.base import RawPaper
from bot.sources.files import FileSource
from bot.sources.importer import Importer

TIDES = (
    "Harbour pilots plan every arrival around the tide, yet the tables they read were fitted to the sea floor "
    "of forty years ago. We propose Tidal Residual Learning (TRL), a method that keeps the harmonic table and "
    "trains a small network on nothing but its errors. Because the table already explains most of the "
    "movement, eleven days of gauge readings are enough. On nine estuaries the mean error falls from 14.2 cm "
    "to 5.1 cm, and the network never has to see a storm to know that one is coming. All readings and the code "
    "are released."
)
ROOFS = (
    "Counting solar panels from the air is easy when the sky is clear and hopeless when the roofs are wet. We "
    "study how reflections mislead detectors, and show that the loss $\\mathcal{L}(\\theta) = \\sum_{i} \\log "
    "p_{\\theta}(y_i)$ rewards glare as if it were glass. A mask that is computed in $O(n \\log n)$ time from "
    "two photographs, taken an hour apart, removes the reward. Precision on rainy mornings rises from 61% to "
    "88% while nothing is lost in sunshine, and the mask needs no labels at all, only patience and a "
    "well-known landmark that both photographs share."
)
BEES = (
    "A beehive hums at a pitch that depends on its mood, its queen and the weather, and beekeepers claim to "
    "hear the difference. This paper introduces a novel recorder, called HumBox, that listens for a season and "
    "asks the keeper only twice. From 2,300 hours of sound a self-supervised encoder learns states which "
    "nobody named, and four of them turn out to precede a swarm by two days or more. The recorder costs less "
    "than a jar of honey, runs on a coin cell, and has been adopted by sixty keepers in three countries."
)


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """A file with this content under a name that says nothing."""

    def write(content: str | bytes, name: str = "something") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def importer(database: Any, clock: Any) -> Importer:
    return Importer(database, clock)


@pytest.fixture
def made() -> SimpleNamespace:
    """The abstracts above and the functions below: modules of tests cannot import each other."""
    return SimpleNamespace(
        TIDES=TIDES, ROOFS=ROOFS, BEES=BEES, plain=plain, json_lines=json_lines, zipped=zipped, read=read
    )


def plain(*abstracts: str, heading: str | None = "ICLR 2024 Papers", width: int | None = None) -> str:
    """A plain list, hard-wrapped at ``width`` if it is given."""
    paragraphs = [textwrap.fill(text, width) if width else text for text in abstracts]
    return "\n\n".join([heading, *paragraphs] if heading else paragraphs) + "\n"


def json_lines(*records: dict[str, Any]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def zipped(content: str) -> bytes:
    return gzip.compress(content.encode(), mtime=0)


def read(what: Path | str, **options: Any) -> tuple[list[RawPaper], list[Refusal]]:
    """The raw papers and the refusals of a file."""
    found = list(FileSource(what, **options).read())
    return [one for one in found if isinstance(one, RawPaper)], [one for one in found if isinstance(one, Refusal)]
