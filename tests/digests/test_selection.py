from hypothesis import given
from hypothesis import strategies as st

from bot.digests.selection import pick

IDS = st.integers(1, 30)


def test_new_papers_come_before_better_older_ones() -> None:
    assert pick([1, 2, 3, 4], fresh={3, 4}, had=(), had_today_in_channel=(), size=3, fill_up=True) == (3, 4, 1)


def test_without_filling_up_only_new_papers_come() -> None:
    assert pick([1, 2, 3], fresh={3}, had=(), had_today_in_channel=(), size=3, fill_up=False) == (3,)


@given(
    candidates=st.lists(IDS),
    fresh=st.sets(IDS),
    had=st.sets(IDS),
    today=st.sets(IDS),
    size=st.integers(1, 10),
    fill_up=st.booleans(),
)
def test_no_paper_comes_again(
    candidates: list[int], fresh: set[int], had: set[int], today: set[int], size: int, fill_up: bool
) -> None:
    picked = pick(candidates, fresh=fresh, had=had, had_today_in_channel=today, size=size, fill_up=fill_up)
    assert len(picked) == len(set(picked)) <= size
    assert not set(picked) & (had | today)
    assert set(picked) <= set(candidates)
    possible = set(candidates) - had - today if fill_up else set(candidates) & fresh - had - today
    assert len(picked) == min(size, len(possible))
