"""The stand-in for Discord as one thing: start it, build its world, let things go wrong, look at what came of it."""

import contextlib
import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from aiohttp import web

from tests.discord_server import schema
from tests.discord_server.buckets import Buckets
from tests.discord_server.control import Control
from tests.discord_server.faults import Fault, Faults
from tests.discord_server.gateway import Gateway
from tests.discord_server.interactions import Interactions
from tests.discord_server.nonces import Nonces
from tests.discord_server.people import People
from tests.discord_server.pointing import Certificates, LoopbackConnector, class_attributes
from tests.discord_server.posting import Posting
from tests.discord_server.rest import Call, Rest
from tests.discord_server.routes import Routes
from tests.discord_server.schema import Judge
from tests.discord_server.snowflakes import Now
from tests.discord_server.state import Channel, Json, Message, User
from tests.discord_server.world import World

_LARGEST_REQUEST = 25 * 1024 * 1024
_INVALID = frozenset({401, 403, 429})


def utc_now() -> dt.datetime:
    """Return the host's clock."""
    return dt.datetime.now(dt.UTC)


class DiscordServer:
    """REST v10 and Gateway v10 on loopback; an async context manager.

    Attributes:
        token: the bot token that is taken.
        world: guilds, channels, members, roles, users, messages; make and change them here, before or after the start.
        people: slash commands, autocompletion, buttons and forms, as a person uses them.
        faults: what goes wrong on the REST side.
        gateway: what goes wrong on the gateway, and how often the bot came.
        buckets: the rate limits; ``buckets.lift()`` takes them away.
        nonces: ``nonces.window`` is how long a nonce is remembered.
    """

    def __init__(
        self,
        *,
        token: str = "stand-in.token",
        now: Now = utc_now,
        port: int = 0,
        tls: bool = False,
        document: Path | None = None,
    ) -> None:
        """Prepare a server; nothing listens yet.

        Args:
            now: the clock of ids, timestamps, ``Date`` headers, nonces and interactions' deadlines.
            port: 0 takes a free one.
            tls: listen on a second port too, with certificates for Discord's names.
            document: Discord's OpenAPI document; None looks for one, and where there is none nothing is judged.
        """
        path = document or schema.find_document()
        self.world = World(now)
        self.faults = Faults()
        self.buckets = Buckets()
        self.nonces = Nonces(now)
        self.posting = Posting(self.world, self.nonces)
        self.gateway = Gateway(self.world, token=token)
        self._routes = Routes(self.world, self.posting)
        interactions = Interactions(self.world, self.posting)
        self.people = People(self.world, self._routes, interactions)
        self._rest = Rest(
            [*self._routes.table(), *interactions.table()],
            token=token,
            now=now,
            faults=self.faults,
            buckets=self.buckets,
            judge=Judge.read(path) if path else None,
        )
        self._port = port
        self._tls_port = 0
        self._certificates = Certificates() if tls else None
        self._runner: web.AppRunner | None = None

    # Where it is.

    @property
    def api_base(self) -> str:
        """What ``discord.http.Route.BASE`` is set to."""
        return f"http://127.0.0.1:{self._port}/api/v10"

    @property
    def gateway_url(self) -> str:
        """What ``DiscordWebSocket.DEFAULT_GATEWAY`` is set to."""
        return f"ws://127.0.0.1:{self._port}/"

    @property
    def control_url(self) -> str:
        """Where other processes plan faults and read messages."""
        return f"http://127.0.0.1:{self._port}/_control"

    def class_attributes(self) -> contextlib.AbstractContextManager[None]:
        """Send all of discord.py in this process here, as long as the ``with`` lasts."""
        return class_attributes(self.api_base, self.gateway_url)

    def connector(self) -> LoopbackConnector:
        """Return what brings one unpatched ``discord.Client`` here; needs ``tls=True`` and a running loop."""
        if self._certificates is None:
            raise RuntimeError("start the server with tls=True")
        return LoopbackConnector(self._tls_port, self._certificates.client_context())

    # What happens, and what came of it.

    @property
    def token(self) -> str:
        return self._rest.token

    @token.setter
    def token(self, token: str) -> None:
        """Reset the token: the old one gets 401 and close code 4004 from now on."""
        self._rest.token = self.gateway.token = token

    @property
    def messages(self) -> list[Message]:
        """Every message that stands in any channel and is not ephemeral, oldest first."""
        return self.world.messages

    @property
    def commands(self) -> dict[int | None, list[Json]]:
        """The registered commands by guild id; None holds the global ones."""
        return self._routes.commands

    @property
    def requests(self) -> Sequence[Call]:
        """Every REST request, oldest first, with what was answered."""
        return self._rest.requests

    @property
    def invalid_requests(self) -> int:
        """How many answers count towards Discord's limit of 10,000 in 10 minutes (401, 403, 429)."""
        return sum(call.status in _INVALID for call in self.requests)

    @property
    def complaints(self) -> list[str]:
        """What Discord's OpenAPI document has against requests and answers so far; empty where it is not at hand."""
        return self._rest.complaints

    def say(self, channel: Channel, user: User, content: str) -> Message:
        """Let a person post a message."""
        return self.posting.say(channel, user, content)

    def drop_connection_after_accepting(self, method: str, path: str, *, times: int = 1) -> Fault:
        """Do what the next fitting request asks for, and cut the connection instead of answering."""
        return self.faults.add(method, path, "drop", times=times, when="after")

    # Its life.

    async def start(self) -> Self:
        application = web.Application(client_max_size=_LARGEST_REQUEST)
        application.router.add_get("/", self.gateway.handle)
        application.router.add_route("*", "/api/v10/{tail:.*}", self._rest.handle)
        Control(self).add_routes(application)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        self._port = await self._listen(self._runner, self._port)
        if self._certificates is not None:
            self._tls_port = await self._listen(self._runner, 0, tls=self._certificates)
        self.gateway.url = self._routes.gateway_url = self.gateway_url
        return self

    async def stop(self) -> None:
        """Let go of what hangs, end every connection, and free the port; the world stays."""
        if self._runner is not None:
            self.faults.release()
            self.gateway.cut()
            await self._runner.cleanup()
            self._runner = None

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def _listen(self, runner: web.AppRunner, port: int, *, tls: Certificates | None = None) -> int:
        site = web.TCPSite(runner, "127.0.0.1", port, ssl_context=tls.server_context() if tls else None)
        await site.start()
        return runner.addresses[-1][1]
