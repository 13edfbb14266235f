"""Flight of multirotors against closed forms: the kernels without a world."""

import math

import numpy as np
import pytest

from volery.core.frames import matrix_from_quat, quat_rotate
from volery.physics.multirotor import layout as at
from volery.physics.multirotor.flight import fly, fly_threads
from volery.physics.multirotor.parameters import Airframe
from volery.robots.multirotor import Drag, PowerPack
from volery.world.atmosphere import GRAVITY

MASS, LIFT = 1.5, 1.2e-7
HUBS = np.array([[0.18, -0.18, 0], [-0.18, 0.18, 0], [0.18, 0.18, 0], [-0.18, -0.18, 0]])


def airframe(**changes):
    """A symmetric X quadrotor without drag."""
    up = np.array([0.0, 0.0, 1.0])
    torque = np.cross(HUBS, up) + np.array([-1, -1, 1, 1])[:, None] * 0.017 * up
    effect = LIFT * np.vstack([np.tile(up[:, None], 4), torque.T])
    values = {"mass": MASS, "inertia": np.diag([0.013, 0.0145, 0.024]), "effect": effect, "tau": 0.03}
    return Airframe(**{**values, "least_rpm": 0.0, "most_rpm": 9000.0, **changes})


class Flight:
    """One or more drones of one kind."""

    def __init__(self, frame, count=1):
        self.frame, self.row = frame, frame.row()
        self.S, self.C = np.zeros((count, at.STATE)), np.zeros((count, at.REFERENCE))
        self.S[:, at.QUAT] = 1.0
        self.S[:, at.PID : at.CHARGE] = np.tile([np.nan] * 3 + [0.0] * 3, 4)
        self.level = np.full(count, at.OFF, np.int32)
        self.wind, self.air, self.ground = np.zeros((count, 3)), np.ones(count), np.full(count, -np.inf)
        battery = frame.battery
        if battery is not None:
            self.S[:, at.CHARGE] = 3600 * battery.capacity * battery.charge

    def spin(self, rpm):
        self.S[:, at.RPM : at.RPM + 4] = rpm
        return self

    def tell(self, level, **reference):
        self.level[:] = level
        for name, value in reference.items():
            column = getattr(at, name)
            self.C[:, column : column + np.size(value)] = value
        return self

    def fly(self, seconds, dt=0.001, kernel=fly):
        kind = np.zeros(len(self.S), np.int32)
        kernel(np.arange(len(self.S)), self.S, self.C, self.level, kind, self.row[None], dt, round(seconds / dt),
               self.wind, self.air, self.ground)  # fmt: skip
        return self

    def get(self, column, count=3):
        return self.S[0, column : column + count]


def hovering(frame, **reference):
    return Flight(frame).spin(frame.hover_rpm).tell(at.POSITION, **reference)


def test_free_fall():
    flight = Flight(airframe()).fly(2.0)
    assert flight.get(at.POS) == pytest.approx([0, 0, -0.5 * GRAVITY * 4], abs=1e-9)
    assert flight.get(at.VEL) == pytest.approx([0, 0, -GRAVITY * 2], abs=1e-9)


def test_hover_thrust_is_the_weight():
    frame = airframe()
    flight = hovering(frame, REF_P=[0, 0, 0]).fly(10.0)
    assert LIFT * (flight.get(at.RPM, 4) ** 2).sum() == pytest.approx(MASS * GRAVITY, rel=1e-9)
    assert np.abs(flight.get(at.POS)).max() < 1e-9


def test_hover_of_a_drone_that_is_heavy_in_front_and_below():
    centre = np.array([0.02, -0.005, -0.03])
    up = np.array([0.0, 0.0, 1.0])
    torque = np.cross(HUBS - centre, up) + np.array([-1, -1, 1, 1])[:, None] * 0.017 * up
    effect = LIFT * np.vstack([np.tile(up[:, None], 4), torque.T])
    frame = airframe(effect=effect, centre=centre)
    flight = Flight(frame).spin(frame.hover_rpm * frame.mixer[:, 3]).tell(at.POSITION)
    flight.S[0, :3] = centre
    flight.fly(5.0)
    # The reference is the root's origin, and no rotor has to find out about the lever by way of an error
    assert flight.get(at.POS) == pytest.approx(centre, abs=1e-9)
    assert LIFT * (flight.get(at.RPM, 4) ** 2).sum() == pytest.approx(MASS * GRAVITY, rel=1e-9)


