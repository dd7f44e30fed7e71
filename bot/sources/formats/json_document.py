"""JSON documents: an array of papers, one paper, or an object that holds the array; one after another, too."""

import json
from collections.abc import Container, Generator, Iterable, Iterator
from typing import Any, cast

import ijson
from ijson.common import ObjectBuilder

from bot.models import Refusal
from bot.sources.base import NOTHING_SAID, Defaults, RawPaper
from bot.sources.formats import records
from bot.sources.lines import LONGEST_RECORD, Pieces, TooLong

_BEGINS = frozenset({"start_map", "start_array"})
_ENDS = frozenset({"end_map", "end_array"})
_DEEPEST = 100
_MOST_VALUES = 300_000
"""Of one record; empty values take twenty times the memory that they take in the file."""

# An object that has one of these is a paper, whatever else it holds; a list may have a title of its own.
_OF_PAPERS = frozenset({"abstract", "paperId", "content"})
_OF_ITEMS = _OF_PAPERS | {"title", "Title", "paper", "citedPaper", "citingPaper", "summary", "content_html"}
_LISTS = frozenset({"notes", "data", "papers", "results", "recommendedPapers", "items", "entries", "records"})
_NO_LISTS = frozenset({"authors", "author", "references", "citations", "versions", "editors", "replies", "comments"})


def recognises(head: bytes) -> bool:
    """Return whether the content begins as an array, or as an object that does not end on its first line."""
    if head[:1] == b"[":
        return head[1:].lstrip()[:1] in {b"{", b"]", b"["}
    if head[:1] != b"{":
        return False
    first, newline, rest = head.partition(b"\n")
    if head[1:].lstrip()[:1] not in {b'"', b"}"}:
        return False
    try:
        record: object = json.loads(first)
    except (ValueError, RecursionError):
        # A line of JSON Lines may be broken; the next one then begins with a brace all the same.
        return not rest.lstrip(b" ").startswith(b"{") if newline else b"[" in first[:2000]
    return isinstance(record, dict) and _holds_papers(cast("dict[str, object]", record))


def read(parts: Iterable[bytes], defaults: Defaults = NOTHING_SAID) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper or a refusal for every object of the array; broken JSON ends it with the reason."""
    stream = Pieces(parts)
    number = 0
    try:
        for number, found in enumerate(_values(stream), 1):
            stream.record_ended()
            where = f"record {number}"
            if isinstance(found, _Unwieldy):
                yield Refusal(where=where, why=found.why)
            elif isinstance(found, dict):
                yield records.raw_paper(cast("dict[str, Any]", found), where=where, defaults=defaults)
            else:
                yield Refusal(where=where, why="It is not a JSON object.")
    except TooLong:
        yield Refusal(where=f"record {number + 1}", why=f"It is longer than {LONGEST_RECORD // 1024**2} MiB.")
    except (ijson.JSONError, UnicodeError, ValueError) as error:
        yield Refusal(
            where=f"record {number + 1}",
            why=f"The JSON is broken there ({_reason(error)}); what follows was not read.",
        )


class _Unwieldy:
    """Stands for a value that was not kept."""

    def __init__(self, why: str) -> None:
        self.why = why


_TOO_DEEP = _Unwieldy("The JSON is nested too deeply.")
_TOO_MANY = _Unwieldy("It holds more values than any paper does.")


def _reason(error: Exception) -> str:
    said: object = error.args[0] if error.args else ""
    # The parser says it in bytes where the file is not UTF-8.
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    return text.strip().partition("\n")[0].rstrip(".")[:100] or "it ends too early"


def _holds_papers(record: dict[str, object]) -> bool:
    """Return whether an object holds a list of papers, be it an empty one."""
    seen: set[str] = set()
    for name, value in record.items():
        if isinstance(value, list):
            items = cast("list[object]", value)
            if _is_list_of_papers(name, items[0], seen) if items else name in _LISTS and not _is_paper(seen):
                return True
        seen.add(name)
    return False


def _is_list_of_papers(name: str, first: object, seen: Container[str]) -> bool:
    """Return whether an array is the list that an object is about.

    Args:
        name: of the array in the object.
        first: what the array begins with.
        seen: the names that come before it in the object.
    """
    if name in _NO_LISTS or _is_paper(seen):
        return False
    is_likely = isinstance(first, dict) and not _OF_ITEMS.isdisjoint(cast("dict[str, object]", first))
    return is_likely or (name in _LISTS and "title" not in seen)


def _is_paper(names: Container[str]) -> bool:
    return any(name in names for name in _OF_PAPERS)


def _values(stream: Pieces) -> Generator[object]:
    """Yield the items of every outermost array, and of the arrays that an outermost object holds, or that object."""
    events = cast("Iterator[tuple[str, Any]]", ijson.basic_parse(stream, use_float=True, multiple_values=True))
    for event, value in events:
        if event == "start_array":
            yield from _items(events)
        elif event == "start_map":
            yield from _members(events)
        else:
            yield value


def _items(events: Iterator[tuple[str, Any]]) -> Generator[object]:
    for event, value in events:
        if event == "end_array":
            return
        yield _built(event, value, events)


def _members(events: Iterator[tuple[str, Any]]) -> Generator[object]:
    """Yield the items of every list of papers in an object, or the object itself where it is the paper."""
    plain: dict[str, object] = {}
    had_list = False
    number = 0
    for event, value in events:
        if event == "end_map":
            break
        key = str(value)
        number += 1
        event, value = next(events)  # noqa: PLW2901 - the value of the key
        items: list[object] = []
        if event != "start_array":
            found = _built(event, value, events)
        else:
            found = items
            inner = _items(events)
            for first in inner:
                if _is_list_of_papers(key, first, plain):
                    had_list = True
                    yield first
                    yield from inner
                    break
                items.append(first)
                for item in inner:
                    number += 1
                    if number <= _MOST_VALUES:
                        items.append(item)
        if number <= _MOST_VALUES:
            plain[key] = found
    unwieldy = next((value for value in plain.values() if isinstance(value, _Unwieldy)), None)
    if number > _MOST_VALUES:
        unwieldy = _TOO_MANY
    is_empty_list = any(plain.get(name) == [] for name in _LISTS) and not _is_paper(plain)
    if not had_list and not is_empty_list:
        yield plain if unwieldy is None else unwieldy


def _built(event: str, value: Any, events: Iterator[tuple[str, Any]]) -> object:
    """Return the value that begins with an event, or why it was not kept."""
    if event not in _BEGINS:
        return value
    builder: Any = ObjectBuilder()
    builder.event(event, value)
    depth = deepest = number = 1
    while depth:
        event, value = next(events)
        depth += (event in _BEGINS) - (event in _ENDS)
        deepest = max(deepest, depth)
        number += 1
        if deepest <= _DEEPEST and number <= _MOST_VALUES:
            builder.event(event, value)
    if deepest > _DEEPEST:
        return _TOO_DEEP
    return cast("object", builder.value) if number <= _MOST_VALUES else _TOO_MANY
