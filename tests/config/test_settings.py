"""What the operator may choose, where it may come from, and what is refused with which sentence."""

import dataclasses
from pathlib import Path

import pytest

from config.settings import Secret, Settings, SettingsError, describe, load

TOKEN = "not.a.real-token"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def written(tmp_path: Path):
    def write(content: str) -> Path:
        file = tmp_path / "mine.toml"
        file.write_text(content, encoding="utf-8")
        return file

    return write


def refusal(file: Path | None = None, environ: dict[str, str] | None = None) -> str:
    with pytest.raises(SettingsError) as caught:
        load(file, environ or {})
    assert "\n" not in caught.value.sentence
    return caught.value.sentence


def origin_of(settings: Settings, key: str) -> str:
    return {name: origin for name, _value, origin in describe(settings)}[key]


def test_without_a_file_and_an_environment_the_defaults_hold():
    settings = load(None, {})

    assert settings.digests.size == 5
    assert settings.store.path == Path("data/paperround.db")
    assert settings.discord.token is None
    assert {origin for _key, _value, origin in describe(settings)} == {"default"}


def test_the_environment_wins_over_the_file_and_the_file_over_the_defaults(written):
    file = written("[digests]\nsize = 3\ncatch_up_hours = 6\n")

    settings = load(file, {"PAPERROUND_DIGESTS__SIZE": "7"})

    assert (settings.digests.size, settings.digests.catch_up_hours, settings.digests.time) == (7, 6.0, "09:00")
    assert origin_of(settings, "digests.size") == "environment PAPERROUND_DIGESTS__SIZE"
    assert origin_of(settings, "digests.catch_up_hours") == f"settings file {file}"


def test_the_usual_file_is_read_when_it_is_there_and_another_one_is_not_named(written):
    Path("paperround.toml").write_text("[search]\nhits = 2\n", encoding="utf-8")
    named = written("[search]\nhits = 3\n")

    assert load(None, {}).search.hits == 2
    assert load(None, {"PAPERROUND_SETTINGS": str(named)}).search.hits == 3
    assert load(named, {"PAPERROUND_SETTINGS": "nowhere.toml"}).search.hits == 3


def test_every_kind_of_value_can_come_from_the_environment():
    settings = load(
        None,
        {
            "PAPERROUND_STORE__PATH": "/srv/papers.db",
            "PAPERROUND_DELIVERY__MESSAGES_PER_SECOND": "12.5",
            "PAPERROUND_WEB__ENABLED": "Yes",
            "PAPERROUND_LOG__LEVEL": "debug",
            "PAPERROUND_DISCORD__API_BASE": "http://127.0.0.1:8000/api/v10/",
        },
    )

    assert settings.store.path == Path("/srv/papers.db")
    assert settings.delivery.messages_per_second == 12.5
    assert settings.web.enabled is True
    assert settings.log.level == "DEBUG"
    assert settings.discord.api_base == "http://127.0.0.1:8000/api/v10"


def test_a_value_can_stand_in_a_file_that_the_environment_names(written):
    file = written("  Europe/Berlin\n")

    settings = load(None, {"PAPERROUND_DIGESTS__ZONE_FILE": str(file)})

    assert settings.digests.zone == "Europe/Berlin"
    assert origin_of(settings, "digests.zone") == f"file {file}"


@pytest.mark.parametrize("key", ["token", "token_file"])
def test_a_token_is_found_in_the_file_or_in_the_file_it_names(written, tmp_path: Path, key: str):
    (tmp_path / "secret").write_text(f"{TOKEN}\n", encoding="utf-8")
    value = {"token": TOKEN, "token_file": str(tmp_path / "secret")}[key]
    file = written(f'[discord]\n{key} = "{value}"\n')

    discord = load(file, {}).discord

    assert discord.token == Secret(TOKEN)
    assert discord.token_origin == {"token": f"settings file {file}", "token_file": f"file {value}"}[key]


def test_the_token_of_the_environment_wins_over_the_one_of_the_settings_file(written, tmp_path: Path):
    (tmp_path / "secret").write_text("another", encoding="utf-8")
    file = written('[discord]\ntoken_file = "missing"\n')

    by_value = load(file, {"PAPERROUND_DISCORD__TOKEN": TOKEN}).discord
    by_file = load(file, {"PAPERROUND_DISCORD__TOKEN_FILE": str(tmp_path / "secret")}).discord

    assert (by_value.token, by_value.token_origin) == (Secret(TOKEN), "environment PAPERROUND_DISCORD__TOKEN")
    assert (by_file.token, by_file.token_origin) == (Secret("another"), f"file {tmp_path / 'secret'}")


