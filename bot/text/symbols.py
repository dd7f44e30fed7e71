"""What TeX's macros stand for."""

import functools
import unicodedata
from collections.abc import Iterable
from typing import Protocol, cast

from pylatexenc.latex2text import get_default_latex_context_db

_OURS = {
    "Im": "ℑ", "Re": "ℜ", "ne": "≠", "colon": ":", "iff": "⟺", "implies": "⟹", "impliedby": "⟸",
    "prime": "′", "S": "§", "P": "¶", "copyright": "©", "checkmark": "✓", "degree": "°", "euro": "€", "pounds": "£",
    "eps": "ε", "reals": "ℝ", "ast": "∗", "star": "⋆", "lbrace": "{", "rbrace": "}", "lbrack": "[", "rbrack": "]",
    "dotsc": "…", "dotsb": "⋯", "dotso": "…", "cdotp": "·", "bullet": "•", "coloneqq": "≔",
    "LaTeX": "LaTeX", "TeX": "TeX", "BibTeX": "BibTeX", "xspace": "", "backslash": "\\", "textbackslash": "\\",
    "textasciitilde": "~", "textasciicircum": "^", "textquotesingle": "'", "textendash": "–", "textemdash": "—",
    "textquoteleft": "‘", "textquoteright": "’", "textquotedblleft": "“", "textquotedblright": "”", "ldots": "…",
    "textregistered": "®", "texttrademark": "™", "textdegree": "°", "textmu": "µ", "texttimes": "×",
    "textgreater": ">", "textless": "<", "textbar": "|", "textunderscore": "_", "textbullet": "•",
    "ie": "i.e.", "eg": "e.g.", "etal": "et al.", "etc": "etc.", "wrt": "w.r.t.", "iid": "i.i.d.", "vs": "vs.",
    "mathsection": "§", "vert": "|", "lvert": "|", "rvert": "|", "bmod": "mod", "dj": "đ", "DJ": "Đ",
    "land": "∧", "lor": "∨", "lnot": "¬", "gets": "←", "R": "ℝ", "RR": "ℝ", "bbR": "ℝ", "ZZ": "ℤ", "calO": "O",
}  # fmt: skip

FUNCTIONS = frozenset(
    "arccos arcsin arctan arg argmax argmin cos cosh cot coth csc deg det diag dim div erf exp gcd grad hom inf "
    "ker lcm lg lim liminf limsup ln log logit lse max med min mod poly polylog proj rank relu sec sgn sigmoid "
    "sign sin sinh softmax span sup supp tan tanh tr trace vec Cov Pr Tr Var KL ReLU bmod".split(),
) - {"vec"}

BLACKBOARD = {"C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ", "1": "𝟙"}

COMBINING = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0304",
    "overline": "\u0304", "dot": "\u0307", "ddot": "\u0308", "vec": "\u20d7", "overrightarrow": "\u20d7",
    "check": "\u030c", "widecheck": "\u030c", "breve": "\u0306", "acute": "\u0301", "grave": "\u0300",
    "mathring": "\u030a", "Tilde": "\u0303", "Hat": "\u0302", "Bar": "\u0304",
    "wt": "\u0303", "wh": "\u0302",
}  # fmt: skip

TEXT_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "u": "\u0306", "v": "\u030c", "d": "\u0323",
    "b": "\u0331",
}  # fmt: skip

TEXT_LETTERS = {
    "L": "Ł", "l": "ł", "O": "Ø", "o": "ø", "ss": "ß", "SS": "ẞ", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
    "ng": "ŋ", "NG": "Ŋ",
}  # fmt: skip

MATH_FONTS = frozenset(
    "mathcal mathscr mathfrak mathbf mathbb mathbbm mathds boldsymbol bm bold pmb mathrm mathit mathsf mathtt "
    "mathnormal mathbfcal bbm ensuremath mathop mathbin mathrel mathord mathpunct mathopen mathclose underline "
    "underbrace overbrace boxed cancel smash mc mat vct ce".split(),
)
TEXT_FONTS = frozenset(
    "text textrm textbf textit textsc texttt textsf textsl textup textmd textnormal textlf emph mbox hbox fbox "
    "underline uline uppercase lowercase textstyle textquote textgreek enquote".split(),
) - {"textstyle"}
SWITCHES = frozenset(
    "em bf it rm tt sc sf sl cal bfseries itshape rmfamily ttfamily scshape sffamily slshape mdseries upshape "
    "normalfont boldmath small large Large tiny footnotesize scriptsize normalsize displaystyle textstyle "
    "scriptstyle scriptscriptstyle".split(),
)
SILENT = (
    frozenset(
        "left right middle big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm Bigm limits nolimits "
        "nonumber notag noindent protect relax centering par allowbreak nobreak hfill".split(),
    )
    | SWITCHES
)
SPACES = frozenset("quad qquad enspace thinspace enskip space newline linebreak ".split())

_NEVER_SPACED = frozenset("∞∂∇∑∏∐∫∬∭∮√∅∀∃∄¬⊤⊥∘′♮♭♯∠△□⋯⋮⋱|~")


class _Macro(Protocol):
    """What is used of pylatexenc's description of a macro, which carries no types."""

    macroname: str
    simplify_repl: object


class _Context(Protocol):
    def iter_macro_specs(self) -> Iterable[_Macro]: ...


@functools.cache
def symbols() -> dict[str, str]:
    """Return what each macro without arguments stands for, by its name without the backslash."""
    table: dict[str, str] = {}
    context = cast("_Context", get_default_latex_context_db())
    for spec in context.iter_macro_specs():
        name, replacement = spec.macroname, spec.simplify_repl
        if isinstance(replacement, str) and len(replacement) == 1 and name.isalpha() and not replacement.isspace():
            table.setdefault(name, replacement)
    for name in (*TEXT_ACCENTS, *COMBINING, *MATH_FONTS, *TEXT_FONTS, *SILENT):
        table.pop(name, None)
    table |= {name: name for name in FUNCTIONS}
    return table | {"limsup": "lim sup", "liminf": "lim inf"} | _OURS


def is_operator(symbol: str) -> bool:
    """Tell whether ``symbol`` stands between two operands with a space on either side."""
    if symbol in _NEVER_SPACED or len(symbol) != 1:
        return False
    return unicodedata.category(symbol) == "Sm" or "\u2190" <= symbol <= "\u21ff" or "\u27f5" <= symbol <= "\u27ff"