@pytest.mark.parametrize("air", [1.0, 0.5])
def test_terminal_velocity_with_quadratic_drag(air):
    area = 0.05
    flight = Flight(airframe(drag=Drag(area=(area, area, area))))
    flight.air[:] = air
    end = math.sqrt(2 * MASS * GRAVITY / (1.225 * air * area))
    flight.fly(1.5)
    assert flight.get(at.VEL)[2] == pytest.approx(-end * math.tanh(GRAVITY * 1.5 / end), rel=1e-9)
    flight.fly(60.0, dt=0.004)
    assert flight.get(at.VEL)[2] == pytest.approx(-end, rel=1e-9)


def test_terminal_velocity_with_linear_drag_in_wind():
    flight = Flight(airframe(drag=Drag(linear=(0.5, 0.5, 0.5))))
    flight.wind[:] = [3.0, -1.0, 0.0]
    flight.fly(1.0)
    rate = 0.5 / MASS
    assert flight.get(at.VEL)[0] == pytest.approx(3.0 * (1 - math.exp(-rate)), rel=1e-9)
    flight.fly(100.0, dt=0.004)
    assert flight.get(at.VEL) == pytest.approx([3.0, -1.0, -MASS * GRAVITY / 0.5], rel=1e-9)


def test_torque_free_tumbling_keeps_energy_and_angular_momentum():
    inertia = np.array([[0.013, 0.001, -0.0005], [0.001, 0.0145, 0.0007], [-0.0005, 0.0007, 0.024]])
    flight = Flight(airframe(inertia=inertia))
    flight.S[0, at.SPIN : at.SPIN + 3] = w = np.array([3.0, 10.0, 0.1])
    flight.fly(10.0)
    v = flight.get(at.SPIN)
    assert v @ inertia @ v == pytest.approx(w @ inertia @ w, rel=1e-9)
    assert quat_rotate(flight.get(at.QUAT, 4), inertia @ v) == pytest.approx(inertia @ w, rel=1e-7, abs=1e-9)
    assert not np.allclose(v, w, atol=0.1)


@pytest.mark.parametrize("original", [False, True])
def test_motors_follow_a_step_exponentially(original):
    flight = Flight(airframe(original=original, least_rpm=1000.0)).tell(at.ACTUATORS, REF_MOTORS=[0.5] * 4).fly(0.045)
    assert flight.get(at.RPM, 4) == pytest.approx([5000 * (1 - math.exp(-1.5))] * 4, rel=1e-12)
    turns = 5000 / 60 * (0.045 - 0.03 * (1 - math.exp(-1.5)))
    assert flight.S[0, at.TURN] == pytest.approx(2 * math.pi * (turns % 1), abs=1e-9)


@pytest.mark.parametrize("height", [0.1, 0.2, 0.5])
def test_ground_effect(height):
    radius = 0.16
    frame = airframe(ground_radius=radius, hub=0.05)
    flight = Flight(frame).spin(frame.hover_rpm).tell(at.ACTUATORS, REF_MOTORS=[frame.hover_rpm / 9000] * 4)
    flight.ground[:] = 0.0
    flight.S[0, 2] = height - 0.05
    flight.fly(1e-5, dt=1e-5)
    gain = 1 / (1 - (radius / (4 * height)) ** 2)
    assert flight.get(at.VEL)[2] / 1e-5 == pytest.approx(GRAVITY * (gain - 1), rel=1e-3)


def test_steady_tilt_in_wind():
    frame = airframe(drag=Drag(area=(0.04, 0.04, 0.04)))
    flight = hovering(frame)
    flight.wind[:] = [8.0, 0.0, 0.0]
    flight.fly(60.0)
    push = 0.5 * 1.225 * 0.04 * 64
    up = matrix_from_quat(flight.get(at.QUAT, 4))[:, 2]
    assert flight.get(at.POS) == pytest.approx([0, 0, 0], abs=0.02)
    assert math.atan2(-up[0], up[2]) == pytest.approx(math.atan(push / (MASS * GRAVITY)), rel=1e-3)


