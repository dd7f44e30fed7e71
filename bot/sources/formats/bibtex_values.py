"""What the values of BibTeX's fields mean: macros, concatenation, protected case, people's names."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from bot.sources import fields

MONTHS: Final[Mapping[str, str]] = {
    "jan": "January",
    "feb": "February",
    "mar": "March",
    "apr": "April",
    "may": "May",
    "jun": "June",
    "jul": "July",
    "aug": "August",
    "sep": "September",
    "oct": "October",
    "nov": "November",
    "dec": "December",
}
"""The macros that every style of BibTeX defines."""

_MARKS = re.compile(r'(?<!\\)[{}"#]')
_BRACES_OR_AND = re.compile(r"(?<!\\)[{}]|\band(?= |$)", re.IGNORECASE)
_BRACES_OR_COMMA = re.compile(r"(?<!\\)[{},]")
_TEX = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}$]", re.DOTALL)
_MATHS_BEGINS, _MATHS_ENDS = frozenset({r"\(", r"\["}), frozenset({r"\)", r"\]"})
_LITERAL = frozenset({r"\{", r"\}", r"\$", r"\%", r"\&", r"\#", r"\_", r"\\"})
_NOBODY = re.compile(r"(?:others|et\.? al\.?|anonymous(?: authors?)?)", re.IGNORECASE)
_URL_COMMAND = re.compile(r"\\url\s*\{([^{}]*)\}?")
_ESCAPED = re.compile(r"\{?\\([_%&#~])(?:\{\})?\}?")


def resolved(value: str, defined: Mapping[str, str], longest: int) -> str | None:
    """Return the text of a value as it stands in the file: ``"Proc. " # acl``; None when it is longer than asked for.

    A macro that nobody defined is its own name.
    """
    texts: list[str] = []
    size = 0
    for part in _concatenated(value):
        is_enclosed = len(part) > 1 and part[0] + part[-1] in {"{}", '""'}
        text = part[1:-1] if is_enclosed else defined.get(part.lower(), part)
        size += len(text)
        if size > longest:
            return None
        texts.append(text)
    return "".join(texts).strip()


def _concatenated(value: str) -> Iterator[str]:
    """Yield what stands between the ``#`` outside braces and quotation marks."""
    depth, quoted, start = 0, False, 0
    for mark in _MARKS.finditer(value):
        sign = mark[0]
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth = max(depth - 1, 0)
        elif depth == 0 and sign == '"':
            quoted = not quoted
        elif depth == 0 and not quoted:
            yield value[start : mark.start()].strip()
            start = mark.end()
    yield value[start:].strip()


def unprotected(text: str) -> str:
    r"""Return the text without the braces that only protect case; those of commands, accents and formulas stay.

    ``{TLDR}: {E}xtreme`` is "TLDR: Extreme", and ``J{\"{u}}rgen`` stays as it is.
    """
    if "{" not in text:
        return text
    written: list[str] = []
    kept: list[bool] = []
    # An odd dollar is money, and no formula ends there.
    has_maths = len(re.findall(r"(?<!\\)\$", text)) % 2 == 0
    maths = False
    position, argument_at = 0, -1
    for mark in _TEX.finditer(text):
        written.append(text[position : mark.start()])
        sign, before, position = mark[0], text[mark.start() - 1 : mark.start()], mark.end()
        stays = True
        if sign == "$":
            maths = has_maths and not maths
        elif sign in _MATHS_BEGINS or sign in _MATHS_ENDS:
            maths = sign in _MATHS_BEGINS
        elif sign == "{":
            special = text[position : position + 1] == "\\"
            stays = maths or special or argument_at == mark.start() or before in {"_", "^"}
            kept.append(stays)
        elif sign == "}":
            stays = not kept or kept.pop()
            argument_at = position if stays else argument_at
        elif sign not in _LITERAL:
            argument_at = position
        if stays:
            written.append(sign)
    written.append(text[position:])
    return "".join(written)


def people(text: str) -> tuple[str, ...]:
    """Return the names, given name first: "Lovelace, Ada and King, Jr., Martin and {The Team} and others"."""
    found = (_name(" ".join(name.split())) for name in _parted(" ".join(text.split()), _BRACES_OR_AND))
    return tuple(dict.fromkeys(name for name in found if name and not _NOBODY.fullmatch(name)))


def addressed(text: str) -> str:
    r"""Return an address or an identifier without the TeX around it: ``\url{…}``, ``\_``."""
    found = _URL_COMMAND.search(text[:4000])
    return _ESCAPED.sub(r"\1", found[1] if found else text).strip()


def _parted(text: str, separators: re.Pattern[str]) -> Iterator[str]:
    depth = start = 0
    for mark in separators.finditer(text):
        if mark[0] == "{":
            depth += 1
        elif mark[0] == "}":
            depth = max(depth - 1, 0)
        elif depth == 0 and (mark[0] == "," or text[mark.start() - 1 : mark.start()] in {" ", ""}):
            yield text[start : mark.start()]
            start = mark.end()
    yield text[start:]


def _name(name: str) -> str:
    parts = [unprotected(part).strip() for part in _parted(name, _BRACES_OR_COMMA)]
    if len(parts) == 3:
        last, junior, first = parts
        return " ".join(f"{first} {last} {junior}".split())
    if len(parts) == 2:
        return fields.given_name_first(", ".join(parts)) if "," not in parts[0] + parts[1] else " ".join(parts)
    return ", ".join(part for part in parts if part)
