"""Text from outside, made whole: entities, tags, ligatures, broken bytes, hard wraps."""

import re
import unicodedata

from bot.text.encoding import is_suspect, reread
from bot.text.hyphens import SUSPENDED, has_broken_words, join_words
from bot.text.markup import has_markup, without_markup

_MOST_ROUNDS = 6
"""One round may uncover work for the next (an escaped tag); real text settles in two."""

# "\beta" written with a single backslash in JSON arrives as a backspace and "eta".
_EATEN_MACROS = re.compile(
    r"\x08(?=[a-z]{2})|\x0c(?=rac\b|orall|lat\b)|\x07(?=lpha|pprox|st\b)|\x0b(?=arepsilon|arphi|ec\b|ert)"
    r"|\t(?=imes\b|heta\b|ilde\b|ext\{|extbf\{|extit\{|exttt\{|extsc\{)|\r(?=ightarrow|ho\b)",
)
_EATEN_LETTERS = {"\x08": "\\b", "\x0c": "\\f", "\x07": "\\a", "\x0b": "\\v", "\t": "\\t", "\r": "\\r"}
_ESCAPED_CHARACTER = re.compile(r"\\u([0-9][0-9a-fA-F]{3})(?![0-9a-fA-F])")

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile("[ﬀ-ﬆ]")

_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])\x02(?=[^\W\d_])|\xad(?=[^\S\n]{0,20}\n)")
# Where a program wrote a soft hyphen and then went on in the same line, it meant a hard one.
_HARD_SOFT_HYPHEN = re.compile(r"(?<=[^\W\d_])\xad (?=([^\W\d_]{1,40}))|(?<= )\xad(?= )")
_BIDI_AND_WIDTHLESS = re.compile(r"[\xad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]")
# Joiners belong to emoji and to Indic and Arabic script; beside Latin they are junk.
_STRAY_JOINER = re.compile(
    r"(?<![^\x00-\u036f\u2000-\u206f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\u036f\u2000-\u206f])"
)
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U000f0000-\U0010ffff]"
)


def clean_text(text: str) -> str:
    """Return ``text`` on one line with what broke on its way mended, and nothing else changed.

    Entities are decoded (doubly escaped ones too), tags of HTML and JATS removed, ligatures and wrapped words
    joined, bytes read in the wrong encoding read again where that is beyond doubt, invisible characters dropped,
    white space made single spaces. TeX is left as it is, but for ``<tex-math>``, which becomes ``$…$``. A second
    call changes nothing. Linear in the length of the text.
    """
    for _ in range(_MOST_ROUNDS):
        if _is_whole(text):
            return text.strip(" ")
        cleaned = _one_round(text)
        if cleaned == text:
            break
        text = cleaned
    return text


def _is_whole(text: str) -> bool:
    """Tell at a hundredth of the cost of a round that it has nothing to do, which holds for most texts."""
    if (
        not text.isprintable()
        or "  " in text
        or ("&" in text and has_markup(text))
        or ("<" in text and has_markup(text))
        or ("- " in text and has_broken_words(text))
        or ("\\u" in text and _ESCAPED_CHARACTER.search(text))
    ):
        return False
    return text.isascii() or not (
        _LIGATURE.search(text) or is_suspect(text) or not unicodedata.is_normalized("NFC", text)
    )


def _one_round(text: str) -> str:
    if not text.isprintable():
        text = _EATEN_MACROS.sub(lambda match: _EATEN_LETTERS[match[0]], text)
    if "\\u" in text:
        text = _ESCAPED_CHARACTER.sub(_unescaped, text)
    if not text.isascii():
        text = _LIGATURE.sub(lambda match: _LIGATURES[match[0]], reread(text))
    if not text.isprintable():
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = without_markup(text)
    if not text.isprintable():
        text = _without_invisible(text)
    text = join_words(text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", _LIGATURE.sub(lambda match: _LIGATURES[match[0]], text))
    return " ".join(text.split())


def _without_invisible(text: str) -> str:
    text = _UNPRINTABLE.sub("", _BROKEN_WORD.sub("-\n", text))
    if text.isascii():
        return text
    if "\xad" in text:
        text = _HARD_SOFT_HYPHEN.sub(_hard_hyphen, text)
    text = text.replace("\u2028", " ").replace("\u2029", " ")
    return _STRAY_JOINER.sub("", _BIDI_AND_WIDTHLESS.sub("", text))


def _hard_hyphen(match: re.Match[str]) -> str:
    return "- " if match[1] in SUSPENDED else "-"


def _unescaped(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character.isprintable() else match[0]
