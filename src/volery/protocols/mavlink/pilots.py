"""Between a mode and a robot's own autopilot: a reference that goes where it is told, for each kind of body."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from volery.core.frames import matrix_from_quat
from volery.errors import CommandError
from volery.physics.multirotor.parameters import airframe_of, bumpers_of
from volery.robots.commands import (
    Attitude,
    BodyVelocity,
    Command,
    Cruise,
    Joints,
    Motors,
    Pose,
    Rates,
    Velocity,
)  # fmt: skip
from volery.robots.robot import Robot
from volery.world.atmosphere import GRAVITY

if TYPE_CHECKING:
    from volery.protocols.mavlink.vehicle import MavlinkVehicle
    from volery.sim import Simulation

__all__ = [
    "Copter",
    "PlanePilot",
    "RoverPilot",
    "VehiclePilot",
    "clearance",
    "heading_of",
    "is_vehicle",
    "pilot_of",
    "wrap",
]

_CLOSE = 0.8
"""Speed per metre left [1/s]: slow enough for the loops below, so that nothing overshoots."""
_AHEAD = 2.0
"""The reference waits for a robot that is further behind [m]."""
_STILL = 0.2
"""How long a robot stands before it has landed [s]."""
_FAR = 1000.0


def wrap(angle: float) -> float:
    """The same angle from -π to π."""
    return (angle + math.pi) % (2 * math.pi) - math.pi


def heading_of(robot: Robot) -> float:
    """Where the nose points to, counter-clockwise from east [rad]."""
    w, x, y, z = robot.q_WB_wxyz.tolist()
    return math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


class VehiclePilot(ABC):
    """Flies or drives one robot; called once a step by the task of the mode."""

    kind: ClassVar[str]
    flies: ClassVar[bool] = True

    def __init__(self, vehicle: MavlinkVehicle) -> None:
        self.vehicle = vehicle
        self.robot = vehicle.robot
        self.takes = vehicle.simulation.engine_of(vehicle.name).understands(vehicle.name)
        self._reference: tuple[np.ndarray, np.ndarray] | None = None
        """Place [m] and velocity [m/s] that the robot is to have now."""
        self._at_ns = -1
        self._still = 0.0

    @abstractmethod
    def type(self) -> int:
        """MAV_TYPE."""

    def tell(self, command: Command) -> None:
        """Command the robot's own autopilot."""
        self.vehicle.simulation.command(self.vehicle.name, command)

    def go(self, p_W: np.ndarray, yaw: float | None, speed: float, dt: float) -> float:
        """On towards a place and stay there; how far it is [m]. yaw: heading in W [rad], None: along the way."""
        p, v = self._advance(p_W, speed, dt)
        self.tell(Pose(p, self._nose(p_W, yaw), v))
        return float(np.linalg.norm(p_W - self.robot.p_WB))

    def hold(self) -> None:
        """Stay here."""
        self._reference = None
        self.tell(Velocity() if Pose not in self.takes else Pose(self.robot.p_WB.copy(), heading_of(self.robot)))

    def follow(self, p_W: np.ndarray, v_W: np.ndarray, a_W: np.ndarray, yaw: float | None) -> None:
        """Be on a trajectory: what a program outside says now."""
        self._reference = None
        self.tell(Pose(p_W, yaw, v_W, a_W))

    def velocity(self, v_W: np.ndarray, yaw: float | None, yaw_rate: float) -> None:
        """Move at a velocity [m/s]."""
        self._reference = None
        self.tell(Velocity(v_W, 0.0 if yaw is not None else yaw_rate, yaw))

    def stop(self) -> None:
        """Motors off."""
        self._reference = None
        if Motors in self.takes and self.robot.file and self.robot.file.multirotor:
            self.tell(Motors(np.zeros(len(self.robot.file.multirotor.rotors))))
        else:
            self.tell(Velocity())

    def sink(self, dt: float) -> bool:
        """Come down on the spot; whether it stands."""
        raise CommandError(f"'{self.vehicle.name}' cannot land")

    def attitude(self, q_WB: np.ndarray | None, rates_B: np.ndarray, thrust: float) -> None:
        """Hold an attitude, or turn at rates [rad/s], with a thrust."""
        raise CommandError(f"'{self.vehicle.name}' takes no attitudes")

    @property
    def height(self) -> float:
        """Of the feet over what is below [m]."""
        found = clearance(self.vehicle.simulation, self.robot)
        return _FAR if found is None else found

    @property
    def stands(self) -> bool:
        """Whether it rests on something."""
        slow = float(np.linalg.norm(self.robot.v_WB_W)) < 0.1
        touches = self.height < 0.03 if self.robot.contacts is None else bool(self.robot.contacts)
        return slow and (touches or self.height < 0.03)

    def _nose(self, p_W: np.ndarray, yaw: float | None) -> float:
        if yaw is not None:
            return yaw
        way = p_W - self.robot.p_WB
        return math.atan2(way[1], way[0]) if math.hypot(way[0], way[1]) > 1.0 else heading_of(self.robot)

    def _advance(self, p_W: np.ndarray, speed: float, dt: float) -> tuple[np.ndarray, np.ndarray]:
        """The reference after dt: towards the place, no faster than asked, and slow enough to stop there."""
        now, parameters = self.vehicle.simulation.clock.now_ns, self.vehicle.parameters
        if self._reference is None or now - self._at_ns > 2.5 * dt * 1e9:
            self._reference = self.robot.p_WB.copy(), self.robot.v_WB_W.copy()
        self._at_ns = now
        p, v = self._reference
        gap = p_W - p
        left = float(np.linalg.norm(gap))
        brake = parameters["acceleration"]
        wanted = gap / max(left, 1e-9) * min(speed, _CLOSE * left, math.sqrt(brake * left))
        up, down = parameters["climb"], parameters["descend"]
        wanted *= min(1.0, up / max(wanted[2], 1e-9), down / max(-wanted[2], 1e-9)) if self.flies else 1.0
        if np.linalg.norm(p - self.robot.p_WB) > _AHEAD + 0.4 * np.linalg.norm(v):
            wanted = np.zeros(3)
        change = wanted - v
        v = v + change * min(1.0, brake * dt / max(float(np.linalg.norm(change)), 1e-9))
        self._reference = p + v * dt, v
        return self._reference


