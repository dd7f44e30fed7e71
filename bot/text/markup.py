"""Entities and tags of HTML and JATS → the text they stand for."""

import html
import re
from html.entities import html5

from bot.text.scripts import subscript, superscript

_AMPERSANDS = re.compile(r"&(?:(?:amp|#38|#x26);)+(?=#?\w{1,32};)", re.IGNORECASE)
_ENTITY = re.compile(r"&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_TAG = re.compile(r"</?[A-Za-z]")

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


def has_markup(text: str) -> bool:
    """Tell whether ``without_markup`` might change ``text``."""
    return ("<" in text and _TAG.search(text) is not None) or ("&" in text and _ENTITY.search(text) is not None)


def without_markup(text: str) -> str:
    r"""Return ``text`` with entities decoded and known tags removed.

    A doubly escaped entity loses one layer or two; a tag that an entity hid is there only in the next call.
    ``<tex-math>`` becomes ``$``, scripts become Unicode; what only looks like a tag (``<sub, pred, obj>``) stays.
    """
    if "&" in text:
        text = _ENTITY.sub(_decoded, _AMPERSANDS.sub("&", text))
    return _without_tags(text) if "<" in text and ">" in text else text


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
