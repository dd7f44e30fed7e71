"""Queries for known items: what people type when they look for one paper that they half remember.

Twelve classes after the generator that the search was measured with first. The same papers, seed and count give
the same queries, and a smaller count gives the first of a larger one.
"""

import random
import re
import string
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9'\-]*")
_ACRONYM = re.compile(r"([A-Za-z][\w\-+]{2,15})\s*:")
_COMMON = frozenset("a an the of in on for to and or with by from as at is are via using towards toward".split())
_TEXTS_COUNTED = 20_000
"""How many papers tell which words of abstracts are neither rare nor common."""

_TRIES = 100
"""Papers that are tried for each query."""

# The keys around each key of a QWERTY keyboard.
_NEIGHBOURS = dict(
    pair.split(":")
    for pair in (
        "q:wa w:qes e:wrd r:etf t:ryg y:tuh u:yij i:uok o:ipl p:ol a:qsz s:awdx d:sefc f:drgv g:fthb h:gyjn j:hukm "
        "k:jil l:kop z:asx x:zsdc c:xdfv v:cfgb b:vghn n:bhjm m:njk"
    ).split()
)


class Titled(Protocol):
    """A paper as far as a query can be made from it."""

    @property
    def title(self) -> str: ...
    @property
    def abstract(self) -> str | None: ...
    @property
    def authors(self) -> Sequence[str]: ...


@dataclass(frozen=True, kw_only=True)
class KnownItem:
    """A query and the one paper that it is for: ``target`` is its place among the papers, from 0."""

    name: str
    query: str
    target: int


def known_items(papers: Sequence[Titled], *, seed: int, per_class: int) -> list[KnownItem]:
    """Return ``per_class`` queries of each of the twelve classes, class after class.

    Of ``acronym`` there may be fewer: as many as there are titles that begin with an acronym of their own.

    Raises:
        ValueError: too few papers have an abstract, authors and a title of five words, or are fit for some class.
    """
    known = _Known(papers)
    if len(known.pool) < 10:
        raise ValueError("There are too few papers with abstracts and titles of five words to make queries from.")
    items: list[KnownItem] = []
    for name, make in CLASSES.items():
        chance = random.Random(f"{name} {seed}")
        if name == "acronym":
            targets: Iterable[int] = known.shuffled_acronyms(chance)[:per_class]
        else:
            targets = (chance.choice(known.pool) for _ in range(_TRIES * per_class))
        made: list[KnownItem] = []
        for target in targets:
            if len(made) == per_class:
                break
            query = make(_Maker(known, papers[target], chance))
            if query is not None:
                made.append(KnownItem(name=name, query=query, target=target))
        if len(made) < per_class and name != "acronym":
            raise ValueError(f"Hardly any paper is fit for queries of the class {name}.")
        items += made
    return items


def mistyped(word: str, chance: random.Random) -> str:
    """Return the word with one key wrong, left out, doubled or too many, or two letters swapped.

    Words of up to two letters stay as they are. Now and then letters that are swapped are the same.
    """
    if len(word) < 3:
        return word
    way = chance.choice("sditt" if len(word) > 3 else "si")
    place = chance.randrange(1, len(word)) if chance.random() < 0.9 else 0
    here = word[place]
    if way == "s":
        return word[:place] + chance.choice(_NEIGHBOURS.get(here.lower(), string.ascii_lowercase)) + word[place + 1 :]
    if way == "d":
        return word[:place] + word[place + 1 :]
    if way == "i":
        near = _NEIGHBOURS.get(here.lower(), string.ascii_lowercase)
        return word[:place] + chance.choice(near + here) + word[place:]
    place = min(place, len(word) - 2)
    return word[:place] + word[place + 1] + word[place] + word[place + 2 :]


