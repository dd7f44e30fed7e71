"""Batches: one line out for each line in, whatever the line is."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from bot.errors import InvalidInput
from bot.verbs import batches


async def echo(record: dict[str, Any]) -> dict[str, Any]:
    return {"said": batches.text_of(record, "say")}


async def run(capsys: pytest.CaptureFixture[str], file: Path) -> tuple[int, list[dict[str, Any]]]:
    status = await batches.run(str(file), echo)
    return status, [json.loads(line) for line in capsys.readouterr().out.split("\n") if line]


async def test_answers_come_in_the_order_of_the_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "lines").write_text('{"say": "one"}\n\n{"say": "two\u2028still two"}\n', encoding="utf-8")
    status, answers = await run(capsys, tmp_path / "lines")
    assert (status, answers) == (0, [{"said": "one"}, {"said": "two\u2028still two"}])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{not json}", "not JSON"),
        (b"[1, 2]", "not a JSON object"),
        (b"\xff\xfe\x00", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'{"other": "word"}', "needs “say”"),
        (b'{"say": 7}', "needs “say”"),
        (b'{"say": "' + b"x" * (batches.MAX_LINE_BYTES + 5) + b'"}', "longer than"),
    ],
    ids=["broken", "list", "bytes", "deep", "missing", "number", "long"],
)
async def test_a_bad_line_gets_a_sentence_and_the_others_their_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], line: bytes, why: str
):
    (tmp_path / "lines").write_bytes(b'{"say": "before"}\n' + line + b'\n{"say": "after"}')
    status, (before, bad, after) = await run(capsys, tmp_path / "lines")
    assert status == 1
    assert why in bad["error"]
    assert (before, after) == ({"said": "before"}, {"said": "after"})


async def test_standard_input_is_a_batch_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"say": "one"}\n')))
    status, answers = await run(capsys, Path("-"))
    assert (status, answers) == (0, [{"said": "one"}])


async def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(InvalidInput, match="nowhere"):
        await batches.run(str(tmp_path / "nowhere"), echo)
