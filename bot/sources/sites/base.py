"""What every site looks like to whoever reads papers from it."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Protocol

from bot.sources.base import NOTHING_SAID, Defaults
from bot.sources.fetching import Fetcher, Validators


@dataclass(kw_only=True)
class SiteState:
    """What is to be known of a site the next time.

    A site changes it while its pages are read, and for what was read only. Keep it once the papers of all
    pages are in the library; after a failure keep the old one, so that nothing is missed.

    Attributes:
        validators: by what the site asks for, in words of its own.
        newest: how far the site was read, in words of its own; None when it never was.
    """

    validators: dict[str, Validators] = field(default_factory=dict[str, Validators])
    newest: str | None = None


@dataclass(frozen=True, kw_only=True)
class Page:
    """One answer of a site.

    Attributes:
        content: as it came; it may be a gzip file.
        format_name: how it is written down, a name of ``bot.sources.detect.FORMATS``; None where the content shows.
        where: the page's place in its site, for a person.
        defaults: what the site says of all its papers.
    """

    content: bytes
    format_name: str | None
    where: str
    defaults: Defaults = NOTHING_SAID


class Site(Protocol):
    """A place on the internet where papers appear."""

    @property
    def name(self) -> str:
        """The name under which originals and state are kept; the same for the same place."""
        ...

    @property
    def brings_all(self) -> bool:
        """Whether it always brings all its papers, so that fewer of them are suspicious."""
        ...

    def pages(self, fetcher: Fetcher, state: SiteState) -> AsyncGenerator[Page]:
        """Yield what is new since ``state``, page by page, and bring ``state`` up to date.

        Raises:
            SourceError: the site cannot be read, or not to its end.
        """
        ...
