"""JSON Lines: one object a line, with the fields that public lists of papers use."""

import datetime as dt
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from bot.models import Refusal
from bot.sources import identity
from bot.sources.base import RawPaper
from bot.sources.lines import LONGEST_LINE, Line

_NOT_ACCEPTED = re.compile(r"^\W*(?:desk[\s-]*)?(?:reject|withdr)", re.IGNORECASE)
_CUT_LENGTH = 1000
"""Public lists cut abstracts at this many characters without always saying so."""

_LONGEST_ADDRESS = 2000
"""Characters; whatever is longer is neither an address nor an identifier."""


class _Broken(Exception):
    """Why a line is no record."""


def read(lines: Iterable[Line], *, venue: str | None = None, year: int | None = None) -> Iterator[RawPaper | Refusal]:
    """Yield a raw paper or a refusal for every line that is not blank.

    Args:
        lines: of UTF-8.
        venue: for records that name none.
        year: for records that name none.
    """
    for line in lines:
        where = f"line {line.number}"
        try:
            record = _record(line)
            if record is not None:
                yield raw_paper(record, where=where, venue=venue, year=year)
        except _Broken as broken:
            yield Refusal(where=where, why=str(broken))


def raw_paper(
    record: dict[str, Any], *, where: str, venue: str | None = None, year: int | None = None
) -> RawPaper | Refusal:
    """Return the raw paper that a JSON object describes, or why it cannot be one."""
    fields = {name: _unwrapped(value) for name, value in record.items()}
    for name in ("title", "abstract", "synopsis"):
        if not isinstance(fields.get(name), str | None):
            return Refusal(where=where, why=f"Its {name} is not text.")
    status = _text(fields.get("status")) or _text(fields.get("decision")) or _text(fields.get("presentation")) or ""
    if _NOT_ACCEPTED.match(status):
        return Refusal(where=where, why=f"Its status is “{status[:40]}”.")
    abstract = cast("str | None", fields.get("abstract"))
    track = _text(fields.get("track")) or _text(fields.get("presentation"))
    return RawPaper(
        title=cast("str | None", fields.get("title")),
        abstract=abstract,
        abstract_cut=fields.get("abstract_truncated") is True or len(abstract or "") == _CUT_LENGTH,
        synopsis=_text(fields.get("synopsis")) or _text(fields.get("tldr")),
        authors=_names(fields.get("authors")),
        keywords=_texts(fields.get("keywords"), r"[;,]"),
        aliases=_texts(fields.get("title_aliases"), r"[\n]"),
        venue=_text(fields.get("venue")) or venue,
        year=_year(fields.get("year")) or year,
        track=track.lower() if track else None,
        url=_address(fields.get("url")),
        published_on=_date(fields.get("published_on") or fields.get("published")),
        identifiers=_identifiers(fields),
        where=where,
        record=record,
    )


def _record(line: Line) -> dict[str, Any] | None:
    if line.content is None:
        raise _Broken(f"The line is longer than {LONGEST_LINE // 1024**2} MiB.")
    content = line.content.removeprefix(b"\xef\xbb\xbf") if line.number == 1 else line.content
    if not content.strip():
        return None
    if b"\0" in content:
        raise _Broken("The line holds a NUL byte.")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise _Broken(f"The line is not UTF-8 (byte {error.start + 1}).") from None
    try:
        record: object = json.loads(text, strict=False)
    except json.JSONDecodeError as error:
        raise _Broken(f"The JSON is broken at column {error.colno}: {error.msg}.") from None
    except RecursionError:
        raise _Broken("The JSON is nested too deeply.") from None
    except ValueError:
        raise _Broken("The JSON holds a number that is too long.") from None
    if not isinstance(record, dict):
        raise _Broken("The line is not a JSON object.")
    return cast("dict[str, Any]", record)


def _unwrapped(value: object) -> object:
    """Return what OpenReview's second API wraps as ``{"value": …}``."""
    if not isinstance(value, dict):
        return value
    wrapped = cast("dict[str, object]", value)
    return wrapped.get("value", wrapped)


def _text(value: object) -> str | None:
    return value.strip() or None if isinstance(value, str) else None


def _texts(value: object, separators: str) -> tuple[str, ...]:
    parts: list[object] = []
    if isinstance(value, str):
        parts.extend(re.split(separators, value))
    elif isinstance(value, list):
        parts.extend(cast("list[object]", value))
    found = [_text(part) for part in parts]
    return tuple(dict.fromkeys(part for part in found if part))


def _names(value: object) -> tuple[str, ...]:
    if isinstance(value, list):
        people = [_unwrapped_name(part) for part in cast("list[object]", value)]
        return _texts(people, "")
    if isinstance(value, str) and ";" not in value and re.search(r"\s(?:and|&)\s", value):
        return _texts(value, r",?\s+(?:and|&)\s+|,\s+(?=\S+\s)")
    return _texts(value, ";" if isinstance(value, str) and ";" in value else ",")


def _unwrapped_name(value: object) -> object:
    return cast("dict[str, object]", value).get("name") if isinstance(value, dict) else value


def _year(value: object) -> int | None:
    if isinstance(value, str) and re.fullmatch(r"\s*\d{4}\s*", value, re.ASCII):
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 1500 <= value <= 2200 else None


def _date(value: object) -> dt.date | None:
    text = _text(value)
    if text is None:
        return None
    try:
        return dt.date.fromisoformat(text[:10])
    except ValueError:
        return None


def _address(value: object) -> str | None:
    text = _text(value)
    return (
        text
        if text and len(text) <= _LONGEST_ADDRESS and re.fullmatch(r"https?://[^\s\x00-\x1f<>\"]+", text, re.IGNORECASE)
        else None
    )


def _identifiers(fields: dict[str, object]) -> tuple[str, ...]:
    readers = {
        "url": identity.from_address,
        "id": identity.from_record_id,
        "openreview_id": identity.openreview,
        "arxiv_id": identity.arxiv,
        "doi": identity.doi,
        "acl_id": identity.acl,
    }
    if fields.get("arxiv_verified") is False:
        del readers["arxiv_id"]
    texts = ((reader, _text(fields.get(name))) for name, reader in readers.items())
    found = (reader(text) for reader, text in texts if text and len(text) <= _LONGEST_ADDRESS)
    return tuple(sorted({name for name in found if name}))
