"""The pieces of a formula, and the spaces and brackets a person types between them."""

import re
import unicodedata
from dataclasses import dataclass
from enum import Enum, auto

from bot.text.scripts import subscript, superscript
from bot.text.symbols import COMBINING, FUNCTIONS, is_operator

_SIMPLE = re.compile(r"[\d.,]+|\w\W?[′*]*[₀-₉ₐ-ₜᵢ-ᵪⱼ⁰-⁹ⁱ⁺-ⁿᵃ-ᶿᴬ-ᵂ²³¹]*|[∂√]\w[₀-₉]*|[√\w]?\([^()]*\)|\|[^|]*\|")


class Kind(Enum):
    """What a piece is to its neighbours."""

    ATOM = auto()
    """An operand."""
    WORD = auto()
    """A function's name: needs air to its operands."""
    OPERATOR = auto()
    """A relation or operation from a macro: one space on either side."""
    SIGN = auto()
    """The same, typed as a character: spaced as the author spaced it."""
    OPEN = auto()
    CLOSE = auto()
    POINT = auto()
    FRACTION = auto()
    SPACE = auto()


@dataclass(slots=True)
class Piece:
    """A part of a formula, already in Unicode."""

    text: str
    kind: Kind
    made: bool = False
    """Came from a macro, after which TeX needs a space that means nothing."""
    compound: bool = False
    """Several operands in braces: wants brackets under a script."""
    ragged: bool = False
    """Ends in a script without brackets, which a letter must not follow."""


_OPERANDS = frozenset({Kind.ATOM, Kind.WORD, Kind.FRACTION})
SPACE = Piece(" ", Kind.SPACE)


_CLOSING = ")]}⟩⌋⌉"


def of_character(character: str) -> Piece:
    """Return what a character typed in a formula is."""
    if character == "-":
        return Piece("−", Kind.SIGN)
    if character == "'":
        return Piece("′", Kind.CLOSE)
    if character in "([{⟨⌊⌈":
        return Piece(character, Kind.OPEN)
    if character in _CLOSING or character == "!":
        return Piece(character, Kind.CLOSE)
    if character in ",;.:…":
        return Piece(character, Kind.POINT)
    if character in "+=<>/*" or is_operator(character):
        return Piece(character, Kind.SIGN)
    return Piece(character, Kind.ATOM)


def of_symbol(name: str, text: str) -> Piece:
    """Return what a macro without arguments is."""
    if name in FUNCTIONS:
        return Piece(text, Kind.WORD, made=True)
    if text in {"∑", "∏", "∫", "∬", "∮"}:
        return Piece(text, Kind.WORD, made=True)
    if name == "mid" or is_operator(text):
        return Piece(text, Kind.OPERATOR, made=True)
    piece = of_character(text) if len(text) == 1 else Piece(text, Kind.ATOM)
    piece.made = True
    return piece


def group(pieces: list[Piece]) -> Piece:
    """Return what stands in braces as one operand."""
    text = render(pieces, tight=False)
    compound = len(pieces) > 1
    kind = pieces[0].kind if len(pieces) == 1 and pieces[0].kind is Kind.FRACTION else Kind.ATOM
    ragged = len(pieces) == 1 and pieces[0].ragged
    return Piece(text, kind, compound=compound, made=len(pieces) == 1 and pieces[0].made, ragged=ragged)


def choice(upper: list[Piece], lower: list[Piece]) -> Piece:
    """Return a binomial coefficient in words."""
    return Piece(f"({render(upper, tight=False)} choose {render(lower, tight=False)})", Kind.CLOSE)


def fraction(upper: list[Piece], lower: list[Piece]) -> Piece:
    """Return ``a/b``, with brackets around what would read wrongly without."""
    over = bracketed(upper, simple=is_simple(upper) or not _wants_brackets(upper))
    return Piece(f"{over}/{bracketed(lower, is_simple(lower))}", Kind.FRACTION, made=True)


def _wants_brackets(upper: list[Piece]) -> bool:
    """Tell whether ``/`` would divide only the last part: of a sum, or of ``log n``."""
    depth = 0
    for index, piece in enumerate(upper):
        if piece.kind is Kind.OPEN:
            depth += 1
        elif piece.kind is Kind.CLOSE and piece.text[:1] in _CLOSING:
            depth -= 1
        is_sum = depth <= 0 < index and piece.kind in {Kind.OPERATOR, Kind.SIGN, Kind.POINT}
        follows = upper[index + 1].kind if index + 1 < len(upper) else Kind.OPEN
        if piece.compound or is_sum or (piece.kind is Kind.WORD and follows not in {Kind.OPEN, Kind.SPACE}):
            return True
    return False


