"""Macros that stand in running text, each read with its arguments."""

import re

from bot.text import units
from bot.text.accents import accented_letter, letter
from bot.text.macro import Macro, Reader, argument_at
from bot.text.scripts import subscript, superscript
from bot.text.symbols import (
    COMBINING,
    MATH_FONTS,
    SILENT,
    SPACES,
    SWITCHES,
    TEXT_ACCENTS,
    TEXT_FONTS,
    TEXT_LETTERS,
    symbols,
)

_PATH = re.compile(r"(?:^|[^A-Za-z])[A-Za-z]:[\\\w.-]*$")
_ESCAPED_CHARACTER = re.compile(r"\\([%&#_~{}$])")
_MATH_ARGUMENTS = MATH_FONTS | COMBINING.keys() | {"frac", "dfrac", "tfrac", "sqrt", "binom", "operatorname", "norm"}
_REFERENCES = frozenset(
    "cite citep citet citealp citealt citeauthor citeyear parencite textcite autocite ref eqref autoref "
    "cref Cref".split(),
)
_CONSTRUCTIONS = _REFERENCES | {"href", "textcolor", "footnote", "footnotetext", "item", "begin", "end", "label"}
_WITHOUT_MEANING = frozenset({"color", "vspace", "hspace", "phantom"})
_KNOWN = TEXT_FONTS | _MATH_ARGUMENTS | _CONSTRUCTIONS | {"url"} | units.ARGUMENTS.keys()
_AMBIGUOUS = frozenset({"left", "right", "middle", "big", "par"})
_DELIMITER = re.compile(r"[()\[\]|./]|\\[{}|]")
# Lists that drop braces leave "\\sqrtT", "\\mathcalO" and "\\emphk" behind.
_FUSED = re.compile(
    r"(sqrt|tilde|widetilde|widehat|mathcal|mathbb|mathrm|mathbf|mathsf|mathfrak|emph|text(?:sc|bf|it|tt|rm))"
    r"([A-Z][A-Za-z]*|[a-z])\Z",
)
_FUSED_ENVIRONMENT = re.compile(r"(?:begin|end)(?:itemize|enumerate|description|center)\Z")
_UNBRACED = re.compile(r"(?: ?[A-Za-z]|\d)(?![A-Za-z\d])")
_UNBRACED_FRACTION = re.compile(r" ?[A-Za-z\d] ?[A-Za-z\d](?![A-Za-z\d])")


def is_known(name: str) -> bool:
    """Tell whether ``name`` is a macro of TeX, and not only a word after a backslash."""
    return name in _KNOWN or name in symbols()


def read_macro(reader: Reader, macro: Macro) -> tuple[int, str]:
    """Return where to read on, and what the macro stands for; an unknown one keeps its name or its argument."""
    name, at, end = macro.name, macro.at, macro.end
    argument = argument_at(reader, at, end)
    if name in TEXT_FONTS and argument:
        return argument[1] + 1, reader.convert(argument[0], argument[1], macro.depth + 1)
    if len(name) == 1 and argument and (split := _split_symbol(reader, name, argument)):
        return argument[1] + 1, split
    if name in TEXT_ACCENTS:
        return accented_letter(reader, macro)
    if name in TEXT_LETTERS:
        return letter(reader, macro)
    if name in {"textsuperscript", "textsubscript"} and argument:
        raised = superscript if name == "textsuperscript" else subscript
        return argument[1] + 1, raised(reader.convert(argument[0], argument[1], macro.depth + 1))
    if name in {"url", "path", "nolinkurl"} and argument:
        return argument[1] + 1, _unescaped(reader, argument)
    if name in units.ARGUMENTS and (quantity := _quantity(reader, macro)):
        return quantity
    if name in _WITHOUT_MEANING and (unread := argument_at(reader, at + reader.text.startswith("*", at), end)):
        return unread[1] + 1, " "
    if name in TEXT_FONTS and name.startswith(("text", "emph")) and len(name) > 4 and at < end:
        return at + reader.text.startswith(" ", at), ""
    if name in _CONSTRUCTIONS:
        return _construction(reader, macro)
    return _symbol(reader, macro)


def _split_symbol(reader: Reader, name: str, argument: tuple[int, int]) -> str | None:
    r"""``\b{eta}``: arXiv takes the first letter of a macro for an accent, and its pages say so ever after."""
    if not 1 <= argument[1] - argument[0] <= 16:
        return None
    whole = name + reader.text[argument[0] : argument[1]]
    return symbols().get(whole) if whole.isalpha() and len(whole) > 2 else None


def _quantity(reader: Reader, macro: Macro) -> tuple[int, str] | None:
    arguments: list[str] = []
    at = macro.at
    while len(arguments) < units.ARGUMENTS[macro.name]:
        argument = argument_at(reader, _after_options(reader, at, macro.end), macro.end)
        if argument is None or argument[0] - 1 not in reader.braces:
            return None
        arguments.append(reader.text[argument[0] : argument[1]])
        at = min(argument[1] + 1, macro.end)
    return at, units.quantity(macro.name, arguments)


