"""By what a paper is recognised: its identifiers, its title, the words of its abstract.

A text is known by its runs of four words, each hashed to 32 bits: the resemblance of two texts is the share of
runs that they have in common. A MinHash of them (Broder 1997), cut into bands, finds texts that are worth comparing.
Runs and bands are kept in files and must come out the same on every machine and Python, so nothing here uses the
built-in ``hash``.
"""

import hashlib
import itertools
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import unescape
from urllib.parse import unquote
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

SAME_TEXT = 0.6
"""Two abstracts whose resemblance is at least this are one."""

ATTACHED_TEXT = 0.5
"""The same, where one of them comes without a title: abstracts of 127 words and more, one sentence of
any kind left out, resemble the whole by 0.56 and more; of 450 million pairs of different papers
whose abstracts were compared, four resembled each other by 0.5 and more, all of the same authors."""

_FEWEST_WORDS_FOR_ID = 25
_FEWEST_WORDS_FOR_RUNS = 40
_RUN = 4
VERSION = 3
"""Grows when runs or bands come out otherwise for the same text."""

# Two values a band: two texts of resemblance 0.5 meet in one of 12 bands with probability 0.968, of 0.6 with 0.995,
# of 0.8 with 0.99999.
_BANDS, _ROWS = 12, 2
_MOST_RUNS = 4096

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
_HYPHENATION = re.compile(r"[-\u2010\u2011\u00ad\u0002]\s*(?=\w)")
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\d_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{3,}")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_ASCII_HYPHENATION = re.compile(r"-\s+(?=\w)")
_ASCII_SPACED = bytes(code if chr(code).isalpha() and code < 128 else 32 for code in range(256))
_PLAIN_NAME = re.compile(r"[a-z ]*")
_NOT_OF_NAMES = re.compile(r"[^\w\s,]|[\d_]")
_NOT_LETTERS = re.compile(r"[\W_\u0370-\u03ff]+")
_ASCII_BUT_LETTERS = bytes(code for code in range(128) if not chr(code).isalnum())

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
    """What a text is known by; both None for a text that is too short.

    Attributes:
        text_id: ``text:`` and a hash of the letters and digits, of their order and nothing else.
        runs: the hashes of its runs of words, ascending, each once, 4 bytes each, big-endian.
    """

    text_id: str | None = None
    runs: bytes | None = None


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
    return _letters(_plain(text))


def title_key(title: str) -> str:
    """Return what two spellings of one title have in common; may be empty."""
    return letters(title) or "".join(title.split()).casefold()


def fingerprint(text: str | None) -> Fingerprint:
    """Return what the text is known by."""
    return fingerprints([text])[0]


def fingerprints(texts: Iterable[str | None]) -> list[Fingerprint]:
    """Return what each text is known by, in order; in hundreds, 0.05 ms for an abstract."""
    text_ids: list[str | None] = []
    long_texts: list[list[bytes]] = []
    places: list[int] = []
    for place, text in enumerate(texts):
        plain = _plain(text) if text else ""
        words = _words(plain)
        text_ids.append(f"text:{_digest(_letters(plain), 8).hex()}" if len(words) >= _FEWEST_WORDS_FOR_ID else None)
        if len(words) >= _FEWEST_WORDS_FOR_RUNS:
            long_texts.append(words[:_MOST_RUNS])
            places.append(place)
    runs = dict(zip(places, _runs(long_texts), strict=True))
    return [Fingerprint(text_id=text_id, runs=runs.get(place)) for place, text_id in enumerate(text_ids)]


def resemblance(one: bytes, other: bytes) -> float:
    """Return the share, 0..1, of the runs of two texts that both have."""
    mine, theirs = _values(one), _values(other)
    common = np.intersect1d(mine, theirs, assume_unique=True).size
    return common / (mine.size + theirs.size - common)


def bands(runs: bytes) -> tuple[int, ...]:
    """Return the numbers of 31 bits under which a text is filed: texts that resemble each other share some."""
    return bands_of([runs])[0]


