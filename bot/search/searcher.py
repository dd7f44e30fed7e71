"""Finding papers: by words, typos forgiven; by identifier; by number; while typing.

A search is one function on a reader's thread: candidates by their headings, ranked word by word, and where those do
not answer, candidates by their texts. Nothing of it runs on the event loop.
"""

import asyncio
import contextlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bot.errors import InvalidInput, NotFound, StoreError
from bot.models import Findings, Hit, Paper
from bot.search import expansion, query, ranking
from bot.search.candidates import candidates
from bot.search.expansion import Group
from bot.search.headings import AUTHOR, KEYWORD, Headings, Mask, Positions
from bot.search.keeping import KeptHeadings
from bot.search.query import Query
from bot.search.ranking import InText, Ranking, Wanted
from bot.search.snippets import snippet
from bot.store import index, papers
from bot.store.database import Connection, Database
from bot.store.index import Filters
from bot.text.words import words

_TEXT_CANDIDATES = 20
_BEGINNING_SO = 50
_NEAR = 25.0
"""A paper that covers less of the query than this is not even near."""

_SURE = 93.0
_COMMON = 50
_COMPLETES = 60.0
_FORGIVING_FROM = 4
_NUMBER = re.compile(r"\s*#(\d{1,18})\s*", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Completion:
    """A paper that what was typed so far may become."""

    paper_id: int
    title: str


@dataclass(frozen=True, kw_only=True)
class _Search:
    """One search under way: what is wanted and in which library."""

    connection: Connection
    headings: Headings
    query: Query
    filters: Filters
    allowed: Mask | None
    groups: Sequence[Group]
    wanted: Wanted


class Searcher:
    """Searches the library; may be shared by all who ask."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept = KeptHeadings()
        self._renewing: asyncio.Task[None] | None = None

    async def search(self, text: str, *, limit: int = 5) -> Findings:
        """Return the papers that answer best, or the nearest ones, or the words that are near.

        Costs about 10 ms with 100,000 papers, and two seconds more the first time. What a large import brings is
        found a few seconds later.

        Args:
            text: what was typed; its first 300 characters are read.
            limit: hits at most, 1..100.

        Raises:
            InvalidInput: there is no letter and no digit in it.
        """
        findings = await self._database.read(lambda connection: self._find(connection, text, limit=limit))
        self._renew_if_due()
        return findings

    async def get(self, reference: str) -> Paper:
        """Return the one paper that is meant: ``#12`` by its number, an identifier, an address, or the best hit.

        Raises:
            InvalidInput: there is no letter and no digit in it.
            NotFound: nothing matches well; the sentence names what is near.
        """
        number = _NUMBER.fullmatch(reference)
        if number:
            return await self._database.read(lambda connection: papers.get_paper(connection, int(number[1])))
        findings = await self.search(reference, limit=1)
        if findings.exact and findings.hits:
            return findings.hits[0].paper
        sentence = f"No paper matches “{_cut(reference.strip(), 60)}”."
        if findings.hits:
            raise NotFound(f"{sentence} Did you mean “{_cut(findings.hits[0].paper.title, 90)}”?")
        if findings.closest_words:
            raise NotFound(f"{sentence} Closest words in the library: {', '.join(findings.closest_words[:4])}.")
        raise NotFound(f"{sentence} Try other words, an author's name, or fewer words.")

    async def complete(self, text: str, *, limit: int = 25) -> list[Completion]:
        """Return papers for what was typed so far, best first; the newest for nothing, none for what is no text.

        Typos are forgiven from four characters on.
        """
        found = await self._database.read(lambda connection: self._complete(connection, text, limit=limit))
        self._renew_if_due()
        return found

    def matching(self, connection: Connection, text: str, *, limit: int | None = None) -> list[int]:
        """Return the ids of the papers that have every word of the query, best first; no typo is forgiven.

        The empty query is every paper, those last added first. For use inside a read or a write.

        Raises:
            InvalidInput: something was typed, but no letter and no digit.
        """
        most = -1 if limit is None else limit
        if not text.strip():
            return index.anywhere(connection, limit=most)
        asked = query.parse(text)
        known = _identified(connection, asked)
        if known is not None or asked.only_identifier:
            return [] if known is None else [known.id]
        # What a digest is to bring must not be missed, so this waits for headings of now.
        headings = self._kept.renewed(connection)
        titled = headings.ids[headings.owners[_titled(headings, asked)]].tolist()
        allowed = _allowed(connection, headings, asked)
        if not asked.words:
            return _last_first(headings, np.ones(len(headings), np.bool_) if allowed is None else allowed)[:limit]
        match = expansion.strict_or_joined(asked.words, headings.vocabulary)
        by_text = index.in_texts(connection, match, limit=-1)
        in_headings = np.zeros(len(headings), dtype=np.bool_)
        in_headings[_having_all(headings, expansion.telling(asked.words))] = True
        if allowed is not None:
            by_text = [one for one, kept in zip(by_text, _kept(headings, by_text, allowed), strict=True) if kept]
            in_headings &= allowed
        return list(dict.fromkeys([*titled, *by_text, *headings.ids[in_headings].tolist()]))[:limit]

    def closest_words(self, connection: Connection, text: str) -> tuple[str, ...]:
        """Return words of the library that resemble those of the text that it lacks; for use inside a read."""
        headings = self._kept.of(connection)
        wanted = query.parse(text).everything_wanted
        return _closest(headings, _unknown(connection, headings, wanted))

    def _renew_if_due(self) -> None:
        if self._kept.is_due and (self._renewing is None or self._renewing.done()):
            self._renewing = asyncio.create_task(self._renew(), name="headings")

    async def _renew(self) -> None:
        # The library may be closed meanwhile.
        with contextlib.suppress(StoreError):
            await self._database.read(self._kept.renewed)

    def _find(self, connection: Connection, text: str, *, limit: int) -> Findings:
        asked = query.parse(text)
        known = _identified(connection, asked)
        if known is not None:
            return Findings(query=text, hits=(Hit(paper=known, score=100.0, snippet=snippet(known.text, ())),))
        if asked.only_identifier:
            return Findings(query=text, exact=False)
        headings = self._kept.of(connection)
        if _titled(headings, asked).size:
            # A title may well hold quotes, colons or dashes that mean something in a query.
            asked = query.as_words(asked)
        search = _begin(connection, headings, asked, texts=True)
        if not search.wanted.words:
            return _filtered(search, text, limit)
        ranked = _ranked(search, limit, texts=True)
        exact = ranked.is_answered
        if not len(ranked) and search.filters.within:
            # Nothing has the phrase, the author or the keyword: what is near to their words?
            plain = replace(asked, phrases=(), authors=(), keywords=())
            search = replace(
                search,
                filters=replace(search.filters, within=""),
                allowed=_allowed(connection, headings, plain),
            )
            ranked, exact = _ranked(search, limit, texts=True), False
        return _findings(search, text, ranked, limit, exact=exact)

    def _complete(self, connection: Connection, text: str, *, limit: int) -> list[Completion]:
        if not text.strip():
            return [_completion(paper.id, paper.title) for paper in papers.newest(connection, limit=limit)]
        number = _NUMBER.fullmatch(text)
        if number:
            return _completions(connection, [int(number[1])])
        try:
            asked = query.parse(text)
        except InvalidInput:
            return []
        known = _identified(connection, asked)
        if known is not None or asked.only_identifier:
            return [] if known is None else [_completion(known.id, known.title)]
        headings = self._kept.of(connection)
        typed = words(asked.text)[: query.MOST_WORDS]
        if len("".join(typed)) < _FORGIVING_FROM:
            first = headings.owners[headings.beginning(typed)[:limit]]
            spread = _having_all(headings, typed, begun=True)[:limit] if first.size < limit else first
            ids = headings.ids[np.concatenate([first, spread])].tolist()
            return _completions(connection, list(dict.fromkeys(ids))[:limit])
        asked = query.as_words(asked)
        found = _completing(_begin(connection, headings, asked, texts=False), limit)
        for start in headings.vocabulary.beginnings(typed[-1]) if len(found) < limit else ():
            # The word is not finished, so its typo shows against the beginnings of words only.
            begun = query.parse(" ".join([*typed[:-1], start]))
            more = _completing(_begin(connection, headings, begun, texts=False), limit)
            found = [*more, *(one for one in found if one not in more)]
        return _completions(connection, found[:limit])


def _identified(connection: Connection, asked: Query) -> Paper | None:
    owners = papers.owners(connection, asked.identifiers) if asked.identifiers else {}
    owner = next((owners[name] for name in asked.identifiers if name in owners), None)
    return None if owner is None else papers.get_paper(connection, owner)


def _titled(headings: Headings, asked: Query) -> NDArray[np.int64]:
    """Return the titles, as segments, that were typed in full, by the order of the papers' ids."""
    typed = words(asked.text)
    found = headings.beginning(typed, last_is_whole=not _is_cut(asked))
    return found if _is_cut(asked) else found[headings.length(found) == len(typed)]


def _is_cut(asked: Query) -> bool:
    return len(asked.text) >= query.MOST_CHARACTERS


def _begin(connection: Connection, headings: Headings, asked: Query, *, texts: bool) -> _Search:
    vocabulary = headings.vocabulary
    wanted = asked.everything_wanted[: query.MOST_WORDS]
    in_texts = _in_texts(connection, headings, wanted) if texts else set[str]()
    groups = expansion.expand(wanted, vocabulary, in_texts=in_texts) if wanted else []
    return _Search(
        connection=connection,
        headings=headings,
        query=asked,
        filters=_filters(headings, asked),
        allowed=_allowed(connection, headings, asked),
        groups=groups,
        wanted=Wanted(
            words=wanted,
            alternatives={group.word: group.alternatives for group in groups if not group.in_texts},
            in_texts={group.word for group in groups if group.in_texts},
            title=words(asked.text),
            is_cut=_is_cut(asked),
        ),
    )


def _in_texts(connection: Connection, headings: Headings, wanted: Iterable[str]) -> set[str]:
    """Return those words, rare in headings, that some text has and that are no misprint of an inflection."""
    vocabulary = headings.vocabulary
    return {
        word
        for word in index.words_of_texts(connection, [one for one in dict.fromkeys(wanted) if vocabulary.is_rare(one)])
        if not any(
            expansion.is_inflection(word, near.word) and index.are_one_in_texts(connection, word, near.word)
            for near in vocabulary.corrections(word)
        )
    }


def _filtered(search: _Search, text: str, limit: int) -> Findings:
    ids = index.anywhere(search.connection, limit=limit, filters=search.filters)
    found = papers.get_papers(search.connection, ids)
    hits = tuple(Hit(paper=paper, score=90.0, snippet=snippet(paper.text, ())) for paper in found)
    return Findings(query=text, hits=hits, exact=bool(hits))


def _ranked(search: _Search, limit: int, *, texts: bool) -> Ranking:
    headings = search.headings
    found = np.union1d(_beginning(search), candidates(headings, search.groups, search.allowed)).astype(np.int32)
    ranked = ranking.rank(search.wanted, headings, found)
    few = len(ranked) < limit
    # A single rare word may be what a paper calls its own thing in its text.
    is_name = len(search.groups) == 1 and search.groups[0].papers < _COMMON
    if texts and (few or (ranked.best < _SURE and (ranked.lacking[0] or is_name))):
        most = max(_TEXT_CANDIDATES, limit)
        by_text = _by_text(search, most, loosely=few or ranked.best < ranking.GOOD)
        in_texts = _texts(search, by_text)
        found = np.union1d(ranked.papers[:most], np.array(list(in_texts), dtype=np.int32)).astype(np.int32)
        ranked = ranking.rank(search.wanted, headings, found, in_texts)
    return ranked.where(ranked.coverage >= _NEAR)


def _beginning(search: _Search) -> Positions:
    """Return papers whose title begins with what was typed, those with the shortest titles, for there may be many."""
    headings = search.headings
    titles = headings.beginning(search.wanted.title)
    if search.allowed is not None:
        titles = titles[search.allowed[headings.owners[titles]]]
    shortest = np.argsort(headings.length(titles), kind="stable")[:_BEGINNING_SO]
    return headings.owners[titles[shortest]]


def _completing(search: _Search, limit: int) -> list[int]:
    ranked = _ranked(search, limit, texts=False)
    return search.headings.ids[ranked.papers[ranked.coverage >= _COMPLETES][:limit]].tolist()


def _findings(search: _Search, text: str, ranked: Ranking, limit: int, *, exact: bool) -> Findings:
    connection, headings = search.connection, search.headings
    ids = headings.ids[ranked.papers[:limit]].tolist()
    scores = dict(zip(ids, ranked.scores.tolist(), strict=False))
    # A paper may have been merged into another a moment ago.
    found = papers.get_papers(connection, ids)
    corrections = _corrections(search, found[0]) if found and exact and ranked.best < 100 else ()
    terms = {*search.wanted.words, *(other for group in search.groups for other in group.alternatives)}
    terms = set(expansion.telling(sorted(terms)))
    return Findings(
        query=text,
        hits=tuple(
            Hit(paper=paper, score=round(scores[paper.id], 2), snippet=snippet(paper.text, terms)) for paper in found
        ),
        exact=exact and bool(found),
        corrections=corrections,
        closest_words=_closest(headings, _unknown(connection, headings, search.wanted.words)),
    )


def _spelt(headings: Headings, word: str) -> list[str]:
    """Return the word, or, where no paper has it, what it may have been meant for."""
    vocabulary = headings.vocabulary
    return [word, *(near.word for near in vocabulary.corrections(word))] if not vocabulary.count(word) else [word]


def _filters(headings: Headings, asked: Query) -> Filters:
    """Return the conditions as the index of texts takes them; letters with a stroke are others to it."""
    within = [index.quoted(phrase) for phrase in asked.phrases]
    for column, values in (("authors", asked.authors), ("keywords", asked.keywords)):
        within += [
            index.any_of(index.quoted(one, column=column) for one in _spelt(headings, word))
            for value in values
            for word in words(value)
        ]
    return Filters(
        years=asked.years,
        venues=_named(asked.venues, headings.venue_names) if asked.venues else None,
        tracks=_named(asked.tracks, headings.track_names) if asked.tracks else None,
        within=index.all_of(within) if within else "",
        without=index.any_of(index.quoted(one) for one in asked.excluded) if asked.excluded else "",
    )


def _allowed(connection: Connection, headings: Headings, asked: Query) -> Mask | None:
    """Return by position whether a paper meets the query's conditions; None where there is none."""
    masks: list[Mask] = []
    if asked.years is not None:
        first, last = (min(max(year, 0), 9999) for year in asked.years)
        masks.append((headings.years >= max(first, 1)) & (headings.years <= last))
    for values, names, numbers in (
        (asked.venues, headings.venue_names, headings.venues),
        (asked.tracks, headings.track_names, headings.tracks),
    ):
        if values:
            named = set(_named(values, names))
            masks.append(np.isin(numbers, [number for number, name in enumerate(names) if name in named]))
    for kind, values in ((AUTHOR, asked.authors), (KEYWORD, asked.keywords)):
        for word in (word for value in values for word in words(value)):
            found = (headings.vocabulary.number(one) for one in _spelt(headings, word))
            masks.append(headings.in_field(kind, [number for number in found if number is not None]))
    masks += [headings.mask_of(index.all_in_texts(connection, index.quoted(phrase))) for phrase in asked.phrases]
    if asked.excluded:
        without = index.any_of(index.quoted(one) for one in asked.excluded)
        masks.append(~headings.mask_of(index.all_in_texts(connection, without)))
    return np.logical_and.reduce(masks) if masks else None


def _named(values: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that have all words of one of the values."""
    wanted = [set(words(value)) for value in values]
    return tuple(name for name in names if any(one <= set(words(name)) for one in wanted))


def _kept(headings: Headings, ids: Sequence[int], allowed: Mask) -> list[bool]:
    return np.isin(ids, headings.ids[allowed]).tolist() if ids else []


def _last_first(headings: Headings, allowed: Mask) -> list[int]:
    return headings.ids[allowed][::-1].tolist()


def _having_all(headings: Headings, wanted: Sequence[str], *, begun: bool = False) -> Positions:
    """Return the papers that have every word in a heading, ascending; the last may only begin so if ``begun``."""
    found: Positions | None = None
    for place, word in enumerate(wanted):
        is_open = begun and place == len(wanted) - 1
        having = headings.having_one_of(headings.vocabulary.begun(word)) if is_open else headings.having(word)
        found = np.unique(having) if found is None else np.intersect1d(found, having)
    return headings.owners[:0] if found is None else found


def _by_text(search: _Search, limit: int, *, loosely: bool) -> dict[int, float]:
    """Return papers that have all the words somewhere, or all but one, with how well in 0..1.

    ``loosely`` takes those with some of the words as well: the costliest look of all in a large library.
    """
    rarest = sorted(search.groups, key=lambda group: group.papers)

    def found(match: str, best: float) -> dict[int, float]:
        ids = index.in_texts(search.connection, match, limit=limit, filters=search.filters)
        return {paper_id: best * (1 - place / (2 * limit)) for place, paper_id in enumerate(ids)}

    by_text = found(expansion.strict(rarest), 1.0)
    # The commonest word tells least.
    for left_out in range(len(rarest) - 1, max(-1, len(rarest) - 4), -1):
        if by_text or len(rarest) < 3:
            break
        some = [group for place, group in enumerate(rarest) if place != left_out]
        by_text = found(expansion.strict(some), 0.8)
    if loosely and not by_text and len(rarest) > 1:
        by_text = found(expansion.loose(rarest), 0.7)
    return by_text


def _texts(search: _Search, by_text: dict[int, float]) -> dict[int, InText]:
    """Return the texts of these papers by position, of those that the headings know and the query allows."""
    headings = search.headings
    texts = papers.texts(search.connection, list(by_text))
    return {
        position: InText.of(texts[number], by_text[number])
        for position, number in ((position, int(headings.ids[position])) for position in headings.position_of(
            list(texts)
        ).tolist())
        if search.allowed is None or search.allowed[position]
    }  # fmt: skip


def _unknown(connection: Connection, headings: Headings, wanted: Iterable[str]) -> list[str]:
    lacking = [word for word in dict.fromkeys(wanted) if headings.vocabulary.count(word) == 0]
    in_texts = index.words_of_texts(connection, lacking)
    return [word for word in lacking if word not in in_texts]


def _closest(headings: Headings, unknown: Iterable[str]) -> tuple[str, ...]:
    nearest = [headings.vocabulary.corrections(word)[:2] for word in unknown]
    return tuple(dict.fromkeys(near.word for some in nearest for near in some))[:8]


def _corrections(search: _Search, best: Paper) -> tuple[tuple[str, str], ...]:
    """Return which words the best paper has in other spelling than they were typed."""
    headings = words(" ".join((best.title, *best.aliases, *best.authors, *best.keywords)))
    spoken = " ".join(headings)
    text = set(words(best.text))
    named: list[tuple[str, str]] = []
    for group in search.groups:
        if not group.alternatives or group.word in headings or group.word in text:
            continue
        if any(group.begun and word.startswith(group.word) for word in headings):
            continue
        used = next((one for one in group.alternatives if f" {one} " in f" {spoken} " or one in text), None)
        if used is not None and search.headings.vocabulary.count(group.word) == 0:
            named.append((group.word, used))
    return tuple(named)


def _completions(connection: Connection, ids: Sequence[int]) -> list[Completion]:
    titles = papers.titles(connection, ids)
    return [_completion(number, titles[number]) for number in ids if number in titles]


def _completion(paper_id: int, title: str) -> Completion:
    return Completion(paper_id=paper_id, title=title)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
