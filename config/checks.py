"""What a setting may be: each check returns the value as the bot uses it, or refuses with what it wants."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

_DAY_NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY_SETS = ("daily", "weekdays", "weekends")
_TRUE = {"true", "yes", "on", "1"}
_FALSE = {"false", "no", "off", "0"}


class Refused(ValueError):
    """A value that cannot be used; the text completes “must be …”."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One setting's rule.

    Attributes:
        accept: takes the TOML value and returns the one to use, or raises ``Refused``.
        from_text: takes the text of an environment variable and returns the TOML value it stands for.
    """

    accept: Callable[[Any], Any]
    from_text: Callable[[str], Any] = str


def whole(low: int, high: int) -> Check:
    """Return the check for a whole number in ``low..high``."""
    wanted = f"a whole number from {low} to {high}"

    def accept(value: Any) -> int:
        # TOML's booleans are integers in Python.
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise Refused(wanted)
        return value

    return Check(accept=accept, from_text=lambda given: _numeric(given, int, wanted))


def number(low: float, high: float) -> Check:
    """Return the check for a number in ``low..high``; the bot gets a float."""
    wanted = f"a number from {low:g} to {high:g}"

    def accept(value: Any) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            raise Refused(wanted)
        return float(value)

    return Check(accept=accept, from_text=lambda given: _numeric(given, float, wanted))


def flag() -> Check:
    """Return the check for true or false; in the environment also yes, no, on, off, 1 and 0."""

    def accept(value: Any) -> bool:
        if not isinstance(value, bool):
            raise Refused("true or false")
        return value

    def from_text(given: str) -> bool:
        word = given.lower()
        if word not in _TRUE | _FALSE:
            raise Refused("true or false")
        return word in _TRUE

    return Check(accept=accept, from_text=from_text)


def text(wanted: str, fits: Callable[[str], bool] = bool) -> Check:
    """Return the check for text without surrounding blanks that ``fits``."""

    def accept(value: Any) -> str:
        if not isinstance(value, str) or not fits(value.strip()):
            raise Refused(wanted)
        return value.strip()

    return Check(accept=accept)


def texts(wanted: str) -> Check:
    """Return the check for a list of texts; in the environment they stand between semicolons or on lines."""

    def accept(value: Any) -> tuple[str, ...]:
        items = cast("list[Any]", value) if isinstance(value, list) else None
        if items is None or not all(isinstance(item, str) and item.strip() for item in items):
            raise Refused(f"a list of {wanted}")
        return tuple(item.strip() for item in items)

    def from_text(given: str) -> list[str]:
        return [part.strip() for part in re.split(r"[;\n]", given) if part.strip()]

    return Check(accept=accept, from_text=from_text)


def one_of(*names: str) -> Check:
    """Return the check for one of ``names``, in whatever case it is written."""
    known = {name.lower(): name for name in names}

    def accept(value: Any) -> str:
        name = known.get(value.strip().lower()) if isinstance(value, str) else None
        if name is None:
            raise Refused(f"one of {', '.join(names)}")
        return name

    return Check(accept=accept)


def path() -> Check:
    """Return the check for a file's path; ``~`` is the user's home."""

    def accept(value: Any) -> Path:
        if not isinstance(value, str) or not value.strip() or "\0" in value:
            raise Refused("the path of a file")
        try:
            return Path(value.strip()).expanduser()
        except RuntimeError as error:
            raise Refused("a path whose home folder exists") from error

    return Check(accept=accept)


def optional(check: Check) -> Check:
    """Return ``check`` with the empty text allowed; the bot then gets None."""
    return Check(
        accept=lambda value: None if isinstance(value, str) and not value.strip() else check.accept(value),
        from_text=lambda given: check.from_text(given) if given else given,
    )


def address(*schemes: str) -> Check:
    """Return the check for an absolute address with one of ``schemes``; a slash at its end is dropped."""
    shown = " or ".join(f"{scheme}://…" for scheme in schemes)

    def fits(value: str) -> bool:
        try:
            parts = urlsplit(value)
            return parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
        except ValueError:
            return False

    known = text(f"an address, {shown}", fits)
    return Check(accept=lambda value: known.accept(value).rstrip("/"))


def zone() -> Check:
    """Return the check for the IANA name of a time zone."""

    def fits(value: str) -> bool:
        try:
            ZoneInfo(value)
        except (KeyError, ValueError, OSError):
            # An unknown zone is a KeyError, "../UTC" a ValueError, and "Europe" an IsADirectoryError.
            return False
        return True

    return text("the IANA name of a time zone, such as Europe/Berlin", fits)


def wall_time() -> Check:
    """Return the check for a time of day, ``HH:MM``."""
    return text(
        "a time of day as HH:MM, from 00:00 to 23:59",
        lambda value: re.fullmatch(r"(?:[01]\d|2[0-3]):[0-5]\d", value, re.ASCII) is not None,
    )


def days() -> Check:
    """Return the check for days of the week, by name or as ``daily``, ``weekdays`` or ``weekends``."""

    def fits(value: str) -> bool:
        words = [word for word in re.split(r"[,\s]+", value.lower()) if word]
        return words in [[known] for known in _DAY_SETS] or (bool(words) and all(word in _DAY_NAMES for word in words))

    return text('daily, weekdays, weekends, or names such as "mon, wed, fri"', fits)


def _numeric(given: str, kind: Callable[[str], Any], wanted: str) -> Any:
    try:
        return kind(given)
    except ValueError as error:
        raise Refused(wanted) from error
