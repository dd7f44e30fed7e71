"""Discord's ids: the moment of creation in the upper bits, so that they sort by time."""

import datetime as dt
from collections.abc import Callable

Now = Callable[[], dt.datetime]

EPOCH = dt.datetime(2015, 1, 1, tzinfo=dt.UTC)
_TIME_SHIFT = 22
_COUNTER_MASK = (1 << _TIME_SHIFT) - 1


def at(moment: dt.datetime) -> int:
    """Return the smallest id of the millisecond of ``moment``; fit for ``after`` and ``before``."""
    return ((moment - EPOCH) // dt.timedelta(milliseconds=1)) << _TIME_SHIFT


def moment_of(snowflake: int) -> dt.datetime:
    """Return when the thing with this id was made, to the millisecond."""
    return EPOCH + dt.timedelta(milliseconds=snowflake >> _TIME_SHIFT)


class Snowflakes:
    """Ids that no two things share, taken from a clock that may stand still.

    Discord keeps worker and process numbers in the lower bits; here all of them count, so that four
    million things can be made before a standing clock must move.
    """

    def __init__(self, now: Now) -> None:
        self._now = now
        self._count = 0

    def __call__(self) -> int:
        self._count = (self._count + 1) & _COUNTER_MASK
        return at(self._now()) | self._count
