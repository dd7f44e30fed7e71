"""The lines that describe a paper, wherever it is shown."""

from bot.models import Paper, Summary, SummaryOf
from bot.rendering.markdown import escaped, link

_AUTHORS_SHOWN = 3
_AUTHOR = 60
_WHERE = 80


def title(paper: Paper, *, limit: int = 240) -> str:
    """Return the paper's title, linked to its page where it has one."""
    return link(paper.title, paper.url, limit=limit)


def authors(paper: Paper, *, most: int = _AUTHORS_SHOWN) -> str:
    """Return the first authors, escaped; ``et al.`` stands for the others."""
    names = [escaped(name, _AUTHOR) for name in paper.authors[:most]]
    return ", ".join(names) + (" et al." if len(paper.authors) > most else "")


def where(paper: Paper) -> str:
    """Return venue, year and track, as far as they are known, escaped: ``ICLR 2024, spotlight``."""
    place = " ".join(str(part) for part in (paper.venue, paper.year) if part)
    return escaped(", ".join(part for part in (place, paper.track) if part) or " ", _WHERE).strip()


def byline(paper: Paper) -> str:
    """Return authors and venue in one line, or the empty string."""
    return " · ".join(part for part in (authors(paper), where(paper)) if part)


def identifiers(paper: Paper) -> str:
    """Return the identifiers people use, for a footer, unescaped."""
    shown = [("OpenReview", "openreview"), ("arXiv", "arxiv"), ("DOI", "doi"), ("ACL", "acl")]
    return " · ".join(f"{name} {value}" for name, scheme in shown if (value := paper.identifier(scheme)))


def origin(summary: Summary) -> str:
    """Return what a summary was drawn from, in words."""
    count = len(summary.sentences)
    sentences = "1 sentence" if count == 1 else f"{count} sentences"
    if summary.of is SummaryOf.SYNOPSIS:
        return f"{sentences} of Paper Round's synopsis, not of the authors' abstract"
    return f"{sentences} of the authors' abstract"
