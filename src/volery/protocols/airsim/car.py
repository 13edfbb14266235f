"""A car as AirSim's clients know it: throttle, brakes, steering and gears, and what they make of the wheels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from volery.core.frames import quat_conjugate, quat_rotate
from volery.protocols.airsim.arguments import finite, flag, mapping, rpc, text, whole
from volery.protocols.airsim.settings import VehicleSettings
from volery.protocols.airsim.vehicles import Vehicle
from volery.robots.commands import Joints
from volery.robots.robot import Contact

if TYPE_CHECKING:
    from volery.protocols.airsim.door import AirSim

__all__ = ["Car", "CarControls"]

_WHEELS = ("roll_fl", "roll_fr", "roll_rl", "roll_rr")
_REAR = _WHEELS[2:]
_RADIUS = 0.36
"""Of a wheel [m]."""
_FORCE, _POWER = 6500.0, 90_000.0
"""Most push of the engine [N] and its power [W]."""
_DRAG = 180.0
"""Of engine and tyres while the throttle is shut [N]."""
_BRAKE, _GRIP = 1300.0, 140.0
"""Most torque of a brake on its wheel [N m], and how it grows with the wheel's speed [N m s]."""
_STEER = 0.6
"""Front wheels at full lock [rad]."""
_BASE, _TRACK = 2.65, 1.56
"""Between axles, and between wheels of an axle [m]."""
_RATIOS = {-1: 13.0, 0: 0.0, 1: 14.0, 2: 9.0, 3: 6.3, 4: 4.8, 5: 3.8}
"""Turns of the engine per turn of the wheels."""
_SHIFT = (0.0, 5.0, 10.0, 16.0, 23.0)
"""Speeds from which each forward gear is used [m/s]."""
_IDLE, _MOST_RPM = 800.0, 6500.0


@dataclass(frozen=True)
class CarControls:
    """AirSim's CarControls."""

    throttle: float = 0.0
    steering: float = 0.0
    brake: float = 0.0
    handbrake: bool = False
    is_manual_gear: bool = False
    manual_gear: int = 0
    gear_immediate: bool = True


class Car(Vehicle):
    """Its wheels and springs are MuJoCo's; here is who turns and brakes them."""

    api_stays = True

    def __init__(self, door: AirSim, settings: VehicleSettings) -> None:
        super().__init__(door, settings)
        self.controls = CarControls()
        """What was last told."""
        self.gear = 0

    def spawn(self) -> None:
        """Enter the world, at rest."""
        super().spawn()
        self.controls, self.gear = CarControls(), 0

    def set_api(self, on: bool) -> None:
        """Whoever takes control begins with hands off."""
        super().set_api(on)
        self.controls = CarControls()

    def counts(self, contact: Contact) -> bool:
        """Wheels on the ground are no collision."""
        return not contact.body.startswith("wheel")

    @property
    def speed(self) -> float:
        """Forward [m/s], as of the last step."""
        s = self.snapshot
        return float(quat_rotate(quat_conjugate(s.q_WB_wxyz), s.v_WB_W)[0])

    def control(self) -> None:
        """Turn the wheels as told; nobody's car has its brakes on."""
        if self.door.settings.external_physics:
            return
        told = self.controls if self.api or self.settings.firmware is not None else CarControls(brake=1.0)
        robot = self.robot
        speed, turning = (
            self.speed,
            dict(zip((j.name for j in robot.description.joints), robot.joint_velocities, strict=True)),
        )
        self.gear = _gear(told, speed)
        push = self._push(told, speed) * _RADIUS / len(_WHEELS)
        efforts = {}
        for wheel in _WHEELS:
            hold = min(max(told.brake, 0.0), 1.0) + (1.0 if told.handbrake and wheel in _REAR else 0.0)
            if told.throttle * speed < 0.0 and not told.is_manual_gear and abs(speed) > 0.5:
                hold += abs(told.throttle)
            most = min(hold, 1.0) * _BRAKE
            spin = float(turning[wheel])
            efforts[wheel] = push - min(max(_GRIP * spin, -most), most)
        self.door.simulation.command(self.name, Joints(positions=_steered(told.steering), efforts=efforts))

    def _push(self, told: CarControls, speed: float) -> float:
        """Force of the engine, forwards [N]."""
        share = min(max(told.throttle, -1.0), 1.0)
        if abs(share) < 1e-3 or self.gear == 0:
            return -_DRAG * math.tanh(speed)
        way = -1.0 if self.gear < 0 else 1.0
        if not told.is_manual_gear and share * speed < 0.0 and abs(speed) > 0.5:
            return 0.0
        return way * abs(share) * min(_FORCE, _POWER / max(abs(speed), 1.0))

    def rpm(self) -> float:
        """Of the engine."""
        turns = abs(self.speed) / _RADIUS * 60 / (2 * math.pi) * _RATIOS[self.gear]
        blip = _IDLE + 2500.0 * abs(self.controls.throttle) if self.gear == 0 else _IDLE
        return min(max(turns, blip), _MOST_RPM)


def _gear(told: CarControls, speed: float) -> int:
    if told.is_manual_gear:
        return min(max(told.manual_gear, -1), 5)
    if told.throttle < 0.0 and speed < 0.5:
        return -1
    if abs(speed) < 0.1 and abs(told.throttle) < 1e-3:
        return 0
    return -1 if speed < -0.5 else 1 + sum(speed > s for s in _SHIFT[1:])


def _steered(steering: float) -> dict[str, float]:
    """Angles of the front wheels (left is positive), the inner one more, so that all roll about one point."""
    angle = -min(max(steering, -1.0), 1.0) * _STEER
    if abs(angle) < 1e-6:
        return {"steer_l": 0.0, "steer_r": 0.0}
    radius = _BASE / math.tan(angle)
    left, right = (math.atan(_BASE / (radius + side * _TRACK / 2)) for side in (-1.0, 1.0))
    return {"steer_l": min(max(left, -0.6), 0.6), "steer_r": min(max(right, -0.6), 0.6)}


@rpc("setCarControls", mapping, text, newest=True)
def set_controls(door: AirSim, data: dict[str, Any], vehicle: str) -> None:
    """Throttle, steering, brake and gear, until told otherwise."""
    car = door.car(vehicle)
    throttle, steering, brake = (finite(data.get(k, 0.0)) for k in ("throttle", "steering", "brake"))
    handbrake, by_hand = (flag(data.get(k, False)) for k in ("handbrake", "is_manual_gear"))
    gear, at_once = whole(data.get("manual_gear", 0)), flag(data.get("gear_immediate", True))
    controls = CarControls(throttle, steering, brake, handbrake, by_hand, gear, at_once)
    if car.api and car.settings.firmware is None:
        car.controls = controls


@rpc("getCarControls", text, where="now")
def get_controls(door: AirSim, vehicle: str) -> dict[str, Any]:
    """What was last told."""
    return dict(door.car(vehicle).controls.__dict__)


@rpc("getCarState", text, where="now")
def car_state(door: AirSim, vehicle: str) -> dict[str, Any]:
    """All about a car."""
    car = door.car(vehicle)
    return {
        "speed": car.speed, "gear": car.gear, "rpm": car.rpm(), "maxrpm": _MOST_RPM,
        "handbrake": car.controls.handbrake, "kinematics_estimated": car.snapshot.kinematics(),
        "timestamp": door.stamp(car.snapshot.now_ns),
    }  # fmt: skip
