"""Bytes from anywhere as lines of bounded length.

Lines end at U+000A only: JSON strings and abstracts hold U+2028 and U+0085 as they are.
"""

import codecs
import logging
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

log = logging.getLogger(__name__)

LONGEST_LINE = 1024 * 1024
"""Bytes, without the line's end; little more than this of a line is ever held."""

LONGEST_RECORD = 16 * LONGEST_LINE
"""Bytes; no paper is described in more."""

CHUNK = 64 * 1024

_GZIP = 31  # zlib, inflateInit2: 16 for a gzip header and 15 for the largest window


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its end.

    Attributes:
        number: from 1.
        content: None where the line was longer than ``LONGEST_LINE`` and was skipped.
    """

    number: int
    content: bytes | None


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line without its end, decoded.

    Attributes:
        number: from 1.
        text: None where the line was longer than ``LONGEST_LINE`` bytes and was skipped.
    """

    number: int
    text: str | None


class TooLong(Exception):
    """One record is longer than ``Pieces`` lets pass."""


class Pieces:
    """The pieces of a file as the binary stream that parsers want; it never holds more than one piece too many.

    A parser whose caller calls ``record_ended`` after every record cannot be made to gather an endless one.
    """

    def __init__(self, parts: Iterable[bytes], *, longest_record: int = LONGEST_RECORD) -> None:
        """Remember what to read; ``longest_record`` is in bytes and may be exceeded by one piece."""
        self._parts = iter(parts)
        self._held = b""
        self._since = 0
        self._longest = longest_record

    def read(self, size: int = -1) -> bytes:
        """Return up to ``size`` bytes, or all that are left when it is negative; empty at the end.

        Raises:
            TooLong: more than ``longest_record`` bytes were read since a record ended.
        """
        gathered = bytearray(self._held)
        while (size < 0 or len(gathered) < max(size, 1)) and (part := next(self._parts, None)) is not None:
            gathered += part
            if self._since + len(gathered) > self._longest + CHUNK:
                raise TooLong
            if size >= 0:
                break
        size = len(gathered) if size < 0 else size
        self._held = bytes(gathered[size:])
        taken = bytes(gathered[:size])
        self._since += len(taken)
        if self._since > self._longest:
            raise TooLong
        return taken

    def record_ended(self) -> None:
        """Begin to count anew."""
        self._since = 0


def pieces(stream: BinaryIO) -> Iterator[bytes]:
    """Yield what is left of a stream in pieces of at most ``CHUNK`` bytes."""
    while piece := stream.read(CHUNK):
        yield piece


def gunzipped(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield what gzip packed, in small pieces however well it was packed.

    Raises:
        zlib.error: the data are damaged.
        EOFError: the data end too early.
    """
    decoder = zlib.decompressobj(_GZIP)
    begun = False
    for part in parts:
        waiting = part
        while waiting:
            begun = True
            yield decoder.decompress(waiting, CHUNK)
            if decoder.eof:
                # Another member may follow, or the zeros that fill a tape's block.
                waiting = decoder.unused_data.lstrip(b"\0")
                decoder = zlib.decompressobj(_GZIP)
                begun = False
            else:
                waiting = decoder.unconsumed_tail
    if begun:
        yield decoder.flush()
        if not decoder.eof:
            raise EOFError


def as_utf8(parts: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield the pieces of a text in another encoding as UTF-8; what cannot be decoded becomes U+FFFD."""
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    for part in parts:
        yield decoder.decode(part).encode("utf-8", "replace")
    yield decoder.decode(b"", True).encode("utf-8", "replace")


def lines(parts: Iterable[bytes]) -> Iterator[Line]:
    """Yield the lines that the pieces make; a carriage return before a line's end belongs to the end."""
    number = 1
    held = bytearray()
    too_long = False
    for part in parts:
        start = 0
        while (end := part.find(b"\n", start)) >= 0:
            held += part[start:end]
            yield _line(number, held, too_long)
            number += 1
            held.clear()
            too_long = False
            start = end + 1
        held += part[start:]
        if len(held) > LONGEST_LINE + 1:
            too_long = True
            held.clear()
    if held or too_long:
        yield _line(number, held, too_long)


def text_lines(parts: Iterable[bytes]) -> Iterator[TextLine]:
    """Yield the lines as text, without a byte order mark; one that is not UTF-8 is read as Windows-1252.

    The log says so, once a file.
    """
    said = False
    for line in lines(parts):
        content = line.content
        if content is None:
            yield TextLine(line.number, None)
            continue
        if line.number == 1:
            content = content.removeprefix(codecs.BOM_UTF8)
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError:
            text = content.decode("cp1252", "replace")
            if not said:
                said = True
                log.warning("a file that is not UTF-8 was read as Windows-1252", extra={"line": line.number})
        yield TextLine(line.number, text)


def _line(number: int, held: bytearray, too_long: bool) -> Line:
    content = bytes(held).removesuffix(b"\r")
    return Line(number, None if too_long or len(content) > LONGEST_LINE else content)
