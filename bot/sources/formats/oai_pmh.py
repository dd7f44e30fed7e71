"""Answers of OAI-PMH servers, arXiv's among them: records in arXiv's own formats or in Dublin Core."""

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import COLLECTED, INDEXED, NOTHING_SAID, Defaults, RawPaper
from bot.sources.formats.elements import as_record, begins, child, children, elements, name_of, text_of

_MEANINGS = {
    "badResumptionToken": "it no longer knows where the list was left off; begin again",
    "cannotDisseminateFormat": "it has no records in this format",
    "idDoesNotExist": "it has no record of this id",
    "badArgument": "it does not understand the request",
    "badVerb": "it does not understand the request",
    "noSetHierarchy": "it has no sets",
}


_INNERMOST = re.compile(r"\([^()]*\)")
_NESTED = 4
_LONGEST_NAME = 100


def recognises(head: bytes) -> bool:
    """Return whether it is an answer of such a server."""
    return begins(head) == "oai-pmh"


def read(parts: Iterable[bytes], defaults: Defaults = NOTHING_SAID) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper or a refusal for every record; an answer without records yields nothing."""
    for number, found in enumerate(elements(parts, frozenset({"record", "error"})), 1):
        where = f"record {number}"
        if isinstance(found, Refusal):
            yield found
        elif name_of(found) == "error":
            code = found.get("code") or "an error"
            if code != "noRecordsMatch":
                why = _MEANINGS.get(code, " ".join(text_of(found).split())[:80] or code)
                yield Refusal(where=where, why=f"The server answered “{code[:40]}”: {why}.")
        else:
            yield _record(found, where, defaults)


def _record(record: Element, where: str, defaults: Defaults) -> RawPaper | Refusal:
    header, metadata = child(record, "header"), child(record, "metadata")
    identifier = text_of(child(header, "identifier")) if header is not None else ""
    where = identifier.strip()[:_LONGEST_NAME] or where
    if header is not None and header.get("status") == "deleted":
        return Refusal(where=where, why="It is deleted at its source.")
    body = next(iter(metadata), None) if metadata is not None else None
    if body is None:
        return Refusal(where=where, why="The record is empty.")
    if name_of(body) in {"arXiv", "arXivRaw", "arXivOld"}:
        return _of_arxiv(body, where, defaults)
    return _dublin_core(body, where, defaults)


def _of_arxiv(body: Element, where: str, defaults: Defaults) -> RawPaper:
    arxiv = identity.arxiv(text_of(child(body, "id")))
    people = child(body, "authors")
    if people is not None and len(people):
        names = tuple(_person(author) for author in children(people, "author"))
    else:
        names = fields.names(_without_affiliations(text_of(people)))
    version = child(body, "version")
    day = text_of(child(body, "created")) or (text_of(child(version, "date")) if version is not None else "")
    published = fields.date(day)
    found = [arxiv, identity.doi(text_of(child(body, "doi")))]
    return RawPaper(
        title=text_of(child(body, "title")),
        abstract=text_of(child(body, "abstract")) or None,
        authors=tuple(name for name in names if name),
        venue=defaults.venue or "arXiv",
        year=published.year if published else defaults.year,
        url=f"https://arxiv.org/abs/{arxiv.partition(':')[2]}" if arxiv else None,
        published_on=published,
        identifiers=tuple(sorted({name for name in found if name})),
        trust=INDEXED,
        where=where,
        record=as_record(body),
    )


def _person(author: Element) -> str:
    parts = (text_of(child(author, part)).strip() for part in ("forenames", "keyname", "suffix"))
    return " ".join(part for part in parts if part)


def _without_affiliations(people: str) -> str:
    """Return the authors as people write them at arXiv, without "(1)" and "((1) A University)"."""
    for _ in range(_NESTED):
        people = _INNERMOST.sub("", people)
    return " ".join(people.split())


def _dublin_core(body: Element, where: str, defaults: Defaults) -> RawPaper:
    record = as_record(body)
    names = record.get("identifier", []) + record.get("relation", [])
    addresses = [address for name in names if (address := fields.address(name))]
    readers = (identity.from_address, identity.doi, identity.arxiv)
    found = {known for name in names if fields.short(name) for reader in readers if (known := reader(name))}
    published = next((day for said in record.get("date", []) if (day := fields.date(said))), None)
    years = (fields.year(said) for said in record.get("date", []))
    return RawPaper(
        title=next(iter(record.get("title", [])), ""),
        abstract=max(record.get("description", []), key=len, default=None),
        authors=tuple(dict.fromkeys(fields.given_name_first(name) for name in record.get("creator", []))),
        keywords=fields.texts(record.get("subject", []), ""),
        venue=defaults.venue or ("arXiv" if any(name.startswith("arxiv:") for name in found) else None),
        year=next((year for year in years if year), defaults.year),
        url=next(iter(addresses), None),
        published_on=published,
        identifiers=tuple(sorted(found)),
        trust=COLLECTED,
        where=where,
        record=record,
    )
