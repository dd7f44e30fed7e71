"""Text whose bytes were read in the wrong encoding, read again."""

import re
from codecs import lookup

import ftfy
from ftfy.chardata import CHARMAP_ENCODINGS
from ftfy.fixes import fix_c1_controls

_ONLY_ENCODING = ftfy.TextFixerConfig(
    unescape_html=False,
    remove_terminal_escapes=False,
    restore_byte_a0=False,
    replace_lossy_sequences=False,
    fix_latin_ligatures=False,
    fix_character_width=False,
    uncurl_quotes=False,
    fix_line_breaks=False,
    fix_surrogates=False,
    remove_control_chars=False,
    normalization=None,
)
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def _written(first: int, last: int) -> str:
    """Return what the bytes look like, as a class of characters, in any of the encodings that ftfy tries."""
    octets = [bytes([octet]) for octet in range(first, last + 1)]
    read = "".join(lookup(name).decode(octet, "ignore")[0] for name in CHARMAP_ENCODINGS for octet in octets)
    return "".join(sorted(re.escape(character) for character in set(read)))


# UTF-8 read as anything else leaves a pair of these, and most texts have none: looking costs a fiftieth of ftfy. In
# MacRoman the typographer's quotes and dashes begin letters of Hebrew and Armenian, in French and prose they do not.
_LEADS = "".join(character for character in _written(0xC2, 0xF4) if character not in "‘’“”–—…«»")
_BROKEN = "\x80-\x9f\ud800-\udfff"
_SUSPECT = re.compile(f"[{_LEADS}{_BROKEN}](?:[{_written(0x80, 0xBF)}]|(?<=[{_BROKEN}]))")


def is_suspect(text: str) -> bool:
    """Tell whether ``reread`` might change ``text``."""
    return _SUSPECT.search(text) is not None


def reread(text: str) -> str:
    """Return ``text`` in the encoding it was written in, where that is beyond doubt.

    Pairs of surrogates become their character, half of one U+FFFD, C1 controls what Windows-1252 has in their place.
    """
    if _SURROGATE.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return fix_c1_controls(ftfy.fix_encoding(text, _ONLY_ENCODING)) if is_suspect(text) else text
