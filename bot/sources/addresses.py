"""Which addresses of the network may be asked: public ones, unless the operator says otherwise.

What a person writes as a feed decides where the bot connects, so nothing inside the operator's own network may
be reached by it, however the address is spelt and whatever a name is looked up to.
"""

import ipaddress
import re
import socket
from collections.abc import Collection
from typing import Final

from aiohttp.abc import AbstractResolver, ResolveResult

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_TRANSLATED: Final = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052, NAT64
_NEVER: Final = tuple(
    ipaddress.ip_network(network)
    for network in (
        "100.64.0.0/10",  # RFC 6598, carriers' own network; clouds answer about themselves there
        "168.63.129.16/32",  # Azure's own services inside every machine
        "192.0.0.0/24",  # RFC 6890, protocol assignments
        "192.88.99.0/24",  # RFC 7526, the former 6to4 relays
        "::/96",  # RFC 4291, IPv4 addresses in an old disguise
        "64:ff9b:1::/48",  # RFC 8215, NAT64 inside one network
        "100::/64",  # RFC 6666, discarded
        "2001::/23",  # RFC 2928, Teredo and other tunnels
        "3fff::/20",  # RFC 9637, for documents
        "5f00::/16",  # RFC 9602, segment routing inside one network
        "fec0::/10",  # RFC 3879, site-local
    )
)
_ENDS_IN_A_NUMBER = re.compile(r"(?:^|\.)(?:[0-9]+|0x[0-9a-f]*)\.*$", re.IGNORECASE)


class NotPublic(OSError):
    """A name was looked up to an address that may not be asked."""


def literal(host: str) -> Address | None:
    """Return the address that a host is, or None for a name.

    Raises:
        ValueError: it is an address in a spelling of its own, such as ``0x7f.1``, ``2130706433`` or ``fe80::1%eth0``.
    """
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        # Systems take the same numbers for an address that the line above does not
        # (WHATWG, URL Standard, "ends in a number").
        if ":" in host or "%" in host or _ENDS_IN_A_NUMBER.search(host):
            raise
        return None
    if isinstance(address, ipaddress.IPv6Address) and address.scope_id is not None:
        raise ValueError(host)
    return address


def is_public(address: Address) -> bool:
    """Return whether the address can belong to a site on the internet.

    An IPv6 address with an IPv4 address inside is judged by what is inside.
    """
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is None and address in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
        if inner is not None:
            return is_public(inner)
    if any(address in network for network in _NEVER):
        return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


class GuardedResolver(AbstractResolver):
    """Looks names up with another resolver and lets only public addresses through.

    What it returns is what is connected to, so that a name cannot mean one address when it is checked and another
    when it is used.
    """

    def __init__(self, inner: AbstractResolver, *, trusted: Collection[str] = ()) -> None:
        """Wrap ``inner``; the names in ``trusted``, in lower case, may mean any address."""
        self._inner = inner
        self._trusted = frozenset(trusted)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a name.

        Raises:
            NotPublic: one of them is not public.
            OSError: there is no such name, or it cannot be looked up now.
        """
        found = await self._inner.resolve(host, port, family)
        if host.lower().rstrip(".") not in self._trusted:
            for one in found:
                if not _is_public_text(one["host"]):
                    raise NotPublic(host)
        return found

    async def close(self) -> None:
        """Release the inner resolver."""
        await self._inner.close()


def _is_public_text(text: str) -> bool:
    try:
        address = literal(text)
    except ValueError:
        return False
    return address is not None and is_public(address)
