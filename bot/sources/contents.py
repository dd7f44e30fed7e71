"""What is in a file or an answer: its packing, its encoding, its format, and at last its records."""

import codecs
import itertools
import zlib
from collections.abc import Iterable, Iterator

from bot.models import Refusal
from bot.sources.base import Defaults, RawPaper
from bot.sources.detect import FORMATS, detect, encoding_mark
from bot.sources.lines import CHUNK, as_utf8, gunzipped

_GZIP_MAGIC = b"\x1f\x8b"
_DENSEST = 300
"""Times; gzip packs lists of papers to a fifth, a list that repeats itself to a fiftieth."""

_HARMLESS = 64 * 1024 * 1024


class _Bomb(Exception):
    """A small file that unpacks to a huge one."""


class _Counts:
    """What has been read of a file, and what it became."""

    def __init__(self) -> None:
        self.lines = 0
        self._packed = 0
        self._unpacked = 0

    def packed(self, parts: Iterable[bytes]) -> Iterator[bytes]:
        for part in parts:
            self._packed += len(part)
            yield part

    def unpacked(self, parts: Iterable[bytes]) -> Iterator[bytes]:
        for part in parts:
            self._unpacked += len(part)
            if self._unpacked > max(_HARMLESS, _DENSEST * self._packed):
                raise _Bomb
            yield part
            self.lines += part.count(b"\n")


def records(
    parts: Iterable[bytes], *, shown: str, format_name: str | None, defaults: Defaults
) -> Iterator[RawPaper | Refusal]:
    """Yield every record; damage ends it with a refusal, after what came before it.

    Args:
        parts: pieces of the content, perhaps packed with gzip.
        shown: what to call the whole in a refusal.
        format_name: a name of ``FORMATS``; None to look at the content.
        defaults: for records that say nothing themselves.
    """
    counts = _Counts()
    try:
        waiting = counts.packed(parts)
        first = next(waiting, b"")
        whole = itertools.chain([first], waiting)
        unpacked = gunzipped(whole) if first.startswith(_GZIP_MAGIC) else whole
        yield from _records(counts.unpacked(unpacked), shown, format_name, defaults)
    except (zlib.error, EOFError):
        yield Refusal(where=shown, why=f"The compressed file is damaged or incomplete after line {counts.lines}.")
    except _Bomb:
        yield Refusal(
            where=shown, why=f"It unpacks to over {_DENSEST} times its size, as no list does; the rest is left."
        )


def _records(
    parts: Iterable[bytes], shown: str, format_name: str | None, defaults: Defaults
) -> Iterator[RawPaper | Refusal]:
    head, parts = _head(parts)
    encoding = encoding_mark(head)
    if encoding is not None:
        head, parts = _head(as_utf8(parts, encoding))
    if head.startswith(codecs.BOM_UTF8):
        head, parts = _head(_without_mark(parts))
    if not head.strip() and len(head) < CHUNK:
        yield Refusal(where=shown, why="The file is empty.")
        return
    if format_name is None:
        detected = detect(head)
        format_name = detected.format_name
        if format_name is None:
            yield Refusal(where=shown, why=detected.why)
            return
    yield from FORMATS[format_name].read(parts, defaults)


def _without_mark(parts: Iterable[bytes]) -> Iterator[bytes]:
    waiting = iter(parts)
    yield next(waiting, b"").removeprefix(codecs.BOM_UTF8)
    yield from waiting


def _head(parts: Iterable[bytes]) -> tuple[bytes, Iterator[bytes]]:
    """Return the first ``CHUNK`` bytes, or all when there are fewer, and everything with them again."""
    rest = iter(parts)
    taken: list[bytes] = []
    size = 0
    while size < CHUNK and (part := next(rest, None)) is not None:
        taken.append(part)
        size += len(part)
    return b"".join(taken)[:CHUNK], itertools.chain(taken, rest)
