"""The words of the starter library are our own, and say enough."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from bot.sources import starter

LINES: list[dict[str, Any]] = [json.loads(line) for line in starter.packaged().decode("utf-8").split("\n") if line]


def runs(text: str, length: int) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return {tuple(words[start : start + length]) for start in range(len(words) - length + 1)}


def test_there_are_nineteen_papers_with_their_facts():
    assert len({line["id"] for line in LINES}) == len(LINES) == 19
    for line in LINES:
        assert line["title"]
        assert line["authors"]
        assert line["keywords"]
        assert line["url"] == f"https://openreview.net/forum?id={line['id']}"
        assert (line["venue"], line["year"]) == ("ICLR", 2024)


@pytest.mark.parametrize("line", LINES, ids=[line["id"] for line in LINES])
def test_a_synopsis_has_three_to_six_sentences_about_the_authors_and_not_by_them(line: dict[str, Any]):
    synopsis = line["synopsis"]
    assert 3 <= len(re.findall(r"[.?!](?=\s|$)", synopsis)) <= 6
    assert 50 <= len(synopsis.split()) <= 140
    assert not re.search(r"\b(we|our|this paper)\b", synopsis, re.IGNORECASE)


def test_no_synopsis_takes_a_run_of_words_from_its_abstract(shared_data: Path):
    """Eight words in a row would be the authors'; formulas are nobody's."""
    paragraphs = (shared_data / "iclr2024_abstracts.txt").read_text(encoding="utf-8").strip().split("\n\n")[1:]
    assert len(paragraphs) == len(LINES)
    for line, abstract in zip(LINES, paragraphs, strict=True):
        shared = runs(line["synopsis"], 8) & runs(abstract, 8)
        assert not shared, line["title"]


def test_titles_authors_and_links_are_the_papers_own(shared_data: Path):
    facts = [json.loads(line) for line in (shared_data / "seed_facts.jsonl").read_text(encoding="utf-8").splitlines()]
    for line, fact in zip(LINES, facts, strict=True):
        assert {name: line[name] for name in ("id", "title", "authors", "url", "keywords", "presentation")} == {
            name: fact[name] for name in ("id", "title", "authors", "url", "keywords", "presentation")
        }
        assert ("arxiv_id" in line) == bool(fact["arxiv_verified"])