def _construction(reader: Reader, macro: Macro) -> tuple[int, str]:
    name, at, end, depth = macro.name, macro.at, macro.end, macro.depth
    if name == "item":
        return at, "•" if reader.text[at : at + 1].isspace() else "• "
    if name in _REFERENCES:
        at = _after_options(reader, at + reader.text.startswith("*", at), end)
    argument = argument_at(reader, at, end)
    if argument is None:
        return at, name
    after = argument[1] + 1
    if name in {"begin", "end", "label", "footnotetext"} and argument[0] - 1 not in reader.braces:
        return argument[0], name
    if name in {"begin", "end"}:
        return after, " "
    if name in {"label", "footnotetext"}:
        return after, ""
    first = reader.convert(argument[0], argument[1], depth + 1)
    if name == "footnote":
        return after, f" ({first})"
    if name in _REFERENCES:
        return after, f"[{first}]"
    second = argument_at(reader, after, end)
    if second is None:
        return after, first
    shown = reader.convert(second[0], second[1], depth + 1)
    address = _unescaped(reader, argument)
    if name == "textcolor" or not address.startswith(("http://", "https://")) or address == shown:
        return second[1] + 1, shown
    return second[1] + 1, f"{shown} ({address})"


def _after_options(reader: Reader, at: int, end: int) -> int:
    r"""Skip ``[see][p. 3]`` of ``\citep[see][p. 3]{key}``: it says how to set the argument, and is not shown."""
    while reader.text.startswith("[", at):
        closing = reader.text.find("]", at, min(end, at + 80))
        if closing < 0:
            break
        at = closing + 1
    return at


def _symbol(reader: Reader, macro: Macro) -> tuple[int, str]:
    """Mathematics that stands outside a formula, and everything unknown."""
    text, name, start, at, end = reader.text, macro.name, macro.start, macro.at, macro.end
    symbol = symbols().get(name)
    if name in SPACES:
        return at, " "
    if name in SWITCHES and text.startswith(" ", at) and not text[start - 1 : start].isalnum():
        return at + 1, ""
    takes_argument = name in _MATH_ARGUMENTS and text[at : at + 1] in {"{", "["}
    if name in _MATH_ARGUMENTS and not takes_argument and (unbraced := _unbraced(reader, macro)):
        return unbraced
    is_symbol = symbol is not None and len(name) > 1
    if symbol is not None and is_symbol and not takes_argument and not symbol.isalpha():
        at += 2 if text.startswith("{}", at) else 0
        return (at + 1 if symbol.endswith(".") and text.startswith(".", at) else at), symbol
    if takes_argument or (symbol is not None and is_symbol and len(symbol) == 1 and not symbol.isascii()):
        after = _end_of_arguments(reader, at, end)
        written = reader.mathematics(text[start:after], macro.depth)
        if written is not None:
            return after, written
    if symbol is not None and is_symbol and text[at : at + 1] != ":":
        return (at + 2 if text.startswith("{}", at) else at), symbol
    is_silent = name not in _AMBIGUOUS or (name != "par" and _DELIMITER.match(text, at, end) is not None)
    if name in SILENT and name not in SWITCHES and is_silent:
        return at, ""
    return _unknown(reader, macro)


def _unbraced(reader: Reader, macro: Macro) -> tuple[int, str] | None:
    r"""``\tilde G`` and ``\frac1T`` in running text, where the dollars around them were lost."""
    pattern = _UNBRACED_FRACTION if macro.name.endswith("frac") else _UNBRACED
    found = pattern.match(reader.text, macro.at, macro.end)
    if found is not None:
        written = reader.mathematics(reader.text[macro.start : found.end()], macro.depth)
        return (found.end(), written) if written else None
    return (macro.at, "√") if macro.name == "sqrt" else None


def _unfused(reader: Reader, macro: Macro) -> str | None:
    if _FUSED_ENVIRONMENT.match(macro.name):
        return " "
    fused = _FUSED.match(macro.name)
    if fused is None:
        return None
    return fused[2] if fused[1] in TEXT_FONTS else reader.mathematics(f"\\{fused[1]}{{{fused[2]}}}", macro.depth)


def _unknown(reader: Reader, macro: Macro) -> tuple[int, str]:
    r"""Keep the word of a macro that the authors made: ``\ourmodel{}``, ``\INT{8}``, ``\hl{a remark}``."""
    text, name, start, at = reader.text, macro.name, macro.start, macro.at
    if ":\\" in text[max(0, start - 40) : start + 1] and _PATH.search(text, max(0, start - 40), start):
        return at, text[start:at]
    argument = argument_at(reader, at, macro.end)
    if argument is None:
        return at, _unfused(reader, macro) or name
    content = reader.convert(argument[0], argument[1], macro.depth + 1)
    if (name.islower() or len(name) == 1 < len(content)) and content:
        # Such macros mostly set the type of what follows.
        return argument[1] + 1, content
    if argument[0] - 1 not in reader.braces:
        return argument[1] + 1, f"{name} {content}"
    shown = content if not content or content.isalnum() else f"({content})"
    return argument[1] + 1, name + shown


def _end_of_arguments(reader: Reader, at: int, end: int) -> int:
    """Return where the arguments and scripts that follow a macro end."""
    while at < end:
        opening = at + 1 if reader.text[at] in "^_" else at
        closing = reader.braces.get(opening)
        if closing is None or closing >= end:
            break
        at = closing + 1
    return at


def _unescaped(reader: Reader, argument: tuple[int, int]) -> str:
    return _ESCAPED_CHARACTER.sub(r"\1", reader.text[argument[0] : argument[1]]).strip()
