"""The documents say what the code does: names, versions, settings, links and locks."""

import argparse
import dataclasses
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import get_type_hints

import pytest

from bot.__main__ import build_parser
from bot.summaries.summarizer import Summarizer
from config.settings import Settings, describe, load

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
DOCUMENTS = [README, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
LOCKS = ["build", "run", "try", "test", "check", "browser"]


def default_toml() -> str:
    return (ROOT / "config" / "default.toml").read_text(encoding="utf-8")


def pyproject() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def verbs_of(parser: argparse.ArgumentParser, before: str = "") -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, verb in action.choices.items():
                yield before + name
                yield from verbs_of(verb, f"{before}{name} ")


def test_the_readme_is_short_and_shows_how_to_begin():
    text = README.read_text(encoding="utf-8")

    assert len(text.splitlines()) <= 150
    assert "make try" in text
    assert "make test" in text


def test_every_verb_of_the_command_line_is_described():
    text = "\n".join(document.read_text(encoding="utf-8") for document in DOCUMENTS)
    verbs = list(verbs_of(build_parser()))

    missing = [verb for verb in verbs if not re.search(rf"(?:`|paperround |\| ){verb}\b", text)]

    assert verbs
    assert not missing


def test_every_verb_says_what_it_does_when_asked_for_help(capsys: pytest.CaptureFixture[str]):
    for verb in ("", *verbs_of(build_parser())):
        with pytest.raises(SystemExit) as ended:
            build_parser().parse_args([*verb.split(), "--help"])
        assert ended.value.code == 0
        assert "usage: paperround" in capsys.readouterr().out


def test_the_default_settings_have_every_key_that_is_read_and_no_other():
    in_file = {f"{section}.{key}" for section, keys in tomllib.loads(default_toml()).items() for key in keys}
    read: set[str] = set()
    for section, kind in get_type_hints(Settings).items():
        if dataclasses.is_dataclass(kind):
            hints = get_type_hints(kind, include_extras=True)
            read |= {f"{section}.{name}" for name, hint in hints.items() if hasattr(hint, "__metadata__")}

    assert in_file == read
    assert {key for key, _value, _origin in describe(load(None, {}))} == read


def test_every_default_setting_has_a_comment_above_it():
    lines = default_toml().splitlines()
    keys = [number for number, line in enumerate(lines) if re.match(r"\w+ = ", line)]

    assert keys
    assert [lines[number] for number in keys if not lines[number - 1].startswith("# ")] == []


def test_the_default_settings_name_every_ranker():
    assert [name for name in Summarizer.ranker_names() if not re.search(rf"\b{name}\b", default_toml())] == []


def test_the_changelog_has_the_version_of_the_package():
    version = pyproject()["project"]["version"]

    assert re.search(
        rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", DOCUMENTS[1].read_text(encoding="utf-8"), re.MULTILINE
    )


def links_in(document: Path) -> Iterator[str]:
    prose = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if not re.match(r"[a-z]+:|#", target):
            yield target.split("#", maxsplit=1)[0]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_between_documents_lead_somewhere(document: Path):
    assert [target for target in links_in(document) if not (document.parent / target).exists()] == []


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_pins_every_package_with_hashes_and_names_no_registry(name: str):
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    entries = re.split(r"\n(?=\S)", text.strip())

    assert all(re.match(r"[a-z0-9-]+==\S+( ;[^\\]*)? \\\n", entry) and "--hash=sha256:" in entry for entry in entries)
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)


def test_the_locks_have_what_the_package_asks_for():
    def named(requirements: list[str]) -> set[str]:
        return {re.split(r"[<>=\[; ]", wanted)[0].replace(".", "-").lower() for wanted in requirements}

    def locked(name: str) -> dict[str, set[str]]:
        pins: dict[str, set[str]] = {}
        for line in (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8").splitlines():
            if pin := re.match(r"([a-z0-9-]+)==(\S+)", line):
                pins.setdefault(pin[1], set()).add(pin[2])
        return pins

    project = pyproject()["project"]
    groups = pyproject()["dependency-groups"]
    wanted = named(project["dependencies"])
    assert wanted <= locked("run").keys()
    assert wanted | named(project["optional-dependencies"]["try"]) <= locked("try").keys()
    assert named(groups["test"]) <= locked("test").keys()
    assert named(groups["check"]) <= locked("check").keys()
    for larger in ("try", "test", "check", "browser"):
        assert locked("run").items() <= locked(larger).items()
