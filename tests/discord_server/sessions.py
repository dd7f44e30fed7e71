"""A bot's session on the gateway: what it is told, in which order, over which connection."""

import asyncio
import json
import zlib
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.discord_server.state import Json

_GUILDS = 1 << 0
_GUILD_MEMBERS = 1 << 1
_GUILD_MESSAGES = 1 << 9
_DIRECT_MESSAGES = 1 << 12
_KEPT_FOR_RESUME = 10_000


class Connection:
    """One open WebSocket; what is sent goes out in order, written by a task of its own.

    Attributes:
        mute: nothing is sent any more, though the socket stays open (a black hole).
    """

    def __init__(self, socket: web.WebSocketResponse, request: web.Request) -> None:
        self.mute = False
        self.secure = request.secure
        self._socket = socket
        self._request = request
        # One compressor for the whole connection, each payload flushed (Discord, Transport Compression). A client that
        # asks for another one gets text, which all of them take.
        self._compressor = zlib.compressobj() if request.query.get("compress") == "zlib-stream" else None
        self._outgoing: asyncio.Queue[Json] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write(), name="gateway writer")

    def send(self, op: int, data: Any, *, name: str | None = None, seq: int | None = None) -> None:
        if not self.mute:
            self._outgoing.put_nowait({"op": op, "d": data, "s": seq, "t": name})

    async def close(self, code: int, reason: str = "") -> None:
        await self._outgoing.join()
        await self._socket.close(code=code, message=reason.encode())

    def cut(self) -> None:
        """End the TCP connection without a word."""
        if self._request.transport is not None:
            self._request.transport.abort()

    def end(self) -> None:
        """Stop writing; the socket is closed already."""
        self._writer.cancel()

    async def _write(self) -> None:
        while True:
            payload = await self._outgoing.get()
            try:
                await self._write_one(json.dumps(payload))
            except ConnectionError:
                self.mute = True
            finally:
                self._outgoing.task_done()

    async def _write_one(self, text: str) -> None:
        if self._socket.closed:
            return
        if self._compressor is None:
            await self._socket.send_str(text)
        else:
            packed = self._compressor.compress(text.encode()) + self._compressor.flush(zlib.Z_SYNC_FLUSH)
            await self._socket.send_bytes(packed)


@dataclass(kw_only=True)
class Session:
    """What IDENTIFY began; outlives its connection so that it can be resumed.

    Attributes:
        shard: (number, count).
        told: the events so far, for a RESUME.
    """

    id: str
    intents: int
    shard: tuple[int, int]
    connection: Connection | None
    seq: int = 0
    told: deque[tuple[int, str, Json]] = field(default_factory=lambda: deque(maxlen=_KEPT_FOR_RESUME))

    def wants(self, name: str, data: Json, guild_id: int | None, bot_id: int) -> bool:
        """Tell whether an event belongs to the session, by its shard and its intents."""
        number, count = self.shard
        if (0 if guild_id is None else (guild_id >> 22) % count) != number:
            return False
        if name == "GUILD_MEMBER_UPDATE" and data["user"]["id"] == str(bot_id):
            return True
        intent = _intent_of(name, in_guild=guild_id is not None)
        return intent is None or bool(self.intents & intent)

    def tell(self, name: str, data: Json) -> None:
        """Send an event now, or keep it for when the session is resumed."""
        self.seq += 1
        self.told.append((self.seq, name, data))
        if self.connection is not None:
            self.connection.send(0, data, name=name, seq=self.seq)

    def tell_again(self, after: int) -> None:
        """Send what was told after a sequence number once more."""
        if self.connection is not None:
            for seq, name, data in self.told:
                if seq > after:
                    self.connection.send(0, data, name=name, seq=seq)


def _intent_of(name: str, *, in_guild: bool) -> int | None:
    """Return the intent that an event takes, or None for those that come in any case."""
    if name.startswith("MESSAGE_"):
        return _GUILD_MESSAGES if in_guild else _DIRECT_MESSAGES
    if name.startswith("GUILD_MEMBER_"):
        return _GUILD_MEMBERS
    if name.startswith(("GUILD_", "CHANNEL_", "THREAD_")):
        return _GUILDS
    return None
