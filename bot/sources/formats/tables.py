"""Tables with a line of names: CSV, TSV, and lists parted by semicolons or bars."""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import NOTHING_SAID, Defaults, RawPaper
from bot.sources.formats.table_rows import rows
from bot.sources.lines import TextLine, text_lines
from bot.sources.venues import short_venue, venue_year_track

MOST_COLUMNS = 2_000
"""No table of papers has more columns."""

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "title": ("title", "paper title", "article title", "document title", "papertitle", "paper name"),
    "abstract": ("abstract", "abstract note", "abstracts", "paper abstract", "summary", "description"),
    "synopsis": ("tldr", "tl dr", "synopsis", "one sentence summary"),
    "authors": ("authors", "author", "author names", "author s", "author full names", "authors names", "paper authors"),
    "keywords": ("keywords", "keyword", "author keywords", "manual tags", "tags", "key words", "topics", "index terms"),
    "more keywords": ("automatic tags", "index keywords", "ieee terms"),
    "venue": (
        "venue",
        "conference name",
        "conference",
        "publication title",
        "source title",
        "proceedings title",
        "journal title",
        "journal",
        "booktitle",
        "book title",
        "publication",
        "event",
        "source",
    ),
    "year": ("year", "publication year", "pub year", "conference year", "year of publication"),
    "date": ("date", "publication date", "published", "published on", "date published", "online date", "cover date"),
    "status": ("status", "decision", "paper decision", "acceptance"),
    "track": ("track", "presentation", "session type", "event type", "paper type", "type", "session"),
    "kind": ("item type", "document type", "publication type", "type"),
    "doi": ("doi", "article doi"),
    "arxiv": ("arxiv", "arxiv id", "arxivid", "arxiv url", "arxiv link"),
    "openreview": ("openreview", "openreview id", "openreview url", "openreview link", "forum"),
    "id": ("id", "uid", "paper id", "paperid", "acl id", "anthology id"),
    "url": ("url", "link", "paper url", "paper link", "paper", "site", "html", "landing page", "doi link", "pdf link"),
    "pdf": ("pdf", "pdf url", "paper pdf", "pdf path"),
}
"""What columns are called, in small letters with single spaces; the first that says anything counts."""

_DELIMITERS = ",\t;|"
_ALL_NAMES = frozenset(name for names in COLUMNS.values() for name in names)
# "Summary", "source" and the like also stand at the head of tables that hold no papers.
_TELLING = frozenset((*COLUMNS["title"], *COLUMNS["abstract"][:4]))
_LONGEST_NAME, _MOST_WORDS = 80, 10
_NO_PAPERS = frozenset({"attachment", "note", "annotation", "webpage", "web page", "blogpost", "forumpost", "email"})
_NO_PAPERS_EITHER = frozenset({"conference review", "editorial", "erratum", "retracted"})
_TRACK = re.compile(r"\b(oral|spotlight|poster|notable)\b", re.IGNORECASE)
_NO_TRACK = frozenset({"", "main", "conference", "main conference", "main track"})
_SITES = re.compile(r"//(?:www\.)?(iclr|icml|neurips|nips)\.cc/virtual/(20\d\d)/", re.IGNORECASE)
_SITE_NAMES = {"iclr": "ICLR", "icml": "ICML", "neurips": "NeurIPS", "nips": "NeurIPS"}
_LISTED = re.compile(r"[\"']\s*,\s*[\"']")


def recognises(head: bytes) -> bool:
    """Return whether the first line names columns, one of them a title or an abstract."""
    return _delimiter(_first_line(head.decode("utf-8", "replace"))) is not None


