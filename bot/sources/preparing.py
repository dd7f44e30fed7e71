"""From a raw paper to a clean one, or to the reason why it is refused; everything here is pure."""

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter

from bot.models import Paper, Refusal
from bot.sources import identity
from bot.sources.base import RawPaper
from bot.sources.titling import made_title
from bot.store.packing import Original
from bot.store.papers import NewPaper, new_paper
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
_SAID = attrgetter(*(field.name for field in fields(RawPaper) if field.name not in {"where", "record"}))
# ASCII, since a record may hold half a surrogate pair, which SQLite refuses.
_RECORD = json.JSONEncoder(separators=(",", ":"), default=str)
_LONGEST_NO_TEXT = 60
_MARKED_NUMBER = re.compile(r"\s+\d{4}$")


@dataclass(frozen=True, kw_only=True)
class PreparedPaper:
    """A paper ready to be recognised and stored.

    Attributes:
        paper: clean and readable; its ``id`` is 0.
        abstract_cut: True where the source says that the abstract is not whole.
        runs: of its abstract; None where that is too short or unknown.
        bands: the numbers under which it is filed.
        digest: of what the source said about it (``digest``).
        original: the record as it came, as JSON text.
        new: what is stored if it is not in the library.
    """

    paper: Paper
    abstract_cut: bool
    runs: bytes | None
    bands: tuple[int, ...]
    digest: int
    original: str
    new: NewPaper


def digest(raw: RawPaper) -> int:
    """Return a number of 63 bits that tells whether a source has said just this before.

    Counters and dates of retrieval, which a record may hold besides, do not change it.
    """
    content = repr(_SAID(raw)).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big") >> 1


def prepare(
    found: Sequence[RawPaper | Refusal], *, source: str, digests: Sequence[int]
) -> list[PreparedPaper | Refusal]:
    """Return each paper, clean, with what it is recognised by, or why it is refused; refusals as they come.

    Args:
        found: records, in order; by the hundred they cost half of what they cost one by one.
        source: the name of where they come from.
        digests: ``digest`` of the raw papers among them, in order.
    """
    numbers = iter(digests)
    drafts = [one if isinstance(one, Refusal) else _draft(one, next(numbers)) for one in found]
    clean = [draft for draft in drafts if isinstance(draft, _Draft)]
    fingerprints = identity.fingerprints(_well_formed(one.raw.abstract) if one.abstract else None for one in clean)
    runs = [known.runs or one.raw.runs or b"" for one, known in zip(clean, fingerprints, strict=True)]
    filed = iter(identity.bands_of([one for one in runs if one]))
    prepared = (
        _prepared(one, known.text_id, of_it, next(filed) if of_it else (), source)
        for one, known, of_it in zip(clean, fingerprints, runs, strict=True)
    )
    return [draft if isinstance(draft, Refusal) else next(prepared) for draft in drafts]


def bands(paper: Paper, runs: bytes | None) -> tuple[int, ...]:
    """Return the numbers under which a paper is filed: those of its true titles, its people and its abstract."""
    return (*_own_bands(paper), *(identity.bands(runs) if runs else ()))


@dataclass(frozen=True, kw_only=True)
class _Draft:
    raw: RawPaper
    digest: int
    title: str | None
    abstract: str | None
    synopsis: str | None


def _draft(raw: RawPaper, number: int) -> _Draft | Refusal:
    title = _clean(raw.title)
    if raw.title is not None and _bare(title) in _NO_TITLE:
        return Refusal(where=raw.where, why="Its title is blank.")
    if title and _WITHDRAWN.fullmatch(title):
        return Refusal(where=raw.where, why=f"It is withdrawn: its title is “{title[:60]}”.")
    abstract, synopsis = _text(raw.abstract), _text(raw.synopsis)
    if title is None and abstract is None and synopsis is None:
        return Refusal(where=raw.where, why="It has neither a title nor an abstract.")
    return _Draft(raw=raw, digest=number, title=title, abstract=abstract, synopsis=synopsis)


def _prepared(
    draft: _Draft, text_id: str | None, runs: bytes, bands_of_text: tuple[int, ...], source: str
) -> PreparedPaper:
    raw = draft.raw
    paper = Paper(
        id=0,
        title=draft.title or made_title(draft.abstract or draft.synopsis or ""),
        title_made=draft.title is None,
        abstract=draft.abstract,
        synopsis=draft.synopsis,
        authors=_each(_MARKED_NUMBER.sub("", name) for name in raw.authors),
        keywords=_each(raw.keywords),
        aliases=_each(raw.aliases),
        venue=_clean(raw.venue),
        year=raw.year,
        track=_clean(raw.track),
        url=raw.url,
        published_on=raw.published_on,
        trust=raw.trust,
        identifiers=identity.spellings(name for name in (*raw.identifiers, text_id) if name and name.isprintable()),
    )
    original = _RECORD.encode(raw.record)
    return PreparedPaper(
        paper=paper,
        abstract_cut=raw.abstract_cut,
        runs=runs or None,
        bands=(*_own_bands(paper), *bands_of_text),
        digest=draft.digest,
        original=original,
        new=new_paper(paper, [Original(source=source, record=original)]),
    )


def _own_bands(paper: Paper) -> tuple[int, ...]:
    titles = paper.aliases if paper.title_made else (paper.title, *paper.aliases)
    people = identity.people_band(paper.authors)
    return (*map(identity.title_band, titles), *((people,) if people is not None else ()))


def _each(values: Iterable[str]) -> tuple[str, ...]:
    cleaned = [_clean(value) for value in values]
    return tuple(dict.fromkeys(value for value in cleaned if value))


def _text(value: str | None) -> str | None:
    cleaned = _clean(value)
    if cleaned is not None and len(cleaned) <= _LONGEST_NO_TEXT and _bare(cleaned) in _NO_TEXT:
        return None
    return cleaned


def _clean(value: str | None) -> str | None:
    """Return the text, clean and readable, or None when nothing is left of it."""
    if not value:
        return None
    cleaned = readable(clean_text(_well_formed(value))).replace("\0", "").strip()
    return _well_formed(cleaned) or None


def _bare(value: str | None) -> str:
    return re.sub(r"[\W_]+", "", value or "").casefold()


def _well_formed(value: str | None) -> str:
    value = value or ""
    return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
