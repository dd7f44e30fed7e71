"""JSON documents: where their papers are, and what is left of one that is broken."""

import json
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.models import Refusal
from bot.sources.detect import detect
from bot.sources.formats import json_document
from tests.sources.formats.conftest import ABSTRACT, FILES

A, B = {"title": "Tides"}, {"title": "Bees"}
PERSON = {"name": "Ada Lovelace"}


def read(content: object, *, indent: int | None = 1) -> tuple[list[str | None], list[Refusal]]:
    """The titles and the refusals of a document."""
    text = content if isinstance(content, str) else json.dumps(content, indent=indent)
    found = list(json_document.read([text.encode()]))
    titles = [one.title for one in found if not isinstance(one, Refusal)]
    return titles, [one for one in found if isinstance(one, Refusal)]


@pytest.mark.parametrize(
    "content",
    [
        [A, B],
        {"notes": [A, B], "count": 2},
        {"total": 2, "offset": 0, "data": [A, B]},
        {"title": "Papers of the sea", "papers": [A, B]},
        {"version": "https://jsonfeed.org/version/1.1", "title": "Sea", "authors": [PERSON], "items": [A, B]},
        {"meta": {"tags": ["x"]}, "iclr2024": [A, B]},
        {"posters": [A], "orals": [B]},
        {"tags": ["x", "y"], "authors": [PERSON], "results": [A, B]},
    ],
    ids=str,
)
@pytest.mark.parametrize("indent", [None, 1])
def test_the_papers_are_found_wherever_the_document_keeps_them(content, indent):
    text = json.dumps(content, indent=indent)
    assert read(text) == (["Tides", "Bees"], [])
    assert detect(text.encode()).format_name == "json"


@pytest.mark.parametrize(
    "paper",
    [
        {"id": "2401.00001", "authors": [PERSON], "title": "Tides"},
        {"citations": [A], "authors": [PERSON], "references": [B], "title": "Tides", "paperId": "f" * 40},
        {"title": "Tides", "results": [{"task": "piloting", "metric": 3}]},
        {"abstract": ABSTRACT, "related": [B], "title": "Tides"},
        {"keywords": [], "title": "Tides"},
    ],
    ids=str,
)
def test_an_object_that_is_a_paper_is_one_whatever_lists_it_holds(paper):
    assert read(paper) == (["Tides"], [])


@pytest.mark.parametrize("content", ["[]", '{"notes": [], "count": 0}', '{"total": 0, "data": []}', '{"papers": []}'])
def test_an_empty_list_holds_nothing(content):
    assert detect(content.encode()).format_name == "json"
    assert read(content) == ([], [])


def test_documents_that_follow_each_other_are_all_read():
    assert read(f"[{json.dumps(A)}]\n[{json.dumps(B)}]") == (["Tides", "Bees"], [])
    assert read(json.dumps(A, indent=1) + "\n" + json.dumps(B, indent=1)) == (["Tides", "Bees"], [])


def test_what_is_no_object_is_refused_by_its_number():
    titles, refused = read({"data": [None, A, 5, "x", [B], B]})
    assert titles == ["Tides", "Bees"]
    assert [one.where for one in refused] == ["record 1", "record 3", "record 4", "record 5"]
    assert {one.why for one in refused} == {"It is not a JSON object."}


def test_what_a_site_says_of_an_error_is_passed_on():
    titles, (refused,) = read({"error": "Paper with id 0 not found"})
    assert titles == []
    assert "Paper with id 0 not found" in refused.why


@pytest.mark.parametrize(
    "rest",
    [
        '{"title": "Ro',
        '{"title": "Roofs" "x": 1}, {"title": "Bees"}]',
        '{"title": NaN}]',
        '{"year": ' + "9" * 5_000 + "}]",
        '{"title": "\x01\x02"}]',
        "",
    ],
    ids=["cut in a text", "no comma", "not a number", "a number too long", "control characters", "cut"],
)
def test_broken_json_keeps_what_came_before_and_says_where_it_broke(rest):
    titles, (refused,) = read('[{"title": "Tides"}, {"title": "Bees"}, ' + rest)
    assert titles == ["Tides", "Bees"]
    assert refused.where == "record 3"
    assert "broken" in refused.why
    assert len(refused.why) <= 200


def test_what_follows_a_document_is_told():
    titles, (refused,) = read('[{"title": "Tides"}] and more')
    assert titles == ["Tides"]
    assert refused.where == "record 2"


