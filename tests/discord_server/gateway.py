"""The gateway: HELLO, IDENTIFY or RESUME, events, heartbeats, and the ways in which it ends.

Discord, Gateway, "Connection Lifecycle"; close codes: Opcodes and Status Codes.
"""

import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any, Literal

from aiohttp import WSMsgType, web

from tests.discord_server import payloads
from tests.discord_server.sessions import Connection, Session
from tests.discord_server.snowflakes import Snowflakes
from tests.discord_server.state import Json
from tests.discord_server.world import World

HEARTBEAT, IDENTIFY, RESUME, RECONNECT = 1, 2, 6, 7
REQUEST_MEMBERS, INVALID_SESSION, HELLO, ACK = 8, 9, 10, 11
_PRESENCE, _VOICE = 3, 4

_LARGEST_PAYLOAD = 4096
_ALL_INTENTS = (1 << 26) - 1
_PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15

UNKNOWN_OPCODE, DECODE_ERROR, NOT_AUTHENTICATED, AUTHENTICATION_FAILED = 4001, 4002, 4003, 4004
ALREADY_AUTHENTICATED, INVALID_SEQUENCE, INVALID_SHARD = 4005, 4007, 4010
INVALID_INTENTS, DISALLOWED_INTENTS = 4013, 4014
_ENDS_THE_SESSION = frozenset({1000, 1001})

Plan = Literal["refuse", "silent", "no_ready", "unresumable"] | int


class _Closing(Exception):
    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


@dataclass(kw_only=True)
class _Line:
    """One connection and the session on it, once there is one.

    A session ends when the client closes with 1000 or 1001, not when Discord does: hence ``closed_here``.
    """

    connection: Connection
    plan: Plan | None
    session: Session | None = None
    closed_here: bool = False
    heard: list[Json] = field(default_factory=list[Json])


