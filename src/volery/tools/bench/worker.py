"""Another library in a process of its own: its crash, its output and its OpenGL stay there; it is timed there too."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from volery.tools.bench.near import FlatScene
from volery.tools.bench.peers import PEERS
from volery.tools.bench.renderers import RENDERERS
from volery.tools.bench.scenes import lidar_rays
from volery.tools.bench.timing import Sample, timed

__all__ = ["PeerWorker", "start_workers"]


class PeerWorker:
    """A library at work on a scene; `kind` is camera or lidar."""

    def __init__(self, kind: str, name: str, scene: Path) -> None:
        command = [sys.executable, "-m", "volery.tools.bench.worker", kind, name, str(scene)]
        pipe, null = subprocess.PIPE, subprocess.DEVNULL
        # MuJoCo looks for a window unless told otherwise.
        around = {"MUJOCO_GL": "egl", **os.environ}
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=null, env=around, text=True)
        self.error: str | None = None
        """Why it does not work here."""

    def wait(self) -> PeerWorker:
        """Until the scene is built."""
        self._answer()
        return self

    def seconds(self, **request: Any) -> float:
        """Have a request done, and timed there; NaN from one that broke."""
        if self.error is None:
            assert self._process.stdin is not None
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        return float(self._answer().get("seconds", "nan"))

    def result(self, **request: Any) -> np.ndarray | None:
        """What it found: depth [h, w] or distances [n] of the first place [m]; None from one that broke."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "result.npy"
            self.seconds(**request, save=str(path))
            return np.load(path) if self.error is None else None

    def close(self) -> None:
        """End its process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _answer(self) -> dict[str, Any]:
        if self.error is not None:
            return {}
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        answer = json.loads(line) if line else {"error": f"ended with code {self._process.wait()}"}
        self.error = answer.get("error")
        return answer


def start_workers(kind: str, scene: Path, libraries: Collection[str] | None = None) -> dict[str, PeerWorker]:
    """All libraries of a kind that are installed (of those named), each with the scene built or an error."""
    packages = {name: RENDERERS[name][0] for name in RENDERERS} if kind == "camera" else {name: name for name in PEERS}
    there = {
        name: PeerWorker(kind, name, scene)
        for name, package in packages.items()
        if (libraries is None or name in libraries) and find_spec(package) is not None
    }
    return {name: worker.wait() for name, worker in there.items()}


# In the process of its own


def _pictures(name: str, scene: FlatScene) -> Callable[[dict[str, Any]], Sample]:
    draw = RENDERERS[name][1](scene)
    # The first picture takes long: shaders are made.
    draw(scene.eye, 0.0, 32, 32)

    def prepare(request: dict[str, Any]) -> Sample:
        places, size = np.array(request["places"]), (request["width"], request["height"])
        return lambda: [draw(eye, request["yaw"], *size) for eye in places]

    return prepare


def _sweeps(name: str, scene: FlatScene) -> Callable[[dict[str, Any]], Sample]:
    cast = PEERS[name](scene.vertices, scene.faces)
    # Some build their hierarchies at the first ray.
    cast(scene.eye[None].astype(np.float32), np.array([[1.0, 0.0, 0.0]], np.float32), 1.0)

    def prepare(request: dict[str, Any]) -> Sample:
        c, s = np.cos(request["yaw"]), np.sin(request["yaw"])
        turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float32)
        directions = np.ascontiguousarray(lidar_rays(request["lines"], request["columns"]) @ turn.T)
        origins = [np.tile(np.float32(place), (len(directions), 1)) for place in request["places"]]
        return lambda: [cast(origin, directions, request["far"]) for origin in origins]

    return prepare


def _serve(kind: str, name: str, path: str) -> None:
    # What libraries print goes nowhere; answers have a way of their own.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    def answer(**about: Any) -> None:
        answers.write(json.dumps(about) + "\n")
        answers.flush()

    try:
        prepare = (_pictures if kind == "camera" else _sweeps)(name, FlatScene.load(Path(path)))
        answer(ready=True)
        for line in sys.stdin:
            request = json.loads(line)
            sample: Any = prepare(request)
            if "save" in request:
                np.save(request["save"], sample()[0])
            answer(seconds=0.0 if "save" in request else timed(sample))
    except Exception as error:
        answer(error=f"does not work here: {str(error).splitlines()[0]}")


if __name__ == "__main__":
    _serve(*sys.argv[1:])
