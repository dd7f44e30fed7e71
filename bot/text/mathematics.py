"""One formula in TeX → the same formula as a person types it without TeX."""

import re
from collections.abc import Callable

from bot.text import units
from bot.text.scripts import superscript
from bot.text.symbols import (
    BLACKBOARD,
    COMBINING,
    FUNCTIONS,
    MATH_FONTS,
    SILENT,
    SPACES,
    TEXT_FONTS,
    symbols,
)
from bot.text.tokens import Tokens, UnreadableTeX
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

_ROW_END = "; "

_DOUBLED = re.compile(r"\\\\(?=[{}%&_#$]|([A-Za-z]{2,}))")
_DELIMITERS = {"norm": "‖", "abs": "|", "lVert": "‖", "rVert": "‖"}
_WITHOUT_MEANING = frozenset({"hspace", "vspace", "phantom", "hphantom", "vphantom", "label", "color", "textcolor"})
_ENVIRONMENTS = frozenset(
    "matrix pmatrix bmatrix Bmatrix vmatrix Vmatrix smallmatrix cases array split aligned alignedat gathered "
    "align equation gather multline subarray".split(),
)
_MACRO_ARGUMENTS = frozenset({"url", "href"})


def plain(source: str, convert_text: Callable[[str], str]) -> str:
    r"""Return the formula ``source`` (without delimiters) in Unicode, on one line.

    Args:
        source: TeX in math mode; cost is linear in its length.
        convert_text: what becomes of the words in ``\text{…}``.

    Raises:
        UnreadableTeX: its braces do not match, or it is nested deeper than ``DEEPEST``.
    """
    known = symbols()
    has_rows = "\\begin" in source
    source = _DOUBLED.sub(
        lambda match: "\\" if (_is_known(match[1], known) if match[1] else not has_rows) else match[0], source
    )
    formula = _Formula(source, convert_text)
    return render(formula.sequence(0, None), tight=False)


def _is_known(name: str, known: dict[str, str]) -> bool:
    return name in known or name in MATH_FONTS or name in TEXT_FONTS or name in SILENT or name in {"frac", "sqrt"}


class _Formula:
    """The tokens of one formula and how far they are read."""

    def __init__(self, source: str, convert_text: Callable[[str], str]) -> None:
        self.tokens = Tokens(source)
        self.convert_text = convert_text
        # An alignment whose ``\begin`` is not part of the formula has rows too.
        self.rows = int("&" in source)

    def sequence(self, depth: int, closer: str | None) -> list[Piece]:
        if depth > DEEPEST:
            raise UnreadableTeX
        pieces: list[Piece] = []
        split: tuple[str, int] | None = None
        while token := self.tokens.peek():
            if token[5] == closer and closer is not None:
                self.tokens.take()
                return _split(pieces, split)
            if token[1] in {"over", "choose", "atop"} and split is None:
                self.tokens.take()
                split = (token[1], len(pieces))
                continue
            self._one(pieces, depth)
        if closer is not None:
            raise UnreadableTeX
        return _split(pieces, split)

    def _one(self, pieces: list[Piece], depth: int) -> None:
        token = self.tokens.take()
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
            self.tokens.skip_space()
            return [Piece(_ROW_END, Kind.POINT)] if self.rows and self.tokens.peek() else [SPACE]
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
            pieces.append(Piece(self.convert_text(self.tokens.raw_argument()), Kind.ATOM))
        elif name in MATH_FONTS:
            pieces.append(self._in_font(name, depth))
        elif name in {"operatorname", "DeclareMathOperator"}:
            self.tokens.skip("*")
            pieces.append(Piece(render(self._argument(depth), tight=True), Kind.WORD))
        elif name in SILENT:
            if name in {"left", "right", "middle"}:
                self.tokens.skip(".")
        elif name in SPACES:
            pieces.append(SPACE)
        elif name in known:
            pieces.append(of_symbol(name, known[name]))
        elif not self._construction(name, pieces, depth):
            # A macro that the authors made: its name is all that is known of what it shows.
            pieces.append(Piece(name, Kind.WORD))
            while self.tokens.at("{"):
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
                self._environment(name, pieces)
            case _ if name in units.ARGUMENTS and self.tokens.skip_options():
                arguments = [self.tokens.raw_argument() for _ in range(units.ARGUMENTS[name])]
                pieces.append(Piece(units.quantity(name, arguments), Kind.ATOM))
            case "unicode":
                pieces.append(Piece(_code_point(self.tokens.raw_argument()), Kind.ATOM))
            case _ if name in _WITHOUT_MEANING:
                self.tokens.raw_argument()
            case _ if name in _MACRO_ARGUMENTS:
                arguments = [f"{{{self.tokens.raw_argument()}}}"]
                if name == "href":
                    arguments.append(f"{{{self.tokens.raw_argument()}}}")
                pieces.append(Piece(self.convert_text(f"\\{name}{''.join(arguments)}"), Kind.ATOM))
            case _:
                return False
        return True

    def _environment(self, name: str, pieces: list[Piece]) -> None:
        environment = self.tokens.raw_argument().rstrip("*")
        if environment not in _ENVIRONMENTS:
            raise UnreadableTeX
        if name == "begin" and environment == "array":
            self.tokens.raw_argument()
        self.rows += 1 if name == "begin" else -1
        if name == "end" and pieces and pieces[-1].text == _ROW_END:
            pieces.pop()

    def _argument(self, depth: int) -> list[Piece]:
        """Read what a macro or a script takes: a group, a macro with its arguments, or one character."""
        self.tokens.skip_space()
        token = self.tokens.peek()
        if token is None:
            raise UnreadableTeX
        if self.tokens.skip("{"):
            return self.sequence(depth + 1, "}")
        if token[5] is not None and token[5] in "}^_":
            raise UnreadableTeX
        if token[4] is not None and len(token[4]) > 1:
            return [Piece(self.tokens.digit(), Kind.ATOM)]
        if depth >= DEEPEST:
            raise UnreadableTeX
        pieces: list[Piece] = []
        self._one(pieces, depth + 1)
        return pieces

    def _script(self, sign: str, pieces: list[Piece], depth: int) -> None:
        script = render(self._argument(depth), tight=True)
        attach(pieces, script, sign)

    def _root(self, depth: int) -> Piece:
        degree = ""
        if self.tokens.skip("["):
            degree = render(self.sequence(depth + 1, "]"), tight=True)
        argument = self._argument(depth)
        sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree) or f"{superscript(degree)}√"
        return Piece(sign + bracketed(argument, is_simple(argument)), Kind.ATOM, made=True)

    def _in_font(self, name: str, depth: int) -> Piece:
        argument = self._argument(depth)
        piece = group(argument)
        piece.compound = piece.compound and not piece.text.isalnum()
        if name == "mathop" or piece.text in FUNCTIONS:
            piece.kind = Kind.WORD
        if name in {"mathbb", "mathbbm", "mathds", "bbm"}:
            piece.text = "".join(BLACKBOARD.get(letter, letter) for letter in piece.text)
        return piece


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
