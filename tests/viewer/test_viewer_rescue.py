"""The operator's view of a rescue robot in a real browser: keys drive it, aim its camera and switch its lamp, and what
it hears and sees is drawn."""

import shutil

import pytest

from browser_rig import browser, page, picture, running, show, until, url_of
from bus_rig import eventually
from volery.bus.bus import Bus, BusConfig

__all__ = ["browser", "page"]

pytestmark = pytest.mark.skipif(
    shutil.which("chromium") is None, reason="Debian's chromium is not installed: apt-get install chromium"
)
SCENE = """
seed: 3
step: 0.02
world: {type: arena, colour: yellow}
robots:
  R1: {type: p2at, position: [-5.4, -6.6, 0.11], attitude_deg: [0, 0, 90]}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    with running(tmp_path_factory.mktemp("operator"), SCENE) as run:
        yield run


@pytest.mark.slow
def test_sonars_laser_and_the_camera_window_are_shown(run, page):
    process, _ = run
    show(page, url_of(process))
    page.evaluate("volery.selected = 'R1'")
    page.evaluate("document.getElementById('ui').hidden = true")
    page.keyboard.press("2")
    eventually(lambda: picture(page).std() > 10, 180)
    for n in range(1, 9):
        page.evaluate(f"volery.layers['R1/F{n}'] = true")
    page.evaluate("volery.layers['R1/Scanner1'] = true")
    drawn = """(() => { let cones = 0, fans = 0; volery.scene.traverse((o) => {
      if (o.visible && o.parent?.visible && o.geometry?.type === 'ConeGeometry' && o.scale.x > 0.1) cones += 1;
      if (o.isLineSegments && o.parent?.visible && (o.geometry.attributes.position?.count ?? 0) === 362) fans += 1; });
      return [cones, fans]; })()"""
    eventually(lambda: page.evaluate(drawn) == [8, 1], 180)
    page.evaluate("document.getElementById('ui').hidden = false")
    page.set_viewport_size({"width": 1000, "height": 700})
    page.get_by_title("picture: rgb").first.click()
    window = page.locator("figure.picture canvas")
    # The camera waits to be asked: that its window is open is the question.
    eventually(lambda: window.count() == 1 and window.evaluate("canvas => canvas.width") == 320, 90)


def test_keys_drive_a_p2at_and_turn_it(run, page):
    process, address = run
    with Bus(BusConfig(connect=[address], node="operator")) as bus:
        odometry = bus.subscribe("/R1/ground_truth/odom", "nav_msgs/msg/Odometry")
        assert odometry.wait_next(30) is not None

        def pose():
            return odometry.latest().value.pose.pose

        show(page, url_of(process))
        page.evaluate("volery.selected = 'R1'")
        page.keyboard.press("t")
        until(page, "volery.controlling")
        y, z = pose().position.y, pose().orientation.z
        page.keyboard.down("w")
        eventually(lambda: pose().position.y > y + 0.5, 180)
        page.keyboard.up("w")
        eventually(lambda: abs(odometry.latest().value.twist.twist.linear.x) < 0.05, 180)
        page.keyboard.down("a")
        # It stands at 90°, sin 45° = 0.71; to the left is more.
        eventually(lambda: pose().orientation.z > z + 0.1, 180)
        page.keyboard.up("a")
        page.keyboard.press("t")
        until(page, "!volery.controlling")


@pytest.mark.slow
def test_keys_pan_tilt_and_zoom_the_camera_and_switch_the_lamp(run, page):
    process, address = run
    with Bus(BusConfig(connect=[address], node="eye")) as bus:
        lit = bus.subscribe("/R1/HeadLight/lit", "std_msgs/msg/Float64MultiArray")
        show(page, url_of(process))
        page.evaluate("volery.selected = 'R1'")
        page.keyboard.press("t")
        until(page, "volery.controlling")
        aims = """(() => { const eye = volery.robots[0].sensors.find((sensor) => sensor.name === 'Camera');
          return Array.from(volery.figures.motion.aim).slice(3 * eye.aim, 3 * eye.aim + 3); })()"""
        eventually(lambda: len(page.evaluate(aims)) == 3, 180)
        pan, tilt, zoom = page.evaluate(aims)
        for key, changed in (
            ("j", lambda now: now[0] > pan + 0.1),
            ("i", lambda now: now[1] > tilt + 0.1),
            ("u", lambda now: now[2] > zoom + 0.3),
        ):
            page.keyboard.down(key)
            eventually(lambda changed=changed: changed(page.evaluate(aims)), 180)
            page.keyboard.up(key)
        assert lit.wait_next(30) is not None
        before = lit.latest().value.data[0]
        page.keyboard.press("b")
        eventually(lambda: lit.latest().value.data[0] != before, 180)
        page.keyboard.press("b")
        eventually(lambda: lit.latest().value.data[0] == before, 180)
        page.keyboard.press("t")
