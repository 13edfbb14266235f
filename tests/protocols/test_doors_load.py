"""A hundred hostile clients over all doors beside ten honest ones."""

import math

import pytest

from volery.tools.bench.doors import BUDGET, attack


def held_back(parts):
    """What the process holds is what it held before, but for caches."""
    before, after = parts["calm"]["held"], parts["after"]
    assert after["threads"] <= before["threads"] + 4 and after["files"] <= before["files"] + 8


def test_honest_clients_are_served_beside_hostile_ones(tmp_path):
    """The short form: that all are served, and nothing stays behind; times are for the long form on a free machine."""
    parts = attack(tmp_path, calm=1.0, seconds=4.0, hostile=40)
    for name in ("calm", "attacked"):
        own = parts[name]["honest"]
        assert not own["errors"], own["errors"]
        assert all(math.isfinite(p99) for p99 in own["by_client_p99_ms"]), "each of the ten was answered"
    assert parts["attacked"]["visits"] > 20
    held_back(parts)


@pytest.mark.slow
def test_five_minutes_of_attack(tmp_path):
    parts = attack(tmp_path, calm=30.0, seconds=300.0)
    own = parts["attacked"]["honest"]
    assert not own["errors"], own["errors"]
    assert own["p99_ms"] <= BUDGET["honest_p99_ms"]
    assert parts["attacked"]["step"]["p99_ms"] - parts["calm"]["step"]["p99_ms"] < BUDGET["more_jitter_ms"]
    assert parts["after"]["bytes"] < (1.0 + BUDGET["more_memory"]) * parts["calm"]["held"]["bytes"]
    held_back(parts)
