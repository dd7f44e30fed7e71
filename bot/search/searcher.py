"""Finding papers: by words, typos forgiven; by identifier; by number; while typing.

A search is one function on a reader's thread: candidates from the index, strictly and then loosely, then ranked
word by word. Nothing of it runs on the event loop.
"""

import asyncio
import contextlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.errors import InvalidInput, NotFound, StoreError
from bot.models import Findings, Hit, Paper
from bot.search import expansion, query, ranking
from bot.search.expansion import Group
from bot.search.keeping import KeptVocabulary
from bot.search.query import Query
from bot.search.ranking import Ranked, Wanted
from bot.search.snippets import snippet
from bot.search.spelling import Vocabulary
from bot.store import index, papers
from bot.store.database import Connection, Database
from bot.store.index import Filters
from bot.text.words import words

_STRICT_CANDIDATES = 40
_LOOSE_CANDIDATES = 120
_TEXT_CANDIDATES = 30
_ENOUGH = 10
_NEAR = 25.0
"""A paper that covers less of the query than this is not even near."""

_SURE = 93.0
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
    vocabulary: Vocabulary
    query: Query
    filters: Filters
    groups: Sequence[Group]
    wanted: Wanted


class Searcher:
    """Searches the library; may be shared by all who ask."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept = KeptVocabulary()
        self._renewing: asyncio.Task[None] | None = None

    async def search(self, text: str, *, limit: int = 5) -> Findings:
        """Return the papers that answer best, or the nearest ones, or the words that are near.

        Costs about 40 ms with 100,000 papers, and a second more the first time. While a large import runs, its
        words are known to the spelling after a few seconds only.

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
        vocabulary = self._kept.of(connection)
        found = [paper.id for paper in _titled(connection, asked)]
        filters = _filters(connection, asked, vocabulary)
        if asked.words:
            groups = expansion.expand(asked.words, vocabulary, in_texts=(), corrected=False)
            match = expansion.strict_or_joined(expansion.telling(asked.words), groups, vocabulary)
            found += index.in_headings(connection, match, limit=most, filters=filters)
            found += index.in_texts(connection, match, limit=most, filters=filters)
        else:
            found += index.anywhere(connection, limit=most, filters=filters)
        return list(dict.fromkeys(found))[:limit]

    def closest_words(self, connection: Connection, text: str) -> tuple[str, ...]:
        """Return words of the library that resemble those of the text that it lacks; for use inside a read."""
        vocabulary = self._kept.of(connection)
        wanted = query.parse(text).everything_wanted
        return _closest(vocabulary, _unknown(connection, vocabulary, wanted))

    def _renew_if_due(self) -> None:
        if self._kept.is_due and (self._renewing is None or self._renewing.done()):
            self._renewing = asyncio.create_task(self._renew(), name="vocabulary")

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
        titled = _titled(connection, asked)
        if titled:
            # A title may well hold quotes, colons or dashes that mean something in a query.
            asked = query.as_words(asked)
        search = self._begin(connection, asked)
        if not search.wanted.words:
            return self._filtered(search, text, limit)
        ranked = self._ranked(search, titled, limit)
        exact = bool(ranked) and ranked[0].coverage >= ranking.GOOD
        if not ranked and search.filters.within:
            # Nothing has the phrase, the author or the keyword: what is near to their words?
            search = replace(search, filters=replace(search.filters, within=""))
            ranked, exact = self._ranked(search, [], limit), False
        return self._findings(search, text, ranked[:limit], exact=exact)

    def _begin(self, connection: Connection, asked: Query) -> _Search:
        vocabulary = self._kept.of(connection)
        wanted = asked.everything_wanted[: query.MOST_WORDS]
        rare = [word for word in dict.fromkeys(wanted) if vocabulary.is_rare(word)]
        groups = expansion.expand(wanted, vocabulary, in_texts=index.words_of_texts(connection, rare)) if wanted else []
        return _Search(
            connection=connection,
            vocabulary=vocabulary,
            query=asked,
            filters=_filters(connection, asked, vocabulary, corrected=True),
            groups=groups,
            wanted=Wanted(
                words=wanted,
                alternatives={group.word: group.others for group in groups},
                title=words(asked.text),
                longest_title=query.MOST_CHARACTERS,
            ),
        )

    def _filtered(self, search: _Search, text: str, limit: int) -> Findings:
        ids = index.anywhere(search.connection, limit=limit, filters=search.filters)
        found = papers.get_papers(search.connection, ids)
        hits = tuple(Hit(paper=paper, score=90.0, snippet=snippet(paper.text, ())) for paper in found)
        return Findings(query=text, hits=hits, exact=bool(hits))

    def _ranked(self, search: _Search, titled: Sequence[Paper], limit: int, *, texts: bool = True) -> list[Ranked]:
        connection, vocabulary, groups, filters = search.connection, search.vocabulary, search.groups, search.filters
        strict = expansion.strict(groups, vocabulary, begun=True)
        most = max(_STRICT_CANDIDATES, 2 * limit)
        ids: list[int] = []
        if len(search.wanted.words) > 1:
            # Part of a title, typed as it stands; in a large library many shorter ones have the same words.
            run = index.quoted(" ".join(search.wanted.words), prefix=True)
            ids += index.in_headings(connection, run, limit=_ENOUGH, filters=filters)
        ids += index.in_headings(connection, strict, limit=most, filters=filters)
        if len(ids) < max(_ENOUGH, limit):
            pairs = expansion.joined(search.wanted.words, vocabulary)
            loose = expansion.loose(groups, pairs, vocabulary)
            ids += index.in_headings(connection, loose, limit=max(_LOOSE_CANDIDATES, 2 * limit), filters=filters)
        candidates = {paper.id: paper for paper in titled}
        _fetch(connection, ids, candidates)
        ranked = ranking.rank(search.wanted, list(candidates.values()), vocabulary)
        few = len(ranked) < limit
        if texts and (few or ranked[0].coverage < _SURE):
            found = not few and ranked[0].coverage >= ranking.GOOD
            by_text = _by_text(search, max(_TEXT_CANDIDATES, limit), loosely=not found)
            kept = [one.paper.id for one in ranked[: max(_TEXT_CANDIDATES, limit)]]
            _fetch(connection, by_text, candidates)
            narrowed = [candidates[one] for one in dict.fromkeys([*kept, *by_text])]
            ranked = ranking.rank(search.wanted, narrowed, vocabulary, text_hits=by_text)
        return [one for one in ranked if one.coverage >= _NEAR]

    def _findings(self, search: _Search, text: str, ranked: Sequence[Ranked], *, exact: bool) -> Findings:
        connection, vocabulary = search.connection, search.vocabulary
        corrections = _corrections(search, ranked[0].paper) if exact and ranked[0].coverage < 100 else ()
        terms = {*search.wanted.words, *(other for group in search.groups for other in group.others)}
        terms = set(expansion.telling(sorted(terms)))
        return Findings(
            query=text,
            hits=tuple(
                Hit(paper=one.paper, score=round(one.score, 2), snippet=snippet(one.paper.text, terms))
                for one in ranked
            ),
            exact=exact,
            corrections=corrections,
            closest_words=_closest(vocabulary, _unknown(connection, vocabulary, search.wanted.words)),
        )

    def _complete(self, connection: Connection, text: str, *, limit: int) -> list[Completion]:
        if not text.strip():
            return [_completion(paper) for paper in papers.newest(connection, limit=limit)]
        number = _NUMBER.fullmatch(text)
        if number:
            return [_completion(paper) for paper in papers.get_papers(connection, [int(number[1])])]
        try:
            asked = query.parse(text)
        except InvalidInput:
            return []
        known = _identified(connection, asked)
        if known is not None or asked.only_identifier:
            return [] if known is None else [_completion(known)]
        typed = words(asked.text)[: query.MOST_WORDS]
        if len("".join(typed)) < _FORGIVING_FROM:
            start = index.quoted(" ".join(typed), prefix=True, column="title", first=True)
            first = index.completing(connection, start, limit=limit)
            spread = index.all_of(index.quoted(word, prefix=word == typed[-1]) for word in typed)
            ids = [*first, *(index.completing(connection, spread, limit=limit) if len(first) < limit else ())]
            return [_completion(one) for one in papers.get_papers(connection, list(dict.fromkeys(ids))[:limit])]
        titled = _titled(connection, asked)
        search = self._begin(connection, query.as_words(asked))
        ranked = self._ranked(search, titled, limit, texts=False)
        found = {one.paper.id: one.paper for one in ranked if one.coverage >= _COMPLETES}
        for start in search.vocabulary.beginnings(typed[-1]) if len(found) < limit else ():
            # The word is not finished, so its typo shows against the beginnings of words only.
            begun = self._begin(connection, query.parse(" ".join([*typed[:-1], start])))
            more = self._ranked(begun, [], limit, texts=False)
            found = {one.paper.id: one.paper for one in more if one.coverage >= _COMPLETES} | found
        return [_completion(paper) for paper in found.values()][:limit]


