"""The custom ids of buttons that outlive a process: ``pr:<what>:<argument>…``, at most 100 characters.

The state of a button is its custom id, so that a button pressed after a restart, or after months,
still works. Each function makes an id; each template reads it.
"""

from bot.rendering import limits

SUMMARY = r"pr:summary:(?P<paper>\d{1,18})"
SIMILAR = r"pr:similar:(?P<paper>\d{1,18})"
PAPER = r"pr:paper:(?P<paper>\d{1,18})(?::(?P<mark>[a-z0-9]{1,25}))?"
RANDOM = r"pr:random:(?P<query>[\s\S]*)"

_LONGEST_QUERY = 80


def summary(paper_id: int) -> str:
    """Return the id of the button that summarises a paper."""
    return f"pr:summary:{paper_id}"


def similar(paper_id: int) -> str:
    """Return the id of the button that finds papers like one."""
    return f"pr:similar:{paper_id}"


def paper(paper_id: int, mark: str | None = None) -> str:
    """Return the id of the button that shows a paper; ``mark`` is that of the delivery it stands in."""
    return f"pr:paper:{paper_id}:{mark}" if mark else f"pr:paper:{paper_id}"


def random(query: str) -> str:
    """Return the id of the button that picks another paper for the same query.

    A query of more than 80 units does not fit; the button then picks among all papers.
    """
    return f"pr:random:{query if limits.units(query) <= _LONGEST_QUERY else ''}"


def mark_of(custom_id: str) -> str | None:
    """Return the delivery's mark that a custom id carries, if any."""
    head, _, mark = custom_id.rpartition(":")
    return mark if head.startswith("pr:paper:") else None
