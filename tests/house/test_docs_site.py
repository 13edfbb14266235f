"""The documentation's site: it builds without a warning, and every link and picture in it leads somewhere."""

import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

ROOT = Path(__file__).parent.parent.parent


class _Page(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        about = dict(attrs)
        self.anchors |= {about[key] for key in ("id", "name") if about.get(key)}
        self.links += [about[key] for key in ("href", "src") if about.get(key) and tag != "link"]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("mkdocs", reason="mkdocs is not installed: pip install -e '.[docs]'")
    folder = tmp_path_factory.mktemp("site")
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(words, cwd=ROOT, env=env, capture_output=True, text=True, timeout=300)
    told = "\n".join(line for line in done.stderr.splitlines() if "WARNING" in line or "Error" in line)
    assert done.returncode == 0, told or done.stderr[-3000:]
    return {p.relative_to(folder).as_posix(): _Page(p.read_text()) for p in folder.rglob("*.html")}, folder


def test_every_link_and_picture_leads_somewhere(site):
    pages, folder = site
    lost = []
    for name, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or name == "404.html":
                continue
            there = (
                name if not parts.path else os.path.normpath(os.path.join(os.path.dirname(name), unquote(parts.path)))
            )
            if not (folder / there).exists():
                lost.append(f"{name}: {link}")
            elif parts.fragment and there in pages and unquote(parts.fragment) not in pages[there].anchors:
                lost.append(f"{name}: {link} (no such heading)")
    assert not lost, "\n".join(lost)


def test_nothing_is_fetched_from_elsewhere(site):
    for path in site[1].rglob("*.html"):
        for tag in ('src="http', 'rel="stylesheet" href="http'):
            assert tag not in path.read_text(), f"{path.name} fetches something"


def test_pages_are_made_of_what_stands_elsewhere(site):
    pages, folder = site
    wires = {p.parent.name for p in (ROOT / "src/volery/protocols").glob("*/README.md")} - {"firmware"}
    assert {f"wire/{name}.html" for name in wires} <= set(pages)
    assert {f"examples/{p.stem}.html" for p in (ROOT / "examples").glob("[0-9]*.py")} <= set(pages)
    assert "components/sensors/lidar.html" in pages and "components/robots/x500.html" in pages
    assert "volery campaign" in (folder / "reference/command_line.html").read_text()
    assert "volery.Simulation.step" in pages["reference/simulation.html"].anchors
    assert "volery.Client.move" in pages["reference/client.html"].anchors
