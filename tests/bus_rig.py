"""What tests of the bus share: free ports, waiting for others, networks of their own, a flight to record."""

import os
import shutil
import socket
import subprocess
import time

import pytest

from volery.bus.types import message_class

TEXT = "std_msgs/msg/String"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def text(words):
    return message_class(TEXT)(data=words)


def eventually(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@pytest.fixture
def namespace():
    """A network of its own behind a cable that can be cut: (prefix of commands inside, address outside, cut, mend)."""
    if shutil.which("ip") is None or os.geteuid() != 0:
        pytest.skip("network namespaces need root and iproute2")
    name, outside, inside = f"vol{os.getpid()}", f"vo{os.getpid()}", f"vi{os.getpid()}"

    def run(*words):
        return subprocess.run(words, capture_output=True, text=True)

    if (made := run("ip", "netns", "add", name)).returncode:
        pytest.skip(f"no network namespace can be made here: {made.stderr.strip()}")
    try:
        run("ip", "link", "add", outside, "type", "veth", "peer", "name", inside)
        run("ip", "link", "set", inside, "netns", name)
        run("ip", "addr", "add", "10.211.7.1/24", "dev", outside)
        run("ip", "link", "set", outside, "up")
        run("ip", "netns", "exec", name, "ip", "addr", "add", "10.211.7.2/24", "dev", inside)
        run("ip", "netns", "exec", name, "ip", "link", "set", "lo", "up")
        up = run("ip", "netns", "exec", name, "ip", "link", "set", inside, "up")
        if up.returncode:
            pytest.skip(f"no cable between namespaces can be laid here: {up.stderr.strip()}")
        prefix = ("ip", "netns", "exec", name)
        yield (
            prefix,
            "10.211.7.1",
            lambda: run("ip", "link", "set", outside, "down"),
            lambda: run("ip", "link", "set", outside, "up"),
        )
    finally:
        run("ip", "link", "del", outside)
        run("ip", "netns", "del", name)


FLIGHT = """
seed: 3
world: blocks
robots:
  uav1:
    type: quad
    physics: kinematic
    motion: {path: [[0, 0, 12], [20, 0, 12]], speed: 4}
    sensors: {scanner: off, imu: {type: imu, noise: {specific_force: {absolute: 0.1}}},
              lidar: {type: lidar, rate: 10, lines: 4, columns: 64}}
"""
