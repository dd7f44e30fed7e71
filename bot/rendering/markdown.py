"""Text that Discord shows as it is: Markdown escaped, mentions without effect, links that lead where they say.

``discord.utils.escape_markdown`` is not used: it takes cubic time (240 s for 32 kB of ``[a](``) and
misses a link that is broken over two lines. Everything here is one pass. Cut first, then escape:
``escaped`` does both and keeps the limit.
"""

import re
from collections.abc import Callable
from urllib.parse import quote, urlsplit, urlunsplit

from bot.rendering import limits

_BREAK = "\u2060"
"""WORD JOINER: seen by nobody, and it keeps Discord from reading what stands around it as one thing."""

# Anything that means something to Discord wherever it stands. "<" begins mentions, custom emoji,
# instants and links in brackets; "]" followed by "(" makes a masked link, so escaping brackets ends them.
_ALWAYS = re.compile(r"[\\*_~`|\[\]<>]")
_LINE_START = re.compile(r"^([ \t]*)(#{1,3}(?= )|-(?=[# ])|\+(?= )|(\d{1,9})([.)])(?= ))", re.MULTILINE)
_MENTION = re.compile(r"@(?=everyone|here|[!&]?\d)", re.IGNORECASE)
_EMOJI_NAME = re.compile(r":(?=\w{1,32}:)")
_ADDRESS = re.compile(r"(https?|ftp|discord|mailto|steam)(?=:/?/?)", re.IGNORECASE)
_INVISIBLE_OR_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]")

_IN_ADDRESS = "!#$&'*+,/:;=?@-._~%"
_LONGEST_ADDRESS = limits.BUTTON_URL


def escape(text: str) -> str:
    """Return ``text`` so that Discord shows its characters and does nothing else with them.

    No mention, custom emoji, instant, link, heading, list, quote, code or emphasis survives. The
    result has up to twice as many units.
    """
    text = _INVISIBLE_OR_CONTROL.sub("", text)
    text = _ALWAYS.sub(lambda match: "\\" + match[0], text)
    text = _LINE_START.sub(_escape_line_start, text)
    text = _MENTION.sub("@" + _BREAK, text)
    text = _EMOJI_NAME.sub(lambda _match: "\\:", text)
    return _ADDRESS.sub(lambda match: match[0] + _BREAK, text)


def escaped(text: str, limit: int) -> str:
    """Return ``text`` cut and escaped, in at most ``limit`` units.

    Raises:
        ValueError: ``limit`` is below 2.
    """
    return _fitted(text, limit, escape)


def link(text: str, address: str | None, *, limit: int = limits.EMBED_TITLE) -> str:
    """Return a masked link with ``text`` escaped to ``limit`` units; only the text where the address is none.

    The address counts on top of ``limit``; see ``safe_address``.
    """
    shown = escaped(text, limit)
    safe = safe_address(address)
    return f"[{shown}]({safe})" if safe else shown


def safe_address(address: str | None) -> str | None:
    """Return the address as it can stand in a link, or None where it is not absolute http(s), or too long.

    Characters that would end the link early are percent-encoded; what is encoded already stays.
    """
    if not address:
        return None
    try:
        parts = urlsplit(address.strip())
        host = parts.hostname or ""
    except ValueError:
        return None
    if parts.scheme.lower() not in {"http", "https"} or not host or re.search(r"[\s<>()\[\]\\]", parts.netloc):
        return None
    safe = urlunsplit(
        (
            parts.scheme.lower(),
            _ascii(parts.netloc),
            quote(parts.path, safe=_IN_ADDRESS),
            quote(parts.query, safe=_IN_ADDRESS),
            quote(parts.fragment, safe=_IN_ADDRESS),
        )
    )
    return safe if safe.isascii() and len(safe) <= _LONGEST_ADDRESS else None


def marked(snippet: str, limit: int) -> str:
    """Return a snippet with what stands between U+0002 and U+0003 in bold, in at most ``limit`` units."""
    return _fitted(snippet, limit, _bold)


def sentence(text: str) -> str:
    """Return a sentence of ours, which may echo what somebody typed, so that the echo does nothing.

    Our own bold words and channel mentions stay; mentions of people and roles, links and code do not.
    """
    text = _INVISIBLE_OR_CONTROL.sub("", text)
    text = re.sub(r"[\\`|\[\]]|<(?!#\d)", lambda match: "\\" + match[0], text)
    text = _MENTION.sub("@" + _BREAK, text)
    return _ADDRESS.sub(lambda match: match[0] + _BREAK, text)


def _fitted(text: str, limit: int, render: Callable[[str], str]) -> str:
    """Return as much of the text as fits into ``limit`` units once ``render`` has lengthened it."""
    if limit < 2:
        raise ValueError("a limit is at least 2")
    room = limit
    while True:
        result = render(limits.cut(text, room))
        excess = limits.units(result) - limit
        if excess <= 0:
            return result
        if room == 1:
            return ""
        # Escaping at most doubles: half of what is too much is certain to be too much here too.
        room = max(1, room - (excess + 1) // 2)


def _bold(snippet: str) -> str:
    pieces: list[str] = []
    for number, piece in enumerate(re.split("[\u0002\u0003]", snippet)):
        shown = escape(piece)
        # The markers alternate: every second piece is a match. Bold around blanks would show its asterisks.
        pieces.append(f"**{shown}**" if number % 2 and shown.strip() == shown and shown else shown)
    return "".join(pieces)


def _escape_line_start(match: re.Match[str]) -> str:
    blank, sign, digits, after = match[1], match[2], match[3], match[4]
    return f"{blank}{digits}\\{after}" if digits else f"{blank}\\{sign}"


def _ascii(netloc: str) -> str:
    if netloc.isascii():
        return netloc
    try:
        return netloc.encode("idna").decode("ascii")
    except UnicodeError:
        return netloc  # not ASCII still, so that the caller refuses it
