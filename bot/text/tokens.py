"""The tokens of one formula in TeX, and how far they are read."""

import re

_TOKEN = re.compile(r"\\([A-Za-z]+)\s*|\\(.)|(\s+)|(\d+(?:[.,]\d+)*)|(.)", re.DOTALL)
_LONGEST_OPTIONS = 30


class UnreadableTeX(Exception):
    """The formula is broken or too deep: keep its source."""


class Tokens:
    """What a formula consists of: macros, escaped characters, spaces, numbers and characters, as groups 1 to 5."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._tokens = list(_TOKEN.finditer(source))
        self._position = 0

    def peek(self) -> re.Match[str] | None:
        """Return the next token without reading it, or None at the end."""
        return self._tokens[self._position] if self._position < len(self._tokens) else None

    def take(self) -> re.Match[str]:
        """Read the next token.

        Raises:
            UnreadableTeX: there is none.
        """
        if self._position >= len(self._tokens):
            raise UnreadableTeX
        self._position += 1
        return self._tokens[self._position - 1]

    def at(self, character: str) -> bool:
        """Tell whether the next token is this character, neither escaped nor part of a macro."""
        return self._position < len(self._tokens) and self._tokens[self._position][5] == character

    def skip(self, character: str) -> bool:
        """Read the next token if it is this character, and tell whether it was."""
        found = self.at(character)
        self._position += found
        return found

    def skip_space(self) -> None:
        """Read the space that may come next."""
        while self._position < len(self._tokens) and self._tokens[self._position][3] is not None:
            self._position += 1

    def skip_options(self) -> bool:
        """Read ``[…]`` if it comes next and an argument in braces follows; tell whether one follows."""
        at = self._position
        if self.at("["):
            nearest = enumerate(self._tokens[at : at + _LONGEST_OPTIONS], at + 1)
            at = next((after for after, token in nearest if token[5] == "]"), at)
        if at >= len(self._tokens) or self._tokens[at][5] != "{":
            return False
        self._position = at
        return True

    def digit(self) -> str:
        r"""Read one digit of the number that comes next, the rest is read later: ``\frac12`` and ``x^10`` take one.

        Of ``n^1.5`` TeX would take one too, but nobody means that.
        """
        number = self.take()
        if "." in number[0]:
            return number[0]
        self._position -= 1
        rest = _TOKEN.finditer(self.source, number.start() + 1, number.end())
        self._tokens[self._position : self._position + 1] = rest
        return number[0][0]

    def raw_argument(self) -> str:
        """Read an argument as source text; nothing at the end of the formula.

        Raises:
            UnreadableTeX: its brace is not closed.
        """
        self.skip_space()
        if self.peek() is None:
            return ""
        first = self.take()
        if first[5] != "{":
            return first[0].strip()
        depth = 1
        while True:
            token = self.take()
            depth += {"{": 1, "}": -1}.get(token[5] or "", 0)
            if depth == 0:
                return self.source[first.end() : token.start()]
