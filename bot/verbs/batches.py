"""Batches: JSON Lines in, one line out for each line in, in the same order."""

import json
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, cast

from bot.errors import InvalidInput, PaperRoundError

MAX_LINE_BYTES = 1 << 20

Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


async def run(name: str, answer: Answer) -> int:
    """Answer each line of the file called ``name`` (``-`` is standard input) on standard output.

    A line that cannot be answered gives ``{"error": "…"}``, and the batch goes on.

    Returns:
        0 when every line was answered, else 1.

    Raises:
        InvalidInput: the file cannot be read.
    """
    status = 0
    try:
        with _opened(name) as lines:
            for line in _bounded_lines(lines):
                try:
                    result = await answer(_record(line))
                except PaperRoundError as error:
                    result, status = {"error": error.sentence}, 1
                sys.stdout.write(json.dumps(result, ensure_ascii=False) + "\n")
    except OSError as error:
        raise InvalidInput(f"{name} cannot be read: {error.strerror or error}.") from error
    sys.stdout.flush()
    return status


def text_of(record: dict[str, Any], key: str, *, required: bool = True) -> str:
    """Return the text under ``key``; the empty string where it is missing and not required.

    Raises:
        InvalidInput: it is missing, or not text.
    """
    value = record.get(key)
    if value is None and not required:
        return ""
    if not isinstance(value, str):
        raise InvalidInput(f"Each line needs “{key}”, as text.")
    return value


def _opened(name: str) -> BinaryIO:
    return sys.stdin.buffer if name == "-" else Path(name).open("rb")


def _bounded_lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines that are not blank; None stands for one that is too long to be held."""
    while line := stream.readline(MAX_LINE_BYTES + 1):
        if len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
            while (rest := stream.readline(MAX_LINE_BYTES)) and not rest.endswith(b"\n"):
                pass
            yield None
        elif line.strip():
            yield line


def _record(line: bytes | None) -> dict[str, Any]:
    if line is None:
        raise InvalidInput(f"The line is longer than {MAX_LINE_BYTES:,} bytes.")
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("The line is not JSON.") from error
    if not isinstance(record, dict):
        raise InvalidInput("The line is not a JSON object.")
    return cast("dict[str, Any]", record)
