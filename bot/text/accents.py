r"""Letters with accents: ``\'e``, ``\"{o}``, ``\v s``, ``\L ojasiewicz``."""

import re
import unicodedata

from bot.text.macro import Macro, Reader, argument_at
from bot.text.symbols import TEXT_ACCENTS, TEXT_LETTERS

_CONTRACTION = re.compile(r"'(?:s|t|re|ll|ve|d|m)(?![A-Za-z])")
_QUOTED = re.compile(r"\\(['\"])([^\\'\"]{1,80})\\\1(?!\w)")
_DOTLESS = {"\\i": "i", "\\j": "j", "ı": "i"}


def accented_letter(reader: Reader, macro: Macro) -> tuple[int, str]:
    """Return where to read on, and the letter under the accent; what is no accent stays as it was typed.

    The macro's name is a key of ``TEXT_ACCENTS``.
    """
    text, accent, start, at, end = reader.text, macro.name, macro.start, macro.at, macro.end
    argument = argument_at(reader, at, end)
    if accent in "'\"":
        before = text[start - 1 : start]
        if accent == "'" and before.isalpha() and _CONTRACTION.match(text, start + 1):
            return at, accent
        quoted = None if before.isalpha() else _QUOTED.match(text, start, end)
        if quoted:
            return quoted.end(), f"{accent}{quoted[2]}{accent}"
    if argument and argument[1] - argument[0] <= 3:
        base, after = text[argument[0] : argument[1]].strip(), argument[1] + 1
    else:
        spaced = at + 1 if accent.isalpha() and text.startswith(" ", at) else at
        if accent.isalpha() and spaced == at and not text.startswith("\\", at):
            return at, text[start:at]
        size = 2 if text[spaced : spaced + 2] in {"\\i", "\\j"} else 1
        base, after = text[spaced : min(spaced + size, end)], spaced + size
    base = _DOTLESS.get(base, base)
    letter = unicodedata.normalize("NFC", base + TEXT_ACCENTS[accent])
    if len(base) == 1 and base.isalpha() and len(letter) == 1:
        return after, letter
    return (at, text[start:at]) if accent not in "'\"`" or argument else (at, accent)


def letter(reader: Reader, macro: Macro) -> tuple[int, str]:
    r"""Return where to read on, and the letter: TeX takes a space, or an empty group, as the end of its name."""
    text, at, written = reader.text, macro.at, TEXT_LETTERS[macro.name]
    if text.startswith("{}", at):
        return at + 2, written
    glued = text.startswith(" ", at) and at + 1 < macro.end and text[at + 1].isalpha()
    return (at + 1 if glued else at), written
