"""By what a paper is recognised: its identifiers, its title, the words of its abstract.

The sketch is a MinHash (Broder 1997) over hashed runs of four words: the share of equal values in
two sketches estimates the share of runs that two texts have in common. Sketches are kept in files and
must come out the same on every machine and Python, so nothing here uses the built-in ``hash``.
"""

import hashlib
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

SAME_TEXT = 0.6
"""Two abstracts whose estimated resemblance is at least this are one."""

ATTACHED_TEXT = 0.5
"""The same, where one of them comes without a title: abstracts of 127 words and more, one sentence of
any kind left out, resemble the whole by 0.56 and more; of 450 million pairs of different papers
whose abstracts were compared, four resembled each other by 0.5 and more, all of the same authors."""

_FEWEST_WORDS_FOR_ID = 25
_FEWEST_WORDS_FOR_SKETCH = 40
_GRAM = 4
_VALUES = 64
# Two values a band: two texts of resemblance 0.5 meet in one of 32 bands with probability 0.9999, and
# the few that meet by chance are told apart by their whole sketches.
_BANDS, _ROWS = 32, 2

# TeX commands that are words of their own in the readable form of a formula.
_WORD_COMMANDS = frozenset(
    (
        "log",
        "ln",
        "exp",
        "max",
        "min",
        "sup",
        "inf",
        "lim",
        "sin",
        "cos",
        "tan",
        "det",
        "dim",
        "ker",
        "arg",
        "argmax",
        "argmin",
        "gcd",
    )
)
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_ACCENT = re.compile(r"\\[^A-Za-z\s]")
_HYPHENATION = re.compile(r"(?<=\w)[-\u2010\u2011\u00ad\u0002]\s*(?=\w)")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{3,}")
_NOT_LETTERS = re.compile(r"[\W_\u0370-\u03ff]+")

