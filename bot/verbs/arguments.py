"""What the verbs' parsers share."""

import argparse
from collections.abc import Callable
from typing import TypeAlias

Verbs: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # pyright: ignore[reportPrivateUsage]
"""argparse's own type for what ``add_subparsers`` returns; it has no public name."""


def between(lowest: int, highest: int) -> Callable[[str], int]:
    """Return a reader of whole numbers in ``lowest..highest``, for argparse's ``type``."""

    def whole_number(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = lowest - 1
        if not lowest <= number <= highest:
            raise argparse.ArgumentTypeError(f"give a whole number from {lowest} to {highest}")
        return number

    return whole_number
