"""The command line as a person uses it, in this process, on a store of its own."""

import io
from pathlib import Path

import pytest

from bot.__main__ import main

Ran = tuple[int, str, str]


@pytest.fixture
def paperround(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Return a function that runs ``paperround`` and gives its exit status, output and errors."""
    monkeypatch.chdir(tmp_path)
    for name in ("DISCORD_TOKEN", "PAPERROUND_SETTINGS"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str, stdin: bytes = b"") -> Ran:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        try:
            status = main(arguments)
        except SystemExit as ended:
            status = int(ended.code or 0)
        said = capsys.readouterr()
        return status, said.out, said.err

    return run
