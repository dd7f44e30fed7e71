"""Sentences of an abstract, by rules of our own: no model, nothing to download."""

import re
from bisect import bisect_right

from bot.text.mathspans import find_math

_REACH = 80
"""How far around a stop is looked at."""
_LONGEST_ASIDE = 200
"""A stop within brackets that close within this many characters ends no sentence."""

_STOP = re.compile(
    r"(?P<stop>[.!?]+|…)(?P<closers>[\"”’')\]}*`$]*)(?=\s|$|[A-Z“(][\w'’-]*[ ,])"
    r"|(?P<wide>[。！？]+)[」』”）]*|\n[^\S\n]*\n\s*",
)
_URL = re.compile(r"(?:https?://|www\.)[^\s]+")
_NEXT = re.compile(r"(\s*)([\"“‘'(\[*_`•–—-]*\s?)(\S)")
_WORD = re.compile(r"[^\s.,;:!?()\[\]]+")
_CAMEL = re.compile(r"[a-z]{1,4}-?[A-Z]")
_INITIALISM = re.compile(r"(?:[a-z]\.)+[a-z]")
_LIST_MARK = re.compile(r"\W*(?:\d{1,2}|[a-z]|[ivx]{1,4})", re.IGNORECASE)
_ENUMERATION = re.compile(r"\s*\(?\s*(?:\d{1,2}|[ivx]{1,4}|[a-z])\s*\)\s*[a-z]")
_LABEL = re.compile(
    r"(?:abstract|background|introduction|motivation|purpose|objectives?|aims?|methods?|methodology"
    r"|materials and methods"
    r"|approach|results?|findings|conclusions?|discussion|significance|data|summary|contributions?|tl;dr)",
    re.IGNORECASE,
)

# Never end a sentence: something always follows.
_OPEN_ABBREVIATIONS = frozenset(
    "e.g i.e eg ie cf fig figs eq eqs eqn eqns sec secs sect ref refs tab tabs alg algs vs viz vol vols pp ch "
    "chap appx thm thms lem def defn prop cor rem dr mr mrs ms prof st dept univ w.r.t s.t approx ca conf proc "
    "trans symp int incl assoc aka a.k.a c.f".split(),
)
# May end one: only where the next word looks like the start of a sentence.
_CLOSED_ABBREVIATIONS = frozenset(
    "al etc u.s u.k u.s.a e.u u.n i.i.d a.s a.e a.m p.m inc co ltd corp jr sr ph.d m.sc b.sc d.c n.b no nos "
    "app resp".split(),
)
_NOT_BEFORE_NUMBERS = frozenset({"no", "nos", "app", "v", "p"})
_STARTERS = frozenset(
    "a an the this these those that it its we our they their there here in on at by for from to with when while "
    "where as if since because although though however moreover furthermore additionally finally thus therefore "
    "hence then instead unlike both despite such each most many some all one two three first second third using "
    "based given motivated inspired through empirically theoretically experiments results extensive specifically "
    "consequently overall besides meanwhile yet but and or also nevertheless nonetheless recently under after "
    "before during without within among between code our he she you i what why how can does is are not only to".split(),
)
_EXCLAIMED = frozenset({"Yahoo", "Jeopardy"})


def split(text: str) -> list[str]:
    """Return the sentences of ``text``, verbatim and in order; joined, they lose nothing but white space.

    Written for abstracts in English, before or after their TeX was made readable. Abbreviations, initials, numbers,
    formulas, links, citations and stops within brackets end no sentence; a missing space after a stop, or an empty
    line, does not hide an end. Linear in the length of the text.
    """
    closed = _Untouchable(text)
    found: list[str] = []
    start = 0
    for stop in _STOP.finditer(text):
        if stop.start() < start or not _ends(text, start, stop, closed):
            continue
        if sentence := text[start : stop.end()].strip():
            found.append(sentence)
        start = stop.end()
    if rest := text[start:].strip():
        found.append(rest)
    return found


class _Untouchable:
    """What no sentence may end in: formulas, links, and short asides in brackets."""

    def __init__(self, text: str) -> None:
        spans = [(span.start, span.end) for span in find_math(text)]
        for link in _URL.finditer(text):
            end = link.start() + len(link[0].rstrip(".,;:!?)]}'\"”"))
            spans.append((link.start(), end))
        self.spans = sorted(spans)
        self.starts = [start for start, _ in self.spans]
        self.asides = _asides(text)
        self.aside_starts = [start for start, _ in self.asides]

    def holds(self, stop: re.Match[str]) -> bool:
        """Whether the stop stands within a formula or link, other than as the last thing in a formula."""
        index = bisect_right(self.starts, stop.start()) - 1
        if index < 0:
            return False
        end = self.spans[index][1]
        return stop.start() < end and stop.end() != end

    def in_aside(self, position: int) -> bool:
        """Whether brackets that were opened before ``position`` are closed after it."""
        index = bisect_right(self.aside_starts, position) - 1
        return index >= 0 and position < self.asides[index][1]


