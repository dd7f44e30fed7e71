"""One paper as a JSON object, with the fields that this project and public lists of papers use."""

from typing import Any, cast

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import NOTHING_SAID, Defaults, RawPaper


def raw_paper(record: dict[str, Any], *, where: str, defaults: Defaults = NOTHING_SAID) -> RawPaper | Refusal:
    """Return the raw paper that a JSON object describes, or why it cannot be one."""
    said = {name: _unwrapped(value) for name, value in record.items()}
    for name in ("title", "abstract", "synopsis"):
        if not isinstance(said.get(name), str | None):
            return Refusal(where=where, why=f"Its {name} is not text.")
    statuses = (fields.text(said.get(name)) for name in ("status", "decision", "presentation"))
    refused = fields.refused_status(next(filter(None, statuses), None))
    if refused:
        return Refusal(where=where, why=refused)
    abstract = cast("str | None", said.get("abstract"))
    track = fields.text(said.get("track")) or fields.text(said.get("presentation"))
    return RawPaper(
        title=cast("str | None", said.get("title")),
        abstract=abstract,
        abstract_cut=said.get("abstract_truncated") is True or len(abstract or "") == fields.CUT_LENGTH,
        synopsis=fields.text(said.get("synopsis")) or fields.text(said.get("tldr")),
        authors=fields.names(said.get("authors")),
        keywords=fields.texts(said.get("keywords"), r"[;,]"),
        aliases=fields.texts(said.get("title_aliases"), r"[\n]"),
        venue=fields.text(said.get("venue")) or defaults.venue,
        year=fields.year(said.get("year")) or defaults.year,
        track=track.lower() if track else None,
        url=fields.address(said.get("url")),
        published_on=fields.date(said.get("published_on") or said.get("published")),
        identifiers=_identifiers(said),
        where=where,
        record=record,
    )


def _unwrapped(value: object) -> object:
    """Return what OpenReview's second API wraps as ``{"value": …}``."""
    if not isinstance(value, dict):
        return value
    wrapped = cast("dict[str, object]", value)
    return wrapped.get("value", wrapped)


def _identifiers(said: dict[str, object]) -> tuple[str, ...]:
    readers = {
        "url": identity.from_address,
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
