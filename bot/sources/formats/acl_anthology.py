"""The ACL Anthology's own XML: a collection of volumes of papers."""

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import NOTHING_SAID, PUBLISHER, Defaults, RawPaper
from bot.sources.formats.elements import as_record, begins, child, children, elements, text_of
from bot.sources.venues import short_venue

_MARKS = {"tex-math": "$"}
_REMOVED = ("retracted", "removed")


def recognises(head: bytes) -> bool:
    """Return whether it is a collection."""
    return begins(head) == "collection"


def read(parts: Iterable[bytes], defaults: Defaults = NOTHING_SAID) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper or a refusal for every paper of every volume."""
    venue, year = defaults.venue, defaults.year
    number = 0
    for found in elements(parts, frozenset({"paper"}), frozenset({"meta"})):
        if isinstance(found, Refusal):
            yield found
        elif child(found, "booktitle") is not None and found.get("id") is None:
            venue, year = _volume(found, defaults)
        else:
            number += 1
            yield _paper(found, f"paper {number}", venue, year)


def _volume(meta: Element, defaults: Defaults) -> tuple[str | None, int | None]:
    title = text_of(child(meta, "booktitle"))
    venues = [text_of(venue) for venue in children(meta, "venue")]
    short = short_venue(title)
    if venues and (short == " ".join(title.split()) or short is None):
        short = venues[0].upper() if re.fullmatch(r"[a-z]{2,12}", venues[0]) else venues[0]
    return short or defaults.venue, fields.year(text_of(child(meta, "year"))) or defaults.year


def _paper(paper: Element, where: str, venue: str | None, year: int | None) -> RawPaper | Refusal:
    url = text_of(child(paper, "url")).strip()
    where = url or where
    for name in _REMOVED:
        if child(paper, name) is not None:
            return Refusal(where=where, why=f"It is {name} at the ACL Anthology.")
    abstract = text_of(child(paper, "abstract"), _MARKS)
    is_id = identity.acl(url) is not None
    found = [identity.acl(url), identity.doi(text_of(child(paper, "doi")))]
    return RawPaper(
        title=text_of(child(paper, "title"), _MARKS),
        abstract=abstract or None,
        authors=tuple(name for author in children(paper, "author") if (name := _name(author))),
        venue=venue,
        year=year,
        url=f"https://aclanthology.org/{url}" if is_id else fields.address(url),
        identifiers=tuple(sorted({name for name in found if name})),
        trust=PUBLISHER,
        where=where,
        record=as_record(paper),
    )


def _name(author: Element) -> str:
    parts = (text_of(child(author, part)).strip() for part in ("first", "last"))
    return " ".join(part for part in parts if part)
