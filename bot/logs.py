"""The log: lines for a person or JSON for a program, never with a token in them."""

import abc
import datetime as dt
import json
import logging
import re
from collections.abc import Iterable
from typing import Any, TextIO

MASK = "********"

# Discord's tokens: user id, time and signature in Base64, or "mfa." and a long run. The other pattern is the
# address of an interaction's answers, which carries a token that is good for 15 minutes.
_TOKEN = re.compile(r"\b(?:[A-Za-z0-9_-]{23,30}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}|mfa\.[A-Za-z0-9_-]{20,})")
_ADDRESS_WITH_TOKEN = re.compile(r"((?:webhooks|interactions)/\d+/)[A-Za-z0-9_.\-]{20,}")

# What others log at INFO for each tick and request is no reading for a day; below INFO, discord.py logs what
# people wrote, and aiosqlite every statement.
_AT_LEAST = {
    "discord": logging.INFO,
    "discord.http": logging.WARNING,
    "aiosqlite": logging.WARNING,
    "apscheduler": logging.WARNING,
    "aiohttp.access": logging.WARNING,
    "asyncio": logging.INFO,
}

# What discord.py says of every start and of every lost connection, and what it is worth here. Voice and
# message content are not wanted; a reconnection is a warning, and its traceback tells nobody anything.
_NOT_WANTED = ("PyNaCl is not installed", "davey is not installed", "Privileged message content intent is missing")
_RECONNECTING = "Attempting a reconnect in"

_OF_EVERY_RECORD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}
_JSON_FIELDS = frozenset({"time", "level", "logger", "message", "exception"})
_PLAIN = re.compile(r"[^\s\"'=]+")


def set_up(level: str, format: str, stream: TextIO, *, secrets: Iterable[str] = ()) -> None:
    """Send the log to ``stream``; a second call replaces the first.

    Args:
        level: the name of the least level that is shown, such as ``INFO``.
        format: ``text`` or ``json`` (one object a line, in UTC, the ``extra`` values as they are).
        stream: where the lines go, such as standard error.
        secrets: texts that are masked wherever they turn up, beside anything shaped like a Discord token.
    """
    shape = _JsonLines(secrets) if format == "json" else _TextLines(secrets)
    ours = logging.StreamHandler(stream)
    ours.setFormatter(shape)
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler.formatter, _Masking):
            root.removeHandler(handler)
    root.addHandler(ours)
    root.setLevel(level)
    for name, least in _AT_LEAST.items():
        logging.getLogger(name).setLevel(max(least, root.level))
    ours.addFilter(_worth_reading)


def _worth_reading(record: logging.LogRecord) -> bool:
    """Leave out what is not wanted of discord.py's log, and say a reconnection in one line."""
    if not record.name.startswith("discord"):
        return True
    if str(record.msg).startswith(_RECONNECTING):
        record.levelno, record.levelname, record.exc_info = logging.WARNING, "WARNING", None
    return not str(record.msg).startswith(_NOT_WANTED)


class _Masking(logging.Formatter, abc.ABC):
    """Writes a record with nothing secret in it; masking comes last, so tracebacks are covered too."""

    def __init__(self, secrets: Iterable[str]) -> None:
        super().__init__()
        self._secrets = sorted({secret for secret in secrets if secret}, key=len, reverse=True)

    def format(self, record: logging.LogRecord) -> str:
        line = self.compose(record)
        for secret in self._secrets:
            line = line.replace(secret, MASK)
        return _ADDRESS_WITH_TOKEN.sub(rf"\1{MASK}", _TOKEN.sub(MASK, line))

    @abc.abstractmethod
    def compose(self, record: logging.LogRecord) -> str:
        """Return the line before masking."""

    def trouble(self, record: logging.LogRecord) -> str:
        """Return the traceback and the stack of the record, or the empty string."""
        parts = [self.formatException(record.exc_info)] if record.exc_info and record.exc_info[0] else []
        if record.stack_info:
            parts.append(self.formatStack(record.stack_info))
        return "\n".join(parts)


class _TextLines(_Masking):
    """``2026-03-02 08:00:00Z INFO    bot.digests.composer: edition composed, edition=12 papers=5``."""

    def compose(self, record: logging.LogRecord) -> str:
        at = dt.datetime.fromtimestamp(record.created, dt.UTC).strftime("%Y-%m-%d %H:%M:%SZ")
        # A line break in a message would let whoever caused it write lines of their own.
        message = record.getMessage().replace("\r", "\\r").replace("\n", "\\n")
        line = f"{at} {record.levelname:<7} {record.name}: {message}"
        values = [f"{name}={_readable(value)}" for name, value in _extras(record).items()]
        if values:
            line = f"{line}, {' '.join(values)}"
        trouble = self.trouble(record)
        return f"{line}\n{trouble}" if trouble else line


class _JsonLines(_Masking):
    def compose(self, record: logging.LogRecord) -> str:
        entry: dict[str, Any] = {
            "time": dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        for name, value in _extras(record).items():
            entry[f"{name}_" if name in _JSON_FIELDS else name] = value
        if trouble := self.trouble(record):
            entry["exception"] = trouble
        return json.dumps(entry, ensure_ascii=False, default=str)


def _extras(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _OF_EVERY_RECORD}


def _readable(value: Any) -> str:
    shown = str(value)
    return shown if _PLAIN.fullmatch(shown) else json.dumps(shown, ensure_ascii=False)
