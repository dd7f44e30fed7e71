"""Identifiers in every spelling, and texts that are the same although they look different."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.sources import identity


@pytest.mark.parametrize(
    ("written", "bare"),
    [
        ("2305.20050", "arxiv:2305.20050"),
        ("arXiv:2305.20050v3", "arxiv:2305.20050"),
        ("https://arxiv.org/abs/2305.20050v1", "arxiv:2305.20050"),
        ("http://www.arxiv.org/pdf/2305.20050v2.pdf?download=1", "arxiv:2305.20050"),
        ("0704.0001", "arxiv:0704.0001"),
        ("math.VX/0012133", "arxiv:math.VX/0012133"),
        ("solv-int/9701001v2", "arxiv:solv-int/9701001"),
        ("https://arxiv.org/abs/hep-th/9901001", "arxiv:hep-th/9901001"),
        ("cond-mat.stat-mech/0101001v1", "arxiv:cond-mat.STAT-MECH/0101001"),
        ("2399.20050", None),
        ("not an id", None),
        ("", None),
    ],
)
def test_an_arxiv_id_loses_its_version_and_nothing_else(written, bare):
    assert identity.arxiv(written) == bare


def test_an_old_arxiv_id_is_known_with_and_without_its_subject_class():
    assert identity.spellings(["arxiv:math.GT/0309136"]) == ("arxiv:math.GT/0309136", "arxiv:math/0309136")


@pytest.mark.parametrize(
    ("written", "bare"),
    [
        ("10.1609/AAAI.v37i13.26895", "doi:10.1609/aaai.v37i13.26895"),
        ("https://doi.org/10.1109/CVPR52729.2023.00278.", "doi:10.1109/cvpr52729.2023.00278"),
        ("http://dx.doi.org/10.1000%2FABC", "doi:10.1000/abc"),
        ("doi: 10.48550/arXiv.2305.20050", "arxiv:2305.20050"),
        ("10.5", None),
    ],
)
def test_a_doi_is_one_in_any_case_and_address(written, bare):
    assert identity.doi(written) == bare


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://openreview.net/forum?id=v8L0pN6EOi", "openreview:v8L0pN6EOi"),
        ("https://openreview.net/forum?noteId=xx1&id=v8L0pN6EOi", "openreview:v8L0pN6EOi"),
        ("https://openreview.net/pdf?id=v8L0pN6EOi", "openreview:v8L0pN6EOi"),
        ("https://aclanthology.org/P18-1069/", "acl:P18-1069"),
        ("https://aclanthology.org/2022.findings-emnlp.88.pdf", "acl:2022.findings-emnlp.88"),
        ("https://example.org/forum?id=v8L0pN6EOi", None),
    ],
)
def test_an_address_of_a_known_site_is_an_identifier(url, name):
    assert identity.from_address(url) == name


@pytest.mark.parametrize(
    ("own", "name"),
    [
        ("v8L0pN6EOi", "openreview:v8L0pN6EOi"),
        ("arXiv:2506.05924", "arxiv:2506.05924"),
        ("W16-4822", "acl:W16-4822"),
        ("nips2018:11849", "nips2018:11849"),
        ("cvpr2019:", None),
        ("17", None),
        ("paper-0012", None),
        ("title:anything", None),
    ],
)
def test_an_own_id_counts_only_when_it_can_be_no_other_papers(own, name):
    assert identity.from_record_id(own) == name


SPELLINGS = [
    lambda text: text if "\\" in text else text.upper(),
    lambda text: text.replace(" ", "\n  "),
    lambda text: text.replace("-", "\u2011"),
    lambda text: text.replace("forty", "for-\nty"),
    lambda text: text.replace(", ", " — ").replace('"', "“"),
    lambda text: text.replace("$\\mathcal{L}(\\theta) = \\sum_{i} \\log p_{\\theta}(y_i)$", "ℒ(θ) = ∑ᵢ log p_θ(yᵢ)"),
    lambda text: text.replace("$O(n \\log n)$", "\\(O(n\\log{n})\\)"),
    lambda text: text.replace("a method", "\\emph{a method}").replace("61%", "61\\%"),
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_text_keeps_its_id_however_it_is_set(made, spelling):
    for text in (made.TIDES, made.ROOFS, made.BEES):
        assert identity.fingerprint(spelling(text)).text_id == identity.fingerprint(text).text_id


def test_other_texts_have_other_ids_and_do_not_resemble_each_other(made):
    one, two, three = map(identity.fingerprint, (made.TIDES, made.ROOFS, made.BEES))

    assert len({one.text_id, two.text_id, three.text_id}) == 3
    assert identity.resemblance(one.runs, two.runs) < 0.1
    assert not set(identity.bands(one.runs)) & set(identity.bands(three.runs))


def test_a_text_that_lacks_a_sentence_resembles_the_whole(made):
    for text in (made.TIDES, made.ROOFS, made.BEES):
        sentences = text.split(". ")
        for number in range(len(sentences)):
            part = ". ".join(sentences[:number] + sentences[number + 1 :])
            one, two = identity.fingerprint(text), identity.fingerprint(part)
            assert identity.resemblance(one.runs, two.runs) >= identity.ATTACHED_TEXT
            assert set(identity.bands(one.runs)) & set(identity.bands(two.runs))


def test_resemblance_is_the_share_of_common_runs_of_words():
    numbers = random.Random(7)
    words = ["".join(numbers.choices("abcdefghij", k=7)) for _ in range(800)]
    one = identity.fingerprint(" ".join(words[:500])).runs
    other = identity.fingerprint(" ".join(words[300:])).runs

    # 197 of 797 runs of four words are in both.
    assert identity.resemblance(one, other) == pytest.approx(197 / 797, abs=0.001)


def test_a_fingerprint_is_the_same_on_every_machine_and_python():
    known = identity.fingerprint(" ".join(f"word{'abcdefghij'[n % 10]}{'klmnopqrst'[n // 10]}" for n in range(60)))

    assert known.text_id == "text:96064a65b7925474"
    assert known.runs.hex().startswith("0278cd570300e4e403aa1adb049608cf")
    assert len(known.runs) == 57 * 4


def test_texts_taken_together_are_known_by_what_each_is_known_by_alone(made):
    texts = [made.TIDES, None, "Too short.", made.ROOFS, made.ROOFS, "naïve Ω-words " * 40, made.BEES]
    together = identity.fingerprints(texts)
    assert together == [identity.fingerprint(text) for text in texts]

    runs = [known.runs for known in together if known.runs is not None]
    assert len(runs) == 5
    assert identity.bands_of(runs) == [identity.bands(one) for one in runs]


@pytest.mark.parametrize("text", [None, "", "Too short to tell.", "word " * 24])
def test_a_short_text_is_not_recognised_by_its_words(text):
    assert identity.fingerprint(text) == identity.NO_FINGERPRINT


def test_a_title_is_one_in_any_setting():
    keys = {
        identity.title_key(title)
        for title in (
            "Learning $k$-Means: A Naïve View",
            "LEARNING K-MEANS — a naive view.",
            "Learning K‑means a Naive View",
        )
    }
    assert len(keys) == 1


@given(st.text())
def test_any_text_has_a_key_and_a_fingerprint(text):
    identity.title_key(text)
    known = identity.fingerprint(text * 5)
    assert known.runs is None or len(identity.bands(known.runs)) == 12
    for parse in (identity.arxiv, identity.doi, identity.openreview, identity.acl, identity.from_record_id):
        name = parse(text)
        assert name is None or ":" in name