_OPENREVIEW_URL = re.compile(
    r"openreview\.net/(?:forum|pdf|attachment|revisions|references)\S*?[?&]id=([\w-]+)", re.ASCII | re.IGNORECASE
)
_OPENREVIEW_ID = re.compile(r"(?:forum\?id=)?([\w-]{8,14})", re.ASCII)
_ARXIV_URL = re.compile(r"arxiv\.org/(?:abs|pdf|html|format|ps|e-print|src)/(\S+)", re.IGNORECASE)
_ARXIV_NEW = re.compile(r"(\d{2}(?:0[1-9]|1[0-2])\.\d{4,5})(v\d+)?", re.ASCII)
_ARXIV_OLD = re.compile(
    r"([a-z][a-z-]*(?:\.[a-z][a-z-]+)?/\d{2}(?:0[1-9]|1[0-2])\d{3})(v\d+)?", re.IGNORECASE | re.ASCII
)
_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+", re.ASCII)
_DOI_OF_ARXIV = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_ACL_URL = re.compile(
    r"(?:aclanthology\.org|aclweb\.org/anthology(?:/papers)?(?:/[A-Z]/[A-Z]\d\d)?)/([A-Z]\d{2}-\d{4}|\d{4}\.[\w-]+\.\d+)",
    re.ASCII,
)
_ACL_ID = re.compile(r"[A-Z]\d{2}-\d{4}|\d{4}\.[a-z\d_]+-[a-z\d_]+\.\d+", re.ASCII)
_OTHER_ID = re.compile(r"[a-z][a-z]{2,}[\w.-]*:[\w.%/-]+", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Fingerprint:
    """What is kept of a text so that it is known again; both None for a text that is too short.

    Attributes:
        text_id: ``text:`` and a hash of the letters and digits, of their order and nothing else.
        sketch: 64 values of 32 bits, big-endian.
    """

    text_id: str | None = None
    sketch: bytes | None = None


NO_FINGERPRINT = Fingerprint()


def arxiv(text: str) -> str | None:
    """Return ``arxiv:`` and the bare id, without its version, from an id or an address in any spelling."""
    text = _found(_ARXIV_URL, text) or text
    text = re.sub(r"^\s*arxiv\s*:\s*", "", text.strip(), flags=re.IGNORECASE)
    text = re.sub(r"(?:\.pdf)?(?:[?#].*)?$", "", text, flags=re.IGNORECASE).rstrip("/")
    new = _ARXIV_NEW.fullmatch(text)
    if new:
        return f"arxiv:{new[1]}"
    old = _ARXIV_OLD.fullmatch(text)
    if old:
        archive, _, subject = old[1].partition("/")[0].partition(".")
        return f"arxiv:{archive.lower()}{'.' if subject else ''}{subject.upper()}/{old[1].partition('/')[2]}"
    return None


def spellings(names: Iterable[str]) -> tuple[str, ...]:
    """Return the identifiers, each once, sorted, and with them the other spellings they go by.

    The subject class of an old arXiv id is a comment: ``math.GT/0309136`` is ``math/0309136`` (arXiv,
    Understanding the arXiv identifier), and lists hold both.
    """
    names = list(names)
    classless = [re.sub(r"^(arxiv:[a-z-]+)\.[A-Z-]+/", r"\1/", name) for name in names]
    return tuple(sorted({*names, *classless}))


def doi(text: str) -> str | None:
    """Return ``doi:`` and the DOI in lower case, from a DOI or an address; one of arXiv's gives ``arxiv:``."""
    found = _DOI.search(unquote(text.strip()))
    if not found:
        return None
    bare = found[0].rstrip(".,;)>]\"'").lower()
    of_arxiv = _DOI_OF_ARXIV.fullmatch(bare)
    if of_arxiv:
        return arxiv(of_arxiv[1])
    return f"doi:{bare}"


def openreview(text: str) -> str | None:
    """Return ``openreview:`` and the forum's id, from an id or an address."""
    found = _found(_OPENREVIEW_URL, text)
    if found:
        return f"openreview:{found}"
    bare = _OPENREVIEW_ID.fullmatch(text.strip())
    return f"openreview:{bare[1]}" if bare else None


def acl(text: str) -> str | None:
    """Return ``acl:`` and the Anthology's id, from an id or an address."""
    found = _found(_ACL_URL, text)
    if found:
        return f"acl:{found}"
    return f"acl:{text.strip()}" if _ACL_ID.fullmatch(text.strip()) else None


def from_address(url: str) -> str | None:
    """Return the identifier that a web address of a known site stands for, if any."""
    if _OPENREVIEW_URL.search(url):
        return openreview(url)
    if _ARXIV_URL.search(url):
        return arxiv(url)
    if _ACL_URL.search(url):
        return acl(url)
    return doi(url) if "doi.org/" in url.lower() else None


def from_record_id(text: str) -> str | None:
    """Return the identifier for a record's own ``id``, or None when it is no more than a local number.

    An id of a scheme that is not known here, such as ``nips2018:11849``, is kept as it stands.
    """
    text = text.strip()
    scheme, _, rest = text.partition(":")
    by_scheme = {"openreview": openreview, "arxiv": arxiv, "doi": doi, "acl": acl}.get(scheme.lower())
    if by_scheme is not None:
        return by_scheme(rest)
    known = from_address(text) or arxiv(text) or acl(text)
    if known is None and text.lower().startswith("10."):
        known = doi(text)
    if known is not None:
        return known
    if text.startswith("forum?id=") or (_OPENREVIEW_ID.fullmatch(text) and _is_mixed(text)):
        return openreview(text)
    if _OTHER_ID.fullmatch(text) and scheme.lower() not in {"text", "title", "paper", "line", "row", "http", "https"}:
        return f"{scheme.lower()}:{rest}"
    return None


def letters(text: str) -> str:
    """Return the letters and digits of ``text`` alone, folded: case, accents, TeX, spaces, hyphens are gone.

    Greek letters go too, since TeX spells them out; so do the names of TeX commands.
    """
    return _NOT_LETTERS.sub("", _plain(text))


def title_key(title: str) -> str:
    """Return what two spellings of one title have in common; may be empty."""
    return letters(title) or "".join(title.split()).casefold()


def fingerprint(text: str | None) -> Fingerprint:
    """Return what the text is known by; costs about 0.3 ms for an abstract."""
    if not text:
        return NO_FINGERPRINT
    plain = _plain(text)
    words = _WORD.findall(_HYPHENATION.sub("", plain))
    text_id = f"text:{_digest(_NOT_LETTERS.sub('', plain), 16).hex()}" if len(words) >= _FEWEST_WORDS_FOR_ID else None
    sketch = _sketch(words) if len(words) >= _FEWEST_WORDS_FOR_SKETCH else None
    return Fingerprint(text_id=text_id, sketch=sketch)


def resemblance(one: bytes, other: bytes) -> float:
    """Return the estimated share, 0..1, of runs of words that two sketched texts have in common."""
    return float(np.count_nonzero(_values(one) == _values(other))) / _VALUES


def bands(sketch: bytes) -> list[int]:
    """Return the numbers under which a sketch is filed: texts that resemble each other share one or more."""
    width = _ROWS * 4
    return [_number(b"band%d:" % band + sketch[band * width : (band + 1) * width]) for band in range(_BANDS)]


def title_band(title: str) -> int:
    """Return the number under which a title is filed; other titles have others."""
    return _number(b"title:" + title_key(title).encode("utf-8", "replace"))


def _is_mixed(text: str) -> bool:
    return bool(re.search(r"[a-z]", text) and re.search(r"[A-Z]", text) and re.search(r"\d|[A-Z].*[A-Z]", text))


def _found(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found[1] if found else None


def _plain(text: str) -> str:
    text = _ENVIRONMENT.sub(" ", unescape(text)) if "\\" in text or "&" in text else text
    if "\\" in text:
        text = _ACCENT.sub("", _COMMAND.sub(_command, text))
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    if decomposed.isascii():
        return decomposed
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _command(found: re.Match[str]) -> str:
    name = found[1]
    if name == "ell":
        return "l"
    return f" {name} " if name in _WORD_COMMANDS else " "


def _digest(text: str, size: int) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=size).digest()


def _number(content: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "big") >> 1


def _values(sketch: bytes) -> NDArray[np.uint32]:
    return np.frombuffer(sketch, dtype=">u4")


def _seeds(purpose: str) -> NDArray[np.uint64]:
    seeds = [int.from_bytes(_digest(f"paper round, sketch, {purpose} {n}", 8), "big") | 1 for n in range(_VALUES)]
    return np.array(seeds, dtype=np.uint64)[:, None]


_FACTORS, _TERMS = _seeds("factor"), _seeds("term")


def _sketch(words: list[str]) -> bytes:
    grams = {" ".join(words[start : start + _GRAM]) for start in range(len(words) - _GRAM + 1)}
    hashed = np.array([int.from_bytes(_digest(gram, 8), "big") for gram in grams], dtype=np.uint64)
    # Multiply-shift (Dietzfelbinger et al. 1997): arithmetic modulo 2**64, of which the upper half is kept.
    mixed = (_FACTORS * hashed[None, :] + _TERMS) >> np.uint64(32)
    return mixed.min(axis=1).astype(">u4").tobytes()
