"""The operator's settings: the defaults, then a TOML file, then the environment.

``config/default.toml`` says what each key means. A key nobody knows, a value of the wrong type or
out of range, and two values for one key are refused, with a sentence that names the place.
"""

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Self, cast, get_type_hints

from config.checks import (
    Check,
    Refused,
    address,
    days,
    flag,
    number,
    one_of,
    optional,
    path,
    text,
    texts,
    wall_time,
    whole,
    zone,
)

_PREFIX = "PAPERROUND_"
_FILE_SUFFIX = "_FILE"
_SETTINGS_VARIABLE = "PAPERROUND_SETTINGS"
_USUAL_FILE = "paperround.toml"
_PLAIN_TOKEN_VARIABLE = "DISCORD_TOKEN"  # noqa: S105 -- the name of a variable
DEFAULT = "default"
"""The origin of a value that nobody chose."""
_MASK = "********"

# Ours for the tests, and what Kubernetes sets in every container for a service named "paperround".
_NOT_SETTINGS = re.compile(r"PAPERROUND_(TEST_.*|SERVICE_(HOST|PORT.*)|PORT(_\d+_.*)?)")


class SettingsError(Exception):
    """The operator's settings cannot be used; the text is one sentence that says what to change."""

    code = "settings"

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Secret:
    """A text that no log, traceback or ``repr`` shows; ``reveal`` gives it to the one who needs it."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def reveal(self) -> str:
        """Return the text itself."""
        return self._value

    def __repr__(self) -> str:
        return f"Secret({_MASK})"

    def __str__(self) -> str:
        return _MASK

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._value == self._value

    def __hash__(self) -> int:
        return hash(self._value)


def _token() -> Check:
    known = text(
        "the token alone, without blanks or the word Bot",
        lambda value: re.fullmatch(r"[!-~]+", value) is not None,
    )
    return optional(Check(accept=lambda value: Secret(known.accept(value))))


def _secret(wanted: str) -> Check:
    known = text(wanted)
    return optional(Check(accept=lambda value: Secret(known.accept(value))))


@dataclass(frozen=True, kw_only=True)
class DiscordSettings:
    """How the bot reaches Discord.

    Attributes:
        token: None when there is none.
        api_base: None for Discord itself, like ``gateway``.
        token_origin: where the token was read from, in words; the empty string when there is none.
    """

    token: Annotated[Secret | None, _token()]
    token_file: Annotated[Path | None, optional(path())]
    api_base: Annotated[str | None, optional(address("http", "https"))]
    gateway: Annotated[str | None, optional(address("ws", "wss"))]
    token_origin: str = ""


@dataclass(frozen=True, kw_only=True)
class StoreSettings:
    """The SQLite file."""

    path: Annotated[Path, path()]
    readers: Annotated[int, whole(1, 8)]


@dataclass(frozen=True, kw_only=True)
class SourceSettings:
    """The sites that papers come from on their own.

    Attributes:
        openreview_user: None to ask as a stranger, like ``openreview_password``.
    """

    watch: Annotated[tuple[str, ...], texts('sources, such as ["arxiv:cs.CL every 6 h"]')]
    hours: Annotated[float, number(0.25, 720)]
    papers: Annotated[int, whole(1, 10_000)]
    allow_private: Annotated[bool, flag()]
    openreview_user: Annotated[str | None, optional(text("the name you log in to OpenReview with"))]
    openreview_password: Annotated[Secret | None, _secret("the password you log in to OpenReview with")]


@dataclass(frozen=True, kw_only=True)
class DigestSettings:
    """When digests are looked for, and what a new subscription gets unless told otherwise."""

    tick_seconds: Annotated[float, number(1, 600)]
    catch_up_hours: Annotated[float, number(0, 168)]
    zone: Annotated[str, zone()]
    time: Annotated[str, wall_time()]
    days: Annotated[str, days()]
    size: Annotated[int, whole(1, 10)]


@dataclass(frozen=True, kw_only=True)
class DeliverySettings:
    """How messages are sent."""

    messages_per_second: Annotated[float, number(0.1, 45)]
    lease_seconds: Annotated[float, number(30, 600)]
    send_timeout_seconds: Annotated[float, number(1, 120)]
    attempts: Annotated[int, whole(1, 50)]


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """How much a search shows, and how long a completion may take."""

    hits: Annotated[int, whole(1, 10)]
    completion_ms: Annotated[int, whole(50, 2500)]


@dataclass(frozen=True, kw_only=True)
class SummarySettings:
    """Which algorithm summarises, and how long."""

    ranker: Annotated[str, text("the name of a ranker")]
    sentences: Annotated[int, whole(1, 10)]


@dataclass(frozen=True, kw_only=True)
class WebSettings:
    """The health and metrics pages."""

    enabled: Annotated[bool, flag()]
    host: Annotated[str, text("an address or host name to listen on")]
    port: Annotated[int, whole(1, 65535)]


@dataclass(frozen=True, kw_only=True)
class LogSettings:
    """What is logged, and in which form."""

    level: Annotated[str, one_of("DEBUG", "INFO", "WARNING", "ERROR")]
    format: Annotated[str, one_of("text", "json")]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Everything the operator chose, checked.

    Attributes:
        origins: where each value comes from, in words, by ``section.key``.
    """

    discord: DiscordSettings
    store: StoreSettings
    sources: SourceSettings
    digests: DigestSettings
    delivery: DeliverySettings
    search: SearchSettings
    summaries: SummarySettings
    web: WebSettings
    log: LogSettings
    origins: Mapping[str, str] = field(default_factory=dict[str, str], repr=False, compare=False)

    def with_store(self, store: Path) -> Self:
        """Return these settings with another store, as the command line's ``--store`` wants it."""
        return replace(
            self,
            store=replace(self.store, path=store),
            origins={**self.origins, "store.path": "the command line"},
        )

    def secrets(self) -> tuple[str, ...]:
        """Return the texts that must never be logged."""
        known = (self.discord.token, self.sources.openreview_password)
        return tuple(secret.reveal() for secret in known if secret is not None)