def _asides(text: str) -> list[tuple[int, int]]:
    """Return the outermost pairs of round or square brackets that are short enough, in order."""
    pairs: list[tuple[int, int]] = []
    opened: list[tuple[str, int]] = []
    for bracket in re.finditer(r"[()\[\]]", text):
        sign, at = bracket[0], bracket.start()
        if sign in "([":
            opened.append((sign, at))
        elif opened and opened[-1][0] == ("(" if sign == ")" else "["):
            start = opened.pop()[1]
            if at - start <= _LONGEST_ASIDE:
                while pairs and pairs[-1][0] > start:
                    pairs.pop()
                pairs.append((start, at))
    return pairs


def _ends(text: str, start: int, stop: re.Match[str], closed: _Untouchable) -> bool:
    if closed.holds(stop):
        return False
    if stop["stop"] is None:
        return True
    following = _NEXT.match(text, stop.end(), stop.end() + _REACH)
    if following is None or closed.in_aside(stop.end() - 1):
        return False
    gap, first = following.group(1, 3)
    word_at = following.start(3)
    next_word = _WORD.match(text, word_at, word_at + _REACH)
    word = next_word[0] if next_word else first
    before = text[max(start, stop.start() - _REACH) : stop.start()]
    last = before.split()[-1].lstrip("([{\"'“‘*_") if before.split() else ""
    if first in ",;:)]}":
        return False
    if (
        closed.in_aside(stop.start())
        and word.lower() not in _STARTERS
        and not text.startswith(("(", "["), _first(text, start))
    ):
        return False
    if not gap and not _glued(stop["stop"], last, word):
        return False
    if stop["stop"].startswith("..") or stop["stop"] == "…":
        return first.isupper()
    if "\n" not in gap and not _begins(text[word_at : word_at + 8], last):
        return False
    if _ENUMERATION.match(text, stop.end(), stop.end() + _REACH):
        return False
    if stop["stop"] == "!" and last in _EXCLAIMED:
        return False
    if _is_mark_or_label(text, start, stop):
        return False
    return stop["stop"] != "." or not _is_abbreviation(last, word, first)


def _first(text: str, start: int) -> int:
    """Return where the sentence that begins at ``start`` has its first character."""
    while text[start].isspace():
        start += 1
    return start


def _begins(following: str, last: str) -> bool:
    """Whether a sentence may begin with these characters after the word ``last``."""
    if not following[0].islower():
        return True
    if not following[0].isascii():
        return len(last) > 3 or not last.isascii()
    return _CAMEL.match(following) is not None


def _glued(stop: str, last: str, word: str) -> bool:
    """``…of it.However, …``: a stop without a space ends a sentence only between two plain words."""
    core = last.rstrip("\"'”’)]}")
    plain = len(core) > 1 and "." not in core and "/" not in core and (core[-1].islower() or core[-1] in "0123456789%)")
    return stop in {".", "?", "!"} and plain and word[0].isupper() and (word[1:].islower() or word.lower() in _STARTERS)


def _is_mark_or_label(text: str, start: int, stop: re.Match[str]) -> bool:
    """``1.`` and ``Methods.`` at the beginning belong to the sentence that follows."""
    if stop.start() - start > _REACH:
        return False
    lead = text[start : stop.start()].strip()
    return bool(_LIST_MARK.fullmatch(lead) or (stop["stop"] == "." and _LABEL.fullmatch(lead)))


def _is_abbreviation(last: str, word: str, first: str) -> bool:
    lowered = last.lower()
    base = re.split(r"[(\[{/—–]", lowered)[-1]
    starts_sentence = first.isupper() and word.lower() in _STARTERS
    if base in _OPEN_ABBREVIATIONS:
        return True
    if base in _NOT_BEFORE_NUMBERS:
        return first.isdigit()
    if base in _CLOSED_ABBREVIATIONS or _INITIALISM.fullmatch(base):
        return not starts_sentence
    initial = len(last) == 1 and last.isupper() and last < "Ͱ" and first.isupper()
    return initial and not starts_sentence
