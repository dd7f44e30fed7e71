"""Papers of Hugging Face: an entry of a day, and a paper alone."""

import datetime as dt
import json

import pytest

from bot.sources.formats import json_document
from tests.sources.formats.conftest import ABSTRACT

PAPER = {
    "id": "2401.00001",
    "authors": [{"_id": "65", "name": "Ada Lovelace", "hidden": False}, {"_id": "66", "name": "Grace Hopper"}],
    "publishedAt": "2024-01-02T00:00:00.000Z",
    "title": "Tides, Learnt",
    "summary": ABSTRACT,
    "upvotes": 7,
}


@pytest.mark.parametrize(
    "content",
    [PAPER, [PAPER], {"paper": PAPER, "title": "Tides, Learnt"}, [{"paper": PAPER, "submittedBy": {"name": "x"}}]],
    ids=["alone", "a list of papers", "an entry", "a list of entries"],
)
def test_a_paper_is_read_alone_and_as_an_entry(content):
    (paper,) = json_document.read([json.dumps(content, indent=1).encode()])

    assert (paper.title, paper.abstract) == ("Tides, Learnt", ABSTRACT)
    assert (paper.authors, paper.identifiers) == (("Ada Lovelace", "Grace Hopper"), ("arxiv:2401.00001",))
    assert (paper.venue, paper.year, paper.published_on) == ("arXiv", 2024, dt.date(2024, 1, 2))
    assert paper.url == "https://arxiv.org/abs/2401.00001"


def test_a_paper_with_an_unknown_id_has_no_identifier():
    (paper,) = json_document.read([json.dumps([{"paper": {**PAPER, "id": "tides"}}]).encode()])
    assert (paper.identifiers, paper.url, paper.venue) == ((), None, None)
