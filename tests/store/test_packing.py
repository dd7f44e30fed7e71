"""The long texts of a paper in one stream."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import StoreError
from bot.store.packing import Original, pack, unpack, unpack_abstract

SENTENCE = "Nine harbours lent us their gauges, and every gauge had drifted by a hand's breadth in forty years. "


@given(
    abstract=st.none() | st.text(st.characters(exclude_categories=["Cs"])),
    records=st.lists(st.text(st.characters(codec="ascii")), max_size=3),
)
def test_what_was_packed_comes_back(abstract, records):
    originals = tuple(Original(source=f"s{n}", record=record) for n, record in enumerate(records))
    size, packed = pack(abstract, originals)

    assert unpack_abstract(size, packed) == abstract
    assert unpack(size, packed) == (abstract, originals)


def test_an_original_that_repeats_the_abstract_costs_little():
    abstract = "".join(f"{n} {SENTENCE}" for n in range(12))
    alone = len(pack(abstract, ())[1])
    both = len(pack(abstract, [Original(source="a", record=abstract)])[1])

    assert both < alone * 1.3


@pytest.mark.parametrize("damaged", [b"", b"no deflate stream at all"])
def test_damage_is_told_with_what_to_do(damaged):
    with pytest.raises(StoreError, match="Restore a backup"):
        unpack(3, damaged)
