"""A macro found in running text, and the text as far as reading it needs."""

from dataclasses import dataclass
from typing import Protocol


class Reader(Protocol):
    """The text in which a macro stands."""

    text: str
    braces: dict[int, int]

    def convert(self, start: int, end: int, depth: int) -> str:
        """Return a part of the text without its TeX."""
        ...

    def mathematics(self, source: str, depth: int) -> str | None:
        """Return a formula in Unicode, or None when it cannot be read."""
        ...


@dataclass(frozen=True, kw_only=True, slots=True)
class Macro:
    """One macro and where it stands.

    Attributes:
        name: without its backslash.
        start: where the backslash stands.
        at: where the name ends.
        end: where the part of the text ends that may be read.
        depth: how deep in braces it stands.
    """

    name: str
    start: int
    at: int
    end: int
    depth: int


def argument_at(reader: Reader, at: int, end: int) -> tuple[int, int] | None:
    """Return the borders of the ``{…}`` that begins at ``at``, if one does; of a cut one, up to ``end``."""
    while at < end and reader.text[at] == " ":
        at += 1
    if at < end and reader.text[at] == "{" and at not in reader.braces:
        # The text was cut inside the argument.
        return at + 1, end
    closing = reader.braces.get(at)
    return (at + 1, closing) if closing is not None and closing < end else None
