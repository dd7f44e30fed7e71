"""Two bots on one store would both deliver; only one may run."""

from pathlib import Path

import pytest

from bot.errors import StoreError
from bot.store.claim import Claim


def test_a_second_claim_is_refused_until_the_first_is_given_back(tmp_path: Path):
    with Claim(tmp_path / "library.db"):
        with pytest.raises(StoreError, match="Another Paper Round is running"), Claim(tmp_path / "library.db"):
            pass
        with Claim(tmp_path / "other.db"):
            pass
    with Claim(tmp_path / "library.db"):
        pass
