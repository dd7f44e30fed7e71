"""Dashes, ties and quotes of TeX, told from the same characters typed for themselves."""

import re

_SINGLE_LETTER = re.compile(r"(?<!\w)\w\Z")


def dash(text: str, start: int, after: int) -> str:
    """Return what the two or three hyphens at ``text[start:after]`` are: a dash, or a flag or an arrow as typed."""
    before, following = text[start - 1 : start], text[after : after + 1]
    is_flag = (not before or before.isspace()) and following.isalnum()
    arrow = before in {"<", "!"} or following in {">", "-"}
    if is_flag or arrow or not following:
        return text[start:after]
    return "—" if after - start == 3 else "–"


def tie(text: str, start: int) -> str:
    """Return a space for ``Fig.~2``; ``~10%`` means about, and ``x ~ y`` or ``x~N(0, 1)`` a distribution."""
    before, after = text[max(0, start - 2) : start], text[start + 1 : start + 3]
    if not before or not after or not (before[-1].isalnum() or before[-1] in ".,)]}$:;"):
        return "~"
    if not (after[0].isalnum() or after[0] in "\\$([{"):
        return "~"
    if _SINGLE_LETTER.search(before) and before[-1].isalpha():
        return "~"
    return "~" if before[-1].isdigit() and after[0].isdigit() else " "


class Quotes:
    """The quotes of one text: a closing one is one only where another was opened."""

    def __init__(self) -> None:
        self._open = 0

    def written(self, mark: str, before: str) -> str:
        """Return the quote for `````, ``''``, ``"`` or a phrase in single quotes; ``before`` stands before it."""
        if len(mark) > 2:
            return f"‘{mark[1:-1]}’"
        if mark == "``":
            self._open += 1
            return "“"
        if self._open and not (mark == '"' and (not before or before.isspace())):
            self._open -= 1
            return "”"
        return mark
