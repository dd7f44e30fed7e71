"""arXiv: its search, newest papers first, and its daily feeds."""

import html
import logging
import re
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Final

from yarl import URL

from bot.errors import SourceError
from bot.sources.fetching import Fetched, Fetcher
from bot.sources.sites.base import Page, SiteState

log = logging.getLogger(__name__)

API: Final = "https://export.arxiv.org/api/query"
RSS: Final = "https://rss.arxiv.org/rss"
LARGEST_PAGE: Final = 200
"""Papers at once; arXiv allows 2,000, and sends short or empty pages more often the larger they are."""

_NAME: Final = "arXiv"
_TOTAL = re.compile(rb"<(?:\w+:)?totalResults\b[^>]*>\s*(\d{1,12})\s*<")
_ENTRY = re.compile(rb"<(?:\w+:)?entry\b[^>]*>(.*?)</(?:\w+:)?entry\s*>", re.DOTALL)
_ID = re.compile(rb"<(?:\w+:)?id\b[^>]*>\s*([^<\s]+)\s*<")
_PUBLISHED = re.compile(rb"<(?:\w+:)?published\b[^>]*>\s*(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)\s*<")
_SUMMARY = re.compile(rb"<(?:\w+:)?summary\b[^>]*>\s*([^<]{1,400})")
_ERROR = re.compile(rb"https?://arxiv\.org/api/errors\b")


class ArxivSearch:
    """The papers that match a query, or are in one of some categories, from the newest back."""

    def __init__(
        self,
        query: str,
        *,
        name: str,
        must_match: bool = False,
        limit: int = 500,
        page_size: int = LARGEST_PAGE,
        base: str = API,
    ) -> None:
        """Name the search.

        Args:
            query: in arXiv's language (arXiv API User's Manual, 5.1): ``cat:cs.CL``.
            name: under which originals and state are kept.
            must_match: whether it is a mistake if there never was such a paper.
            limit: papers to ask for at most each time.
            page_size: papers at once, 1..200.
            base: the API's address.
        """
        self._query = query
        self._name = name
        self._must_match = must_match
        self._limit = max(limit, 1)
        self._page_size = min(max(page_size, 1), LARGEST_PAGE)
        self._base = base

    @property
    def name(self) -> str:
        """``arxiv cs.CL``, or ``arxiv`` and the query."""
        return self._name

    @property
    def brings_all(self) -> bool:
        """No: only what is new."""
        return False

    async def pages(self, fetcher: Fetcher, state: SiteState) -> AsyncGenerator[Page]:
        """Yield pages until one reaches back to what was the newest paper last time.

        An empty page where there should be papers means that arXiv is asked too much, never that there are none.

        Raises:
            SourceError: arXiv wants to be asked later, refuses the query, sends the same page again, or knows nothing
                that matches although it must.
        """
        newest = seen_before = state.newest or ""
        known: set[bytes] = set()
        start = 0
        while start < self._limit:
            size = min(self._page_size, self._limit - start)
            answer = await fetcher.get(
                str(self._url(start, size)),
                name=_NAME,
                answers={400},
                throttled=lambda answer, start=start: _is_throttled(answer, start, expects=bool(seen_before)),
            )
            outline = _outline(answer)
            if not outline.ids:
                break
            if known.issuperset(outline.ids):
                raise SourceError("arXiv sends the same page again and again; try again later.")
            known.update(outline.ids)
            yield Page(
                content=answer.content, format_name="feed", where=f"papers {start + 1} to {start + len(outline.ids)}"
            )
            newest = max([newest, *outline.published])
            start += len(outline.ids)
            if start >= outline.total or (outline.published and min(outline.published) < seen_before):
                break
        else:
            if seen_before:
                log.warning("more new papers at arXiv than the limit", extra={"limit": self._limit, "site": self._name})
        if self._must_match and not known and not seen_before:
            raise SourceError(f"arXiv knows no papers for “{self._query[:80]}”; check how it is written.")
        state.newest = newest or None

    def _url(self, start: int, size: int) -> URL:
        return URL(self._base).with_query(
            search_query=self._query,
            start=str(start),
            max_results=str(size),
            sortBy="submittedDate",
            sortOrder="descending",
        )


class ArxivFeed:
    """What arXiv announced today in some categories."""

    def __init__(self, categories: Sequence[str], *, base: str = RSS) -> None:
        """Name the categories, such as ``cs.CL``."""
        self._categories = "+".join(categories)
        self._base = base.rstrip("/")

    @property
    def name(self) -> str:
        """``arxiv-rss cs.CL``."""
        return f"arxiv-rss {self._categories}"

    @property
    def brings_all(self) -> bool:
        """No: only what is new."""
        return False

    async def pages(self, fetcher: Fetcher, state: SiteState) -> AsyncGenerator[Page]:
        """Yield the feed, if it has changed; it is empty on weekends and holidays.

        Raises:
            SourceError: there is no such category, or arXiv cannot be read.
        """
        answer = await fetcher.get(
            f"{self._base}/{self._categories}",
            seen=state.validators.get("feed"),
            name=_NAME,
            answers={400, 404},
            throttled=lambda answer: answer.status == 406 or (answer.status == 200 and not answer.content.strip()),
        )
        if answer.not_modified:
            return
        if answer.status in {400, 404}:
            raise SourceError(
                f"arXiv has no feed for {self._categories[:80]}; check the category.", status=answer.status
            )
        yield Page(content=answer.content, format_name="feed", where=f"feed of {self._categories}")
        state.validators["feed"] = answer.validators


@dataclass(frozen=True, kw_only=True)
class _Outline:
    """As much of a page as it takes to turn it.

    Attributes:
        total: how many papers match altogether.
        ids: one for each paper of the page.
        published: their times, as arXiv writes them, so that they sort as texts.
    """

    total: int
    ids: tuple[bytes, ...]
    published: tuple[str, ...]


def _outline(answer: Fetched) -> _Outline:
    content = answer.content
    entries = _ENTRY.findall(content)
    ids = [_ID.search(entry) for entry in entries]
    if entries and any(found and _ERROR.match(found[1]) for found in ids):
        said = _SUMMARY.search(entries[0])
        reason = " ".join(html.unescape(said[1].decode("utf-8", "replace")).split()) if said else "it gives no reason"
        raise SourceError(f"arXiv refuses the query: {reason[:120].rstrip('.')}.", status=answer.status)
    if answer.status == 400:
        raise SourceError("arXiv refuses the query (400); check how it is written.", status=400)
    total = _TOTAL.search(content)
    if total is None:
        raise SourceError("arXiv gives an answer that is no list of papers; try again later.", status=answer.status)
    dates = [_PUBLISHED.search(entry) for entry in entries]
    return _Outline(
        total=int(total[1]),
        ids=tuple(found[1] if found else entry for found, entry in zip(ids, entries, strict=True)),
        published=tuple(found[1].decode("ascii") for found in dates if found),
    )


def _is_throttled(answer: Fetched, start: int, *, expects: bool) -> bool:
    """Return whether arXiv says, in one of its ways, that it is asked too much.

    Args:
        answer: what it said.
        start: how many papers lie before the page.
        expects: whether the search has brought papers before, so that there must be some.
    """
    if answer.status == 406:
        return True
    if answer.status != 200:
        return False
    if not answer.content.strip() or answer.content.lstrip().lower().startswith(b"rate exceeded"):
        return True
    total = _TOTAL.search(answer.content)
    if total is None or _ENTRY.search(answer.content):
        return False
    return int(total[1]) > start or (int(total[1]) == 0 and (start > 0 or expects))