class Copter(VehiclePilot):
    """What hovers: multirotors, fans, and bodies without mass."""

    kind: ClassVar[str] = "copter"
    _TYPES: ClassVar = {3: 15, 4: 2, 6: 13, 8: 14}
    """MAV_TYPE by rotors: tri-, quad-, hexa- and octorotor."""

    def __init__(self, vehicle: MavlinkVehicle) -> None:
        super().__init__(vehicle)
        self._spot = self.robot.p_WB.copy()
        block = self.robot.file.multirotor if self.robot.file else None
        frame = airframe_of(self.robot) if block is not None else None
        self.mass = frame.mass if frame else 0.0
        """[kg]."""
        self.most = float(frame.effect[2].sum()) * frame.most_rpm**2 if frame else 0.0
        """Of all rotors together [N]."""

    @property
    def hover(self) -> float:
        """Share of the most thrust that carries it."""
        return self.mass * GRAVITY / self.most if self.most else 0.5

    def type(self) -> int:
        """By rotors; fans and helicopters as what they are."""
        file = self.robot.file
        if file is not None and file.multirotor is not None:
            return self._TYPES.get(len(file.multirotor.rotors), 2)
        return 4 if file is not None and file.craft is not None else 2

    def sink(self, dt: float) -> bool:
        """Down, more slowly near the ground, until it stands for a moment."""
        robot, parameters = self.robot, self.vehicle.parameters
        if self._reference is not None or self.vehicle.simulation.clock.now_ns - self._at_ns > 2.5 * dt * 1e9:
            self._spot, self._still, self._reference = robot.p_WB.copy(), 0.0, None
        self._at_ns = self.vehicle.simulation.clock.now_ns
        height = self.height
        slow = abs(float(robot.v_WB_W[2])) < 0.05 and (bool(robot.contacts) or height < 0.03)
        self._still = self._still + dt if slow else 0.0
        if self._still > _STILL:
            self.stop()
            return True
        drift = np.clip(_CLOSE * (self._spot - robot.p_WB), -1.0, 1.0)
        down = min(max(0.5 * height, parameters["land_speed"]), parameters["descend"])
        self.tell(
            Velocity(np.array([drift[0], drift[1], -down if height > 0.005 or robot.contacts is not None else 0.0]))
        )
        return False

    def attitude(self, q_WB: np.ndarray | None, rates_B: np.ndarray, thrust: float) -> None:
        """PX4's thrust is a share of the most; ArduPilot's a rate of climb, with 0.5 to stay."""
        if Attitude not in self.takes:
            raise CommandError(f"'{self.vehicle.name}' takes no attitudes: its engine knows no forces")
        self._reference = None
        share = thrust if self.vehicle.px4 else self._climbing((thrust - 0.5) * 2.0 * self.vehicle.parameters["climb"])
        share = min(max(share, 0.0), 1.0)
        self.tell(Rates(rates_B, share) if q_WB is None else Attitude(q_WB, share))

    def _climbing(self, rate: float) -> float:
        """Share of the most thrust that climbs so fast [m/s]."""
        lift = self.mass * (GRAVITY + 2.5 * (rate - float(self.robot.v_WB_W[2])))
        upright = max(float(matrix_from_quat(self.robot.q_WB_wxyz)[2, 2]), 0.3)
        return lift / (upright * self.most)


