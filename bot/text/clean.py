"""Text from outside, made whole: entities, tags, ligatures, broken bytes, hard wraps."""

import html
import re
import unicodedata
from html.entities import html5

import ftfy
from ftfy.fixes import fix_c1_controls

from bot.text.scripts import subscript, superscript

_MOST_ROUNDS = 6
"""One round may uncover work for the next (an escaped tag); real text settles in two."""

_ENCODING = ftfy.TextFixerConfig(
    unescape_html=False,
    remove_terminal_escapes=False,
    restore_byte_a0=False,
    replace_lossy_sequences=False,
    fix_latin_ligatures=False,
    fix_character_width=False,
    uncurl_quotes=False,
    fix_line_breaks=False,
    fix_surrogates=False,
    remove_control_chars=False,
    normalization=None,
)

# "\beta" written with a single backslash in JSON arrives as a backspace and "eta".
_EATEN_MACROS = re.compile(
    r"\x08(?=[a-z]{2})|\x0c(?=rac\b|orall|lat\b)|\x07(?=lpha|pprox|st\b)|\x0b(?=arepsilon|arphi|ec\b|ert)"
    r"|\t(?=imes\b|heta\b|ilde\b|ext\{|extbf\{|extit\{)|\r(?=ightarrow|ho\b)",
)
_EATEN_LETTERS = {"\x08": "\\b", "\x0c": "\\f", "\x07": "\\a", "\x0b": "\\v", "\t": "\\t", "\r": "\\r"}

_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"},
)

_AMPERSANDS = re.compile(r"&(?:(?:amp|#38|#x26);)+(?=#?\w{1,32};)", re.IGNORECASE)
_ENTITY = re.compile(r"&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

_BLOCK_TAGS = "p|br|div|li|ul|ol|title|sec|section|list|list-item|h[1-6]|tr|td|th|table|blockquote"
_INLINE_TAGS = (
    "em|strong|span|small|font|code|tt|sc|italic|bold|underline|monospace|fixed-case|tex|inline-formula|alternatives"
    "|named-content|styled-content|ext-link|xref|abstract|math|mi|mo|mn|mrow|msub|msup|mtext|semantics|annotation"
)
_ATTRIBUTES = r"(?:\s[^<>]{0,400})?\s?/?"
_PREFIX = r"(?:jats:|mml:)?"
_SCRIPT_TAG = re.compile(
    rf"<{_PREFIX}(sub|sup){_ATTRIBUTES}>([^<>]{{0,80}})</{_PREFIX}\1\s?>",
    re.IGNORECASE,
)
_TEX_TAG = re.compile(rf"</?{_PREFIX}(?:tex-math|inline-tex){_ATTRIBUTES}>", re.IGNORECASE)
_BLOCK = re.compile(rf"</?{_PREFIX}(?:{_BLOCK_TAGS}){_ATTRIBUTES}>", re.IGNORECASE)
_INLINE = re.compile(rf"</?{_PREFIX}(?:{_INLINE_TAGS}|sub|sup){_ATTRIBUTES}>|<a\s+href{_ATTRIBUTES}>", re.IGNORECASE)
# One letter between angle brackets may be mathematics; its end tag proves that it is not.
_LETTER = {letter: re.compile(rf"</?(?:jats:)?{letter}{_ATTRIBUTES}>", re.IGNORECASE) for letter in "ibua"}

_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])\x02(?=[^\W\d_])|\xad(?=[^\S\n]{0,20}\n)")
_HYPHEN_AT_LINE_END = re.compile(r"(?<=\w)[-‐][^\S\n]{0,40}\n\s{0,40}(?=(\w{1,40})(-?))")
_HEAD = re.compile(r"(-?)([^\W\d_]+)$")
_SUSPENDED = frozenset({"and", "or", "to", "nor", "vs", "und", "oder", "et", "ou"})
# Words that stand before a hyphen of their own far more often than they are split after their last letter.
_COMPOUND_HEADS = frozenset(
    "all anti black bottom class closed coarse context cost cross data deep domain double end event ever example "
    "fast feature few fine first five four free full general graph ground half hand hard head high higher human "
    "ill image in instance knowledge label language large least left long longer loop low lower machine many mean "
    "mid model monte much near non object off on one open out pixel plug point post pre privacy question quasi "
    "real right robot scale second self semi sentence short single six small so soft sparse speech spatio state "
    "step task test text third three time token top train training two user variance vision well wide word "
    "zero".split(),
) - {"in", "on", "so", "pre", "non", "mid", "many", "out", "off", "all", "head", "second", "loop", "left"}

