from types import SimpleNamespace

import pytest

from volery.core.requests import Requests
from volery.errors import SimulationError


def test_clients_take_turns():
    requests, done = Requests(budget=60.0), []
    for i in range(3):
        requests.ask(lambda i=i: done.append(("greedy", i)), "greedy")
    requests.ask(lambda: done.append(("modest", 0)), "modest")
    requests.answer()
    assert done == [("greedy", 0), ("modest", 0), ("greedy", 1), ("greedy", 2)]


def test_a_step_spends_no_more_than_its_time_and_nobody_waits_for_the_greedy_one(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("volery.core.requests.time", SimpleNamespace(perf_counter=lambda: now[0]))

    def work():
        now[0] += 0.003

    requests = Requests(budget=0.004)
    greedy = [requests.ask(work, "greedy") for _ in range(100)]
    modest = requests.ask(lambda: "done", "modest")
    requests.answer()
    assert now[0] == 0.006, "the one that crosses the end is finished, no other is begun"
    assert modest.done() and sum(f.done() for f in greedy) == 2
    assert requests.wait(0.0), "what is left wakes the loop at once"


def test_what_a_client_that_left_had_asked_is_not_done():
    requests, done = Requests(), []
    futures = [requests.ask(lambda: done.append("left"), "left") for _ in range(100)]
    requests.ask(lambda: done.append("there"), "there")
    requests.forget("left")
    requests.answer()
    assert done == ["there"] and all(f.cancelled() for f in futures) and requests.waiting == 0


def test_of_settings_only_the_newest_is_done():
    requests, done = Requests(), []
    for i in range(100_000):
        last = requests.ask(lambda i=i: done.append(i), "mover", newest="pose")
    assert requests.waiting == 1
    requests.answer()
    assert done == [99_999] and last.done()


def test_too_many_are_refused_and_hurt_nobody_else():
    requests = Requests(budget=60.0)
    for _ in range(10_000):
        requests.ask(lambda: None, "greedy")
    with pytest.raises(SimulationError, match="busy with requests that came before"):
        requests.ask(lambda: None, "greedy")
    modest = requests.ask(lambda: "done", "modest")
    requests.answer()
    assert modest.result(0) == "done" and requests.waiting == 0


def test_our_own_parts_are_always_served():
    requests = Requests(budget=0.0)
    own = [requests.ask(lambda i=i: i) for i in range(50)]
    requests.answer()
    assert [f.result(0) for f in own] == list(range(50))


def test_who_asks_while_being_answered_waits_for_the_next_step():
    requests, count = Requests(budget=60.0), []

    def again():
        count.append(1)
        requests.ask(again, "eager")

    requests.ask(again, "eager")
    requests.answer()
    assert len(count) == 1


def test_an_error_goes_to_the_one_who_asked():
    requests = Requests()
    future = requests.ask(lambda: 1 / 0, "client")
    requests.answer()
    with pytest.raises(ZeroDivisionError):
        future.result(0)
