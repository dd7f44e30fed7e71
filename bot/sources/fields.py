"""What a record's fields say, read in whatever shape lists and sites write them; nothing here raises."""

import datetime as dt
import re
from email.utils import parsedate_to_datetime
from typing import cast

LONGEST_ADDRESS = 2000
"""Characters; whatever is longer is neither an address nor an identifier."""

CUT_LENGTH = 1000
"""Public lists cut abstracts at this many characters without always saying so."""

_NOT_ACCEPTED = re.compile(r"^\W*(?:desk[\s-]*)?(?:reject|withdr|retract)", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://[^\s\x00-\x1f<>\"]+", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|2[01]\d\d)(?!\d)", re.ASCII)


def text(value: object) -> str | None:
    """Return a text without white space around it, or None for anything else and for a blank one."""
    return value.strip() or None if isinstance(value, str) else None


def texts(value: object, separators: str) -> tuple[str, ...]:
    """Return the texts of a list, or the parts of one text between ``separators``, a pattern; each once."""
    parts: list[object] = []
    if isinstance(value, str):
        parts.extend(re.split(separators, value) if separators else [value])
    elif isinstance(value, list | tuple):
        parts.extend(cast("list[object]", value))
    found = [text(part) for part in parts]
    return tuple(dict.fromkeys(part for part in found if part))


def names(value: object) -> tuple[str, ...]:
    """Return people's names from a list of names or of objects with a ``name``, or from one text.

    A text is parted at its semicolons, else at "and" and "&", else at its commas.
    """
    if isinstance(value, list | tuple):
        people = [
            cast("dict[str, object]", part).get("name") if isinstance(part, dict) else part
            for part in cast("list[object]", value)
        ]
        return texts(people, "")
    if isinstance(value, str) and ";" not in value and re.search(r"\s(?:and|&)\s", value):
        return texts(value, r",?\s+(?:and|&)\s+|,\s+(?=\S+\s)")
    return texts(value, ";" if isinstance(value, str) and ";" in value else ",")


def given_name_first(name: str) -> str:
    """Return "Ada Lovelace" for "Lovelace, Ada" and "King Jr., Martin"; any other name as it is."""
    last, comma, first = name.partition(",")
    if not comma or "," in first or not first.strip() or not last.strip():
        return " ".join(name.split())
    return " ".join(f"{first} {last}".split())


def year(value: object) -> int | None:
    """Return a year of 1500..2199, from a number or from the first year in a text such as "2024-05-07"."""
    if isinstance(value, str):
        found = _YEAR.search(value[:100])
        value = int(found[1]) if found else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 1500 <= value <= 2199 else None


def date(value: object) -> dt.date | None:
    """Return the day of a text in ISO's or a mail header's form, or of milliseconds since 1970."""
    if isinstance(value, int) and not isinstance(value, bool):
        # OpenReview's API writes milliseconds.
        return dt.datetime.fromtimestamp(value / 1000, dt.UTC).date() if 0 < value < 7_258_118_400_000 else None
    said = text(value)
    if said is None or len(said) > 100:
        return None
    try:
        return dt.date.fromisoformat(said[:10])
    except ValueError:
        pass
    try:
        return parsedate_to_datetime(said).date()
    except (ValueError, TypeError, IndexError):
        return None


def address(value: object) -> str | None:
    """Return a web address, or None for anything else."""
    said = text(value)
    return said if said and len(said) <= LONGEST_ADDRESS and _ADDRESS.fullmatch(said) else None


def short(value: object) -> str | None:
    """Return a text that may be an identifier or an address; None where it is longer than any."""
    said = text(value)
    return said if said and len(said) <= LONGEST_ADDRESS else None


def refused_status(status: str | None) -> str | None:
    """Return why a paper of this status or decision is not taken, or None where it is."""
    return f"Its status is “{status[:40]}”." if status and _NOT_ACCEPTED.match(status) else None
