"""Papers of the Semantic Scholar graph, alone and in lists of citations."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.models import Refusal
from bot.sources.base import INDEXED, Defaults, RawPaper
from bot.sources.formats import semantic_scholar

PAPER = {
    "paperId": "f" * 40,
    "externalIds": {"ArXiv": "2401.00001v2", "DOI": "10.1000/ABC", "ACL": "2024.sea-1.1", "CorpusId": 7},
    "title": "Tides, Learnt",
    "abstract": "Of tides.",
    "venue": "Neural Information Processing Systems",
    "year": 2024,
    "publicationDate": "2024-01-02",
    "authors": [{"authorId": "1", "name": "Ada Lovelace"}, {"authorId": None, "name": None}],
    "tldr": {"model": "v2", "text": "They can be learnt."},
    "citations": [{"paperId": "e" * 40, "title": "Bees"}],
}


@pytest.mark.parametrize("wrapper", [None, "citedPaper", "citingPaper"])
def test_a_paper_is_read_alone_and_wrapped(wrapper):
    record = {wrapper: PAPER, "isInfluential": True} if wrapper else PAPER
    assert semantic_scholar.is_paper(record)
    raw = semantic_scholar.raw_paper(record, where="record 1")

    assert (raw.title, raw.abstract, raw.synopsis) == ("Tides, Learnt", "Of tides.", "They can be learnt.")
    assert raw.identifiers == ("acl:2024.sea-1.1", "arxiv:2401.00001", "doi:10.1000/abc")
    assert (raw.venue, raw.year, raw.published_on.isoformat()) == ("NeurIPS", 2024, "2024-01-02")
    assert (raw.authors, raw.trust) == (("Ada Lovelace",), INDEXED)
    assert "citations" not in raw.record


@pytest.mark.parametrize("record", [{"paperId": "f" * 40}, {**PAPER, "title": None}, {"citedPaper": {"title": " "}}])
def test_a_paper_without_a_title_is_refused_with_advice(record):
    refused = semantic_scholar.raw_paper(record, where="record 2")
    assert refused.where == "record 2"
    assert "title" in refused.why


@pytest.mark.parametrize("field", ["externalIds", "tldr", "authors", "abstract", "venue", "publicationDate", "year"])
@pytest.mark.parametrize("value", [None, 5, "", [], {}, [None], {"text": 5}])
def test_a_field_of_another_kind_is_left_out(field, value):
    raw = semantic_scholar.raw_paper({**PAPER, field: value}, where="", defaults=Defaults(venue="Sea"))
    assert isinstance(raw, RawPaper)
    assert raw.title == "Tides, Learnt"


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(PAPER)), st.none() | st.text() | st.lists(st.integers()) | st.floats()))
def test_any_values_are_read_or_refused(values):
    assert isinstance(semantic_scholar.raw_paper(values, where=""), RawPaper | Refusal)


def test_the_real_answers(shared_data):
    samples = shared_data / "samples"
    full = semantic_scholar.raw_paper(json.loads((samples / "s2_paper_full.json").read_bytes()), where="")
    assert (full.title, full.year) == ("Computing Machinery and Intelligence", 1950)
    assert full.identifiers == ("doi:10.1093/mind/lix.236.433",)
    assert full.synopsis

    references = json.loads((samples / "s2_paper_references.json").read_bytes())["data"]
    assert len(references) == 40
    assert all(isinstance(semantic_scholar.raw_paper(one, where=""), RawPaper) for one in references)

    batch = json.loads((samples / "s2_paper_batch.json").read_bytes())
    assert all(isinstance(semantic_scholar.raw_paper(one, where=""), Refusal) for one in batch)
