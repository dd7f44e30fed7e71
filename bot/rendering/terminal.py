"""A Discord message as plain text, for the tour and the command line."""

import datetime as dt
import re
import textwrap

from bot.rendering.messages import Message

_WIDTH = 96
_LINK = re.compile(r"\[((?:[^\[\]\\]|\\.)*)\]\(<?([^()\s<>]*)>?\)")
_INSTANT = re.compile(r"<t:(-?\d+)(?::([tTdDfFR]))?>")
_EMPHASIS = re.compile(r"(?<!\\)(\*\*|__|~~|\*|`+)|(?m:^(?:-# |#{1,3} |>>> |> ))")
_ESCAPED = re.compile(r"\\([^A-Za-z0-9\s])")
_INVISIBLE = re.compile("[\u200b\u2060\u200e\u200f]")


def as_text(message: Message) -> str:
    """Return what a person reads in the message: content, and embeds behind a bar; a terminal has no buttons."""
    parts: list[str] = []
    if message.content:
        parts.append(_wrapped(_plain(message.content)))
    for embed in message.embeds:
        pieces = [embed.author.name, embed.title, embed.url if embed.title else None, embed.description]
        pieces += [f"{field.name}: {field.value}" for field in embed.fields]
        pieces.append(embed.footer.text)
        body = "\n".join(_wrapped(_plain(piece)) for piece in pieces if piece)
        parts.append(textwrap.indent(body, "│ ", lambda _line: True))
    return "\n".join(parts)


def _plain(markdown: str) -> str:
    """Take Discord's Markdown off: links keep their words, instants become dates in UTC."""
    text = _LINK.sub(lambda match: match[1], markdown)
    text = _INSTANT.sub(_instant, text)
    text = _EMPHASIS.sub("", text)
    return _INVISIBLE.sub("", _ESCAPED.sub(r"\1", text))


def _instant(match: re.Match[str]) -> str:
    try:
        moment = dt.datetime.fromtimestamp(int(match[1]), tz=dt.UTC)
    except (ValueError, OverflowError, OSError):
        return match[0]
    return f"{moment:%a %d %b %Y %H:%M} UTC"


def _wrapped(text: str) -> str:
    return "\n".join(
        textwrap.fill(line, _WIDTH, break_long_words=False, break_on_hyphens=False) for line in text.split("\n")
    )
