import pytest

from volery.core.patterns import TextPattern
from volery.errors import SimulationError


def test_a_pattern_that_stands_still_in_re_answers_at_once():
    assert not TextPattern("(a+)+$").fits("a" * 100 + "!")


def test_it_must_fit_the_whole():
    assert TextPattern("Cube.*").fits("Cube1")
    assert not TextPattern("Cube").fits("Cube1")
    assert TextPattern("CUBE.*", ignore_case=True).fits("cube1")


@pytest.mark.parametrize("text", ["(?<=a)b", "(?=a)b", r"(a)\1"])
def test_what_re2_does_not_know_is_said(text):
    with pytest.raises(SimulationError, match="look-ahead, look-behind and back references are not known"):
        TextPattern(text)


@pytest.mark.parametrize("text", ["(", "(a{999}){999}", "a" * 301, "\udc80"])
def test_what_is_none_is_refused(text):
    with pytest.raises(SimulationError, match=r"regular expression|too long"):
        TextPattern(text)
