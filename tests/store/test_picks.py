import datetime as dt

from bot.models import Paper
from bot.store import papers, picks
from bot.store.database import Connection, Database

NOW = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def show(connection: Connection, channel: int, *ids: int) -> None:
    for paper_id in ids:
        picks.keep(connection, channel, paper_id, moment=picks.next_moment(connection, channel, NOW))


async def test_picks_of_the_same_second_keep_their_order_and_rounds_are_forgotten_in_part(database: Database):
    def work(connection: Connection) -> None:
        ids = [papers.insert(connection, Paper(id=0, title=f"P{number}"), added_at=NOW) for number in range(4)]
        show(connection, 1, *ids[:3])
        show(connection, 2, ids[3])

        assert picks.shown(connection, 1) == set(ids[:3])
        assert picks.last_shown(connection, 1, ids) == ids[2]
        assert picks.last_shown(connection, 1, ids[:2]) == ids[1]
        assert picks.last_shown(connection, 1, ids[3:]) is None
        picks.forget(connection, 1, ids[:2])
        assert picks.shown(connection, 1) == {ids[2]}
        assert picks.shown(connection, 2) == {ids[3]}

    await database.write(work)
