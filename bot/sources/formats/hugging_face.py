"""One paper of Hugging Face: an entry of its daily papers, or the paper alone."""

from typing import Any, cast

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import COLLECTED, NOTHING_SAID, Defaults, RawPaper

_OF_A_PAPER = frozenset({"id", "summary", "publishedAt"})


def is_entry(record: dict[str, Any]) -> bool:
    """Return whether a JSON object is an entry, or a paper as the site gives it alone."""
    paper = record.get("paper")
    return (isinstance(paper, dict) and "id" in paper) or record.keys() >= _OF_A_PAPER


def raw_paper(record: dict[str, Any], *, where: str, defaults: Defaults = NOTHING_SAID) -> RawPaper | Refusal:
    """Return the raw paper that an entry describes."""
    inner = record.get("paper")
    paper = cast("dict[str, object]", inner if isinstance(inner, dict) else record)
    arxiv = identity.arxiv(fields.short(paper.get("id")) or "")
    published = fields.date(paper.get("publishedAt"))
    return RawPaper(
        title=fields.text(paper.get("title")) or fields.text(record.get("title")),
        abstract=fields.text(paper.get("summary")) or fields.text(record.get("summary")),
        authors=fields.names(paper.get("authors")),
        venue=defaults.venue or ("arXiv" if arxiv else None),
        year=published.year if published else defaults.year,
        url=f"https://arxiv.org/abs/{arxiv.partition(':')[2]}" if arxiv else None,
        published_on=published,
        identifiers=(arxiv,) if arxiv else (),
        trust=COLLECTED,
        where=where,
        record={name: value for name, value in record.items() if name not in {"discussionId", "submittedBy"}},
    )
