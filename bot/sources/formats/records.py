"""One paper as a JSON object, in whatever shape: which shape it is, and the raw paper it describes."""

from typing import Any

from bot.models import Refusal
from bot.sources import fields
from bot.sources.base import NOTHING_SAID, Defaults, RawPaper
from bot.sources.formats import hugging_face, list_records, openreview, semantic_scholar

_DEEPEST = 60


def raw_paper(record: dict[str, Any], *, where: str, defaults: Defaults = NOTHING_SAID) -> RawPaper | Refusal:
    """Return the raw paper that a JSON object describes, or why it cannot be one."""
    if is_deep(record):
        return Refusal(where=where, why="The JSON is nested too deeply.")
    said = fields.text(record.get("error")) or fields.text(record.get("message"))
    if said and not record.keys() & {"title", "abstract", "content", "paperId"}:
        return Refusal(where=where, why=f"The site answered with an error: {said[:100]}")
    for recognises, read in (
        (openreview.is_note, openreview.raw_paper),
        (semantic_scholar.is_paper, semantic_scholar.raw_paper),
        (hugging_face.is_entry, hugging_face.raw_paper),
    ):
        if recognises(record):
            return read(record, where=where, defaults=defaults)
    return list_records.raw_paper(record, where=where, defaults=defaults)


def is_deep(value: object) -> bool:
    """Return whether a JSON value is nested deeper than any record of a paper."""
    level: list[object] = [value]
    for _ in range(_DEEPEST):
        inner: list[object] = []
        for one in level:
            if isinstance(one, dict):
                inner.extend(one.values())  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
            elif isinstance(one, list):
                inner.extend(one)  # pyright: ignore[reportUnknownArgumentType]
        level = [one for one in inner if isinstance(one, dict | list)]
        if not level:
            return False
    return True
