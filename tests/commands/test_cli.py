"""The command line as a user meets it: help, answers, and errors without tracebacks."""

import json
import resource
import signal
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

from volery.cli import main
from volery.commands.start import Ending


def volery(*words, **options):
    return subprocess.run(
        [sys.executable, "-m", "volery", *words], capture_output=True, text=True, timeout=300, **options
    )


def test_help_names_the_commands(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    text = capsys.readouterr().out
    assert all(word in text for word in ("run", "render", "list", "bench", "doctor"))


def test_run_prints_a_short_line_a_second_and_the_state():
    out = volery("run", "blocks", "--headless", "--duration", "2.5")
    assert out.returncode == 0, out.stderr
    lines = out.stdout.splitlines()
    told = [line for line in lines if "real time ×" in line]
    assert len(told) >= 2 and all("1 robot" in line and len(line) < 80 for line in told)
    assert "end at 2.500 s, state" in lines[-1]


def test_verbose_tells_where_robots_are_and_what_they_sense():
    out = volery("run", "blocks", "--headless", "--duration", "1.5", "--verbose")
    assert "uav1 at (" in out.stdout and "occupied" in out.stdout


def test_flags_of_a_mission_stand_in_the_help_of_its_scenario(capsys):
    def help_of(*words):
        with pytest.raises(SystemExit):
            main(["run", *words, "--help"])
        return capsys.readouterr().out

    assert "--robots" in help_of("rescue") and "--arena" in help_of("rescue") and "--dialect" not in help_of("rescue")
    assert "--dialect" in help_of("usarsim") and "--behaviour" in help_of("deliveries")
    assert "--drones" not in help_of() and "volery run SCENARIO --help" in " ".join(help_of().split())


def test_an_empty_scenario_is_told(tmp_path, caplog):
    (tmp_path / "s.yaml").write_text("")
    assert main(["run", str(tmp_path / "s.yaml"), "--headless", "--no-bus", "--duration", "0.1", "--speed", "max"]) == 0
    assert "names no robots" in caplog.text


def test_without_a_scenario_the_demonstration_is_run():
    out = volery("run", "--headless", "--duration", "0.1", "--speed", "max")
    assert out.returncode == 0, out.stderr
    assert out.stdout.startswith("demo: ")


def test_the_same_run_has_the_same_hashes_and_another_seed_others():
    def hashes(*more):
        out = volery("run", "blocks", "--headless", "--duration", "0.5", "--speed", "max", "--hash", *more)
        return [line.split()[-1] for line in out.stdout.splitlines()[-2:]]

    first = hashes()
    assert hashes() == first
    assert hashes("--threads", "1") == first
    assert hashes("--seed", "99") != first


def test_a_run_is_continued_from_a_snapshot(tmp_path):
    file = str(tmp_path / "a.state")
    fast = ("--headless", "--speed", "max")
    whole = volery("run", "blocks", *fast, "--duration", "0.6").stdout.splitlines()[-1]
    volery("run", "blocks", *fast, "--duration", "0.2", "--snapshot", file)
    rest = volery("run", "blocks", *fast, "--duration", "0.4", "--resume", file).stdout.splitlines()[-1]
    assert rest == whole


def test_lockstep_without_an_outside_is_refused_rather_than_hanging(tmp_path, capsys):
    (tmp_path / "s.yaml").write_text("pace: lockstep")
    assert main(["run", str(tmp_path / "s.yaml")]) == 1
    assert "waits for an outside program" in capsys.readouterr().err


def test_ctrl_c_ends_a_run_in_good_order():
    process = subprocess.Popen(
        [sys.executable, "-m", "volery", "run", "--headless"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert "Ctrl-C ends" in process.stdout.readline()
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 0 and "end at" in out and "Traceback" not in err


def test_a_second_ctrl_c_does_not_wait_for_good_order():
    asked = []
    ending = Ending(lambda: asked.append(1))
    try:
        signal.raise_signal(signal.SIGINT)
        assert asked == [1] and ending.asked
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        ending.restore()


@pytest.mark.parametrize("kind", ["colour", "depth", "normal", "label"])
def test_render_makes_pictures(tmp_path, kind, capsys):
    path = tmp_path / "out.png"
    assert main(["render", "blocks", str(path), "--type", kind, "--size", "96x54", "--camera", "uav1/front"]) == 0
    picture = np.asarray(Image.open(path))
    assert picture.shape == (54, 96, 3) and picture.std() > 5


@pytest.mark.parametrize("ending", ["webp", "gif", "png"])
def test_render_makes_clips(tmp_path, ending):
    """Of a robot that flies: the pictures differ, and there are as many as were asked for."""
    (tmp_path / "s.yaml").write_text(
        "world: blocks\nrobots: {u: {type: quad, physics: kinematic, sensors: {scanner: off}, "
        "motion: {path: [[0, 0, 6], [40, 0, 6]], speed: 8}}}"
    )
    path = tmp_path / f"out.{ending}"
    words = ["--clip", "0.5", "--fps", "8", "--size", "64x36", "--camera", "1.5,-3,6,90,0", "--type", "label"]
    assert main(["render", str(tmp_path / "s.yaml"), str(path), *words]) == 0
    clip = Image.open(path)
    assert clip.n_frames == 4 and clip.size == (64, 36)
    frames = []
    for n in range(4):
        clip.seek(n)
        frames.append(np.asarray(clip.convert("RGB"), int))
        assert clip.info["duration"] == pytest.approx(125, abs=5)
    assert all(np.abs(a - b).max() > 20 for a, b in pairwise(frames))


def test_render_sees_what_is_there(tmp_path):
    """A camera over flat ground: the lower half is near and bright in the depth picture, the sky is black."""
    scenario = tmp_path / "s.yaml"
    scenario.write_text("world: empty")
    path = tmp_path / "out.png"
    words = ["render", str(scenario), str(path), "--type", "depth", "--size", "64x64", "--camera", "0,0,2,30,0"]
    assert main(words) == 0
    depth = np.asarray(Image.open(path))[..., 0].astype(int)
    assert (depth[:30] == 0).all()
    assert (np.diff(depth[34:].mean(axis=1)) > 0).all()


EARLY = [
    ["flie"], ["run", "bloks"], ["run", "nowhere.yaml"], ["run", "--duration", "-1"], ["run", "--speed", "fast"],
    ["run", "--seed", "-2"], ["run", "--resume", "nothing.state"], ["render", "forst", "x.png"], ["replay", "x.mcap"],
    ["render", "demo", "/nowhere/x.png"], ["campaign", "nothing.yaml"], ["list", "wolrds"], ["run", "--sped", "1"],
]  # fmt: skip


def test_wrong_names_files_and_numbers_are_told_before_anything_heavy_is_imported():
    program = """
import sys
from volery.cli import main
for words in %r:
    try:
        code = main(words)
    except SystemExit as end:
        code = end.code
    assert code in (1, 2), (words, code)
heavy = {"numpy", "mujoco", "zenoh", "volery.sim", "volery._native"} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", program % (EARLY,)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kind", ["scenarios", "worlds", "robots", "sensors", "engines", "agents", "protocols"])
def test_list_tells_of_each_in_a_sentence_and_of_one_all(kind, capsys):
    assert main(["list", kind]) == 0
    lines = capsys.readouterr().out.splitlines()
    names = [line.split()[0] for line in lines if line and not line.startswith((" ", "volery list"))]
    assert len(names) > 3
    for name in names:
        assert main(["list", kind, name]) == 0
        told = capsys.readouterr().out
        assert told.startswith(name) and "Example:" in told


def test_list_tells_parameters_with_unit_range_and_default(capsys):
    assert main(["list", "sensors", "lidar"]) == 0
    told = capsys.readouterr().out
    assert "rate [Hz]" in told and "default 10" in told and "≥" in told


def test_doctor_finds_this_machine_well(capsys):
    assert main(["doctor"]) == 0
    assert "BAD" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("rays", ["ratio_to_bare_embree", "p99_ms", "rays_per_s"]),
        ("scanner", ["ratio_to_bare_embree", "p99_ms", "budget_ms"]),
        ("lidar", ["by_rays_ms", "by_drones_ms", "drones_rays"]),
        ("camera", ["by_size_ms", "by_drones_ms", "fleet_real_time_factor"]),
        pytest.param(
            "worlds", ["longest_stall_ms", "instanced_triangles", "memory_mb", "chunks_per_s"], marks=pytest.mark.slow
        ),
    ],
)
def test_bench_quick_gives_json(name, keys, capsys):
    assert main(["bench", name, "--json", "--quick", "--no-peers"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["bench"] == name and result["machine"]["cores"] >= 1
    assert all(key in json.dumps(result) for key in keys)


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["flie"], 2, "unknown command 'flie'"),
        (["rnu"], 2, "did you mean 'run'"),
        (["run", "bloks"], 1, "did you mean 'blocks'"),
        (["run", "nowhere.yaml"], 1, "nowhere.yaml: does not exist"),
        (["run", "--duration", "-1"], 1, "--duration -1: must be greater than 0"),
        (["run", "--speed", "fast"], 1, "must be a number, or 'max'"),
        (["run", "--speed", "-2"], 1, "--speed -2: must be greater than 0"),
        (["run", "--seed", "-2"], 1, "--seed -2: must be 0 or more"),
        (["run", "--threads", "999"], 1, "threads = 999"),
        (["run", "--resume", "nothing.state"], 1, "--resume nothing.state: no such file"),
        (["render", "blocks", "/nowhere/x.png"], 1, "cannot be written"),
        (["render", "blocks", "x.jpg", "--clip", "1"], 1, "a clip ends in .webp"),
        (["render", "blocks", "x.gif", "--clip", "0"], 1, "--clip 0"),
        (["render", "blocks", "x.png", "--size", "big"], 1, "--size big"),
        (["render", "blocks", "x.png", "--size", "99999x1"], 1, "8192"),
        (["render", "blocks", "x.png", "--camera", "1,2,3"], 1, "x,y,z,yaw,pitch"),
        (["render", "blocks", "x.png", "--camera", "uva1"], 1, "did you mean 'uav1'"),
        (["render", "blocks", "x.png", "--camera", "uav1/fornt"], 1, "did you mean 'front'"),
        (["bench", "rais"], 1, "did you mean 'rays'"),
        (["list", "wolrds"], 2, "invalid choice"),
        (["list", "sensors", "camra"], 1, "did you mean 'camera'"),
        (["run", "demo", "--record", "/nowhere/x.mcap"], 1, "there is no folder /nowhere"),
        (["run", "airsim", "--settings", "nothing.json"], 1, "--settings nothing.json: no such file"),
        (["replay", "nothing.mcap"], 1, "nothing.mcap: no such file"),
        (["campaign", "nothing.yaml"], 1, "nothing.yaml: no such file"),
    ],
)
def test_wrong_words_get_a_clear_error(words, code, message, capsys):
    try:
        got = main(words)
    except SystemExit as end:
        got = end.code
    text = capsys.readouterr().err
    assert got == code, text
    assert message in text and "Traceback" not in text


WRONG = [
    ("ran", "did you mean 'run'"),
    ("run forrest", "did you mean 'forest'"),
    ("run nofile.yaml", "volery list scenarios"),
    ("run forest --speed fats", "a number, or 'max'"),
    ("run forest --seed abc", "help: volery run --help"),
    ("run forest --seed -1", "must be 0 or more"),
    ("run forest --duration -3", "must be greater than 0"),
    ("run forest --nonsense", "help: volery"),
    ("run forest --threads 0", "must be 1 or more"),
    ("run forest --viewer no.such.machine.invalid:1", "write HOST:PORT"),
    ("run forest --autopilot arducopter", "did you mean 'ardupilot'"),
    ("run forest --record /nodir/x.mcap", "there is no folder /nodir"),
    ("run forest --resume nofile", "write one with --snapshot"),
    ("run forest --settings nofile", "no such file"),
    ("run forest --log nofile.csv", "no such file"),
    ("run bad_world.yaml", "bad_world.yaml:1: world.type: unknown world 'forrest', did you mean 'forest'"),
    ("run bad_robot.yaml", "did you mean 'quad'"),
    ("run bad_syntax.yaml", "this is not YAML"),
    ("run bad_key.yaml", "did you mean 'speed'"),
    ("run bad_sensor.yaml", "did you mean 'lidar'"),
    ("run bad_step.yaml", "the least is"),
    ("run bad_door.yaml", "did you mean 'airsim'"),
    ("list sensrs", "help: volery list --help"),
    ("list sensors lidr", "did you mean 'lidar'"),
    ("list robots qaud", "did you mean 'quad'"),
    ("render forrest x.png", "did you mean 'forest'"),
    ("render forest x.png --size 10", "such as 960x540"),
    ("render forest /nodir/x.png", "there is no folder"),
    ("render forest x.png --camera uav2", "did you mean 'uav1'"),
    ("replay nofile.mcap", "volery run --record"),
    ("replay bad_step.yaml", "is no MCAP recording"),
    ("rerun nofile.mcap", "volery run --record"),
    ("bench nonsense", "known: bus"),
    ("report nonsense", "help: volery report"),
    ("campaign nofile.yaml", "no such file"),
]


@pytest.fixture(scope="module")
def wrong_files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wrong")
    texts = {
        "world": "world: forrest\n", "robot": "robots: {uav1: {type: qaud}}\n", "syntax": "world: [\n",
        "key": "robots: {uav1: {type: quad, motion: {speeed: 3}}}\n", "step": "step: -1\n",
        "sensor": "robots: {uav1: {type: quad, sensors: {x: {type: lidr}}}}\n", "door": "protocols: {airsm: {}}\n",
    }  # fmt: skip
    for name, text in texts.items():
        (folder / f"bad_{name}.yaml").write_text(text)
    return folder


@pytest.mark.parametrize(("words", "hint"), WRONG)
def test_a_wrong_call_is_answered_at_once_with_what_to_do(words, hint, wrong_files):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = volery(*words.split(), cwd=wrong_files)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert out.returncode in (1, 2) and not out.stdout
    assert out.stderr.startswith("volery: ") and hint in out.stderr and "Traceback" not in out.stderr
    # Half a second on a machine with nothing else to do; of processor time, since tests have company.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.9
