"""Rows of comma-, tab- or otherwise separated tables, however their quotation marks are broken."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.sources.lines import LONGEST_LINE, TextLine

_TOO_LONG = f"It is longer than {LONGEST_LINE // 1024**2} MiB."
_NOT_CLOSED = "A quotation mark is never closed."


@dataclass(frozen=True, slots=True)
class Row:
    """The fields of one row.

    Attributes:
        number: the line on which it begins, from 1.
        why: why it could not be read; then it has no fields.
    """

    number: int
    fields: tuple[str, ...] = ()
    why: str | None = None


class _Endless(Exception):
    """A row goes on and on."""


class _Supply:
    """The lines as the parser wants them; it remembers those of the row that is being read."""

    def __init__(self, lines: Iterator[TextLine]) -> None:
        self._lines = lines
        self.taken: list[TextLine] = []
        self.has_ended = False
        self._size = 0

    def row_begins(self) -> None:
        self.taken = []
        self._size = 0

    def __iter__(self) -> "_Supply":
        return self

    def __next__(self) -> str:
        if self._size > LONGEST_LINE:
            raise _Endless
        line = next(self._lines, None)
        if line is None:
            self.has_ended = True
            raise StopIteration
        self.taken.append(line)
        if line.text is None:
            raise _Endless
        self._size += len(line.text) + 1
        return line.text + "\n"


def rows(lines: Iterable[TextLine], delimiter: str) -> Iterator[Row]:
    """Yield every row that is not blank, in order.

    A row whose quotation mark is not closed within 1 MiB, or at all, is given up with its first line, and every other
    line that it had swallowed is a row of its own: no byte is parsed more than twice.
    """
    # The limit belongs to the whole process, and its 128 KiB are less than a paper's full text.
    if csv.field_size_limit() < LONGEST_LINE:
        csv.field_size_limit(LONGEST_LINE)
    supply = _Supply(_parted(lines))
    reader = csv.reader(supply, delimiter=delimiter)
    while not supply.has_ended:
        supply.row_begins()
        try:
            found = next(reader, None)
        except (_Endless, csv.Error):
            # A field of more than 1 MiB is an error of the parser's.
            yield from _alone(supply.taken, delimiter)
            reader = csv.reader(supply, delimiter=delimiter)
            continue
        if supply.has_ended and supply.taken:
            yield from _alone(supply.taken, delimiter)
        elif found is not None and any(map(str.strip, found)):
            yield Row(supply.taken[0].number, tuple(found))


def _parted(lines: Iterable[TextLine]) -> Iterator[TextLine]:
    """Yield the lines, those of old Macs too, which end in a carriage return."""
    for line in lines:
        if line.text is None or "\r" not in line.text:
            yield line
        else:
            yield from (TextLine(line.number, text) for text in line.text.split("\r"))


def _alone(taken: list[TextLine], delimiter: str) -> Iterator[Row]:
    first, *others = taken
    yield Row(first.number, why=_TOO_LONG if first.text is None else _NOT_CLOSED)
    for line in others:
        try:
            found = next(csv.reader([line.text or ""], delimiter=delimiter), list[str]())
        except csv.Error:
            yield Row(line.number, why=_TOO_LONG)
            continue
        if line.text is None:
            yield Row(line.number, why=_TOO_LONG)
        elif any(map(str.strip, found)):
            yield Row(line.number, tuple(found))
