"""Words that a hyphen broke at the end of a line, made whole."""

import re

_SPACED = re.compile(r"- (?=([a-z]{2,40})(?![\w-]))")
_AT_LINE_END = re.compile(r"(?<=\w)[-‐][^\S\n]{0,40}\n\s{0,40}(?=(\w{1,40})(-?))")
_HEAD = re.compile(r"(-?)([^\W\d_]+)\Z")
_WORD = re.compile(r"[^\W\d_]+")
_COMPOUND = re.compile(r"(?<![^\W_])(?=([^\W\d_]{1,40}-[^\W\d_]{1,40})(?![^\W_]))")
_LONGEST_HEAD = 40

SUSPENDED = frozenset({"and", "or", "to", "nor", "vs", "und", "oder", "et", "ou"})
"""What follows a hyphen that stands for the rest of a word: "short- and long-term"."""

# Words that stand before a hyphen of their own far more often than they are split after their last letter.
_COMPOUND_HEADS = frozenset(
    "all anti black bottom class closed coarse context cost cross data deep domain double end event ever example "
    "fast feature few fine first five four free full general graph ground half hand hard head high higher human "
    "ill image in instance knowledge label language large least left long longer loop low lower machine many mean "
    "mid model monte much near non object off on one open out pixel plug point post pre privacy question quasi "
    "real right robot scale second self semi sentence short single six small so soft sparse speech spatio state "
    "step task test text third three time token top train training two user variance vision well wide word "
    "zero".split(),
) - {"in", "on", "so", "pre", "non", "mid", "many", "out", "off", "all", "head", "second", "loop", "left"}

# No word begins a line with these but the end of another.
_ENDING = re.compile(
    r"(?:[ae]?[st]ion(?:s|al|ally|ed|ing)?|ments?|imental(?:ly)?|[ai]t?ive(?:ly)?|tive(?:ly)?|tively|i?[st]ing|ing"
    r"|i?bility|i?bilities|ities|ity|ness|ously|[ai]?[tz]?ational(?:ly)?|i[sz](?:ed|ation)|izing|t?ically|tical"
    r"|istics?|ologi(?:cal|es)|ology|tainty|tainties|ences?|ances?|tures?|dings?|tiple|ciently?|ficient(?:ly)?)\Z",
)


class _Words:
    """The words of one text, collected when first asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: tuple[set[str], set[str]] | None = None

    def know(self, head: str, tail: str) -> str | None:
        """Return what stands between the halves elsewhere in the text: nothing or a hyphen; None if they do not."""
        if self._found is None:
            folded = self._text.casefold()
            self._found = set(_WORD.findall(folded)), set(_COMPOUND.findall(folded))
        words, compounds = self._found
        head, tail = head.casefold(), tail.casefold()
        if head + tail in words:
            return ""
        return "-" if f"{head}-{tail}" in compounds else None


def has_broken_words(text: str) -> bool:
    """Tell whether ``join_words`` might change ``text``."""
    return ("- " in text and _SPACED.search(text) is not None) or ("\n" in text and bool(_AT_LINE_END.search(text)))


def join_words(text: str) -> str:
    r"""Return ``text`` with the halves of broken words joined; "short- and long-term" stays.

    A hyphen at the end of a line goes, or stays where it is the compound's own ("self-\nattention"). A hyphen and a
    space go only where the whole word stands elsewhere in the text, or what follows is no word by itself
    ("exper- imental"). Linear in the length of the text.
    """
    words = _Words(text)
    if "\n" in text:
        text = _AT_LINE_END.sub(lambda match: _at_line_end(match, words), text)
    if "- " in text:
        text = _SPACED.sub(lambda match: _spaced(match, words), text)
    return text


def _head(match: re.Match[str]) -> re.Match[str] | None:
    return _HEAD.search(match.string, max(0, match.start() - _LONGEST_HEAD), match.start())


def _at_line_end(match: re.Match[str], words: _Words) -> str:
    following, hyphen_after = match[1], match[2]
    head = _head(match)
    if following in SUSPENDED:
        return "- "
    if head is None or head[1] or hyphen_after or not following[0].islower():
        return "-"
    known = words.know(head[2], following)
    if known is not None:
        return known
    return "-" if head[2].lower() in _COMPOUND_HEADS else ""


def _spaced(match: re.Match[str], words: _Words) -> str:
    head, tail = _head(match), match[1]
    if head is None or len(head[2]) < 2 or tail in SUSPENDED:
        return match[0]
    known = None if head[1] else words.know(head[2], tail)
    if known is None:
        return "" if _ENDING.match(tail) else match[0]
    return known
