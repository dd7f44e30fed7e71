"""Superscripts and subscripts as Unicode has them."""

_LETTERS_UP = "abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW"
_RAISED = "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ"
_SUPERSCRIPTS = dict(
    zip("0123456789+-−=()" + _LETTERS_UP, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾" + _RAISED, strict=True),
) | {"*": "*", "∗": "*", "⋆": "*", "⊤": "ᵀ", "′": "′", "∘": "°", "†": "†", "‡": "‡"}
_SUBSCRIPTS = dict(
    zip("0123456789+-−=()aehijklmnoprstuvxβγρφχ", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓᵦᵧᵨᵩᵪ", strict=True),
)
_LONGEST_WITH_LETTERS = 4


def superscript(text: str) -> str:
    """Return ``text`` raised: in Unicode where it stays legible, else ``^x``, ``^word`` or ``^(x+y)``."""
    return _script(text, "^", _SUPERSCRIPTS)


def subscript(text: str) -> str:
    """Return ``text`` lowered: in Unicode where it stays legible, else ``_x``, ``_word`` or ``_(x+y)``."""
    return _script(text, "_", _SUBSCRIPTS)


def _script(text: str, sign: str, table: dict[str, str]) -> str:
    text = text.strip()
    if not text:
        return ""
    if _legible(text) and all(character in table for character in text):
        return "".join(table[character] for character in text)
    bare = (
        len(text) == 1
        or (text.isascii() and text.isalnum())
        or (text[0] == "(" and text[-1] == ")" and text.count("(") == 1)
    )
    return f"{sign}{text}" if bare else f"{sign}({text})"


def _legible(text: str) -> bool:
    """Raised brackets, long formulas and whole words are harder to read than ``^(…)`` and ``_max``."""
    if not any(character.isalpha() for character in text):
        return True
    word = len(text) > 2 and text.isalpha()
    return len(text) <= _LONGEST_WITH_LETTERS and not word and "(" not in text and "=" not in text
