"""RSS and Atom feeds of any kind; arXiv's, of its search and its news, are known by their entries."""

import io
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast
from xml.etree.ElementTree import Element, tostring

import feedparser

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import COLLECTED, INDEXED, NOTHING_SAID, Defaults, RawPaper
from bot.sources.formats.elements import begins, elements
from bot.sources.formats.mending import mended
from bot.sources.lines import pieces

_LONGEST = 32 * 1024 * 1024
_ENTRIES = frozenset({"item", "entry"})
_MOST_AT_ONCE = 100
_MOST_ELEMENTS_AT_ONCE = 20_000
_FEWEST_WORDS = 20
_PREFIXES = {"{http://arxiv.org/schemas/atom": "arxiv", "{http://prismstandard.org/": "prism"}
_DATES = ("published", "dc_date", "updated", "prism_publicationdate", "prism_coverdate")
_ARXIV_NEWS = re.compile(r"^\s*arXiv:\S+\s+Announce Type:\s*\S+\s*(?:Abstract:\s*)?", re.IGNORECASE)
_ARXIV_ERROR = re.compile(r"arxiv\.org/api/errors", re.IGNORECASE)
_FAMILY_NAME_FIRST = re.compile(r"[^\s,;]+,[^,;]+")
_LONGEST_NUMBER = 100
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
    number = 0
    broken: Refusal | None = None
    for found in _entries(bytes(content)):
        if isinstance(found, Refusal):
            broken = found
            continue
        number += 1
        yield _paper(found, f"entry {number}", defaults)
    if broken is None:
        return
    seen = number
    for place, found in enumerate(_entries(mended(bytes(content))), 1):
        if isinstance(found, Refusal):
            yield found
        elif place > seen:
            yield _paper(found, f"entry {place}", defaults)


def _entries(content: bytes) -> Iterator[dict[str, Any] | Refusal]:
    """Yield the entries as the parser of feeds sees them; XML that is broken ends it with a refusal.

    That parser gets a few at a time, and well-formed XML only: it would build the whole feed in memory, and on
    broken markup its time grows with the square of the length.
    """
    around: list[Element] = []
    few = _Few()
    for found in elements(pieces(io.BytesIO(content)), _ENTRIES, around=around):
        if isinstance(found, Refusal):
            yield from few.parsed()
            yield found
            return
        few.add(found, around)
        if few.is_full:
            yield from few.parsed()
            few = _Few()
    yield from few.parsed()


class _Few:
    """A few entries as a feed of their own."""

    def __init__(self) -> None:
        self._number = self._size = 0
        self._feed: Element | None = None
        self._channel: Element | None = None

    @property
    def is_full(self) -> bool:
        return self._number >= _MOST_AT_ONCE or self._size >= _MOST_ELEMENTS_AT_ONCE

    def add(self, entry: Element, around: list[Element]) -> None:
        if self._channel is None:
            for element in around:
                inner = Element(element.tag, element.attrib)
                if self._channel is None:
                    self._feed = inner
                else:
                    self._channel.append(inner)
                self._channel = inner
        if self._channel is not None:
            self._channel.append(entry)
            self._number += 1
            for element in entry.iter():
                self._size += 1
                element.tag = _as_parsed(element.tag)

    def parsed(self) -> Iterator[dict[str, Any]]:
        """Yield the entries; an empty one for each that the parser did not find."""
        if self._feed is None:
            return
        parse = cast("Callable[..., dict[str, Any]]", feedparser.parse)  # pyright: ignore[reportUnknownMemberType]
        content = io.BytesIO(tostring(self._feed, encoding="utf-8"))
        try:
            parsed = parse(content, sanitize_html=False, resolve_relative_uris=False)
        except Exception:  # noqa: BLE001 - whatever the parser trips over, it is these entries that are broken
            parsed = {}
        entries = cast("list[dict[str, Any]]", parsed.get("entries") or [])
        yield from entries[: self._number]
        yield from [{}] * (self._number - len(entries))


def _as_parsed(tag: str) -> str:
    """Return the tag under which the parser of feeds keeps it, whose names are made with prefixes."""
    namespace, _, name = tag.rpartition("}")
    prefix = next((prefix for start, prefix in _PREFIXES.items() if namespace.startswith(start)), None)
    return f"{prefix}_{name}" if prefix else tag


def _paper(entry: dict[str, Any], where: str, defaults: Defaults) -> RawPaper | Refusal:
    if not entry:
        return Refusal(where=where, why="The entry is broken beyond what can be read.")
    names = [fields.short(entry.get(name)) or "" for name in ("id", "link", "prism_doi", "dc_identifier", "arxiv_doi")]
    if any(_ARXIV_ERROR.search(name) for name in names):
        return Refusal(
            where=where, why=f"arXiv answered with an error: {(fields.text(entry.get('summary')) or '')[:100]}"
        )
    arxiv = next((known for name in names if (known := identity.arxiv(name.removeprefix("oai:arXiv.org:")))), None)
    found = {arxiv, *(identity.doi(name) for name in names), *(identity.from_address(name) for name in names)}
    # The entry's own ``get`` gives one date for another.
    stored = dict(entry)
    published = next((day for name in _DATES if (day := fields.date(stored.get(name)))), None)
    summary = _summary(entry)
    if arxiv:
        summary = _ARXIV_NEWS.sub("", summary)
    elif len(summary.split()) < _FEWEST_WORDS:
        summary = ""
    title = fields.text(entry.get("title"))
    url = f"https://arxiv.org/abs/{arxiv.partition(':')[2]}" if arxiv else fields.address(entry.get("link"))
    return RawPaper(
        title=_without_number(title or ""),
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


def _without_number(title: str) -> str:
    """Return the title without "(arXiv:2509.15217v2 [cs.CL] UPDATED)", which arXiv's news had at its end."""
    start = max(0, len(title) - _LONGEST_NUMBER)
    return title[:start] + _TITLE_NUMBER.sub("", title[start:])


def _summary(entry: dict[str, Any]) -> str:
    contents = cast("list[dict[str, Any]]", entry.get("content") or [])
    said = [entry.get("summary"), entry.get("description"), *(content.get("value") for content in contents)]
    return max((text for one in said if (text := fields.text(one))), key=len, default="")


def _people(entry: dict[str, Any]) -> tuple[str, ...]:
    listed = cast("list[dict[str, Any]]", entry.get("authors") or [])
    people = [name for author in listed if (name := fields.text(author.get("name")))]
    if len(people) == 1 and not _FAMILY_NAME_FIRST.fullmatch(people[0]):
        # RSS has one element for all: "Ada Lovelace, Charles Babbage".
        return fields.names(people[0])
    return tuple(dict.fromkeys(fields.given_name_first(name) for name in people))


def _record(entry: dict[str, Any]) -> dict[str, Any]:
    plain = {name: value for name, value in entry.items() if isinstance(value, str | int | float)}
    tags = cast("list[dict[str, Any]]", entry.get("tags") or [])
    return {**plain, "authors": list(_people(entry)), "tags": [fields.text(tag.get("term")) for tag in tags]}
