"""What managers do with subscriptions: everything is checked before anything is kept."""

import datetime as dt
from dataclasses import replace

from bot.digests import schedule as schedules
from bot.errors import Conflict, InvalidInput, NotFound
from bot.models import GuildSettings, Now, Schedule, Subscription, SubscriptionState, Topic, Why
from bot.search.searcher import Searcher
from bot.store import deliveries, editions, guilds, subscriptions
from bot.store.database import Connection, Database

MOST_IN_A_GUILD = 25

_GRACE = dt.timedelta(days=30)
_LONGEST_QUERY = 300
_LEFT = "left_server"


class Subscriptions:
    """The subscriptions of every guild, and what else its managers chose.

    Args:
        default_zone: the IANA zone of a guild whose managers chose none.
    """

    def __init__(self, database: Database, searcher: Searcher, now: Now, *, default_zone: str) -> None:
        self._database = database
        self._searcher = searcher
        self._now = now
        self._default_zone = default_zone

    async def subscribe(
        self,
        guild_id: int,
        channel_id: int,
        user_id: int,
        *,
        query: str = "",
        days: str,
        at: str,
        zone: str | None = None,
        size: int = 5,
        role_id: int | None = None,
        fill_up: bool = True,
        speak_when_empty: bool = False,
    ) -> Subscription:
        """Subscribe a channel and return the subscription; its first edition comes at its next due moment.

        Args:
            query: the topic, in the language of the search; empty is every paper.
            days: as ``schedule.parse_days`` reads them.
            at: as ``schedule.parse_time`` reads it.
            zone: as ``schedule.parse_zone`` reads it; None is the guild's.
            size: papers in an edition, 1..10.

        Raises:
            InvalidInput: days, time, zone, size or topic cannot be used, or the topic matches no paper.
            Conflict: the channel has the same topic at the same time already, or the guild has 25 subscriptions.
        """
        chosen_days, time = schedules.parse_days(days), schedules.parse_time(at)
        chosen_zone = schedules.parse_zone(zone) if zone is not None else (await self.settings_of(guild_id)).zone
        if not 1 <= size <= 10:
            raise InvalidInput("A digest holds 1 to 10 papers.")
        topic = Topic(query=" ".join(query.split()))
        await self._check_topic(topic)
        now = self._now()
        schedule = Schedule(days=chosen_days, at=time, zone=chosen_zone)
        wanted = Subscription(
            id=0,
            guild_id=guild_id,
            channel_id=channel_id,
            user_id=user_id,
            number=1,
            topic=topic,
            schedule=schedule,
            size=size,
            role_id=role_id,
            fill_up=fill_up,
            speak_when_empty=speak_when_empty,
            next_due_at=schedules.next_due(schedule, now)[0],
            created_at=now,
        )
        return await self._database.write(lambda connection: _keep(connection, wanted))

    async def list_for(self, guild_id: int) -> list[Subscription]:
        """Return the guild's subscriptions by their numbers."""
        return await self._database.read(lambda connection: subscriptions.list_for_guild(connection, guild_id))

    async def get(self, guild_id: int, number: int) -> Subscription:
        """Return the guild's subscription with this number.

        Raises:
            NotFound: there is none.
        """
        return await self._database.read(lambda connection: _get(connection, guild_id, number))

    async def pause(self, guild_id: int, number: int, reason: str = "asked") -> Subscription:
        """Let a subscription rest and return it; what it has waiting and never tried is skipped.

        Raises:
            NotFound: there is none.
            Conflict: it rests already.
        """
        now = self._now()

        def work(connection: Connection) -> Subscription:
            found = _get(connection, guild_id, number)
            if not subscriptions.pause(connection, found.id, reason):
                raise Conflict(f"Subscription {number} is paused already.")
            deliveries.skip_waiting(connection, found.id, why="paused", at=now)
            editions.free_unposted(connection, found.id)
            return _get(connection, guild_id, number)

        return await self._database.write(work)

    async def resume(self, guild_id: int, number: int) -> Subscription:
        """Wake a subscription and return it; it goes on with its next due moment and posts no backlog.

        Raises:
            NotFound: there is none.
            Conflict: it is awake.
        """
        now = self._now()

        def work(connection: Connection) -> Subscription:
            found = _get(connection, guild_id, number)
            if not subscriptions.resume(connection, found.id, schedules.next_due(found.schedule, now)[0]):
                raise Conflict(f"Subscription {number} is not paused.")
            return _get(connection, guild_id, number)

        return await self._database.write(work)

    async def remove(self, guild_id: int, number: int) -> Subscription:
        """Forget a subscription with all its editions and return it as it was.

        Raises:
            NotFound: there is none.
        """

        def work(connection: Connection) -> Subscription:
            found = _get(connection, guild_id, number)
            subscriptions.delete(connection, found.id)
            return found

        return await self._database.write(work)

    async def why(self, guild_id: int, number: int) -> Why:
        """Return what became of a subscription's latest edition.

        Raises:
            NotFound: there is no such subscription.
        """

        def work(connection: Connection) -> Why:
            found = _get(connection, guild_id, number)
            edition = editions.find_last(connection, found.id)
            sent = deliveries.of_edition(connection, edition.id) if edition is not None else []
            return Why(subscription=found, edition=edition, deliveries=tuple(sent))

        return await self._database.read(work)

    async def settings_of(self, guild_id: int) -> GuildSettings:
        """Return what the guild's managers chose, or the defaults."""
        found = await self._database.read(lambda connection: guilds.find_settings(connection, guild_id))
        return found or GuildSettings(guild_id=guild_id, zone=self._default_zone)

    async def set_zone(self, guild_id: int, zone: str) -> GuildSettings:
        """Choose the guild's zone for subscriptions made from now on.

        Raises:
            InvalidInput: there is no such zone.
        """
        chosen = GuildSettings(guild_id=guild_id, zone=schedules.parse_zone(zone))
        await self._database.write(lambda connection: guilds.keep_settings(connection, chosen))
        return chosen

    async def guild_joined(self, guild_id: int) -> None:
        """Note that the bot is in a guild (again); what rested because it was gone goes on, without a backlog."""
        now = self._now()

        def work(connection: Connection) -> None:
            guilds.mark_joined(connection, guild_id)
            for one in subscriptions.list_for_guild(connection, guild_id):
                if one.pause_reason == _LEFT:
                    subscriptions.resume(connection, one.id, schedules.next_due(one.schedule, now)[0])

        await self._database.write(work)

    async def guild_left(self, guild_id: int) -> None:
        """Let all that is the guild's rest; 30 days later it is forgotten."""
        now = self._now()

        def work(connection: Connection) -> None:
            guilds.mark_left(connection, guild_id, zone=self._default_zone, at=now)
            for one in subscriptions.list_for_guild(connection, guild_id):
                if subscriptions.pause(connection, one.id, _LEFT):
                    deliveries.skip_waiting(connection, one.id, why=_LEFT, at=now)
                    editions.free_unposted(connection, one.id)
            guilds.forget_left_before(connection, now - _GRACE)

        await self._database.write(work)

    async def _check_topic(self, topic: Topic) -> None:
        if not topic.query:
            return
        if len(topic.query) > _LONGEST_QUERY:
            raise InvalidInput(f"The topic is longer than {_LONGEST_QUERY} characters; name its telling words only.")
        matching = await self._database.read(
            lambda connection: self._searcher.matching(connection, topic.query, limit=1)
        )
        if matching:
            return
        findings = await self._searcher.search(topic.query, limit=1)
        hint = (
            f"Closest words in the library: {', '.join(findings.closest_words[:4])}." if findings.closest_words else ""
        )
        shown = topic.query if len(topic.query) <= 60 else topic.query[:59] + "…"
        raise InvalidInput(f"No paper matches the topic “{shown}”. {hint}".strip())


def _get(connection: Connection, guild_id: int, number: int) -> Subscription:
    found = subscriptions.find_by_number(connection, guild_id, number)
    if found is None:
        raise NotFound(f"There is no subscription {number} in this server. /digest list shows them.")
    return found


def _keep(connection: Connection, wanted: Subscription) -> Subscription:
    present = subscriptions.list_for_guild(connection, wanted.guild_id)
    if len(present) >= MOST_IN_A_GUILD:
        raise Conflict(f"This server has {MOST_IN_A_GUILD} subscriptions, the most there can be. Remove one first.")
    for other in present:
        if (other.channel_id, other.topic, other.schedule) == (wanted.channel_id, wanted.topic, wanted.schedule):
            state = "" if other.state is SubscriptionState.ACTIVE else ", paused"
            raise Conflict(f"Subscription {other.number} is the same already{state}. /digest list shows it.")
    taken = {other.number for other in present}
    number = next(one for one in range(1, MOST_IN_A_GUILD + 1) if one not in taken)
    kept = subscriptions.insert(connection, replace(wanted, number=number))
    return replace(wanted, id=kept, number=number)
