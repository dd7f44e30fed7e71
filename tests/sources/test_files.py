"""Files, folders and standard input: format by content, and a sentence for whatever cannot be read."""

import gzip
import io
import os
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.errors import InvalidInput
from bot.models import Refusal
from bot.sources.base import RawPaper
from bot.sources.files import FileSource


def test_the_format_is_told_by_the_content_not_by_the_name(made, written):
    a_list = written(made.plain(made.TIDES), "list.jsonl")
    lines = written(made.json_lines({"title": "A"}), "lines.txt")

    assert made.read(a_list)[0][0].abstract == made.TIDES
    assert made.read(lines)[0][0].title == "A"


def test_either_format_may_be_packed_with_gzip(made, written):
    assert len(made.read(written(made.zipped(made.plain(made.TIDES, made.BEES))))[0]) == 2
    assert len(made.read(written(made.zipped(made.json_lines({"title": "A"}))))[0]) == 1


def test_two_gzip_members_and_trailing_zeros_are_one_file(made, written):
    packed = made.zipped(made.json_lines({"title": "A"})) + made.zipped(made.json_lines({"title": "B"})) + b"\0" * 512
    found, refused = made.read(written(packed))
    assert [raw.title for raw in found] == ["A", "B"]
    assert refused == []


def test_a_damaged_gzip_file_yields_what_comes_before_the_damage(made, written):
    packed = gzip.compress("".join(f'{{"title": "Paper {os.urandom(30).hex()}"}}\n' for _ in range(9000)).encode())
    found, refused = made.read(written(packed[: len(packed) // 2]))
    assert len(found) > 1000
    assert "damaged or incomplete" in refused[-1].why


@pytest.mark.parametrize(
    ("given_name", "meant"),
    [("jsonlin", "jsonl"), ("lst", "list"), ("texts", "list")],
)
def test_an_unknown_format_names_the_nearest(given_name, meant):
    with pytest.raises(InvalidInput, match=f"did you mean “{meant}”"):
        FileSource("x", format_name=given_name)


def test_a_format_goes_by_other_names_too(made, written):
    assert len(made.read(written(made.plain(made.TIDES)), format_name="Text")[0]) == 1


def test_a_format_can_be_told(made, written):
    found, refused = made.read(written(made.plain(made.TIDES)), format_name="JSONL")
    assert found == []
    assert [one.where for one in refused] == ["line 1", "line 3"]


def test_the_first_line_may_be_broken(made, written):
    found, refused = made.read(written('oops\n{"title": "A"}\n{"title": "B"}\n'))
    assert [raw.title for raw in found] == ["A", "B"]
    assert [one.where for one in refused] == ["line 1"]


UNREADABLE = [
    (b"", "empty"),
    (b" \n\r\n\t", "empty"),
    (b"\xef\xbb\xbf", "empty"),
    (b"\xff\xfe", "empty"),
    (b"%PDF-1.7 ...", "PDF"),
    (b"\x89PNG\r\n\x1a\n", "picture"),
    (b"PK\x03\x04", "ZIP"),
    (bytes(range(256)) * 40, "not text"),
    (b"just a few words", "no paragraph has 20 words"),
    (b"<!DOCTYPE html><html>", "web page"),
    (b"\x1f\x8bnot gzip at all", "damaged"),
    (gzip.compress(b""), "empty"),
]


@pytest.mark.parametrize(("content", "why"), UNREADABLE, ids=[f"{why} {n}" for n, (_, why) in enumerate(UNREADABLE)])
def test_a_file_that_holds_no_papers_is_refused_with_the_reason(made, written, content, why):
    found, refused = made.read(written(content))
    assert found == []
    assert len(refused) == 1
    assert why in refused[0].why


def test_a_file_with_nothing_but_a_heading_holds_no_paper(made, written):
    assert made.read(written("ICLR 2024 Papers\n"), format_name="list")[1][0].why == "The file holds no paper."


@pytest.mark.parametrize("name", ["missing.txt", "a\0b", "x" * 5000, "missing/\ud800"])
def test_a_file_that_is_not_there_is_refused(made, tmp_path, name):
    found, refused = made.read(f"{tmp_path}/{name}")
    assert found == []
    assert len(refused) == 1
    refused[0].where.encode()


def test_a_folder_is_read_file_by_file_and_one_bad_file_does_not_stop_it(made, written, tmp_path):
    written(made.plain(made.TIDES), "lists/a.txt")
    written(b"\x89PNG\r\n", "lists/b.png")
    written(made.json_lines({"title": "C"}, {}), "lists/deeper/c")
    written(made.json_lines({"title": "Hidden"}), "lists/.d")
    written(made.json_lines({"title": "Hidden"}), "lists/.git/e")
    os.mkfifo(tmp_path / "lists" / "pipe")

    found, refused = made.read(tmp_path / "lists")

    assert [(raw.where, raw.title) for raw in found] == [
        ("a.txt, line 3", None),
        ("deeper/c, line 1", "C"),
        ("deeper/c, line 2", None),
    ]
    assert [one.where for one in refused] == ["b.png"]


def test_a_folder_without_files_is_refused(made, tmp_path):
    assert "no file" in made.read(tmp_path)[1][0].why


def test_a_dash_is_standard_input(made):
    source = FileSource("-", stdin=io.BytesIO(made.zipped(made.plain(made.BEES))))
    assert [raw.abstract for raw in source.read()] == [made.BEES]
    assert source.name == "standard input"


def test_a_line_of_fifty_megabytes_is_refused_without_being_held(written):
    path = written(b'{"title": "First"}\n{"title": "' + b"x" * 50_000_000 + b'"}\n{"title": "Last"}\n')

    tracemalloc.start()
    found = list(FileSource(path).read())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert [one.title if isinstance(one, RawPaper) else one.where for one in found] == ["First", "line 2", "Last"]
    assert peak < 8_000_000


def test_a_paragraph_without_end_is_refused_without_being_held(made, written):
    path = written(
        (made.plain(made.TIDES) + "\n" + "some words that never end\n" * 100_000 + "\n" + made.BEES).encode()
    )
    found, refused = made.read(path)
    assert [raw.abstract for raw in found] == [made.TIDES, made.BEES]
    assert [one.why for one in refused] == ["The paragraph is longer than 1 MiB."]


def test_a_nul_byte_in_a_list_costs_one_paragraph(made, written):
    found, refused = made.read(written(made.plain(made.TIDES, made.ROOFS.replace("a", "\0", 1), made.BEES)))
    assert [raw.abstract for raw in found] == [made.TIDES, made.BEES]
    assert [(one.where, one.why) for one in refused] == [("line 5", "The paragraph holds a NUL byte.")]


JSON_LIKE = st.lists(
    st.sampled_from(
        [
            b'{"title":',
            b'"',
            b"}",
            b"{",
            b"[",
            b"\n",
            b"\r",
            b"\0",
            b"\\u",
            b"\xff",
            b"\xfe",
            b"\x1f\x8b",
            b'"abstract"',
        ]
    )
    | st.binary(max_size=9),
    max_size=40,
).map(b"".join)


@given(
    content=st.binary(max_size=400) | JSON_LIKE,
    format_name=st.sampled_from([None, "list", "jsonl"]),
    packed=st.booleans(),
)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_bytes_whatever_raise_anything(content, format_name, packed):
    stream = io.BytesIO(gzip.compress(content) if packed else content)
    found = list(FileSource("-", format_name=format_name, stdin=stream).read())
    assert found, "silence is no answer"
    assert all(isinstance(one, RawPaper | Refusal) for one in found)
