"""A robot as brains see it, and the two ways to one: USARSim's socket, and Volery's own bus.

    python bbwander.py usarsim                 a new P2AT at 127.0.0.1:3000, where `volery run usarsim` listens
    python bbwander.py usarsim:HOST:3000:P2DX  elsewhere, and another robot
    python bbwander.py volery:R1               the robot R1 of a run on this machine, over its bus

The socket's side needs nothing but Python; so it also drives robots of USARSim itself (dialect ut2004).
"""

from __future__ import annotations

import math
import re
import socket
import sys
import time
from collections.abc import Callable
from typing import Protocol

Brain = Callable[["Robot"], None]
FAR = 5.0
"""Where nothing is seen, it is taken to be this far [m]."""


class Robot(Protocol):
    """What a brain has: how far things are, and a way to move."""

    def nearest(self, low: float, high: float) -> float:
        """Distance of the nearest thing between two directions, counter-clockwise from ahead [degrees] [m]."""

    def move(self, ahead: float, turn: float) -> None:
        """Go ahead and turn left, each as a share of what the robot can, -1 to 1."""

    def update(self, timeout: float = 5.0) -> bool:
        """Wait for new ranges; False when there are none any more."""

    def close(self) -> None:
        """Leave."""


class Ranges:
    """Ranges by direction: what both kinds of robots tell."""

    def __init__(self) -> None:
        self._seen: dict[str, list[tuple[float, float]]] = {}

    def see(self, sensor: str, rays: list[tuple[float, float]]) -> None:
        """What a sensor sees now: directions [degrees] and distances [m]."""
        self._seen[sensor] = rays

    def nearest(self, low: float, high: float) -> float:
        """See `Robot`."""
        return min((r for rays in self._seen.values() for a, r in rays if low <= a <= high), default=FAR)


class OverGamebots(Ranges):
    """A robot of our own behind USARSim's socket."""

    def __init__(self, host: str = "127.0.0.1", port: int = 3000, kind: str = "P2AT", start: str = "") -> None:
        super().__init__()
        self._socket = socket.create_connection((host, port), timeout=10.0)
        self._lines = self._socket.makefile("r", encoding="utf-8", newline="\n")
        self._facing: dict[str, float] = {}
        self._say(f"INIT {{ClassName USARBot.{kind}}}" + (f" {{Start {start}}}" if start else ""))
        self._say("GETGEO {Type Sonar}")

    def move(self, ahead: float, turn: float) -> None:
        """See `Robot`."""
        left, right = (100 * max(-1.0, min(1.0, s)) for s in (ahead - turn, ahead + turn))
        self._say(f"DRIVE {{Left {left:.1f}}} {{Right {right:.1f}}} {{Normalized True}}")

    def update(self, timeout: float = 5.0) -> bool:
        """See `Robot`."""
        self._socket.settimeout(timeout)
        try:
            for line in self._lines:
                if self._heard(line):
                    return True
        except TimeoutError:
            pass
        return False

    def close(self) -> None:
        """See `Robot`; the robot goes with the connection."""
        self._lines.close()
        self._socket.close()

    def _say(self, line: str) -> None:
        self._socket.sendall(line.encode() + b"\r\n")

    def _heard(self, line: str) -> bool:
        """Take a line; whether it had ranges."""
        if line.startswith("GEO {Type Sonar}"):
            found = re.findall(r"Name (\S+) Location \S+ Orientation \S+?,\S+?,(\S+)", line)
            # On the wire angles count clockwise, in radians.
            self._facing = {name: -math.degrees(float(yaw)) for name, yaw in found}
        elif "{Type Sonar}" in line:
            for name, distance in re.findall(r"Name (\S+) Range ([\d.]+)", line):
                self.see(name, [(self._facing.get(name, 180.0), float(distance))])
            return True
        elif "{Type RangeScanner}" in line:
            step = math.degrees(float(re.search(r"Resolution ([\d.]+)", line)[1]))
            first = -math.degrees(float(re.search(r"FOV ([\d.]+)", line)[1])) / 2
            ranges = re.search(r"Range ([\d.,]+)}", line)[1].split(",")
            self.see("scan", [(first + i * step, float(r)) for i, r in enumerate(ranges)])
            return True
        return False


class OverVolery(Ranges):
    """A robot of a run, over the bus: its laser scans and ROS's cmd_vel."""

    def __init__(self, robot: str, connect: str = "", speed: float = 0.6, turning: float = 1.2) -> None:
        """speed, turning: what 1 means [m/s, rad/s]."""
        from volery import Bus, BusConfig
        from volery.bus.bus import DEFAULT_ENDPOINT

        super().__init__()
        self._speed, self._turning = speed, turning
        self._bus = Bus(BusConfig(connect=[connect or DEFAULT_ENDPOINT], node=f"{robot}_brain"))
        scans = [t for t in self._topics() if t.startswith(f"/{robot}/") and t.endswith("/scan")]
        if not scans:
            raise SystemExit(f"no robot '{robot}' with a laser is on the bus; `volery topics` lists what is")
        self._scans = self._bus.subscribe(scans[0], "sensor_msgs/msg/LaserScan")
        self._commands = self._bus.advertise(f"/{robot}/cmd_vel", "geometry_msgs/msg/Twist")

    def _topics(self) -> list[str]:
        end = time.monotonic() + 10.0
        while time.monotonic() < end:
            if found := [t.topic for t in self._bus.topics()]:
                return found
        return []

    def move(self, ahead: float, turn: float) -> None:
        """See `Robot`."""
        from volery.bus import messages

        self._commands.put(messages.twist((ahead * self._speed, 0.0, 0.0), (0.0, 0.0, turn * self._turning)), 0)

    def update(self, timeout: float = 5.0) -> bool:
        """See `Robot`."""
        message = self._scans.wait_next(timeout)
        if message is None:
            return False
        scan = message.value
        step, first = math.degrees(scan.angle_increment), math.degrees(scan.angle_min)
        self.see("scan", [(first + i * step, float(r)) for i, r in enumerate(scan.ranges)])
        return True

    def close(self) -> None:
        """See `Robot`; the robot stops, and stays."""
        self.move(0.0, 0.0)
        self._bus.close()


def robot_of(where: str) -> Robot:
    """The robot that a word of the command line means."""
    kind, *rest = where.split(":")
    if kind == "usarsim":
        host, port, robot = (*rest, *("127.0.0.1", "3000", "P2AT")[len(rest) :])[:3]
        return OverGamebots(host, int(port), robot)
    if kind == "volery" and rest:
        return OverVolery(rest[0], ":".join(rest[1:]))
    raise SystemExit(f"'{where}' is no robot; write usarsim, usarsim:HOST:PORT:ROBOT or volery:ROBOT")


def run(brain: Brain) -> None:
    """Give a brain the robot that the command line names, until Ctrl-C."""
    robot = robot_of(sys.argv[1] if len(sys.argv) > 1 else "usarsim")
    try:
        while robot.update():
            brain(robot)
        print("the robot says nothing any more")
    except KeyboardInterrupt:
        print()
    finally:
        robot.close()