def bands_of(texts: Sequence[bytes]) -> list[tuple[int, ...]]:
    """Return the same for the runs of many texts, none of them empty, in order."""
    if not texts:
        return []
    values = _values(b"".join(texts))
    ends = np.cumsum([len(runs) // 4 for runs in texts])
    starts = np.concatenate(([0], ends[:-1]))
    # Each permutation by itself: all at once do not fit into the processor's cache.
    least = [np.minimum.reduceat(values * factor + term, starts) for factor, term in zip(_FACTORS, _TERMS, strict=True)]
    content = np.array(least).T.astype(">u4").tobytes()
    width = _ROWS * 4
    filed = [
        crc32(content[start : start + width], band) >> 1
        for start, band in zip(range(0, len(content), width), itertools.cycle(range(_BANDS)), strict=False)
    ]
    return [tuple(filed[start : start + _BANDS]) for start in range(0, len(filed), _BANDS)]


def title_band(title: str) -> int:
    """Return the number of 31 bits under which a title is filed; other titles hardly ever share it."""
    return crc32(title_key(title).encode("utf-8", "replace"), _BANDS) >> 1


def folded(name: str) -> str:
    """Return a name in small letters, without accents, points and numbers."""
    plain = name.lower() if name.isascii() else unicodedata.normalize("NFKD", name).casefold()
    return " ".join((plain if _PLAIN_NAME.fullmatch(plain) else _NOT_OF_NAMES.sub("", plain)).split())


def surname(name: str) -> str:
    """Return the last name alone, folded; of "Lovelace, Ada" what stands before the comma."""
    name = folded(name)
    before, comma, _ = name.partition(",")
    words = (before if comma else name).split()
    while len(words) > 1 and words[-1] in {"jr", "sr", "ii", "iii", "iv"}:
        words.pop()
    return words[-1] if words else ""


def people_key(names: Iterable[str]) -> str:
    """Return what two lists of the same people have in common, in whatever order and spelling."""
    return "|".join(sorted({surname(name) for name in names} - {""}))


def people_band(names: Sequence[str]) -> int | None:
    """Return the number of 31 bits under which a paper by these people is filed; None for a single one."""
    key = people_key(names)
    return crc32(key.encode("utf-8", "replace"), _BANDS + 1) >> 1 if "|" in key else None


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
    return _NOT_ASCII.sub(_without_marks, decomposed)


def _without_marks(found: re.Match[str]) -> str:
    return "".join(character for character in found[0] if not unicodedata.combining(character))


def _letters(plain: str) -> str:
    if plain.isascii():
        return plain.encode().translate(None, _ASCII_BUT_LETTERS).decode()
    return _NOT_LETTERS.sub("", plain)


def _words(plain: str) -> list[bytes]:
    """Return the words of three letters and more, and every ideograph, as UTF-8."""
    if plain.isascii():
        # The general pattern takes four times as long, and most abstracts do not need it.
        joined = _ASCII_HYPHENATION.sub("", plain) if "- " in plain or "-\n" in plain else plain
        parts = joined.encode().translate(_ASCII_SPACED, b"-").split()
        return [part for part in parts if len(part) >= 3]
    return [word.encode("utf-8", "replace") for word in _WORD.findall(_HYPHENATION.sub("", plain))]


def _command(found: re.Match[str]) -> str:
    name = found[1]
    if name == "ell":
        return "l"
    return f" {name} " if name in _WORD_COMMANDS else " "


def _digest(text: str, size: int) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=size).digest()


def _values(runs: bytes) -> NDArray[np.uint32]:
    return np.frombuffer(runs, dtype=">u4").astype(np.uint32)


def _seeds(purpose: str, count: int) -> NDArray[np.uint32]:
    seeds = [int.from_bytes(_digest(f"paper round, {purpose} {n}", 4), "big") | 1 for n in range(count)]
    return np.array(seeds, dtype=np.uint32)


# Linear permutations of the numbers of 32 bits: sums and products are modulo 2**32.
_FACTORS, _TERMS = _seeds("factor", _BANDS * _ROWS), _seeds("term", _BANDS * _ROWS)
_PLACES = _seeds("place", _RUN)
_OF_A_RUN = np.uint64(0xFFFFFFFF)


def _runs(texts: list[list[bytes]]) -> list[bytes]:
    """Return the runs of each text, which has at least as many words as a run."""
    sizes = np.array([len(words) for words in texts], dtype=np.int64)
    total = int(sizes.sum())
    if not total:
        return []
    hashed = np.fromiter(map(crc32, itertools.chain.from_iterable(texts)), dtype=np.uint32, count=total)
    # A run is the sum of its words, each times a factor for its place; then bits are mixed (Wellons 2018,
    # lowbias32), since the permutations keep what is regular.
    count = total - _RUN + 1
    runs = hashed[:count] * _PLACES[0]
    for place in range(1, _RUN):
        runs = runs + hashed[place : place + count] * _PLACES[place]
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        runs = (runs ^ (runs >> np.uint32(shift))) * np.uint32(factor)
    runs ^= runs >> np.uint32(16)
    # The text in the upper half of a number and the run in the lower one: one sorting serves all texts.
    texts_of = np.repeat(np.arange(len(texts), dtype=np.uint64), sizes)
    keyed = (texts_of[:count] << np.uint64(32) | runs)[texts_of[:count] == texts_of[_RUN - 1 :]]
    keyed.sort()
    is_first = np.empty(keyed.size, dtype=np.bool_)
    is_first[0] = True
    np.not_equal(keyed[1:], keyed[:-1], out=is_first[1:])
    keyed = keyed[is_first]
    starts = np.searchsorted(keyed, np.arange(len(texts) + 1, dtype=np.uint64) << np.uint64(32)) * 4
    content = (keyed & _OF_A_RUN).astype(">u4").tobytes()
    return [content[start:end] for start, end in itertools.pairwise(starts.tolist())]
