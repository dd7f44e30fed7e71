"""One paper as a JSON object, in whatever shape: which shape it is, and the raw paper it describes."""

from typing import Any

from bot.models import Refusal
from bot.sources.base import NOTHING_SAID, Defaults, RawPaper
from bot.sources.formats import list_records


def raw_paper(record: dict[str, Any], *, where: str, defaults: Defaults = NOTHING_SAID) -> RawPaper | Refusal:
    """Return the raw paper that a JSON object describes, or why it cannot be one."""
    return list_records.raw_paper(record, where=where, defaults=defaults)
