"""The ACL Anthology's own XML: a collection of volumes of papers."""

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import NOTHING_SAID, PUBLISHER, Defaults, RawPaper
from bot.sources.formats.elements import as_record, begins, child, children, elements, name_of, text_of
from bot.sources.venues import short_venue

_MARKS = {"tex-math": "$"}
_NO_VENUES = frozenset({"", "ws"})
_PLACES = ("collection", "volume")
_OLD_COLLECTION = re.compile(r"[A-Z]\d\d")
_TWO_DIGITS = re.compile(r"W\d\d-.*|C69-.*|D19-(?:[5-9]|\d\d)")
_LONGEST_NAME = 100
_REMOVED = ("retracted", "removed")


def recognises(head: bytes) -> bool:
    """Return whether it is a collection."""
    return begins(head) == "collection"


def read(parts: Iterable[bytes], defaults: Defaults = NOTHING_SAID) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper or a refusal for every paper of every volume."""
    venue, year = defaults.venue, defaults.year
    number = 0
    around: list[Element] = []
    for found in elements(parts, frozenset({"paper"}), frozenset({"meta"}), around=around):
        if isinstance(found, Refusal):
            yield found
        elif child(found, "booktitle") is not None and found.get("id") is None:
            venue, year = _volume(found, defaults)
        else:
            number += 1
            name = _name_in_the_anthology(around, found)
            yield _paper(found, name, name or f"paper {number}", venue, year)


def _volume(meta: Element, defaults: Defaults) -> tuple[str | None, int | None]:
    title = text_of(child(meta, "booktitle"))
    venues = [name for venue in children(meta, "venue") if (name := text_of(venue).strip()) not in _NO_VENUES]
    short = short_venue(title)
    if venues and (short == " ".join(title.split()) or short is None):
        short = venues[0].upper() if re.fullmatch(r"[a-z]{2,12}", venues[0]) else venues[0]
    return short or defaults.venue, fields.year(text_of(child(meta, "year"))) or defaults.year


def _name_in_the_anthology(around: list[Element], paper: Element) -> str:
    """Return the paper's id: what its address says, else what its place in the collection makes it; may be empty."""
    url = text_of(child(paper, "url")).strip()[:_LONGEST_NAME]
    known = identity.acl(url)
    if known:
        return known.partition(":")[2]
    collection, volume = (next((e.get("id", "") for e in around if name_of(e) == name), "") for name in _PLACES)
    number = paper.get("id", "")
    if _OLD_COLLECTION.fullmatch(collection):
        # "P19", volume 1, paper 1 is P19-1001, but "W19", volume 1, paper 1 is W19-0101 (Anthology, Identifiers).
        digits = 2 if _TWO_DIGITS.fullmatch(f"{collection}-{volume}") else 1
        name = f"{collection}-{volume.zfill(digits)}{number.zfill(4 - digits)}"
    else:
        name = f"{collection}-{volume}.{number}"
    return name if len(name) <= _LONGEST_NAME and identity.acl(name) else ""


def _paper(paper: Element, name: str, where: str, venue: str | None, year: int | None) -> RawPaper | Refusal:
    for why in _REMOVED:
        if child(paper, why) is not None:
            return Refusal(where=where, why=f"It is {why} at the ACL Anthology.")
    found = [identity.acl(name), identity.doi(text_of(child(paper, "doi")))]
    return RawPaper(
        title=text_of(child(paper, "title"), _MARKS),
        abstract=text_of(child(paper, "abstract"), _MARKS) or None,
        authors=tuple(person for author in children(paper, "author") if (person := _person(author))),
        venue=venue,
        year=year,
        url=f"https://aclanthology.org/{name}" if name else fields.address(text_of(child(paper, "url"))),
        identifiers=tuple(sorted({one for one in found if one})),
        trust=PUBLISHER,
        where=where,
        record=as_record(paper),
    )


def _person(author: Element) -> str:
    parts = (text_of(child(author, part)).strip() for part in ("first", "last"))
    return " ".join(part for part in parts if part)