def test_discord_token_is_taken_only_when_there_is_no_other(written):
    file = written(f'[discord]\ntoken = "{TOKEN}"\n')

    assert load(None, {"DISCORD_TOKEN": "plain"}).discord.token_origin == "environment DISCORD_TOKEN"
    assert load(file, {"DISCORD_TOKEN": "plain"}).discord.token == Secret(TOKEN)
    assert load(None, {"DISCORD_TOKEN": "plain", "PAPERROUND_DISCORD__TOKEN": ""}).discord.token == Secret("plain")


def test_two_tokens_in_one_place_are_refused_without_showing_either(tmp_path: Path):
    (tmp_path / "secret").write_text("another", encoding="utf-8")

    sentence = refusal(
        environ={
            "PAPERROUND_DISCORD__TOKEN": TOKEN,
            "PAPERROUND_DISCORD__TOKEN_FILE": str(tmp_path / "secret"),
        }
    )

    assert sentence == (
        "There are two tokens, one from environment PAPERROUND_DISCORD__TOKEN "
        "and one from environment PAPERROUND_DISCORD__TOKEN_FILE; keep one."
    )


def test_a_token_is_never_shown():
    settings = load(None, {"PAPERROUND_DISCORD__TOKEN": TOKEN})

    shown = f"{settings!r} {settings} {describe(settings)} {dataclasses.asdict(settings)} {settings.discord.token:}"

    assert TOKEN not in shown
    assert "********" in shown
    assert settings.discord.token is not None
    assert settings.discord.token.reveal() == TOKEN
    assert settings.secrets() == (TOKEN,)


def test_a_token_that_cannot_be_one_is_refused_without_showing_it():
    sentence = refusal(environ={"PAPERROUND_DISCORD__TOKEN": "Bot abc"})

    assert "abc" not in sentence
    assert sentence.startswith("discord.token (environment PAPERROUND_DISCORD__TOKEN) must be the token alone")


def test_an_empty_or_missing_token_file_is_named(tmp_path: Path):
    (tmp_path / "empty").write_text(" \n", encoding="utf-8")

    assert refusal(environ={"PAPERROUND_DISCORD__TOKEN_FILE": "empty"}) == "The token file empty is empty."
    assert refusal(environ={"PAPERROUND_DISCORD__TOKEN_FILE": "gone"}) == "The token file gone does not exist."


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("[digest]\nsize = 3\n", "unknown section [digest]. Did you mean digests?"),
        ("[digests]\nsizes = 3\n", "unknown key digests.sizes. Did you mean digests.size?"),
        ("[zzzzzzz]\n", "unknown section [zzzzzzz]."),
        ("digests = 3\n", "digests is a section: write [digests]."),
        ("[digests]\nsize = \n", "is not valid TOML: Invalid value (at line 2, column 8)."),
        ("[digests]\nsize = 1\nsize = 2\n", "is not valid TOML: Cannot overwrite a value (at line 3, column 9)."),
    ],
)
def test_a_settings_file_with_a_fault_is_refused_with_its_place(written, content: str, expected: str):
    file = written(content)

    sentence = refusal(file)

    assert str(file) in sentence
    assert sentence.endswith(expected)


@pytest.mark.parametrize(
    ("variable", "expected"),
    [
        ("PAPERROUND_DISCORD_TOKEN", "Did you mean PAPERROUND_DISCORD__TOKEN?"),
        ("PAPERROUND_DIGESTS__SIZ", "Did you mean PAPERROUND_DIGESTS__SIZE?"),
        ("PAPERROUND_X", "PAPERROUND_X in the environment is no setting."),
    ],
)
def test_an_unknown_variable_is_refused_with_the_nearest_known_one(variable: str, expected: str):
    assert expected in refusal(environ={variable: "1"})


def test_what_the_tests_and_kubernetes_put_into_the_environment_is_no_setting():
    load(None, {"PAPERROUND_TEST_DATA": "x", "PAPERROUND_PORT": "tcp://1", "PAPERROUND_SERVICE_PORT_HTTP": "80"})


def test_a_variable_and_its_file_are_not_taken_together(written):
    file = written("UTC")

    sentence = refusal(environ={"PAPERROUND_DIGESTS__ZONE": "UTC", "PAPERROUND_DIGESTS__ZONE_FILE": str(file)})

    assert sentence.startswith("The environment gives digests.zone twice")