def test_rotor_drag_is_in_the_plane_of_the_rotors_and_with_their_speed():
    frame = airframe(drag=Drag(rotor=0.3))
    for rpm in (0.0, frame.hover_rpm):
        flight = Flight(frame).spin(rpm)
        flight.S[0, at.VEL : at.VEL + 3] = [2.0, -1.0, 3.0]
        flight.fly(1e-5, dt=1e-5)
        lost = (flight.get(at.VEL) - [2.0, -1.0, 3.0])[:2] / 1e-5
        assert lost == pytest.approx(np.array([-2.0, 1.0]) * 0.3 / MASS * rpm / frame.hover_rpm, rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("goal", [[1.0, 0.0, 0.0], [0.0, 0.0, 2.0], [-3.0, 4.0, 1.0]])
def test_position_step_settles_with_little_overshoot(goal):
    goal = np.array(goal)
    flight = hovering(airframe(), REF_P=goal)
    along = []
    for _ in range(150):
        flight.fly(0.1)
        along.append(flight.get(at.POS) @ goal / (goal @ goal))
    assert 1.0 < max(along) < 1.25
    assert flight.get(at.POS) == pytest.approx(goal, abs=0.03)
    assert np.abs(flight.get(at.VEL)).max() < 0.02


def test_velocity_in_body_axes_turns_with_the_heading():
    frame = airframe()
    flight = (
        Flight(frame).spin(frame.hover_rpm).tell(at.VELOCITY_RATE, REF_V=[2, 0, 0.5], REF_TURNS=1, REF_YAW_RATE=0.5)
    )
    flight.fly(6.0)
    R, v = matrix_from_quat(flight.get(at.QUAT, 4)), flight.get(at.VEL)
    assert math.atan2(R[1, 0], R[0, 0]) == pytest.approx(3.0, abs=0.15)
    assert np.hypot(v[0], v[1]) == pytest.approx(2.0, abs=0.15)
    # It turns as it flies: the velocity lags behind the nose
    assert abs((math.atan2(v[1], v[0]) - math.atan2(R[1, 0], R[0, 0]) + math.pi) % (2 * math.pi) - math.pi) < 0.4


def test_thin_air_needs_faster_rotors():
    frame = airframe()
    flight = hovering(frame)
    flight.air[:] = 0.64
    flight.spin(frame.hover_rpm / 0.8).fly(5.0)
    assert flight.get(at.RPM, 4) == pytest.approx([frame.hover_rpm / 0.8] * 4, rel=1e-9)
    assert np.abs(flight.get(at.POS)).max() < 1e-9


def test_open_loop_converges_with_fourth_order():
    def end(dt):
        frame = airframe(drag=Drag(area=(0.03, 0.05, 0.09), linear=(0.1, 0.2, 0.1), rotor=0.2))
        flight = Flight(frame).spin(4000.0).tell(at.ACTUATORS, REF_MOTORS=[0.62, 0.60, 0.61, 0.615])
        flight.C[0, at.PUSH : at.PUSH + 6] = [0.5, -0.2, 0.1, 0.004, 0.002, -0.003]
        flight.S[0, at.SPIN : at.SPIN + 3] = [2.0, -1.0, 3.0]
        return flight.fly(0.8, dt).S[0, :13]

    exact = end(0.0005)
    errors = [np.abs(end(dt) - exact).max() for dt in (0.016, 0.008, 0.004)]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 3.6).all(), (errors, orders)


def battery_flight(**pack):
    frame = airframe(idle_power=100.0, battery=PowerPack(cells=4, capacity=0.1, **pack))
    return Flight(frame)


def test_battery_drains_linearly_at_constant_voltage_and_power():
    flight = battery_flight(full_voltage=3.7, empty_voltage=3.7, resistance=0.05).fly(20.0, dt=0.01)
    voltage = 0.5 * (14.8 + math.sqrt(14.8**2 - 4 * 0.05 * 100))
    assert flight.S[0, at.CHARGE] == pytest.approx(360 - 100 / voltage * 20, rel=1e-9)
    assert flight.S[0, at.POWER] == 100.0


def test_battery_with_a_falling_voltage_gives_the_energy_that_is_drawn():
    flight = battery_flight(full_voltage=4.2, empty_voltage=3.2, resistance=0.0).fly(30.0, dt=0.001)
    q, full, empty = flight.S[0, at.CHARGE] / 360, 4 * 4.2, 4 * 3.2
    given = 360 * (empty * (1 - q) + (full - empty) * (1 - q * q) / 2)
    assert given == pytest.approx(3000.0, rel=1e-5)


def test_sagging_voltage_limits_the_speed_of_motors():
    frame = airframe(shaft=1e-9, battery=PowerPack(cells=4, capacity=1000.0, resistance=0.1))
    flight = Flight(frame).tell(at.ACTUATORS, REF_MOTORS=[1.0] * 4).fly(2.0)
    rpm = flight.S[0, at.RPM]
    power = 4e-9 * rpm**3
    free = 4 * (3.3 + 0.9 * flight.S[0, at.CHARGE] / 3.6e6)
    voltage = 0.5 * (free + math.sqrt(free * free - 0.4 * power))
    assert rpm < 0.95 * 9000
    assert rpm == pytest.approx(9000 * voltage / 16.8, rel=1e-4)