@dataclass(frozen=True)
class _Given:
    value: Any
    origin: str


_Layer = dict[str, _Given]
"""What one place gives, by ``section.key``."""


def load(file: Path | None, environ: Mapping[str, str]) -> Settings:
    """Read the settings: the defaults, the settings file over them, the environment over both.

    Args:
        file: the settings file asked for; without it the one that PAPERROUND_SETTINGS names, or
            ``paperround.toml`` in the working directory if it is there.
        environ: the environment.

    Raises:
        SettingsError: a file cannot be read or is no TOML, a key is unknown, or a value cannot be used.
    """
    layers: list[_Layer] = [_defaults()]
    chosen = _settings_file(file, environ)
    if chosen is not None:
        layers.append(_from_toml(_text_of(chosen, "settings file"), chosen))
    layers.append(_from_environment(environ))
    effective: _Layer = {}
    for layer in layers:
        effective.update(layer)
    effective.update(_token_of(layers, environ))
    return _checked(effective)


def describe(settings: Settings) -> list[tuple[str, str, str]]:
    """Return (``section.key``, value, origin) of every setting in the order of the defaults, secrets masked."""
    lines: list[tuple[str, str, str]] = []
    for key in _defaults():
        section, name = key.split(".")
        value = getattr(getattr(settings, section), name)
        shown = _shown(value)
        lines.append((key, shown, settings.origins.get(key, DEFAULT)))
    return lines


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return "; ".join(map(str, cast("tuple[object, ...]", value)))
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _sections() -> dict[str, dict[str, Check]]:
    """Return the check of every key of every section, from the annotations above."""
    sections: dict[str, dict[str, Check]] = {}
    for section, kind in get_type_hints(Settings).items():
        if section != "origins":
            hints = get_type_hints(kind, include_extras=True)
            checked = {name: getattr(hint, "__metadata__", ()) for name, hint in hints.items()}
            sections[section] = {name: found[0] for name, found in checked.items() if found}
    return sections


def _defaults() -> _Layer:
    raw = tomllib.loads(resources.files("config").joinpath("default.toml").read_text(encoding="utf-8"))
    return {f"{section}.{key}": _Given(value, DEFAULT) for section, keys in raw.items() for key, value in keys.items()}


def _settings_file(file: Path | None, environ: Mapping[str, str]) -> Path | None:
    if file is not None:
        return file
    if named := environ.get(_SETTINGS_VARIABLE, "").strip():
        return Path(named)
    usual = Path(_USUAL_FILE)
    return usual if usual.is_file() else None


def _text_of(file: Path, what: str) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise SettingsError(f"The {what} {file} does not exist.") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"The {what} {file} is not in UTF-8; save it again as UTF-8.") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise SettingsError(f"The {what} {file} cannot be read: {reason}.") from error


