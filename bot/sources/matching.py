"""Whether two descriptions are of one paper: decided beyond doubt, or not at all.

A paper that stands twice in the library is a nuisance; two papers made one is a loss. Everything
here leans to the first.
"""

import re

from bot.models import Paper
from bot.sources.identity import ATTACHED_TEXT, SAME_TEXT, people_key, surname, title_key

_SCHEMES_BY_WEIGHT = ("openreview", "acl", "doi", "arxiv")
_MANY_PER_PAPER = frozenset({"text"})
_SURE_TEXT = 0.9
"""Papers under two titles need texts this much alike: the same people write 0.8 in two papers of one year."""
_RELATED_TEXT = 0.3
_SHORT_TITLE_WORDS = 4
# Of the 200 papers of ICLR 2024 whose titles changed, 195 share a quarter of their words.
_SOME_WORDS, _MOST_WORDS = 0.25, 0.75
_YEARS_TO_PUBLICATION = 2
_SMALL_WORDS = frozenset(
    "a an the of for in on with and or to via by from using is are as at into towards toward through".split()
)
_PREPRINT_VENUES = frozenset({"arxiv", "corr", "arxiv preprint", "openreview", "biorxiv", "medrxiv", "preprint"})
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


def same_by_people(one: Paper, other: Paper, *, likeness: float | None) -> bool:
    """Return whether papers by the very same people are one under two titles, as from submission to publication.

    They must be of one place and year, or one of them a preprint or of no place yet. Where their abstracts can be
    compared, those decide; else the titles must share words, and most of them where the places are not the same.

    Args:
        one: a paper.
        other: another, by as many people of the same names.
        likeness: of their abstracts, 0..1; None where one has none that could be compared.
    """
    if one.title_made or other.title_made or contradict(one, other) or _differ_in_number(one.title, other.title):
        return False
    if len(one.authors) != len(other.authors) or people_key(one.authors) != people_key(other.authors):
        return False
    numbers, others = _NUMBER.findall(one.title.lower()), _NUMBER.findall(other.title.lower())
    if numbers and others and numbers != others:
        return False
    # The same people may put several papers on arXiv in a year.
    same_place = not is_preprint(one) and one.year is not None and (one.venue, one.year) == (other.venue, other.year)
    years_apart = abs(one.year - other.year) if one.year and other.year else 0
    may_follow = (is_preprint(one) or is_preprint(other)) and years_apart <= _YEARS_TO_PUBLICATION
    if not same_place and not may_follow:
        return False
    if likeness is not None:
        return likeness >= ATTACHED_TEXT
    return _shared_words(one.title, other.title) >= (_SOME_WORDS if same_place else _MOST_WORDS)


def is_preprint(paper: Paper) -> bool:
    """Return whether a paper has not appeared anywhere yet, as far as is known."""
    return paper.venue is None or paper.venue.strip().casefold() in _PREPRINT_VENUES


def share_title(one: Paper, other: Paper) -> bool:
    """Return whether they go by one title, however it is spelt; a made title never counts."""
    return not true_title_keys(one).isdisjoint(true_title_keys(other))


def true_title_keys(paper: Paper) -> set[str]:
    """Return the keys of all titles of a paper but a made one."""
    titles = paper.aliases if paper.title_made else (paper.title, *paper.aliases)
    return {key for key in map(title_key, titles) if key}


def authors_agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool | None:
    """Return whether at least half of the shorter list stands in the longer; None where one is empty."""
    mine, theirs = {surname(name) for name in one} - {""}, {surname(name) for name in other} - {""}
    if not mine or not theirs:
        return None
    return len(mine & theirs) * 2 >= min(len(mine), len(theirs))


def _by_scheme(paper: Paper) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name in paper.identifiers:
        scheme, _, value = name.partition(":")
        if scheme not in _MANY_PER_PAPER:
            found.setdefault(scheme, set()).add(value)
    return found


def _shared_words(one: str, other: str) -> float:
    """Return the share of the shorter title's telling words that the other has too."""
    mine, theirs = _telling(one), _telling(other)
    return len(mine & theirs) / min(len(mine), len(theirs)) if mine and theirs else 0.0


def _telling(title: str) -> set[str]:
    return set(re.findall(r"\w+", title.casefold())) - _SMALL_WORDS


def _differ_in_number(one: str, other: str) -> bool:
    """Return whether the titles are those of two parts, or two years, of one thing."""
    if title_key(_NUMBER.sub(" ", one)) != title_key(_NUMBER.sub(" ", other)):
        return False
    return [found.lower() for found in _NUMBER.findall(one)] != [found.lower() for found in _NUMBER.findall(other)]
