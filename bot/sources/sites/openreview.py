"""OpenReview's papers of one venue, through its second API."""

import json
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Any, Final, cast

from yarl import URL

from bot.errors import SourceError
from bot.sources.base import Defaults
from bot.sources.fetching import Fetched, Fetcher
from bot.sources.sites.base import Page, SiteState

BASE: Final = "https://api2.openreview.net"
LOG_IN: Final = "OpenReview answers only those who log in: set sources.openreview_user and sources.openreview_password."

_NAME: Final = "OpenReview"
_LIMIT: Final = 1000  # OpenReview's API gives at most so many notes at once
_MOST_PAGES: Final = 100
_OCCASION = re.compile(r"(?:[^/]+/)*?([^/]+)/((?:19|20)\d\d)(?=/|$)")


@dataclass(frozen=True, kw_only=True)
class Account:
    """Who logs in; neither is ever shown."""

    user: str
    password: str

    def __repr__(self) -> str:
        return "Account(********)"


class OpenReview:
    """The papers that have been accepted at a venue, such as ``ICLR.cc/2024/Conference``."""

    def __init__(self, venue_id: str, *, account: Account | None = None, base: str = BASE) -> None:
        """Name the venue.

        Args:
            venue_id: as OpenReview writes it, case and all.
            account: None to ask as a stranger, which OpenReview may refuse.
            base: the API's address.
        """
        self._venue_id = venue_id
        self._account = account
        self._base = base.rstrip("/")

    @property
    def name(self) -> str:
        """``openreview ICLR.cc/2024/Conference``."""
        return f"openreview {self._venue_id}"

    @property
    def brings_all(self) -> bool:
        """No: only what has changed."""
        return False

    async def pages(self, fetcher: Fetcher, state: SiteState) -> AsyncGenerator[Page]:
        """Yield all papers of the venue, a thousand at a time; OpenReview does not say what is new.

        Raises:
            SourceError: it asks for a login, the login is wrong, there is no such venue, or the pages do not end.
        """
        headers = await self._logged_in(fetcher)
        known: set[str] = set()
        offset = 0
        for number in range(1, _MOST_PAGES + 1):
            url = URL(f"{self._base}/notes").with_query(
                {"content.venueid": self._venue_id, "limit": str(_LIMIT), "offset": str(offset)}
            )
            answer = await fetcher.get(str(url), headers=headers, name=_NAME, answers={400, 401, 403, 404})
            notes, count = self._notes(answer)
            if not notes:
                break
            names = {_id_of(note) for note in notes}
            if names <= known:
                raise SourceError("OpenReview sends the same page again and again; try again later.")
            known |= names
            yield Page(
                content=answer.content, format_name="json", where=f"page {number}", defaults=_defaults(self._venue_id)
            )
            offset += len(notes)
            if count is not None and offset >= count:
                break
        else:
            raise SourceError(f"OpenReview sends more than {_MOST_PAGES} pages for one venue, which are not read.")
        if not known:
            raise SourceError(f"OpenReview lists no papers of “{self._venue_id[:80]}”; check how it is spelt.")
        if count is not None and offset < count:
            raise SourceError(f"OpenReview sent {offset} of {count} papers and then none; try again later.")
        state.newest = str(len(known))

    async def _logged_in(self, fetcher: Fetcher) -> dict[str, str]:
        headers = {"Accept": "application/json"}
        if self._account is None:
            return headers
        answer = await fetcher.get(
            f"{self._base}/login",
            method="POST",
            headers=headers,
            json={"id": self._account.user, "password": self._account.password},
            name=_NAME,
            answers={400, 401, 403, 404},
        )
        said = _object(answer.content)
        token = said.get("token")
        if answer.status == 200 and isinstance(token, str) and re.fullmatch(r"[!-~]+", token):
            return {**headers, "Authorization": f"Bearer {token}"}
        if said.get("name") == "ChallengeRequiredError" or _is_web_page(answer):
            raise SourceError("OpenReview wants a browser to log in from here; try again later.", status=answer.status)
        if answer.status == 200:
            raise SourceError("OpenReview wants more than a password to log in; use an account without a second step.")
        raise SourceError(
            "OpenReview does not know this user or password: check sources.openreview_user and "
            "sources.openreview_password.",
            status=answer.status,
        )

    def _notes(self, answer: Fetched) -> tuple[list[object], int | None]:
        """Return the notes of an answer, and how many there are altogether where it says so."""
        said = _object(answer.content)
        notes, count = said.get("notes"), said.get("count")
        if answer.status == 200 and isinstance(notes, list):
            return cast("list[object]", notes), count if isinstance(count, int) and count > 0 else None
        is_refused = answer.status in {401, 403} or "challenge" in str(said.get("name", "")).lower()
        if is_refused or _is_web_page(answer):
            if self._account is None:
                raise SourceError(LOG_IN, status=answer.status)
            raise SourceError(
                f"OpenReview does not show “{self._venue_id[:80]}” to this account.", status=answer.status
            )
        if answer.status in {400, 404}:
            raise SourceError(
                f"OpenReview does not know “{self._venue_id[:80]}”; check how it is spelt.", status=answer.status
            )
        raise SourceError("OpenReview gives an answer that cannot be read; try again later.", status=answer.status)


def _object(content: bytes) -> dict[str, Any]:
    try:
        said: object = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", said) if isinstance(said, dict) else {}


def _is_web_page(answer: Fetched) -> bool:
    return answer.content_type == "text/html" or answer.content.lstrip()[:1] == b"<"


def _id_of(note: object) -> str:
    return str(cast("dict[str, object]", note).get("id")) if isinstance(note, dict) else repr(note)


def _defaults(venue_id: str) -> Defaults:
    """Return the venue and the year that an id such as ``ICLR.cc/2024/Conference`` or ``TMLR`` names."""
    found = _OCCASION.match(venue_id)
    if found is None:
        return Defaults() if "/" in venue_id else Defaults(venue=venue_id)
    return Defaults(venue=found[1].partition(".")[0], year=int(found[2]))