def _identified(connection: Connection, asked: Query) -> Paper | None:
    owners = papers.owners(connection, asked.identifiers) if asked.identifiers else {}
    owner = next((owners[name] for name in asked.identifiers if name in owners), None)
    return None if owner is None else papers.get_paper(connection, owner)


def _titled(connection: Connection, asked: Query) -> list[Paper]:
    """Return the papers whose title, or another title of theirs, was typed in full."""
    typed = Wanted(words=(), alternatives={}, title=words(asked.text), longest_title=query.MOST_CHARACTERS)
    found = papers.get_papers(connection, index.titled(connection, asked.text))
    own = [paper for paper in found if ranking.is_title(typed, paper.title)]
    other = [
        paper for paper in found if paper not in own and any(ranking.is_title(typed, alias) for alias in paper.aliases)
    ]
    return [*sorted(own, key=lambda paper: paper.id), *other]


def _filters(connection: Connection, asked: Query, vocabulary: Vocabulary, *, corrected: bool = False) -> Filters:
    within = [index.quoted(phrase) for phrase in asked.phrases]
    for column, values in (("authors", asked.authors), ("keywords", asked.keywords)):
        for value in values:
            for word in words(value):
                spelt = list(vocabulary.indexed(word))
                if corrected and vocabulary.count(word) == 0:
                    spelt += [near.word for near in vocabulary.corrections(word)]
                within.append(index.any_of(index.quoted(one, column=column) for one in spelt))
    return Filters(
        years=asked.years,
        venues=_named(asked.venues, index.venues(connection)) if asked.venues else None,
        tracks=_named(asked.tracks, index.tracks(connection)) if asked.tracks else None,
        within=index.all_of(within) if within else "",
        without=index.any_of(index.quoted(one) for one in asked.excluded) if asked.excluded else "",
    )


