"""What the bot counts, in the form that Prometheus reads."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.process_collector import ProcessCollector

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
"""The media type of ``Metrics.exposition``."""

_LATE_SECONDS = (1, 5, 15, 30, 60, 300, 900, 3600, 14400, 43200)


class Metrics:
    """The counters of one running bot, in a registry of their own.

    Attributes:
        answers: commands and buttons answered, by ``outcome``: ``ok``, or the code of the error.
        editions: editions composed, by ``state``.
        deliveries: deliveries that came to an end, by ``state``.
        lateness: seconds from the moment an edition was due to the moment Discord had it.
        waiting: deliveries that are under way.
    """

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self.answers = Counter("paperround_answers", "Commands and buttons answered.", ["outcome"], registry=registry)
        self.editions = Counter(
            "paperround_editions", "Editions, by what became of them.", ["state"], registry=registry
        )
        self.deliveries = Counter(
            "paperround_deliveries", "Deliveries that came to an end.", ["state"], registry=registry
        )
        self.lateness = Histogram(
            "paperround_lateness_seconds",
            "From the moment an edition was due to the moment Discord had it.",
            buckets=_LATE_SECONDS,
            registry=registry,
        )
        self.waiting = Gauge("paperround_deliveries_waiting", "Deliveries that are under way.", registry=registry)
        ProcessCollector(registry=registry)

    def exposition(self) -> bytes:
        """Return every value in Prometheus' text format, of the type ``CONTENT_TYPE``."""
        return generate_latest(self._registry)
