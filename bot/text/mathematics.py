"""One formula in TeX → the same formula as a person types it without TeX."""

import re
from collections.abc import Callable

from bot.text.scripts import superscript
from bot.text.symbols import (
    BLACKBOARD,
    COMBINING,
    MATH_FONTS,
    SILENT,
    SPACES,
    TEXT_FONTS,
    symbols,
)
from bot.text.typesetting import (
    SPACE,
    Kind,
    Piece,
    accented,
    attach,
    bracketed,
    choice,
    fraction,
    group,
    is_simple,
    negated,
    of_character,
    of_symbol,
    render,
)

DEEPEST = 24
"""Formulas nested deeper than this are left as they are."""

_TOKEN = re.compile(r"\\([A-Za-z]+)\s*|\\(.)|(\s+)|(\d+(?:[.,]\d+)*)|(.)", re.DOTALL)
_DOUBLED = re.compile(r"\\\\(?=[{}%&_#$]|([A-Za-z]{2,}))")
_DELIMITERS = {"norm": "‖", "abs": "|", "lVert": "‖", "rVert": "‖"}
_WITHOUT_MEANING = frozenset({"hspace", "vspace", "phantom", "hphantom", "vphantom", "label", "color", "textcolor"})
_ENVIRONMENTS = frozenset(
    "matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix cases array split aligned alignedat gathered "
    "align equation gather multline subarray".split(),
)
_MACRO_ARGUMENTS = frozenset({"url", "href"})


class UnreadableTeX(Exception):
    """The formula is broken or too deep: keep its source."""


def plain(source: str, convert_text: Callable[[str], str]) -> str:
    r"""Return the formula ``source`` (without delimiters) in Unicode, on one line.

    Args:
        source: TeX in math mode; cost is linear in its length.
        convert_text: what becomes of the words in ``\text{…}``.

    Raises:
        UnreadableTeX: its braces do not match, or it is nested deeper than ``DEEPEST``.
    """
    known = symbols()
    source = _DOUBLED.sub(lambda match: "\\" if not match[1] or _is_known(match[1], known) else match[0], source)
    formula = _Formula(source, convert_text)
    return render(formula.sequence(0, None), tight=False)


def _is_known(name: str, known: dict[str, str]) -> bool:
    return name in known or name in MATH_FONTS or name in TEXT_FONTS or name in SILENT or name in {"frac", "sqrt"}


