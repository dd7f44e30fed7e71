"""From what a person writes, such as ``arxiv:cs.CL``, to the site that is meant."""

import datetime as dt
import difflib
import re
from dataclasses import dataclass
from typing import Final

from yarl import URL

from bot.errors import InvalidInput
from bot.models import Now
from bot.sources.sites import arxiv, hugging_face, openreview, papercopilot
from bot.sources.sites.arxiv import ArxivFeed, ArxivSearch
from bot.sources.sites.base import Site
from bot.sources.sites.feed import Feed
from bot.sources.sites.hugging_face import HuggingFace
from bot.sources.sites.openreview import Account, OpenReview
from bot.sources.sites.papercopilot import PaperCopilot

EXAMPLES: Final = {
    "arxiv": "arxiv:cs.CL",
    "arxiv-rss": "arxiv-rss:cs.CL",
    "openreview": "openreview:ICLR.cc/2024/Conference",
    "papercopilot": "papercopilot:iclr/2024",
    "huggingface": "huggingface",
    "https": "https://example.org/feed.xml",
    "http": "http://example.org/feed.xml",
}
"""What can be written, by its kind."""

_ARCHIVES: Final = tuple(
    "astro-ph cond-mat cs econ eess gr-qc hep-ex hep-lat hep-ph hep-th math math-ph nlin nucl-ex nucl-th physics "
    "q-bio q-fin quant-ph stat".split()
)
_LOWER_CASE: Final = frozenset({"cond-mat", "physics"})
"""Archives whose subjects are written with small letters: ``physics.optics``."""
_ALONE: Final = frozenset("gr-qc hep-ex hep-lat hep-ph hep-th math-ph nucl-ex nucl-th quant-ph".split())
"""Archives without subjects."""
_CATEGORY = re.compile(r"([a-z]+(?:-[a-z]+)?)(?:\.([a-z]{2,}(?:-[a-z]+)*))?", re.IGNORECASE)
_FIELD = re.compile(r"(?<![A-Za-z])(?:ti|au|abs|co|jr|cat|rn|id|all|submittedDate|lastUpdatedDate):")
_VENUE_ID = re.compile(r"[A-Za-z0-9._-]+(?:/[A-Za-z0-9._&+-]+)*")
_LIST = re.compile(r"([A-Za-z0-9]+)/((?:19|20)\d\d)")
_LONGEST_SPEC: Final = 1000
_NEAR: Final = 0.6
_VERY_NEAR: Final = 0.85


@dataclass(frozen=True, kw_only=True)
class Places:
    """Where the sites are; others than the real ones for mirrors and tests."""

    arxiv_api: str = arxiv.API
    arxiv_rss: str = arxiv.RSS
    openreview: str = openreview.BASE
    papercopilot: str = papercopilot.BASE
    hugging_face: str = hugging_face.BASE


REAL_PLACES: Final = Places()


def site(
    spec: str, *, now: Now, account: Account | None = None, limit: int = 500, places: Places = REAL_PLACES
) -> Site | None:
    """Return the site that is meant, or None for what names no site, such as a file.

    Args:
        spec: as in ``EXAMPLES``; the kind's case does not matter.
        now: the clock, for sites that are read by the day.
        account: for OpenReview.
        limit: papers to take from a search at most each time.
        places: where the sites are.

    Raises:
        InvalidInput: it is almost a site, or a site with something that it cannot have; the sentence says what to
            write instead.
    """
    spec = spec.strip()
    kind, colon, rest = spec.partition(":")
    kind, rest = kind.strip().lower(), rest.strip()
    if not colon:
        return _without_colon(spec, now, places)
    if kind not in EXAMPLES:
        _raise_for_near(kind, rest)
        return None
    if len(spec) > _LONGEST_SPEC:
        raise InvalidInput(f"That is too long for a source; {_LONGEST_SPEC} characters are the most.")
    if not rest and kind != "huggingface":
        raise InvalidInput(f"Say what to take from there, such as {EXAMPLES[kind]}.")
    if kind in {"http", "https"}:
        return _feed(spec)
    if kind == "arxiv":
        return _search(rest, limit, places)
    if kind == "arxiv-rss":
        return ArxivFeed(_categories(rest, kind), base=places.arxiv_rss)
    if kind == "openreview":
        return _openreview(rest, account, places)
    if kind == "papercopilot":
        return _list(rest, places)
    return HuggingFace(_day(rest), now=now, base=places.hugging_face)


