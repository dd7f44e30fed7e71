"""RIS, as EndNote, Zotero, Mendeley, Web of Science and publishers write it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from rispy import RisParser
from rispy.config import LIST_TYPE_TAGS

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import NOTHING_SAID, Defaults, RawPaper
from bot.sources.lines import LONGEST_LINE, LONGEST_RECORD, text_lines
from bot.sources.venues import short_venue

# The standard wants two spaces and one; programs leave some out.
_TAG = re.compile(r" {0,3}([A-Z][A-Z0-9])(?:  -| -(?=\s|$))(.*)$", re.DOTALL)
_HEAD = re.compile(rb"^[ \t]{0,3}TY {1,2}-[^\n]*\r?\n(?:[^\n]*\n){0,3}?[ \t]{0,3}[A-Z][A-Z0-9] {1,2}-", re.MULTILINE)
_LOOKED_AT = 8 * 1024
_LISTS = frozenset(LIST_TYPE_TAGS)
_ABSTRACTS = frozenset({"AB", "N2"})
_VOLUMES = frozenset({"EDBOOK", "JFULL", "SER", "MGZN"})
_BOOKS = frozenset({"BOOK", "EBOOK"})
_PAGES = frozenset({"BLOG", "ELEC", "ICOMM", "WEB"})
_TITLES = ("title", "primary_title", "CT", "short_title")
_VENUES = ("secondary_title", "alternate_title3", "journal_name", "C3", "alternate_title1", "alternate_title2", "BT")
_LINKS = ("urls", "file_attachments1", "file_attachments2", "LK", "L3")
_PLACES = ("accession_number", "note", "number", "volume", "custom7")
_NOBODY = re.compile(r"(?:anonymous|others|et al\.?)", re.IGNORECASE)


@dataclass
class _Record:
    """What stands between a record's first tag and its last."""

    first: int
    rows: list[tuple[str, list[str]]] = field(default_factory=list["tuple[str, list[str]]"])
    size: int = 0
    ended: bool = False
    why: str | None = None

    def add(self, tag: str | None, value: str | None) -> None:
        self.size += len(value or "") + 8
        if value is None:
            self.why = f"One of its lines is longer than {LONGEST_LINE // 1024**2} MiB."
        elif self.size > LONGEST_RECORD:
            self.why = f"The record is longer than {LONGEST_RECORD // 1024**2} MiB."
        if self.why is not None:
            self.rows.clear()
        elif value is not None and self.rows and (tag is None or (tag in _ABSTRACTS and self._had(tag))):
            if value.strip():
                self.rows[-1][1].append(value.strip())
        elif tag is not None and value is not None:
            self.rows.append((tag, [value.strip()]))

    def _had(self, tag: str) -> bool:
        return self.rows[-1][0] == tag

    def lines(self) -> Iterator[str]:
        """Yield the record in the strict form that the parser wants; one text is one line."""
        for tag, values in self.rows:
            for value in values if tag in _LISTS else [" ".join(values)]:
                yield f"{tag}  - {value}"
        yield "ER  - "


def recognises(head: bytes) -> bool:
    """Return whether a record begins near the beginning."""
    return _HEAD.search(head[:_LOOKED_AT]) is not None


