import json
import os
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import InvalidInput
from bot.models import Paper, SummaryOf
from bot.summaries.features import of_sentences
from bot.summaries.summarizer import Summarizer

TITLE = "Sparse Gates for Faster Graph Networks"
ABSTRACT = (
    "Graph networks are used for molecules, traffic and friendships. However, they are slow on large graphs. "
    "In this paper, we propose sparse gates, a layer that lets graph networks skip most of their edges. "
    "It needs no new hyperparameter. On five tasks the gates halve the time and keep the accuracy. "
    "Code is available at https://example.org/gates."
)
RANKERS = Summarizer.ranker_names()


def test_the_default_picks_the_sentence_that_says_what_the_paper_does():
    summary = Summarizer().summarize(Paper(id=1, title=TITLE, abstract=ABSTRACT))

    assert summary.indexes == (2,)
    assert summary.text.startswith("In this paper, we propose sparse gates")
    assert (summary.ranker, summary.of) == ("learned", SummaryOf.ABSTRACT)


@pytest.mark.parametrize("ranker", RANKERS)
@pytest.mark.parametrize("count", [1, 2, 5, 10])
def test_sentences_are_verbatim_in_order_and_as_many_as_asked(ranker: str, count: int):
    indexes, sentences = Summarizer().summarize_text(TITLE, ABSTRACT, count=count, ranker=ranker)

    assert len(sentences) == len(indexes) == min(count, 6)
    assert list(indexes) == sorted(set(indexes))
    positions = [ABSTRACT.index(sentence) for sentence in sentences]
    assert positions == sorted(positions)


@pytest.mark.parametrize("ranker", RANKERS)
def test_the_same_text_has_the_same_summary(ranker: str):
    first = Summarizer(ranker).summarize_text(None, ABSTRACT, count=2)

    assert all(Summarizer(ranker).summarize_text(None, ABSTRACT, count=2) == first for _ in range(3))


def test_the_summary_does_not_depend_on_the_process():
    """sumy's LSA went through a set in hash order, which every process shuffles anew."""
    program = (
        "from bot.summaries.summarizer import Summarizer\n"
        f"words = {ABSTRACT!r}.split()\n"
        "texts = [[' '.join(words[i : i + 4]) for i in range(start, 60, 3)] for start in range(30)]\n"
        "print([Summarizer(r).summarize_text(None, t, count=2)[0] for r in Summarizer.ranker_names() for t in texts])\n"
    )
    root = Path(__file__).resolve().parents[2]
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }

    assert len(printed) == 1


@pytest.mark.parametrize("ranker", RANKERS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("  \n ", ()),
        ("Only one sentence.", ("Only one sentence.",)),
        (["++", "=", "∑ ≥ √"], ("++",)),
        (["Same words here."] * 9, ("Same words here.",)),
        (["", "?", "Words at last.", "!"], ("Words at last.",)),
    ],
)
def test_odd_texts_are_no_error(ranker: str, text: str | list[str], expected: tuple[str, ...]):
    assert Summarizer(ranker).summarize_text(TITLE, text, count=1)[1] == expected


@pytest.mark.parametrize("ranker", RANKERS)
def test_equal_sentences_are_not_said_twice(ranker: str):
    sentences = ["We like it.", "We like it.", "They count trees.", "We like it."]

    assert Summarizer(ranker).summarize_text(None, sentences, count=2)[0] == (0, 2)


@pytest.mark.parametrize("ranker", RANKERS)
@given(
    st.lists(st.sampled_from(["a", "the of", "We propose x.", "x = 1", "É.", "7", "", "of the", "a b c d"]), max_size=8)
)
@settings(max_examples=60, deadline=None)
def test_no_list_of_sentences_is_an_error(ranker: str, sentences: list[str]):
    indexes, chosen = Summarizer(ranker).summarize_text(None, sentences, count=2)

    assert len(chosen) <= 2
    assert [sentences[index] for index in indexes] == list(chosen)


@pytest.mark.parametrize("ranker", RANKERS)
@pytest.mark.parametrize(
    "text",
    [
        " ".join(f"Sentence {number} tells of thing {number % 17} and w{number}." for number in range(2300)),
        "word " * 20_000,
        "a. " * 33_000,
    ],
    ids=["many sentences", "one sentence", "tiny sentences"],
)
def test_the_cost_of_a_long_text_grows_with_its_length(grows_with_its_input, ranker: str, text: str):
    summarizer = Summarizer(ranker)
    _, sentences = summarizer.summarize_text(TITLE, text, count=3)
    assert len(sentences) <= 3
    grows_with_its_input(lambda size: summarizer.summarize_text(TITLE, text[:size], count=3), 12_500)


