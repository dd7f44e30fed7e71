"""Finding papers: by words, typos forgiven; by identifier; by number; by another paper; while typing.

A search is one function on a reader's thread (``bot.search.lookup``). Nothing of it runs on the event loop.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from bot.errors import NotFound, StoreError
from bot.models import Findings, Hit, Paper
from bot.search import completing, conditions, expansion, lookup, matching, query, similar
from bot.search.completing import Completion, Field
from bot.search.headings import Headings
from bot.search.keeping import KeptHeadings
from bot.search.lookup import Lookup
from bot.search.ranking import Ranking
from bot.search.snippets import snippet
from bot.store import index, papers
from bot.store.database import Connection, Database
from bot.text.words import words

T = TypeVar("T")


class Searcher:
    """Searches the library; may be shared by all who ask.

    The first question waits until the library's headings are in memory, 2 seconds with 100,000 papers, unless
    ``warm`` has brought them there. What a large import brings is found a few seconds later.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._kept = KeptHeadings()
        self._renewing: asyncio.Task[None] | None = None

    def warm(self) -> None:
        """Begin to bring the headings into memory, so that nobody waits for them; call it on the event loop."""
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew(), name="headings")

    async def search(self, text: str, *, limit: int = 5) -> Findings:
        """Return the papers that answer best, or the nearest ones, or the words that are near.

        Costs about 10 ms with 100,000 papers.

        Args:
            text: what was typed; its first 300 characters are read.
            limit: hits at most, 1..100.

        Raises:
            InvalidInput: there is no letter and no digit in it.
        """
        return await self._read(lambda connection: self._find(connection, text, limit=limit))

    async def get(self, reference: str) -> Paper:
        """Return the one paper that is meant: ``#12`` by its number, an identifier, an address, or the best hit.

        Raises:
            InvalidInput: there is no letter and no digit in it.
            NotFound: nothing matches well; the sentence names what is near.
        """
        number = query.number(reference)
        if number is not None:
            return await self._database.read(lambda connection: papers.get_paper(connection, number))
        findings = await self.search(reference, limit=1)
        if findings.exact and findings.hits:
            return findings.hits[0].paper
        sentence = f"No paper matches “{_cut(reference.strip(), 60)}”."
        if findings.hits:
            raise NotFound(f"{sentence} Did you mean “{_cut(findings.hits[0].paper.title, 90)}”?")
        if findings.closest_words:
            raise NotFound(f"{sentence} Closest words in the library: {', '.join(findings.closest_words[:4])}.")
        raise NotFound(f"{sentence} Try other words, an author's name, or fewer words.")

    async def similar(self, paper: Paper, *, limit: int = 5) -> list[Hit]:
        """Return the papers most like one of the library, best first; none where nothing is alike."""
        return await self._read(
            lambda connection: similar.like(connection, self._kept.of(connection), paper, limit=limit)
        )

    async def complete(self, text: str, *, limit: int = 25) -> list[Completion]:
        """Return papers for what was typed so far, best first; the newest for nothing, none for what is no text.

        Typos are forgiven from four characters on.
        """
        return await self._read(
            lambda connection: completing.titles(connection, self._kept.of(connection), text, limit=limit)
        )

    async def complete_name(self, field: Field, text: str, *, limit: int = 25) -> list[str]:
        """Return names of authors, keywords, venues or tracks for what was typed so far, the most frequent first."""
        return await self._read(
            lambda connection: completing.names(connection, self._kept.of(connection), field, text, limit=limit)
        )

    def matching(self, connection: Connection, text: str, *, limit: int | None = None) -> list[int]:
        """Return the ids of the papers that have every word of the query, best first; no typo is forgiven.

        The empty query is every paper, those last added first. What a digest is to bring must not be missed, so this
        waits for headings of now. For use inside a read or a write.

        Raises:
            InvalidInput: something was typed, but no letter and no digit.
        """
        return matching.in_order(connection, self._kept.renewed(connection), text, limit=limit)

    def to_pick_from(self, connection: Connection, text: str) -> NDArray[np.int64]:
        """Return the ids of the papers that a random pick may bring, each once; for use inside a read or a write.

        Raises:
            InvalidInput: something was typed, but no letter and no digit.
        """
        return matching.in_any_order(connection, self._kept.of(connection), text)

    def closest_words(self, connection: Connection, text: str) -> tuple[str, ...]:
        """Return words of the library that resemble those of the text that it lacks; for use inside a read."""
        headings = self._kept.of(connection)
        wanted = query.parse(text).everything_wanted
        return _closest(headings, _unknown(connection, headings, wanted))

    async def _read(self, work: Callable[[Connection], T]) -> T:
        found = await self._database.read(work)
        if self._kept.is_due and (self._renewing is None or self._renewing.done()):
            self._renewing = asyncio.create_task(self._renew(), name="headings")
        return found

    async def _renew(self) -> None:
        # The library may be closed meanwhile.
        with contextlib.suppress(StoreError):
            await self._database.read(self._kept.renewed)

    def _find(self, connection: Connection, text: str, *, limit: int) -> Findings:
        asked = query.parse(text)
        known = lookup.identified(connection, asked)
        if known is not None:
            return Findings(query=text, hits=(Hit(paper=known, score=100.0, snippet=snippet(known.text, ())),))
        if asked.only_identifier:
            return Findings(query=text, exact=False)
        headings = self._kept.of(connection)
        if lookup.titled(headings, asked).size:
            # A title may well hold quotes, colons or dashes that mean something in a query.
            asked = query.as_words(asked)
        search = lookup.begin(connection, headings, asked, texts=True)
        if not search.wanted.words:
            return _filtered(search, text, limit)
        ranked = lookup.ranked(search, limit, texts=True)
        exact = ranked.is_answered
        if not len(ranked) and search.filters.within:
            # Nothing has the phrase, the author or the keyword: what is near to their words?
            plain = replace(asked, phrases=(), authors=(), keywords=())
            search = replace(
                search,
                filters=replace(search.filters, within=""),
                allowed=conditions.allowed(connection, headings, plain),
            )
            ranked, exact = lookup.ranked(search, limit, texts=True), False
        return _findings(search, text, ranked, limit, exact=exact)


def _filtered(search: Lookup, text: str, limit: int) -> Findings:
    ids = index.anywhere(search.connection, limit=limit, filters=search.filters)
    found = papers.get_papers(search.connection, ids)
    hits = tuple(Hit(paper=paper, score=90.0, snippet=snippet(paper.text, ())) for paper in found)
    return Findings(query=text, hits=hits, exact=bool(hits))


def _findings(search: Lookup, text: str, ranked: Ranking, limit: int, *, exact: bool) -> Findings:
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


def _unknown(connection: Connection, headings: Headings, wanted: Iterable[str]) -> list[str]:
    lacking = [word for word in dict.fromkeys(wanted) if headings.vocabulary.count(word) == 0]
    in_texts = index.words_of_texts(connection, lacking)
    return [word for word in lacking if word not in in_texts]


def _closest(headings: Headings, unknown: Iterable[str]) -> tuple[str, ...]:
    nearest = [headings.vocabulary.corrections(word)[:2] for word in unknown]
    return tuple(dict.fromkeys(near.word for some in nearest for near in some))[:8]


def _corrections(search: Lookup, best: Paper) -> tuple[tuple[str, str], ...]:
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


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
