"""The page in a real browser: it shows the run, takes keys, comes back after a cut, and opens a long recording."""

import contextlib
import socket
import threading
import time

import numpy as np
import pytest

from browser_rig import PAD, browser, page, picture, pytestmark, running, show, until, url_of  # noqa: F401
from bus_rig import eventually
from program_rig import Volery
from volery.bus.bus import Bus, BusConfig
from volery.viewer.server import ViewerServer

SCENE = """
step: 0.02
world: {type: blocks}
robots:
  uav1:
    {type: quad, physics: fleet, position: [0, 0, 6],
     sensors: {scanner: off, eye: {type: camera, width: 32, height: 24, rate: 2}}}
  uav2:
    type: quad
    physics: kinematic
    sensors: {scanner: off}
    motion: {path: [[6, -4, 6], [6, 4, 6]], speed: 3}
"""
LONG = """
step: 0.1
world: {type: empty}
robots:
  uav1: {type: quad, physics: kinematic, sensors: {scanner: off}, motion: {path: [[0, 0, 5], [100, 0, 5]], speed: 1}}
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    with running(tmp_path_factory.mktemp("page"), SCENE) as run:
        yield run


def test_the_robot_is_seen_to_move(run, page):
    show(page, url_of(run[0]))
    # From a fixed place towards the robot that flies to and fro.
    page.evaluate("volery.cameras.place([-1, 0, 6.5], 0, -0.05)")
    page.evaluate("document.getElementById('ui').hidden = true")
    eventually(lambda: picture(page).std() > 10, 60)  # the world is there
    before = page.evaluate("volery.figures.place('uav2')[1]")
    first = picture(page)
    eventually(lambda: abs(page.evaluate("volery.figures.place('uav2')[1]") - before) > 2, 60)
    changed = np.abs(picture(page) - first).max(axis=2) > 40
    assert 10 < changed.sum() < 0.5 * changed.size


def test_the_page_says_that_a_run_is_on_its_way(run, page):
    shown = "getComputedStyle(document.querySelector('.starting')).display !== 'none'"
    with contextlib.closing(ViewerServer("127.0.0.1", 0)) as server:
        page.goto(server.url)
        until(page, f"window.volery && volery.connection.open && {shown}")
        page.wait_for_timeout(1000)
        assert page.evaluate("document.querySelectorAll('.toast').length") == 0, "that there is no run yet is no error"
        page.goto("about:blank")
    show(page, url_of(run[0]))
    until(page, f"volery.state.steps > 0 && !({shown})")


def test_keys_switch_cameras(run, page):
    show(page, url_of(run[0]))
    modes = {"1": "orbit", "2": "chase", "3": "shoulder", "4": "onboard", "5": "sensor", "6": "free"}
    page.evaluate("volery.selected = 'uav1'")
    for key, mode in modes.items():
        page.keyboard.press(key)
        until(page, f"volery.cameras.mode === '{mode}'")
    page.keyboard.press("2")
    for mode in ("shoulder", "onboard", "chase"):
        page.keyboard.press("c")
        until(page, f"volery.cameras.mode === '{mode}'")
    page.keyboard.press("n")
    until(page, "volery.selected === 'uav2'")


def test_keys_fly_the_robot_on_the_bus(run, page):
    process, address = run
    with Bus(BusConfig(connect=[address], node="test")) as bus:
        odometry = bus.subscribe("/uav1/ground_truth/odom", "nav_msgs/msg/Odometry")
        assert odometry.wait_next(30) is not None

        def x():
            return odometry.latest().value.pose.pose.position.x

        show(page, url_of(process))
        page.evaluate("volery.selected = 'uav1'")
        began = x()
        time.sleep(1)
        assert abs(x() - began) < 0.1, "nobody has touched a key"
        page.keyboard.press("t")
        until(page, "volery.controlling")
        page.keyboard.down("w")
        eventually(lambda: x() > began + 1.0, 60)
        page.keyboard.up("w")
        eventually(lambda: abs(odometry.latest().value.twist.twist.linear.x) < 0.2, 60)
        page.keyboard.press("t")
        until(page, "!volery.controlling")


def test_a_gamepad_flies_the_robot_and_shakes_when_it_touches(run, page):
    process, address = run
    page.add_init_script(PAD)
    with Bus(BusConfig(connect=[address], node="pad")) as bus:
        odometry = bus.subscribe("/uav1/ground_truth/odom", "nav_msgs/msg/Odometry")
        assert odometry.wait_next(30) is not None

        def place():
            p = odometry.latest().value.pose.pose.position
            return np.array([p.x, p.y, p.z])

        show(page, url_of(process))
        page.evaluate("volery.selected = 'uav1'")
        page.keyboard.press("t")
        until(page, "volery.controlling")
        began = place()
        page.evaluate("window.pad.axes = [-1, 0, 0, 0]")
        eventually(lambda: place()[1] > began[1] + 1.0, 60)
        page.evaluate("window.pad.axes = [0, 0, 0, 0]")
        eventually(lambda: abs(odometry.latest().value.twist.twist.linear.y) < 0.2, 60)
        assert page.evaluate("window.shaken.length") == 0
        page.evaluate("window.pad.axes = [0, 0, 0, 1]")
        until(page, "window.shaken.length > 0")
        assert place()[2] < 1.0, "it shakes because the ground is touched"
        page.evaluate("window.pad.axes = [0, 0, 0, -1]")
        eventually(lambda: place()[2] > 3.0, 60)
        page.evaluate("window.pad.axes = [0, 0, 0, 0]")
        page.keyboard.press("t")
        until(page, "!volery.controlling")


@pytest.mark.slow
def test_another_run_is_begun_from_the_page(page, tmp_path):
    (tmp_path / "scene.yaml").write_text(SCENE)
    process = Volery("run", "scene.yaml", "--no-browser", "--viewer", "127.0.0.1:0", "--no-bus", cwd=tmp_path)
    try:
        show(page, url_of(process))
        page.set_viewport_size({"width": 1000, "height": 700})
        page.get_by_title("Choose another (Y)").click()
        dialog = page.get_by_role("dialog", name="choose a scenario")
        dialog.locator("input[value=blocks]").check()
        dialog.get_by_role("spinbutton", name="seed").fill("7")
        dialog.get_by_role("spinbutton", name="robots").fill("3")
        dialog.get_by_role("button", name="start").click()
        until(page, "volery.welcome?.scenario === 'blocks' && volery.robots.length === 3")
        page.set_viewport_size({"width": 320, "height": 200})
        until(page, "volery.view.chunks.chunks.size > 0 && volery.connection.open")
    finally:
        process.end()


class Cable:
    """A connection that can be cut: what comes in at `port` goes to another port."""

    def __init__(self, target):
        self.target = target
        self.ends = []
        self.whole = True
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                near, _ = self.door.accept()
            except OSError:
                return
            if not self.whole:
                near.close()
                continue
            far = socket.create_connection(("127.0.0.1", self.target))
            self.ends += [near, far]
            for a, b in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(a, b), daemon=True).start()

    def _carry(self, a, b):
        try:
            while data := a.recv(65536):
                b.sendall(data)
        except OSError:
            pass
        finally:
            for end in (a, b):
                end.close()

    def cut(self):
        self.whole = False
        for end in self.ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.ends = []

    def mend(self):
        self.whole = True


def test_a_cut_connection_comes_back(run, page):
    _, _, port, token = run[0].address
    cable = Cable(int(port))
    show(page, f"http://127.0.0.1:{cable.port}/#k={token}")
    cable.cut()
    until(page, "!volery.connection.open")
    assert page.evaluate("document.body.innerText").lower().count("connect") > 0, "the page says that it is cut off"
    cable.mend()
    until(page, "volery.connection.open")
    frames = page.evaluate("volery.connection.received.frames")
    until(page, f"volery.connection.received.frames > {frames} + 20")
    assert page.evaluate("volery.robots.length") == 2
    cable.door.close()


def test_without_the_token_nothing_is_shown(run, page):
    base, *_ = run[0].address
    page.goto(f"{base}#k=wrong")
    until(page, "window.volery && document.body.innerText.includes('does not have the token of this run')")
    assert page.evaluate("volery.connection.open") is False
    assert page.evaluate("volery.robots.length") == 0


@pytest.mark.parametrize("minutes", [5, pytest.param(30, marks=pytest.mark.slow)])
def test_a_long_recording_opens_and_seeks(page, tmp_path, minutes):
    (tmp_path / "long.yaml").write_text(LONG)
    end = 60 * minutes
    words = ["run", "long.yaml", "--headless", "--no-bus", "--speed", "max", "--duration", str(end)]
    recording = Volery(*words, "--record", "long.mcap", "--topics", "/clock,/volery/poses,/uav1/*", cwd=tmp_path)
    recording.process.communicate(timeout=300)
    assert recording.process.returncode == 0
    replay = Volery("replay", "long.mcap", "--no-browser", "--viewer", "127.0.0.1:0", cwd=tmp_path)
    try:
        page.goto(url_of(replay))
        until(page, "window.volery && volery.connection.open && volery.state?.replay && volery.robots.length > 0")
        span = page.evaluate("[volery.state.replay.start_ns, volery.state.replay.end_ns]")
        assert (end - 10) * 1e9 < span[1] - span[0] <= end * 1e9
        # 100 m out and back again at 1 m/s.
        along = (end - 70) % 200
        out = min(along, 200 - along)
        page.evaluate(f"volery.connection.ask({{ do: 'seek', seconds: {end - 70.1} }})")
        until(page, f"Math.abs(volery.state.replay.now_ns / 1e9 - {end - 70}) < 60")
        until(page, f"Math.abs(volery.figures.place('uav1')?.[0] - {out}) < 12")
        assert page.get_by_label("place in the recording").is_visible()
    finally:
        replay.end()


def test_on_a_phone_the_view_comes_first_and_a_panel_is_a_sheet_below(run, page):
    page.set_viewport_size({"width": 390, "height": 844})
    show(page, url_of(run[0]))
    left, tabs = page.locator("#ui .left"), page.locator("#ui .tabs")
    assert left.is_hidden() and tabs.is_hidden()
    page.evaluate("document.querySelector('[title^=\"show or hide the left\"]').click()")
    left.wait_for()
    box = left.bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and box["y"] > 400
    page.evaluate("document.querySelector('[title^=\"show or hide the right\"]').click()")
    tabs.wait_for()
    assert left.is_hidden() and tabs.bounding_box()["y"] > 400
    # All of the bar can be reached by pushing it sideways.
    assert page.evaluate("getComputedStyle(document.querySelector('.topbar')).overflowX") == "auto"


def test_colours_follow_the_system_and_the_program_comes_compressed(run, page):
    kinds = []
    page.on("response", lambda r: kinds.append((r.url.split("/")[-1], r.headers.get("content-encoding"))))
    page.emulate_media(color_scheme="light")
    show(page, url_of(run[0]))
    light = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--text')")
    page.emulate_media(color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--text')") != light
    assert ("viewer.js", "gzip") in kinds


def test_robots_are_added_moved_and_removed_in_the_page(tmp_path, browser):
    with running(tmp_path, SCENE) as (process, _), contextlib.closing(browser.new_page()) as page:
        page.set_viewport_size({"width": 900, "height": 500})
        page.set_default_timeout(180_000)
        show(page, url_of(process))
        page.evaluate("volery.cameras.place([-6, 0, 4], 0, -0.5)")
        until(page, "[...document.querySelectorAll('.workshop option')].some(o => o.value === 'quad')")
        page.get_by_title("add a robot of this type where you look").click()
        until(page, "volery.robots.some(robot => robot.name === 'quad_1') && volery.selected === 'quad_1'")
        until(page, "volery.figures.place('quad_1')")
        assert 0.0 < page.evaluate("volery.figures.place('quad_1')[2]") < 2.0, "it stands on the ground"
        page.evaluate("volery.cameras.place([-6, 0, 6], 0, -0.6)")
        before = page.evaluate("volery.figures.place('quad_1')")
        page.keyboard.down("Shift")
        page.mouse.dblclick(330, 320)
        page.keyboard.up("Shift")
        until(page, f"(([x, y]) => Math.hypot(x - {before[0]}, y - {before[1]}))(volery.figures.place('quad_1')) > 0.5")
        page.get_by_title("save what stands now as a scenario file").click()
        eventually(lambda: list((tmp_path / "out").glob("*.yaml")), 60)
        assert "quad_1" in next((tmp_path / "out").glob("*.yaml")).read_text()
        page.get_by_title("remove the selected robot").click()
        until(page, "!volery.robots.some(robot => robot.name === 'quad_1')")
