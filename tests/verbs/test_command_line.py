"""Every verb: what it prints, what it returns, and one sentence for whatever is wrong."""

import json
from pathlib import Path

import pytest

ABSTRACT = (
    "Ponds are crowded in the morning, and nobody knows which duck should swim first. We present PONDER, a method that "
    "sorts ducks by size while they swim. It needs no teacher and no extra corn. On three ponds the queue becomes 40% "
    "shorter than with earlier methods, and no duck is left behind at the end of the day."
)


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.split("\n") if line]


def test_a_search_with_a_typo_finds_the_paper(paperround):
    status, out, err = paperround("search", "lets", "verfy", "stepp", "by", "step")
    assert (status, err) == (0, "")
    assert "Let's Verify Step by Step" in out


def test_a_search_without_a_match_says_so_with_status_1(paperround):
    status, out, _ = paperround("search", "zzqqxx blorf")
    assert status == 1 or "No exact match" in out


def test_a_batch_of_searches_answers_each_line(paperround):
    asked = b'{"query": "lets verfy step by step"}\n{"query": 5}\nnot json\n{"query": "HOMER"}\n'
    status, out, _ = paperround("search", "--batch", "-", "--limit", "3", stdin=asked)
    first, second, third, fourth = lines(out)
    assert status == 1
    assert first["query"] == "lets verfy step by step"
    assert first["exact"] is True
    assert first["hits"][0]["title"] == "Let's Verify Step by Step"
    assert "openreview:v8L0pN6EOi" in first["hits"][0]["identifiers"]
    assert 0 < first["hits"][0]["score"] <= 100
    assert "error" in second
    assert "error" in third
    assert fourth["hits"][0]["title"].startswith("Hierarchical Context Merging")


def test_a_paper_is_shown_by_title_and_by_identifier(paperround):
    assert "AutomaTikZ" in paperround("show", "automatikz")[1]
    assert "Let's Verify" in paperround("show", "arxiv:2305.20050")[1]


def test_what_is_not_there_gets_one_sentence_and_status_2(paperround):
    status, out, err = paperround("show", "#999999")
    assert (status, out) == (2, "")
    assert err.startswith("paperround: ")
    assert "Traceback" not in err


def test_random_shows_all_before_one_comes_again_across_processes(paperround):
    seen = [paperround("random")[1].splitlines()[0] for _ in range(19)]
    assert len(set(seen)) == 19


def test_a_list_of_abstracts_is_imported_and_a_repeat_changes_nothing(paperround, tmp_path: Path):
    (tmp_path / "list.txt").write_text(f"DuckConf 2025 Papers\n\n{ABSTRACT}\n", encoding="utf-8")
    status, out, _ = paperround("import", "list.txt")
    assert (status, out) == (0, "1 read: 1 added, 0 merged, 0 unchanged, 0 refused\n")
    status, out, _ = paperround("import", "list.txt", "--json")
    assert json.loads(out) == {"read": 1, "added": 0, "merged": 0, "unchanged": 1, "refused": 0, "reasons": []}
    assert "PONDER" in paperround("search", "ducks", "queue")[1]


def test_a_dry_run_changes_nothing(paperround, tmp_path: Path):
    (tmp_path / "list.txt").write_text(ABSTRACT, encoding="utf-8")
    assert "1 added" in paperround("import", "list.txt", "--dry-run")[1]
    assert "1 added" in paperround("import", "list.txt")[1]


def test_refused_records_are_named_with_their_lines_and_the_rest_is_kept(paperround, tmp_path: Path):
    good = json.dumps({"id": "duck1", "title": "Ducks in a Row", "abstract": ABSTRACT})
    (tmp_path / "papers.jsonl").write_text(f"{good}\n{{broken\n", encoding="utf-8")
    status, out, err = paperround("import", "papers.jsonl")
    assert status == 1
    assert "1 added" in out
    assert "line 2" in err


@pytest.mark.parametrize("what", ["nowhere.txt", "empty.txt", "folder", "binary.bin"])
def test_what_cannot_be_read_gets_a_sentence_and_status_2(paperround, tmp_path: Path, what: str):
    (tmp_path / "empty.txt").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary.bin").write_bytes(bytes(range(256)) * 50)
    status, out, err = paperround("import", what)
    assert status == 2
    assert "Traceback" not in out + err
    assert what in err


def test_standard_input_can_be_imported(paperround):
    assert "1 added" in paperround("import", "-", "--format", "list", stdin=ABSTRACT.encode())[1]


def test_text_from_standard_input_is_summarised(paperround):
    status, out, _ = paperround("summarize", "-", "--sentences", "1", stdin=ABSTRACT.encode())
    assert status == 0
    assert "We present PONDER" in out


def test_a_batch_of_summaries_takes_text_and_sentences(paperround):
    asked = [
        {"title": "PONDER: Sorting Ducks", "abstract": ABSTRACT},
        {"title": "PONDER", "sentences": ["Ponds are crowded.", "We present PONDER.", "Ducks swim."]},
        {"sentences": "not a list"},
    ]
    stdin = "\n".join(json.dumps(one) for one in asked).encode()
    status, out, _ = paperround("summarize", "--batch", "-", "--sentences", "1", stdin=stdin)
    first, second, third = lines(out)
    assert status == 1
    assert first["sentences"][0].startswith("We present PONDER")
    assert second == {"indexes": [1], "sentences": ["We present PONDER."]}
    assert "error" in third


