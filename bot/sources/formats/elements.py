"""XML, one record at a time: neither entities nor anything from outside the file is ever looked up."""

import re
from collections.abc import Iterable, Iterator
from typing import cast
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse

from bot.models import Refusal
from bot.sources.lines import LONGEST_RECORD, Pieces, TooLong

_DEEPEST = 200
_MOST_ELEMENTS = 100_000
"""Of one record; empty elements take twenty times the memory that they take in the file."""

_LONGEST_DECLARATION = 400
_SAYS_UTF_16 = re.compile(
    rb"^(\xef\xbb\xbf)?(<\?xml[^>]{0,200}?encoding\s*=\s*)([\"'])utf-?(?:16|32)[^\"']*\3", re.IGNORECASE
)


def name_of(element: Element) -> str:
    """Return an element's name without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""  # pyright: ignore[reportUnnecessaryIsInstance] - comments


class _Unwieldy(Exception):
    """Why a record is not gathered to its end."""


def elements(
    parts: Iterable[bytes],
    names: frozenset[str],
    kept: frozenset[str] = frozenset(),
    *,
    around: list[Element] | None = None,
) -> Iterator[Element | Refusal]:
    """Yield each element of one of these names once it is whole, and forget it afterwards.

    What is inside another element that is yielded comes with that one only. XML that is broken, or that
    declares entities, ends it with a refusal.

    Args:
        parts: the file.
        names: without namespaces.
        kept: likewise; yielded too, but not counted as records.
        around: a list that is kept filled with the elements in which the current one lies, the outermost first.
    """
    stream = Pieces(_as_declared(parts))
    number = 0
    open_elements = around if around is not None else []
    inside = since = 0
    try:
        for event, element in iterparse(stream, events=("start", "end"), forbid_external=True):
            name = name_of(element)
            is_wanted = name in names or name in kept
            if event == "start":
                open_elements.append(element)
                inside += is_wanted
                since += 1
                if len(open_elements) > _DEEPEST:
                    raise _Unwieldy("The XML is nested too deeply there; what follows was not read.")
                if since > _MOST_ELEMENTS:
                    raise _Unwieldy("It holds more than any paper does; what follows was not read.")
                continue
            open_elements.pop()
            inside -= is_wanted
            if inside == 0 and is_wanted:
                number += name in names
                yield element
            if inside == 0:
                stream.record_ended()
                since = 0
                if open_elements:
                    open_elements[-1].remove(element)
    except TooLong:
        yield Refusal(where=f"record {number + 1}", why=f"It is longer than {LONGEST_RECORD // 1024**2} MiB.")
    except _Unwieldy as unwieldy:
        yield Refusal(where=f"record {number + 1}", why=str(unwieldy))
    except DefusedXmlException:
        yield Refusal(
            where=f"record {number + 1}", why="The XML declares entities of its own, which is not safe to read."
        )
    except (ParseError, ValueError, LookupError) as error:
        place = cast("tuple[int, int] | None", getattr(error, "position", None))
        where = f"line {place[0]}" if place else f"record {number + 1}"
        yield Refusal(where=where, why="The XML is broken there; what follows was not read.")


def text_of(element: Element | None, marks: dict[str, str] | None = None) -> str:
    """Return all the text in an element; the content of elements named in ``marks`` stands between such marks."""
    if element is None:
        return ""
    parts: list[str] = []
    # A stack, since elements may be nested deeper than calls can be.
    waiting: list[tuple[Element | None, str]] = [(element, "")]
    while waiting:
        current, written = waiting.pop()
        if current is None:
            parts.append(written)
            continue
        mark = (marks or {}).get(name_of(current), "")
        parts.append(mark + (current.text or ""))
        waiting.append((None, mark))
        for child in reversed(current):
            waiting.append((None, child.tail or ""))
            waiting.append((child, ""))
    return "".join(parts)


def child(element: Element, *names: str) -> Element | None:
    """Return the first child of one of these names, whatever its namespace."""
    return next((found for found in element if name_of(found) in names), None)


def children(element: Element, name: str) -> list[Element]:
    """Return the children of a name, whatever their namespace."""
    return [found for found in element if name_of(found) == name]


def as_record(element: Element) -> dict[str, list[str]]:
    """Return the texts of an element's children by their names."""
    record: dict[str, list[str]] = {}
    for found in element:
        record.setdefault(name_of(found), []).append(text_of(found))
    return record


def begins(head: bytes) -> str:
    """Return the name of the outermost element, without its prefix and in small letters; empty for no XML."""
    found = re.match(
        rb"(?:\s|<\?[^>]*\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\])?\s*>)*<(?:[\w.-]+:)?([\w.-]+)", head, re.DOTALL
    )
    return found[1].decode("ascii", "replace").lower() if found else ""


def _as_declared(parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the pieces; a file that was in UTF-16 is UTF-8 by now, whatever its first line says."""
    waiting = iter(parts)
    first = b""
    for part in waiting:
        first += part
        if len(first) >= _LONGEST_DECLARATION or b"?>" in first:
            break
    yield _SAYS_UTF_16.sub(rb"\2\3utf-8\3", first)
    yield from waiting
