"""Recording as a contract: a fault is said at once, the exit code tells of it, and what was written is whole."""

import contextlib
import os
import resource
import shutil
import subprocess
import sys
import time

import pytest

from bus_rig import FLIGHT
from program_rig import Volery
from volery.bus.bus import Bus, BusConfig
from volery.bus.messages import text
from volery.bus.record import Recorder, read_recording
from volery.errors import BusError

TEXT = "std_msgs/msg/String"


@contextlib.contextmanager
def tiny_disk(folder, size="192k"):
    """A real filesystem that is soon full."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("to mount a small filesystem takes root")
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], capture_output=True, text=True
    )
    if made.returncode:
        pytest.skip(f"no filesystem can be mounted here: {made.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def eventually(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def run(folder, *words, limit=None, file="run.mcap"):
    (folder / "flight.yaml").write_text(FLIGHT)
    command = [sys.executable, "-m", "volery", "run", str(folder / "flight.yaml"), "--headless", "--no-bus",
               "--speed", "max", "--record", str(file), *words]  # fmt: skip

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    before = small_files if limit else None
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, preexec_fn=before)


def whole(path):
    """Messages of a recording that was cut off, in order, the first at the beginning."""
    stamps = [m.stamp_ns for m in read_recording(path) if m.topic == "/clock"]
    assert stamps == [10_000_000 * (i + 1) for i in range(len(stamps))]
    return len(stamps)


def test_a_full_disk_ends_a_strict_run_at_once_with_an_exit_code(tmp_path):
    with tiny_disk(tmp_path / "disk") as disk:
        made = run(tmp_path, "--strict-record", "--duration", "100000", file=disk / "run.mcap")
        assert made.returncode == 1
        assert "recording stopped after" in made.stderr and "No space left on device" in made.stderr
        assert whole(disk / "run.mcap") > 10


def test_a_full_disk_is_told_at_the_end_too_and_the_run_is_whole(tmp_path):
    with tiny_disk(tmp_path / "disk") as disk:
        made = run(tmp_path, "--duration", "40", file=disk / "run.mcap")
        assert made.returncode == 1 and "end at 40.000 s" in made.stdout
        assert "No space left on device" in made.stderr and "not all was recorded" in made.stderr
        assert whole(disk / "run.mcap") > 10


def test_a_limit_on_the_size_of_files_is_a_fault_like_any_other(tmp_path):
    made = run(tmp_path, "--strict-record", "--duration", "100000", limit=150_000)
    assert made.returncode == 1 and "File too large" in made.stderr
    assert whole(tmp_path / "run.mcap") > 10


def test_a_whole_recording_ends_with_zero(tmp_path):
    made = run(tmp_path, "--strict-record", "--duration", "1")
    assert made.returncode == 0 and "recording stopped" not in made.stderr
    assert whole(tmp_path / "run.mcap") == 100


@pytest.mark.parametrize("what", ["removed", "replaced", "folder"])
def test_a_file_that_is_gone_is_said(tmp_path, what, caplog):
    folder = tmp_path / "there"
    folder.mkdir()
    told = []
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        recorder = Recorder(bus, folder / "run.mcap", on_fault=told.append)
        if what == "folder":
            shutil.rmtree(folder)
        else:
            (folder / "run.mcap").unlink()
        if what == "replaced":
            (folder / "run.mcap").write_text("another")
        eventually(lambda: recorder.fault is not None)
        with pytest.raises(BusError, match="removed or replaced"):
            recorder.close()
    assert told == [recorder.fault] and "removed or replaced" in caplog.text


def test_a_device_that_is_full_is_said(caplog):
    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        recorder = Recorder(bus, "/dev/full")
        eventually(lambda: recorder.fault is not None)
        with pytest.raises(BusError, match="No space left on device"):
            recorder.close()
    assert caplog.text.count("No space left") == 1


def test_an_error_of_any_kind_in_the_recorder_is_said_and_the_bus_goes_on(tmp_path, monkeypatch):
    def broken(*_):
        raise KeyError("no such thing")

    with Bus(BusConfig(listen=["tcp/127.0.0.1:0"])) as bus:
        recorder = Recorder(bus, tmp_path / "run.mcap")
        monkeypatch.setattr(recorder, "_write", broken)
        publisher = bus.advertise("/words", TEXT)
        for i in range(100):
            publisher.put(text("x"), i)
        eventually(lambda: recorder.fault is not None)
        with pytest.raises(BusError, match="KeyError"):
            recorder.close()


def test_a_page_is_told_at_once_and_the_run_goes_on(tmp_path):
    with tiny_disk(tmp_path / "disk") as disk:
        (tmp_path / "flight.yaml").write_text(FLIGHT)
        words = ("--no-browser", "--no-bus", "--viewer", "127.0.0.1:0", "--speed", "max")
        volery = Volery("run", "flight.yaml", *words, "--record", str(disk / "run.mcap"), cwd=tmp_path)
        try:
            page = volery.page()
            while "No space left" not in (page.until("state")[0]["recording_fault"] or ""):
                pass
            state = page.until("state")[0]
            assert state["recording"] is None
            steps = state["steps"]
            while page.until("state")[0]["steps"] <= steps + 10:
                pass
            page.close()
        finally:
            _, _, err = volery.end()
        assert volery.process.returncode == 1 and "No space left" in err
