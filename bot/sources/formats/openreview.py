"""One note of OpenReview, of its first API (plain values) or its second (``{"value": …}``)."""

import re
from typing import Any, cast

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import NOTHING_SAID, PUBLISHER, Defaults, RawPaper
from bot.sources.venues import venue_year_track

_UNDER_REVIEW = re.compile(r"submitted to|under review|\bsubmission\b", re.IGNORECASE)
_REFUSED = re.compile(r"withdrawn|desk.?reject|reject(?:ed)?(?![a-z])", re.IGNORECASE)
_VENUE_ID = re.compile(r"([A-Za-z]+)\.cc/((?:19|20)\d\d)/(?:Conference|Workshop)?")


def is_note(record: dict[str, Any]) -> bool:
    """Return whether a JSON object is a note."""
    return isinstance(record.get("content"), dict) and ("forum" in record or "invitation" in record or "id" in record)


def raw_paper(record: dict[str, Any], *, where: str, defaults: Defaults = NOTHING_SAID) -> RawPaper | Refusal:
    """Return the raw paper that a note describes, or why it is none."""
    content = {name: _unwrapped(value) for name, value in cast("dict[str, object]", record["content"]).items()}
    title, abstract = fields.text(content.get("title")), fields.text(content.get("abstract"))
    forum, own_id = fields.short(record.get("forum")), fields.short(record.get("id"))
    if (forum and own_id and forum != own_id) or record.get("replyto") or (title is None and abstract is None):
        return Refusal(where=where, why="It is a review or a comment, not a paper.")
    if record.get("ddate") is not None:
        return Refusal(where=where, why="It is deleted at OpenReview.")
    said = fields.text(content.get("venue")) or ""
    venue_id = fields.text(content.get("venueid")) or fields.text(record.get("invitation")) or ""
    refused = next((status for status in (said, venue_id) if _REFUSED.search(status)), None)
    if refused is not None:
        return Refusal(where=where, why=f"Its status is “{refused[:60]}”.")
    venue, year, track = (None, None, None) if _UNDER_REVIEW.search(said) else venue_year_track(said)
    group = _VENUE_ID.match(venue_id)
    if group and not _UNDER_REVIEW.search(said):
        venue, year = venue or group[1], year or int(group[2])
    names = (forum or own_id, content.get("pdf"), content.get("html"), content.get("arxiv"))
    found = [
        identity.openreview(names[0] or ""),
        *(identity.from_address(fields.short(name) or "") for name in names[1:]),
    ]
    return RawPaper(
        title=title,
        abstract=abstract,
        synopsis=next((tldr for name in ("TLDR", "TL;DR", "tldr") if (tldr := fields.text(content.get(name)))), None),
        authors=tuple(name for name in fields.names(content.get("authors")) if name != "Anonymous"),
        keywords=fields.texts(content.get("keywords"), r"[;,]"),
        venue=venue or defaults.venue,
        year=year or defaults.year,
        track=track,
        url=f"https://openreview.net/forum?id={names[0]}" if found[0] else None,
        published_on=fields.date(record.get("pdate") or record.get("odate") or record.get("cdate")),
        identifiers=tuple(sorted({name for name in found if name})),
        trust=PUBLISHER,
        where=where,
        record=record,
    )


def _unwrapped(value: object) -> object:
    return cast("dict[str, object]", value).get("value") if isinstance(value, dict) else value
