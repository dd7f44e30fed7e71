"""Which papers an edition gets: pure."""

from collections.abc import Collection, Sequence


def pick(
    candidates: Sequence[int],
    *,
    fresh: Collection[int],
    had: Collection[int],
    had_today_in_channel: Collection[int],
    size: int,
    fill_up: bool,
) -> tuple[int, ...]:
    """Return the papers of an edition: new ones first, then, if wanted, older ones, best first in each.

    Args:
        candidates: the papers that match the topic, best first.
        fresh: those of them that the library did not have when the subscription last had an edition.
        had: papers that the subscription has had; none comes twice, ever.
        had_today_in_channel: papers that another subscription brought to the channel today.
        size: the most papers, at least 1.
        fill_up: whether older papers fill the edition up.

    Returns:
        At most ``size`` ids, no id twice; fewer, or none, where there are no more.
    """
    open_to_it = [one for one in dict.fromkeys(candidates) if one not in had and one not in had_today_in_channel]
    new = [one for one in open_to_it if one in fresh]
    older = [one for one in open_to_it if one not in fresh] if fill_up else []
    return tuple([*new, *older][:size])
