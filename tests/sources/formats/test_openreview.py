"""Notes of OpenReview: what their venue says of them, and which of them are papers."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.models import Refusal
from bot.sources.base import Defaults, RawPaper
from bot.sources.formats import openreview
from tests.sources.formats.conftest import NOTE


def read(venue: str | None = None, venue_id: str | None = None, **note):
    content = {name: value for name, value in NOTE["content"].items() if name not in {"venue", "venueid"}}
    content |= {"venue": {"value": venue}} if venue is not None else {}
    content |= {"venueid": {"value": venue_id}} if venue_id is not None else {}
    return openreview.raw_paper({**NOTE, "content": content, **note}, where="record 1")


@pytest.mark.parametrize(
    ("venue", "venue_id", "expected"),
    [
        ("ICLR 2024 poster", "ICLR.cc/2024/Conference", ("ICLR", 2024, "poster")),
        ("ICLR 2023 notable top 5%", "ICLR.cc/2023/Conference", ("ICLR", 2023, "notable")),
        ("CoRL 2023 Oral", "robot-learning.org/CoRL/2023/Conference", ("CoRL", 2023, "oral")),
        ("", "robot-learning.org/CoRL/2023/Conference", ("CoRL", 2023, None)),
        ("", "ICLR.cc/2024/Conference", ("ICLR", 2024, None)),
        (None, "MIDL.io/2022/Conference", ("MIDL", 2022, None)),
        ("ICLR 2024 Workshop Tides Poster", "ICLR.cc/2024/Workshop/Tides", ("ICLR Workshop Tides", 2024, "poster")),
        ("", "NeurIPS.cc/2023/Workshop/Tides", ("NeurIPS Workshop", 2023, None)),
        ("Accepted by TMLR", "TMLR", ("TMLR", None, None)),
        ("", "TMLR", ("TMLR", None, None)),
        ("", "", (None, None, None)),
    ],
)
def test_the_venue_names_place_year_and_track(venue, venue_id, expected):
    raw = read(venue, venue_id)
    assert (raw.venue, raw.year, raw.track) == expected


@pytest.mark.parametrize(
    ("venue", "venue_id"),
    [
        ("Submitted to ICLR 2023", "ICLR.cc/2023/Conference"),
        ("ICLR 2022 Submitted", "ICLR.cc/2022/Conference"),
        ("Submitted to ICLR 2024", "ICLR.cc/2024/Conference/Rejected_Submission"),
        ("ICLR 2024 Conference Withdrawn Submission", "ICLR.cc/2024/Conference/Withdrawn_Submission"),
        ("ICLR 2024 Conference Desk Rejected Submission", "ICLR.cc/2024/Conference/Desk_Rejected_Submission"),
        ("Rejected by TMLR", "TMLR/Rejected"),
        ("Retracted by Authors", "TMLR/Retracted_Acceptance"),
        ("", "ICLR.cc/2024/Conference/Withdrawn_Submission"),
    ],
)
def test_what_a_venue_did_not_take_is_refused_with_its_status(venue, venue_id):
    refused = read(venue, venue_id)
    assert isinstance(refused, Refusal)
    assert refused.why in {f"Its status is “{status}”." for status in (venue, venue_id) if status}


@pytest.mark.parametrize(
    ("venue", "venue_id"),
    [
        ("ICLR 2024 Conference Submission", "ICLR.cc/2024/Conference/Submission"),
        ("Submitted to TMLR", "TMLR/Submitted"),
        ("Under review for TMLR", "TMLR/Under_Review"),
        ("Decision pending for TMLR", "TMLR/Decision_Pending"),
        ("", "ICLR.cc/2024/Conference/Submission"),
    ],
)
def test_a_submission_that_is_under_review_is_taken_without_a_venue(venue, venue_id):
    raw = read(venue, venue_id)
    assert isinstance(raw, RawPaper)
    assert (raw.venue, raw.year, raw.track) == (None, None, None)


def test_a_note_of_the_first_api_is_read_like_one_of_the_second():
    content = {"title": "Tides", "abstract": "Of tides.", "authors": ["Ada Lovelace"], "TL;DR": "They come and go."}
    note = {"id": "abCDefGH12", "forum": "abCDefGH12", "invitation": "ICLR.cc/2020/Conference/-/Blind_Submission"}
    raw = openreview.raw_paper({**note, "cdate": 1569439305770, "content": content}, where="record 1")

    assert (raw.title, raw.authors, raw.synopsis) == ("Tides", ("Ada Lovelace",), "They come and go.")
    assert (raw.venue, raw.year, raw.published_on.isoformat()) == ("ICLR", 2020, "2019-09-25")


@pytest.mark.parametrize("authors", [None, ["Anonymous"], "Anonymous", 7, []])
def test_anonymous_authors_are_none(authors):
    content = {**NOTE["content"], "authors": {"value": authors}}
    assert openreview.raw_paper({**NOTE, "content": content}, where="").authors == ()


@pytest.mark.parametrize(
    "reply",
    [
        {"id": "zzZZzzZZ99", "content": {"review": {"value": "Sound."}}},
        {"replyto": "abCDefGH12", "content": {"title": "Response", "comment": "Thanks."}},
        {"content": {"decision": "Accept"}},
    ],
)
def test_a_reply_is_no_paper(reply):
    refused = openreview.raw_paper({**NOTE, **reply}, where="record 2")
    assert refused == Refusal(where="record 2", why="It is a review or a comment, not a paper.")


def test_what_whoever_imports_says_counts_only_where_the_note_says_nothing():
    said = openreview.raw_paper(NOTE, where="", defaults=Defaults(venue="Sea", year=1999))
    assert (said.venue, said.year) == ("ICLR", 2024)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5) | st.just("value"), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from([*NOTE, "invitation", "replyto", "odate", "cdate"]), VALUES),
    st.dictionaries(st.sampled_from([*NOTE["content"], "pdf", "html", "TL;DR"]), VALUES),
)
def test_a_note_of_any_values_is_read_or_refused(note, content):
    found = openreview.raw_paper({**note, "content": content}, where="record 1")
    assert isinstance(found, RawPaper | Refusal)


def test_a_real_note_of_each_api(shared_data):
    samples = shared_data / "samples"
    first = openreview.raw_paper(json.loads((samples / "openreview_v1_note_real.json").read_bytes()), where="")
    assert (first.identifiers, len(first.authors), first.year) == (("openreview:ryxz8CVYDH",), 5, 2020)
    assert first.synopsis
    assert len(first.keywords) >= 3

    second = json.loads((samples / "openreview_v2_note_real.json").read_bytes())
    under_review = openreview.raw_paper(second.get("notes", [second])[0], where="")
    assert (under_review.venue, under_review.year, under_review.authors) == (None, None, ())
    assert under_review.abstract


def test_the_real_list_of_a_venue(shared_data):
    notes = json.loads((shared_data / "samples/openreview_v2_notes_iclr2024_reconstructed.json").read_bytes())["notes"]
    found = [openreview.raw_paper(note, where="") for note in notes]
    assert len(found) == 5
    assert {(raw.venue, raw.year) for raw in found} == {("ICLR", 2024)}
    assert all(raw.track and raw.authors and raw.published_on for raw in found)
