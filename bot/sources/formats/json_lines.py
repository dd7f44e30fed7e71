"""JSON Lines: one object a line, in any of the shapes of ``records``."""

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from bot.models import Refusal
from bot.sources.base import NOTHING_SAID, Defaults, RawPaper
from bot.sources.formats import records
from bot.sources.lines import LONGEST_LINE, Line, lines


class _Broken(Exception):
    """Why a line is no record."""


def recognises(head: bytes) -> bool:
    """Return whether most of the first lines are objects."""
    body = head.removeprefix(codecs.BOM_UTF8).lstrip()
    starts = [line.lstrip()[:1] for line in body.split(b"\n") if line.strip()][:50]
    return starts.count(b"{") * 2 > len(starts) or re.match(rb'\{\s*(?:"|\})', body) is not None


def read(parts: Iterable[bytes], defaults: Defaults = NOTHING_SAID) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper or a refusal for every line that is not blank."""
    for line in lines(parts):
        where = f"line {line.number}"
        try:
            record = _record(line)
            if record is not None:
                yield records.raw_paper(record, where=where, defaults=defaults)
        except _Broken as broken:
            yield Refusal(where=where, why=str(broken))


def _record(line: Line) -> dict[str, Any] | None:
    if line.content is None:
        raise _Broken(f"The line is longer than {LONGEST_LINE // 1024**2} MiB.")
    content = line.content.removeprefix(b"\xef\xbb\xbf") if line.number == 1 else line.content
    if not content.strip():
        return None
    if b"\0" in content:
        raise _Broken("The line holds a NUL byte.")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _Broken(f"The line is not UTF-8 (byte {error.start + 1}).") from None
    try:
        record: object = json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        raise _Broken(f"The JSON is broken at column {error.colno}: {error.msg}.") from None
    except RecursionError:
        raise _Broken("The JSON is nested too deeply.") from None
    except ValueError:
        raise _Broken("The JSON holds a number that is too long.") from None
    if not isinstance(record, dict):
        raise _Broken("The line is not a JSON object.")
    return cast("dict[str, Any]", record)
