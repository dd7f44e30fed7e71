"""Whether two descriptions are of one paper: decided beyond doubt, or not at all.

A paper that stands twice in the library is a nuisance; two papers made one is a loss. Everything
here leans to the first.
"""

import re
import unicodedata

from bot.models import Paper
from bot.sources.identity import ATTACHED_TEXT, SAME_TEXT, title_key

_SCHEMES_BY_WEIGHT = ("openreview", "acl", "doi", "arxiv")
_MANY_PER_PAPER = frozenset({"text"})
_SURE_TEXT = 0.9
"""Papers under two titles need texts this much alike: the same people write 0.8 in two papers of one year."""
_RELATED_TEXT = 0.3
_SHORT_TITLE_WORDS = 4
_NUMBER = re.compile(r"\b(?:\d+(?:st|nd|rd|th)?|[ivx]+|one|two|three|four|five|first|second|third)\b", re.IGNORECASE)


def contradict(one: Paper, other: Paper) -> bool:
    """Return whether both have an identifier of some scheme and it is not the same one."""
    mine, theirs = _by_scheme(one), _by_scheme(other)
    return any(mine[scheme].isdisjoint(theirs[scheme]) for scheme in mine.keys() & theirs.keys())


def same_by_identifier(one: Paper, other: Paper) -> bool:
    """Return whether papers that share an identifier are one.

    Where they share one and differ in another, the weightier scheme decides: one arXiv id under two
    OpenReview ids is two papers, one OpenReview id with two arXiv ids is one with a slip.
    """
    mine, theirs = _by_scheme(one), _by_scheme(other)
    common = mine.keys() & theirs.keys()
    for scheme in (*_SCHEMES_BY_WEIGHT, *sorted(common)):
        if scheme in common:
            return not mine[scheme].isdisjoint(theirs[scheme])
    return False


def same_by_text(one: Paper, other: Paper, *, likeness: float) -> bool:
    """Return whether papers whose abstracts are this much alike, 0..1, are one."""
    if contradict(one, other):
        return False
    if one.title_made or other.title_made:
        return likeness >= (SAME_TEXT if one.title_made and other.title_made else ATTACHED_TEXT)
    if authors_agree(one.authors, other.authors) is False or _differ_in_number(one.title, other.title):
        return False
    return likeness >= (SAME_TEXT if share_title(one, other) else _SURE_TEXT)


def same_by_title(one: Paper, other: Paper, *, likeness: float | None) -> bool:
    """Return whether papers that share a title are one.

    Args:
        one: a paper.
        other: another.
        likeness: of their abstracts, 0..1; None where one has none that could be compared.
    """
    if not share_title(one, other) or contradict(one, other):
        return False
    authors = authors_agree(one.authors, other.authors)
    if authors is False:
        return False
    same_place = one.venue is not None and one.year is not None and (one.venue, one.year) == (other.venue, other.year)
    reasons = [authors is True, likeness is not None and likeness >= _RELATED_TEXT, same_place]
    # "Preface", "Discussion" and "Introduction" recur, even by the same people.
    needed = 2 if len(one.title.split()) < _SHORT_TITLE_WORDS else 1
    return sum(reasons) >= needed


def share_title(one: Paper, other: Paper) -> bool:
    """Return whether they go by one title, however it is spelt; a made title never counts."""
    return not true_title_keys(one).isdisjoint(true_title_keys(other))


def true_title_keys(paper: Paper) -> set[str]:
    """Return the keys of all titles of a paper but a made one."""
    titles = paper.aliases if paper.title_made else (paper.title, *paper.aliases)
    return {key for key in map(title_key, titles) if key}


def authors_agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool | None:
    """Return whether at least half of the shorter list stands in the longer; None where one is empty."""
    mine, theirs = {_surname(name) for name in one} - {""}, {_surname(name) for name in other} - {""}
    if not mine or not theirs:
        return None
    return len(mine & theirs) * 2 >= min(len(mine), len(theirs))


def folded(name: str) -> str:
    """Return a name in small letters, without accents, points and numbers."""
    decomposed = unicodedata.normalize("NFKD", name).casefold()
    return " ".join(re.sub(r"[^\w\s,]|[\d_]", "", decomposed).split())


def _surname(name: str) -> str:
    name = folded(name)
    before, comma, _ = name.partition(",")
    words = (before if comma else name).split()
    while len(words) > 1 and words[-1] in {"jr", "sr", "ii", "iii", "iv"}:
        words.pop()
    return words[-1] if words else ""


def _by_scheme(paper: Paper) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name in paper.identifiers:
        scheme, _, value = name.partition(":")
        if scheme not in _MANY_PER_PAPER:
            found.setdefault(scheme, set()).add(value)
    return found


def _differ_in_number(one: str, other: str) -> bool:
    """Return whether the titles are those of two parts, or two years, of one thing."""
    if title_key(_NUMBER.sub(" ", one)) != title_key(_NUMBER.sub(" ", other)):
        return False
    return [found.lower() for found in _NUMBER.findall(one)] != [found.lower() for found in _NUMBER.findall(other)]
