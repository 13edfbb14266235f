"""Faults of the machine round a run: its clock jumps, its memory ends, its disk is read-only, it is stopped."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from bus_rig import FLIGHT
from viewer_rig import Guest, shown
from volery.bus.record import read_recording

FAKETIME = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))), None)
WATCHED = """
import os, runpy, sys
seen = []
def hook(event, arguments):
    if event == "open" and isinstance(arguments[0], (str, bytes)):
        seen.append((os.fsdecode(arguments[0]), arguments[1], arguments[2]))
    elif event.startswith("pickle."):
        seen.append((event, "w", 0))
sys.addaudithook(hook)
sys.argv = ["volery", *sys.argv[1:]]
try:
    runpy.run_module("volery", run_name="__main__")
except SystemExit as end:
    code = end.code
writes = os.O_WRONLY | os.O_RDWR | os.O_CREAT
print("OPENED", sorted({name for name, mode, flags in seen if flags & writes or set(mode or "") & set("wax+")}))
print("READ", [name for name, *_ in seen if "/volery-" + str(os.getuid()) + "/" in name + "/"])
sys.exit(code)
"""


def command(*words):
    return [sys.executable, "-m", "volery", "run", "flight.yaml", "--headless", "--no-bus", "--hash", *words]


def run(folder, *words, env=None, **options):
    """A short flight in a process of its own."""
    (folder / "flight.yaml").write_text(FLIGHT)
    around = {**os.environ, **(env or {})}
    return subprocess.run(
        command(*words), cwd=folder, capture_output=True, text=True, timeout=300, env=around, **options
    )


def hashes(out):
    """What a run ended with."""
    return re.findall(r"^(?:end at|readings) .*", out, re.M)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    made = run(tmp_path_factory.mktemp("undisturbed"), "--speed", "max", "--duration", "3")
    assert made.returncode == 0 and len(hashes(made.stdout)) == 2, made.stderr
    return hashes(made.stdout)


@pytest.mark.skipif(FAKETIME is None, reason="libfaketime is not installed: apt-get install faketime")
def test_a_jump_of_the_wall_clock_changes_nothing(tmp_path, undisturbed):
    (tmp_path / "flight.yaml").write_text(FLIGHT)
    clock = tmp_path / "clock"
    clock.write_text("+0")
    env = {"LD_PRELOAD": str(FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1",
           "FAKETIME_DONT_FAKE_MONOTONIC": "1"}  # fmt: skip
    words = command("--speed", "1", "--duration", "3", "--record", "run.mcap")
    process = subprocess.Popen(words, cwd=tmp_path, env={**os.environ, **env}, stdout=subprocess.PIPE, text=True)
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "Ctrl-C ends" in line:
            threading.Thread(target=jump, args=(clock,), daemon=True).start()
    assert process.wait(300) == 0
    assert hashes("".join(lines)) == undisturbed
    assert len([m for m in read_recording(tmp_path / "run.mcap") if m.topic == "/clock"]) == 300


def jump(clock):
    """A year on, ten years back, and right again."""
    for offset in ("+365d", "-3650d", "+0"):
        time.sleep(0.5)
        clock.write_text(offset)


@pytest.mark.parametrize("megabytes", [400, 700, 1000, 1500, 2500])
def test_a_limit_of_memory_is_a_clear_end_or_none_at_all(tmp_path, undisturbed, megabytes):
    """No hang, no crash of the interpreter, no half result called whole."""
    limit = megabytes * 1_000_000
    made = run(
        tmp_path, "--speed", "max", "--duration", "3", "--threads", "1",
        env={"OPENBLAS_NUM_THREADS": "1"}, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )  # fmt: skip
    if made.returncode == 0:
        assert hashes(made.stdout) == undisturbed
    else:
        assert made.returncode > 0 and made.stderr.strip(), (made.returncode, made.stdout, made.stderr)
        assert hashes(made.stdout) == []


def test_a_run_that_is_stopped_and_goes_on_ends_as_it_would_have(tmp_path, undisturbed):
    (tmp_path / "flight.yaml").write_text(FLIGHT)
    words = command("--speed", "1", "--duration", "3", "--record", "run.mcap")
    process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    lines = []
    for line in process.stdout:
        lines.append(line)
        if "Ctrl-C ends" in line:
            for _ in range(3):
                time.sleep(0.4)
                process.send_signal(signal.SIGSTOP)
                time.sleep(0.6)
                process.send_signal(signal.SIGCONT)
    assert process.wait(300) == 0
    assert hashes("".join(lines)) == undisturbed
    assert len([m for m in read_recording(tmp_path / "run.mcap") if m.topic == "/clock"]) == 300


def test_a_disk_that_is_read_only_hurts_nobody_who_writes_nothing(tmp_path, undisturbed):
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("to make a folder read-only for root takes a namespace of mounts")
    (tmp_path / "flight.yaml").write_text(FLIGHT)
    words = " ".join(command("--speed", "max", "--duration", "3"))
    inside = f"mount --bind {tmp_path} {tmp_path} && mount -o remount,ro,bind {tmp_path} && cd {tmp_path} && {words}"
    env = {**os.environ, **dict.fromkeys(("HOME", "TMPDIR", "XDG_CACHE_HOME"), str(tmp_path))}
    made = subprocess.run(["unshare", "-m", "sh", "-c", inside], capture_output=True, text=True, env=env, timeout=300)
    if "unshare" in made.stderr or "mount:" in made.stderr:
        pytest.skip(f"no namespace of mounts can be made here: {made.stderr.strip()}")
    assert made.returncode == 0 and hashes(made.stdout) == undisturbed, made.stderr


def test_nothing_is_read_from_or_written_to_folders_that_others_may_have_made(tmp_path, undisturbed):
    """There is no cache of pickles any more; a folder with the name of the old one is left alone."""
    trap = tmp_path / f"volery-{os.getuid()}"
    trap.mkdir()
    (trap / "index.nbi").write_bytes(b"\x80\x04cos\nsystem\n")
    if os.geteuid() == 0:
        os.chown(trap, 65534, 65534)
    (tmp_path / "flight.yaml").write_text(FLIGHT)
    words = [sys.executable, "-c", WATCHED, *command("--speed", "max", "--duration", "3")[3:]]
    env = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    made = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=env, timeout=300)
    assert made.returncode == 0 and hashes(made.stdout) == undisturbed, made.stderr
    assert "READ []" in made.stdout
    opened = re.search(r"OPENED (\[.*\])", made.stdout)[1]
    assert [name for name in eval(opened) if not name.startswith("/dev/")] == []
    assert os.listdir(trap) == ["index.nbi"]


def test_no_part_of_volery_unpickles():
    source = Path(__file__).parent.parent.parent / "src" / "volery"
    found = [p.name for p in source.rglob("*.py") if re.search(r"\b(pickle|marshal|shelve|dill)\b", p.read_text())]
    assert found == []


def test_a_robot_that_is_removed_under_its_client_is_told_and_the_run_goes_on(tmp_path):
    with shown(tmp_path) as stage, Guest(stage.server) as guest:
        guest.until("welcome")
        answers = []
        for i in range(60):
            if i == 20:
                stage.simulation.ask(lambda: stage.simulation.remove("uav1")).result(60)
            for name, values in (
                ("command", {"robot": "uav1", "command": ["velocity", {"v_W": [1, 0, 0]}]}),
                ("operate", {"robot": "uav1", "sensor": "lamp", "control": "switch", "arguments": [True]}),
                ("place", {"robot": "uav1", "p": [0, 0, 5], "q": [1, 0, 0, 0]}),
            ):
                answers.append((i, guest.do(name, **values)))
        assert all("unknown robot 'uav1'" in answer["error"] for i, answer in answers if i >= 20)
        assert all("result" in answer for i, answer in answers if i < 20 and "switch" not in str(answer))
        assert stage.steps_on() and stage.error is None


def change_often(server, path, value, count):
    """Set a property from a page, 200 times a second, as much as a page may; how many were done."""
    done = 0
    with Guest(server) as guest:
        guest.until("welcome")
        began = time.monotonic()
        for i in range(count):
            done += "error" not in guest.do("set", path=path, value=value(i))
            time.sleep(max(0.0, began + i / 180 - time.monotonic()))
    return done


def test_properties_that_change_a_thousand_times_a_second(tmp_path):
    """Six pages at once; then as fast as a client can ask. The run goes on, and the last value stands."""
    paths = {"environment.weather.fog": lambda i: i / 1000, "environment.wind.steady.0": lambda i: i % 7,
             "robots.uav1.sensors.imu.rate": lambda i: 50.0 + i % 50}  # fmt: skip
    with shown(tmp_path) as stage, ThreadPoolExecutor(6) as pool:
        simulation, steps = stage.simulation, stage.simulation.clock.steps
        ways = [*paths.items()] * 2
        done = [pool.submit(change_often, stage.server, path, value, 300) for path, value in ways]
        assert [future.result(240) for future in done] == [300] * 6
        assert simulation.environment.weather.fog == 0.299
        assert simulation.clock.steps > steps + 50 and stage.error is None
        steps, path = simulation.clock.steps, "robots.uav1.sensors.imu.rate"
        asked = [simulation.ask(lambda i=i: simulation.set(path, 50.0 + i % 50), "one client") for i in range(600)]
        assert [future.result(240) for future in asked] == [None] * 600
        assert simulation.sensors["uav1"]["imu"].config.rate == 50.0 + 599 % 50
        assert simulation.clock.steps > steps + 60, "at most some milliseconds of each step are for it"
