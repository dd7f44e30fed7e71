"""TeX in running text → Unicode, as a person would type it."""

import re

from bot.text.accents import accented_letter
from bot.text.macro import Macro
from bot.text.mathematics import plain
from bot.text.mathspans import MathSpan, find_math
from bot.text.punctuation import Quotes, dash, tie
from bot.text.symbols import SWITCHES, TEXT_ACCENTS
from bot.text.textmacros import is_known, read_macro
from bot.text.tokens import UnreadableTeX

_DEEPEST = 16
# Every branch begins with one character, so that the search skips to these at C's speed.
_SPECIAL = re.compile(
    r"https?://[^\s{}\\$]+|\\|\$|`(?:`|(?<![\w`]`)[^`'\n\\$]{1,80}'(?![\w']))|''|\"|-(?<!--)--?(?!-)|~|\{|\^\{|_\{",
)
_SPACES = re.compile(" {2,}")
_NAME = re.compile(r"[A-Za-z]+")
_BRACES = re.compile(r"\\.|\{|\}", re.DOTALL)
_ESCAPED_QUOTE = re.compile(r"\\{1,2}`\\{1,2}`")
_LOST_BACKSLASH = re.compile(
    r"e(?<![\w\\]e)(?:xt(?=(?:bf|it|tt|sc)\{)|mph(?=\{))|m(?<![\w\\]m)ph(?=\{)|c(?<![\w\\]c)ite[pt]?(?=\{)"
    r"|u(?<![\w\\]u)rl(?=\{)|h(?<![\w\\]h)ref(?=\{)|f(?<![\w\\]f)ootnote(?=\{)|t(?<![\w\\]t)ext(?:bf|it|tt|sc)(?=\{)",
)
_WHOLE_NAMES = {"ext": "\\text", "mph": "\\emph"}
_PROTECTED = re.compile(r" ?[-–—] ?|[,.:]|[^\W_]*[A-Z](?:[^\W⁰-ₜᴬ-ᶿⱼ]|[+&.'’-])*|[a-z]+(?:-[a-z]+)+")
_PHRASE = re.compile(r"[A-Za-z][\w'’.&-]*(?: [\w'’.&-]+){1,9}")
_LETTER = re.compile(r"[A-Za-zÀ-ɏ][\u0300-\u036f]?")
_ENDING = frozenset({"th", "st", "nd", "rd", "es"})
_PLACEHOLDER = re.compile(r"(?:this|that) (?:https?|ftp) URL\S*")
_OWN_LINE = ("$$", "\\[", "\\begin")
_ESCAPED = {
    "%": "%", "&": "&", "#": "#", "$": "$", "_": "_", "{": "{", "}": "}", "<": "<", "-": "", "/": "", "@": "",
    "–": "–", "—": "—", "|": "‖",
} | dict.fromkeys(" ,;:!>\n", " ")  # fmt: skip


def readable(text: str) -> str:
    """Return ``text`` with its TeX written in Unicode; text without TeX comes back as it is.

    Formulas, accents, emphasis, escaped characters, dashes and quotes are converted. What is not understood
    (an unknown macro, an unbalanced brace, a price in dollars) stays as it was typed, so that nothing is lost.
    Linear in the length of the text.
    """
    # Most texts have none of these, and looking for each by itself is ten times as fast as a pattern.
    if not ("\\" in text or "$" in text or "{" in text or "~" in text or "`" in text or "--" in text or "''" in text):
        return text
    source = _LOST_BACKSLASH.sub(_with_backslash, text) if "{" in text else text
    converted = _Text(source).convert(0, len(source), 0)
    if converted == text:
        return text
    return (_SPACES.sub(" ", converted) if "  " in converted else converted).strip(" ")


def _with_backslash(match: re.Match[str]) -> str:
    return _WHOLE_NAMES.get(match[0], f"\\{match[0]}")


