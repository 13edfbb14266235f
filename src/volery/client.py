"""Physics and control of your own, in another process: take a robot's state, answer with its motion or a push.

from volery.client import Client
with Client("uav1") as robot:
    for state in robot.states():
        robot.move(state, p_WB=state.p_WB + [0.01, 0, 0], q_WB_wxyz=state.q_WB_wxyz)

It may be started before the simulation, and goes on when that stood still.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from volery.bus import messages as m
from volery.bus.bus import DEFAULT_ENDPOINT, Bus, BusConfig
from volery.bus.link import ANSWER, STATE, packet_of
from volery.core.clock import SECOND
from volery.core.frames import quat_conjugate, quat_multiply
from volery.errors import BusError
from volery.physics.packets import MotionPacket, StatePacket, WrenchPacket

__all__ = ["Client"]

_log = logging.getLogger("volery")
_KIND = "std_msgs/msg/UInt8MultiArray"
_SAID = 1.0
"""What is waited for longer is said [s]."""
_AGAIN = 30.0
"""It is said again so often [s]."""
_STALL = 0.25
"""Steps that fill so much simulated time and were not answered are an episode of their own [s]."""
_MISSED = 100
"""So many steps that were not answered, here and there, are said once."""


class Client:
    """The other side of `physics: external`."""

    def __init__(self, robot: str, connect: str = DEFAULT_ENDPOINT, wait: float | None = None) -> None:
        """robot: its name in the scenario; connect: where the simulation's bus is; wait: how long for it to be there
        [s], None: until it is."""
        self.robot = robot
        self._where = connect
        self._bus = _joined(BusConfig(connect=[connect], node=f"{robot}_physics"), wait)
        self._states = self._bus.subscribe(STATE.format(robot=robot), _KIND, depth=2)
        self._answer: MotionPacket | WrenchPacket | None = None
        self._answers = self._bus.advertise(ANSWER.format(robot=robot), _KIND)
        self._seen: StatePacket | None = None
        self._missed = self._told = 0
        """Steps not answered here and there, and all that were told meanwhile."""
        self._derives = False
        """It has been said that velocities are derived."""

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def state(self, timeout: float | None = None) -> StatePacket | None:
        """The next state of the robot; waits at most so long [s], and says so when it takes long."""
        began, say = time.monotonic(), _SAID
        while True:
            silent = time.monotonic() - began
            left = say - silent if timeout is None else min(say, timeout) - silent
            message = self._states.wait_next(max(left, 0.0))
            packet = packet_of(message)
            if isinstance(packet, StatePacket):
                if self._answer is None or packet.step != self._answer.step:
                    self._look(packet, silent)
                    return packet
                # Told again because our answer was late or lost: one step is not to be made twice.
                self._send(self._answer)
                began, say = time.monotonic(), _SAID
            elif message is None:
                silent = time.monotonic() - began
                if timeout is not None and silent >= timeout:
                    return None
                if silent >= say:
                    self._say_silence(silent)
                    say += _AGAIN

    def states(self, timeout: float | None = None) -> Iterator[StatePacket]:
        """State after state. The first is waited for as long as it takes; after it, one that does not come within the
        timeout [s] ends the iteration, which is said. None: a simulation that stands still is waited for."""
        while (state := self.state(None if self._seen is None else timeout)) is not None:
            yield state
        _log.warning("robot '%s': no state came for %g s: the iteration ends, as its timeout says", self.robot, timeout)

    def move(
        self, state: StatePacket, p_WB: np.ndarray, q_WB_wxyz: np.ndarray, v_WB_W: np.ndarray | None = None,
        w_WB_W: np.ndarray | None = None, joints: np.ndarray | None = None, bones: np.ndarray | None = None,
    ) -> None:  # fmt: skip
        """Answer a state with where the robot is to be: [m], (w, x, y, z), [m/s], [rad/s], [rad or m], [b, 4].

        Velocities that are not given are taken from this pose and the one before."""
        p, q = np.asarray(p_WB, float), np.asarray(q_WB_wxyz, float)
        v, w = v_WB_W, w_WB_W
        if v is None or w is None:
            v_found, w_found = self._velocities(state, p, q)
            v, w = v_found if v is None else v, w_found if w is None else w
        joints = np.zeros(0) if joints is None else np.asarray(joints, float)
        bones = np.zeros((0, 4)) if bones is None else np.asarray(bones, float)
        v, w = np.asarray(v, float), np.asarray(w, float)
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

    def _velocities(self, state: StatePacket, p: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of the root from the pose of the last answer to this one [m/s], [rad/s]; at first, as the robot has them."""
        if not self._derives:
            self._derives = True
            _log.warning("robot '%s': velocities are not given; they are taken from successive poses", self.robot)
        last = self._answer
        if not isinstance(last, MotionPacket) or state.time_ns <= last.time_ns:
            return state.v_WB_W, state.w_WB_W
        dt = (state.time_ns - last.time_ns) / SECOND
        turn = quat_multiply(q, quat_conjugate(last.q_WB_wxyz))
        turn = turn if turn[0] >= 0.0 else -turn
        sine = float(np.linalg.norm(turn[1:]))
        angle = 2.0 * np.arctan2(sine, turn[0])
        return (p - last.p_WB) / dt, turn[1:] * (angle / sine if sine > 1e-12 else 2.0) / dt

    def _say_silence(self, silent: float) -> None:
        if self._seen is None:
            _log.warning(
                "waiting for the simulation at %s to tell the state of robot '%s' (it must run, and have a robot of "
                "that name with `physics: external`)", self._where, self.robot,
            )  # fmt: skip
        else:
            _log.warning(
                "robot '%s': no state came for %.0f s, the last at %.3f s: the simulation stands still, or is gone; "
                "waiting", self.robot, silent, self._seen.time_ns / SECOND,
            )  # fmt: skip

    def _look(self, state: StatePacket, silent: float) -> None:
        """Say which steps before this one were not answered; silent: how long it was waited for [s]."""
        last, self._seen = self._seen, state
        if last is not None and silent >= _SAID:
            _log.warning("robot '%s': states come again after %.1f s", self.robot, silent)
        if last is None or state.step <= last.step:
            # The first, or the run was begun anew
            self._missed = self._told = 0
            return
        missed, lost = state.step - last.step - 1, (state.time_ns - last.time_ns) / SECOND
        if missed and lost >= _STALL:
            _log.warning(
                "robot '%s': %d steps (%.2f s of simulated time, from %.3f s) went unanswered; going on from %.3f s",
                self.robot, missed, lost, last.time_ns / SECOND, state.time_ns / SECOND,
            )  # fmt: skip
            return
        before, self._missed, self._told = self._missed, self._missed + missed, self._told + missed + 1
        if before < _MISSED <= self._missed:
            _log.warning(
                "robot '%s': %d of %d steps went unanswered: answers take longer than steps; with `exchange: lockstep` "
                "the simulation waits for them", self.robot, self._missed, self._told,
            )  # fmt: skip


def _joined(config: BusConfig, wait: float | None) -> Bus:
    """A bus in touch with the simulation's, which may be started later."""
    end = None if wait is None else time.monotonic() + wait
    why: list[str] = []
    with _saying(lambda: f"waiting for the simulation at {config.connect[0]}" + "".join(f": {w}" for w in why[-1:])):
        while True:
            try:
                return Bus(config)
            except BusError as error:
                why.append(str(error))
                if end is not None and time.monotonic() >= end:
                    raise
            time.sleep(0.2)


@contextmanager
def _saying(text: Callable[[], str]) -> Iterator[None]:
    """Log what is waited for: after a second, and rarely again."""
    done = threading.Event()

    def say() -> None:
        pause = _SAID
        while not done.wait(pause):
            _log.warning("%s", text())
            pause = _AGAIN

    thread = threading.Thread(target=say, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
