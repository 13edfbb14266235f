"""Logs: the same message at most once a second, with a count; nothing else is lost."""

import logging
import threading
import time

import pytest

import volery._logs
from volery._logs import Calm


def times(line):
    """How many messages a line stands for."""
    return int(line.split("× ")[1].rstrip(")")) if "× " in line else 1


class Kept(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


@pytest.fixture
def quiet():
    """A logger of its own with a clock in our hand."""
    now = [0.0]
    logger = logging.Logger("own")
    kept = Kept()
    logger.addHandler(kept)
    calm = Calm(logger, lambda: now[0])
    logger.addFilter(calm)
    yield logger, kept.lines, now, calm
    if calm._timer is not None:
        calm._timer.cancel()


def test_a_flood_of_one_message_is_one_line_a_second_with_a_count(quiet):
    logger, lines, now, calm = quiet
    for i in range(25_876):
        now[0] = i / 10_000
        logger.warning("refused: %s", "/cmd_vel")
    now[0] = 4.0
    calm.tell()
    assert len(lines) == 4 and lines[0] == "refused: /cmd_vel"
    assert sum(map(times, lines)) == 25_876


def test_other_messages_come_through(quiet):
    logger, lines, *_ = quiet
    for i in range(10):
        logger.info("robot %d is there", i)
        logger.info("the same")
    logger.error("the same")
    assert lines.count("the same") == 2, "of another level"
    assert [line for line in lines if "robot" in line] == [f"robot {i} is there" for i in range(10)]


def test_a_kind_of_message_with_ever_other_values_is_held_back_too(quiet):
    logger, lines, now, calm = quiet
    for i in range(5000):
        logger.info("a client was sent away: port %d", i)
    now[0] = 1.5
    calm.tell()
    assert len(lines) == 21 and times(lines[-1]) == 4980


def test_what_is_remembered_is_bounded(quiet):
    logger, _, now, calm = quiet
    for i in range(5000):
        now[0] += 0.1
        logger.info("number %d", i)
    assert len(calm._same) <= 1000


def test_a_message_that_cannot_be_formatted_is_left_to_the_handler(quiet):
    calm = quiet[3]
    assert calm.filter(logging.LogRecord("x", logging.INFO, "", 0, "%d", ("no number",), None))


def test_the_count_is_told_though_nothing_else_is_logged(caplog):
    log = logging.getLogger("volery")
    threads = [threading.Thread(target=lambda: [log.warning("a flood") for _ in range(3000)]) for _ in range(4)]
    with caplog.at_level(logging.INFO, "volery"):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        end = time.monotonic() + 60
        while (told := count(caplog)) < 12_000:
            assert time.monotonic() < end, told
            time.sleep(0.05)
    assert told == 12_000 and volery._logs.CALM in log.filters


def count(caplog):
    """How often a message was logged, by what came through."""
    texts = [r.getMessage() for r in caplog.records if "a flood" in r.getMessage()]
    return sum(map(times, texts))
