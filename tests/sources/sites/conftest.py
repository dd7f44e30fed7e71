"""A site on loopback that replays what it was told, answer by answer, and fetchers whose waits cost no time."""

import asyncio
import contextlib
import json as jsons
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import pytest
from aiohttp import web
from aiohttp.abc import AbstractResolver, ResolveResult

from bot.sources.fetching import Fetcher
from bot.sources.sites.base import Page, Site, SiteState

Reply = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Asked:
    """One request as it came in."""

    method: str
    path: str
    query: dict[str, str]
    headers: Mapping[str, str]
    body: bytes
    at: float


def answer(body: bytes | str = b"", status: int = 200, **headers: str) -> Reply:
    """An answer; ``retry_after="7"`` becomes the header ``retry-after``."""
    content = body.encode() if isinstance(body, str) else body

    async def reply(_: web.Request) -> web.StreamResponse:
        return web.Response(
            status=status, body=content, headers={name.replace("_", "-"): value for name, value in headers.items()}
        )

    return reply


def json(value: object, status: int = 200, **headers: str) -> Reply:
    return answer(jsons.dumps(value), status, **{"content_type": "application/json", **headers})


def streamed(pieces: Callable[[], AsyncIterator[bytes]], *, length: int | None = None, **headers: str) -> Reply:
    """An answer that is sent piece by piece; where a length is promised and not kept, the connection is dropped."""

    async def reply(request: web.Request) -> web.StreamResponse:
        promised = {} if length is None else {"content_length": str(length)}
        response = web.StreamResponse(
            headers={name.replace("_", "-"): value for name, value in {**headers, **promised}.items()}
        )
        await response.prepare(request)
        with contextlib.suppress(ConnectionError, RuntimeError):
            async for piece in pieces():
                await response.write(piece)
        if length is not None and request.transport is not None:
            request.transport.close()
        return response

    return reply


async def dropped(request: web.Request) -> web.StreamResponse:
    """The connection is closed before a word was said."""
    if request.transport is not None:
        request.transport.close()
    return web.Response()


async def silent(_: web.Request) -> web.StreamResponse:
    """Nothing is said for longer than anybody waits."""
    await asyncio.sleep(3600)
    return web.Response()


@dataclass
class SiteServer:
    """Each path replays its answers in order, and the last one for ever."""

    now: Callable[[], Any]
    tls: ssl.SSLContext | None = None
    asked: list[Asked] = field(default_factory=list[Asked])
    at_once: int = 0
    most_at_once: int = 0
    _replies: dict[str, list[Reply]] = field(default_factory=dict[str, list[Reply]])
    _runner: web.AppRunner | None = None

    def replays(self, path: str, *replies: Reply) -> None:
        self._replies[path] = list(replies)

    @property
    def port(self) -> int:
        assert self._runner is not None
        return int(self._runner.addresses[0][1])

    def url(self, path: str = "", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/{rest:.*}", self._reply)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self.tls).start()
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def _reply(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(
            Asked(
                method=request.method,
                path=request.path,
                query=dict(request.query),
                headers={name.lower(): value for name, value in request.headers.items()},
                body=await request.read(),
                at=self.now().timestamp(),
            )
        )
        replies = self._replies.get(request.path)
        if not replies:
            return web.Response(status=404)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            return await (replies.pop(0) if len(replies) > 1 else replies[0])(request)
        finally:
            self.at_once -= 1


class Table(AbstractResolver):
    """Names and the addresses that they are looked up to."""

    def __init__(self, **addresses: str) -> None:
        self.addresses = {name.replace("_", "."): address for name, address in addresses.items()}
        self.looked_up: list[str] = []

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.looked_up.append(host)
        if host not in self.addresses:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        address = self.addresses[host]
        kind = socket.AF_INET6 if ":" in address else socket.AF_INET
        return [ResolveResult(hostname=host, host=address, port=port, family=kind, proto=0, flags=0)]

    async def close(self) -> None:
        pass


@dataclass
class Waits:
    """Sleeps by moving the clock."""

    clock: Any
    slept: list[float] = field(default_factory=list[float])

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.clock.advance(seconds=seconds)
        await asyncio.sleep(0)


@dataclass
class Net:
    """Everything that a test of fetching needs."""

    site: SiteServer
    clock: Any
    waits: Waits

    def fetcher(self, **options: Any) -> Fetcher:
        return Fetcher(
            **{
                "user_agent": "paperround-test",
                "now": self.clock,
                "sleep": self.waits,
                "allow_private": True,
                **options,
            }
        )

    async def pages(self, site: Site, state: SiteState | None = None, **options: Any) -> list[Page]:
        """All pages of a site, read by a fetcher of its own."""
        async with self.fetcher(**options) as fetcher:
            return [page async for page in site.pages(fetcher, state or SiteState())]


@contextlib.asynccontextmanager
async def opened(clock: Any, tls: ssl.SSLContext | None = None) -> AsyncIterator[Net]:
    async with SiteServer(clock, tls) as site:
        yield Net(site, clock, Waits(clock))


@pytest.fixture
async def net(clock: Any) -> AsyncIterator[Net]:
    async with opened(clock) as ready:
        yield ready
