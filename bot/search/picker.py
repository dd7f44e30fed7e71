"""Random papers: uniform, and none twice in a channel until all were seen."""

import random

import numpy as np
from numpy.typing import NDArray

from bot.errors import NotFound
from bot.models import Now, Paper
from bot.search.searcher import Searcher
from bot.store import papers, picks
from bot.store.database import Connection, Database

_TRIES = 30


class Picker:
    """Picks papers by chance and remembers, in the store, what a channel has seen."""

    def __init__(
        self, database: Database, searcher: Searcher, now: Now, *, chance: random.Random | None = None
    ) -> None:
        self._database = database
        self._searcher = searcher
        self._now = now
        self._chance = chance or random.SystemRandom()

    async def pick(self, channel_id: int, query: str = "") -> Paper:
        """Return a paper that the channel has not seen in its present round, and note that it has now.

        Every unseen paper that matches is equally likely. When all of those were seen, a new round over
        them begins, never with the paper shown last unless it is the only one.

        Args:
            channel_id: the rounds of different channels have nothing to do with each other.
            query: pick among the papers that match it; empty is all of them.

        Raises:
            InvalidInput: the query has no letter and no digit.
            NotFound: the library is empty, or nothing matches.
        """
        at = self._now()

        def work(connection: Connection) -> Paper:
            matching = self._searcher.to_pick_from(connection, query)
            if not matching.size:
                raise self._nothing(connection, query)
            moment = picks.next_moment(connection, channel_id, at)
            chosen = self._unseen(connection, channel_id, matching)
            picks.keep(connection, channel_id, chosen.id, moment=moment)
            return chosen

        return await self._database.write(work)

    def _unseen(self, connection: Connection, channel_id: int, matching: NDArray[np.int64]) -> Paper:
        # While few were seen, trying is a thousand times as fast as taking the seen ones out.
        for _ in range(_TRIES):
            tried = int(matching[self._chance.randrange(matching.size)])
            if not picks.was_shown(connection, channel_id, tried) and (found := papers.get_papers(connection, [tried])):
                return found[0]
        # A paper may have been merged into another a moment ago.
        present: list[int] = [one.id for one in papers.get_papers(connection, matching.tolist())]
        seen = picks.shown(connection, channel_id)
        unseen = [paper_id for paper_id in present if paper_id not in seen]
        if not unseen:
            last = picks.last_shown(connection, channel_id, present)
            picks.forget(connection, channel_id, present)
            unseen = [paper_id for paper_id in present if paper_id != last] or present
        return papers.get_paper(connection, self._chance.choice(unseen))

    def _nothing(self, connection: Connection, query: str) -> NotFound:
        if papers.count(connection) == 0:
            return NotFound("The library is empty. Import papers first: paperround import FILE.")
        shown = query.strip() if len(query.strip()) <= 80 else query.strip()[:79] + "…"
        closest = self._searcher.closest_words(connection, query)[:4]
        hint = f"Closest words in the library: {', '.join(closest)}." if closest else "Try fewer or other words."
        return NotFound(f"No paper matches “{shown}”. {hint}")
