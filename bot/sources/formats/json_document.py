"""A JSON document: an array of papers, one paper, or an object that holds the array."""

import json
from collections.abc import Generator, Iterable, Iterator
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
    return not rest.strip() and isinstance(record, dict) and _array_of(cast("dict[str, object]", record)) is not None


def read(parts: Iterable[bytes], defaults: Defaults = NOTHING_SAID) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper or a refusal for every object of the array; broken JSON ends it with the reason."""
    stream = Pieces(parts)
    number = 0
    try:
        for number, found in enumerate(_values(stream), 1):
            stream.record_ended()
            where = f"record {number}"
            if found is _TOO_DEEP:
                yield Refusal(where=where, why="The JSON is nested too deeply.")
            elif isinstance(found, dict):
                yield records.raw_paper(cast("dict[str, Any]", found), where=where, defaults=defaults)
            else:
                yield Refusal(where=where, why="It is not a JSON object.")
    except TooLong:
        yield Refusal(where=f"record {number + 1}", why=f"It is longer than {LONGEST_RECORD // 1024**2} MiB.")
    except (ijson.JSONError, UnicodeError, ValueError) as error:
        said = str(error.args[0] if error.args else error).splitlines()
        reason = said[0][:100] if said else "it ends too early"
        yield Refusal(
            where=f"record {number + 1}", why=f"The JSON is broken there ({reason}); what follows was not read."
        )


_TOO_DEEP = object()


def _array_of(record: dict[str, object]) -> str | None:
    """Return the name under which an object holds an array of papers."""
    if any(name in record for name in ("title", "content", "abstract", "paperId")):
        return None
    for name, value in record.items():
        items = cast("list[object]", value) if isinstance(value, list) else []
        if any(isinstance(one, dict) for one in items):
            return name
    return None


def _values(stream: Pieces) -> Generator[object]:
    """Yield the items of the outermost array, or of the arrays that the outermost object holds, or that object."""
    events = cast("Iterator[tuple[str, Any]]", ijson.basic_parse(stream, use_float=True))
    event, value = next(events)
    if event == "start_array":
        yield from _items(events)
    elif event != "start_map":
        yield value
    else:
        yield from _members(events)


def _items(events: Iterator[tuple[str, Any]]) -> Generator[object]:
    for event, value in events:
        if event == "end_array":
            return
        yield _built(event, value, events)


def _members(events: Iterator[tuple[str, Any]]) -> Generator[object]:
    """Yield the items of every array of objects in an object, or the object itself where it is the paper."""
    plain: dict[str, object] = {}
    is_paper = had_items = False
    for event, value in events:
        if event == "end_map":
            break
        key = str(value)
        is_paper = is_paper or key in {"title", "content", "abstract", "paperId"}
        event, value = next(events)  # noqa: PLW2901 - the value of the key
        if event != "start_array" or is_paper:
            plain[key] = _built(event, value, events)
            continue
        first = next(events)
        if first[0] != "start_map":
            plain[key] = _rest_of_array(first, events)
            continue
        # Whether the object is one paper shows by its keys; an array of objects that comes first is its list.
        had_items = True
        yield _built(*first, events)
        yield from _items(events)
    if not had_items:
        empty = [name for name, value in plain.items() if value == []]
        if is_paper or not empty:
            yield plain


def _rest_of_array(first: tuple[str, Any], events: Iterator[tuple[str, Any]]) -> list[object]:
    found: list[object] = []
    event, value = first[0], first[1]
    while event != "end_array":
        found.append(_built(event, value, events))
        event, value = next(events)
    return found


def _built(event: str, value: Any, events: Iterator[tuple[str, Any]]) -> object:
    """Return the value that begins with an event; ``_TOO_DEEP`` for one nested deeper than any paper's."""
    if event not in _BEGINS:
        return value
    builder: Any = ObjectBuilder()
    builder.event(event, value)
    depth = deepest = 1
    while depth:
        event, value = next(events)
        depth += (event in _BEGINS) - (event in _ENDS)
        deepest = max(deepest, depth)
        if deepest <= _DEEPEST:
            builder.event(event, value)
    return _TOO_DEEP if deepest > _DEEPEST else cast("object", builder.value)
