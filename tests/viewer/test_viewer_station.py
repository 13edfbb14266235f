"""The operator's instruments in a real browser: horizon and force of a robot that presses on a wall, and the hum."""

import numpy as np
import pytest

from browser_rig import PAD, browser, page, pytestmark, running, show, until, url_of  # noqa: F401
from bus_rig import eventually

SCENE = """
step: 0.01
world: {type: silo, radius: 4, height: 8, platforms: 0, top: open}
robots:
  uav1: {type: quad_delta, position: [3.55, 0, 2], sensors: {force: {rate: 50}}}
  fan1: {type: ductedfan, position: [0, 0, 3]}
"""
PRESS = """volery.connection.ask({do: "command", robot: "uav1", command: ["press",
  {force_D: [0, 0, 1.5], p_DT: [0, 0, 0.3], stiffness: [500, 500, 0], damping: [6, 6, 25]}]})"""
COLOUR = """([name, x, y]) => {
  const canvas = document.querySelector(`.station canvas[title=${name}]`);
  return [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
}"""


@pytest.fixture(scope="module")
def pressing(tmp_path_factory):
    with running(tmp_path_factory.mktemp("station"), SCENE) as run:
        yield run[0]


def words(page):
    return page.evaluate("document.querySelector('.station output').textContent")


def test_horizon_gauge_and_hum(pressing, page):
    page.add_init_script(PAD)
    show(page, url_of(pressing))
    page.evaluate("volery.selected = 'uav1'")
    assert page.evaluate("document.querySelector('.station').hidden")
    page.keyboard.press("m")
    until(page, "!document.querySelector('.station').hidden")
    eventually(lambda: "uav1 · 2." in words(page) or "uav1 · 1.9" in words(page), 60)
    # Above the horizon sky, below it ground: it hovers level.
    eventually(lambda: page.evaluate(COLOUR, ["attitude", 60, 70])[:3] == [59, 130, 196], 60)
    assert page.evaluate(COLOUR, ["attitude", 60, 195])[:3] == [122, 82, 48]
    page.evaluate(PRESS)
    eventually(lambda: float(words(page).split("·")[-1].split()[0]) > 0.8, 60)
    assert page.evaluate("window.shaken.length") == 0, "nobody has taken control"
    page.evaluate("window.dispatchEvent(new Event('gamepadconnected'))")
    page.keyboard.press("t")
    until(page, "volery.controlling")
    eventually(lambda: page.evaluate("window.shaken.length") > 3, 60)
    strengths = np.array(page.evaluate("window.shaken"))
    assert 0.02 < np.median(strengths) < 0.5
    page.keyboard.press("m")
    until(page, "document.querySelector('.station').hidden")


HEAR = """() => {
  const topics = volery.robot("fan1").sensors.flatMap((sensor) => sensor.topics);
  const wrench = topics.find((topic) => topic.type === "geometry_msgs/msg/WrenchStamped").topic;
  window.heard = 0;
  volery.topics.want(wrench, 30, () => window.heard++);
}"""


@pytest.mark.slow
def test_the_weight_of_a_tool_is_no_force_on_it(pressing, page):
    show(page, url_of(pressing))
    page.evaluate("volery.selected = 'fan1'")
    page.keyboard.press("m")
    until(page, "!document.querySelector('.station').hidden")
    page.evaluate(HEAR)
    eventually(lambda: page.evaluate("window.heard") > 5, 60)
    # Its arm weighs 2.45 N, which the sensor at the tool reads
    eventually(lambda: words(page).startswith("fan1 · 3.0") and float(words(page).split("·")[-1].split()[0]) < 0.3, 60)
