"""Lists of papers in Markdown, such as the README files of collections."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import COLLECTED, NOTHING_SAID, Defaults, RawPaper
from bot.sources.lines import LONGEST_LINE, text_lines

_HEADING = re.compile(r" {0,3}#{1,6}\s")
_PAPER_SITE = re.compile(
    r"https?://(?:[\w-]+\.)*(?:arxiv\.org/(?:abs|pdf|html)/|openreview\.net/(?:forum|pdf)\?|aclanthology\.org/|doi\.org/10\.|"
    r"aclweb\.org/anthology|proceedings\.|papers\.nips\.cc/|semanticscholar\.org/paper/|dl\.acm\.org/doi/|"
    r"ieeexplore\.ieee\.org/|openaccess\.thecvf\.com/|jmlr\.org/papers|[\w./-]+\.pdf(?:[?#]|$))",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(
    r"<summary>\W*abstract\W*</summary>(.*?)</details>|^\s*[-*+]\s+\**abstract\**\s*:?\**\s*:?(.*?)(?=^\s*[-*+]\s|^\s*</|\Z)",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
_BARE_LINK = re.compile(r"https?://[^\s)>\]\"']+")
_NO_TITLE = re.compile(
    r"\W*(?:\[?(?:paper|pdf|link|arxiv|code|project|website|abs|html|slides|video|openreview)\]?\W*)+", re.IGNORECASE
)
_ITEMS = frozenset({"list_item_open", "tr_open", "paragraph_open"})
_VENUE_AND_YEAR = re.compile(r"\b([A-Z][A-Za-z]*[A-Z]+)[\s'’-]{1,3}((?:19|20)\d\d)\b")
_FEWEST_LINKS = 2
_MOST_IN_SECTION = 4 * LONGEST_LINE


@dataclass(frozen=True, kw_only=True)
class _Place:
    """Where and when the papers under a heading appeared, as far as it says."""

    venue: str | None = None
    year: int | None = None


@dataclass(frozen=True, kw_only=True)
class _Span:
    """A stretch of an item: a link's, a strong, an emphasised or a plain text."""

    kind: str
    text: str
    address: str = ""


def recognises(head: bytes) -> bool:
    """Return whether there are a heading and papers' links or abstracts under it."""
    text = head.decode("utf-8", "replace")
    has_heading = re.search(r"^ {0,3}#{1,6}\s", text, re.MULTILINE) is not None
    links = len(re.findall(r"\]\(" + _PAPER_SITE.pattern, text, re.IGNORECASE))
    return has_heading and (
        links >= _FEWEST_LINKS or re.search(r"^\s*[-*+]\s+\*\*Abstract", text, re.MULTILINE) is not None
    )


