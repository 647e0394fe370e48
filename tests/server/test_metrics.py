"""Metrics: what Prometheus reads, and that nobody's table or name is in it."""

from random import Random

from prometheus_client.parser import text_string_to_metric_families

from industry.server.metrics import CONTENT_TYPE, Metrics

from .playing import Server, play_on


def values(metrics: Metrics) -> dict[str, float]:
    families = text_string_to_metric_families(metrics.page().decode())
    return {
        "".join([sample.name, *(f" {v}" for v in sample.labels.values())]): sample.value
        for family in families
        for sample in family.samples
    }


def test_everything_promised_is_measured() -> None:
    """Moves, commits, latency, sockets, tables, bot seconds, errors by code."""
    metrics = Metrics()
    metrics.moves.labels("player").inc()
    metrics.commits.observe(3)
    metrics.commit_seconds.observe(0.002)
    metrics.latency.observe(0.004)
    metrics.errors.labels("stale").inc()
    metrics.sockets.inc()
    metrics.tables.set(7)
    metrics.bot_seconds.labels("engineer").observe(0.02)
    found = values(metrics)
    assert found["industry_moves_total player"] == 1
    assert found["industry_commit_entries_sum"] == 3
    assert found["industry_commit_seconds_count"] == 1
    assert found["industry_command_seconds_bucket 0.005"] == 1
    assert found["industry_command_seconds_bucket 0.0025"] == 0
    assert found["industry_errors_total stale"] == 1
    assert found["industry_sockets"] == 1
    assert found["industry_tables"] == 7
    assert found["industry_bot_seconds_count engineer"] == 1
    assert CONTENT_TYPE.startswith("text/plain")


def test_two_servers_in_one_process_count_apart() -> None:
    one, two = Metrics(), Metrics()
    one.moves.labels("bot").inc()
    assert "industry_moves_total bot" in values(one)
    assert "industry_moves_total bot" not in values(two)


def test_labels_are_few_words_and_never_tables_or_players() -> None:
    allowed = {"how", "code", "bot", "kind", "outcome", "le"}
    families = list(text_string_to_metric_families(Metrics().page().decode()))
    assert all(family.documentation.endswith(".") for family in families)
    named = {label for family in families for sample in family.samples for label in sample.labels}
    assert named <= allowed


def test_every_durable_move_is_counted_also_those_that_begin_a_game(sqlite_server: Server) -> None:
    metrics = sqlite_server.service.metrics
    made = sqlite_server.make("human", "human", "human")
    assert values(metrics)["industry_moves_total chance"] == 1
    with sqlite_server.client(made, 1, 2, 3).ready() as client:
        play_on(client, Random(1))
    lines = sqlite_server.service.live_tables[made["table"]].table.lines
    counted = [n for name, n in values(metrics).items() if name.startswith("industry_moves_total")]
    assert sum(counted) == len(lines)
    sqlite_server.make("human", "human", "human")
    draws = sum(line.startswith("draw") for line in lines)
    assert values(metrics)["industry_moves_total chance"] == draws + 1
