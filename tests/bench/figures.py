"""What measurements are told in: percentiles, ranks, evenness."""

import math
import statistics
from collections.abc import Sequence
from typing import Any

from known_items import CLASSES


def percentiles(milliseconds: Sequence[float]) -> dict[str, float]:
    ordered = sorted(milliseconds)
    p50, p99 = (ordered[min(int(len(ordered) * share), len(ordered) - 1)] for share in (0.5, 0.99))
    return {"p50_ms": round(p50, 2), "p99_ms": round(p99, 2), "max_ms": round(ordered[-1], 2)}


def figures(places: Sequence[int]) -> dict[str, float]:
    """Return the figures of ranks, where 0 stands for not among the first ten."""
    return {
        "n": len(places),
        "mrr": round(statistics.mean(1 / place if place else 0 for place in places), 4),
        "r1": round(statistics.mean(place == 1 for place in places), 4),
        "r5": round(statistics.mean(1 <= place <= 5 for place in places), 4),
    }


def over_classes(places: dict[str, list[int]]) -> dict[str, Any]:
    classes = {name: figures(places[name]) for name in CLASSES if name in places}
    mean = {key: round(statistics.mean(one[key] for one in classes.values()), 4) for key in ("mrr", "r1", "r5")}
    return {**mean, "classes": classes}


def chi_square(counts: Sequence[int]) -> float:
    """Return the probability of counts this uneven where all are equally likely (Wilson and Hilferty 1931)."""
    mean = sum(counts) / len(counts)
    free = len(counts) - 1
    square = sum((count - mean) ** 2 for count in counts) / mean
    z = ((square / free) ** (1 / 3) - (1 - 2 / (9 * free))) / math.sqrt(2 / (9 * free))
    return 0.5 * math.erfc(z / math.sqrt(2))
