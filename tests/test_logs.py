"""What stands in the log, and what never does."""

import io
import json
import logging
from collections.abc import Iterator

import pytest

from bot import logs

# Built from parts, so that no scanner of repositories takes it for a token that leaked.
SHAPED_LIKE_A_TOKEN = ".".join(["M" + "TIz" * 8, "GaBcDe", "abcdefghij_klmnopq-rstuvwxyz0123456789"])


@pytest.fixture(autouse=True)
def _as_it_was() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def logged(form: str, write, *, level: str = "INFO", secrets: tuple[str, ...] = ()) -> str:
    stream = io.StringIO()
    logs.set_up(level, form, stream, secrets=secrets)
    write(logging.getLogger("bot.somewhere"))
    return stream.getvalue()


def test_a_line_for_a_person_has_time_level_place_message_and_values():
    line = logged("text", lambda log: log.info("edition composed", extra={"edition": 12, "topic": "graph nets"}))

    assert line.endswith(' INFO    bot.somewhere: edition composed, edition=12 topic="graph nets"\n')
    assert line[10] == " "
    assert line[19] == "Z"


def test_a_line_for_a_program_is_one_json_object_with_the_values_as_they_are():
    line = logged("json", lambda log: log.warning("late", extra={"edition": 12, "level": 3, "title": "é\n"}))

    entry = json.loads(line)
    assert line.count("\n") == 1
    assert (entry["level"], entry["logger"], entry["message"]) == ("WARNING", "bot.somewhere", "late")
    assert (entry["edition"], entry["level_"], entry["title"]) == (12, 3, "é\n")
    assert entry["time"].endswith("+00:00")


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_fault_is_logged_with_its_traceback(form: str):
    def fail(log: logging.Logger) -> None:
        try:
            raise KeyError("lost")
        except KeyError:
            log.exception("tick failed")

    written = logged(form, fail)

    assert "Traceback" in written
    assert "KeyError: 'lost'" in written


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_token_reaches_the_log_on_any_way(form: str):
    def leak(log: logging.Logger) -> None:
        log.info("message %s", SHAPED_LIKE_A_TOKEN)
        log.info("extra", extra={"token": SHAPED_LIKE_A_TOKEN, "other": "my own secret"})
        try:
            raise ValueError(f"refused: {SHAPED_LIKE_A_TOKEN} my own secret")
        except ValueError:
            log.exception("failed")
        log.info("POST /webhooks/123/%s/messages", "aW50ZXJhY3Rpb246" * 4)

    written = logged(form, leak, secrets=("my own secret", ""))

    assert SHAPED_LIKE_A_TOKEN not in written
    assert "my own secret" not in written
    assert "aW50ZXJhY3Rpb246" not in written
    assert written.count(logs.MASK) >= 6


def test_a_line_break_in_a_message_cannot_forge_a_line():
    written = logged("text", lambda log: log.info("asked\n2026-01-01 00:00:00Z ERROR forged", extra={"by": "a\nb"}))

    assert written.count("\n") == 1


def test_setting_up_twice_writes_each_line_once():
    first = io.StringIO()
    logs.set_up("INFO", "text", first)

    second = logged("text", lambda log: log.info("once"))

    assert first.getvalue() == ""
    assert second.count("once") == 1


def test_libraries_that_log_what_people_wrote_stay_quiet_even_when_we_debug():
    def chatter(log: logging.Logger) -> None:
        log.debug("ours")
        logging.getLogger("discord.client").debug("theirs")
        logging.getLogger("aiosqlite").debug("theirs")
        logging.getLogger("apscheduler.scheduler").info("theirs")

    written = logged("text", chatter, level="DEBUG")

    assert "ours" in written
    assert "theirs" not in written


def test_a_reconnection_is_one_line_and_what_is_said_at_every_start_is_left_out():
    def write(_log: logging.Logger) -> None:
        client = logging.getLogger("discord.client")
        client.warning("PyNaCl is not installed, voice will NOT be supported")
        try:
            raise OSError("network is unreachable")
        except OSError:
            client.exception("Attempting a reconnect in %.2fs", 1.5)

    (line,) = logged("text", write).splitlines()
    assert line.endswith(" WARNING discord.client: Attempting a reconnect in 1.50s")
