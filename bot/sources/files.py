"""Papers from a file, a folder or standard input."""

import os
import stat
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from bot.models import Refusal
from bot.sources.base import Defaults, RawPaper
from bot.sources.contents import records
from bot.sources.detect import checked_format
from bot.sources.lines import pieces

STANDARD_INPUT = "-"

_LARGE = 4 * 1024 * 1024


class FileSource:
    """What one argument of an import names: a file, a folder with all files in it, or ``-``.

    A folder is read with its subfolders, in the order of their names; what is hidden is left out.
    """

    def __init__(
        self,
        what: str | Path,
        *,
        format_name: str | None = None,
        venue: str | None = None,
        year: int | None = None,
        stdin: BinaryIO | None = None,
    ) -> None:
        """Remember what to read; nothing is opened yet.

        Args:
            what: a path, or ``-``.
            format_name: a name of ``bot.sources.detect.FORMATS``, instead of looking at the content.
            venue: for records without one, and instead of what a plain list's heading says.
            year: likewise.
            stdin: read for ``-`` instead of the process's standard input.

        Raises:
            InvalidInput: there is no such format; the sentence names the nearest.
        """
        self._what = what
        self._format = checked_format(format_name)
        self._defaults = Defaults(venue=venue, year=year)
        self._stdin = stdin

    @property
    def name(self) -> str:
        """The last part of the path."""
        return "standard input" if self._what == STANDARD_INPUT else _shown(Path(self._what).name or str(self._what))

    @property
    def is_large(self) -> bool:
        """Whether the files are larger than what is read in a second or two."""
        if self._what == STANDARD_INPUT:
            return False
        path = Path(self._what)
        try:
            files = _files_in(path) if path.is_dir() else [path]
            return sum(file.stat().st_size for file in files) > _LARGE
        except (OSError, ValueError):
            return False

    @property
    def is_lasting(self) -> bool:
        """Whether it has a name of its own."""
        return self._what != STANDARD_INPUT

    def read(self) -> Iterator[RawPaper | Refusal]:
        """Yield every record, and a refusal for every line, paragraph or file that is none."""
        if self._what == STANDARD_INPUT:
            yield from self._content(self._stdin or sys.stdin.buffer, self.name)
            return
        path = Path(self._what)
        try:
            is_folder = stat.S_ISDIR(path.stat().st_mode)
        except FileNotFoundError:
            yield Refusal(where=_shown(str(path)), why="There is no such file or folder.")
        except (OSError, ValueError) as error:
            yield Refusal(where=_shown(str(path)), why=_reason(error))
        else:
            yield from self._folder(path) if is_folder else self._file(path, _shown(str(path)))

    def _folder(self, folder: Path) -> Iterator[RawPaper | Refusal]:
        empty = True
        for path in _files_in(folder):
            empty = False
            shown = _shown(str(path.relative_to(folder)))
            for found in self._file(path, shown):
                yield found if found.where == shown else replace(found, where=f"{shown}, {found.where}")
        if empty:
            yield Refusal(where=_shown(str(folder)), why="The folder has no file that could be read.")

    def _file(self, path: Path, shown: str) -> Iterator[RawPaper | Refusal]:
        try:
            with path.open("rb") as stream:
                yield from self._content(stream, shown)
        except OSError as error:
            yield Refusal(where=shown, why=_reason(error))

    def _content(self, stream: BinaryIO, shown: str) -> Iterator[RawPaper | Refusal]:
        empty = True
        try:
            for found in records(pieces(stream), shown=shown, format_name=self._format, defaults=self._defaults):
                empty = False
                yield found
        except OSError as error:
            yield Refusal(where=shown, why=_reason(error))
        else:
            if empty:
                yield Refusal(where=shown, why="The file holds no paper.")


def _files_in(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent, name)
            # A pipe or a device in a folder would be waited on for ever.
            if not name.startswith(".") and path.is_file():
                yield path


def _shown(name: str) -> str:
    # A name that is not UTF-8 comes with half surrogate pairs in it.
    return name.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, PermissionError):
        return "It may not be read: permission denied."
    if isinstance(error, OSError) and error.strerror:
        return f"It cannot be read: {error.strerror}."
    return "It cannot be read."
