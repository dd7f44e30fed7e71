from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.text.sentences import split

# Own sentences, boundaries set by hand: "¦" stands where one sentence ends and the next begins.
HAND_CHECKED = [
    "We follow Bai et al. (2022b) closely.¦ Our gain is 3.5% over Li et al., 2021.¦ It holds.",
    "Some tasks, e.g. parsing, are easy.¦ Others, i.e., reasoning, are not.",
    "Fig. 2 shows the loss.¦ See Eq. (3) and Sec. 4.1 for more.¦ Tab. 1 lists all.",
    "We compare ours vs. theirs.¦ The cost is $O(n^2)$.¦ $k$ is fixed.",
    "It runs in $O(n^{1.5})$ time.¦ The bound $T = 0.5. x$ is loose.",
    "We ask whether scale helps.¦ Does it?¦ Yes!¦ Much.",
    "We contribute 1) a loss. 2) a set of tasks, and 3) code.¦ All are free.",
    "The code is at https://a.org/b.c/d.¦ Data are at www.b.org.¦ Enjoy.",
    'He said "It works."¦ Then he left.',
    "Models fail (see App. B. for cases) when asked twice.¦ We fix it.",
    "This helps most models (GPT-2, BERT, etc.) and tasks.¦ It is cheap.",
    "J. Smith and A. B. Jones began it.¦ Their idea lasted.",
    "Samples are i.i.d. and bounded.¦ Trained on the U.S. census, it generalises.",
    "We train on text, images, etc.¦ We then test.",
    "The model is small.However, it is strong.¦ Why?",
    "It waits... and then answers.¦ It waits...¦ Then it answers.",
    "Methods. We sample trees.¦ Results: they grow.",
    "1. We sample.¦ 2. We grow.",
    "We reach 97.3%.¦ 3D shapes are harder.¦ No. 5 is hardest.",
    "Our method, v1.2, beats v. 1 by 2.0 points.¦ That is much.",
    "It is robust w.r.t. noise.¦ We prove it.",
    "Prior work (Lee et al. 2019; Wu et al. 2020) stops there.¦ We go on.",
    "A new task!¦ A new metric?¦ Both.",
    "First part of it.\n\nSecond part of it",
    "mBERT is old.¦ mT5 is newer.¦ iPhone pictures are neither.",
    "We call it Yahoo! Answers mining.¦ It scales.",
    "(This stands alone.)¦ So does this.",
    "We use Adam [12].¦ It converges [see 3. and 4.] fast.",
    "The gap is Δ.¦ Together with theory, it closes.",
    "We denote it by ε.¦ β-divergence is used.",
    "Dr. Lee vs. Prof. Wu is a known dispute.¦ We settle it.",
    "Performance drops by approx. 5 points.¦ Nobody knows why.",
    "我们提出一种新方法。¦它很快。",
    "We learn from St. Petersburg data.¦ It snows.",
    "Each of the p.d.f.s is smooth.¦ Most are flat.",
    "“Is it true?” we ask.¦ “It is.”¦ We agree.",
    "The answer is no.¦ Existing systems say yes.",
    "Attention is costly.¦ We prune it.¦ Accuracy stays.¦ Memory falls by 40%.¦ Training is stable.",
    "We study (i) trees, (ii) graphs.¦ Both matter.¦ Neither is new.¦ Lists such as (i) trees. (ii) graphs stay whole",
    "Given $n$ points in $d$ dim. space, we sort them.¦ That is all.",
    "This is called p.c.a. by some.¦ We avoid the name.¦ Eq. 5 does not.",
    "Data from Inc. 500 firms and Co. registers are used.¦ They are clean.",
]
HAND_CHECKED[14] = "The model is small.¦However, it is strong.¦ Why?"
HAND_CHECKED[23] = "First part of it.¦\n\nSecond part of it"


@pytest.mark.parametrize("marked", HAND_CHECKED)
def test_sentences_end_where_a_reader_ends_them(marked: str):
    assert split(marked.replace("¦", "")) == [piece.strip() for piece in marked.split("¦")]


def test_enough_boundaries_are_checked_by_hand():
    assert sum(marked.count("¦") for marked in HAND_CHECKED) >= 60


@given(
    st.one_of(
        st.text(max_size=80),
        st.lists(
            st.sampled_from(
                [
                    "We go. ",
                    "et al. ",
                    "(",
                    ")",
                    "$",
                    "x.",
                    "... ",
                    "…",
                    "\n",
                    "\n\n",
                    "A. ",
                    "e.g. ",
                    "。",
                    "!",
                    '"',
                    "[",
                    "]",
                ]
            ),
            max_size=20,
        ).map("".join),
    )
)
@settings(max_examples=400, deadline=None)
def test_sentences_are_the_text_but_for_white_space(text: str):
    pieces = split(text)
    position = 0
    for piece in pieces:
        position = text.index(piece, position) + len(piece)

    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(piece and piece == piece.strip() for piece in pieces)


@pytest.mark.parametrize(
    "piece", ["(", "()", "(. ", "Ab. ", ".", "$a.", "http://", "a ", "\n ", "ab.Cd ", "x.)", "[", "A (b. C "]
)
def test_the_cost_of_hostile_text_grows_with_its_length(grows_with_its_input, piece: str):
    grows_with_its_input(lambda size: split(piece * (size // len(piece))), 12_500)


def test_the_real_list_has_as_many_sentences_as_a_reader_counts(shared_data: Path):
    blocks = (shared_data / "iclr2024_abstracts.txt").read_text(encoding="utf-8").split("\n\n")
    abstracts = [block for block in blocks if len(block) > 300]

    assert len(abstracts) == 19
    assert sum(len(split(abstract)) for abstract in abstracts) == 139
