"""TeX in running text → Unicode, as a person would type it."""

import re
import unicodedata

from bot.text.mathematics import UnreadableTeX, plain
from bot.text.mathspans import MathSpan, find_math
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

_DEEPEST = 16
_SPECIAL = re.compile(
    r"https?://[^\s{}\\$]+|\\|\$|``|(?<![\w`])`[^`'\n\\$]{1,80}'(?![\w'])|''|(?<!-)-{2,3}(?!-)|~|\{|[\^_]\{",
)
_MARKS = ("\\", "$", "`", "''", "--", "~", "{")
_NAME = re.compile(r"[A-Za-z]+")
_PATH = re.compile(r"(?:^|[^A-Za-z])[A-Za-z]:[\\\w.-]*$")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_CONTRACTION = re.compile(r"'(?:s|t|re|ll|ve|d|m)(?![A-Za-z])")
_ESCAPED_QUOTE = re.compile(r"\\{1,2}`\\{1,2}`")
_QUOTED = re.compile(r"\\(['\"])([^\\'\"]{1,80})\\\1(?!\w)")
_PROTECTED = re.compile(r"-|[^\W_]*[A-Z][\w+&.'’-]*")
_SINGLE_LETTER = re.compile(r"(?<!\w)\w\Z")
_MATH_ARGUMENTS = MATH_FONTS | COMBINING.keys() | {"frac", "dfrac", "tfrac", "sqrt", "binom", "operatorname", "norm"}
_REFERENCES = frozenset(
    "cite citep citet citealp citealt citeauthor citeyear parencite textcite autocite ref eqref autoref "
    "cref Cref".split(),
)
_KNOWN = TEXT_FONTS | _MATH_ARGUMENTS | _REFERENCES | {"url", "href", "textcolor", "footnote", "item"}
_LISTS = frozenset("itemize enumerate description center quote abstract flushleft small document".split())
_ESCAPED = {
    "%": "%",
    "&": "&",
    "#": "#",
    "$": "$",
    "_": "_",
    "{": "{",
    "}": "}",
    "-": "",
    "/": "",
    "@": "",
} | dict.fromkeys(
    " ,;:!>\n",
    " ",
)


def readable(text: str) -> str:
    """Return ``text`` with its TeX written in Unicode; text without TeX comes back as it is.

    Formulas, accents, emphasis, escaped characters, dashes and quotes are converted. What is not understood
    (an unknown macro, an unbalanced brace, a price in dollars) stays as it was typed, so that nothing is lost.
    Linear in the length of the text.
    """
    # A hundred times as fast as the pattern, and most texts have none of them.
    if not any(mark in text for mark in _MARKS):
        return text
    converted = _Text(text).convert(0, len(text), 0)
    return converted if converted == text else re.sub(r"(?<=\S) {2,}(?=\S)", " ", converted)