def _from_toml(content: str, file: Path) -> _Layer:
    try:
        raw = tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"The settings file {file} is not valid TOML: {error}.") from error
    sections = _sections()
    layer: _Layer = {}
    for section, keys in raw.items():
        if section not in sections:
            hint = _nearest(section, sections)
            raise SettingsError(f"The settings file {file} has an unknown section [{section}].{hint}")
        if not isinstance(keys, dict):
            raise SettingsError(f"In the settings file {file}, {section} is a section: write [{section}].")
        for key, value in cast("dict[str, Any]", keys).items():
            if key not in sections[section]:
                hint = _nearest(f"{section}.{key}", _dotted(sections))
                raise SettingsError(f"The settings file {file} has an unknown key {section}.{key}.{hint}")
            layer[f"{section}.{key}"] = _Given(value, f"settings file {file}")
    return layer


def _from_environment(environ: Mapping[str, str]) -> _Layer:
    sections = _sections()
    known = {f"{_PREFIX}{section}__{key}".upper(): (section, key) for section in sections for key in sections[section]}
    layer: _Layer = {}
    for variable in sorted(environ):
        if not variable.startswith(_PREFIX) or variable == _SETTINGS_VARIABLE or _NOT_SETTINGS.fullmatch(variable):
            continue
        in_file = variable not in known and variable.removesuffix(_FILE_SUFFIX) in known
        if not in_file and variable not in known:
            raise SettingsError(f"{variable} in the environment is no setting.{_nearest(variable, known)}")
        section, key = known[variable.removesuffix(_FILE_SUFFIX) if in_file else variable]
        dotted = f"{section}.{key}"
        if dotted in layer:
            raise SettingsError(f"The environment gives {dotted} twice, as {variable} too; keep one of them.")
        given, origin = environ[variable], f"environment {variable}"
        if in_file:
            file = Path(given.strip())
            given, origin = _text_of(file, f"file of {variable},"), f"file {file}"
        try:
            layer[dotted] = _Given(sections[section][key].from_text(given.strip()), origin)
        except Refused as refused:
            raise SettingsError(f"{dotted} ({origin}) must be {refused}.") from refused
    return layer


def _token_of(layers: Iterable[_Layer], environ: Mapping[str, str]) -> _Layer:
    """Return the token of the strongest place that has one; ``token_file`` is as good as ``token`` there."""
    for layer in reversed(list(layers)):
        token, file = layer.get("discord.token"), layer.get("discord.token_file")
        if token is not None and token.value and file is not None and file.value:
            raise SettingsError(f"There are two tokens, one from {token.origin} and one from {file.origin}; keep one.")
        if token is not None and token.value:
            return {"discord.token": token, "discord.token_file": _Given("", DEFAULT)}
        if file is not None and file.value:
            return {"discord.token": _token_in(file)}
    if plain := environ.get(_PLAIN_TOKEN_VARIABLE, "").strip():
        return {"discord.token": _Given(plain, f"environment {_PLAIN_TOKEN_VARIABLE}")}
    return {"discord.token": _Given("", DEFAULT)}


def _token_in(given: _Given) -> _Given:
    try:
        file: Path = path().accept(given.value)
    except Refused as refused:
        raise SettingsError(f"discord.token_file ({given.origin}) must be {refused}.") from refused
    content = _text_of(file, "token file").strip()
    if not content:
        raise SettingsError(f"The token file {file} is empty.")
    return _Given(content, f"file {file}")


def _checked(effective: _Layer) -> Settings:
    parts: dict[str, Any] = {}
    kinds = get_type_hints(Settings)
    for section, checks in _sections().items():
        values: dict[str, Any] = {}
        for key, check in checks.items():
            given = effective[f"{section}.{key}"]
            try:
                values[key] = check.accept(given.value)
            except Refused as refused:
                raise SettingsError(f"{section}.{key} ({given.origin}) must be {refused}.") from refused
        parts[section] = kinds[section](**values)
    settings = Settings(**parts, origins={key: given.origin for key, given in effective.items()})
    if settings.delivery.lease_seconds <= settings.delivery.send_timeout_seconds:
        raise SettingsError(
            "delivery.lease_seconds must be longer than delivery.send_timeout_seconds "
            f"({settings.delivery.lease_seconds:g} and {settings.delivery.send_timeout_seconds:g} now)."
        )
    if settings.discord.token is None:
        return settings
    origin = effective["discord.token"].origin
    return replace(settings, discord=replace(settings.discord, token_origin=origin))


def _dotted(sections: Mapping[str, Iterable[str]]) -> list[str]:
    return [f"{section}.{key}" for section, keys in sections.items() for key in keys]


def _nearest(name: str, known: Iterable[str]) -> str:
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f" Did you mean {found[0]}?" if found else ""
