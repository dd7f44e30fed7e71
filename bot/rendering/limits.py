"""Discord's limits, and cutting text to them.

Discord measures in UTF-16 code units; an emoji may be many of them, and half of one is rubbish, so
text is cut between graphemes.
"""

import regex

# Discord, Message resource: Create Message, Embed Limits. Lengths in UTF-16 code units.
CONTENT = 2000
EMBEDS = 10
EMBED_TITLE = 256
EMBED_DESCRIPTION = 4096
EMBED_AUTHOR = 256
EMBED_FOOTER = 2048
EMBED_FIELDS = 25
EMBED_FIELD_NAME = 256
EMBED_FIELD_VALUE = 1024
EMBEDS_TOGETHER = 6000
# Discord, Component reference.
ROWS = 5
BUTTONS_IN_A_ROW = 5
BUTTON_LABEL = 80
BUTTON_URL = 512
CUSTOM_ID = 100
# Discord, Application Commands: Autocomplete.
CHOICES = 25
CHOICE_NAME = 100
# Discord, Create Message.
NONCE = 25

_GRAPHEME = regex.compile(r"\X")
_ELLIPSIS = "…"
_LONGEST_WORD = 24
"""How far back a cut looks for the end of a word, in code units."""


def units(text: str) -> int:
    """Return the length of ``text`` as Discord counts it; a lone surrogate counts as one."""
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def cut(text: str, limit: int) -> str:
    """Return ``text``, or its beginning and an ellipsis, in at most ``limit`` units.

    The cut falls between graphemes, and at the end of a word where one is near. Cost is linear in
    ``limit``, however long the text is.

    Raises:
        ValueError: ``limit`` is below 1.
    """
    if limit < 1:
        raise ValueError("a limit is at least 1")
    if len(text) <= limit and units(text) <= limit:
        return text
    room = limit - 1
    end = 0
    # A grapheme may be long (a letter and a thousand accents): one that does not fit is left out whole.
    for match in _GRAPHEME.finditer(text[: limit + 1]):
        size = units(match[0])
        if size > room:
            break
        room -= size
        end = match.end()
    kept = text[:end]
    space = kept.rfind(" ")
    if space > 0 and len(kept) - space <= _LONGEST_WORD and not text[end : end + 1].isspace():
        kept = kept[:space]
    return kept.rstrip(" \n,;:–—-") + _ELLIPSIS