@dataclass(frozen=True)
class _Known:
    papers: Sequence[Titled]

    @cached_property
    def pool(self) -> list[int]:
        """The papers that are asked for."""
        return [
            place
            for place, paper in enumerate(self.papers)
            if paper.abstract and paper.authors and len(_WORD.findall(paper.title)) >= 5
        ]

    @cached_property
    def counts(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        for paper in self.papers[:_TEXTS_COUNTED]:
            counts.update({word.lower() for word in _WORD.findall(paper.abstract or "")})
        return counts

    def shuffled_acronyms(self, chance: random.Random) -> list[int]:
        named = [(place, _acronym(paper.title)) for place, paper in enumerate(self.papers)]
        often = Counter(acronym for _, acronym in named)
        own = [place for place, acronym in named if acronym is not None and often[acronym] == 1]
        chance.shuffle(own)
        return own


def _acronym(title: str) -> str | None:
    begins = _ACRONYM.match(title)
    if begins is None or sum(letter.isupper() for letter in begins[1]) < 2:
        return None
    return begins[1].lower()


@dataclass(frozen=True)
class _Maker:
    """Makes one query for one paper; a method returns None where the paper is not fit for it."""

    known: _Known
    paper: Titled
    chance: random.Random
    title: list[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "title", [word.lower() for word in _WORD.findall(self.paper.title)])

    def _stretch(self) -> list[str]:
        """Return four to seven words that follow each other."""
        count = min(len(self.title), self.chance.randint(4, 7))
        start = self.chance.randrange(len(self.title) - count + 1)
        return self.title[start : start + count]

    def _some(self, least: float, most: float) -> list[str]:
        """Return that share of the title's words, three at least, in their order."""
        count = min(len(self.title), max(3, int(len(self.title) * self.chance.uniform(least, most))))
        return [self.title[place] for place in sorted(self.chance.sample(range(len(self.title)), count))]

    def _telling(self) -> list[str]:
        return [word for word in self.title if word not in _COMMON and len(word) > 3]

    def exact(self) -> str:
        return " ".join(self._stretch())

    def typo1(self) -> str:
        return " ".join(mistyped(word, self.chance) if len(word) >= 4 else word for word in self._stretch())

    def typo2(self) -> str:
        typed = []
        for word in self._stretch():
            wrong = mistyped(word, self.chance) if len(word) >= 4 else word
            again = len(word) >= 7 and self.chance.random() < 0.6
            typed.append(mistyped(wrong, self.chance) if again else wrong)
        return " ".join(typed)

    def swap(self) -> str:
        typed = self._stretch()
        self.chance.shuffle(typed)
        return " ".join(typed)

    def missing(self) -> str:
        return " ".join(self._some(0.4, 0.65))

    def join(self) -> str:
        typed = self._stretch()
        at = self.chance.randrange(len(typed) - 1)
        if self.chance.random() < 0.6:
            typed[at : at + 2] = [typed[at] + typed[at + 1]]
        else:
            at = max(range(len(typed)), key=lambda place: len(typed[place]))
            if len(typed[at]) >= 6:
                cut = self.chance.randint(3, len(typed[at]) - 3)
                typed[at : at + 1] = [typed[at][:cut], typed[at][cut:]]
        return " ".join(word.replace("-", " " if self.chance.random() < 0.5 else "") for word in typed)

    def acronym(self) -> str | None:
        acronym = _acronym(self.paper.title)
        if acronym is not None and "-" in acronym and self.chance.random() < 0.5:
            return acronym.replace("-", "")
        if acronym is not None and len(acronym) >= 6 and self.chance.random() < 0.3:
            return mistyped(acronym, self.chance)
        return acronym

    def _author_and_words(self) -> tuple[str, list[str]] | None:
        author = self.paper.authors[0] if self.chance.random() < 0.7 else self.chance.choice(self.paper.authors)
        telling = self._telling()
        if len(telling) < 2 or not author.split():
            return None
        return author.split()[-1].lower(), self.chance.sample(telling, 2)

    def author(self) -> str | None:
        chosen = self._author_and_words()
        return None if chosen is None else " ".join([chosen[0], *chosen[1]])

    def author_typo(self) -> str | None:
        chosen = self._author_and_words()
        if chosen is None:
            return None
        last, telling = chosen
        typed = [mistyped(last, self.chance) if len(last) >= 4 else last]
        typed += [mistyped(word, self.chance) if self.chance.random() < 0.5 else word for word in telling]
        return " ".join(typed)

    def content(self) -> str | None:
        text = {word.lower() for word in _WORD.findall(self.paper.abstract or "")} - set(self.title)
        told = sorted(word for word in text if word.isalpha() and len(word) > 4 and 3 < self.known.counts[word] < 2000)
        telling = self._telling()
        if len(told) < 8 or not telling:
            return None
        typed = [*self.chance.sample(told, 3), self.chance.choice(telling)]
        self.chance.shuffle(typed)
        return " ".join(typed)

    def prefix(self) -> str | None:
        typed = " ".join(self.title)[: self.chance.randint(8, 28)].rstrip()
        return typed if len(typed) >= 6 else None

    def mixed(self) -> str:
        typed = self._some(0.5, 0.8)
        if self.chance.random() < 0.5 and len(typed) > 2:
            at = self.chance.randrange(len(typed) - 1)
            typed[at], typed[at + 1] = typed[at + 1], typed[at]
        for _ in range(self.chance.randint(1, 3)):
            at = self.chance.randrange(len(typed))
            typed[at] = mistyped(typed[at], self.chance)
        return " ".join(typed)


CLASSES: dict[str, Callable[[_Maker], str | None]] = {
    "exact": _Maker.exact,
    "typo1": _Maker.typo1,
    "typo2": _Maker.typo2,
    "swap": _Maker.swap,
    "missing": _Maker.missing,
    "join": _Maker.join,
    "acronym": _Maker.acronym,
    "author": _Maker.author,
    "author_typo": _Maker.author_typo,
    "content": _Maker.content,
    "prefix": _Maker.prefix,
    "mixed": _Maker.mixed,
}
