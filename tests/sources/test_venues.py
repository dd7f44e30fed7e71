"""The short names of venues."""

import pytest

from bot.sources.venues import short_venue, venue_year_track


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("The Twelfth International Conference on Learning Representations", "ICLR"),
        ("International Conference on Learning Representations, {ICLR} 2024, Vienna, Austria", "ICLR"),
        ("Findings of the Association for Computational Linguistics: EMNLP 2020", "EMNLP Findings"),
        ("Proceedings of the 62nd Annual Meeting of the Association for Computational Linguistics (Volume 1)", "ACL"),
        ("Proceedings of the 2024 Conference on Empirical Methods in Natural Language Processing", "EMNLP"),
        ("Advances in Neural Information Processing Systems 36", "NeurIPS"),
        ("Proceedings of the 38th International Conference on Machine Learning", "ICML"),
        ("2022 IEEE/CVF Conference on Computer Vision and Pattern Recognition (CVPR)", "CVPR"),
        ("IEEE/CVF International Conference on Computer Vision, {ICCV} 2023", "ICCV"),
        ("Trans. Mach. Learn. Res.", "Trans. Mach. Learn. Res."),
        ("Transactions on Machine Learning Research", "TMLR"),
        ("CoRR", "arXiv"),
        ("arXiv preprint arXiv:2401.00001", "arXiv"),
        ("ICLR 2024 Workshop on Tides", "ICLR 2024 Workshop on Tides"),
        ("Journal of the Sea", "Journal of the Sea"),
        ("Submitted to The Fourteenth International Conference on Learning Representations", None),
        ("", None),
        (None, None),
    ],
)
def test_a_venue_is_made_short_only_beyond_doubt(name, short):
    assert short_venue(name) == short


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("ICLR 2024 oral", ("ICLR", 2024, "oral")),
        ("NeurIPS 2023 Poster", ("NeurIPS", 2023, "poster")),
        ("ICML 2022", ("ICML", 2022, None)),
        ("TMLR", ("TMLR", None, None)),
        ("", (None, None, None)),
    ],
)
def test_a_venue_of_openreview_says_year_and_track_too(said, parts):
    assert venue_year_track(said) == parts
