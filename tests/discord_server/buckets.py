"""Rate limits: one bucket for each route and its channel, and a global one, in real time.

Discord, Rate Limits. The figures of single routes are not documented and change; the message route's is
the one seen in the wild (rustplusplus#475). Real time, not the server's clock, because the client
that is told to wait waits in real time.
"""

import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass

from tests.discord_server.errors import ApiError


@dataclass(frozen=True, kw_only=True)
class Limit:
    """At most ``requests`` in any window of ``seconds``."""

    requests: int
    seconds: float


@dataclass(kw_only=True)
class _Window:
    opened: float
    used: int = 0


UNLIMITED = Limit(requests=1_000_000, seconds=1.0)

_USUAL = Limit(requests=50, seconds=1.0)
_MESSAGES = Limit(requests=5, seconds=5.0)
_GLOBAL = Limit(requests=50, seconds=1.0)


class Buckets:
    """Counts requests and refuses those that come too fast.

    Attributes:
        limits: the limit of a (method, template) that differs from the usual one; tests may set more.
        global_limit: for all routes that carry the bot's token, together.
    """

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self.limits: dict[tuple[str, str], Limit] = {("POST", "/channels/{channel_id}/messages"): _MESSAGES}
        self.global_limit = _GLOBAL
        self._usual = _USUAL
        self._windows: dict[tuple[str, ...], _Window] = {}

    def lift(self) -> None:
        """Let everything through from now on, for tests that are about something else and post much."""
        self.limits.clear()
        self.global_limit = UNLIMITED
        self._usual = UNLIMITED

    def spend(self, method: str, template: str, major: str, *, counts_globally: bool, epoch: float) -> dict[str, str]:
        """Count one request and return the rate limit headers of its answer.

        Args:
            major: the channel, guild or webhook that has a bucket of its own.
            epoch: the server's clock, in seconds, for ``X-RateLimit-Reset``.

        Raises:
            ApiError: 429, with what is to be waited.
        """
        if counts_globally:
            left, wait = self._count(("global",), self.global_limit)
            if left < 0:
                raise too_fast(wait, scope="global")
        limit = self.limits.get((method, template), self._usual)
        left, wait = self._count((method, template, major), limit)
        headers = {
            "X-RateLimit-Bucket": f"{zlib.crc32(f'{method} {template}'.encode()):08x}",
            "X-RateLimit-Limit": str(limit.requests),
            "X-RateLimit-Remaining": str(max(left, 0)),
            "X-RateLimit-Reset": f"{epoch + wait:.3f}",
            "X-RateLimit-Reset-After": f"{wait:.3f}",
        }
        if left < 0:
            raise too_fast(wait, scope="user", headers=headers)
        return headers

    def _count(self, key: tuple[str, ...], limit: Limit) -> tuple[int, float]:
        """Count one more; return how many are left (below 0: too many) and the seconds to the next window."""
        now = self._monotonic()
        window = self._windows.get(key)
        if window is None or now - window.opened >= limit.seconds:
            window = self._windows[key] = _Window(opened=now)
        left = limit.requests - window.used - 1
        if left >= 0:
            window.used += 1
        return left, max(window.opened + limit.seconds - now, 0.001)


def too_fast(retry_after: float, *, scope: str, headers: dict[str, str] | None = None, via: bool = True) -> ApiError:
    """Return a 429 as Discord answers it; ``scope`` is ``user``, ``global`` or ``shared``.

    Args:
        via: False leaves out the header by which discord.py tells Discord from Cloudflare.
    """
    more = {"Retry-After": str(int(retry_after) + 1), "X-RateLimit-Scope": scope}
    if scope == "global":
        more["X-RateLimit-Global"] = "true"
    if not via:
        more["Via"] = ""
    return ApiError(
        429,
        0,
        "You are being rate limited.",
        headers={**(headers or {}), **more},
        extra={"retry_after": round(retry_after, 3), "global": scope == "global"},
    )
