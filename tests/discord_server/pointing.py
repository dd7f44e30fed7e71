"""How discord.py finds the stand-in: by its class attributes, or unpatched through a connector.

The first is plain HTTP and shorter; the second leaves every line of discord.py as it is in production, with its own
addresses, TLS and wss, and proves that the bot talks to nobody else.
"""

import contextlib
import socket
import ssl
from collections.abc import Generator
from typing import Any

import aiohttp
import trustme
import yarl
from aiohttp.abc import AbstractResolver, ResolveResult
from discord.asset import Asset
from discord.gateway import DiscordWebSocket
from discord.http import Route

HOSTS = ("discord.com", "gateway.discord.gg", "*.discord.gg", "cdn.discordapp.com")


class Certificates:
    """Throw-away certificates for Discord's names."""

    def __init__(self) -> None:
        self._authority = trustme.CA()

    def server_context(self) -> ssl.SSLContext:
        """Return what the stand-in shows."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._authority.issue_cert(*HOSTS).configure_cert(context)
        return context

    def client_context(self) -> ssl.SSLContext:
        """Return what trusts the stand-in and nobody else."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self._authority.configure_trust(context)
        return context


class OnlyDiscord(AbstractResolver):
    """Sends Discord's names to one port of this machine.

    Attributes:
        refused: the other names that were asked for; a test wants it empty.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self.refused: list[str] = []

    async def resolve(
        self,
        host: str,
        port: int = 0,
        family: socket.AddressFamily = socket.AF_INET,
    ) -> list[ResolveResult]:
        if host not in HOSTS and not host.endswith(".discord.gg"):
            self.refused.append(host)
            raise OSError(f"the bot asked for {host}, which is not Discord")
        return [
            ResolveResult(hostname=host, host="127.0.0.1", port=self._port, family=socket.AF_INET, proto=0, flags=0)
        ]

    async def close(self) -> None:
        return None


class LoopbackConnector(aiohttp.TCPConnector):
    """A connector for ``discord.Client(connector=…)``; make it inside the running loop, one for each client.

    Attributes:
        refused: the names beside Discord's that the bot asked for.
    """

    def __init__(self, port: int, context: ssl.SSLContext) -> None:
        self._only = OnlyDiscord(port)
        super().__init__(resolver=self._only, ssl=context, limit=0)

    @property
    def refused(self) -> list[str]:
        return self._only.refused


@contextlib.contextmanager
def class_attributes(api_base: str, gateway: str) -> Generator[None]:
    """Send all of discord.py in this process to other addresses, and restore them afterwards.

    ``Route`` serves webhooks and interactions too. The gateway's address is on the class because discord.py falls back
    to it after a session was invalidated.
    """
    places: list[tuple[Any, str, Any]] = [
        (Route, "BASE", api_base),
        (DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(gateway)),
        (Asset, "BASE", f"{yarl.URL(api_base).origin()}/cdn"),
    ]
    before = [getattr(owner, name) for owner, name, _ in places]
    try:
        for owner, name, value in places:
            setattr(owner, name, value)
        yield
    finally:
        for (owner, name, _), value in zip(places, before, strict=True):
            setattr(owner, name, value)
