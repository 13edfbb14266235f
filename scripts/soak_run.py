"""The run of a soak, and its clients, as processes."""

from __future__ import annotations

import json
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

__all__ = ["PORTS", "Client", "Server", "scenario"]

PORTS = ("airsim", "gamebots", "ueds", "ueds_drone", "mocap", "control", "bus")
_START = 300.0
"""A first start compiles kernels [s]."""
_HERE = Path(__file__).parent


def scenario(ports: dict[str, int]) -> str:
    """Sixteen drones over an endless forest; AirSim, UEds and USARSim bring the rest. Two fly far, and begin so far
    from the others that as much of the forest is there at the beginning as at the end."""
    lines = []
    for i in range(16):
        x, y, z = 12.0 * (i % 4) - 18.0, 12.0 * (i // 4) - 18.0, 32.0 + 2.0 * (i % 3)
        path, speed = [[x, y, z], [x + 8, y, z], [x + 8, y + 8, z], [x, y + 8, z]], 3
        if i >= 14:
            x, z, speed = 1000.0 * (2 * i - 29), 50.0, 8
            path = [[x, y, z], [10.0 * x, y, z]]
        camera = ", eye: {type: camera, width: 64, height: 48, rate: 1, quality: fast}" if i == 0 else ""
        lines.append(
            f"  uav{i + 1}: {{type: quad, physics: fleet, position: [{x}, {y}, {z}], motion: {{path: {path}, "
            f"speed: {speed}}}, sensors: {{scanner: off, lidar: {{type: lidar, lines: 4, columns: 64, rate: 5, "
            f"max_range: 60}}, imu: {{type: imu, rate: 50}}{camera}}}}}"
        )
    doors = [
        f"  airsim: {{port: {ports['airsim']}, settings: none}}",
        f"  gamebots: {{port: {ports['gamebots']}, image_port: null}}",
        f"  ueds: {{port: {ports['ueds']}, thesis_port: null, drone_port: {ports['ueds_drone']}}}",
        f"  mocap: {{port: {ports['mocap']}}}",
        f"  control: {{links: {{uav2: {{port: {ports['control']}, rotors: true}}}}}}",
    ]
    streaming = "streaming: {visible: 80, ahead: 60}"
    channels = 'channels: {without_drones: ["[!u]*", "u[!a]*", "ua[!v]*"]}'
    return "\n".join(
        ["seed: 1", "step: 0.02", "world: forest", streaming, channels, "protocols:", *doors, "robots:", *lines, ""]
    )


class Server:
    """`volery run` of the soak's scenario."""

    def __init__(self, out: Path, ports: dict[str, int]) -> None:
        self.out = out
        self.series: list[tuple[float, float, int, int]] = []
        """Seconds, memory [MB], threads, open files."""
        self.recording = ""
        """The file of the recording of now."""
        self._lines: deque[str] = deque(maxlen=4000)
        words = ["run", str(out / "soak.yaml"), "--viewer", "127.0.0.1:0", "--no-browser", "--out", str(out)]
        words += ["--listen", f"tcp/127.0.0.1:{ports['bus']}", "--speed", "1"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "volery", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        threading.Thread(target=self._listen, daemon=True).start()
        url = self._wait_for(r"viewer: http://127\.0\.0\.1:(\d+)/#k=(\S+)")
        self.viewer_port, self.token = int(url.group(1)), url.group(2)
        self._wait_for("Ctrl-C ends")

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self.process.poll() is None

    @property
    def text(self) -> str:
        """What it said last."""
        return "\n".join(self._lines)

    def ask(self, do: str, timeout: float = 60.0, **values: Any) -> dict:
        """A request as a page makes it: the reply, with `result` or `error`."""
        address, options = f"ws://127.0.0.1:{self.viewer_port}/ws", {"compression": None, "max_queue": None}
        with connect(address, max_size=None, open_timeout=timeout, **options) as page:
            page.send(json.dumps({"do": "hello", "token": self.token, "version": 1}))
            page.send(json.dumps({"do": do, "id": 7, **values}))
            end = time.monotonic() + timeout
            while (left := end - time.monotonic()) > 0:
                data = page.recv(left)
                if isinstance(data, str) and (found := json.loads(data)).get("id") == 7:
                    return found
        raise TimeoutError(do)

    def record(self, name: str) -> None:
        """Begin a recording."""
        reply = self.ask("record", file=name)
        if "error" in reply:
            raise RuntimeError(reply["error"])
        self.recording = name

    def limit_files(self, size: int) -> None:
        """No file of the run may grow beyond so many bytes, as if the disk were full; -1: as before."""
        limit = resource.RLIM_INFINITY if size < 0 else size
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))

    def measure(self, now: float) -> None:
        """Memory, threads and open files of now."""
        folder = Path(f"/proc/{self.process.pid}")
        try:
            status = (folder / "status").read_text()
            count = len(list((folder / "fd").iterdir()))
        except OSError:
            return
        values = {line.split(":")[0]: line.split()[1] for line in status.splitlines() if len(line.split()) > 1}
        if "VmRSS" not in values:
            # It has ended, and nobody has taken notice yet.
            return
        self.series.append((round(now, 1), int(values["VmRSS"]) / 1e3, int(values["Threads"]), count))

    def end(self) -> None:
        """Ctrl-C, and the end in good order; a second is not needed."""
        if self.alive:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=60.0)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """The end, whatever it does."""
        if self.alive:
            self.process.kill()
            self.process.wait()

    def _listen(self) -> None:
        for line in self.process.stdout:
            self._lines.append(line.rstrip())

    def _wait_for(self, pattern: str) -> re.Match:
        end = time.monotonic() + _START
        while time.monotonic() < end and self.alive:
            if found := re.search(pattern, self.text):
                return found
            time.sleep(0.1)
        raise RuntimeError(f"the run did not begin: {self.text[-2000:]}")


class Client:
    """A client's process, which may be killed and begun again."""

    def __init__(self, kind: str, words: list[str]) -> None:
        self.kind, self._words = kind, words
        self.exchanges = 0
        """That went well, all processes together."""
        self.starts = 0
        self.longest = 0.0
        """Between two of them, when nothing was done to it [s]."""
        self._process: subprocess.Popen | None = None
        self.restart()

    def restart(self) -> None:
        """End the process of now, if there is one, and begin another."""
        self.kill()
        self.starts += 1
        self._heard = time.monotonic()
        command = [sys.executable, str(_HERE / "soak_clients.py"), self.kind, *self._words]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether its process runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def silent(self) -> float:
        """How long nothing came [s]."""
        return time.monotonic() - self._heard

    def said(self) -> str:
        """The last words of one that has ended."""
        if self.alive or self._process is None:
            return "it runs"
        return self._process.stderr.read().strip().splitlines()[-1:].__str__()

    def hears(self, count: int, seconds: float) -> bool:
        """Whether so many exchanges more go well in time."""
        wanted, end = self.exchanges + count, time.monotonic() + seconds
        while time.monotonic() < end and self.alive:
            if self.exchanges >= wanted:
                return True
            time.sleep(0.05)
        return False

    def signal(self, number: int) -> None:
        """Send a signal to its process."""
        if self.alive:
            self._process.send_signal(number)

    def forgive(self) -> None:
        """Its silence until now has a reason."""
        self._heard = time.monotonic()

    def kill(self) -> None:
        """End its process at once."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _listen(self, process: subprocess.Popen) -> None:
        for _ in process.stdout:
            if process is self._process:
                self.longest = max(self.longest, self.silent)
                self._heard = time.monotonic()
                self.exchanges += 1