def test_an_empty_battery_ends_the_flight():
    frame = airframe(idle_power=100.0, battery=PowerPack(cells=4, capacity=0.1, charge=0.1))
    flight = hovering(frame).fly(4.5)
    assert abs(flight.get(at.POS)[2]) < 0.01
    flight.fly(3.5)
    assert flight.S[0, at.CHARGE] == 0.0
    assert flight.get(at.POS)[2] < -1.0
    assert flight.get(at.RPM, 4).max() < 1.0
    assert flight.S[0, at.POWER] == 0.0


def test_threads_give_the_same_bytes():
    rng = np.random.default_rng(5)
    flights = []
    for kernel in (fly, fly_threads):
        flight = Flight(airframe(drag=Drag(area=(0.03, 0.03, 0.06), rotor=0.1)), 600)
        rng = np.random.default_rng(5)
        flight.S[:, :3], flight.wind[:] = rng.uniform(-5, 5, (600, 3)), rng.uniform(-4, 4, (600, 3))
        flight.spin(5000.0).tell(at.POSITION)
        flight.C[:, at.REF_P : at.REF_P + 3] = rng.uniform(-5, 5, (600, 3))
        flights.append(flight.fly(0.3, kernel=kernel).S.tobytes())
    assert flights[0] == flights[1]


def test_a_drone_does_not_feel_its_neighbours_in_a_block():
    """Each of 21 drones has the same bytes alone as among others of other kinds of flight."""
    frame = airframe(drag=Drag(area=(0.03, 0.03, 0.06), rotor=0.1))

    def made(count):
        flight, rng = Flight(frame, count), np.random.default_rng(6)
        flight.S[:, :3] = rng.uniform(-5, 5, (21, 3))[:count]
        flight.wind[:] = rng.uniform(-4, 4, (21, 3))[:count]
        flight.spin(5000.0).tell(at.POSITION)
        flight.level[::5] = at.VELOCITY_RATE
        flight.level[3::7] = at.OFF
        return flight

    together = made(21).fly(0.2)
    for i in range(21):
        alone = made(21)
        kind = np.zeros(21, np.int32)
        tables = alone.S, alone.C, alone.level, kind, alone.row[None], 0.001, 200, alone.wind, alone.air, alone.ground
        fly(np.array([i]), *tables)
        assert alone.S[i].tobytes() == together.S[i].tobytes()


@pytest.mark.parametrize("count", [3, 5, 6, 8])
def test_any_number_of_rotors(count):
    """Rotors are reckoned by fours; those that are not there neither lift nor draw power."""
    turn = 2 * np.pi * (np.arange(count) + 0.5) / count
    hubs = 0.25 * np.stack([np.cos(turn), np.sin(turn), np.zeros(count)], axis=1)
    ways = np.where(np.arange(count) % 2, 1, -1)
    up = np.array([0.0, 0.0, 1.0])
    torque = np.cross(hubs, up) + ways[:, None] * 0.017 * up
    frame = airframe(effect=LIFT * np.vstack([np.tile(up[:, None], count), torque.T]), shaft=1e-9, idle_power=3.0)
    even = count if count != 3 else 0
    share = np.full(count, frame.hover_rpm / frame.most_rpm)
    flight = Flight(frame).tell(at.ACTUATORS, REF_MOTORS=share)
    flight.S[0, at.RPM : at.RPM + count] = frame.hover_rpm
    flight.fly(0.5)
    assert flight.get(at.VEL) == pytest.approx([0, 0, 0], abs=1e-9)
    assert flight.S[0, at.POWER] == pytest.approx(3.0 + 1e-9 * count * frame.hover_rpm**3, rel=1e-9)
    assert (flight.S[0, at.RPM + count : at.RPM + 8] == 0).all() and (
        flight.S[0, at.TURN + count : at.TURN + 8] == 0
    ).all()
    if even:
        held = Flight(frame).spin(frame.hover_rpm).tell(at.POSITION, REF_P=[1.0, 0.5, -0.5])
        held.S[0, at.RPM : at.RPM + count] = frame.hover_rpm
        held.S[0, at.RPM + count : at.RPM + 8] = 0.0
        held.fly(10.0)
        assert held.get(at.POS) == pytest.approx([1.0, 0.5, -0.5], abs=0.05)


def test_default_gains_follow_the_inertia_and_the_rotors():
    heavy = airframe(mass=6.0, inertia=np.diag([0.4, 0.4, 0.7]), effect=4 * airframe().effect)
    for frame in (airframe(), heavy):
        flight = Flight(frame).spin(frame.hover_rpm).tell(at.BODY_RATE, REF_RATES=[0.5, 0.0, 0.0])
        hover = frame.hover_rpm / frame.most_rpm
        flight.tell(at.BODY_RATE, REF_THROTTLE=hover).fly(0.15)
        assert flight.get(at.SPIN)[0] == pytest.approx(0.5, abs=0.12)
