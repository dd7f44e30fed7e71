"""Which format a file is in, from how it begins; its name is not asked."""

import codecs
import difflib
import re
from dataclasses import dataclass

from bot.errors import InvalidInput

LIST = "list"
JSONL = "jsonl"
FORMATS = {LIST: "a plain list of abstracts", JSONL: "JSON Lines"}
"""The formats that can be read, by the name to give them on the command line."""

FEWEST_WORDS = 20
"""A paragraph with fewer words is no abstract."""

_SIGNATURES = (
    (b"%PDF", "a PDF"),
    (b"PK\x03\x04", "a ZIP archive or an Office document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"SQLite format 3", "a database"),
    (b"\x7fELF", "a program"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"7z\xbc\xaf", "a 7z archive"),
)
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


@dataclass(frozen=True, kw_only=True)
class Detected:
    """A format of ``FORMATS``, or None and why the content is in none of them."""

    format_name: str | None = None
    why: str = ""


def checked_format(name: str | None) -> str | None:
    """Return the name of a format as it is spelt in ``FORMATS``; None stays None.

    Raises:
        InvalidInput: there is no such format.
    """
    if name is None or name.strip().lower() in FORMATS:
        return name and name.strip().lower()
    near = difflib.get_close_matches(name.strip().lower(), [*FORMATS, "json", "text", "txt"], n=1, cutoff=0.0)
    meant = {"json": JSONL, "text": LIST, "txt": LIST}.get(near[0], near[0]) if near else LIST
    shown = name if len(name) <= 40 else name[:39] + "…"
    raise InvalidInput(f"There is no format “{shown}”; did you mean “{meant}”? The formats are: {', '.join(FORMATS)}.")


def encoding_mark(head: bytes) -> str | None:
    """Return the encoding that a byte order mark names, if it is not UTF-8's."""
    return next((encoding for mark, encoding in _MARKS if head.startswith(mark)), None)


def detect(head: bytes) -> Detected:
    """Return the format of the content that begins with ``head``, its first 64 KiB, as UTF-8 where it can be."""
    body = head.removeprefix(codecs.BOM_UTF8).lstrip()
    for signature, kind in _SIGNATURES:
        if head.startswith(signature):
            return Detected(why=f"It is {kind}, not text.")
    if not body:
        return Detected(why="It is empty.")
    starts = [line.lstrip()[:1] for line in body.split(b"\n") if line.strip()][:50]
    if starts.count(b"{") * 2 > len(starts) or _is_first_object(body):
        return Detected(format_name=JSONL)
    if len(_CONTROLS.findall(body)) * 20 > len(body):
        return Detected(why="It is not text; only plain lists and JSON Lines can be read.")
    if re.match(rb"\[\s*[{\]]", body):
        return Detected(why="It is one JSON array; write one JSON object a line instead.")
    if body.startswith((b"<?xml", b"<!", b"<html", b"<rss", b"<feed")):
        return Detected(why="It is XML or HTML; only plain lists and JSON Lines can be read.")
    if re.match(rb"@\w+\s*\{|TY {2}- ", body):
        return Detected(why="It is BibTeX or RIS; only plain lists and JSON Lines can be read.")
    paragraphs = re.split(rb"\n\s*\n", body)
    if any(len(paragraph.split()) >= FEWEST_WORDS for paragraph in paragraphs):
        return Detected(format_name=LIST)
    return Detected(why=f"It has no JSON object and no paragraph of {FEWEST_WORDS} words or more.")


def _is_first_object(body: bytes) -> bool:
    return re.match(rb'\{\s*(?:"|\})', body) is not None
