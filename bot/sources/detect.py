"""Which format a file is in, from how it begins; its name is not asked."""

import codecs
import difflib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from bot.errors import InvalidInput
from bot.models import Refusal
from bot.sources.base import Defaults, RawPaper
from bot.sources.formats import (
    acl_anthology,
    bibtex,
    feed,
    json_document,
    json_lines,
    markdown,
    oai_pmh,
    plain_list,
    ris,
    tables,
)


@dataclass(frozen=True, kw_only=True)
class Format:
    """One way in which papers are written down.

    Attributes:
        about: what it is, for a person.
        recognises: whether content that begins so (its first 64 KiB, UTF-8 where it can be, without a byte
            order mark and leading white space, never empty) is in the format.
        read: from pieces of the content to its records, in order.
        also: other names that people give it.
    """

    about: str
    recognises: Callable[[bytes], bool]
    read: Callable[[Iterable[bytes], Defaults], Iterator[RawPaper | Refusal]]
    also: tuple[str, ...] = ()


FORMATS = {
    "feed": Format(
        about="an RSS or Atom feed, arXiv's too",
        recognises=feed.recognises,
        read=feed.read,
        also=("rss", "atom", "arxiv"),
    ),
    "oai": Format(
        about="an OAI-PMH answer, arXiv's or in Dublin Core",
        recognises=oai_pmh.recognises,
        read=oai_pmh.read,
        also=("oai-pmh", "dublin-core", "dc"),
    ),
    "acl": Format(
        about="the ACL Anthology's XML",
        recognises=acl_anthology.recognises,
        read=acl_anthology.read,
        also=("anthology", "xml"),
    ),
    "json": Format(
        about="a JSON document: own, OpenReview, Semantic Scholar, papercopilot, Hugging Face",
        recognises=json_document.recognises,
        read=json_document.read,
        also=("openreview", "papercopilot", "semantic-scholar", "s2"),
    ),
    "jsonl": Format(
        about="JSON Lines of the same",
        recognises=json_lines.recognises,
        read=json_lines.read,
        also=("ndjson", "jsonlines"),
    ),
    "bibtex": Format(about="BibTeX", recognises=bibtex.recognises, read=bibtex.read, also=("bib", "biblatex")),
    "ris": Format(about="RIS", recognises=ris.recognises, read=ris.read, also=("endnote", "refman")),
    "csv": Format(
        about="a table with a heading: CSV, TSV",
        recognises=tables.recognises,
        read=tables.read,
        also=("tsv", "table", "zotero"),
    ),
    "markdown": Format(
        about="a list of papers in Markdown", recognises=markdown.recognises, read=markdown.read, also=("md", "readme")
    ),
    "list": Format(
        about="a plain list of abstracts",
        recognises=plain_list.recognises,
        read=plain_list.read,
        also=("text", "txt"),
    ),
}
"""The formats that can be read, by the name to give them on the command line; the first that recognises wins."""

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
    meant = {also: known for known, entry in FORMATS.items() for also in (known, *entry.also)}
    near = difflib.get_close_matches(name.strip().lower(), meant, n=1, cutoff=0.0)
    if near and meant[near[0]] != near[0] and near[0] == name.strip().lower():
        return meant[near[0]]
    shown = name if len(name) <= 40 else name[:39] + "…"
    suggested = meant[near[0]] if near else "list"
    raise InvalidInput(
        f"There is no format “{shown}”; did you mean “{suggested}”? The formats are: {', '.join(FORMATS)}."
    )


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
    if len(_CONTROLS.findall(body)) * 20 > len(body):
        return Detected(why="It is not text.")
    for name, entry in FORMATS.items():
        if entry.recognises(body):
            return Detected(format_name=name)
    if body.lower().startswith((b"<!doctype html", b"<html")):
        return Detected(why="It is a web page; save the list behind it, or give the site's name.")
    return Detected(
        why=f"It is in none of the formats that can be read ({', '.join(FORMATS)}), "
        f"and no paragraph has {plain_list.FEWEST_WORDS} words or more."
    )
