"""Asking a site for one thing: politely, within bounds, and never inside the operator's own network."""

import asyncio
import datetime as dt
import random
import socket
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Final, Self

import aiohttp
from aiohttp.abc import AbstractResolver
from yarl import URL

from bot.errors import SourceError
from bot.models import Now
from bot.sources.addresses import GuardedResolver, NotPublic, is_public, literal

ATTEMPTS: Final = 5
"""How often one thing is asked for before it is given up."""

MOST_REDIRECTS: Final = 5

PACE: Final[Mapping[str, float]] = {"arxiv.org": 3.0}
"""Seconds between two requests to a site and all hosts under it; a second for every other host.

arXiv, Terms of Use for arXiv APIs: one request every three seconds and one connection at a time, together for
the API, RSS and OAI-PMH.
"""

_USUAL_PACE: Final = 1.0
_FIRST_BACKOFF: Final = 2.0
_LONGEST_BACKOFF: Final = 60.0
_LONGEST_CLOSED: Final = 86_400.0
_CHUNK: Final = 64 * 1024
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_KEEPS_METHOD: Final = frozenset({307, 308})
_GZIP: Final = 31  # zlib, inflateInit2: 16 for a gzip header and 15 for the largest window
_NAMES: Final = {
    "arxiv.org": "arXiv",
    "openreview.net": "OpenReview",
    "huggingface.co": "Hugging Face",
    "githubusercontent.com": "GitHub",
}

Sleep = Callable[[float], Awaitable[object]]


@dataclass(frozen=True, kw_only=True)
class Validators:
    """What a site says about the state of its answer, to be told the next time (RFC 9110, 8.8)."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """A site's answer.

    Attributes:
        content: empty where nothing has changed.
        content_type: in lower case and without parameters; may be empty.
        validators: to be given as ``seen`` the next time.
        url: the address that answered, after all redirects.
    """

    status: int
    content: bytes
    content_type: str
    validators: Validators
    url: str

    @property
    def not_modified(self) -> bool:
        """Whether nothing has changed since ``seen``."""
        return self.status == 304


@dataclass(frozen=True, kw_only=True)
class _Request:
    method: str
    url: URL = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    json: object = field(repr=False)
    seen: Validators | None
    name: str
    answers: Collection[int]
    throttled: Callable[[Fetched], bool] | None


@dataclass
class _Lane:
    """The requests to one site, which go one after the other."""

    pace: float
    free_at: dt.datetime
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    because: str = ""
    status: int | None = None


@dataclass
class _Patience:
    """The time that one fetch has; it begins to run when the fetch's first turn comes."""

    seconds: float
    began: dt.datetime | None = None

    def left(self, now: dt.datetime) -> float:
        if self.began is None:
            self.began = now
        # A clock that was set back must not make it longer.
        return min(self.seconds, self.seconds - (now - self.began).total_seconds())


class _Passing(Exception):
    """A fault that may be gone the next time."""

    def __init__(self, because: str, *, url: URL, status: int | None = None, after: float = 0.0) -> None:
        super().__init__(because)
        self.because = because
        self.url = url
        self.status = status
        self.after = after


class _Moved(Exception):
    def __init__(self, request: _Request) -> None:
        super().__init__()
        self.request = request


class _Broken(Exception):
    """A connection that broke, in a form that aiohttp does not know."""

    def __init__(self, error: aiohttp.ClientError) -> None:
        super().__init__()
        self.error = error


