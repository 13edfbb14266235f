"""Small campaigns, and what they write."""

import time

SCENARIO = """
step: 0.02
world: blocks
wind: {steady: [0, 0, 0], turbulence: light}
robots:
  uav1:
    type: quad
    physics: fleet
    position: [0, 0, 12]
    sensors: {scanner: off, imu: {type: imu, rate: 50}}
    motion: {path: [[0, 0, 12], [30, 0, 10]], speed: 5}
"""

GRID = "grid: {wind.steady: [[0, 0, 0], [4, 0, 0], [8, 0, 0]], robots.uav1.motion.speed: [2, 4]}"


def written(folder, campaign, scenario=SCENARIO, **files):
    """A campaign file beside its scenario and whatever else."""
    folder.mkdir(exist_ok=True)
    (folder / "flight.yaml").write_text(scenario)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    path = folder / "sweep.yaml"
    path.write_text(f"scenario: flight.yaml\nduration: 0.3\n{campaign}\n")
    return path


def report_bytes(folder):
    return [(folder / f"report.{kind}").read_bytes() for kind in ("html", "csv", "json")]


def wait_for(condition, seconds=240.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)
