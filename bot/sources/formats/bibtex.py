"""BibTeX: the ACL Anthology, OpenReview, DBLP, and what reference managers write."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from bibtexparser.entrypoint import parse_string
from bibtexparser.model import Block, Entry, ParsingFailedBlock, String

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import NOTHING_SAID, Defaults, RawPaper
from bot.sources.formats.bibtex_values import MONTHS, addressed, people, resolved, unprotected
from bot.sources.lines import LONGEST_LINE, LONGEST_RECORD, TextLine, text_lines
from bot.sources.venues import short_venue

_BEGINS = re.compile(r"\s*@\w+[ \t]*[{(]")
_HEAD = re.compile(
    rb"[ \t]*@(?:(?:comment|preamble|string)[ \t]*[{(]"
    rb"|\w{1,40}[ \t]*[{(]\s*[^\s,{}()=\"]{0,300}\s*,\s*[\w-]{1,60}\s*=)",
    re.IGNORECASE,
)
_OTHER_MARKUP = (b"#", b"<", b"{", b"[", b"```", b"|")
_MOST_LINES_BEFORE = 20
_MOST_DEFINED = 4 * LONGEST_LINE
_LONGEST_DEFINITION = 64 * 1024
_VOLUMES = frozenset({"proceedings", "mvproceedings", "collection", "mvcollection", "periodical"})
_BOOKS = frozenset({"book", "mvbook"})
_VENUES = ("journal", "booktitle", "journaltitle", "eventtitle")
_ARXIV_NAMED = re.compile(r"\barxiv\s*:\s*(\S{7,40})", re.IGNORECASE)
_BROKEN = "The entry is broken: a brace, a quotation mark or a comma is missing."


@dataclass
class _Piece:
    """The lines from the beginning of an entry to that of the next."""

    first: int
    lines: list[str] = field(default_factory=list[str])
    size: int = 0
    why: str | None = None

    def add(self, line: TextLine) -> None:
        if line.text is None:
            self.why = f"One of its lines is longer than {LONGEST_LINE // 1024**2} MiB."
        else:
            self.size += len(line.text) + 1
        if self.size > LONGEST_RECORD:
            self.why = f"The entry is longer than {LONGEST_RECORD // 1024**2} MiB."
        if self.why is not None:
            self.lines.clear()
        elif line.text is not None:
            self.lines.append(line.text)


def recognises(head: bytes) -> bool:
    """Return whether an entry begins the content, after comments at most."""
    for number, line in enumerate(head.split(b"\n", _MOST_LINES_BEFORE + 1)[:_MOST_LINES_BEFORE]):
        if line.lstrip()[:1] == b"@":
            after = head.split(b"\n", number)[-1]
            return _HEAD.match(after) is not None
        if line.lstrip().startswith(_OTHER_MARKUP) or len(line) > 500:
            return False
    return False


def read(parts: Iterable[bytes], defaults: Defaults = NOTHING_SAID) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper or a refusal for every entry; comments and definitions are none."""
    # The parser's warnings quote what it could not read, and every one of them is a refusal here.
    logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
    defined = dict(MONTHS)
    size = 0
    for piece in _pieces(text_lines(parts)):
        if piece.why is not None:
            yield Refusal(where=f"line {piece.first}", why=piece.why)
            continue
        for block in _blocks(piece):
            where = f"line {piece.first + (block.start_line or 0)}"
            if isinstance(block, Entry):
                yield _read(block, defined, where, defaults)
            elif isinstance(block, String):
                value = resolved(block.value, defined, _LONGEST_DEFINITION)
                size += len(block.key) + len(value or "")
                if value is not None and size <= _MOST_DEFINED:
                    defined[block.key.lower()] = value
            elif isinstance(block, ParsingFailedBlock) and not _is_comment(block):
                yield Refusal(where=where, why=_BROKEN)


def _pieces(lines: Iterable[TextLine]) -> Iterator[_Piece]:
    """Yield what begins with an entry; every entry is parsed by itself, so that a broken one spoils no other."""
    piece: _Piece | None = None
    for line in lines:
        begins = line.text is not None and _BEGINS.match(line.text) is not None
        if begins and piece is not None:
            yield piece
            piece = None
        if piece is None and (begins or line.text is None or "@" in line.text):
            piece = _Piece(first=line.number)
        if piece is not None:
            piece.add(line)
    if piece is not None:
        yield piece