def read(parts: Iterable[bytes], defaults: Defaults = NOTHING_SAID) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper or a refusal for every record; what stands between records is skipped."""
    for record in _records(parts):
        where = f"line {record.first}"
        if record.why is not None:
            yield Refusal(where=where, why=record.why)
            continue
        # The parser's dictionaries are not typed.
        parsed = cast("list[dict[str, Any]]", RisParser().parse_lines(cast("Any", record.lines())))  # pyright: ignore[reportUnknownMemberType]
        for said in parsed:
            cut = not record.ended and bool(record.rows) and record.rows[-1][0] in _ABSTRACTS
            yield _read(said, where, cut, defaults)


def _records(parts: Iterable[bytes]) -> Iterator[_Record]:
    record: _Record | None = None
    for line in text_lines(parts):
        found = _TAG.match(line.text) if line.text is not None else None
        tag, value = (found[1], found[2]) if found else (None, line.text)
        if tag == "TY":
            # A record whose end is missing ends where the next one begins.
            if record is not None:
                record.ended = True
                yield record
            record = _Record(first=line.number)
        if record is None:
            continue
        if tag == "ER":
            record.ended = True
            yield record
            record = None
        else:
            record.add(tag, value)
    if record is not None:
        yield record


def _read(record: dict[str, Any], where: str, cut: bool, defaults: Defaults) -> RawPaper | Refusal:
    said = _flat(record)
    kind = (said.get("type_of_reference") or [""])[0].upper()
    authors = _authors(said)
    identifiers = _identifiers(said)
    if kind in _VOLUMES or (kind in _BOOKS and not authors):
        return Refusal(where=where, why="It is a whole volume, not a paper.")
    if kind in _PAGES and not identifiers:
        return Refusal(where=where, why="It is a web page, not a paper.")
    title, abstract = _first(said, *_TITLES), _first(said, "abstract", "notes_abstract")
    if title is None and abstract is None:
        return Refusal(where=where, why="It has neither a title nor an abstract.")
    day = next((text for name in ("date", "year", "publication_year") if (text := _first(said, name))), "")
    links = [link for name in _LINKS for link in said.get(name, ())]
    return RawPaper(
        title=title,
        abstract=abstract,
        abstract_cut=cut and abstract is not None,
        authors=authors,
        keywords=fields.texts([word for line in said.get("keywords", ()) for word in re.split(r"[;\n]", line)], ""),
        venue=short_venue(_first(said, *_VENUES)) or defaults.venue,
        year=next(
            (year for name in ("year", "publication_year", "date") if (year := _year(said, name))), defaults.year
        ),
        url=next((url for link in links if (url := fields.address(link))), None),
        published_on=fields.date(day.strip("/").replace("/", "-")),
        identifiers=identifiers,
        where=where,
        record=said,
    )


def _flat(record: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the parsed record as lists of texts, those of tags it does not know under the tags."""
    unknown = cast("dict[str, list[str]]", record.get("unknown_tag") or {})
    known = {name: value for name, value in record.items() if name != "unknown_tag"}
    found: dict[str, list[str]] = {}
    for name, value in (*known.items(), *unknown.items()):
        texts = cast("list[object]", value) if isinstance(value, list) else [cast("object", value)]
        found[str(name)] = [text for text in texts if isinstance(text, str) and text]
    # The parser calls the third custom field so; EndNote and Zotero put the conference there.
    if "custom3" in found:
        found["C3"] = found.pop("custom3")
    return found


def _first(said: Mapping[str, list[str]], *names: str) -> str | None:
    return next((text for name in names for one in said.get(name, ()) if (text := fields.text(one))), None)


def _year(said: Mapping[str, list[str]], name: str) -> int | None:
    return fields.year(_first(said, name))


def _authors(said: Mapping[str, list[str]]) -> tuple[str, ...]:
    found: list[str] = []
    for name in said.get("authors") or said.get("first_authors") or ():
        parts = [part.strip() for part in name.split(",")]
        # Last, first, suffix.
        whole = f"{parts[1]} {parts[0]} {parts[2]}".strip() if len(parts) == 3 else fields.given_name_first(name)
        if whole and not _NOBODY.fullmatch(whole):
            found.append(whole)
    return fields.texts(found, "")


def _identifiers(said: Mapping[str, list[str]]) -> tuple[str, ...]:
    found = [identity.doi(text) for name in ("doi", "DI") for text in said.get(name, ()) if fields.short(text)]
    found += [identity.from_address(link) for name in _LINKS for link in said.get(name, ()) if fields.short(link)]
    found += [
        identity.arxiv(text)
        for name in _PLACES
        for text in said.get(name, ())
        if fields.short(text) and text.lower().startswith("arxiv:")
    ]
    return tuple(sorted({name for name in found if name}))
