"""A page on a slow machine, without the token, or one too many: it says the true reason, and comes in by itself."""

import shutil

import pytest

from browser_rig import NEVER, browser, until  # noqa: F401 (a fixture)
from viewer_rig import Guest, shown

CHROMIUM = shutil.which("chromium")
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install volery[test]")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="Debian's chromium is not installed: apt-get install chromium")
SLOWER = 10
"""A tenth of the processor."""
WATCH = """
  window.order = [];
  const send = WebSocket.prototype.send, context = HTMLCanvasElement.prototype.getContext;
  WebSocket.prototype.send = function (data) { order.push(JSON.parse(data).do); return send.call(this, data); };
  HTMLCanvasElement.prototype.getContext = function (...how) { order.push(how[0]); return context.apply(this, how); };
"""
"""Notes what the page says and what graphics it starts, in order."""


@pytest.fixture
def stage(tmp_path):
    with shown(tmp_path) as stage:
        yield stage


@pytest.fixture
def page(browser):
    page = browser.new_page(viewport={"width": 320, "height": 200})
    page.set_default_timeout(NEVER)
    yield page
    page.close()


def says(page, words):
    until(page, f"document.body.innerText.includes({words!r})")


def test_a_page_on_a_tenth_of_a_processor_gets_in_at_once(stage, page):
    page.add_init_script(WATCH)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.goto(stage.server.url)
    until(page, "window.volery && volery.connection.open && volery.robots.length > 0 && volery.state.steps > 0")
    order = page.evaluate("order")
    assert order[0] == "hello" and any("webgl" in what for what in order), order
    assert order.count("hello") == 1, "the first try did it"
    assert stage.server.access._wrong == {}
    assert stage.steps_on()


def test_a_page_that_is_late_says_so_and_tries_again(stage, page, monkeypatch):
    monkeypatch.setattr("volery.viewer.server._HELLO", 0.0)
    page.goto(stage.server.url)
    says(page, "too slow to say hello")
    assert stage.server.access._wrong == {}
    monkeypatch.setattr("volery.viewer.server._HELLO", 60.0)
    until(page, "window.volery && volery.connection.open && volery.robots.length > 0")


def test_a_page_with_a_wrong_token_says_so_and_takes_the_right_one_from_its_address(stage, page):
    page.goto(f"http://127.0.0.1:{stage.server.port}/#k=wrong")
    says(page, "does not have the token of this run")
    page.wait_for_timeout(2000)
    assert len(stage.server.access._wrong["127.0.0.1"]) == 1, "it does not try what is known to be wrong"
    page.evaluate(f"location.hash = '#k={stage.server.access.token}'")
    until(page, "window.volery && volery.connection.open && volery.robots.length > 0")


def test_one_page_too_many_says_so_and_comes_in_when_there_is_room(stage, page):
    guests = [Guest(stage.server) for _ in range(16)]
    for guest in guests:
        guest.until("welcome")
    page.goto(stage.server.url)
    says(page, "as many pages are open as the server takes")
    for guest in guests:
        guest.close()
    until(page, "window.volery && volery.connection.open && volery.robots.length > 0")


def test_wrong_tries_of_others_do_not_keep_the_owner_out(stage, page, monkeypatch):
    monkeypatch.setattr("volery.viewer.server._PENALTY", 0.0)
    for _ in range(30):
        Guest(stage.server, token="wrong").close()
    page.goto(stage.server.url)
    until(page, "window.volery && volery.connection.open && volery.robots.length > 0")