def test_the_synopsis_stands_in_for_a_missing_abstract():
    summary = Summarizer().summarize(Paper(id=1, title=TITLE, synopsis="A layer skips edges. It is fast."))

    assert summary.of is SummaryOf.SYNOPSIS
    assert len(summary.sentences) == 1


def test_a_paper_without_text_has_an_empty_summary():
    summary = Summarizer().summarize(Paper(id=1, title=TITLE))

    assert (summary.sentences, summary.indexes, summary.of) == ((), (), SummaryOf.NOTHING)


def test_a_title_made_from_the_text_is_no_evidence():
    paper = Paper(
        id=1, title="Graph networks are used for molecules, traffic and friendships", title_made=True, abstract=ABSTRACT
    )

    assert Summarizer().summarize(paper).indexes == Summarizer().summarize_text(None, ABSTRACT, count=1)[0]


def test_every_feature_has_a_weight_and_every_weight_a_feature():
    shipped = resources.files("bot.summaries").joinpath("learned.json").read_text(encoding="utf-8")

    assert set(json.loads(shipped)["weights"]) == set(of_sentences(["We count.", "We sort."], "Counting")[0])


def test_two_sentences_do_not_say_the_same():
    proposal = "We propose sparse gates, a layer that skips edges of graph networks."
    sentences = [
        "Graph networks are slow.",
        proposal,
        proposal.replace("propose", "introduce").replace("layer", "new layer"),
        "Experiments on five datasets show that they halve the time of training.",
    ]

    assert Summarizer().summarize_text(TITLE, sentences, count=2)[0] != (1, 2)


def test_a_sentence_that_leans_on_another_does_not_stand_alone_when_another_is_as_good():
    told = "We propose sparse gates for graph networks."
    sentences = ["Graphs are large and many.", f"However, {told[0].lower()}{told[1:]}", told]

    assert Summarizer().summarize_text(TITLE, sentences, count=1)[1] == (told,)


def test_a_corrected_abstract_has_a_new_summary():
    summarizer = Summarizer()
    before = summarizer.summarize(Paper(id=1, title=TITLE, abstract=ABSTRACT))
    corrected = ABSTRACT.replace("we propose sparse gates", "we present thin doors")

    assert summarizer.summarize(Paper(id=1, title=TITLE, abstract=ABSTRACT)) == before
    assert "thin doors" in summarizer.summarize(Paper(id=1, title=TITLE, abstract=corrected)).text


def test_an_unknown_ranker_is_refused_with_those_that_exist():
    with pytest.raises(InvalidInput) as refusal:
        Summarizer().summarize_text(None, ABSTRACT, count=1, ranker="pagerank")

    assert all(name in refusal.value.sentence for name in ("pagerank", *RANKERS))
    with pytest.raises(InvalidInput):
        Summarizer("gpt")


@pytest.mark.parametrize("count", [0, -1, 11])
def test_a_number_of_sentences_out_of_range_is_refused(count: int):
    with pytest.raises(InvalidInput, match="1 to 10"):
        Summarizer().summarize(Paper(id=1, title=TITLE, abstract=ABSTRACT), sentences=count)


def test_every_ranker_works_without_nltk_data_and_without_a_network(tmp_path: Path):
    program = (
        "import socket, sys\n"
        "def refuse(*_): raise OSError('no network')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from bot.summaries.summarizer import Summarizer\n"
        "assert 'sumy' not in sys.modules\n"
        "for name in Summarizer.ranker_names():\n"
        f"    print(name, Summarizer(name).summarize_text(None, {ABSTRACT!r}, count=2)[0])\n"
    )
    root = Path(__file__).resolve().parents[2]
    clean = {"HOME": str(tmp_path), "NLTK_DATA": str(tmp_path), "PYTHONPATH": str(root), "PATH": "/usr/bin:/bin"}
    run = subprocess.run(
        [sys.executable, "-c", program], env=clean, cwd=tmp_path, capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stderr
    assert len(run.stdout.splitlines()) == len(RANKERS)
