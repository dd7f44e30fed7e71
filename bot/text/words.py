"""Folding and tokens, shared by search and summaries."""

import re
import unicodedata

_MARKS = re.compile(
    r"[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u0652\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+"
)
# Letters with a stroke or tied together, which Unicode does not decompose.
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŧ": "t", "ŋ": "n"},
)
_WORD = re.compile(r"[^\W_]+")


def fold(text: str) -> str:
    """Return ``text`` without accents, case and typographic variants, for comparing; folding twice changes nothing.

    Only the marks of Latin, Greek, Cyrillic, Hebrew and Arabic script are dropped; where a mark makes another
    letter (が, Devanagari vowels) it stays.
    """
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return unicodedata.normalize("NFC", _MARKS.sub("", folded).translate(_PLAIN))


def words(text: str) -> list[str]:
    """Return the folded words of ``text`` in order: runs of letters and digits."""
    return _WORD.findall(fold(text))
