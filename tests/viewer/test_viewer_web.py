"""The page's own tests and types, and that what is served is what its source builds."""

import dataclasses
import json
import shutil
import subprocess

import pytest

from volery.viewer import page_types
from volery.viewer.messages import (
    HEADERS,
    MESSAGES,
    PageEvent,
    PageEvents,
    PageMarker,
    PageReply,
    PageState,
    plain_message,
)

WEB = page_types.TARGET.parent.parent
PAGE = WEB.parent / "page"


@pytest.fixture(scope="module")
def npm():
    """Runs npm in the page's folder."""
    found = shutil.which("npm")
    if found is None or not (WEB / "node_modules" / ".bin" / "vitest").exists():
        pytest.skip(f"the page's tools are missing: run npm ci in {WEB}")

    def run(*arguments, folder=WEB):
        return subprocess.run([found, *arguments], cwd=folder, capture_output=True, text=True, timeout=300)

    return run


def test_the_types_of_messages_are_up_to_date():
    assert page_types.TARGET.read_text() == page_types.source(), "run: python -m volery.viewer.page_types"


def test_every_message_has_its_own_name_and_kind():
    names = [cls.__name__ for cls in (*MESSAGES, *HEADERS)]
    kinds = [cls.kind for cls in MESSAGES]
    assert len(set(names)) == len(names) and len(set(kinds)) == len(kinds)
    text = page_types.source()
    for kind in kinds:
        assert f"  {kind}: " in text


def test_a_message_is_plain_data_with_its_kind_first():
    state = PageState(5, True, "max", 1.0, 2, None, None, 1, None)
    plain = plain_message(state)
    assert next(iter(plain)) == "kind" and plain["kind"] == "state"
    assert list(plain)[1:] == [f.name for f in dataclasses.fields(PageState)] and plain["recording"] is None
    events = plain_message(PageEvents([PageEvent(1, "uav1", "event", "spawn")]))
    assert events == {
        "kind": "events",
        "events": [{"now_ns": 1, "robot": "uav1", "kind": "event", "text": "spawn"}],
    }
    assert plain_message(PageMarker("1", gone=True)) == {"id": "1", "gone": True}, "what is not told is left out"
    assert plain_message(PageReply(3, None)) == {"kind": "reply", "id": 3, "result": None}
    assert json.loads(json.dumps(plain)) == plain


def test_the_page_passes_its_own_tests(npm):
    done = npm("test")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_keeps_to_its_types(npm):
    done = npm("run", "check")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_that_is_served_is_what_its_source_builds(npm, tmp_path):
    copy = tmp_path / "web"
    shutil.copytree(WEB, copy, ignore=shutil.ignore_patterns("node_modules"))
    (copy / "node_modules").symlink_to(WEB / "node_modules")
    done = npm("run", "build", folder=copy)
    assert done.returncode == 0, done.stdout + done.stderr
    built = {path.name for path in (tmp_path / "page").iterdir()}
    assert built == {path.name for path in PAGE.iterdir()}
    for name in sorted(built):
        same = (tmp_path / "page" / name).read_bytes() == (PAGE / name).read_bytes()
        assert same, f"{name} is not what its source builds: run npm run build in {WEB}"