def _without_colon(spec: str, now: Now, places: Places) -> Site | None:
    word = spec.lower()
    if word == "huggingface":
        return HuggingFace(now=now, base=places.hugging_face)
    if word in EXAMPLES:
        raise InvalidInput(f"Say what to take from there, such as {EXAMPLES[word]}.")
    # A word alone is rather a file; only what can hardly be one is taken for a slip.
    if difflib.get_close_matches(word, ["huggingface"], cutoff=_VERY_NEAR):
        raise InvalidInput(f"There is no source “{_shown(spec)}”; did you mean huggingface?")
    return None


def _raise_for_near(kind: str, rest: str) -> None:
    near = difflib.get_close_matches(kind, EXAMPLES, n=1, cutoff=_NEAR)
    if near:
        meant = f"{near[0]}:{_shown(rest)}" if rest else EXAMPLES[near[0]]
        raise InvalidInput(f"There is no source “{_shown(kind)}”; did you mean {meant}?")
    if rest.startswith("//"):
        raise InvalidInput("Only web addresses that begin with http:// or https:// can be sources.")


def _feed(spec: str) -> Feed:
    try:
        url = URL(spec)
    except ValueError:
        url = URL()
    if not url.host:
        raise InvalidInput(f"That is not a whole web address; one looks like {EXAMPLES['https']}.")
    if url.user is not None or url.password is not None:
        raise InvalidInput("An address with a user name or a password in it cannot be a source.")
    return Feed(spec)


def _search(rest: str, limit: int, places: Places) -> ArxivSearch:
    if _FIELD.search(rest):
        return ArxivSearch(rest, name=f"arxiv {rest}", limit=limit, base=places.arxiv_api)
    categories = _categories(rest, "arxiv")
    terms = [
        f"cat:{category}" if "." in category or category in _ALONE else f"cat:{category}.*" for category in categories
    ]
    name = f"arxiv {'+'.join(categories)}"
    return ArxivSearch(" OR ".join(terms), name=name, must_match=True, limit=limit, base=places.arxiv_api)


def _categories(rest: str, kind: str) -> list[str]:
    parts = [part.strip() for part in re.split(r"[+,]", rest)]
    return list(dict.fromkeys(_category(part, kind) for part in parts))


def _category(part: str, kind: str) -> str:
    """Return a category as arXiv writes it: ``cs.CL``, ``cond-mat.str-el``, ``quant-ph``."""
    found = _CATEGORY.fullmatch(part)
    if found is None:
        hint = " A query names its fields, such as arxiv:all:diffusion." if kind == "arxiv" else ""
        raise InvalidInput(f"“{_shown(part)}” is not a category of arXiv; one looks like {EXAMPLES[kind]}.{hint}")
    archive, subject = found[1].lower(), found[2]
    if archive not in _ARCHIVES:
        near = difflib.get_close_matches(archive, _ARCHIVES, n=1, cutoff=0.0)[0]
        meant = f"{near}.{subject}" if subject else near
        raise InvalidInput(f"arXiv has no archive “{_shown(archive)}”; did you mean {kind}:{meant}?")
    if subject is None:
        return archive
    return f"{archive}.{subject.lower() if archive in _LOWER_CASE else subject.upper()}"


def _openreview(rest: str, account: Account | None, places: Places) -> OpenReview:
    if not _VENUE_ID.fullmatch(rest):
        raise InvalidInput(f"“{_shown(rest)}” is no venue of OpenReview; one looks like {EXAMPLES['openreview']}.")
    return OpenReview(rest, account=account, base=places.openreview)


def _list(rest: str, places: Places) -> PaperCopilot:
    found = _LIST.fullmatch(rest)
    if found is None:
        raise InvalidInput(f"“{_shown(rest)}” names no list; one looks like {EXAMPLES['papercopilot']}.")
    return PaperCopilot(found[1], int(found[2]), base=places.papercopilot)


def _day(rest: str) -> dt.date | None:
    if not rest:
        return None
    try:
        return dt.datetime.strptime(rest, "%Y-%m-%d").replace(tzinfo=dt.UTC).date()
    except ValueError:
        raise InvalidInput(f"“{_shown(rest)}” is not a day; one looks like huggingface:2024-01-15.") from None


def _shown(text: str) -> str:
    return text if len(text) <= 60 else text[:59] + "…"
