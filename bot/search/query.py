"""What a person typed, taken apart: words, phrases, exclusions, filters, identifiers.

The language: ``word``, ``"a phrase"``, ``-word``, ``author:``, ``keyword:``, ``venue:``, ``track:``, ``year:2023``
or ``year:2023..2024``, ``id:``; a value of several words stands in quotes. Whatever is not of this language is words.
"""

import re
import unicodedata
from dataclasses import dataclass, field, replace
from urllib.parse import unquote

from bot.errors import InvalidInput
from bot.text.words import words

MOST_CHARACTERS = 300
MOST_WORDS = 40

_NUMBER = re.compile(r"\s*#(\d{1,18})\s*", re.ASCII)
_PIECE = re.compile(
    r"(?:^|(?<=\s))(?:(?P<minus>-)|(?P<field>author|keyword|venue|track|year|id):)?"
    r'(?:"(?P<phrase>[^"]+)"(?=\s|$)|(?P<plain>\S+))',
    re.IGNORECASE,
)
_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
_YEARS = re.compile(r"(\d{4})(?:(?:\.\.|-|–)(\d{4})?)?", re.ASCII)

_ADDRESS = re.compile(
    r"\s*<?(?:https?://|www\.|(?:[\w-]+\.)*(?:arxiv|openreview|doi|aclanthology)\.(?:org|net)/)\S+\s*", re.IGNORECASE
)
_OPENREVIEW_ADDRESS = re.compile(r"openreview\.net/\S*?[?&](?:id|noteId)=([\w-]+)", re.ASCII | re.IGNORECASE)
_ARXIV_ADDRESS = re.compile(r"arxiv\.org/(?:abs|pdf|html|format|ps|e-print|src)/([^\s?#>]+)", re.IGNORECASE)
_ACL_ADDRESS = re.compile(r"aclanthology\.org/([A-Za-z\d][\w.-]*?)(?:\.pdf|/)?[\s>]*$", re.ASCII | re.IGNORECASE)
_ARXIV_NEW = re.compile(r"(?:arxiv\s*:\s*)?(\d{4}\.\d{4,5})(?:v\d+)?(?:\.pdf)?", re.ASCII | re.IGNORECASE)
_ARXIV_OLD = re.compile(
    r"(?:arxiv\s*:\s*)?([a-z-]+)(\.[a-z-]{2,})?(/\d{7})(?:v\d+)?(?:\.pdf)?", re.ASCII | re.IGNORECASE
)
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/[^\s>]+", re.ASCII)
_DOI_OF_ARXIV = re.compile(r"10\.48550/arxiv\.(\S+)", re.IGNORECASE)
_OPENREVIEW = re.compile(r"(?:forum\?id=)?([\w-]{8,14})", re.ASCII)
_NAMED = re.compile(r"[a-z][\w.-]*:\S+", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, kw_only=True)
class Query:
    """A query in parts.

    Attributes:
        text: what was typed, at most ``MOST_CHARACTERS`` of it.
        words: folded, in the order typed, at most ``MOST_WORDS``; those of phrases are not among them.
        years: first and last, both included.
        identifiers: what ``text`` may be an identifier of, as identifiers are stored; most likely first.
        only_identifier: whether it makes no sense as words: an address, an arXiv id, a DOI, ``id:``.
    """

    text: str
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()
    tracks: tuple[str, ...] = ()
    years: tuple[int, int] | None = None
    identifiers: tuple[str, ...] = ()
    only_identifier: bool = False

    @property
    def everything_wanted(self) -> tuple[str, ...]:
        """The folded words of every part that a paper should have, for marking and ranking."""
        parts = (*self.phrases, *self.authors, *self.keywords)
        return (*self.words, *(word for part in parts for word in words(part)))


@dataclass
class _Parts:
    words: list[str] = field(default_factory=list[str])
    phrases: list[str] = field(default_factory=list[str])
    excluded: list[str] = field(default_factory=list[str])
    authors: list[str] = field(default_factory=list[str])
    keywords: list[str] = field(default_factory=list[str])
    venues: list[str] = field(default_factory=list[str])
    tracks: list[str] = field(default_factory=list[str])
    years: tuple[int, int] | None = None
    identifier: str = ""


def clip(text: str) -> str:
    """Return the part of a text that counts: composed (NFC), without control characters, not too long."""
    plain = "".join(" " if unicodedata.category(one) in {"Cc", "Cs"} else one for one in text[: 4 * MOST_CHARACTERS])
    return unicodedata.normalize("NFC", plain).strip()[:MOST_CHARACTERS]


