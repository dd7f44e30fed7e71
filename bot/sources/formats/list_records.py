"""One paper as a JSON object, with the fields that this project and public lists of papers use."""

import re
from typing import Any, cast

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import NOTHING_SAID, Defaults, RawPaper
from bot.sources.venues import short_venue

_ADDRESSES = ("url", "site", "link", "paper_url", "pdf_url", "pdf", "openreview")
_TRACK = re.compile(r"\b(?:oral|spotlight|poster|notable)\b", re.IGNORECASE)

# Papercopilot's lists name venue and year nowhere else.
_BOOKTITLE = re.compile(r"\bbooktitle\s*=\s*[{\"]([^}\"]{3,200})")
_YEAR = re.compile(r"\byear\s*=\s*[{\"](\d{4})")
_NO_TRACK = frozenset({"", "main", "conference", "main conference"})


def raw_paper(record: dict[str, Any], *, where: str, defaults: Defaults = NOTHING_SAID) -> RawPaper | Refusal:
    """Return the raw paper that a JSON object describes, or why it cannot be one."""
    said = {name: _unwrapped(value) for name, value in record.items()}
    for name in ("title", "abstract", "synopsis"):
        if not isinstance(said.get(name), str | None):
            return Refusal(where=where, why=f"Its {name} is not text.")
    status = _first(said, "status", "decision", "presentation") or ""
    refused = fields.refused_status(status)
    if refused:
        return Refusal(where=where, why=refused)
    abstract = cast("str | None", said.get("abstract")) or _first(said, "summary", "description")
    bibtex = _first(said, "bibtex", "_bibtex") or ""
    place, year = _BOOKTITLE.search(bibtex), _YEAR.search(bibtex)
    title = said["title"] if "title" in said else _first(said, "paper_title", "name")
    return RawPaper(
        title=cast("str | None", title),
        abstract=abstract,
        abstract_cut=said.get("abstract_truncated") is True or len(abstract or "") == fields.CUT_LENGTH,
        synopsis=_first(said, "synopsis", "tldr", "TLDR", "TL;DR"),
        authors=fields.names(said.get("authors") or said.get("author")),
        keywords=fields.texts(said.get("keywords"), r"[;,]"),
        aliases=fields.texts(said.get("title_aliases"), r"[\n]"),
        venue=_first(said, "venue", "conference", "journal") or defaults.venue or short_venue(place and place[1]),
        year=fields.year(said.get("year")) or defaults.year or (int(year[1]) if year else None),
        track=_track(_first(said, "presentation"), status, _first(said, "track")),
        url=next((url for name in _ADDRESSES if (url := fields.address(said.get(name)))), None),
        published_on=fields.date(said.get("published_on") or said.get("published") or said.get("date")),
        identifiers=_identifiers(said),
        where=where,
        record=record,
    )


def _track(*said: str | None) -> str | None:
    """Return the track; papercopilot's lists say under "status" what others call so, and "main" is none."""
    known = next((found for name in said if name and (found := _TRACK.search(name))), None)
    if known:
        return known[0].lower()
    track = (said[-1] or said[0] or "").lower()
    return track if track not in _NO_TRACK else None


def _first(said: dict[str, object], *names: str) -> str | None:
    return next((found for name in names if (found := fields.text(said.get(name)))), None)


def _unwrapped(value: object) -> object:
    """Return what OpenReview's second API wraps as ``{"value": …}``."""
    if not isinstance(value, dict):
        return value
    wrapped = cast("dict[str, object]", value)
    return wrapped.get("value", wrapped)


def _identifiers(said: dict[str, object]) -> tuple[str, ...]:
    readers = {
        **dict.fromkeys(_ADDRESSES, identity.from_address),
        "id": identity.from_record_id,
        "openreview_id": identity.openreview,
        "arxiv_id": identity.arxiv,
        "doi": identity.doi,
        "acl_id": identity.acl,
    }
    if said.get("arxiv_verified") is False:
        del readers["arxiv_id"]
    found = (reader(text) for name, reader in readers.items() if (text := fields.short(said.get(name))))
    return tuple(sorted({name for name in found if name}))
