"""Where mathematics stands in a text, and where a dollar sign is only a dollar sign."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

LONGEST_INLINE = 600
LONGEST_DISPLAY = 2000

NO_BRACES: Mapping[int, int] = MappingProxyType({})

_MARKER = re.compile(r"\\begin\{(equation|align|gather|multline|eqnarray|displaymath|math)(\*?)\}|\\(.)|\$", re.DOTALL)
_TEXT_ARGUMENT = re.compile(r"\\(?:text[a-z]*|mbox|hbox|emph)\s*\{")
_BRACE = re.compile(r"\\.|\{|\}", re.DOTALL)
_PLACEHOLDER = re.compile(r"(?:this|that) (?:https?|ftp) URL\S*")
_FOREIGN_PRICE = re.compile(r"(?:US|CA|AU|NZ|HK)\$\d")
_TEX_MARK = re.compile(r"\\[A-Za-z{}|,;! ]|[\^_]")
_TEXT_MACRO = re.compile(
    r"\\(?:text[a-z]*|mbox|hbox|mathrm|operatorname\*?|url|emph)\s*\{[^{}]*\}|\\[A-Za-z]+|[_^]\{[^{}]*\}"
)
_PLAIN_WORD = re.compile(r"(?<![A-Za-z\\])[A-Za-z]{2,}(?![A-Za-z])")
_PROSE = frozenset(
    "a about above across after all also an and are as at be but by can each for from has have in into is it its "
    "less more of on one only or our over per than that the their then they this to total under until up was we "
    "were when which while whole with within without million billion thousand dollars dollar cents cost costs".split(),
)
_SUM_OF_MONEY = re.compile(r"\d[\d.,]*\s?(?:[kKmMbB]|bn)?\s*[-–—/,;:+&~]?\s*")


@dataclass(frozen=True, slots=True)
class MathSpan:
    """One formula: ``text[start:end]`` with its delimiters, ``text[inner_start:inner_end]`` without.

    Attributes:
        missing: the braces that close it, where the text was cut in its midst.
    """

    start: int
    end: int
    inner_start: int
    inner_end: int
    missing: str = ""


def find_math(text: str, braces: Mapping[int, int] = NO_BRACES) -> list[MathSpan]:
    r"""Return the formulas of ``text`` in order, none inside another: ``$…$``, ``$$…$$``, ``\(…\)``, ``\[…\]``.

    Also the environments that hold nothing but a formula, and a formula in which the text was cut. Prices are no
    formulas, and a dollar without a partner is none. Linear in the length of the text.

    Args:
        text: running text.
        braces: where each brace that has a partner is closed; with it, the dollars inside ``\text{…}`` find one
            another, and not those around it.
    """
    if "$" not in text and "\\" not in text:
        return []
    spans: list[MathSpan] = []
    markers = list(_MARKER.finditer(text))
    rooms = _rooms(text, markers, braces)
    done = 0
    for index, marker in enumerate(markers):
        if marker.start() < done:
            continue
        span = _dollars(text, markers, index, rooms) if marker[0] == "$" else _bracketed(text, marker)
        if span is not None:
            spans.append(span)
            done = span.end
    return spans


def _rooms(text: str, markers: list[re.Match[str]], braces: Mapping[int, int]) -> dict[int, int]:
    r"""Return, for the dollars inside ``\text{…}``, where the innermost of these begins."""
    rooms: dict[int, int] = {}
    if not braces or "$" not in text:
        return rooms
    openings = [match.end() - 1 for match in _TEXT_ARGUMENT.finditer(text) if match.end() - 1 in braces]
    if not openings:
        return rooms
    stack: list[int] = []
    upcoming = iter([*openings, len(text)])
    opening = next(upcoming)
    for marker in markers:
        at = marker.start()
        while opening < at:
            stack.append(opening)
            opening = next(upcoming)
        while stack and braces[stack[-1]] < at:
            stack.pop()
        if stack and marker[0] == "$":
            rooms[at] = stack[-1]
    return rooms


def _dollars(text: str, markers: list[re.Match[str]], index: int, rooms: Mapping[int, int]) -> MathSpan | None:
    start = markers[index].start()
    if _FOREIGN_PRICE.match(text, max(0, start - 2), start + 2):
        return None
    width = 2 if text.startswith("$$", start) else 1
    inner_start = start + width
    limit = inner_start + (LONGEST_DISPLAY if width == 2 else LONGEST_INLINE)
    following = index + width
    while following < len(markers) and (
        markers[following][0] != "$" or rooms.get(markers[following].start()) != rooms.get(start)
    ):
        following += 1
        if following - index > limit - start:
            return None
    if following >= len(markers):
        return _cut(text, start, inner_start) if len(text) <= limit else None
    if markers[following].start() > limit:
        return None
    inner_end = markers[following].start()
    if width == 2 and not text.startswith("$$", inner_end):
        return None
    inner = text[inner_start:inner_end]
    after = text[inner_end + width : inner_end + width + 1]
    if not inner.strip() or "\n\n" in inner or (width == 1 and not _is_formula(inner, after)):
        return None
    return MathSpan(start, inner_end + width, inner_start, inner_end)


def _cut(text: str, start: int, inner_start: int) -> MathSpan | None:
    """Return the formula in which a text ends that was cut at some length."""
    inner = text[inner_start:]
    words = _PLAIN_WORD.findall(_TEXT_MACRO.sub(" ", inner))
    if not _TEX_MARK.search(inner) or words or inner[0].isspace() or "\n\n" in inner:
        return None
    depth = sum({"{": 1, "}": -1}.get(found[0], 0) for found in _BRACE.finditer(inner))
    return MathSpan(start, len(text), inner_start, len(text), "}" * depth) if depth >= 0 else None


def _bracketed(text: str, marker: re.Match[str]) -> MathSpan | None:
    if marker[1]:
        closer = f"\\end{{{marker[1]}{marker[2]}}}"
    elif marker[3] in "([":
        closer = "\\)" if marker[3] == "(" else "\\]"
    else:
        return None
    inner_end = text.find(closer, marker.end(), marker.end() + LONGEST_DISPLAY)
    if inner_end < 0 or not text[marker.end() : inner_end].strip():
        return None
    return MathSpan(marker.start(), inner_end + len(closer), marker.end(), inner_end)


def _is_formula(inner: str, after: str) -> bool:
    """Tell a formula from the prose between two prices."""
    if after.isdigit() and _SUM_OF_MONEY.fullmatch(inner):
        return False
    if inner.startswith("\\href") or _PLACEHOLDER.fullmatch(inner):
        return True
    plain = _TEXT_MACRO.sub(" ", inner)
    found = [word.lower() for word in _PLAIN_WORD.findall(plain)]
    prose = sum(word in _PROSE for word in found)
    if _TEX_MARK.search(inner):
        starts_as_price = inner[0].isdigit() and prose > 0 and inner[-1].isspace()
        return not starts_as_price and (prose < 2 or "\\text" in inner or "\\mbox" in inner) and len(found) < 12
    if prose or len(found) > 3:
        return False
    loose = inner[0].isspace() != inner[-1].isspace()
    return not (loose and (after.isalnum() or len(found) > 0 or inner.strip()[0].isdigit()))