_BIDI_AND_WIDTHLESS = re.compile(r"[\xad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]")
# Joiners belong to emoji and to Indic and Arabic script; beside Latin they are junk.
_STRAY_JOINER = re.compile(
    r"(?<![^\x00-\u036f\u2000-\u206f])[\u200c\u200d]|[\u200c\u200d](?![^\x00-\u036f\u2000-\u206f])"
)
_UNPRINTABLE = re.compile(
    r"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U000f0000-\U0010ffff]"
)


def clean_text(text: str) -> str:
    """Return ``text`` on one line with what broke on its way mended, and nothing else changed.

    Entities are decoded (doubly escaped ones too), tags of HTML and JATS removed, ligatures and wrapped words
    joined, bytes read in the wrong encoding read again where that is beyond doubt, invisible characters dropped,
    white space made single spaces. TeX is left as it is, but for ``<tex-math>``, which becomes ``$…$``. A second
    call changes nothing. Linear in the length of the text.
    """
    # Most texts have nothing to mend, and these tests cost a hundredth of one round.
    if text.isascii() and text.isprintable() and not any(mark in text for mark in ("&", "<", "  ")):
        return text.strip(" ")
    for _ in range(_MOST_ROUNDS):
        cleaned = _one_round(text)
        if cleaned == text:
            break
        text = cleaned
    return text


def _one_round(text: str) -> str:
    has_controls = not text.isprintable()
    if has_controls:
        text = _EATEN_MACROS.sub(lambda match: _EATEN_LETTERS[match[0]], text)
    if not text.isascii():
        text = _mended_characters(text)
        has_controls = not text.isprintable()
    if has_controls:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "&" in text:
        text = _ENTITY.sub(_decoded, _AMPERSANDS.sub("&", text))
    if "<" in text and ">" in text:
        text = _without_tags(text)
    if has_controls or not text.isprintable():
        text = _BROKEN_WORD.sub("-\n", text)
        if "\n" in text:
            text = _HYPHEN_AT_LINE_END.sub(_joined, text)
        text = _UNPRINTABLE.sub("", text)
    if not text.isascii():
        text = text.replace("\u2028", " ").replace("\u2029", " ")
        text = _STRAY_JOINER.sub("", _BIDI_AND_WIDTHLESS.sub("", text))
        text = unicodedata.normalize("NFC", text.translate(_LIGATURES))
    return " ".join(text.split())


def _mended_characters(text: str) -> str:
    text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return fix_c1_controls(ftfy.fix_encoding(text, _ENCODING))


def _decoded(match: re.Match[str]) -> str:
    name = match[1]
    if name[0] == "#" or f"{name};" in html5:
        return html.unescape(match[0])
    return match[0]


def _without_tags(text: str) -> str:
    text = _TEX_TAG.sub("$", text)
    text = _SCRIPT_TAG.sub(lambda match: _scripted(match[1], match[2]), text)
    text = _INLINE.sub("", _BLOCK.sub(" ", text))
    lowered = text.lower()
    for letter, tag in _LETTER.items():
        if f"</{letter}>" in lowered or f"</jats:{letter}>" in lowered:
            text = tag.sub("", text)
    return text


def _scripted(kind: str, content: str) -> str:
    return subscript(content) if kind.lower() == "sub" else superscript(content)


def _joined(match: re.Match[str]) -> str:
    """Decide what a hyphen at the end of a line was: part of a compound, or the line's."""
    following, hyphen_after = match[1], match[2]
    head = _HEAD.search(match.string, max(0, match.start() - 40), match.start())
    if following in _SUSPENDED:
        return "- "
    if head is None or head[1] or hyphen_after or not following[0].islower() or head[2].lower() in _COMPOUND_HEADS:
        return "-"
    return ""