def parse(text: str) -> Query:
    """Return the parts of what was typed.

    Raises:
        InvalidInput: there is no letter and no digit in it.
    """
    text = clip(text)
    if not words(text):
        raise InvalidInput("Give at least one word to search for.")
    names, certain = identifiers(text)
    if certain:
        return Query(text=text, identifiers=names, only_identifier=True)
    parts = _Parts()
    for piece in _PIECE.finditer(text.translate(_QUOTES)):
        _sort_in(parts, piece)
    if parts.identifier:
        names, _ = identifiers(parts.identifier)
        return Query(text=text, identifiers=(*names, parts.identifier), only_identifier=True)
    return Query(
        text=text,
        words=tuple(parts.words[:MOST_WORDS]),
        phrases=tuple(parts.phrases),
        excluded=tuple(parts.excluded),
        authors=tuple(parts.authors),
        keywords=tuple(parts.keywords),
        venues=tuple(parts.venues),
        tracks=tuple(parts.tracks),
        years=parts.years,
        identifiers=names,
    )


def number(text: str) -> int | None:
    """Return the number in the library that ``#12`` stands for; None for any other text."""
    found = _NUMBER.fullmatch(text)
    return int(found[1]) if found else None


def with_conditions(text: str, **conditions: str | None) -> str:
    """Return the query with conditions added to what was typed: ``author="Li Wei"`` as ``author:"Li Wei"``.

    Conditions that are None or blank are left out.

    Raises:
        InvalidInput: ``year`` is neither a year nor a span of years.
    """
    year = (conditions.get("year") or "").strip()
    if year and not _years(year):
        raise InvalidInput(f"“{year}” is no year. Give one such as 2023, or a span such as 2022..2024.")
    added = (
        f'{name}:"{plain}"'
        for name, value in conditions.items()
        if value and (plain := " ".join(value.translate(_QUOTES).replace('"', " ").split()))
    )
    return " ".join([text, *added])


def as_words(query: Query) -> Query:
    """Return the query with nothing but the words of its text: for what only looked like the language."""
    return replace(Query(text=query.text), words=tuple(words(query.text)[:MOST_WORDS]))


def identifiers(text: str) -> tuple[tuple[str, ...], bool]:
    """Return the identifiers that a text may stand for, and whether it can be nothing else."""
    text = unquote(text.strip().strip("<>"))
    found = _OPENREVIEW_ADDRESS.search(text)
    if found:
        return (f"openreview:{found[1]}",), True
    found = _ARXIV_ADDRESS.search(text)
    arxiv = _arxiv(found[1].rstrip("/") if found else text)
    if arxiv:
        return arxiv, True
    found = _DOI.search(text)
    if found and (_ADDRESS.fullmatch(text) or re.fullmatch(r"(?:doi\s*:\s*)?10\.\S+", text, re.IGNORECASE)):
        bare = found[0].rstrip(".,;)>]\"'").lower()
        of_arxiv = _DOI_OF_ARXIV.fullmatch(bare)
        return (_arxiv(of_arxiv[1]) if of_arxiv else ()) or (f"doi:{bare}",), True
    found = _ACL_ADDRESS.search(text)
    if found:
        return (f"acl:{found[1]}",), True
    if _ADDRESS.fullmatch(text):
        return (), True
    bare = _OPENREVIEW.fullmatch(text)
    if bare:
        return (f"openreview:{bare[1]}",), "?" in text
    if _NAMED.fullmatch(text) and not _PIECE_IS_FIELD.match(text):
        scheme, _, value = text.partition(":")
        return (f"{scheme.lower()}:{value}",), False
    # An Anthology id (P19-1001, 2020.acl-main.1) can be told from a word only by looking.
    return ((f"acl:{text}",) if re.fullmatch(r"[A-Z]\d{2}-\d{4}|\d{4}\.[\w-]+\.\d+", text, re.ASCII) else ()), False


_PIECE_IS_FIELD = re.compile(r"(?:author|keyword|venue|track|year|id):", re.IGNORECASE)


def _arxiv(text: str) -> tuple[str, ...]:
    text = text.strip()
    new = _ARXIV_NEW.fullmatch(text)
    if new:
        return (f"arxiv:{new[1]}",)
    old = _ARXIV_OLD.fullmatch(text)
    if not old:
        return ()
    archive, subject, number = old[1].lower(), (old[2] or "").upper(), old[3]
    return tuple(dict.fromkeys((f"arxiv:{archive}{subject}{number}", f"arxiv:{archive}{number}")))


def _sort_in(parts: _Parts, piece: re.Match[str]) -> None:
    value = piece["phrase"] or piece["plain"]
    spoken = words(value)
    if not spoken:
        return
    name = (piece["field"] or "").lower()
    years = _years(value) if name == "year" else None
    if piece["minus"]:
        parts.excluded.append(value)
    elif name == "author":
        parts.authors.append(value)
    elif name == "keyword":
        parts.keywords.append(value)
    elif name == "venue":
        parts.venues.append(value)
    elif name == "track":
        parts.tracks.append(value)
    elif years:
        parts.years = years
    elif name == "id":
        parts.identifier = value
    elif piece["phrase"]:
        parts.phrases.append(value)
    else:
        parts.words.extend([*words(name), *spoken])


def _years(value: str) -> tuple[int, int] | None:
    found = _YEARS.fullmatch(value)
    if not found:
        return None
    first = int(found[1])
    last = int(found[2]) if found[2] else first if found[0] == found[1] else 9999
    return min(first, last), max(first, last)
