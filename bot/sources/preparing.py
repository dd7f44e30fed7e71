"""From a raw paper to a clean one, or to the reason why it is refused; everything here is pure."""

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from bot.models import Paper, Refusal
from bot.sources import identity
from bot.sources.base import RawPaper
from bot.sources.titling import made_title
from bot.text.clean import clean_text
from bot.text.latex import readable

_SURROGATE = re.compile("[\ud800-\udfff]")
_WITHDRAWN = re.compile(
    r"""
    \W* (?: (?:this\s+)? (?:paper|submission|article) \s+ )? (?: (?:has\ been|was|is) \s+ )?
        (?: withdrawn|retracted|removed|deleted )
        (?: \s+ (?: paper|submission|article|by\ (?:the\ )?authors? ) )? \W*
    | (?: withdrawn|retracted ) \s* : .*
    | \[ (?: withdrawn|retracted ) \] .*
    """,
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_NO_TITLE = frozenset({"", "untitled", "notitle", "title", "na", "none", "null", "tba", "tbd", "nan"})
_NO_TEXT = frozenset(
    {
        "",
        "noabstract",
        "noabstractavailable",
        "abstractnotavailable",
        "abstract",
        "na",
        "none",
        "null",
        "nan",
        "tba",
        "tbd",
    }
)
_MARKED_NUMBER = re.compile(r"\s+\d{4}$")


@dataclass(frozen=True, kw_only=True)
class PreparedPaper:
    """A paper ready to be recognised and stored.

    Attributes:
        paper: clean and readable; its ``id`` is 0.
        digest: of the record as it came and what the source said around it.
        record: the record as it came, as JSON text.
    """

    paper: Paper
    abstract_cut: bool
    fingerprint: identity.Fingerprint
    digest: str
    record: str


@dataclass(frozen=True, kw_only=True)
class Original:
    """A raw paper with its record as text and the digest that tells whether it was here before."""

    raw: RawPaper
    record: str
    digest: str


def original(raw: RawPaper) -> Original:
    """Return the record of a raw paper as it is kept."""
    # ASCII, since a record may hold half a surrogate pair, which SQLite refuses.
    record = json.dumps(raw.record, sort_keys=True, separators=(",", ":"), default=str)
    around = json.dumps([record, raw.venue, raw.year, raw.track])
    return Original(raw=raw, record=record, digest=hashlib.sha256(around.encode()).hexdigest())


def prepare(source: Original) -> PreparedPaper | Refusal:
    """Return the paper, clean, with what it is recognised by; or why it is refused."""
    raw = source.raw
    title = _clean(raw.title)
    if raw.title is not None and _bare(title) in _NO_TITLE:
        return Refusal(where=raw.where, why="Its title is blank.")
    if title and _WITHDRAWN.fullmatch(title):
        return Refusal(where=raw.where, why=f"It is withdrawn: its title is “{title[:60]}”.")
    abstract, synopsis = _text(raw.abstract), _text(raw.synopsis)
    text = abstract or synopsis
    if title is None and text is None:
        return Refusal(where=raw.where, why="It has neither a title nor an abstract.")
    fingerprint = identity.fingerprint(_well_formed(raw.abstract) if abstract else None)
    known_text = next((name for name in raw.identifiers if name.startswith("text:")), None)
    paper = Paper(
        id=0,
        title=title or made_title(text or ""),
        title_made=title is None,
        abstract=abstract,
        synopsis=synopsis,
        authors=_each(_MARKED_NUMBER.sub("", name) for name in raw.authors),
        keywords=_each(raw.keywords),
        aliases=_each(raw.aliases),
        venue=_clean(raw.venue),
        year=raw.year,
        track=_clean(raw.track),
        url=raw.url,
        published_on=raw.published_on,
        identifiers=identity.spellings(
            name for name in (*raw.identifiers, fingerprint.text_id) if name and name.isprintable()
        ),
    )
    return PreparedPaper(
        paper=paper,
        abstract_cut=raw.abstract_cut,
        fingerprint=identity.Fingerprint(
            text_id=fingerprint.text_id or known_text, sketch=fingerprint.sketch or raw.sketch
        ),
        digest=source.digest,
        record=source.record,
    )


def _each(values: Iterable[str]) -> tuple[str, ...]:
    cleaned = [_clean(value) for value in values]
    return tuple(dict.fromkeys(value for value in cleaned if value))


def _text(value: str | None) -> str | None:
    cleaned = _clean(value)
    return None if cleaned is None or _bare(cleaned) in _NO_TEXT else cleaned


def _clean(value: str | None) -> str | None:
    """Return the text, clean and readable, or None when nothing is left of it."""
    if not value:
        return None
    cleaned = readable(clean_text(_well_formed(value))).replace("\0", "").strip()
    return _well_formed(cleaned) or None


def _bare(value: str | None) -> str:
    return re.sub(r"[\W_]+", "", value or "").casefold()


def _well_formed(value: str | None) -> str:
    return _SURROGATE.sub("\ufffd", value or "")
