"""`volery bench bus`: the load of the ELAHA platform between two processes, beside a bare socket and shared memory.

An update is a pose (56 B), bones (352 B) and a scan (249,696 B) one way, and a collision wrench (48 B) the other way.
Latency: from putting the pose to having the answer, half of it counted as one way for the small parts; the scan's own
latency is told by a stamp inside it, since both processes share a clock.
"""

from __future__ import annotations

import multiprocessing
import socket
import struct
import time
from multiprocessing import shared_memory
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from volery.bus.bus import Bus, BusConfig
from volery.bus.messages import packed
from volery.tools.bench.timing import machine

__all__ = ["SIZES", "free_port", "run", "table"]

_POSE, _BONES, _SCAN, _WRENCH = 56, 352, 249_696, 48
_TOPICS = {"pose": _POSE, "bones": _BONES, "scan": _SCAN}
SIZES = {**_TOPICS, "wrench": _WRENCH}
"""Of an update's parts [bytes]."""
_KIND = "std_msgs/msg/UInt8MultiArray"
_BUDGET = {"scan_median_ms": 1.0, "lost": 0}
_STAMP = struct.Struct("<qd")


def _stamped(size: int, number: int) -> bytes:
    return _STAMP.pack(number, time.monotonic()).ljust(size, b"\0")


