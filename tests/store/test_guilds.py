import datetime as dt

from bot.models import GuildSettings
from bot.store import guilds
from bot.store.database import Database

NOW = dt.datetime(2026, 3, 2, 8, 0, tzinfo=dt.UTC)


async def chosen(database: Database, guild_id: int) -> GuildSettings | None:
    return await database.read(lambda connection: guilds.find_settings(connection, guild_id))


async def test_what_was_chosen_last_counts(database: Database) -> None:
    assert await chosen(database, 1) is None
    for zone in ("Europe/Berlin", "Asia/Tokyo"):
        settings = GuildSettings(guild_id=1, zone=zone)
        await database.write(lambda connection, settings=settings: guilds.keep_settings(connection, settings))
    assert await chosen(database, 1) == GuildSettings(guild_id=1, zone="Asia/Tokyo")


async def test_only_guilds_that_stayed_away_are_forgotten(database: Database) -> None:
    for guild_id in (1, 2, 3):
        settings = GuildSettings(guild_id=guild_id, zone="Asia/Tokyo")
        await database.write(lambda connection, settings=settings: guilds.keep_settings(connection, settings))
    for guild_id in (1, 2):
        await database.write(
            lambda connection, guild_id=guild_id: guilds.mark_left(connection, guild_id, zone="UTC", at=NOW)
        )
    await database.write(lambda connection: guilds.mark_joined(connection, 2))
    moment = NOW + dt.timedelta(days=1)
    assert await database.write(lambda connection: guilds.forget_left_before(connection, moment)) == 1
    assert await chosen(database, 1) is None
    assert await chosen(database, 2) == GuildSettings(guild_id=2, zone="Asia/Tokyo")
    assert await chosen(database, 3) is not None