class RoverPilot(VehiclePilot):
    """What drives."""

    kind: ClassVar[str] = "rover"
    flies: ClassVar[bool] = False

    def type(self) -> int:
        """A ground rover."""
        return 10

    def go(self, p_W: np.ndarray, yaw: float | None, speed: float, dt: float) -> float:
        """Along the ground: heights do not count."""
        goal = np.array([p_W[0], p_W[1], self.robot.p_WB[2]])
        p, v = self._advance(goal, speed, dt)
        self.tell(
            Pose(p, heading_of(self.robot) if yaw is None else yaw, v if np.linalg.norm(v) > 0.05 else np.zeros(3))
        )
        return float(np.linalg.norm(goal - self.robot.p_WB))

    def hold(self) -> None:
        """Brake."""
        self._reference = None
        self.tell(BodyVelocity())

    stop = hold

    def follow(self, p_W: np.ndarray, v_W: np.ndarray, a_W: np.ndarray, yaw: float | None) -> None:
        """Be on a trajectory on the ground."""
        self._reference = None
        self.tell(Pose(p_W, yaw, v_W * [1.0, 1.0, 0.0]))

    def velocity(self, v_W: np.ndarray, yaw: float | None, yaw_rate: float) -> None:
        """A velocity over ground, or turning on the spot; wheels look to where they go."""
        self._reference = None
        if math.hypot(v_W[0], v_W[1]) < 0.01:
            self.tell(BodyVelocity(np.zeros(3), yaw_rate))
        else:
            self.tell(Velocity(v_W * [1.0, 1.0, 0.0]))


