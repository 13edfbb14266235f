"""Physics and control of your own, in another process: take a robot's state, answer with its motion or a push.

from volery.client import Client
with Client("uav1") as robot:
    for state in robot.states():
        robot.move(state, p_WB=state.p_WB + [0.01, 0, 0], q_WB_wxyz=state.q_WB_wxyz)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from volery.bus import messages as m
from volery.bus.bus import DEFAULT_ENDPOINT, Bus, BusConfig
from volery.bus.link import ANSWER, STATE, packet_of
from volery.physics.packets import MotionPacket, StatePacket, WrenchPacket

__all__ = ["Client"]

_KIND = "std_msgs/msg/UInt8MultiArray"


class Client:
    """The other side of `physics: external`."""

    def __init__(self, robot: str, connect: str = DEFAULT_ENDPOINT) -> None:
        """robot: its name in the scenario; connect: where the simulation's bus is."""
        self.robot = robot
        self._bus = Bus(BusConfig(connect=[connect], node=f"{robot}_physics"))
        self._states = self._bus.subscribe(STATE.format(robot=robot), _KIND, depth=2)
        self._answer: MotionPacket | WrenchPacket | None = None
        self._answers = self._bus.advertise(ANSWER.format(robot=robot), _KIND)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def state(self, timeout: float | None = None) -> StatePacket | None:
        """The next state of the robot; waits at most so long [s]."""
        while isinstance(packet := packet_of(self._states.wait_next(timeout)), StatePacket):
            if self._answer is None or packet.step != self._answer.step:
                return packet
            # Told again because our answer was late or lost: one step is not to be made twice.
            self._send(self._answer)
        return None

    def states(self, timeout: float | None = None) -> Iterator[StatePacket]:
        """State after state; ends when none comes within the timeout [s]."""
        while (state := self.state(timeout)) is not None:
            yield state

    def move(
        self, state: StatePacket, p_WB: np.ndarray, q_WB_wxyz: np.ndarray, v_WB_W: np.ndarray | None = None,
        w_WB_W: np.ndarray | None = None, joints: np.ndarray | None = None, bones: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        """Answer a state with where the robot is to be: [m], (w, x, y, z), [m/s], [rad/s], [rad or m], [b, 4]."""
        v, w = (np.zeros(3) if given is None else np.asarray(given, float) for given in (v_WB_W, w_WB_W))
        joints = np.zeros(0) if joints is None else np.asarray(joints, float)
        bones = np.zeros((0, 4)) if bones is None else np.asarray(bones, float)
        p, q = np.asarray(p_WB, float), np.asarray(q_WB_wxyz, float)
        self._send(MotionPacket(self.robot, state.step, state.time_ns, p, q, v, w, joints, bones))

    def push(self, state: StatePacket, force_W: np.ndarray, torque_W: np.ndarray | None = None) -> None:
        """Answer a state with a force [N] and a torque about the root's origin [N m], in W."""
        torque = np.zeros(3) if torque_W is None else np.asarray(torque_W, float)
        packet = WrenchPacket(self.robot, state.step, state.time_ns, np.asarray(force_W, float), torque)
        self._send(packet)

    def close(self) -> None:
        """Leave; the simulation does what its settings say of a side that is gone."""
        self._bus.close()

    def _send(self, packet: MotionPacket | WrenchPacket) -> None:
        self._answer = packet
        self._answers.put(m.packed(packet.encode()), packet.time_ns)
