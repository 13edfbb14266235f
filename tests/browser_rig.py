"""The page in a real browser."""

import base64
import contextlib
import io
import shutil

import numpy as np
import pytest
from PIL import Image

from bus_rig import eventually, free_port
from program_rig import Volery

CHROMIUM = shutil.which("chromium")

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install volery[test]")

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed: apt-get install chromium")

NEVER = 180_000
"""Pictures come slowly where the processor draws them, more so on a loaded machine [ms]."""

FRAMES = """n => new Promise(done => {
  const step = () => (n-- > 0 ? requestAnimationFrame(step) : done(volery.canvas.toDataURL("image/png")));
  requestAnimationFrame(step);
})"""


@pytest.fixture(scope="module")
def browser():
    arguments = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    """A small window, so that pictures come at all, and a list of what went wrong in it."""
    page = browser.new_page(viewport={"width": 320, "height": 200})
    page.set_default_timeout(NEVER)
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.close()
    assert errors == []


@contextlib.contextmanager
def running(folder, scene):
    """A run in a process of its own, and where its bus is."""
    (folder / "scene.yaml").write_text(scene)
    address = f"tcp/127.0.0.1:{free_port()}"
    process = Volery("run", "scene.yaml", "--no-browser", "--viewer", "127.0.0.1:0", "--listen", address, cwd=folder)
    yield process, address
    process.end()


def until(page, expression):
    """Wait until something is true in the page; its own policy forbids the browser's way of waiting."""
    eventually(lambda: page.evaluate(f"Boolean({expression})"), NEVER / 1000)


def show(page, url):
    page.goto(url)
    until(page, "window.volery")
    page.evaluate("volery.quality.choice = 'low'")
    until(page, "volery.connection.open && volery.robots.length > 0 && volery.view.chunks.chunks.size > 0")


def url_of(process):
    base, _, _, token = process.address
    return f"{base}#k={token}"


def picture(page, frames=3):
    data = page.evaluate(FRAMES, frames)
    return np.asarray(Image.open(io.BytesIO(base64.b64decode(data.split(",")[1]))).convert("RGB"), float)


PAD = """
const buttons = Array.from({ length: 17 }, () => ({ pressed: false, value: 0 }));
window.shaken = [];
window.pad = {
  connected: true, mapping: "standard", axes: [0, 0, 0, 0], buttons,
  vibrationActuator: { playEffect: (kind, how) => Promise.resolve(window.shaken.push(how.strongMagnitude)) },
};
navigator.getGamepads = () => [null, window.pad];
"""
"""A gamepad as the browser shows it, held by the test."""
