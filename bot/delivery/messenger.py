"""Discord behind the outbox's narrow port: send a delivery once, and look whether it is there."""

import datetime as dt
import itertools
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import discord

from bot.delivery.discord_clock import DiscordClock
from bot.delivery.verdict import Blocked, NotReady, Unsendable, judge
from bot.models import Delivery
from bot.rendering import buttons
from bot.rendering.messages import Message

Target = discord.TextChannel | discord.Thread | discord.VoiceChannel | discord.StageChannel | discord.DMChannel

_MARGIN = dt.timedelta(seconds=10)
"""Discord's clock is read to the second; a look begins so much earlier."""
_MOST_LOOKED_THROUGH = 500


class Sight(StrEnum):
    """What a look into a channel's history showed."""

    FOUND = "found"
    ABSENT = "absent"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, kw_only=True)
class Look:
    """The outcome of a look; ``message_id`` is given where the message was found."""

    sight: Sight
    message_id: int | None = None


class Messenger(Protocol):
    """The outermost edge of delivery; tests put a twin in its place."""

    def discord_now(self) -> dt.datetime:
        """Return the instant on Discord's clock."""
        ...

    async def send(self, delivery: Delivery) -> int:
        """Post the delivery with its nonce and return the message's id; any error is for ``verdict.judge``."""
        ...

    async def find(self, delivery: Delivery) -> Look:
        """Look for the delivery's mark among the bot's messages since its doubt began."""
        ...


class DiscordMessenger:
    """Posts through discord.py, after a look at what it has cached of the channel's permissions."""

    def __init__(self, client: discord.Client, clock: DiscordClock) -> None:
        self._client = client
        self._clock = clock

    def discord_now(self) -> dt.datetime:
        """Return the instant on Discord's clock."""
        return self._clock.now()

    async def send(self, delivery: Delivery) -> int:
        """Post the delivery with its nonce and return the message's id.

        Without Embed Links, and where Discord refuses the message as it is, its plain form is posted.

        Raises:
            Blocked: the bot may not post in the channel, or it is no channel for messages.
            NotReady: the channel's guild is not to be seen just now.
            Unsendable: the payload is no message.
        """
        try:
            message = Message.from_json(delivery.payload)
        except ValueError as error:
            raise Unsendable(str(error)) from error
        channel = await self._channel(delivery.channel_id)
        mine = _permissions(channel)
        if mine is not None:
            sending = mine.send_messages_in_threads if isinstance(channel, discord.Thread) else mine.send_messages
            if not (mine.view_channel and sending):
                raise Blocked("no_access")
            if not mine.embed_links:
                message = message.plain()
        if isinstance(channel, discord.Thread) and channel.archived:
            await _open(channel, mine)
        try:
            return await _post(channel, message, delivery.nonce)
        except discord.HTTPException as error:
            plain = message.plain()
            # Discord refused it, so that nothing was made and the nonce is still unused.
            if not judge(error).mend or plain == message:
                raise
            return await _post(channel, plain, delivery.nonce)

    async def find(self, delivery: Delivery) -> Look:
        """Look for the delivery's mark among the bot's messages since its doubt began.

        Without Read Message History Discord shows an empty channel, which proves nothing
        (Discord, Get Channel Messages); so it counts as unreadable.
        """
        channel = await self._channel(delivery.channel_id)
        mine = _permissions(channel)
        if mine is not None and not (mine.view_channel and mine.read_message_history):
            return Look(sight=Sight.UNREADABLE)
        since = (delivery.doubt_since or self.discord_now()) - _MARGIN
        me = self._client.user
        seen = 0
        async for message in channel.history(limit=_MOST_LOOKED_THROUGH, after=since, oldest_first=True):
            seen += 1
            if me is not None and message.author.id == me.id and _carries(message, delivery.mark):
                return Look(sight=Sight.FOUND, message_id=message.id)
        # Where more was written than was read, absence is not proven.
        return Look(sight=Sight.UNREADABLE if seen == _MOST_LOOKED_THROUGH else Sight.ABSENT)

    async def _channel(self, channel_id: int) -> Target:
        found = self._client.get_channel(channel_id)
        if found is None:
            if any(guild.unavailable for guild in self._client.guilds):
                raise NotReady("a guild is not available")
            # Archived threads are never cached, and only Discord can tell a deleted channel from a hidden one.
            found = await self._client.fetch_channel(channel_id)
        if not isinstance(found, Target):
            raise Blocked("wrong_channel")
        guild = getattr(found, "guild", None)
        if guild is not None and guild.unavailable:
            raise NotReady("the guild is not available")
        return found


def _permissions(channel: Target) -> discord.Permissions | None:
    """Return what the bot may do there, or None where that is not known or not limited."""
    if isinstance(channel, discord.DMChannel):
        return None
    me = channel.guild.me
    if me is None or (isinstance(channel, discord.Thread) and channel.parent is None):  # pyright: ignore[reportUnnecessaryComparison] -- None when not cached
        return None
    return channel.permissions_for(me)


async def _open(thread: discord.Thread, mine: discord.Permissions | None) -> None:
    if thread.locked and mine is not None and not mine.manage_threads:
        raise Blocked("thread_closed")
    await thread.edit(archived=False)


async def _post(channel: Target, message: Message, nonce: str) -> int:
    # discord.py sets enforce_nonce whenever it is given a nonce.
    sent = await channel.send(**message.arguments(), nonce=nonce)
    return sent.id


def _carries(message: discord.Message, mark: str) -> bool:
    if any(embed.footer.text and f"#{mark}" in embed.footer.text for embed in message.embeds):
        return True
    if f"#{mark}" in message.content:
        return True
    rows = (row.children for row in message.components if isinstance(row, discord.ActionRow))
    return any(
        isinstance(part, discord.Button) and part.custom_id is not None and buttons.mark_of(part.custom_id) == mark
        for part in itertools.chain.from_iterable(rows)
    )
