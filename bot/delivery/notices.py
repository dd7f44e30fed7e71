"""A word to a guild's managers when a subscription was paused, by another way than its channel."""

import logging

import discord

from bot.models import Subscription
from bot.rendering.markdown import escaped
from bot.rendering.schedules import topic_words
from bot.rendering.troubles import pause_words

log = logging.getLogger(__name__)

_TOPIC = 120


class Notices:
    """Tells in the guild's system channel, else in a private message to who subscribed, else nobody."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def paused(self, subscription: Subscription, reason: str) -> None:
        """Say that a subscription is paused, why, and how it goes on; nobody is mentioned."""
        words = (
            f"Digest {subscription.number} ({escaped(topic_words(subscription.topic), _TOPIC)}) "
            f"in <#{subscription.channel_id}> is paused: {pause_words(reason)}. "
            f"Then use /digest resume {subscription.number}."
        )
        guild = self._client.get_guild(subscription.guild_id)
        for place in (guild and guild.public_updates_channel, guild and guild.system_channel):
            if guild is None or place is None or place.id == subscription.channel_id:
                continue
            mine = place.permissions_for(guild.me)
            if mine.view_channel and mine.send_messages:
                await place.send(words, allowed_mentions=discord.AllowedMentions.none())
                return
        try:
            member = await self._client.fetch_user(subscription.user_id)
            await member.send(words, allowed_mentions=discord.AllowedMentions.none())
        except (discord.Forbidden, discord.NotFound):
            log.info("nobody could be told of a pause", extra={"subscription": subscription.id})
