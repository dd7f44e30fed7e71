"""A plain list of abstracts: a heading that names venue and year, then one paragraph a paper, no titles."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from bot.models import Refusal
from bot.sources.base import LISTED, NOTHING_SAID, Defaults, RawPaper
from bot.sources.lines import LONGEST_LINE, TextLine, text_lines

FEWEST_WORDS = 20
"""A paragraph with fewer words is no abstract."""

_MOST_HEADING_WORDS = 12
_UNWRAPPED = 300
"""Nobody wraps lines at this many characters: three such lines in a row are three paragraphs."""

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_LIST_WORDS = re.compile(
    r"\b(?:papers?|abstracts?|accepted|list|proceedings|publications?|posters?|orals?|spotlights?|track|main|conference|"
    r"of|the|at|from|in|all)\b",
    re.IGNORECASE,
)
_SAYS_LIST = re.compile(r"\b(?:papers|abstracts|proceedings|publications)\b", re.IGNORECASE)
_TRACK = re.compile(r"\b(oral|spotlight|poster)s?\b", re.IGNORECASE)
_HYPHENS = "-\u2010\u2011"

# First parts that keep their hyphen far more often than they are the first half of a divided word.
_KEEPS_HYPHEN = frozenset(
    {
        "self",
        "well",
        "high",
        "low",
        "large",
        "small",
        "long",
        "short",
        "state",
        "zero",
        "one",
        "two",
        "three",
        "few",
        "many",
        "end",
        "fine",
        "coarse",
        "real",
        "cross",
        "non",
        "multi",
        "data",
        "model",
        "task",
        "time",
        "human",
        "open",
        "closed",
        "hard",
        "soft",
        "fast",
        "slow",
        "deep",
        "domain",
        "class",
        "instance",
        "object",
        "pixel",
        "point",
        "image",
        "text",
        "vision",
        "language",
        "graph",
        "tree",
        "node",
        "edge",
        "top",
        "bottom",
        "left",
        "right",
        "full",
        "half",
        "best",
        "worst",
        "first",
        "second",
        "third",
        "in",
        "out",
        "off",
        "on",
        "all",
        "cost",
        "log",
        "so",
        "no",
        "then",
        "post",
        "pre",
        "semi",
        "ever",
    }
)


@dataclass(frozen=True, kw_only=True)
class Heading:
    """What a heading says of the papers below it."""

    venue: str | None = None
    year: int | None = None
    track: str | None = None


@dataclass
class _Block:
    """Lines between two blank ones."""

    lines: list[tuple[int, str]] = field(default_factory=list["tuple[int, str]"])
    size: int = 0
    why: str | None = None
    first: int = 0

    def add(self, line: TextLine) -> None:
        self.first = self.first or line.number
        text = line.text
        if text is None:
            self.why = f"The line is longer than {LONGEST_LINE // 1024**2} MiB."
        elif "\0" in text:
            self.why = "The paragraph holds a NUL byte."
        else:
            self.size += len(text)
        if self.size > LONGEST_LINE:
            self.why = f"The paragraph is longer than {LONGEST_LINE // 1024**2} MiB."
        if self.why is not None:
            self.lines.clear()
        elif text is not None:
            self.lines.append((line.number, text))


def recognises(head: bytes) -> bool:
    """Return whether some paragraph has words enough for an abstract."""
    return any(len(paragraph.split()) >= FEWEST_WORDS for paragraph in re.split(rb"\n\s*\n", head))


def read(parts: Iterable[bytes], defaults: Defaults = NOTHING_SAID) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper or a refusal for every paragraph but the headings; lines may be hard-wrapped.

    The defaults stand instead of what a heading says.
    """
    heading = Heading()
    for block in _blocks(text_lines(parts)):
        if block.why is not None:
            yield Refusal(where=f"line {block.first}", why=block.why)
            continue
        rows = block.lines
        found = _heading(rows)
        if found is not None:
            heading = found
            rows = rows[1:]
        for number, text in _paragraphs(rows):
            words = len(text.split())
            if words < FEWEST_WORDS and not _is_dense(text):
                plural = "word" if words == 1 else "words"
                yield Refusal(
                    where=f"line {number}", why=f"The paragraph is too short for an abstract ({words} {plural})."
                )
                continue
            yield _raw_paper(text, number, heading, defaults)