async def _once(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Keep aiohttp from asking again by itself after a broken connection, which it does without any pause."""
    try:
        return await handler(request)
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise _Broken(error) from error


class Fetcher:
    """Fetches from sites; use it as an async context manager.

    Redirects are followed, cookies are not kept, and proxies of the environment are not used.
    """

    def __init__(
        self,
        *,
        user_agent: str,
        now: Now,
        sleep: Sleep = asyncio.sleep,
        allow_private: bool = False,
        trusted_hosts: Collection[str] = (),
        deadline_seconds: float = 300.0,
        silence_seconds: float = 60.0,
        longest_body: int = 64 * 1024 * 1024,
        pace: Mapping[str, float] = PACE,
        resolver: AbstractResolver | None = None,
    ) -> None:
        """Remember how to fetch; nothing is opened yet.

        Args:
            user_agent: who asks; sites want to know whom to write to.
            now: the clock that waits and deadlines are counted by.
            sleep: waits so many seconds.
            allow_private: whether addresses inside the operator's network may be asked.
            trusted_hosts: hosts that the operator has chosen and that may be inside it all the same.
            deadline_seconds: for one fetch with all its attempts, waits and redirects, once its turn has come.
            silence_seconds: how long a site may say nothing before an attempt is given up.
            longest_body: bytes of an answer, unpacked.
            pace: seconds between two requests, by the domain that they are counted together for.
            resolver: looks names up instead of the system's.
        """
        self._user_agent = user_agent
        self._now = now
        self._sleep = sleep
        self._allow_private = allow_private
        self._trusted = frozenset(host.lower().rstrip(".") for host in trusted_hosts)
        self._deadline = deadline_seconds
        self._silence = silence_seconds
        self._longest_body = longest_body
        self._pace = pace
        self._resolver = resolver
        self._session: aiohttp.ClientSession | None = None
        self._lanes: dict[str, _Lane] = {}

    async def __aenter__(self) -> Self:
        resolver = self._resolver or aiohttp.DefaultResolver()
        if not self._allow_private:
            resolver = GuardedResolver(resolver, trusted=self._trusted)
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(resolver=resolver),
            middlewares=(_once,),
            cookie_jar=aiohttp.DummyCookieJar(),
            trust_env=False,
            # Unpacked here, where a bomb is stopped at its first piece too many.
            auto_decompress=False,
            headers={"User-Agent": self._user_agent, "Accept-Encoding": "gzip, deflate"},
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=self._silence, sock_read=self._silence),
        )
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        seen: Validators | None = None,
        method: str = "GET",
        json: object = None,
        name: str | None = None,
        answers: Collection[int] = (),
        throttled: Callable[[Fetched], bool] | None = None,
    ) -> Fetched:
        """Return what the address answers, after as many attempts as it takes and the deadline allows.

        Requests to one site go one after the other, with a pause between them. What may pass is asked for again:
        429, 5xx, silence, and connections that break.

        Args:
            url: an address with http or https.
            headers: not sent on to another origin than that of ``url``.
            seen: what the last answer said; if nothing has changed since, the new one is ``not_modified``.
            method: GET or POST.
            json: sent as the body, if it is not None; never sent on to another origin.
            name: what to call the site in sentences, instead of its host.
            answers: statuses from 400 to 499 that the caller reads itself instead of having them raised.
            throttled: whether an answer is not to be believed and means that the site wants to be asked later.

        Raises:
            SourceError: the address may not be asked, or does not answer as it should.
        """
        request = _Request(
            method=method,
            url=_parsed(url),
            headers=dict(headers or {}),
            json=json,
            seen=seen,
            name=name or "",
            answers=answers,
            throttled=throttled,
        )
        patience = _Patience(self._deadline)
        attempt = 0
        while True:
            attempt += 1
            try:
                return await self._followed(request, patience)
            except _Passing as fault:
                lane = self._lane(fault.url)
                wait = max(fault.after, _backoff(attempt))
                lane.free_at = max(lane.free_at, self._now() + dt.timedelta(seconds=wait))
                lane.because, lane.status = fault.because, fault.status
                if attempt == ATTEMPTS:
                    called = _called(fault.url, request)
                    when = _when(fault.after) if fault.after else f"it was asked {ATTEMPTS} times; try again later"
                    raise SourceError(
                        f"{called} {fault.because}; {when}.",
                        status=fault.status,
                        come_back_at=lane.free_at if fault.after else None,
                    ) from fault

    async def _followed(self, request: _Request, patience: _Patience) -> Fetched:
        for _ in range(MOST_REDIRECTS + 1):
            self._check(request)
            try:
                return await self._in_turn(request, patience)
            except _Moved as moved:
                request = moved.request
        raise SourceError(f"{_called(request.url, request)} sends us on more than {MOST_REDIRECTS} times.")

    def _check(self, request: _Request) -> None:
        """Raise unless the address may be asked, as far as it shows without looking a name up."""
        url = request.url
        if url.scheme not in {"http", "https"} or not url.host:
            raise SourceError("Only web addresses that begin with http:// or https:// can be fetched.")
        if url.user is not None or url.password is not None:
            raise SourceError("An address with a user name or a password in it is not fetched.")
        host = url.host.lower().rstrip(".")
        try:
            address = literal(host)
        except ValueError:
            raise SourceError("The address is a number in a spelling that is not fetched; give the name.") from None
        if self._allow_private or host in self._trusted:
            return
        if address is not None and not is_public(address):
            raise _not_public(url)

    async def _in_turn(self, request: _Request, patience: _Patience) -> Fetched:
        lane = self._lane(request.url)
        called = _called(request.url, request)
        async with lane.lock:
            left = patience.left(self._now())
            wait = (lane.free_at - self._now()).total_seconds()
            if wait > left:
                because = lane.because or "did not answer in time"
                raise SourceError(f"{called} {because}; {_when(wait)}.", status=lane.status, come_back_at=lane.free_at)
            if wait > 0:
                await self._sleep(wait)
            left = max(patience.left(self._now()), 0.0)
            try:
                async with asyncio.timeout(left):
                    answer = await self._asked(request)
            except TimeoutError as error:
                raise SourceError(f"{called} did not answer fully within {self._deadline:g} s.") from error
            finally:
                lane.free_at = self._now() + dt.timedelta(seconds=lane.pace)
            lane.because, lane.status = "", None
            return answer

    async def _asked(self, request: _Request) -> Fetched:
        if self._session is None:
            raise RuntimeError("the fetcher is not open")
        url = request.url
        headers = {**request.headers, **_conditions(request.seen)}
        try:
            async with self._session.request(
                request.method,
                url,
                headers=headers,
                json=request.json,
                allow_redirects=False,
            ) as response:
                if response.status in _REDIRECTS and "Location" in response.headers:
                    raise _Moved(_moved(request, response))
                self._raise_for_passing(response, url)
                answer = Fetched(
                    status=response.status,
                    content=await self._body(response, request),
                    content_type=response.headers.get("Content-Type", "").partition(";")[0].strip().lower(),
                    validators=Validators(
                        etag=response.headers.get("ETag"), last_modified=response.headers.get("Last-Modified")
                    ),
                    url=str(url),
                )
        except aiohttp.ClientError as error:
            raise _fault(error, request) from error
        except _Broken as broken:
            raise _fault(broken.error, request) from broken
        except UnicodeError as error:
            raise SourceError("It is not a web address.") from error
        if request.throttled is not None and request.throttled(answer):
            shown = str(answer.status) if answer.status != 200 else "an empty answer"
            raise _Passing(f"asks us to slow down ({shown})", url=url, status=answer.status)
        if answer.not_modified and request.seen is not None:
            return replace(answer, validators=request.seen)
        if not 200 <= answer.status < 300 and answer.status not in request.answers:
            raise SourceError(f"{_called(url, request)} {_refusal(answer.status)}.", status=answer.status)
        return answer

    def _raise_for_passing(self, response: aiohttp.ClientResponse, url: URL) -> None:
        if response.status != 429 and response.status < 500:
            return
        after = self._retry_after(response.headers.get("Retry-After", ""))
        what = "asks us to slow down" if response.status == 429 else "is out of order"
        raise _Passing(f"{what} ({response.status})", url=url, status=response.status, after=after)

    def _retry_after(self, text: str) -> float:
        """Return the seconds that a site wants to be left alone; 0 where it does not say."""
        text = text.strip()
        if text.isascii() and text.isdigit():
            return float(min(int(text[:10]), _LONGEST_CLOSED))
        try:
            moment = parsedate_to_datetime(text)
        except ValueError:
            return 0.0
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=dt.UTC)
        return min(max((moment - self._now()).total_seconds(), 0.0), _LONGEST_CLOSED)

    async def _body(self, response: aiohttp.ClientResponse, request: _Request) -> bytes:
        content = bytearray()
        called = _called(request.url, request)
        async for piece in _unpacked(response, called):
            content += piece
            if len(content) > self._longest_body:
                response.close()
                raise SourceError(f"{called} answers with more than {_size(self._longest_body)}, which is not read.")
        return bytes(content)

    def _lane(self, url: URL) -> _Lane:
        host = (url.host or "").lower().rstrip(".")
        domain = next((known for known in self._pace if host == known or host.endswith(f".{known}")), host)
        if domain not in self._lanes:
            self._lanes[domain] = _Lane(pace=self._pace.get(domain, _USUAL_PACE), free_at=self._now())
        return self._lanes[domain]


async def _unpacked(response: aiohttp.ClientResponse, called: str) -> AsyncIterator[bytes]:
    """Yield the body in pieces of at most ``_CHUNK`` bytes."""
    coding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if coding in {"", "identity"}:
        async for piece in response.content.iter_chunked(_CHUNK):
            yield piece
        return
    if coding not in {"gzip", "x-gzip", "deflate"}:
        raise SourceError(f"{called} answers in an encoding that was not asked for ({coding[:20]}).")
    unpacker = None
    rest = b""
    async for piece in response.content.iter_chunked(_CHUNK):
        rest += piece
        if unpacker is None and len(rest) < 2:
            continue
        try:
            # A full piece may have more behind it even where all of the input is used up.
            is_full = False
            while rest or is_full:
                if unpacker is None or unpacker.eof:
                    unpacker = zlib.decompressobj(_window(coding, rest))
                unpacked = unpacker.decompress(rest, _CHUNK)
                yield unpacked
                is_full = len(unpacked) == _CHUNK and not unpacker.eof
                rest = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
        except zlib.error as error:
            raise aiohttp.ClientPayloadError("damaged") from error
    if rest or (unpacker is not None and not unpacker.eof):
        raise aiohttp.ClientPayloadError("incomplete")


def _window(coding: str, head: bytes) -> int:
    """Return what zlib is to expect; some servers leave its header out (RFC 9110, 8.4.1.2, note)."""
    if coding != "deflate":
        return _GZIP
    # RFC 1950, 2.2: the method is 8, and the first two bytes are a multiple of 31.
    has_header = head[0] & 0x0F == 8 and int.from_bytes(head[:2]) % 31 == 0
    return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS


def _parsed(url: str) -> URL:
    try:
        return URL(url.strip())
    except ValueError:
        raise SourceError("It is not a web address.") from None


def _moved(request: _Request, response: aiohttp.ClientResponse) -> _Request:
    """Return the request that a redirect asks for, without what is meant for the first origin only."""
    called = _called(request.url, request)
    try:
        url = request.url.join(URL(response.headers["Location"]))
    except ValueError:
        url = URL()
    if not url.scheme or (url.scheme in {"http", "https"} and not url.host):
        raise SourceError(f"{called} sends us on to something that is no web address.")
    if url.scheme not in {"http", "https"}:
        raise SourceError(f"{called} sends us on to an address that is not fetched ({url.scheme[:20]}:).")
    # RFC 9110, 15.4: what was posted is fetched from the new address, unless the status says to post it again.
    keeps = request.method == "GET" or response.status in _KEEPS_METHOD
    method, json = (request.method, request.json) if keeps else ("GET", None)
    if url.origin() == request.url.origin():
        return replace(request, url=url, method=method, json=json)
    if json is not None:
        raise SourceError(f"{called} sends what was posted on to another site, which is not followed.")
    return replace(request, url=url, method=method, json=None, headers={}, name="")


def _conditions(seen: Validators | None) -> dict[str, str]:
    if seen is None:
        return {}
    said = {"If-None-Match": seen.etag, "If-Modified-Since": seen.last_modified}
    return {header: value for header, value in said.items() if value}


def _fault(error: aiohttp.ClientError, request: _Request) -> Exception:
    """Return what a failed connection is raised as."""
    url, called = request.url, _called(request.url, request)
    causes: list[BaseException] = []
    cause: BaseException | None = error
    while cause is not None and len(causes) < 10:
        causes.append(cause)
        cause = cause.__cause__
    if any(isinstance(one, NotPublic) for one in causes):
        return _not_public(url)
    if isinstance(error, aiohttp.ClientConnectorCertificateError | aiohttp.ServerFingerprintMismatch):
        return SourceError(f"The certificate of {called} is not valid, so it is not read.")
    if any(isinstance(one, socket.gaierror) and one.errno == socket.EAI_NONAME for one in causes):
        return SourceError(f"There is no site with the name {(url.host or '')[:80]}.")
    if isinstance(error, TimeoutError):
        return _Passing("does not answer", url=url)
    if isinstance(error, aiohttp.ClientConnectorError):
        return _Passing("cannot be reached", url=url)
    return _Passing("broke off its answer", url=url)


def _not_public(url: URL) -> SourceError:
    return SourceError(f"{(url.host or '')[:80]} is inside a network that is not public, so it is not fetched.")


def _called(url: URL, request: _Request) -> str:
    host = (url.host or "").lower()
    if request.name:
        return request.name
    known = (name for domain, name in _NAMES.items() if host == domain or host.endswith(f".{domain}"))
    return next(known, host[:80])


def _refusal(status: int) -> str:
    if status in {401, 403}:
        return f"does not let us in ({status})"
    if status in {404, 410}:
        return f"has nothing at this address ({status})"
    return f"refuses the request ({status})" if status >= 400 else f"gives no answer that can be read ({status})"


def _backoff(attempt: int) -> float:
    """Return how long to wait after an attempt, in seconds; some at random, so that not all come back at once."""
    return min(_FIRST_BACKOFF * 2 ** (attempt - 1), _LONGEST_BACKOFF) * random.uniform(0.5, 1.0)


def _when(seconds: float) -> str:
    if seconds <= 120:
        shown = f"{max(seconds, 1):.0f} s"
    elif seconds <= 2 * 3600:
        shown = f"{seconds / 60:.0f} minutes"
    else:
        shown = f"{seconds / 3600:.0f} hours"
    return f"it can be asked again in {shown}"


def _size(number: int) -> str:
    return f"{number // 1024**2} MiB" if number >= 1024**2 else f"{number} bytes"