def read(parts: Iterable[bytes], defaults: Defaults = NOTHING_SAID) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper or a refusal for every row below the names."""
    lines = text_lines(parts)
    first = next((line for line in lines if line.text is None or not _is_idle(line.text)), None)
    if first is None:
        return
    delimiter = _delimiter(_first_line(first.text or ""))
    if delimiter is None:
        yield Refusal(where=f"line {first.number}", why="The first line names no column “title” or “abstract”.")
        return

    def from_first() -> Iterator[TextLine]:
        yield first
        yield from lines

    found = rows(from_first(), delimiter)
    names = next(found, None)
    if names is None or names.why is not None:
        yield Refusal(where=f"line {first.number}", why="The line with the names of the columns is broken.")
        return
    if len(names.fields) > MOST_COLUMNS:
        yield Refusal(where=f"line {names.number}", why=f"The table has more than {MOST_COLUMNS:,} columns.")
        return
    columns = tuple(plain_name(name) for name in names.fields)
    for row in found:
        where = f"line {row.number}"
        extra = row.fields[len(columns) :]
        if row.why is not None:
            yield Refusal(where=where, why=row.why)
        elif any(map(str.strip, extra)):
            said = f"It has {len(row.fields):,} fields, and the first line names {len(columns):,} columns."
            yield Refusal(where=where, why=said)
        elif row.fields != names.fields:
            yield _read(_named(columns, row.fields), where, defaults)


def plain_name(name: str) -> str:
    """Return the name of a column in the form of ``COLUMNS``."""
    return " ".join(re.sub(r"[\W_]+", " ", name[: 2 * _LONGEST_NAME]).lower().split())


def raw_paper(
    said: Mapping[str, str], *, where: str, record: dict[str, object], defaults: Defaults = NOTHING_SAID
) -> RawPaper | Refusal:
    """Return the raw paper that one row describes, its fields under the names of ``COLUMNS``, or why it is none."""
    kind = _value(said, "kind").lower()
    authors = _people(_value(said, "authors"), is_zotero="item type" in said)
    if kind in _NO_PAPERS or kind in _NO_PAPERS_EITHER:
        return Refusal(where=where, why=f"It is no paper; its type is “{kind}”.")
    if kind == "book" and not authors:
        return Refusal(where=where, why="It is a whole volume, not a paper.")
    refused = fields.refused_status(_value(said, "status") or None)
    if refused:
        return Refusal(where=where, why=refused)
    title, abstract = (fields.text(_value(said, name)) for name in ("title", "abstract"))
    if title is None and abstract is None:
        return Refusal(where=where, why="It has neither a title nor an abstract.")
    venue, year, track = _venue(_value(said, "venue"))
    links = [said[name] for role in ("url", "openreview", "arxiv", "pdf") for name in COLUMNS[role] if said.get(name)]
    site = next((found for link in links if (found := _SITES.search(link[:2000]))), None)
    return RawPaper(
        title=title,
        abstract=abstract,
        abstract_cut=len(abstract or "") == fields.CUT_LENGTH,
        synopsis=fields.text(_value(said, "synopsis")),
        authors=authors,
        keywords=_keywords(_value(said, "keywords")) + _keywords(_value(said, "more keywords")),
        venue=venue or (_SITE_NAMES[site[1].lower()] if site else None) or defaults.venue,
        year=fields.year(_value(said, "year"))
        or fields.year(_value(said, "date"))
        or year
        or (int(site[2]) if site else None)
        or defaults.year,
        track=_track(said) or track,
        url=next((url for link in links if (url := fields.address(link))), None),
        published_on=fields.date(_value(said, "date")),
        identifiers=_identifiers(said, links),
        where=where,
        record=record,
    )


def _first_line(text: str) -> str:
    for line in re.split(r"[\r\n]", text.lstrip("\ufeff")[: 256 * 1024]):
        if not _is_idle(line):
            return line
    return ""


def _is_idle(line: str) -> bool:
    """Return whether a line stands before the names: a blank one, or what tells Excel the delimiter."""
    return not line.strip() or re.fullmatch(r"\s*\"?sep=.\"?\s*", line) is not None


def _delimiter(line: str) -> str | None:
    # A line that begins with a bar is a table in Markdown.
    if line.lstrip()[:1] in {"|", "{", "[", "<", "#"}:
        return None
    found: list[tuple[int, int, str]] = []
    for delimiter in _DELIMITERS:
        if delimiter not in line:
            continue
        try:
            names = next(csv.reader([line], delimiter=delimiter), list[str]())
        except csv.Error:
            continue
        plain = [plain_name(name) for name in names[: MOST_COLUMNS + 1]]
        known = sum(name in _ALL_NAMES for name in plain)
        # A sentence may begin with "Abstract," too; what else it says are no short names.
        most_words = _MOST_WORDS if known > 1 else 3
        are_names = all(len(name) <= _LONGEST_NAME and len(name.split()) <= most_words for name in names)
        if len(names) >= 2 and are_names and any(name in _TELLING for name in plain):
            found.append((known, len(names), delimiter))
    return max(found)[2] if found else None


def _named(columns: tuple[str, ...], values: tuple[str, ...]) -> dict[str, str]:
    """Return what a row says, by column; of two columns with one name, the first that says anything counts."""
    said: dict[str, str] = {}
    for name, value in zip(columns, values, strict=False):
        if value.strip() and name:
            said.setdefault(name, value)
    if "item type" in columns:
        said.setdefault("item type", "")
    return said


def _read(said: dict[str, str], where: str, defaults: Defaults) -> RawPaper | Refusal:
    return raw_paper(
        said, where=where, record={name: value for name, value in said.items() if value}, defaults=defaults
    )


def _value(said: Mapping[str, str], role: str) -> str:
    return next((value.strip() for name in COLUMNS[role] if (value := said.get(name))), "")


def _people(text: str, *, is_zotero: bool) -> tuple[str, ...]:
    parts = _parts(text)
    if parts is None and is_zotero:
        # Zotero parts names at semicolons, so that one author alone has a comma and no semicolon.
        parts = [text]
    names = [fields.given_name_first(name) for name in parts] if parts is not None else list(fields.names(text))
    return tuple(name for name in fields.texts(names, "") if name.lower() not in {"anonymous", "et al.", "others"})


def _keywords(text: str) -> tuple[str, ...]:
    parts = _parts(text)
    return fields.texts(parts, "") if parts is not None else fields.texts(text, r"[,\n]")


def _parts(text: str) -> list[str] | None:
    """Return the parts of a list as Python, MiniConf or a reference manager writes it; None for another."""
    inner = text.strip()
    if inner[:1] + inner[-1:] == "[]":
        return [part.strip(" '\"") for part in _LISTED.split(inner[1:-1])]
    separator = next((one for one in ";|" if one in inner), None)
    return inner.split(separator) if separator else None


def _venue(text: str) -> tuple[str | None, int | None, str | None]:
    short = short_venue(text)
    if short is None or len(text.split()) > 4:
        return short, fields.year(text), None
    venue, year, track = venue_year_track(text)
    return short_venue(venue), year, track


def _track(said: Mapping[str, str]) -> str | None:
    names = (*COLUMNS["track"], *COLUMNS["status"])
    known = next((found for name in names if (found := _TRACK.search(said.get(name, "")[:200]))), None)
    if known:
        return known[1].lower()
    track = said.get("track", "").strip().lower()
    return track if track not in _NO_TRACK and len(track) <= 60 else None


def _identifiers(said: Mapping[str, str], links: Iterable[str]) -> tuple[str, ...]:
    readers = {"doi": identity.doi, "arxiv": identity.arxiv, "openreview": identity.openreview}
    readers["id"] = identity.from_record_id
    found = [
        read_one(text)
        for role, read_one in readers.items()
        for name in COLUMNS[role]
        if (text := fields.short(said.get(name)))
    ]
    found += [identity.from_address(link) for link in links if fields.short(link)]
    return tuple(sorted({name for name in found if name}))
