"""The part of a text that shows why a paper was found."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache

from bot.text.words import fold

START, END = "\u0002", "\u0003"
"""Stand around a match; no clean text has them."""

_MOST_READ = 20_000
_TELLING = 3
_WORD = re.compile(r"[^\W_]+")
_HYPHENATED = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "ied", "ed", "es", "s", "y")


def snippet(text: str, terms: Collection[str], *, width: int = 200) -> str:
    """Return about ``width`` characters of the text, those with the most different terms in them, terms marked.

    Cut at the borders of words, with an ellipsis where something is left out; line breaks are spaces. Without a
    match it is the beginning of the text.

    Args:
        text: readable text; may be empty, and then so is the snippet.
        terms: folded words; another inflection of a term is a match too.
        width: without marks and ellipses; one word more may be taken.
    """
    text = " ".join(text[:_MOST_READ].replace(START, " ").replace(END, " ").split())
    stems = {_stem(term) for term in terms}
    # One or two letters stand everywhere.
    found = _occurrences(text, {stem for stem in stems if len(stem) >= _TELLING} or stems)
    begin, end = _window(text, found, width)
    marked = _marked(text, begin, end, [(start, stop) for start, stop, _ in found if begin <= start and stop <= end])
    return ("…" if begin > 0 else "") + marked + ("…" if end < len(text) else "")


def _occurrences(text: str, stems: Collection[str]) -> list[tuple[int, int, set[str]]]:
    """Return the words of the text whose stems are among these: begin, end and stem, in order.

    A hyphenated word counts as a whole where its parts run together do.
    """
    plain = _NOT_ASCII.sub(_plain_letter, text).lower()
    found = {
        match.span(): {stem}
        for match in _HYPHENATED.finditer(plain)
        if (stem := _stem("".join(_WORD.findall(match[0])))) in stems
    }
    whole = list(found)
    for stem in stems:
        at = plain.find(stem)
        while at >= 0:
            word = None if at > 0 and plain[at - 1].isalnum() else _WORD.match(plain, at)
            if word and _stem(word[0]) == stem and not any(begin <= at < end for begin, end in whole):
                found[word.span()] = {stem}
            at = plain.find(stem, at + 1)
    return [(begin, end, found[begin, end]) for begin, end in sorted(found)]


def _plain_letter(found: re.Match[str]) -> str:
    return _folded_letter(found[0])


@lru_cache(maxsize=4096)
def _folded_letter(letter: str) -> str:
    """Return one letter for one, so that places in the text stay what they are."""
    folded = fold(letter)
    return folded[0] if folded else letter


def _stem(word: str) -> str:
    """Cut a common ending off; crude, but only marks depend on it."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def _window(text: str, found: Sequence[tuple[int, int, set[str]]], width: int) -> tuple[int, int]:
    if len(text) <= width:
        return 0, len(text)
    best = (0, 0, width)
    for index, (start, _, _) in enumerate(found):
        inside: set[str] = set()
        last = start
        for _, stop, stems in found[index:]:
            if stop - start > width:
                break
            inside |= stems
            last = stop
        if len(inside) > best[0]:
            # Some words before the first match, so that the sentence can be read into.
            slack = max(0, width - (last - start))
            best = (len(inside), max(0, start - min(60, slack // 2)), 0)
    begin = min(best[1], len(text) - width)
    if begin > 0:
        begin = text.find(" ", begin - 1) + 1 if " " in text[begin - 1 : begin + 40] else begin
    end = min(len(text), begin + width)
    if end < len(text):
        cut = text.rfind(" ", begin + width // 2, end + 1)
        end = cut if cut > 0 else end
    return begin, end


def _marked(text: str, begin: int, end: int, spans: Sequence[tuple[int, int]]) -> str:
    pieces: list[str] = []
    at = begin
    for start, stop in spans:
        pieces += [text[at:start], START, text[start:stop], END]
        at = stop
    return "".join([*pieces, text[at:end]]).strip()
