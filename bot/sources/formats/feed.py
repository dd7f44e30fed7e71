"""RSS and Atom feeds of any kind; arXiv's, of its search and its news, are known by their entries."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import feedparser

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import COLLECTED, INDEXED, NOTHING_SAID, Defaults, RawPaper
from bot.sources.formats.elements import begins

_LONGEST = 32 * 1024 * 1024
_FEWEST_WORDS = 20
_ARXIV_NEWS = re.compile(r"^\s*arXiv:\S+\s+Announce Type:\s*\S+\s*(?:Abstract:\s*)?", re.IGNORECASE)
_ARXIV_ERROR = re.compile(r"arxiv\.org/api/errors", re.IGNORECASE)
_TITLE_NUMBER = re.compile(r"\s*\(arXiv:\S+(?:\s+\[[^\]]*\])?(?:\s+UPDATED)?\)\s*$")


def recognises(head: bytes) -> bool:
    """Return whether it is a feed."""
    return begins(head) in {"feed", "rss", "rdf"}


def read(parts: Iterable[bytes], defaults: Defaults = NOTHING_SAID) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper or a refusal for every entry; a feed without entries yields nothing."""
    content = bytearray()
    for part in parts:
        content += part
        if len(content) > _LONGEST:
            yield Refusal(where="the feed", why=f"It is longer than {_LONGEST // 1024**2} MiB.")
            return
    # The parser would look entities up; no feed needs any of its own.
    if b"<!ENTITY" in content.upper():
        yield Refusal(where="the feed", why="The XML declares entities of its own, which is not safe to read.")
        return
    try:
        parse = cast("Callable[..., dict[str, Any]]", feedparser.parse)  # pyright: ignore[reportUnknownMemberType]
        parsed = parse(bytes(content), sanitize_html=False, resolve_relative_uris=False)
    except Exception:  # noqa: BLE001 - whatever the parser trips over, it is the feed that is broken
        yield Refusal(where="the feed", why="The feed is broken beyond what can be read.")
        return
    entries = cast("list[dict[str, Any]]", parsed.get("entries") or [])
    for number, entry in enumerate(entries, 1):
        yield _paper(entry, f"entry {number}", defaults)
    if parsed.get("bozo") and not content.rstrip().endswith(b">"):
        yield Refusal(where=f"entry {len(entries) + 1}", why="The feed is cut there.")


def _paper(entry: dict[str, Any], where: str, defaults: Defaults) -> RawPaper | Refusal:
    names = [fields.short(entry.get(name)) or "" for name in ("id", "link", "prism_doi", "dc_identifier", "arxiv_doi")]
    if any(_ARXIV_ERROR.search(name) for name in names):
        return Refusal(
            where=where, why=f"arXiv answered with an error: {(fields.text(entry.get('summary')) or '')[:100]}"
        )
    arxiv = next((known for name in names if (known := identity.arxiv(name.removeprefix("oai:arXiv.org:")))), None)
    found = {arxiv, *(identity.doi(name) for name in names), *(identity.from_address(name) for name in names)}
    published = fields.date(entry.get("published") or entry.get("dc_date") or entry.get("updated"))
    summary = _summary(entry)
    if arxiv:
        summary = _ARXIV_NEWS.sub("", summary)
    elif len(summary.split()) < _FEWEST_WORDS:
        summary = ""
    title = fields.text(entry.get("title"))
    url = f"https://arxiv.org/abs/{arxiv.partition(':')[2]}" if arxiv else fields.address(entry.get("link"))
    return RawPaper(
        title=_TITLE_NUMBER.sub("", title) if title else "",
        abstract=summary or None,
        authors=_people(entry),
        venue=defaults.venue or ("arXiv" if arxiv else fields.text(entry.get("prism_publicationname"))),
        year=published.year if published else defaults.year,
        url=url,
        published_on=published,
        identifiers=tuple(sorted(name for name in found if name)),
        trust=INDEXED if arxiv else COLLECTED,
        where=where,
        record=_record(entry),
    )


def _summary(entry: dict[str, Any]) -> str:
    contents = cast("list[dict[str, Any]]", entry.get("content") or [])
    said = [entry.get("summary"), entry.get("description"), *(content.get("value") for content in contents)]
    return max((text for one in said if (text := fields.text(one))), key=len, default="")


def _people(entry: dict[str, Any]) -> tuple[str, ...]:
    listed = cast("list[dict[str, Any]]", entry.get("authors") or [])
    people = [name for author in listed if (name := fields.text(author.get("name")))]
    # RSS has one element for all: "Ada Lovelace, Charles Babbage".
    return fields.names(people[0]) if len(people) == 1 and "," in people[0] else tuple(dict.fromkeys(people))


def _record(entry: dict[str, Any]) -> dict[str, Any]:
    plain = {name: value for name, value in entry.items() if isinstance(value, str | int | float)}
    tags = cast("list[dict[str, Any]]", entry.get("tags") or [])
    return {**plain, "authors": list(_people(entry)), "tags": [fields.text(tag.get("term")) for tag in tags]}