class _Text:
    """One text, with its braces matched and its formulas found once."""

    def __init__(self, text: str, outer_depth: int = 0) -> None:
        self.text = text
        self.outer_depth = outer_depth
        self.formulas = {span.start: span for span in find_math(text)}
        self.braces = _matched_braces(text)
        self.quotes_open = 0

    def convert(self, start: int, end: int, depth: int) -> str:
        if depth + self.outer_depth > _DEEPEST:
            return self.text[start:end]
        out: list[str] = []
        position = start
        while found := _SPECIAL.search(self.text, position, end):
            out.append(self.text[position : found.start()])
            position, written = self._special(found, end, depth)
            out.append(written)
        out.append(self.text[position:end])
        return "".join(out)

    def _special(self, found: re.Match[str], end: int, depth: int) -> tuple[int, str]:
        """Return where to read on, and what to write for what was found."""
        start, mark = found.start(), found[0]
        formula = self.formulas.get(start)
        if formula is not None and formula.end <= end:
            return formula.end, self._formula(formula, depth)
        match mark[0]:
            case "\\":
                return self._backslash(start, end, depth)
            case "{":
                return self._group(start, end, depth)
            case "^" | "_":
                return self._bare_script(start, end, depth)
            case "`" | "'":
                return found.end(), self._quote(mark)
            case "-":
                return found.end(), self._dash(start, found.end())
            case "~":
                return found.end(), self._tie(start)
            case _:
                return found.end(), mark

    def _formula(self, span: MathSpan, depth: int) -> str:
        source = self.text[span.start : span.end]
        written = self._mathematics(self.text[span.inner_start : span.inner_end], depth) or source
        if source.startswith(("$$", "\\[", "\\begin")):
            before, after = self.text[span.start - 1 : span.start], self.text[span.end : span.end + 1]
            written = f"{' ' if before.isalnum() or before == ':' else ''}{written}{' ' if after.isalnum() else ''}"
        return written

    def _mathematics(self, source: str, depth: int) -> str | None:
        """Return the formula in Unicode, or None when it cannot be read."""
        inner_depth = self.outer_depth + depth + 1

        def convert_text(inner: str) -> str:
            return _Text(inner, inner_depth).convert(0, len(inner), 0)

        try:
            return plain(source, convert_text) or None
        except UnreadableTeX:
            return None

    def _backslash(self, start: int, end: int, depth: int) -> tuple[int, str]:
        at = start + 1
        if quote := _ESCAPED_QUOTE.match(self.text, start, end):
            return quote.end(), self._quote("``")
        if self.text.startswith("\\", at) and at < end:
            return self._doubled(at, end)
        if at >= end:
            return end, "\\"
        name = _NAME.match(self.text, at, end)
        if name:
            return self._macro(name[0], start, name.end(), end, depth)
        character = self.text[at]
        if character in TEXT_ACCENTS:
            return self._accent(character, start, at + 1, end)
        return (at + 1, _ESCAPED[character]) if character in _ESCAPED else (at, "\\")

    def _doubled(self, at: int, end: int) -> tuple[int, str]:
        """A doubled backslash is a line break, or one backslash escaped once too often."""
        after = self.text[at + 1 : min(at + 2, end)]
        if not after or after.isspace():
            return at + 1, " "
        name = _NAME.match(self.text, at + 1, end)
        known = after in "%&#_$`" if name is None else (len(name[0]) > 1 and _is_known(name[0]))
        return at, "" if known else "\\"

    def _macro(self, name: str, start: int, at: int, end: int, depth: int) -> tuple[int, str]:
        argument = self._argument(at, end)
        if name in TEXT_FONTS and argument:
            return argument[1] + 1, self.convert(argument[0], argument[1], depth + 1)
        if name in TEXT_ACCENTS:
            return self._accent(name, start, at, end)
        if name in TEXT_LETTERS:
            return self._letter(name, at, end)
        if name in {"textsuperscript", "textsubscript"} and argument:
            raised = superscript if name == "textsuperscript" else subscript
            return argument[1] + 1, raised(self.convert(argument[0], argument[1], depth + 1))
        if name in {"url", "path", "nolinkurl"} and argument:
            return argument[1] + 1, self._unescaped(argument)
        if (
            name in {"href", "textcolor", "footnote", "footnotetext", "item", "begin", "end", "label"}
            or name in _REFERENCES
        ):
            return self._construction(name, start, at, end, depth)
        return self._symbol(name, start, at, end, depth)

    def _construction(self, name: str, start: int, at: int, end: int, depth: int) -> tuple[int, str]:
        if name == "item":
            return at, "•" if self.text[at : at + 1].isspace() else "• "
        argument = self._argument(at, end)
        if argument is None:
            return at, name
        after = argument[1] + 1
        if name in {"begin", "end", "label", "footnotetext"} and argument[0] - 1 not in self.braces:
            return argument[0], name
        if name in {"begin", "end"}:
            return after, " "
        if name in {"label", "footnotetext"}:
            return after, ""
        first = self.convert(argument[0], argument[1], depth + 1)
        if name == "footnote":
            return after, f" ({first})"
        if name in _REFERENCES:
            return after, f"[{first}]"
        second = self._argument(after, end)
        if second is None:
            return after, first
        shown = self.convert(second[0], second[1], depth + 1)
        address = self._unescaped(argument)
        if name == "textcolor" or not address.startswith(("http://", "https://")) or address == shown:
            return second[1] + 1, shown
        return second[1] + 1, f"{shown} ({address})"

    def _symbol(self, name: str, start: int, at: int, end: int, depth: int) -> tuple[int, str]:
        """Mathematics that stands outside a formula, and everything unknown."""
        symbol = symbols().get(name)
        if name in SPACES:
            return at, " "
        if name in SWITCHES and self.text.startswith(" ", at) and not self.text[start - 1 : start].isalnum():
            return at + 1, ""
        takes_argument = name in _MATH_ARGUMENTS and self.text[at : at + 1] in {"{", "["}
        if symbol is not None and len(name) > 1 and not takes_argument and not symbol.isalpha():
            at += 2 if self.text.startswith("{}", at) else 0
            return (at + 1 if symbol.endswith(".") and self.text.startswith(".", at) else at), symbol
        if takes_argument or (symbol is not None and len(name) > 1 and self._looks_greek(symbol)):
            after = self._end_of_arguments(at, end)
            written = self._mathematics(self.text[start:after], depth)
            if written is not None:
                return after, written
        if symbol is not None and len(name) > 1 and self.text[at : at + 1] != ":":
            return (at + 2 if self.text.startswith("{}", at) else at), symbol
        if name in SILENT and name not in SWITCHES and name not in {"left", "right", "middle", "big", "par"}:
            return at, ""
        return self._unknown(name, start, at, end, depth)

    def _unknown(self, name: str, start: int, at: int, end: int, depth: int) -> tuple[int, str]:
        r"""Keep the word of a macro that the authors made: ``\ourmodel{}``, ``\INT{8}``, ``\hl{a remark}``."""
        if ":\\" in self.text[max(0, start - 40) : start + 1] and _PATH.search(self.text, max(0, start - 40), start):
            return at, self.text[start:at]
        argument = self._argument(at, end)
        if argument is None:
            return at, name
        content = self.convert(argument[0], argument[1], depth + 1)
        if name.islower() and content:
            # Such macros mostly set the type of what follows.
            return argument[1] + 1, content
        shown = content if not content or content.isalnum() else f"({content})"
        return argument[1] + 1, name + shown

    @staticmethod
    def _looks_greek(symbol: str) -> bool:
        return len(symbol) == 1 and not symbol.isascii()

    def _end_of_arguments(self, at: int, end: int) -> int:
        """Return where the arguments and scripts that follow a macro end."""
        while at < end:
            opening = at + 1 if self.text[at] in "^_" else at
            closing = self.braces.get(opening)
            if closing is None or closing >= end:
                break
            at = closing + 1
        return at

    def _argument(self, at: int, end: int) -> tuple[int, int] | None:
        """Return the borders of the ``{…}`` that begins at ``at``, if one does."""
        while at < end and self.text[at] == " ":
            at += 1
        if at < end and self.text[at] == "{" and at not in self.braces:
            # The text was cut inside the argument.
            return at + 1, end
        closing = self.braces.get(at)
        return (at + 1, closing) if closing is not None and closing < end else None

    def _unescaped(self, argument: tuple[int, int]) -> str:
        return re.sub(r"\\([%&#_~{}$])", r"\1", self.text[argument[0] : argument[1]]).strip()

    def _group(self, start: int, end: int, depth: int) -> tuple[int, str]:
        closing = self.braces.get(start)
        if closing is None or closing >= end:
            return start + 1, "{"
        at = start + 1
        switch = _NAME.match(self.text, at + 1, closing) if self.text.startswith("\\", at) else None
        if switch and switch[0] in SWITCHES:
            return closing + 1, self.convert(switch.end(), closing, depth + 1).strip()
        inner = self.convert(at, closing, depth + 1)
        if self.text.startswith("\\", at) and inner[:1] not in {"\\", "{", "}"}:
            return closing + 1, inner
        if _PROTECTED.fullmatch(self.text, at, closing) or (self.formulas and inner.isalpha()):
            return closing + 1, inner
        return closing + 1, f"{{{inner}}}"

    def _bare_script(self, start: int, end: int, depth: int) -> tuple[int, str]:
        closing = self.braces.get(start + 1)
        before = self.text[start - 1 : start]
        if (
            closing is None
            or closing >= end
            or closing - start > 80
            or not (before.isalnum() or before in {")", "]", "}", "|"})
        ):
            return start + 1, self.text[start]
        written = self._mathematics(self.text[start : closing + 1], depth)
        return (closing + 1, written) if written else (start + 1, self.text[start])

    def _accent(self, accent: str, start: int, at: int, end: int) -> tuple[int, str]:
        before = self.text[start - 1 : start]
        if accent in "'\"":
            if accent == "'" and before.isalpha() and _CONTRACTION.match(self.text, start + 1):
                return at, accent
            quoted = None if before.isalpha() else _QUOTED.match(self.text, start, end)
            if quoted and " " not in quoted[2].strip()[:0]:
                return quoted.end(), f"{accent}{quoted[2]}{accent}"
        argument = self._argument(at, end)
        if argument and argument[1] - argument[0] <= 3:
            base, after = self.text[argument[0] : argument[1]].strip(), argument[1] + 1
        else:
            spaced = at + 1 if accent.isalpha() and self.text.startswith(" ", at) else at
            if accent.isalpha() and spaced == at and not self.text.startswith("\\", at):
                return at, self.text[start:at]
            size = 2 if self.text[spaced : spaced + 2] in {"\\i", "\\j"} else 1
            base, after = self.text[spaced : min(spaced + size, end)], spaced + size
        base = {"\\i": "i", "\\j": "j", "ı": "i"}.get(base, base)
        letter = unicodedata.normalize("NFC", base + TEXT_ACCENTS[accent])
        if len(base) == 1 and base.isalpha() and len(letter) == 1:
            return after, letter
        return (at, self.text[start:at]) if accent not in "'\"`" or argument else (at, accent)

    def _letter(self, name: str, at: int, end: int) -> tuple[int, str]:
        r"""``\\L ojasiewicz``: TeX takes the space, or an empty group, as the end of the name."""
        if self.text.startswith("{}", at):
            return at + 2, TEXT_LETTERS[name]
        glued = self.text.startswith(" ", at) and at + 1 < end and self.text[at + 1].isalpha()
        return (at + 1 if glued else at), TEXT_LETTERS[name]

    def _quote(self, mark: str) -> str:
        if len(mark) > 2:
            return f"‘{mark[1:-1]}’"
        if mark == "``":
            self.quotes_open += 1
            return "“"
        if self.quotes_open:
            self.quotes_open -= 1
            return "”"
        return mark

    def _dash(self, start: int, after: int) -> str:
        before, following = self.text[start - 1 : start], self.text[after : after + 1]
        is_flag = (not before or before.isspace()) and following.isalnum()
        arrow = before in {"<", "!"} or following in {">", "-"}
        if is_flag or arrow or not following:
            return self.text[start:after]
        return "—" if after - start == 3 else "–"

    def _tie(self, start: int) -> str:
        """``Fig.~2`` is a space; ``~10%`` means about, and ``x ~ y`` or ``x~N(0, 1)`` a distribution."""
        before, after = self.text[max(0, start - 2) : start], self.text[start + 1 : start + 3]
        if not before or not after or not (before[-1].isalnum() or before[-1] in ".,)]}$:;"):
            return "~"
        if not (after[0].isalnum() or after[0] in "\\$([{"):
            return "~"
        if _SINGLE_LETTER.search(before) and before[-1].isalpha():
            return "~"
        return "~" if before[-1].isdigit() and after[0].isdigit() else " "


def _is_known(name: str) -> bool:
    return name in _KNOWN or name in symbols()


def _matched_braces(text: str) -> dict[int, int]:
    """Return where each ``{`` that has a partner is closed."""
    matched: dict[int, int] = {}
    stack: list[int] = []
    for found in _BRACES.finditer(text):
        if found[0] == "{":
            stack.append(found.start())
        elif found[0] == "}" and stack:
            matched[stack.pop()] = found.start()
    return matched