def is_simple(pieces: list[Piece]) -> bool:
    """Tell whether the pieces may follow a ``/`` or ``√`` without brackets."""
    text = render(pieces, tight=True)
    return bool(_SIMPLE.fullmatch(text)) or (len(pieces) == 1 and text.isalpha())


def bracketed(pieces: list[Piece], simple: bool) -> str:
    """Return the pieces without spaces, in brackets unless ``simple``."""
    text = render(pieces, tight=True)
    return text if simple else f"({text})"


def attach(pieces: list[Piece], script: str, sign: str) -> None:
    """Put a script on the last operand."""
    while pieces and pieces[-1] is SPACE:
        pieces.pop()
    written = superscript(script) if sign == "^" else subscript(script)
    ragged = written[:1] == sign and written[-1:].isalnum()
    if not pieces:
        pieces.append(Piece(written, Kind.ATOM, ragged=ragged))
        return
    base = pieces[-1]
    if base.compound or base.kind is Kind.FRACTION:
        base.text, base.kind, base.compound = f"({base.text})", Kind.ATOM, False
    base.text += written
    base.ragged = ragged
    base.made = True


def accented(name: str, pieces: list[Piece]) -> Piece:
    """Return the operand under its accent, or ``hat(AB)`` where it has several letters."""
    text = render(pieces, tight=True)
    if len(unicodedata.normalize("NFC", text)) == 1 or (
        text[:1].isalpha() and not text[1:2].isalnum() and len(text) < 3
    ):
        return Piece(unicodedata.normalize("NFC", text[0] + COMBINING[name] + text[1:]), Kind.ATOM, made=True)
    return Piece(f"{name.removeprefix('wide')}({text})", Kind.ATOM) if text else Piece("", Kind.ATOM)


def negated(pieces: list[Piece]) -> list[Piece]:
    """Return the pieces with the first one struck through."""
    if pieces:
        first = pieces[0]
        first.text = unicodedata.normalize("NFC", first.text[:1] + "\u0338" + first.text[1:])
    return pieces


def render(pieces: list[Piece], *, tight: bool) -> str:
    """Join pieces with the spaces a person would type; ``tight`` is for scripts and fractions."""
    solid: list[tuple[Piece, bool]] = []
    spaced = False
    for piece in pieces:
        if piece.kind is Kind.SPACE:
            spaced = True
        elif piece.text:
            solid.append((piece, spaced and bool(solid)))
            spaced = False
    out: list[str] = []
    for index, (piece, gap) in enumerate(solid):
        before = solid[index - 1][0] if index else None
        after, gap_after = solid[index + 1] if index + 1 < len(solid) else (None, False)
        text = piece.text
        if piece.kind in {Kind.OPERATOR, Kind.SIGN}:
            binary = before is not None and after is not None and before.kind in _OPERANDS | {Kind.CLOSE}
            airy = piece.kind is Kind.OPERATOR or (gap or gap_after)
            if binary and airy and not tight and text not in "/*":
                text = f" {text} "
            elif gap and before is not None and before.kind is Kind.POINT:
                text = f" {text}"
            out.append(text)
            continue
        if piece.kind is Kind.FRACTION and (_touches(before, left=True) or _touches(after, left=False)):
            text = f"({text})"
        if before is not None and _needs_space(before, piece, gap, tight):
            out.append(" ")
        out.append(text)
    return re.sub(r"\s+", " ", "".join(out)).strip()


def _touches(neighbour: Piece | None, *, left: bool) -> bool:
    if neighbour is None:
        return False
    return neighbour.kind in _OPERANDS | {Kind.CLOSE if left else Kind.OPEN}


def _needs_space(before: Piece, piece: Piece, gap: bool, tight: bool) -> bool:
    if before.kind in {Kind.OPERATOR, Kind.SIGN, Kind.OPEN}:
        return False
    if piece.kind in {Kind.CLOSE, Kind.POINT}:
        return False
    if before.kind is Kind.POINT:
        return gap and not tight
    if piece.kind is Kind.OPEN:
        return gap and before.kind is not Kind.WORD and not before.made and not tight
    if before.kind is Kind.WORD or piece.kind is Kind.WORD:
        return before.text[-1] != "·" and (
            piece.text[0].isalnum() or piece.text[0] in "√∑∏∫\\(" or before.text[-1].isalnum()
        )
    if before.ragged and piece.text[0].isalnum():
        return True
    return gap and not (before.made or piece.made)