def free_port() -> int:
    """One that nobody listens on now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


# The other process: takes updates, answers with a wrench, and tells how late scans were


def _bus_peer(pipe: Connection, endpoint: str) -> None:
    latencies: list[float] = []
    with Bus(BusConfig(connect=[endpoint], node="peer")) as bus:
        answer = bus.advertise("/bench/wrench", _KIND)

        def take(message: Any) -> None:
            now = time.monotonic()
            number, sent = _STAMP.unpack_from(bytes(message.value.data[:16]))
            latencies.append(now - sent)
            answer.put(packed(_stamped(_WRENCH, number)), 0)

        parts = [bus.subscribe(f"/bench/{name}", _KIND) for name in ("pose", "bones")]
        parts.append(bus.subscribe("/bench/scan", _KIND, on_message=take))
        pipe.send("ready")
        pipe.recv()
        time.sleep(0.5)
        pipe.send((latencies, sum(p.lost for p in parts)))


def _bus_way(updates: int, rate: float | None) -> dict[str, Any]:
    endpoint = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[endpoint])) as bus:
        pipe, process = _start(_bus_peer, endpoint)
        publishers = {n: bus.advertise(f"/bench/{n}", _KIND, depth=100) for n in _TOPICS}
        answers = bus.subscribe("/bench/wrench", _KIND, depth=1000)
        while not all(p.wanted for p in publishers.values()):
            time.sleep(0.01)

        def send(i: int) -> None:
            for name, publisher in publishers.items():
                publisher.put(packed(_stamped(_TOPICS[name], i)), i)

        elapsed, answered = _drive(send, lambda t: answers.wait_next(t) is not None, updates, rate)
        latencies, lost = _end(pipe, process)
    return _result(latencies, updates, elapsed, answered, lost)


def _socket_peer(pipe: Connection, port: int) -> None:
    latencies: list[float] = []
    with socket.create_connection(("127.0.0.1", port)) as link:
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        pipe.send("ready")
        while True:
            data = _receive(link, _POSE + _BONES + _SCAN)
            if data is None:
                break
            number, sent = _STAMP.unpack_from(data, _POSE + _BONES)
            latencies.append(time.monotonic() - sent)
            link.sendall(_stamped(_WRENCH, number))
    pipe.recv()
    pipe.send((latencies, 0))


def _receive(link: socket.socket, size: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < size:
        part = link.recv(min(size - len(parts), 1 << 20))
        if not part:
            return None
        parts += part
    return bytes(parts)


def _socket_way(updates: int, rate: float | None) -> dict[str, Any]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        pipe, process = _start(_socket_peer, server.getsockname()[1])
        link, _ = server.accept()
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def send(i: int) -> None:
            link.sendall(b"".join(_stamped(size, i) for size in _TOPICS.values()))

        def answered(timeout: float) -> bool:
            link.settimeout(timeout)
            try:
                return _receive(link, _WRENCH) is not None
            except TimeoutError:
                return False

        elapsed, count = _drive(send, answered, updates, rate)
        link.close()
        latencies, lost = _end(pipe, process)
    return _result(latencies, updates, elapsed, count, lost)


def _memory_peer(pipe: Connection, name: str, there: Any, back: Any) -> None:
    latencies: list[float] = []
    memory: Any = shared_memory.SharedMemory(name=name)
    pipe.send("ready")
    while True:
        there.acquire()
        number, sent = _STAMP.unpack_from(bytes(memory.buf[:16]))
        if number < 0:
            break
        bytes(memory.buf[: _POSE + _BONES + _SCAN])
        latencies.append(time.monotonic() - sent)
        memory.buf[:_WRENCH] = _stamped(_WRENCH, number)
        back.release()
    memory.close()
    pipe.recv()
    pipe.send((latencies, 0))


def _memory_way(updates: int, rate: float | None) -> dict[str, Any]:
    context = multiprocessing.get_context("spawn")
    there, back = context.Semaphore(0), context.Semaphore(0)
    size = _POSE + _BONES + _SCAN
    memory: Any = shared_memory.SharedMemory(create=True, size=size)
    try:
        pipe, process = _start(_memory_peer, memory.name, there, back)

        def send(i: int) -> None:
            memory.buf[:size] = _stamped(size, i)
            there.release()

        elapsed, count = _drive(send, lambda t: back.acquire(timeout=t), updates, rate)
        memory.buf[:16] = _STAMP.pack(-1, 0.0)
        there.release()
        latencies, lost = _end(pipe, process)
    finally:
        memory.close()
        memory.unlink()
    return _result(latencies, updates, elapsed, count, lost)


# What is the same for all


def _start(peer: Any, *arguments: Any) -> tuple[Connection, Any]:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=peer, args=(there, *arguments), daemon=True)
    process.start()
    assert here.recv() == "ready"
    return here, process


def _end(pipe: Connection, process: multiprocessing.Process) -> tuple[list[float], int]:
    pipe.send("end")
    result = pipe.recv()
    process.join(timeout=5)
    return result


def _drive(send: Any, answered: Any, updates: int, rate: float | None) -> tuple[float, int]:
    """Send updates at a rate, or each as soon as the one before was answered; seconds and answers."""
    began, count = time.monotonic(), 0
    for i in range(updates):
        send(i)
        if rate is None:
            count += bool(answered(1.0))
            continue
        while (left := began + (i + 1) / rate - time.monotonic()) > 0:
            count += bool(answered(left))
    while rate is not None and count < updates and answered(0.5):
        count += 1
    return time.monotonic() - began, count


def _result(latencies: list[float], updates: int, elapsed: float, answered: int, lost: int) -> dict[str, Any]:
    ms = np.array(latencies or [np.nan]) * 1e3
    return {
        "updates_per_s": round(updates / elapsed, 1),
        "scan_median_ms": round(float(np.median(ms)), 3),
        "scan_p99_ms": round(float(np.percentile(ms, 99)), 3),
        "answered": answered,
        "lost": lost + updates - len(latencies),
    }


_WAYS = {"bus": _bus_way, "socket": _socket_way, "shared_memory": _memory_way}


def run(*, quick: bool = False, peers: bool = True) -> dict[str, Any]:
    """Measure; quick: a second each. Without peers only the bus."""
    ways = _WAYS if peers else {"bus": _bus_way}
    seconds = 1 if quick else 20
    result: dict[str, Any] = {"bench": "bus", "machine": machine(), "update_bytes": SIZES}
    result["at_100_hz"] = {name: way(100 * seconds, 100.0) for name, way in ways.items()}
    result["as_fast_as_possible"] = {name: way(100 * seconds, None) for name, way in ways.items()}
    return {**result, "budget": _BUDGET}


def table(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [f"{'':22} {'updates/s':>10} {'median':>9} {'p99':>9} {'lost':>6}"]
    for title, key in (("100 Hz", "at_100_hz"), ("as fast as possible", "as_fast_as_possible")):
        lines.append(title)
        for name, r in result[key].items():
            lines.append(
                f"  {name:20} {r['updates_per_s']:10} {r['scan_median_ms']:6.3f} ms {r['scan_p99_ms']:6.3f} ms "
                f"{r['lost']:6}"
            )
    return "\n".join(lines)