def read(parts: Iterable[bytes], defaults: Defaults = NOTHING_SAID) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper for every item that links to one, and for every heading with an abstract under it."""
    parser = MarkdownIt("commonmark").enable("table")
    place = _Place()
    for first, section in _sections(parts):
        if section is None:
            yield Refusal(where=f"line {first}", why=f"The section is longer than {_MOST_IN_SECTION // 1024**2} MiB.")
            continue
        title = ""
        if _HEADING.match(section[0]):
            title = _plain_heading(parser, section[0])
            place = _place(title) or place
        text = "\n".join(section)
        found = _ABSTRACT.search(text)
        if found and found[2] is not None and title:
            yield _of_section(
                title=title, text=text, abstract=found[2], where=f"line {first}", place=place, defaults=defaults
            )
            continue
        for number, spans, source in _items(parser.parse(text), section):
            paper = _of_item(spans, source, where=f"line {first + number}", place=place, defaults=defaults)
            if paper is not None:
                yield paper


def _sections(parts: Iterable[bytes]) -> Iterator[tuple[int, list[str] | None]]:
    """Yield the lines from one heading to the next, with the number of the first; None for too many."""
    held: list[str] = []
    first, size = 1, 0
    for line in text_lines(parts):
        text = line.text or ""
        if held and _HEADING.match(text):
            yield first, held if size <= _MOST_IN_SECTION else None
            held, size, first = [], 0, line.number
        size += _MOST_IN_SECTION + 1 if line.text is None else len(text) + 1
        held.append(text if size <= _MOST_IN_SECTION else "")
    if held:
        yield first, held if size <= _MOST_IN_SECTION else None


def _plain_heading(parser: MarkdownIt, line: str) -> str:
    tokens = parser.parse(line)
    spans = [span for token in tokens for span in _spans(token.children or ())]
    return " ".join("".join(span.text for span in spans).split())


def _place(heading: str) -> _Place | None:
    found = _VENUE_AND_YEAR.search(heading)
    return _Place(venue=found[1], year=int(found[2])) if found else None


def _items(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[tuple[int, list[_Span], str]]:
    """Yield each list item, table row and paragraph outside them: its line, its spans and its source."""
    position = 0
    while position < len(tokens):
        token = tokens[position]
        position += 1
        if token.type not in _ITEMS:
            continue
        spans: list[_Span] = []
        while position < len(tokens):
            inner = tokens[position]
            # A list inside an item has items of its own.
            if inner.type in {"list_item_open", "tr_close", "list_item_close"} or (
                token.type == "paragraph_open" and inner.type == "paragraph_close"
            ):
                break
            spans.extend(_spans(inner.children or ()))
            position += 1
        begin, end = token.map or (0, 0)
        yield begin, spans, "\n".join(lines[begin:end])


def _spans(tokens: Sequence[Token]) -> Iterator[_Span]:
    kinds: list[tuple[str, str]] = []
    for token in tokens:
        match token.type:
            case "link_open":
                kinds.append(("link", str(token.attrGet("href") or "")))
            case "strong_open" | "em_open":
                kinds.append((token.type.removesuffix("_open"), ""))
            case "link_close" | "strong_close" | "em_close":
                if kinds:
                    kinds.pop()
            case "softbreak" | "hardbreak":
                yield _Span(kind="break", text="\n")
            case "text" | "code_inline":
                link = next((address for kind, address in kinds if kind == "link"), "")
                yield _Span(
                    kind="link" if link else (kinds[-1][0] if kinds else "text"), text=token.content, address=link
                )
            case _:
                pass


def _of_section(*, title: str, text: str, abstract: str, where: str, place: _Place, defaults: Defaults) -> RawPaper:
    quote = " ".join(line.lstrip("> ") for line in text.split("\n") if line.startswith(">"))
    addresses = _BARE_LINK.findall(text)
    return _paper(
        title=title,
        abstract=abstract,
        synopsis=quote,
        addresses=addresses,
        where=where,
        place=place,
        defaults=defaults,
    )


def _of_item(spans: list[_Span], source: str, *, where: str, place: _Place, defaults: Defaults) -> RawPaper | None:
    addresses = list(dict.fromkeys(span.address for span in spans if _PAPER_SITE.match(span.address)))
    if not addresses:
        return None
    title = _title(spans)
    if title is None:
        return None
    people = next((span.text for span in spans if span.kind == "em" and ("," in span.text or " and " in span.text)), "")
    names = tuple(name for name in fields.names(people) if not re.fullmatch(r"et al\.?", name.strip(), re.IGNORECASE))
    found = _ABSTRACT.search(source)
    return _paper(
        title=title,
        abstract=(found[1] or "") if found else "",
        authors=names,
        addresses=addresses,
        where=where,
        place=place,
        defaults=defaults,
    )


def _title(spans: list[_Span]) -> str | None:
    """Return the text of a link to a paper, else what is strong, else what stands before the first link."""
    linked = _joined(spans, lambda span: span.kind == "link" and _PAPER_SITE.match(span.address) is not None)
    strong = _joined(spans, lambda span: span.kind == "strong")
    before = "".join(span.text for span in spans[: next(i for i, span in enumerate(spans) if span.address)])
    for candidate in (*linked, *strong, before):
        text = " ".join(candidate.split()).strip("[]()|:-–— *")
        if len(text.split()) >= 2 and not _NO_TITLE.fullmatch(text):
            return text
    return None


def _joined(spans: list[_Span], wanted: Callable[[_Span], bool]) -> list[str]:
    """Return the texts of runs of wanted spans."""
    runs: list[str] = []
    last = ""
    for span in spans:
        if not wanted(span):
            last = ""
        elif runs and last == (span.address or span.kind):
            runs[-1] += span.text
        else:
            runs.append(span.text)
            last = span.address or span.kind
    return runs


def _paper(
    *,
    title: str,
    abstract: str,
    synopsis: str = "",
    authors: tuple[str, ...] = (),
    addresses: Sequence[str],
    where: str,
    place: _Place,
    defaults: Defaults,
) -> RawPaper:
    found = {identity.from_address(address) for address in addresses if fields.short(address)}
    return RawPaper(
        title=title,
        abstract=abstract.strip() or None,
        synopsis=synopsis.strip() or None,
        authors=authors,
        venue=defaults.venue or place.venue,
        year=defaults.year or place.year,
        url=next((url for address in addresses if (url := fields.address(address))), None),
        identifiers=tuple(sorted(name for name in found if name)),
        trust=COLLECTED,
        where=where,
        record={
            "title": title,
            "abstract": abstract,
            "synopsis": synopsis,
            "authors": authors,
            "links": list(addresses),
        },
    )