def _blocks(piece: _Piece) -> Iterator[Block]:
    try:
        library = parse_string("\n".join(piece.lines), parse_stack=[])
    except Exception as error:  # noqa: BLE001 - the parser raises whatever comes to it over garbage
        yield ParsingFailedBlock(error=error, start_line=0)
        return
    for block in library.blocks:
        # A key or a field that comes twice is no reason to lose a paper.
        inner = block.ignore_error_block if isinstance(block, ParsingFailedBlock) else None
        while isinstance(inner, ParsingFailedBlock):
            inner = inner.ignore_error_block
        yield inner or block


def _is_comment(block: ParsingFailedBlock) -> bool:
    return (block.raw or "").lstrip()[:8].lower() in {"@comment", "@preambl"}


def _read(entry: Entry, defined: Mapping[str, str], where: str, defaults: Defaults) -> RawPaper | Refusal:
    kind, key = entry.entry_type.lower(), " ".join(entry.key.split())[:100]
    where = f"{where}, entry {key}" if key else where
    said: dict[str, str] = {}
    for one in entry.fields:
        value = resolved(str(one.value), defined, LONGEST_LINE)
        if value is None:
            return Refusal(where=where, why=f"One of its fields is longer than {LONGEST_LINE // 1024**2} MiB.")
        # Of a field that comes twice, BibTeX takes the first.
        said.setdefault(one.key.lower(), value)
    authors = people(said.get("author", ""))
    if kind in _VOLUMES or (kind in _BOOKS and not authors):
        return Refusal(where=where, why="It is a whole volume, not a paper.")
    note = said.get("note", "")
    refused = fields.refused_status(note) if len(note) <= 40 else None
    if refused:
        return Refusal(where=where, why=refused)
    title, abstract = (fields.text(unprotected(said.get(name, ""))) for name in ("title", "abstract"))
    if title is None and abstract is None:
        return Refusal(where=where, why="It has neither a title nor an abstract.")
    venue = next((name for name in _VENUES if said.get(name)), None)
    identifiers = _identifiers(said)
    return RawPaper(
        title=title,
        abstract=abstract,
        authors=authors,
        keywords=fields.texts(unprotected(said.get("keywords") or said.get("keyword", "")), r"[;,]"),
        venue=short_venue(unprotected(said[venue]) if venue else _archive(said)) or defaults.venue,
        year=fields.year(said.get("year")) or fields.year(said.get("date")) or defaults.year,
        url=fields.address(addressed(said.get("url", ""))),
        published_on=fields.date(said.get("date")),
        identifiers=identifiers,
        where=where,
        record={"type": kind, "key": key, **said},
    )


def _archive(said: Mapping[str, str]) -> str | None:
    """Return the archive where a preprint is, for want of a journal."""
    names = (said.get("archiveprefix"), said.get("eprinttype"), said.get("publisher"), said.get("howpublished"))
    return "arXiv" if any((name or "").strip().lower().startswith("arxiv") for name in names) else None


def _identifiers(said: Mapping[str, str]) -> tuple[str, ...]:
    archive = (said.get("archiveprefix") or said.get("eprinttype") or "arxiv").strip().lower()
    eprint = said.get("eprint", "") if archive == "arxiv" else ""
    named = _ARXIV_NAMED.search(said.get("journal", "")[:500])
    found = [
        identity.doi(fields.short(addressed(said.get("doi", ""))) or ""),
        identity.arxiv(fields.short(eprint) or ""),
        # DBLP writes the number of a preprint as the volume of its journal: "abs/2401.00001".
        identity.arxiv((fields.short(said.get("volume")) or "").removeprefix("abs/")),
        identity.arxiv(named[1].rstrip(".,;")) if named else None,
        *(
            identity.from_address(fields.short(addressed(said.get(name, ""))) or "")
            for name in ("url", "ee", "pdf", "link", "html", "howpublished")
        ),
    ]
    return tuple(sorted({name for name in found if name}))
