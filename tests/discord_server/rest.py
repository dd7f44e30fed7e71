"""The REST side: from a request over the wire to an answer, with everything that comes between."""

import datetime as dt
import json
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import format_datetime
from typing import Any

from aiohttp import web

from tests.discord_server import errors
from tests.discord_server.buckets import Buckets
from tests.discord_server.errors import ApiError
from tests.discord_server.faults import Answer, Faults
from tests.discord_server.schema import Judge
from tests.discord_server.snowflakes import Now
from tests.discord_server.state import Json

_REMEMBERED = 50_000


@dataclass(kw_only=True)
class Call:
    """One request, and in the end what became of it.

    Attributes:
        path: below ``/api/v10``; ``template`` is its name in Discord's document, None for no route.
        body: the JSON, also where it came as a part of a form; ``files`` are the attachments of that form.
        status: what was answered; None while it runs, and for good where a fault struck before Discord acted.
        fault: the kind of the fault that struck it.
    """

    method: str
    path: str
    query: dict[str, str]
    body: Any
    files: list[Json]
    token: str | None
    at: dt.datetime
    template: str | None = None
    names: dict[str, str] = field(default_factory=dict[str, str])
    status: int | None = None
    answer: Any = None
    fault: str | None = None

    def id(self, name: str) -> int:
        """Return an id from the path.

        Raises:
            ApiError: 400 50035 it is no number.
        """
        text = self.names[name]
        if not text.isdecimal():
            found: Json = {}
            errors.complaint(found, name, "NUMBER_TYPE_COERCE", f'Value "{text}" is not snowflake.')
            raise errors.invalid_body(found)
        return int(text)

    def says(self, name: str) -> bool:
        """Return a yes or no from the query; no where it is not there."""
        return self.query.get(name, "").lower() in {"1", "true"}

    @property
    def form(self) -> Json:
        """The body as an object; the empty one where there is none."""
        return self.body if isinstance(self.body, dict) else {}


Act = Callable[[Call], tuple[int, Any]]
"""Does what a route does, at once and without waiting; returns status and JSON (None: no body)."""


@dataclass(frozen=True, kw_only=True)
class Route:
    """A route of Discord's document. ``open`` ones carry their secret in the path and no bot token."""

    method: str
    template: str
    act: Act
    open: bool = False


class Rest:
    """Answers requests to ``/api/v10``.

    Attributes:
        token: the one bot token that is taken; a test may change it in mid-life.
        requests: what came in, oldest first.
        complaints: what Discord's document has against requests and answers so far.
    """

    def __init__(
        self, routes: list[Route], *, token: str, now: Now, faults: Faults, buckets: Buckets, judge: Judge | None
    ) -> None:
        self.token = token
        self.requests: deque[Call] = deque(maxlen=_REMEMBERED)
        self.complaints: list[str] = []
        self._routes = [(route, _pattern(route.template)) for route in routes]
        self._now = now
        self._faults = faults
        self._buckets = buckets
        self._judge = judge

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request, or let the fault that waits for it have it."""
        call = await self._read(request)
        self.requests.append(call)
        fault = self._faults.take(call.method, call.path)
        if fault is not None:
            call.fault = fault.kind
        if fault is not None and fault.when == "before":
            struck = await self._faults.strike(fault, request, None)
            if struck is not None:
                return self._sent(call, struck)
        answer = self._answer(call)
        if fault is not None and fault.when == "after":
            struck = await self._faults.strike(fault, request, answer)
            if struck is not None:
                return struck.response() if isinstance(struck, Answer) else struck
        return self._sent(call, answer)

    def _sent(self, call: Call, answer: Answer | web.StreamResponse) -> web.StreamResponse:
        if not isinstance(answer, Answer):
            return answer
        call.status = answer.status
        response = answer.response()
        response.headers["Date"] = format_datetime(self._now(), usegmt=True)
        return response

    async def _read(self, request: web.Request) -> Call:
        body: Any = None
        files: list[Json] = []
        if request.content_type == "multipart/form-data":
            for name, part in (await request.post()).items():
                if isinstance(part, web.FileField):
                    files.append(_attachment(len(files), part))
                elif name == "payload_json" and isinstance(part, str):
                    body = json.loads(part)
        elif request.can_read_body:
            body = await request.json()
        return Call(
            method=request.method,
            path="/" + request.match_info["tail"],
            query=dict(request.query),
            body=body,
            files=files,
            token=request.headers.get("Authorization"),
            at=self._now(),
        )

    def _answer(self, call: Call) -> Answer:
        """Do what the request asks; never waits, so no two requests are in the middle at once."""
        headers: dict[str, str] = {}
        try:
            route = self._find(call)
            if not route.open and call.token != f"Bot {self.token}":
                raise errors.unauthorized()
            headers = self._buckets.spend(
                call.method,
                route.template,
                next(iter(call.names.values()), ""),
                counts_globally=not route.open,
                epoch=self._now().timestamp(),
            )
            self._judged(
                self._judge
                and self._judge.of_request(
                    call.method, route.template, call.query, call.body, multipart=bool(call.files)
                )
            )
            call.status, call.answer = route.act(call)
        except ApiError as error:
            call.status, call.answer = error.status, error.body
            headers = {**headers, **error.headers}
        if call.template is not None:
            self._judged(self._judge and self._judge.of_answer(call.method, call.template, call.status, call.answer))
        return Answer.of_json(call.status, call.answer, headers)

    def _find(self, call: Call) -> Route:
        for route, pattern in self._routes:
            if route.method == call.method and (found := pattern.fullmatch(call.path)):
                call.template, call.names = route.template, found.groupdict()
                return route
        raise errors.not_found()

    def _judged(self, found: list[str] | None) -> None:
        self.complaints.extend(found or ())


def _pattern(template: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template))


def _attachment(number: int, part: web.FileField) -> Json:
    content = part.file.read()
    url = f"https://cdn.discordapp.com/attachments/0/{number}/{part.filename}"
    return {
        "id": str(number),
        "filename": part.filename,
        "size": len(content),
        "url": url,
        "proxy_url": url,
        "content_type": part.content_type,
    }