class _Text:
    """One text, with its braces matched and its formulas found once."""

    def __init__(self, text: str, outer_depth: int = 0) -> None:
        self.text = text
        self.outer_depth = outer_depth
        self.braces = _matched_braces(text) if "{" in text else {}
        self.formulas = {span.start: span for span in find_math(text, self.braces)}
        self.formula_ends = {span.end for span in self.formulas.values()}
        self.quotes = Quotes()

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
            case "`" | "'" | '"':
                return found.end(), self.quotes.written(mark, self.text[start - 1 : start])
            case "-":
                return found.end(), dash(self.text, start, found.end())
            case "~":
                return found.end(), tie(self.text, start)
            case _:
                return found.end(), mark

    def _formula(self, span: MathSpan, depth: int) -> str:
        source, inner = self.text[span.start : span.end], self.text[span.inner_start : span.inner_end]
        if _PLACEHOLDER.fullmatch(inner):
            return inner
        written = self.mathematics(inner + span.missing, depth)
        if written is None:
            return source
        if not written:
            return " "
        if source.startswith(_OWN_LINE):
            before, after = self.text[span.start - 1 : span.start], self.text[span.end : span.end + 1]
            written = f"{' ' if before.isalnum() or before == ':' else ''}{written}{' ' if after.isalnum() else ''}"
        return written

    def mathematics(self, source: str, depth: int) -> str | None:
        """Return the formula in Unicode, or None when it cannot be read."""
        inner_depth = self.outer_depth + depth + 1

        def convert_text(inner: str) -> str:
            return _Text(inner, inner_depth).convert(0, len(inner), 0)

        try:
            return plain(source, convert_text)
        except UnreadableTeX:
            return None

    def _backslash(self, start: int, end: int, depth: int) -> tuple[int, str]:
        at = start + 1
        if quote := _ESCAPED_QUOTE.match(self.text, start, end):
            return quote.end(), self.quotes.written("``", "")
        if self.text.startswith("\\", at) and at < end:
            return self._doubled(at, end)
        if at >= end:
            return end, "\\"
        name = _NAME.match(self.text, at, end)
        if name:
            return read_macro(self, Macro(name=name[0], start=start, at=name.end(), end=end, depth=depth))
        character = self.text[at]
        if character in TEXT_ACCENTS:
            return accented_letter(self, Macro(name=character, start=start, at=at + 1, end=end, depth=depth))
        return (at + 1, _ESCAPED[character]) if character in _ESCAPED else (at, "\\")

    def _doubled(self, at: int, end: int) -> tuple[int, str]:
        """A doubled backslash is a line break, or one backslash escaped once too often."""
        after = self.text[at + 1 : min(at + 2, end)]
        if not after or after.isspace():
            return at + 1, " "
        name = _NAME.match(self.text, at + 1, end)
        known = after in "%&#_$`" if name is None else (len(name[0]) > 1 and is_known(name[0]))
        return at, "" if known else "\\"

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
        if self._is_bare(start, at, closing, inner):
            # "\(k\){is}" comes from lists that lost the space.
            is_word = start in self.formula_ends and inner.isalpha() and inner.islower() and len(inner) > 1
            return closing + 1, f" {inner}" if is_word and inner not in _ENDING else inner
        return closing + 1, f"{{{inner}}}"

    def _is_bare(self, start: int, at: int, closing: int, inner: str) -> bool:
        """Tell braces that only held something together from those that are meant to be seen."""
        before, after = self.text[start - 1 : start], self.text[closing + 1 : closing + 2]
        if after and after in "_^":
            # A set with an index, as a formula leaves it.
            return False
        if at == closing:
            return before.isalnum()
        if _LETTER.fullmatch(inner) and not inner.isupper():
            return before.isalpha() or after.isalpha()
        if start in self.formula_ends and inner.isalpha():
            return True
        return bool(_PROTECTED.fullmatch(inner) or _PHRASE.fullmatch(inner) or _is_prose(inner))

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
        written = self.mathematics(self.text[start : closing + 1], depth)
        return (closing + 1, written) if written else (start + 1, self.text[start])


def _is_prose(text: str) -> bool:
    """Tell a sentence in braces from a set."""
    words = [word for word in text.split() if len(word) > 2 and word.rstrip(".,:;").isalpha()]
    return len(words) > 3 and 3 * text.count(",") <= len(words) and not any(sign in text for sign in "|=∈{}")


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
