"""The nonces that Discord remembers for a while, so that a repeated request makes no second message."""

import datetime as dt
from dataclasses import dataclass

from tests.discord_server.snowflakes import Now
from tests.discord_server.state import Message


@dataclass(frozen=True, kw_only=True)
class Made:
    """The message that an author made with a nonce."""

    message_id: int
    channel_id: int
    at: dt.datetime


class Nonces:
    """What was made with which nonce in the last few minutes.

    Unique for each author over all channels (Discord, Create Message, ``enforce_nonce``). Discord says
    "the past few minutes" and no figure.

    Attributes:
        window: how long a nonce is remembered.
    """

    def __init__(self, now: Now, *, window: dt.timedelta = dt.timedelta(minutes=3)) -> None:
        self._now = now
        self.window = window
        self._made: dict[tuple[int, str], Made] = {}

    def find(self, author_id: int, nonce: str | int) -> Made | None:
        """Return what the author made with this nonce within the window, if anything."""
        made = self._made.get((author_id, str(nonce)))
        if made is None or self._now() - made.at >= self.window:
            return None
        return made

    def keep(self, author_id: int, nonce: str | int, message: Message) -> None:
        self._forget_old()
        made = Made(message_id=message.id, channel_id=message.channel_id, at=self._now())
        self._made[author_id, str(nonce)] = made

    def _forget_old(self) -> None:
        # In the order of their making, so the old ones stand in front.
        for key in list(self._made):
            if self._now() - self._made[key].at < self.window:
                break
            del self._made[key]