class Gateway:
    """The WebSocket side.

    Attributes:
        token: the one that IDENTIFY must bring; kept the same as the REST side's.
        url: where a RESUME over plain TCP goes; set when the server has its port.
        secure_url: the same over TLS.
        heartbeat_seconds: how often clients must speak.
        acknowledges: whether heartbeats are answered.
        granted_intents: the privileged intents that the application has; none, as for this bot.
        identifies, resumes, heartbeats: how many there were.
    """

    def __init__(self, world: World, *, token: str) -> None:
        self.token = token
        self.url = ""
        self.secure_url = "wss://gateway-us-east1-b.discord.gg/"
        self.heartbeat_seconds = 41.25
        self.acknowledges = True
        self.granted_intents = 0
        self.identifies = self.resumes = self.heartbeats = 0
        self._world = world
        self._new_id = Snowflakes(world.now)
        self._sessions: dict[str, Session] = {}
        self._lines: list[_Line] = []
        self._plans: deque[Plan] = deque()
        world.tell = self.tell

    # What a test makes happen.

    @property
    def connected(self) -> int:
        """How many sessions have a connection now."""
        return sum(session.connection is not None for session in self._sessions.values())

    def plan(self, what: Plan, *, times: int = 1) -> None:
        """Let the next connections go wrong.

        Args:
            what: ``refuse`` (the handshake gets 503), ``silent`` (never a HELLO), ``no_ready`` (IDENTIFY is not
                answered), ``unresumable`` (RESUME gets op 9), or the close code that IDENTIFY gets.
        """
        self._plans.extend(what for _ in range(times))

    def tell(self, name: str, data: Json, guild_id: int | None) -> None:
        """Send an event to every session that it is for."""
        for session in self._sessions.values():
            if session.wants(name, data, guild_id, self._world.bot.id):
                session.tell(name, data)

    def request_reconnect(self) -> None:
        """Send op 7 to everyone."""
        self._to_all(RECONNECT, None)

    def invalidate(self, *, resumable: bool) -> None:
        """Send op 9 to everyone; sessions that are not resumable are forgotten."""
        self._to_all(INVALID_SESSION, resumable)
        if not resumable:
            self._sessions.clear()

    async def close(self, code: int) -> None:
        """Close every connection with a code."""
        for line in list(self._lines):
            line.closed_here = True
            await line.connection.close(code)

    def cut(self) -> None:
        """End every connection without a word."""
        for line in list(self._lines):
            line.connection.cut()

    def fall_silent(self) -> None:
        """Send nothing more on the connections there are now, and leave them open."""
        for line in self._lines:
            line.connection.mute = True

    def forget_sessions(self) -> None:
        """Let every later RESUME fail."""
        self._sessions.clear()

    # The protocol.

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Serve one connection until it ends."""
        plan = self._plans.popleft() if self._plans else None
        if plan == "refuse":
            # Not a cut: aiohttp would repeat a GET at once where the connection was used before.
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=1 << 20)
        await socket.prepare(request)
        line = _Line(connection=Connection(socket, request), plan=plan)
        self._lines.append(line)
        try:
            await self._converse(socket, line)
        finally:
            self._lines.remove(line)
            self._hang_up(line, None if line.closed_here else socket.close_code)
        return socket

    async def _converse(self, socket: web.WebSocketResponse, line: _Line) -> None:
        if line.plan != "silent":
            line.connection.send(HELLO, {"heartbeat_interval": int(self.heartbeat_seconds * 1000), "_trace": []})
        async for frame in socket:
            try:
                self._hear(line, _read(frame.type, frame.data))
            except _Closing as closing:
                await line.connection.close(closing.code, closing.reason)

    def _hear(self, line: _Line, payload: Json) -> None:
        line.heard.append(payload)
        op, data = payload.get("op"), payload.get("d") or {}
        if op == HEARTBEAT:
            self.heartbeats += 1
            if self.acknowledges:
                line.connection.send(ACK, None)
        elif op == IDENTIFY:
            self._identify(line, data)
        elif op == RESUME:
            self._resume(line, data)
        elif line.session is None:
            raise _Closing(NOT_AUTHENTICATED, "Not authenticated.")
        elif op == REQUEST_MEMBERS:
            self._send_members(line.session, data)
        elif op not in (_PRESENCE, _VOICE):
            raise _Closing(UNKNOWN_OPCODE, "Unknown opcode.")

    def _identify(self, line: _Line, data: Json) -> None:
        self.identifies += 1
        if line.session is not None:
            raise _Closing(ALREADY_AUTHENTICATED, "Already authenticated.")
        if isinstance(line.plan, int):
            raise _Closing(line.plan, "")
        if data["token"] != self.token:
            raise _Closing(AUTHENTICATION_FAILED, "Authentication failed.")
        number, count = data.get("shard") or (0, 1)
        if not 0 <= number < count:
            raise _Closing(INVALID_SHARD, "Invalid shard.")
        if data["intents"] & ~_ALL_INTENTS:
            raise _Closing(INVALID_INTENTS, "Invalid intent(s).")
        if data["intents"] & _PRIVILEGED & ~self.granted_intents:
            raise _Closing(DISALLOWED_INTENTS, "Disallowed intent(s).")
        if line.plan == "no_ready":
            return
        session = Session(
            id=f"session{self._new_id()}", intents=data["intents"], shard=(number, count), connection=line.connection
        )
        self._sessions[session.id] = line.session = session
        self._welcome(session, secure=line.connection.secure)

    def _welcome(self, session: Session, *, secure: bool) -> None:
        bot = self._world.bot
        number, count = session.shard
        guilds = [
            guild
            for guild in self._world.guilds.values()
            if bot.id in guild.members and (guild.id >> 22) % count == number
        ]
        session.tell(
            "READY",
            {
                "v": 10,
                "user": payloads.user(bot),
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
                "session_id": session.id,
                "session_type": "normal",
                "resume_gateway_url": self.secure_url if secure else self.url,
                "shard": [number, count],
                "application": {"id": str(bot.id), "flags": 0},
                "private_channels": [],
                "user_settings": {},
                "_trace": [],
            },
        )
        for guild in guilds:
            if guild.available:
                session.tell("GUILD_CREATE", payloads.guild(guild, seen_by=bot.id))

    def _resume(self, line: _Line, data: Json) -> None:
        self.resumes += 1
        if data["token"] != self.token:
            raise _Closing(AUTHENTICATION_FAILED, "Authentication failed.")
        session = self._sessions.get(data["session_id"])
        if session is None or line.plan == "unresumable":
            line.connection.send(INVALID_SESSION, False)
            return
        if (data["seq"] or 0) > session.seq:
            raise _Closing(INVALID_SEQUENCE, "Invalid seq.")
        session.connection = line.connection
        line.session = session
        session.tell_again(after=data["seq"] or 0)
        session.tell("RESUMED", {"_trace": []})

    def _send_members(self, session: Session, data: Json) -> None:
        guild = self._world.guilds[int(data["guild_id"])]
        session.tell(
            "GUILD_MEMBERS_CHUNK",
            {
                "guild_id": str(guild.id),
                "members": [payloads.member(one) for one in guild.members.values()],
                "chunk_index": 0,
                "chunk_count": 1,
                "not_found": [],
                **({"nonce": data["nonce"]} if data.get("nonce") else {}),
            },
        )

    def _hang_up(self, line: _Line, code: int | None) -> None:
        line.connection.end()
        if line.session is None:
            return
        if line.session.connection is line.connection:
            line.session.connection = None
        if code in _ENDS_THE_SESSION:
            self._sessions.pop(line.session.id, None)

    def _to_all(self, op: int, data: Any) -> None:
        for line in self._lines:
            line.connection.send(op, data)


def _read(kind: WSMsgType, data: Any) -> Json:
    if kind is not WSMsgType.TEXT or len(data.encode()) > _LARGEST_PAYLOAD:
        raise _Closing(DECODE_ERROR, "Error while decoding payload.")
    try:
        payload = json.loads(data)
    except ValueError as error:
        raise _Closing(DECODE_ERROR, "Error while decoding payload.") from error
    if not isinstance(payload, dict):
        raise _Closing(DECODE_ERROR, "Error while decoding payload.")
    return payload
