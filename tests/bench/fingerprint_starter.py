"""Write into the starter library what the true abstract of each paper is known by.

    python tests/bench/fingerprint_starter.py ABSTRACTS.txt FACTS.jsonl [STARTER.jsonl]

The n-th abstract of the list belongs to the record of the facts whose ``seed_index`` is n. Run it again after the
starter library's papers or ``bot/sources/identity.py`` have changed; the same input gives the same bytes.
"""

import json
import sys
from pathlib import Path
from typing import Any

from bot.sources import identity
from bot.sources.base import RawPaper
from bot.sources.files import FileSource

PACKAGED = Path(__file__).resolve().parents[2] / "bot" / "sources" / "starter.jsonl"


def records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def fingerprinted(abstracts: list[str], facts: list[dict[str, Any]], starter: list[dict[str, Any]]) -> str:
    """Return the starter library's content with ``text_id`` and ``runs`` as each line's last fields."""
    by_id = {fact["id"]: abstracts[fact["seed_index"] - 1] for fact in facts}
    if len(by_id) != len(abstracts):
        raise SystemExit(f"{len(abstracts)} abstracts do not belong to {len(by_id)} facts.")
    lines: list[str] = []
    for record in starter:
        kept = {name: value for name, value in record.items() if name not in {"text_id", "runs"}}
        known = identity.fingerprint(by_id[record["id"]])
        assert known.runs is not None, f"the abstract of {record['id']} is too short"
        lines.append(json.dumps({**kept, "text_id": known.text_id, "runs": known.runs.hex()}, ensure_ascii=False))
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> None:
    if len(arguments) not in {2, 3}:
        raise SystemExit(__doc__)
    target = Path(arguments[2]) if len(arguments) == 3 else PACKAGED
    found = [raw for raw in FileSource(arguments[0], format_name="list").read() if isinstance(raw, RawPaper)]
    abstracts = [raw.abstract for raw in found if raw.abstract]
    target.write_text(fingerprinted(abstracts, records(Path(arguments[1])), records(target)), encoding="utf-8")
    print(f"{target}: {len(abstracts)} fingerprints written")


if __name__ == "__main__":
    main(sys.argv[1:])