@pytest.mark.parametrize(
    ("section", "line", "wanted"),
    [
        ("digests", 'size = "5"', "a whole number from 1 to 10"),
        ("digests", "size = 0", "a whole number from 1 to 10"),
        ("digests", "size = 11", "a whole number from 1 to 10"),
        ("digests", "size = 2.5", "a whole number from 1 to 10"),
        ("digests", "size = true", "a whole number from 1 to 10"),
        ("digests", "tick_seconds = 0", "a number from 1 to 600"),
        ("digests", "tick_seconds = nan", "a number from 1 to 600"),
        ("digests", "tick_seconds = true", "a number from 1 to 600"),
        ("digests", 'zone = "Europe/Berlim"', "the IANA name of a time zone, such as Europe/Berlin"),
        ("digests", 'zone = "Europe"', "the IANA name of a time zone, such as Europe/Berlin"),
        ("digests", 'zone = "../../etc/passwd"', "the IANA name of a time zone, such as Europe/Berlin"),
        ("digests", 'time = "25:99"', "a time of day as HH:MM, from 00:00 to 23:59"),
        ("digests", "time = 09:00:00", "a time of day as HH:MM, from 00:00 to 23:59"),
        ("digests", 'days = "someday"', 'daily, weekdays, weekends, or names such as "mon, wed, fri"'),
        ("digests", 'days = ","', 'daily, weekdays, weekends, or names such as "mon, wed, fri"'),
        ("store", 'path = ""', "the path of a file"),
        ("store", "readers = 9", "a whole number from 1 to 8"),
        ("delivery", "messages_per_second = 50", "a number from 0.1 to 45"),
        ("discord", 'api_base = "discord.com"', "an address, http://… or https://…"),
        ("discord", 'gateway = "http://x"', "an address, ws://… or wss://…"),
        ("web", 'enabled = "yes"', "true or false"),
        ("web", "port = 0", "a whole number from 1 to 65535"),
        ("log", 'level = "LOUD"', "one of DEBUG, INFO, WARNING, ERROR"),
        ("log", 'format = "xml"', "one of text, json"),
    ],
)
def test_a_value_of_the_wrong_kind_or_out_of_range_is_refused(written, section: str, line: str, wanted: str):
    file = written(f"[{section}]\n{line}\n")
    key = line.split(" =", maxsplit=1)[0]

    assert refusal(file) == f"{section}.{key} (settings file {file}) must be {wanted}."


@pytest.mark.parametrize(("key", "value"), [("DIGESTS__SIZE", "five"), ("WEB__ENABLED", "perhaps"), ("LOG__LEVEL", "")])
def test_a_variable_that_cannot_be_read_is_refused_with_its_name(key: str, value: str):
    assert f"(environment PAPERROUND_{key}) must be " in refusal(environ={f"PAPERROUND_{key}": value})


@pytest.mark.parametrize("days", ["daily", "Weekends", "mon", "mon, wed,fri", "Sat sun"])
def test_days_can_be_named_or_given_as_a_set(days: str):
    assert load(None, {"PAPERROUND_DIGESTS__DAYS": days}).digests.days == days


def test_a_lease_must_outlast_the_sending_it_covers():
    environ = {"PAPERROUND_DELIVERY__LEASE_SECONDS": "60", "PAPERROUND_DELIVERY__SEND_TIMEOUT_SECONDS": "60"}

    assert "must be longer than delivery.send_timeout_seconds" in refusal(environ=environ)


def test_a_settings_file_that_cannot_be_read_is_named(tmp_path: Path):
    (tmp_path / "latin.toml").write_bytes(b'[log]\nlevel = "\xe9"\n')

    assert refusal(Path("gone.toml")) == "The settings file gone.toml does not exist."
    assert refusal(tmp_path).startswith(f"The settings file {tmp_path} cannot be read: ")
    assert refusal(Path("latin.toml")) == "The settings file latin.toml is not in UTF-8; save it again as UTF-8."


def test_a_settings_file_may_begin_with_the_mark_that_windows_editors_write(tmp_path: Path):
    (tmp_path / "bom.toml").write_bytes(b"\xef\xbb\xbf[search]\r\nhits = 4\r\n")

    assert load(tmp_path / "bom.toml", {}).search.hits == 4


def test_the_command_line_can_name_another_store():
    settings = load(None, {}).with_store(Path("other.db"))

    assert settings.store.path == Path("other.db")
    assert origin_of(settings, "store.path") == "the command line"