def parse_heading(line: str) -> Heading | None:
    """Return what a line says as a heading, or None when it is none.

    ``ICLR 2024 Papers`` gives venue and year; a short line with neither a year nor a word such as
    "papers" is no heading.
    """
    text = line.strip().strip("#*=_ \t").rstrip(":")
    years = _YEAR.findall(text)
    if not text or len(text.split()) > _MOST_HEADING_WORDS or text.endswith((".", ",", ";", "?", "!")):
        return None
    if not years and not _SAYS_LIST.search(text):
        return None
    track = _TRACK.search(text)
    venue = " ".join(_LIST_WORDS.sub(" ", _YEAR.sub(" ", text)).replace("'", " ").split()).strip(" -–—:,()[]")
    named = venue and len(venue.split()) <= 6 and (sum(letter.isupper() for letter in venue.split()[0]) >= 2 or years)
    return Heading(
        venue=venue if named else None, year=int(years[0]) if years else None, track=track[1].lower() if track else None
    )


def join_lines(lines: Iterable[str]) -> str:
    """Return wrapped lines as one, with words that were divided at a line's end put together.

    A hyphen stays where the paragraph itself spells the word with one, or where its first part is
    one that usually has one ("self-", "high-").
    """
    parts = [part for part in (" ".join(line.split()) for line in lines) if part]
    words = _Words(" ".join(parts).casefold())
    joined: list[str] = []
    for part in parts:
        last = joined[-1] if joined else ""
        if last.endswith("\u00ad"):
            joined[-1] = last[:-1]
        elif last[-1:] and last[-1] in _HYPHENS and last[-2:-1].isalnum():
            if not _keeps_hyphen(last, part, words):
                joined[-1] = last[:-1]
        elif joined:
            joined.append(" ")
        joined.append(part)
    return "".join(joined)


class _Words:
    """The words of a paragraph, whole and in pairs joined by a hyphen; made when first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text

    @cached_property
    def whole(self) -> frozenset[str]:
        return frozenset(re.findall(r"\w+", self._text))

    @cached_property
    def pairs(self) -> frozenset[str]:
        return frozenset(re.findall(r"\b(?=(\w+[-\u2010\u2011]\w+))", self._text))


def _keeps_hyphen(before: str, after: str, words: _Words) -> bool:
    first = re.split(r"[\s(\[{“\"'/]", before[-80:])[-1][:-1]
    second = re.match(r"\w{0,80}", after)
    rest = second[0] if second else ""
    if not rest or not rest[0].islower() or not first[-1:].islower() or any(hyphen in first for hyphen in _HYPHENS):
        return True
    if (first + rest).casefold() in words.whole:
        return False
    if any(f"{first}{hyphen}{rest}".casefold() in words.pairs for hyphen in _HYPHENS):
        return True
    return first.casefold() in _KEEPS_HYPHEN


def _blocks(lines: Iterable[TextLine]) -> Iterator[_Block]:
    block = _Block()
    for line in lines:
        if line.text is not None and not line.text.strip():
            if block.first:
                yield block
            block = _Block()
        else:
            block.add(line)
    if block.first:
        yield block


def _heading(rows: list[tuple[int, str]]) -> Heading | None:
    number, text = rows[0]
    heading = parse_heading(text)
    if heading is None:
        return None
    # A wrapped abstract may well begin with a short line; a heading over it says more than a year.
    return heading if len(rows) == 1 or number == 1 or _SAYS_LIST.search(text) else None


def _paragraphs(rows: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    if len(rows) >= 3 and all(len(text) >= _UNWRAPPED for _, text in rows):
        yield from ((number, join_lines([text])) for number, text in rows)
    elif rows:
        yield rows[0][0], join_lines(text for _, text in rows)


def _is_dense(text: str) -> bool:
    """Return whether the text is in a script without spaces and long enough."""
    return len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", text)) >= FEWEST_WORDS * 2


def _raw_paper(text: str, number: int, heading: Heading, defaults: Defaults) -> RawPaper:
    return RawPaper(
        abstract=text,
        venue=defaults.venue or heading.venue,
        year=defaults.year or heading.year,
        track=heading.track,
        trust=LISTED,
        where=f"line {number}",
        record={"abstract": text},
    )
