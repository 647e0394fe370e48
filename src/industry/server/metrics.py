"""Metrics for Prometheus (`/metrics`)."""

from collections.abc import Iterable

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    disable_created_metrics,
    generate_latest,
)

CONTENT_TYPE = CONTENT_TYPE_LATEST
LATENCY = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
THINKING = (0.005, 0.02, 0.1, 0.5, 1, 2, 5, 15)
BATCH = (1, 2, 4, 8, 16, 32, 64, 128)

# the creation times of counters are of no use
disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """The metrics of one server. Tables, seats and players are never labels."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._moves_by: dict[str, Counter] = {}
        self._add_moves()
        self._add_store()
        self._add_connections()
        self._add_notices()
        self._add_bots()

    def _add_moves(self) -> None:
        registry = self.registry
        self.moves = Counter(
            "industry_moves_total",
            "Moves that became durable, by who made them.",
            ["how"],
            registry=registry,
        )
        self.latency = Histogram(
            "industry_command_seconds",
            "From a command's arrival to its acknowledgement or refusal.",
            buckets=LATENCY,
            registry=registry,
        )
        self.errors = Counter(
            "industry_errors_total",
            "Requests and messages that were answered with an error, by its code.",
            ["code"],
            registry=registry,
        )

    def _add_store(self) -> None:
        registry = self.registry
        self.commits = Histogram(
            "industry_commit_entries",
            "Log entries per transaction of the store.",
            buckets=BATCH,
            registry=registry,
        )
        self.commit_seconds = Histogram(
            "industry_commit_seconds",
            "How long a transaction of the store took.",
            buckets=LATENCY,
            registry=registry,
        )
        self.listening = Gauge(
            "industry_listener_up",
            "PostgreSQL: 1 while this process hears what others write, 0 while it does not.",
            registry=registry,
        )

    def _add_connections(self) -> None:
        registry = self.registry
        self.sockets = Gauge("industry_sockets", "Sockets that are open now.", registry=registry)
        self.tables = Gauge("industry_tables", "Tables in memory now.", registry=registry)
        self.limited = Counter(
            "industry_limited_total",
            "What was refused because one address asked for too much of it, by what it was.",
            ["kind"],
            registry=registry,
        )
        self.addresses = Gauge(
            "industry_addresses",
            "Addresses whose use is remembered now.",
            registry=registry,
        )
        self.connections = Gauge(
            "industry_connections", "Connections that are open now.", registry=registry
        )
        self.hooks = Counter(
            "industry_hook_calls_total",
            "Webhook calls by outcome: delivered, retried, given_up.",
            ["outcome"],
            registry=registry,
        )

    def _add_notices(self) -> None:
        registry = self.registry
        self.notices = Counter(
            "industry_notices_total",
            "Notices by channel and outcome: told, gone, failed.",
            ["channel", "outcome"],
            registry=registry,
        )
        self.notice_seconds = Histogram(
            "industry_notice_seconds",
            "From the move that brought a turn to the moment when a channel took the notice.",
            buckets=LATENCY,
            registry=registry,
        )

    def _add_bots(self) -> None:
        registry = self.registry
        self.bot_seconds = Histogram(
            "industry_bot_seconds",
            "From asking a bot to its answer, waiting for a free process included.",
            ["bot"],
            buckets=THINKING,
            registry=registry,
        )
        self.bot_failures = Counter(
            "industry_bot_failures_total",
            "Decisions that a bot did not make in time or at all, by what went wrong.",
            ["bot", "kind"],
            registry=registry,
        )
        self.bots_warm = Gauge(
            "industry_bots_warm",
            "1 once bots run as machine code; until then the engineer decides for levels 4 and 5.",
            registry=registry,
        )
        self.bots_waiting = Gauge(
            "industry_bots_waiting",
            "Decisions that wait for a free process, at tables with and without a person.",
            ["kind"],
            registry=registry,
        )

    def count_moves(self, makers: Iterable[str]) -> None:
        """Counts moves that became durable, by who made them."""
        for how in makers:
            if how not in self._moves_by:  # looking up a counter takes longer than counting
                self._moves_by[how] = self.moves.labels(how)
            self._moves_by[how].inc()

    def page(self) -> bytes:
        """Returns the metrics in Prometheus' format; `CONTENT_TYPE` is its type."""
        return generate_latest(self.registry)
