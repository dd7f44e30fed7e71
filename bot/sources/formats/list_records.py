"""One paper as a JSON object, with the fields that this project and public lists of papers use."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, cast

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import NOTHING_SAID, Defaults, RawPaper
from bot.sources.venues import short_venue

_TITLES = ("title", "paper_title", "name")
_ABSTRACTS = ("abstract", "summary", "description", "content_text", "content_html")
_SYNOPSES = ("synopsis", "tldr", "tl;dr")
_VENUES = ("venue", "conference", "journal", "proceeding", "container_title")
_ADDRESSES = ("url", "site", "link", "paper_url", "url_abs", "pdf_url", "url_pdf", "pdf", "openreview")
_DATES = (
    "published_on", "published", "date", "publishedat", "published_at", "published_date", "publication_date",
    "publicationdate", "date_published", "pubdate",
)  # fmt: skip
_PARTS_OF_NAMES = (("first", "last"), ("first_name", "last_name"), ("firstname", "lastname"), ("given", "family"))
_WHOLE_NAMES = ("name", "fullname", "full_name", "literal")
_TRACK = re.compile(r"\b(?:oral|spotlight|poster|notable)\b", re.IGNORECASE)
_LONGEST_NAME = 100
_SPACES = re.compile(r"[\s-]+")

# Papercopilot's lists name venue and year nowhere else.
_BOOKTITLE = re.compile(r"\bbooktitle\s*=\s*[{\"]([^}\"]{3,200})")
_YEAR = re.compile(r"\byear\s*=\s*[{\"](\d{4})")
_NO_TRACK = frozenset({"", "main", "conference", "main conference"})


def raw_paper(record: dict[str, Any], *, where: str, defaults: Defaults = NOTHING_SAID) -> RawPaper | Refusal:
    """Return the raw paper that a JSON object describes, or why it cannot be one."""
    said = _by_plain_name(record)
    for name in ("title", "abstract", "synopsis"):
        if not isinstance(said.get(name), str | None):
            return Refusal(where=where, why=f"Its {name} is not text.")
    status = _first(said, "status", "decision", "presentation") or ""
    refused = fields.refused_status(status)
    if refused:
        return Refusal(where=where, why=refused)
    abstract = cast("str | None", said.get("abstract")) or _first(said, *_ABSTRACTS)
    bibtex = _first(said, "bibtex", "_bibtex") or ""
    place, year = _BOOKTITLE.search(bibtex), _YEAR.search(bibtex)
    title = said["title"] if "title" in said else _first(said, *_TITLES)
    published = next((day for name in _DATES if name in said and (day := fields.date(said[name]))), None)
    return RawPaper(
        title=cast("str | None", title),
        abstract=abstract,
        abstract_cut=said.get("abstract_truncated") is True or len(abstract or "") == fields.CUT_LENGTH,
        synopsis=_first(said, *_SYNOPSES),
        authors=_people(said.get("authors_parsed") or said.get("authors") or said.get("author")),
        keywords=fields.texts(said.get("keywords"), r"[;,]"),
        aliases=fields.texts(said.get("title_aliases"), r"[\n]"),
        venue=_first(said, *_VENUES) or defaults.venue or short_venue(place and place[1]),
        year=fields.year(said.get("year")) or defaults.year or (int(year[1]) if year else None),
        track=_track(_first(said, "presentation"), status, _first(said, "track")),
        url=next((url for name in _ADDRESSES if (url := fields.address(said.get(name)))), None),
        published_on=published,
        identifiers=_identifiers(said),
        where=where,
        record=record,
    )


def _by_plain_name(record: dict[str, Any]) -> dict[str, object]:
    """Return the values by their names in small letters with underscores; of two that are the same the first counts."""
    said: dict[str, object] = {}
    for name, value in record.items():
        plain = _plain_name(name[:_LONGEST_NAME])
        if plain not in said:
            said[plain] = _unwrapped(value)
    return said


@lru_cache(maxsize=512)
def _plain_name(name: str) -> str:
    """Return the name; remembered, since the records of a list have the same ones."""
    return _SPACES.sub("_", name.strip()).lower()


def _people(value: object) -> tuple[str, ...]:
    """Return the authors, be they names, objects with a name or its parts, or arXiv's ``[family, given, suffix]``."""
    if not isinstance(value, list):
        return fields.names(value)
    return fields.names([one if isinstance(one, str) else _person(one) for one in cast("list[object]", value)])


def _person(value: object) -> object:
    if isinstance(value, list):
        family, given, *rest = [*(fields.text(part) or "" for part in cast("list[object]", value)), "", ""]
        return _joined((given, family, *rest[:1]))
    if not isinstance(value, dict):
        return value
    said = _by_plain_name(cast("dict[str, Any]", value))
    whole = _first(said, *_WHOLE_NAMES)
    if whole:
        return whole
    parted = (_joined(fields.text(said.get(part)) or "" for part in parts) for parts in _PARTS_OF_NAMES)
    return next((name for name in parted if name), None)


def _joined(parts: Iterable[str]) -> str:
    return " ".join(part for part in parts if part)


def _track(*said: str | None) -> str | None:
    """Return the track; papercopilot's lists say under "status" what others call so, and "main" is none."""
    known = next((found for name in said if name and (found := _TRACK.search(name))), None)
    if known:
        return known[0].lower()
    track = (said[-1] or said[0] or "").lower()
    return track if track not in _NO_TRACK else None


def _first(said: dict[str, object], *names: str) -> str | None:
    for name in names:
        found = fields.text(said[name]) if name in said else None
        if found:
            return found
    return None


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
    found = (reader(text) for name, reader in readers.items() if name in said and (text := fields.short(said[name])))
    return tuple(sorted({name for name in found if name}))