class PlanePilot(VehiclePilot):
    """What cannot stop: places are flown to and circled."""

    kind: ClassVar[str] = "plane"
    _FLARE, _SINK, _SOFTLY = 2.0, 1.0, 0.3
    """Height at which it flares [m], and how fast it sinks before and after [m/s]."""

    def __init__(self, vehicle: MavlinkVehicle) -> None:
        super().__init__(vehicle)
        self._circled: np.ndarray | None = None

    def type(self) -> int:
        """A fixed wing."""
        return 1

    def go(self, p_W: np.ndarray, yaw: float | None, speed: float, dt: float) -> float:
        """Straight to a place, then round it."""
        way = p_W - self.robot.p_WB
        left = math.hypot(way[0], way[1])
        if self._circled is not None and np.linalg.norm(self._circled - p_W) > 1.0:
            self._circled = None
        if self._circled is None and left > self.vehicle.parameters["radius"]:
            self.tell(Cruise(float(p_W[2]), speed or None, math.atan2(way[1], way[0])))
        elif self._circled is None:
            self._circled = p_W.copy()
            self.tell(Pose(p_W))
        return left

    def hold(self) -> None:
        """Round where it is."""
        self._circled = self.robot.p_WB.copy()
        self.tell(Pose(self._circled))

    def stop(self) -> None:
        """Motors off, flaps up."""
        file = self.robot.file
        assert file is not None and file.aircraft is not None
        self.tell(Motors(np.zeros(len(file.aircraft.propellers))))
        self.tell(Joints(positions={f.name: -math.radians(f.range_deg) for f in file.aircraft.wing.flaps}))

    def velocity(self, v_W: np.ndarray, yaw: float | None, yaw_rate: float) -> None:
        """A velocity over ground."""
        self._circled = None
        self.tell(Velocity(v_W, 0.0 if yaw is not None else yaw_rate, yaw))

    def sink(self, dt: float) -> bool:
        """Straight ahead and down, flare, and motors off at the first touch."""
        self._circled = None
        if self.robot.contacts:
            self._still += dt
            self.stop()
            return self._still > _STILL and float(np.linalg.norm(self.robot.v_WB_W)) < 0.5
        self._still = 0.0
        self.tell(BodyVelocity(np.array([0.0, 0.0, -self._SOFTLY if self.height < self._FLARE else -self._SINK])))
        return False

    def attitude(self, q_WB: np.ndarray | None, rates_B: np.ndarray, thrust: float) -> None:
        """Roll and pitch with a throttle."""
        if q_WB is None:
            raise CommandError(f"'{self.vehicle.name}' takes attitudes, not rates")
        self._circled = None
        self.tell(Attitude(q_WB, min(max(thrust, 0.0), 1.0)))


def _kind(simulation: Simulation, name: str) -> type[VehiclePilot] | None:
    file, takes = simulation.robots[name].file, simulation.engine_of(name).understands(name)
    if file is None or Pose not in takes or Velocity not in takes:
        return None
    if file.aircraft is not None:
        return PlanePilot if Cruise in takes and not file.fixed else None
    if file.drive is not None:
        return RoverPilot
    return Copter if file.multirotor is not None or file.craft is not None else None


def is_vehicle(simulation: Simulation, name: str) -> bool:
    """Whether a robot flies or drives by itself."""
    return _kind(simulation, name) is not None


def pilot_of(vehicle: MavlinkVehicle) -> VehiclePilot:
    """The pilot of a robot that is a vehicle."""
    kind = _kind(vehicle.simulation, vehicle.name)
    assert kind is not None, "the door asks first"
    return kind(vehicle)


def clearance(simulation: Simulation, robot: Robot) -> float | None:
    """Of a robot's feet over what is below [m]; None: nothing is."""
    down = np.array([[0.0, 0.0, -1.0]])
    hits = simulation.scene.cast(robot.p_WB, down, max_range=_FAR, ignore=robot.name)
    return max(float(hits.distance[0]) - _feet(robot), 0.0) if hits.hit[0] else None


def _feet(robot: Robot) -> float:
    """How far the lowest part of a robot is below its origin [m]."""
    if robot.file is not None and robot.file.multirotor is not None:
        return -min(b.position[2] - b.radius for b in bumpers_of(robot))
    lowest = 0.0
    for body, mesh in robot.description.shapes.items():
        X = robot.X_WB[body]
        lowest = min(lowest, float((mesh.vertices @ X[2, :3] + X[2, 3]).min() - robot.p_WB[2]))
    return -lowest
