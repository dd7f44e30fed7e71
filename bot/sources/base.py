"""What every place that papers come from looks like to the importer."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

from bot.models import Refusal


@dataclass(frozen=True, kw_only=True)
class Defaults:
    """What whoever imports says about records that say nothing themselves."""

    venue: str | None = None
    year: int | None = None


NOTHING_SAID = Defaults()


LISTED, COLLECTED, INDEXED, PUBLISHER = range(4)
"""How far a source is trusted: a bare list, somebody's collection, an index such as arXiv, the publisher itself."""


@dataclass(frozen=True, kw_only=True)
class RawPaper:
    """One record as a source brings it, before it is checked, cleaned or recognised.

    Attributes:
        title: None where the source knows no titles; blank where it has a blank one.
        abstract_cut: True where the source says that the abstract is not whole.
        identifiers: ``scheme:value``, normalised already (``bot.sources.identity``).
        runs: those of the true abstract (``bot.sources.identity``), where the source knows it without the abstract.
        trust: how far the source is trusted, one of ``LISTED`` … ``PUBLISHER``.
        where: the record's place in its source, for a person, such as ``line 12``.
        record: the original, as data that JSON can hold.
    """

    title: str | None = None
    abstract: str | None = None
    abstract_cut: bool = False
    synopsis: str | None = None
    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    venue: str | None = None
    year: int | None = None
    track: str | None = None
    url: str | None = None
    published_on: dt.date | None = None
    identifiers: tuple[str, ...] = ()
    runs: bytes | None = None
    trust: int = COLLECTED
    where: str
    record: dict[str, Any] = field(default_factory=dict[str, Any])


class Source(Protocol):
    """A place that papers come from."""

    @property
    def name(self) -> str:
        """The name under which originals are kept; the same for the same place."""
        ...

    @property
    def is_large(self) -> bool:
        """Whether it is worth a process of its own, to which the source must then be able to go (``pickle``)."""
        ...

    @property
    def is_lasting(self) -> bool:
        """Whether the same name brings the same papers again, and more; if so, fewer of them are suspicious."""
        ...

    def read(self) -> Iterator[RawPaper | Refusal]:
        """Yield every record in order: a raw paper, or the reason why it cannot be one.

        Nothing that is wrong with one record ends the iteration. It may block; the importer
        runs it outside the event loop, and more than once where the source is lasting.
        """
        ...
