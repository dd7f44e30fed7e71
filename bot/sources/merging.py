"""What becomes of a paper when another description of it arrives: nothing is lost, nothing gets worse."""

from collections.abc import Iterable
from dataclasses import replace

from bot.models import Paper
from bot.sources.identity import folded, letters, title_key
from bot.sources.matching import is_preprint

_LONG_ENOUGH_TO_BE_CUT = 900
_ENDS_WELL = (".", "!", "?", '"', "”", "’", ")", "]", "}", "$", "。")


def merge(old: Paper, new: Paper, *, new_is_cut: bool = False, same_source: bool = False) -> Paper:
    """Return ``old`` with whatever ``new`` knows more or better; equal to ``old`` when that is nothing.

    Args:
        old: the paper as the library has it.
        new: another description of the same paper, clean and readable.
        new_is_cut: whether the abstract of ``new`` is known not to be whole.
        same_source: whether the source of ``new`` has described the paper before, so that this is
            its correction.
    """
    newly_published = old.venue is not None and is_preprint(old) and not is_preprint(new)
    still_preprint = new.venue is not None and is_preprint(new) and not is_preprint(old)
    preferred = newly_published or (new.trust > old.trust and not still_preprint)
    first, second = (new, old) if preferred else (old, new)
    # A year without a venue is often a preprint's.
    has_place = first.venue is not None or second.venue is None
    year = (first.year or second.year) if has_place else (second.year or first.year)
    title, made, aliases = _titles(old, new, preferred=preferred)
    return replace(
        old,
        title=title,
        title_made=made,
        aliases=aliases,
        abstract=better_abstract(old.abstract, new.abstract, new_is_cut=new_is_cut),
        synopsis=(new.synopsis or old.synopsis) if same_source else (old.synopsis or new.synopsis),
        authors=_people(first.authors, second.authors),
        keywords=_united(old.keywords, new.keywords),
        venue=first.venue or second.venue,
        year=year,
        track=first.track or second.track,
        url=first.url or second.url,
        published_on=first.published_on or second.published_on,
        identifiers=tuple(sorted({*old.identifiers, *new.identifiers})),
        trust=max(old.trust, new.trust),
    )


def better_abstract(old: str | None, new: str | None, *, new_is_cut: bool) -> str | None:
    """Return the abstract to keep: a whole one before a cut one, else the longer, else the one that was there."""
    if not old or not new:
        return old or new
    mine, theirs = letters(old), letters(new)
    if mine.startswith(theirs):
        return old
    if theirs.startswith(mine):
        return new
    old_is_cut, new_is_cut = _looks_cut(old), new_is_cut or _looks_cut(new)
    if old_is_cut != new_is_cut:
        return new if old_is_cut else old
    return new if len(theirs) > len(mine) else old


def _titles(old: Paper, new: Paper, *, preferred: bool) -> tuple[str, bool, tuple[str, ...]]:
    if new.title_made:
        return old.title, old.title_made, _other_titles(old.title, old.aliases, new.aliases)
    if old.title_made:
        return new.title, False, _other_titles(new.title, old.aliases, new.aliases)
    title, other = (new.title, old.title) if preferred else (old.title, new.title)
    if title_key(title) == title_key(other):
        title = old.title
    return title, False, _other_titles(title, old.aliases, [other], new.aliases)


def _other_titles(title: str, *lists: Iterable[str]) -> tuple[str, ...]:
    taken = {title_key(title)}
    kept: list[str] = []
    for alias in (alias for titles in lists for alias in titles):
        if title_key(alias) not in taken:
            taken.add(title_key(alias))
            kept.append(alias)
    return tuple(kept)


def _united(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    taken: dict[str, str] = {}
    for value in (*old, *new):
        taken.setdefault(" ".join(value.split()).casefold(), value)
    return tuple(taken.values())


def _people(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[str, ...]:
    """Return both lists' people, in the first list's order; one who is "J. Doe" in one is the other's "Jane Doe"."""
    people = list(old)
    known = {_in_order(name) for name in old}
    arrivals = [name for name in new if _in_order(name) not in known]
    for name in arrivals:
        same = [place for place, other in enumerate(people) if _may_be_one(_in_order(name), _in_order(other))]
        if len(same) != 1:
            people.append(name)
        elif len(folded(name)) > len(folded(people[same[0]])):
            people[same[0]] = name
    return tuple(people)


def _in_order(name: str) -> str:
    last, comma, first = folded(name).partition(",")
    return f"{first.strip()} {last.strip()}" if comma else last


def _may_be_one(one: str, other: str) -> bool:
    mine, theirs = one.split(), other.split()
    if len(mine) < 2 or len(theirs) < 2 or mine[-1] != theirs[-1]:
        return False
    first, second = mine[0], theirs[0]
    return first == second or (1 in {len(first), len(second)} and first[0] == second[0])


def _looks_cut(text: str) -> bool:
    return len(text) >= _LONG_ENOUGH_TO_BE_CUT and not text.rstrip().endswith(_ENDS_WELL)
