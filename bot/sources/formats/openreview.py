"""One note of OpenReview, of its first API (plain values) or its second (``{"value": …}``)."""

import re
from typing import Any, cast

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import NOTHING_SAID, PUBLISHER, Defaults, RawPaper
from bot.sources.venues import venue_year_track

_REFUSED = re.compile(r"withdrawn|retracted|reject(?:ed)?(?![a-z])", re.IGNORECASE)
# "Submitted to ICLR 2023", once "ICLR 2022 Submitted", is what a venue did not take (openreview-py, tools.py,
# decision_to_venue); while it decides, the venue's id says that the paper is a submission.
_SUBMITTED = re.compile(r"\bsubmitted\b", re.IGNORECASE)
_UNDER_REVIEW = re.compile(r"\bsubmi(?:tted|ssion)\b|\b(?:under review|decision pending)\b", re.IGNORECASE)
_UNDECIDED = re.compile(r"/(?:\w*submission|submitted|under_review|decision_pending)$", re.IGNORECASE)
_ACCEPTED_BY = re.compile(r"^\s*accepted by\s+", re.IGNORECASE)
_VENUE_ID = re.compile(r"(?:[^/]+/)*?([^/.]+)(?:\.[^/]+)?/((?:19|20)\d\d)(?:/|$)")
_WORKSHOP_ID = re.compile(r"/workshop\b", re.IGNORECASE)
_WORKSHOP = re.compile(
    r"\s*(\S.*?)\s+((?:19|20)\d\d)\s+(workshop\b.*?)\s*(oral|spotlight|poster)?\s*", re.IGNORECASE | re.DOTALL
)
_LONGEST_NAME = 300
_JOURNAL_ID = re.compile(r"[A-Z]{3,12}")


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
    said = " ".join((fields.text(content.get("venue")) or "").split())[:_LONGEST_NAME]
    venue_id = (fields.text(content.get("venueid")) or fields.text(record.get("invitation")) or "")[:_LONGEST_NAME]
    refused = _refused(said, venue_id)
    if refused is not None:
        return Refusal(where=where, why=f"Its status is “{refused[:60]}”.")
    venue, year, track = _occasion(said, venue_id)
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


def _refused(said: str, venue_id: str) -> str | None:
    """Return the status for which a paper is not taken, or None where it is."""
    refused = next((status for status in (said, venue_id) if _REFUSED.search(status)), None)
    if refused is None and _SUBMITTED.search(said) and not _UNDECIDED.search(venue_id):
        return said
    return refused


def _occasion(said: str, venue_id: str) -> tuple[str | None, int | None, str | None]:
    """Return the venue, the year and the track; a submission that is under review has none of them yet."""
    # The invitation of the first API, which has "/-/" in it, says nothing of a decision.
    if _UNDER_REVIEW.search(said) or (not said and _UNDECIDED.search(venue_id) and "/-/" not in venue_id):
        return None, None, None
    workshop = _WORKSHOP.fullmatch(said)
    if workshop:
        # A workshop at a conference is not the conference.
        return f"{workshop[1]} {workshop[3]}", int(workshop[2]), workshop[4].lower() if workshop[4] else None
    venue, year, track = venue_year_track(_ACCEPTED_BY.sub("", said))
    group = _VENUE_ID.match(venue_id)
    if group:
        named = f"{group[1]} Workshop" if _WORKSHOP_ID.search(venue_id) else group[1]
        return venue or named, year or int(group[2]), track
    return venue or (venue_id if _JOURNAL_ID.fullmatch(venue_id) else None), year, track


def _unwrapped(value: object) -> object:
    return cast("dict[str, object]", value).get("value") if isinstance(value, dict) else value
