"""Pages for whoever watches the bot: ``/healthz``, ``/readyz`` and ``/metrics``; on loopback unless told otherwise."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Self

from aiohttp import web

from bot.errors import Unavailable
from bot.metrics import CONTENT_TYPE, Metrics

log = logging.getLogger(__name__)

_READY_SECONDS = 2.0
_STOP_SECONDS = 1.0

Ready = Callable[[], Awaitable[str | None]]
"""Returns None when the bot can do its work, else what it waits for, in a few words."""


class Web:
    """A small HTTP server beside the bot; ``start`` it and ``stop`` it, or use it as an async context manager.

    Args:
        ready: asked for every ``/readyz``; no answer within 2 seconds counts as not ready.
        host: the address to listen on.
        port: the port; 0 takes a free one.
    """

    def __init__(self, *, ready: Ready, metrics: Metrics, host: str = "127.0.0.1", port: int = 8080) -> None:
        self._ready = ready
        self._metrics = metrics
        self._host = host
        self._port = port
        self._runner: web.AppRunner | None = None

    @property
    def port(self) -> int:
        """The port in use once started; until then the one asked for."""
        if self._runner is None or not self._runner.addresses:
            return self._port
        return int(self._runner.addresses[0][1])

    async def start(self) -> None:
        """Begin to answer.

        Raises:
            Unavailable: the address or the port cannot be had.
        """
        pages = web.Application()
        pages.router.add_get("/healthz", self._healthz)
        pages.router.add_get("/readyz", self._readyz)
        pages.router.add_get("/metrics", self._metrics_page)
        runner = web.AppRunner(pages, access_log=None, handle_signals=False, shutdown_timeout=_STOP_SECONDS)
        await runner.setup()
        try:
            await web.TCPSite(runner, self._host, self._port).start()
        except OSError as error:
            await runner.cleanup()
            raise Unavailable(
                f"The pages for monitoring cannot listen on {self._host}, port {self._port}: "
                f"{error.strerror or error}. Choose another with web.host and web.port."
            ) from error
        self._runner = runner
        log.info("monitoring pages served", extra={"host": self._host, "port": self.port})

    async def stop(self) -> None:
        """Stop answering; may be called twice, and before ``start``."""
        runner, self._runner = self._runner, None
        if runner is not None:
            await runner.cleanup()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def _healthz(self, _request: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def _readyz(self, _request: web.Request) -> web.Response:
        try:
            async with asyncio.timeout(_READY_SECONDS):
                waiting_for = await self._ready()
        except TimeoutError:
            waiting_for = "an answer from the bot"
        except Exception:
            log.exception("readiness check failed")
            waiting_for = "a check that failed; see the log"
        if waiting_for is None:
            return web.Response(text="ready\n")
        return web.Response(status=503, text=f"waiting for {waiting_for}\n")

    async def _metrics_page(self, _request: web.Request) -> web.Response:
        return web.Response(body=self._metrics.exposition(), headers={"Content-Type": CONTENT_TYPE})
