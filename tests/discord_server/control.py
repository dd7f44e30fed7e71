"""The stand-in's own endpoint, for tests in another process: plan faults, act as a person, read what came of it.

Everything is JSON. A request that cannot be understood gets 400 and a sentence.

| method and path below ``/_control`` | body | answer |
|---|---|---|
| GET ``/state`` | | bot, guilds with their channels, gateway sessions, counts |
| GET ``/messages`` | | every message that stands, oldest first |
| GET ``/requests`` | | method, path, status and fault of every REST request |
| GET ``/complaints`` | | what Discord's document has against the exchange |
| POST ``/guilds`` | name, channels | the new guild |
| POST ``/overwrites`` | channel_id, target_id, allow, deny | {} |
| POST ``/faults`` | as ``Faults.add`` | {} |
| DELETE ``/faults`` | | {} |
| POST ``/settings`` | nonce_seconds, unlimited | {} |
| POST ``/gateway`` | do: reconnect, invalidate, cut, silent, close (code), plan (what, times) | {} |
| POST ``/slash`` | channel_id, user_id, command, options | callback, answer, followups |
"""

import datetime as dt
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.discord_server import payloads
from tests.discord_server.people import NotOffered
from tests.discord_server.state import Guild, Json

if TYPE_CHECKING:
    from tests.discord_server.server import DiscordServer

_Answering = Callable[[Json], Awaitable[Any]]


class Control:
    """The routes below ``/_control``."""

    def __init__(self, server: "DiscordServer") -> None:
        self._server = server

    def add_routes(self, application: web.Application) -> None:
        rows: list[tuple[str, str, _Answering]] = [
            ("GET", "/state", self._state),
            ("GET", "/messages", self._messages),
            ("GET", "/requests", self._requests),
            ("GET", "/complaints", self._complaints),
            ("POST", "/guilds", self._add_guild),
            ("POST", "/overwrites", self._overwrite),
            ("POST", "/faults", self._add_fault),
            ("DELETE", "/faults", self._clear_faults),
            ("POST", "/settings", self._set),
            ("POST", "/gateway", self._disturb),
            ("POST", "/slash", self._slash),
        ]
        for method, path, answering in rows:
            application.router.add_route(method, "/_control" + path, _as_handler(answering))

    async def _state(self, _body: Json) -> Json:
        server, gateway = self._server, self._server.gateway
        return {
            "bot_id": str(server.world.bot.id),
            "guilds": [_described(guild) for guild in server.world.guilds.values()],
            "messages": len(server.messages),
            "requests": len(server.requests),
            "invalid_requests": server.invalid_requests,
            "connected": gateway.connected,
            "identifies": gateway.identifies,
            "resumes": gateway.resumes,
        }

    async def _messages(self, _body: Json) -> list[Json]:
        return [payloads.message(one, with_nonce=True) for one in self._server.messages]

    async def _requests(self, _body: Json) -> list[Json]:
        return [
            {"method": one.method, "path": one.path, "status": one.status, "fault": one.fault}
            for one in self._server.requests
        ]

    async def _complaints(self, _body: Json) -> list[str]:
        return self._server.complaints

    async def _add_guild(self, body: Json) -> Json:
        world = self._server.world
        guild = world.add_guild(body.get("name", "Lab"))
        for name in body.get("channels", []):
            world.add_channel(guild, name)
        return _described(guild)

    async def _overwrite(self, body: Json) -> Json:
        world = self._server.world
        channel, target_id = world.channels[int(body["channel_id"])], int(body["target_id"])
        target = world.users.get(target_id) or world.guild_of(channel).roles[target_id]
        world.overwrite(channel, target, allow=int(body.get("allow", 0)), deny=int(body.get("deny", 0)))
        return {}

    async def _add_fault(self, body: Json) -> Json:
        self._server.faults.add(**body)
        return {}

    async def _clear_faults(self, _body: Json) -> Json:
        self._server.faults.clear()
        return {}

    async def _set(self, body: Json) -> Json:
        if "nonce_seconds" in body:
            self._server.nonces.window = dt.timedelta(seconds=body["nonce_seconds"])
        if body.get("unlimited"):
            self._server.buckets.lift()
        return {}

    async def _disturb(self, body: Json) -> Json:
        gateway = self._server.gateway
        match body["do"]:
            case "reconnect":
                gateway.request_reconnect()
            case "invalidate":
                gateway.invalidate(resumable=bool(body.get("resumable")))
            case "cut":
                gateway.cut()
            case "silent":
                gateway.fall_silent()
            case "close":
                await gateway.close(int(body["code"]))
            case "plan":
                gateway.plan(body["what"], times=int(body.get("times", 1)))
            case other:
                raise ValueError(f"the gateway cannot {other}")
        return {}

    async def _slash(self, body: Json) -> Json:
        world = self._server.world
        channel = world.channels[int(body["channel_id"])]
        user = world.users[int(body["user_id"])] if "user_id" in body else world.owner
        interaction = self._server.people.slash(user, channel, body["command"], **body.get("options", {}))
        answer = await interaction.answered(within=float(body.get("within", 5.0)))
        return {
            "callback": interaction.callback,
            "answer": payloads.message(answer) if answer else None,
            "followups": [payloads.message(one) for one in interaction.followups],
        }


def _described(guild: Guild) -> Json:
    channels = {one.name: str(one.id) for one in guild.channels.values()}
    return {"id": str(guild.id), "name": guild.name, "owner_id": str(guild.owner_id), "channels": channels}


def _as_handler(answering: _Answering) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def handle(request: web.Request) -> web.Response:
        try:
            body = await request.json() if request.can_read_body else {}
            return web.json_response(await answering(body))
        except (LookupError, ValueError, TypeError, NotOffered, TimeoutError) as error:
            return web.json_response({"error": f"{type(error).__name__}: {error}"}, status=400)

    return handle
