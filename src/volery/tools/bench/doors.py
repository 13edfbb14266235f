"""`volery bench doors`: jitter of steps and waits of honest clients, without and with a hundred hostile ones."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from volery.tools.bench.door_clients import first_picture
from volery.tools.bench.timing import machine

__all__ = ["BUDGET", "attack", "run", "table"]

BUDGET = {"honest_p99_ms": 100.0, "more_jitter_ms": 5.0, "more_memory": 0.10}
_SCENARIO = """
seed: 1
step: 0.01
world: {type: blocks, count: 40}
channels: {without_drones: ["[!u]*", "u[!a]*", "ua[!v]*"]}
robots:
  pushed: {type: quad, physics: fleet, position: [20, 20, 5], sensors: {scanner: off}}
protocols:
  airsim: {port: 0, settings: none}
  ueds: {port: 0, thesis_port: null, drone_port: 0}
  gamebots: {port: 0, image_port: 0, starts: {S6: [-60, 0, 0.5, 0], S7: [-60, 8, 0.5, 0]}}
  mocap: {port: 0}
  control: {links: {pushed: {port: 0, rotors: true}}}
"""
_SETTLE = 3.0
"""Seconds that are not counted: first pictures, caches."""
_AFTER = 3.0
"""Seconds after the attack until what is held is looked at."""


class _Server:
    """All doors in a process of their own."""

    def __init__(self, folder: Path) -> None:
        file = folder / "doors-bench.yaml"
        file.write_text(_SCENARIO, encoding="utf-8")
        words = [sys.executable, "-m", "volery.commands.served", str(file), str(folder / "out")]
        log = (folder / "server.log").open("w", encoding="utf-8")
        self._run = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True)
        self.ports = self._read()["ports"]

    def mark(self, name: str) -> dict[str, Any]:
        """What the process holds now, and how many steps it has made."""
        self._run.stdin.write(name + "\n")  # type: ignore[union-attr]
        self._run.stdin.flush()  # type: ignore[union-attr]
        return self._read()

    def close(self) -> np.ndarray:
        """When each step ended [s]."""
        self._run.stdin.close()  # type: ignore[union-attr]
        times = np.array(self._read()["times_s"])
        self._run.wait(30)
        return times

    def kill(self) -> None:
        """Whatever happens."""
        self._run.kill()
        self._run.wait()

    def _read(self) -> dict[str, Any]:
        line = self._run.stdout.readline()  # type: ignore[union-attr]
        if not line:
            raise RuntimeError(f"the server ended with code {self._run.wait()}")
        return json.loads(line)


def _clients(kind: str, ports: dict[str, Any], seconds: float, count: int) -> subprocess.Popen[str]:
    words = [
        sys.executable,
        "-m",
        "volery.tools.bench.door_clients",
        kind,
        json.dumps(ports),
        str(seconds),
        str(count),
    ]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def _lateness(times: np.ndarray) -> dict[str, float]:
    """How much longer than a step it was from one to the next [ms]: a step that comes early makes up for a late one."""
    late = np.abs(np.diff(times) - np.median(np.diff(times))) * 1e3
    return {"median_ms": _at(late, 50), "p99_ms": _at(late, 99), "longest_ms": _at(late, 100)}


def _at(values: np.ndarray, share: float) -> float:
    return round(float(np.percentile(values, share)), 3) if len(values) else float("nan")


def _answered(found: list[dict[str, Any]]) -> dict[str, Any]:
    every = np.array([ms for own in found for ms in own["ms"]])
    return {
        "calls": len(every), "median_ms": _at(every, 50), "p99_ms": _at(every, 99), "longest_ms": _at(every, 100),
        "by_client_p99_ms": [_at(np.array(own["ms"]), 99) for own in sorted(found, key=lambda o: o["client"])],
        "errors": [e for own in found for e in own["errors"]],
    }  # fmt: skip


def attack(folder: Path, calm: float, seconds: float, hostile: int = 100, honest: int = 10) -> dict[str, Any]:
    """Honest clients alone for a while, then beside hostile ones; all of it in one run of one server."""
    server = _Server(folder)
    try:
        _clients("honest", server.ports, _SETTLE, honest).wait()
        # What the first picture needs stays, whoever asks for it.
        first_picture(server.ports)
        parts: dict[str, Any] = {}
        marks = [server.mark("calm")]
        for name, lasting, count in (("calm", calm, 0), ("attacked", seconds, hostile)):
            enemies = _clients("hostile", server.ports, lasting, count) if count else None
            friends = _clients("honest", server.ports, lasting, honest)
            parts[name] = {"honest": _answered(json.loads(friends.communicate()[0] or "[]"))}
            if enemies is not None:
                parts[name]["visits"] = json.loads(enemies.communicate()[0] or '[{"visits": 0}]')[0]["visits"]
            marks.append(server.mark(name))
        time.sleep(_AFTER)
        marks.append(server.mark("after"))
        times = server.close()
    except BaseException:
        server.kill()
        raise
    for i, name in enumerate(("calm", "attacked")):
        parts[name]["step"] = _lateness(times[marks[i]["step"] : marks[i + 1]["step"]])
        parts[name]["held"] = {k: marks[i + 1][k] for k in ("bytes", "threads", "files")}
    parts["after"] = {k: marks[-1][k] for k in ("bytes", "threads", "files")}
    return parts


def run(*, quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Measure; quick: some seconds and fewer hostile clients. Nothing here has a peer."""
    calm, seconds, hostile = (2.0, 3.0, 20) if quick else (20.0, 60.0, 100)
    with tempfile.TemporaryDirectory() as folder:
        parts = attack(Path(folder), calm, seconds, hostile)
    more = parts["attacked"]["step"]["p99_ms"] - parts["calm"]["step"]["p99_ms"]
    return {
        "bench": "doors", "machine": machine(), "hostile": hostile, "seconds": seconds, "budget": BUDGET,
        "more_jitter_ms": round(more, 3), **parts,
    }  # fmt: skip


def table(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [f"10 honest clients, and {result['hostile']} hostile ones for {result['seconds']:g} s, over all doors"]
    lines.append(f"{'':10} {'calls':>7} {'median':>9} {'99 %':>9} {'longest':>9}   step jitter 99 %, longest")
    for name in ("calm", "attacked"):
        own, step = result[name]["honest"], result[name]["step"]
        lines.append(
            f"{name:10} {own['calls']:7} {own['median_ms']:6.2f} ms {own['p99_ms']:6.1f} ms {own['longest_ms']:6.0f} ms"
            f"   {step['p99_ms']:.2f} ms, {step['longest_ms']:.1f} ms"
        )
    held = [result["calm"]["held"], result["attacked"]["held"], result["after"]]
    lines.append("memory " + " → ".join(f"{h['bytes'] / 1e6:.0f} MB" for h in held))
    lines.append(
        "threads "
        + " → ".join(str(h["threads"]) for h in held)
        + ", files "
        + " → ".join(str(h["files"]) for h in held)
    )
    errors = result["calm"]["honest"]["errors"] + result["attacked"]["honest"]["errors"]
    return "\n".join(lines + [f"  an honest client: {error}" for error in errors])
