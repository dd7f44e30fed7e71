"""One address that is asked again and again: a feed, or any other file of papers."""

import hashlib
from collections.abc import AsyncGenerator

from yarl import URL

from bot.errors import SourceError
from bot.sources.base import NOTHING_SAID, Defaults
from bot.sources.fetching import Fetcher
from bot.sources.sites.base import Page, SiteState

_MARK_LENGTH = 8


class Feed:
    """The file behind an address, in whatever format its content shows."""

    def __init__(self, url: str, *, defaults: Defaults = NOTHING_SAID) -> None:
        self._url = url
        self._defaults = defaults

    @property
    def name(self) -> str:
        """The address without its scheme; a query, which may hold a key, is only told apart from others."""
        url = URL(self._url)
        path = "" if url.path == "/" else url.path
        port = "" if url.is_default_port() else f":{url.port}"
        if not url.query_string:
            return f"{url.host}{port}{path}"
        mark = hashlib.sha256(url.raw_query_string.encode()).hexdigest()[:_MARK_LENGTH]
        return f"{url.host}{port}{path} ({mark})"

    @property
    def brings_all(self) -> bool:
        """No: a feed holds what came last."""
        return False

    async def pages(self, fetcher: Fetcher, state: SiteState) -> AsyncGenerator[Page]:
        """Yield the file, if it has changed.

        Raises:
            SourceError: it cannot be had, or is empty.
        """
        answer = await fetcher.get(self._url, seen=state.validators.get("feed"))
        if answer.not_modified:
            return
        if not answer.content.strip():
            raise SourceError(f"{self.name[:120]} is empty.", status=answer.status)
        yield Page(content=answer.content, format_name=None, where=self.name, defaults=self._defaults)
        state.validators["feed"] = answer.validators