def test_text_that_is_not_utf_8_ends_it_with_a_sentence():
    (paper, refused) = json_document.read([b'[{"title": "Tides"}, {"title": "\xff"}]'])
    assert paper.title == "Tides"
    assert "UTF8" in refused.why
    assert "b'" not in refused.why


@pytest.mark.parametrize(("depth", "is_deep"), [(40, False), (90, True), (5_000, True)])
def test_a_record_that_is_nested_too_deeply_is_refused_alone(depth, is_deep):
    titles, refused = read('[{"title": "Tides", "x": ' + "[" * depth + "]" * depth + '}, {"title": "Bees"}]')
    assert titles == (["Bees"] if is_deep else ["Tides", "Bees"])
    assert [one.why for one in refused] == (["The JSON is nested too deeply."] if is_deep else [])


@pytest.mark.parametrize(
    "shape", ['[{"title": "Tides", "x": [%s]}, {"title": "Bees"}]', '{"title": "Tides", "x": [%s]}']
)
def test_a_record_of_countless_values_is_refused_and_never_held(shape):
    content = (shape % ",".join(["[]"] * 310_000)).encode()
    tracemalloc.start()
    found = list(json_document.read(content[place : place + 65_536] for place in range(0, len(content), 65_536)))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert "more values than any paper" in found[0].why
    assert most < 60 * 1024**2


def test_one_endless_record_ends_it_but_many_short_ones_may_be_as_long_together():
    short = b'{"title": "Tides", "abstract": "' + b"a" * 60_000 + b'"},'
    found = list(json_document.read([b"[", *[short] * 400, b"{}]"]))
    assert [one.title for one in found[:400]] == ["Tides"] * 400

    (refused,) = json_document.read([b'[{"title": "', *[b"a" * 65_000] * 400])
    assert "longer than 16 MiB" in refused.why


JSON_LINES = [
    '{"title": "A"}\n{"title": "B"}',
    '{"title": "A", "authors": [{"name": "Ada"}]}\n{"title": "B"}',
    '{"title": "A"}',
    '{"title": "cut\n{"title": "B"}',
]


@pytest.mark.parametrize("content", JSON_LINES)
def test_json_lines_are_left_to_their_own_format(content):
    assert not json_document.recognises(content.encode())
    assert detect(content.encode()).format_name == "jsonl"


@pytest.mark.parametrize("content", ["[Tides] are a list", "{Tides}", "title,abstract", "[1, 2]"])
def test_what_only_begins_like_json_is_not_recognised(content):
    assert not json_document.recognises(content.encode())


@settings(deadline=None)
@given(
    st.binary(max_size=200), st.sampled_from([b"", b"[", b'{"notes": [', b'[{"title": "', b'{"title": ', b'{"a": [{'])
)
def test_any_bytes_are_read_or_refused(content, start):
    json_document.recognises(start + content)
    for one in json_document.read([start + content]):
        assert one.where


def test_every_cut_of_a_file_keeps_the_papers_before_it():
    content = FILES["json"].encode()
    counts = []
    for tenth in range(11):
        found = list(json_document.read([content[: len(content) * tenth // 10]]))
        counts.append(sum(not isinstance(one, Refusal) for one in found))
    assert counts == sorted(counts)
    assert (counts[0], counts[6], counts[10]) == (0, 1, 1)


@pytest.mark.parametrize(
    ("name", "papers", "refused"),
    [
        ("openreview_v1_note_real.json", 1, 0),
        ("openreview_v2_note_real.json", 1, 0),
        ("openreview_v2_notes_iclr2024_reconstructed.json", 5, 0),
        ("papercopilot_colm2024_5.json", 5, 0),
        ("s2_paper_full.json", 1, 0),
        ("s2_paper_references.json", 40, 0),
        ("s2_search_bulk.json", 40, 0),
        ("s2_not_found.json", 0, 1),
    ],
)
def test_the_real_documents(shared_data, name, papers, refused):
    titles, reasons = read((shared_data / "samples" / name).read_text("utf-8"))
    assert (len(titles), len(reasons)) == (papers, refused)
    assert all(titles)


def test_every_cut_of_the_real_documents_is_read_or_refused(shared_data):
    for sample in sorted((shared_data / "samples").glob("*.json")):
        content = sample.read_bytes()
        for tenth in range(1, 10):
            assert list(json_document.read([content[: len(content) * tenth // 10]]))
