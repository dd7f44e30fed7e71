"""One paper as the Semantic Scholar Academic Graph API gives it, alone or in a list of citations."""

from typing import Any, cast

from bot.models import Refusal
from bot.sources import fields, identity
from bot.sources.base import INDEXED, NOTHING_SAID, Defaults, RawPaper
from bot.sources.venues import short_venue

_WRAPPERS = ("citedPaper", "citingPaper")


def is_paper(record: dict[str, Any]) -> bool:
    """Return whether a JSON object is a paper of the graph, or wraps one."""
    return "paperId" in record or any(isinstance(record.get(name), dict) for name in _WRAPPERS)


def raw_paper(record: dict[str, Any], *, where: str, defaults: Defaults = NOTHING_SAID) -> RawPaper | Refusal:
    """Return the raw paper that an object of the graph describes, or why it is none."""
    wrapped = next((record[name] for name in _WRAPPERS if isinstance(record.get(name), dict)), None)
    paper = cast("dict[str, Any]", wrapped if wrapped is not None else record)
    title = fields.text(paper.get("title"))
    if title is None:
        return Refusal(where=where, why="It has no title; ask Semantic Scholar for the fields title and abstract.")
    other = cast("dict[str, object]", paper["externalIds"]) if isinstance(paper.get("externalIds"), dict) else {}
    readers = {"ArXiv": identity.arxiv, "DOI": identity.doi, "ACL": identity.acl}
    found = [reader(said) for name, reader in readers.items() if (said := fields.short(other.get(name)))]
    tldr = paper.get("tldr")
    return RawPaper(
        title=title,
        abstract=fields.text(paper.get("abstract")),
        synopsis=fields.text(cast("dict[str, object]", tldr).get("text")) if isinstance(tldr, dict) else None,
        authors=fields.names(paper.get("authors") if isinstance(paper.get("authors"), list) else None),
        venue=short_venue(fields.text(paper.get("venue"))) or defaults.venue,
        year=fields.year(paper.get("year")) or defaults.year,
        url=fields.address(paper.get("url")),
        published_on=fields.date(paper.get("publicationDate")),
        identifiers=tuple(sorted({name for name in found if name})),
        trust=INDEXED,
        where=where,
        record={name: value for name, value in paper.items() if name not in {"embedding", "citations", "references"}},
    )