def test_a_batch_of_text_becomes_readable(paperround):
    stdin = json.dumps({"text": r"$O(md \times md^{\omega -1})$ &amp; K\"{a}hler, 5% of \textbf{x}"}).encode()
    _, out, _ = paperround("text", "--batch", "-", stdin=stdin)
    assert lines(out) == [{"text": "O(md × md^(ω−1)) & Kähler, 5% of x"}]


def test_settings_are_shown_with_their_origin_and_no_token(paperround, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PAPERROUND_DISCORD__TOKEN", "very-secret-token")
    status, out, _ = paperround("settings")
    assert status == 0
    assert "discord.token = ********    (environment PAPERROUND_DISCORD__TOKEN)" in out
    assert "very-secret" not in out


def test_an_unknown_setting_is_refused_with_the_nearest(paperround, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PAPERROUND_DIGESTS__SIZ", "3")
    status, _, err = paperround("settings")
    assert status == 2
    assert "PAPERROUND_DIGESTS__SIZE" in err


def test_running_without_a_token_says_where_to_put_one(paperround):
    status, _, err = paperround("run")
    assert status == 2
    assert "PAPERROUND_DISCORD__TOKEN" in err


def test_a_backup_is_made_and_put_back(paperround, tmp_path: Path):
    paperround("search", "verify")
    assert paperround("backup", "copy.db")[0] == 0
    assert paperround("backup", "copy.db")[0] == 2, "a backup never overwrites"
    (tmp_path / "list.txt").write_text(ABSTRACT, encoding="utf-8")
    paperround("import", "list.txt")
    status, out, _ = paperround("restore", "copy.db")
    assert status == 0
    assert "kept as" in out
    assert "PONDER" not in paperround("search", "ponder ducks queue")[1]


def test_another_programs_file_is_refused(paperround, tmp_path: Path):
    (tmp_path / "notes.txt").write_text("not a library, " * 100, encoding="utf-8")
    status, _, err = paperround("search", "verify", "--store", "notes.txt")
    assert status == 2
    assert "notes.txt" in err
    assert "Traceback" not in err


def test_the_doctor_names_what_is_missing_and_how_to_mend_it(paperround):
    status, out, _ = paperround("doctor")
    assert status == 1
    assert "ok   library" in out
    assert "FIX  token" in out
    assert "PAPERROUND_DISCORD__TOKEN" in out


def test_due_digests_are_listed(paperround):
    assert "No subscriptions" in paperround("digest", "due")[1]
    assert paperround("digest", "due", "--json")[1] == "[]\n"
    assert paperround("digest", "preview", "7")[0] == 2


def test_the_schema_is_brought_up_to_date(paperround):
    status, out, _ = paperround("migrate")
    assert status == 0
    assert "schema 3" in out


@pytest.mark.parametrize("arguments", [(), ("fly",), ("search", "--limit", "0", "x"), ("import",)])
def test_a_wrong_command_line_is_refused_with_status_2(paperround, arguments: tuple[str, ...]):
    status, _, err = paperround(*arguments)
    assert status == 2
    assert "usage:" in err


def test_a_source_that_shrinks_wants_force(paperround, tmp_path: Path):
    path = tmp_path / "list.jsonl"
    path.write_text("\n".join(f'{{"title": "Paper number {n}"}}' for n in range(60)), encoding="utf-8")
    assert paperround("import", str(path))[0] == 0
    path.write_text('{"title": "Paper number 1"}', encoding="utf-8")

    status, out, err = paperround("import", str(path))
    assert (status, "0 added" in out) == (2, True)
    assert "less than half of the 60 papers" in err
    assert paperround("import", str(path), "--force")[0] == 0


def test_a_site_that_is_misspelt_gets_the_nearest(paperround):
    status, _, err = paperround("import", "arxv:cs.CL")
    assert status == 2
    assert "did you mean arxiv:cs.CL" in err


def test_sources_are_listed_with_how_they_fare(paperround, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    assert "No source yet" in paperround("sources")[1]
    monkeypatch.setenv("PAPERROUND_SOURCES__WATCH", "arxiv:cs.CL every 6 h; huggingface")
    (tmp_path / "list.jsonl").write_text('{"title": "A Paper"}', encoding="utf-8")
    paperround("import", "list.jsonl")

    _, out, _ = paperround("sources")
    assert "arxiv cs.CL (watched, every 6 h): never read" in out
    assert "list.jsonl: fresh\n    1 papers, read 20" in out
    records = json.loads(paperround("sources", "--json")[1])
    assert [record["watched"] for record in records] == ["arxiv:cs.CL", "huggingface", None]
    assert "ok   source arxiv:cs.CL: never read" in paperround("doctor")[1]


def test_a_private_address_is_never_asked(paperround, monkeypatch: pytest.MonkeyPatch):
    for address in (
        "http://127.0.0.1:9/feed.xml",
        "http://169.254.169.254/latest",
        "http://[::1]/x",
        "http://2130706433/",
    ):
        status, _, err = paperround("import", address)
        assert status == 2
        assert "Traceback" not in err
        assert len(err.strip().splitlines()) == 1


def test_what_cannot_be_watched_is_refused_at_the_start(paperround, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PAPERROUND_SOURCES__WATCH", "papers.bib")
    status, _, err = paperround("sources")
    assert status == 2
    assert "sources.watch: “papers.bib” is no site." in err
