"""XML as feeds write it, made well-formed: what is mended is what their authors' programs most often get wrong."""

import codecs
import re
from contextlib import suppress
from html.entities import html5

_DECLARATION = re.compile(rb"^\s*<\?xml[^>]{0,300}?\?>\s*", re.IGNORECASE)
_ENCODING = re.compile(rb"encoding\s*=\s*[\"']([\w.:-]{1,40})[\"']", re.IGNORECASE)
_NO_CHARACTERS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_FAULT = re.compile(
    r"&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#[xX][\da-fA-F]{1,6});)(?:([A-Za-z][A-Za-z\d]{1,31};))?|<(?![A-Za-z_/!?])"
)
_BEGIN, _END = "<![CDATA[", "]]>"


def mended(content: bytes) -> bytes:
    """Return the same in UTF-8, with bare ampersands, stray brackets, HTML's entities and controls made harmless.

    Tags that do not match stay as they are. Cost is linear.
    """
    text = _NO_CHARACTERS.sub("", _decoded(content))
    parts: list[str] = []
    place = 0
    # What stands in CDATA is no markup.
    while (start := text.find(_BEGIN, place)) >= 0 and (end := text.find(_END, start)) >= 0:
        parts += (_FAULT.sub(_harmless, text[place:start]), text[start:end])
        place = end
    parts.append(_FAULT.sub(_harmless, text[place:]))
    return "".join(parts).encode("utf-8", "replace")


def _harmless(fault: re.Match[str]) -> str:
    if fault[0].startswith("<"):
        return "&lt;"
    characters = html5.get(fault[1] or "")
    if characters is None:
        return "&amp;" + fault[0][1:]
    return "".join(f"&#{ord(character)};" for character in characters)


def _decoded(content: bytes) -> str:
    """Return the text without its declaration; in Windows-1252 where it is not in the encoding it names."""
    content = content.removeprefix(codecs.BOM_UTF8)
    declaration = _DECLARATION.match(content)
    named = _ENCODING.search(declaration[0]) if declaration else None
    body = content[declaration.end() :] if declaration else content
    for encoding in (named[1].decode("ascii") if named else "utf-8", "utf-8"):
        # ``decode`` knows encodings of text only, not those codecs of Python's that unpack.
        with suppress(LookupError, UnicodeError):
            return body.decode(encoding)
    return body.decode("cp1252", "replace")
