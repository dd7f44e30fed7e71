"""What goes wrong on the way between a bot and Discord's REST side, on demand.

A fault waits for a request that fits, strikes as often as it was told to, and is gone. ``before`` means that Discord
has not acted when it strikes, ``after`` that it has: only the answer suffers.
"""

import asyncio
import json
import re
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self, get_args

from aiohttp import web

from tests.discord_server.buckets import too_fast

Kind = Literal["status", "rate_limit", "delay", "drop", "reset", "truncate", "garbage", "empty", "hang"]
When = Literal["before", "after"]

_OPTIONS: Mapping[str, frozenset[str]] = {
    "status": frozenset({"status", "code", "message", "errors", "html", "headers"}),
    "rate_limit": frozenset({"retry_after", "scope", "via", "html"}),
    "delay": frozenset({"seconds"}),
    "drop": frozenset(),
    "reset": frozenset(),
    "truncate": frozenset(),
    "garbage": frozenset(),
    "empty": frozenset(),
    "hang": frozenset(),
}
_PAGE = "<!DOCTYPE html><html><head><title>Error</title></head><body>cloudflare</body></html>"
_DISCORD = {"Via": "1.1 google"}


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What goes back: raw bytes, because discord.py reads JSON only under the bare ``application/json``."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of_json(cls, status: int, data: Any, headers: Mapping[str, str] | None = None) -> Self:
        """Return an answer with a JSON body; None is an answer without any."""
        if data is None:
            return cls(status=status, headers={**_DISCORD, **(headers or {})})
        told = {"Content-Type": "application/json", **_DISCORD, **(headers or {})}
        return cls(status=status, body=json.dumps(data).encode(), headers={k: v for k, v in told.items() if v})

    @classmethod
    def of_html(cls, status: int, page: str, headers: Mapping[str, str] | None = None) -> Self:
        """Return what a proxy in front of Discord answers."""
        return cls(status=status, body=page.encode(), headers={"Content-Type": "text/html", **(headers or {})})

    def response(self) -> web.Response:
        return web.Response(status=self.status, body=self.body or None, headers=self.headers)


@dataclass(kw_only=True)
class Fault:
    """One planned mishap; ``times`` counts down to 0 as it strikes."""

    method: str
    path: str
    kind: Kind
    when: When
    times: int
    options: dict[str, Any]
    struck: int = 0

    def fits(self, method: str, path: str) -> bool:
        """Tell whether the request is one it waits for; ``*`` is one step of the path, ``**`` any rest."""
        steps = [
            ".*" if step == "**" else "[^/]+" if step == "*" or step.startswith("{") else re.escape(step)
            for step in self.path.split("/")
        ]
        return self.method in ("*", method) and re.fullmatch("/".join(steps), path) is not None


class Faults:
    """The planned faults, oldest first; the first that fits a request strikes it."""

    def __init__(self) -> None:
        self._planned: list[Fault] = []
        self._over = asyncio.Event()

    def add(
        self, method: str, path: str, kind: Kind, *, times: int = 1, when: When = "before", **options: Any
    ) -> Fault:
        """Plan a fault for the next ``times`` requests that fit.

        Args:
            method: ``GET``, ``POST``, … or ``*``.
            path: below ``/api/v10``; ``*`` (or ``{channel_id}``) is one step, ``**`` any number.
            kind: ``status`` (status=502, code=, message=, errors=, html=True or the page, headers=),
                ``rate_limit`` (retry_after=0.5, scope="user" | "global" | "shared", via=True, html=False),
                ``delay`` (seconds=), ``drop`` (FIN), ``reset`` (RST), ``truncate`` (half of the body, then FIN),
                ``garbage`` (a body that is no JSON), ``empty`` (200 and nothing), ``hang`` (until the server stops).

        Raises:
            ValueError: there is no such kind or option.
        """
        if kind not in get_args(Kind) or when not in get_args(When):
            raise ValueError(f"no such fault: {kind} {when}")
        if unknown := options.keys() - _OPTIONS[kind]:
            raise ValueError(f"{kind} takes no {', '.join(sorted(unknown))}")
        fault = Fault(method=method.upper(), path=path, kind=kind, when=when, times=times, options=options)
        self._planned.append(fault)
        return fault

    def clear(self) -> None:
        self._planned.clear()

    def take(self, method: str, path: str) -> Fault | None:
        """Return the fault that strikes this request, if one does, and count it."""
        for fault in self._planned:
            if fault.fits(method, path):
                fault.times -= 1
                fault.struck += 1
                if fault.times <= 0:
                    self._planned.remove(fault)
                return fault
        return None

    def release(self) -> None:
        """Let go of every request that is held up, because the server stops."""
        self._over.set()

    async def strike(
        self, fault: Fault, request: web.Request, answer: Answer | None
    ) -> Answer | web.StreamResponse | None:
        """Do the harm; return what goes back instead, or None for a mere delay.

        Args:
            answer: what would have gone back; None when Discord has not acted.
        """
        options = fault.options
        match fault.kind:
            case "status":
                return _refusal(**options)
            case "rate_limit":
                return _rate_limited(**options)
            case "delay":
                await self._hold(float(options["seconds"]))
                return None
            case "hang":
                await self._hold(None)
                return _cut(request)
            case "drop":
                return _cut(request)
            case "reset":
                return _reset(request)
            case "truncate":
                return await _half(request, answer or Answer.of_json(200, {"id": "0", "content": "half of it"}))
            case "garbage":
                return Answer(status=200, body=b'{"id": "1", "content": \xff', headers=_json_headers())
            case "empty":
                return Answer(status=200, headers=_json_headers())

    async def _hold(self, seconds: float | None) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._over.wait()
        except TimeoutError:
            return


def _json_headers() -> dict[str, str]:
    return {"Content-Type": "application/json", **_DISCORD}


def _refusal(
    status: int,
    code: int = 0,
    message: str = "",
    errors: dict[str, Any] | None = None,
    html: bool | str = False,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    if html:
        return Answer.of_html(status, _PAGE if html is True else html, {**_DISCORD, **(headers or {})})
    body: dict[str, Any] = {"message": message or f"{status}: told to fail", "code": code}
    if errors:
        body["errors"] = errors
    return Answer.of_json(status, body, headers)


def _rate_limited(retry_after: float = 0.5, scope: str = "user", via: bool = True, html: bool = False) -> Answer:
    if html:
        return Answer.of_html(429, _PAGE, {"Retry-After": str(int(retry_after) + 1)})
    error = too_fast(retry_after, scope=scope, via=via)
    return Answer.of_json(error.status, error.body, error.headers)


def _cut(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.close()
    return web.Response(status=500)


def _reset(request: web.Request) -> web.Response:
    # abort() alone looks like a FIN to the client; without lingering the kernel sends a real RST.
    if request.transport is not None:
        connection = request.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        request.transport.abort()
    return web.Response(status=500)


async def _half(request: web.Request, answer: Answer) -> web.StreamResponse:
    response = web.StreamResponse(
        status=answer.status, headers={**answer.headers, "Content-Length": str(len(answer.body))}
    )
    await response.prepare(request)
    await response.write(answer.body[: len(answer.body) // 2])
    if request.transport is not None:
        request.transport.close()
    return response