class _Formula:
    """The tokens of one formula and how far they are read."""

    def __init__(self, source: str, convert_text: Callable[[str], str]) -> None:
        self.source = source
        self.tokens = list(_TOKEN.finditer(source))
        self.position = 0
        self.convert_text = convert_text
        self.rows = 0

    def sequence(self, depth: int, closer: str | None) -> list[Piece]:
        if depth > DEEPEST:
            raise UnreadableTeX
        pieces: list[Piece] = []
        split: tuple[str, int] | None = None
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            name = token[1]
            if token[5] == closer and closer is not None:
                self.position += 1
                return _split(pieces, split)
            if name in {"over", "choose", "atop"} and split is None:
                self.position += 1
                split = (name, len(pieces))
                continue
            self._one(pieces, depth)
        if closer is not None:
            raise UnreadableTeX
        return _split(pieces, split)

    def _one(self, pieces: list[Piece], depth: int) -> None:
        token = self.tokens[self.position]
        self.position += 1
        if token[1] is not None:
            self._macro(token[1], pieces, depth)
        elif token[2] is not None:
            pieces.extend(self._escaped(token[2]))
        elif token[3] is not None or token[5] == "~":
            pieces.append(SPACE)
        elif token[4] is not None:
            pieces.append(Piece(token[4], Kind.ATOM))
        elif token[5] == "{":
            pieces.append(group(self.sequence(depth + 1, "}")))
        elif token[5] == "}":
            raise UnreadableTeX
        elif token[5] in "^_":
            self._script(token[5], pieces, depth)
        elif token[5] == "&":
            pieces.append(SPACE)
        else:
            pieces.append(of_character(token[5]))

    def _escaped(self, character: str) -> list[Piece]:
        if character == "\\":
            return [Piece("; ", Kind.POINT)] if self.rows else [SPACE]
        if character in "!/-@":
            return []
        if character in ",;: >\n\t":
            return [SPACE]
        if character == "|":
            return [Piece("‖", Kind.ATOM)]
        if character in "()[]":
            return []
        return [of_character(character)]

    def _macro(self, name: str, pieces: list[Piece], depth: int) -> None:
        known = symbols()
        if name in COMBINING:
            pieces.append(accented(name, self._argument(depth)))
        elif name in TEXT_FONTS:
            pieces.append(Piece(self.convert_text(self._raw_argument()), Kind.ATOM))
        elif name in MATH_FONTS:
            pieces.append(self._in_font(name, depth))
        elif name in {"operatorname", "DeclareMathOperator"}:
            self._skip("*")
            pieces.append(Piece(render(self._argument(depth), tight=True), Kind.WORD))
        elif name in SILENT:
            if name in {"left", "right", "middle"}:
                self._skip(".")
        elif name in SPACES:
            pieces.append(SPACE)
        elif name in known:
            pieces.append(of_symbol(name, known[name]))
        elif not self._construction(name, pieces, depth):
            # A macro that the authors made: its name is all that is known of what it shows.
            pieces.append(Piece(name, Kind.WORD))
            while self._at("{"):
                pieces.append(Piece(f"({render(self._argument(depth), tight=False)})", Kind.CLOSE))

    def _construction(  # noqa: PLR0912 (a table of macros, one case each)
        self, name: str, pieces: list[Piece], depth: int
    ) -> bool:
        """Read a macro with arguments of its own; False when it is none that is known."""
        match name:
            case "frac" | "dfrac" | "tfrac" | "cfrac" | "nicefrac" | "sfrac":
                pieces.append(fraction(self._argument(depth), self._argument(depth)))
            case "binom" | "dbinom" | "tbinom":
                pieces.append(choice(self._argument(depth), self._argument(depth)))
            case "sqrt":
                pieces.append(self._root(depth))
            case "norm" | "abs":
                bar = _DELIMITERS[name]
                pieces.append(Piece(f"{bar}{render(self._argument(depth), tight=False)}{bar}", Kind.ATOM))
            case "overset" | "stackrel" | "underset":
                script = render(self._argument(depth), tight=True)
                pieces.extend(self._argument(depth))
                attach(pieces, script, "_" if name == "underset" else "^")
            case "xrightarrow" | "xleftarrow":
                arrow = Piece("→" if name == "xrightarrow" else "←", Kind.OPERATOR)
                pieces.append(arrow)
                arrow.text += superscript(render(self._argument(depth), tight=True))
            case "pmod":
                pieces.append(Piece(f" (mod {render(self._argument(depth), tight=False)})", Kind.CLOSE))
            case "tag":
                pieces.append(Piece(f" ({render(self._argument(depth), tight=False)})", Kind.CLOSE))
            case "not":
                pieces.extend(negated(self._argument(depth)))
            case "begin" | "end":
                self._environment(name)
            case "unicode":
                pieces.append(Piece(_code_point(self._raw_argument()), Kind.ATOM))
            case _ if name in _WITHOUT_MEANING:
                self._raw_argument()
            case _ if name in _MACRO_ARGUMENTS:
                arguments = [f"{{{self._raw_argument()}}}"]
                if name == "href":
                    arguments.append(f"{{{self._raw_argument()}}}")
                pieces.append(Piece(self.convert_text(f"\\{name}{''.join(arguments)}"), Kind.ATOM))
            case _:
                return False
        return True

    def _environment(self, name: str) -> None:
        environment = self._raw_argument().rstrip("*")
        if environment not in _ENVIRONMENTS:
            raise UnreadableTeX
        if name == "begin" and environment == "array":
            self._raw_argument()
        self.rows += 1 if name == "begin" else -1

    def _argument(self, depth: int) -> list[Piece]:
        """Read what a macro or a script takes: a group, a macro with its arguments, or one character."""
        self._skip_space()
        if self.position >= len(self.tokens):
            raise UnreadableTeX
        token = self.tokens[self.position]
        if token[5] == "{":
            self.position += 1
            return self.sequence(depth + 1, "}")
        if token[5] is not None and token[5] in "}^_":
            raise UnreadableTeX
        if token[4] is not None and len(token[4]) > 1:
            return [self._first_digit(token)]
        if depth >= DEEPEST:
            raise UnreadableTeX
        pieces: list[Piece] = []
        self._one(pieces, depth + 1)
        return pieces

    def _first_digit(self, token: re.Match[str]) -> Piece:
        r"""``\frac12`` and ``x^10`` take one digit; the rest of the number is read next."""
        rest = _TOKEN.match(self.source, token.start() + 1)
        if rest is None:
            raise UnreadableTeX
        self.tokens[self.position] = rest
        return Piece(token[4][0], Kind.ATOM)

    def _raw_argument(self) -> str:
        """Read an argument as source text."""
        self._skip_space()
        if self.position >= len(self.tokens):
            return ""
        first = self.tokens[self.position]
        self.position += 1
        if first[5] != "{":
            return first[0].strip()
        depth = 1
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            self.position += 1
            depth += {"{": 1, "}": -1}.get(token[5] or "", 0)
            if depth == 0:
                return self.source[first.end() : token.start()]
        raise UnreadableTeX

    def _script(self, sign: str, pieces: list[Piece], depth: int) -> None:
        script = render(self._argument(depth), tight=True)
        attach(pieces, script, sign)

    def _root(self, depth: int) -> Piece:
        degree = ""
        if self._at("["):
            self.position += 1
            degree = render(self.sequence(depth + 1, "]"), tight=True)
        argument = self._argument(depth)
        sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree) or f"{superscript(degree)}√"
        return Piece(sign + bracketed(argument, is_simple(argument)), Kind.ATOM, made=True)

    def _in_font(self, name: str, depth: int) -> Piece:
        argument = self._argument(depth)
        piece = group(argument)
        piece.compound = piece.compound and not piece.text.isalnum()
        if name in {"mathbb", "mathbbm", "mathds", "bbm"}:
            piece.text = "".join(BLACKBOARD.get(letter, letter) for letter in piece.text)
        return piece

    def _at(self, character: str) -> bool:
        return self.position < len(self.tokens) and self.tokens[self.position][5] == character

    def _skip(self, character: str) -> None:
        if self._at(character):
            self.position += 1

    def _skip_space(self) -> None:
        while self.position < len(self.tokens) and self.tokens[self.position][3] is not None:
            self.position += 1


def _code_point(number: str) -> str:
    digits = number.strip().lower().replace("x", "0x", 1) if number.strip().lower().startswith("x") else number.strip()
    try:
        character = chr(int(digits, 0))
    except (ValueError, OverflowError):
        raise UnreadableTeX from None
    if not character.isprintable():
        raise UnreadableTeX
    return character


def _split(pieces: list[Piece], split: tuple[str, int] | None) -> list[Piece]:
    if split is None:
        return pieces
    name, at = split
    upper, lower = pieces[:at], pieces[at:]
    return [fraction(upper, lower) if name == "over" else choice(upper, lower)]