def _named(values: Iterable[str], names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that have all words of one of the values."""
    wanted = [set(words(value)) for value in values]
    return tuple(name for name in names if any(one <= set(words(name)) for one in wanted))


def _fetch(connection: Connection, ids: Iterable[int], into: dict[int, Paper]) -> None:
    new = [paper_id for paper_id in dict.fromkeys(ids) if paper_id not in into]
    into.update((paper.id, paper) for paper in papers.get_papers(connection, new))


def _by_text(search: _Search, limit: int, *, loosely: bool) -> dict[int, float]:
    """Return papers that have all the words somewhere, or all but one, with how well in 0..1.

    ``loosely`` takes those with some of the words as well: the costliest look of all in a large library.
    """
    rarest = sorted(search.groups, key=lambda group: group.papers)

    def found(match: str, best: float) -> dict[int, float]:
        ids = index.in_texts(search.connection, match, limit=limit, filters=search.filters)
        return {paper_id: best * (1 - place / (2 * limit)) for place, paper_id in enumerate(ids)}

    by_text = found(expansion.strict(rarest, search.vocabulary), 1.0)
    # The commonest word tells least.
    for left_out in range(len(rarest) - 1, max(-1, len(rarest) - 4), -1):
        if by_text or len(rarest) < 3:
            break
        some = [group for place, group in enumerate(rarest) if place != left_out]
        by_text = found(expansion.strict(some, search.vocabulary), 0.8)
    if loosely and len(by_text) < _ENOUGH and len(rarest) > 1:
        pairs = expansion.joined(search.wanted.words, search.vocabulary)
        by_text = found(expansion.loose(rarest, pairs, search.vocabulary), 0.7) | by_text
    return by_text


def _unknown(connection: Connection, vocabulary: Vocabulary, wanted: Iterable[str]) -> list[str]:
    lacking = [word for word in dict.fromkeys(wanted) if vocabulary.count(word) == 0]
    in_texts = index.words_of_texts(connection, lacking)
    return [word for word in lacking if word not in in_texts]


def _closest(vocabulary: Vocabulary, unknown: Iterable[str]) -> tuple[str, ...]:
    nearest = [vocabulary.corrections(word)[:2] for word in unknown]
    return tuple(dict.fromkeys(near.word for some in nearest for near in some))[:8]


def _corrections(search: _Search, best: Paper) -> tuple[tuple[str, str], ...]:
    """Return which words the best paper has in other spelling than they were typed."""
    headings = words(" ".join((best.title, *best.aliases, *best.authors, *best.keywords)))
    spoken = " ".join(headings)
    text = set(words(best.text))
    named: list[tuple[str, str]] = []
    for group in search.groups:
        if not group.others or group.word in headings or group.word in text:
            continue
        if any(group.begun and word.startswith(group.word) for word in headings):
            continue
        used = next((other for other in group.others if f" {other} " in f" {spoken} " or other in text), None)
        if used is not None and search.vocabulary.count(group.word) == 0:
            named.append((group.word, used))
    return tuple(named)


def _completion(paper: Paper) -> Completion:
    return Completion(paper_id=paper.id, title=paper.title)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
