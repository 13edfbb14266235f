"""Flight of multirotors against closed forms: the kernels without a world."""

import math

import numpy as np
import pytest

from volery import _native
from volery.core.frames import matrix_from_quat, quat_rotate
from volery.core.parallel import set_threads, threads
from volery.physics.multirotor.parameters import MultirotorModel
from volery.physics.multirotor.tables import AIR, REFERENCE, STATE, Level
from volery.robots.kinds.multirotor import Drag, PowerPack
from volery.world.atmosphere import GRAVITY

MASS, LIFT = 1.5, 1.2e-7
HUBS = np.array([[0.18, -0.18, 0], [-0.18, 0.18, 0], [0.18, 0.18, 0], [-0.18, -0.18, 0]])


def airframe(**changes):
    """A symmetric X quadrotor without drag."""
    up = np.array([0.0, 0.0, 1.0])
    torque = np.cross(HUBS, up) + np.array([-1, -1, 1, 1])[:, None] * 0.017 * up
    effect = LIFT * np.vstack([np.tile(up[:, None], 4), torque.T])
    values = {"mass": MASS, "inertia": np.diag([0.013, 0.0145, 0.024]), "effect": effect, "tau": 0.03}
    return MultirotorModel(**{**values, "least_rpm": 0.0, "most_rpm": 9000.0, **changes})


class Flight:
    """One or more drones of one kind."""

    def __init__(self, frame, count=1):
        self.frame, self.parameters = frame, frame.row()
        self.state, self.reference = np.zeros(count, STATE), np.zeros(count, REFERENCE)
        self.state["q_WB"], self.state["loop_error"] = [1.0, 0.0, 0.0, 0.0], np.nan
        self.level = self.reference["level"]
        self.here = np.zeros(count, AIR)
        self.here["share"], self.here["ground"] = 1.0, -np.inf
        battery = frame.battery
        if battery is not None:
            self.state["charge"] = 3600 * battery.capacity * battery.charge

    def spin(self, rpm):
        self.state["rpm"][:, : self.frame.effect.shape[1]] = rpm
        return self

    def tell(self, level, **reference):
        self.level[:] = level
        for name, value in reference.items():
            self.reference[name].reshape(len(self.state), -1)[:, : np.size(value)] = value
        return self

    def fly(self, seconds, dt=0.001, which=None):
        which = np.arange(len(self.state)) if which is None else which
        tables = self.state, self.reference, self.parameters, self.here
        _native.multirotor.fly(which, *tables, dt, round(seconds / dt))
        return self

    def get(self, name, count=None):
        return self.state[name][0, :count]


def hovering(frame, **reference):
    return Flight(frame).spin(frame.hover_rpm).tell(Level.POSITION, **reference)


def test_free_fall():
    flight = Flight(airframe()).fly(2.0)
    assert flight.get("p_W") == pytest.approx([0, 0, -0.5 * GRAVITY * 4], abs=1e-9)
    assert flight.get("v_W") == pytest.approx([0, 0, -GRAVITY * 2], abs=1e-9)


def test_hover_thrust_is_the_weight():
    frame = airframe()
    flight = hovering(frame, p_W=[0, 0, 0]).fly(10.0)
    assert LIFT * (flight.get("rpm", 4) ** 2).sum() == pytest.approx(MASS * GRAVITY, rel=1e-9)
    assert np.abs(flight.get("p_W")).max() < 1e-9


def test_hover_of_a_drone_that_is_heavy_in_front_and_below():
    centre = np.array([0.02, -0.005, -0.03])
    up = np.array([0.0, 0.0, 1.0])
    torque = np.cross(HUBS - centre, up) + np.array([-1, -1, 1, 1])[:, None] * 0.017 * up
    effect = LIFT * np.vstack([np.tile(up[:, None], 4), torque.T])
    frame = airframe(effect=effect, centre=centre)
    flight = Flight(frame).spin(frame.hover_rpm * frame.mixer[:, 3]).tell(Level.POSITION)
    flight.state["p_W"] = centre
    flight.fly(5.0)
    # The reference is the root's origin, and no rotor has to find out about the lever by way of an error
    assert flight.get("p_W") == pytest.approx(centre, abs=1e-9)
    assert LIFT * (flight.get("rpm", 4) ** 2).sum() == pytest.approx(MASS * GRAVITY, rel=1e-9)


@pytest.mark.parametrize("air", [1.0, 0.5])
def test_terminal_velocity_with_quadratic_drag(air):
    area = 0.05
    flight = Flight(airframe(drag=Drag(area=(area, area, area))))
    flight.here["share"] = air
    end = math.sqrt(2 * MASS * GRAVITY / (1.225 * air * area))
    flight.fly(1.5)
    assert flight.get("v_W")[2] == pytest.approx(-end * math.tanh(GRAVITY * 1.5 / end), rel=1e-9)
    flight.fly(60.0, dt=0.004)
    assert flight.get("v_W")[2] == pytest.approx(-end, rel=1e-9)


def test_terminal_velocity_with_linear_drag_in_wind():
    flight = Flight(airframe(drag=Drag(linear=(0.5, 0.5, 0.5))))
    flight.here["wind_W"] = [3.0, -1.0, 0.0]
    flight.fly(1.0)
    rate = 0.5 / MASS
    assert flight.get("v_W")[0] == pytest.approx(3.0 * (1 - math.exp(-rate)), rel=1e-9)
    flight.fly(100.0, dt=0.004)
    assert flight.get("v_W") == pytest.approx([3.0, -1.0, -MASS * GRAVITY / 0.5], rel=1e-9)


def test_torque_free_tumbling_keeps_energy_and_angular_momentum():
    inertia = np.array([[0.013, 0.001, -0.0005], [0.001, 0.0145, 0.0007], [-0.0005, 0.0007, 0.024]])
    flight = Flight(airframe(inertia=inertia))
    flight.state["w_B"] = w = np.array([3.0, 10.0, 0.1])
    flight.fly(10.0)
    v = flight.get("w_B")
    assert v @ inertia @ v == pytest.approx(w @ inertia @ w, rel=1e-9)
    assert quat_rotate(flight.get("q_WB"), inertia @ v) == pytest.approx(inertia @ w, rel=1e-7, abs=1e-9)
    assert not np.allclose(v, w, atol=0.1)


@pytest.mark.parametrize("original", [False, True])
def test_motors_follow_a_step_exponentially(original):
    flight = Flight(airframe(original=original, least_rpm=1000.0)).tell(Level.ACTUATORS, motors=[0.5] * 4).fly(0.045)
    assert flight.get("rpm", 4) == pytest.approx([5000 * (1 - math.exp(-1.5))] * 4, rel=1e-12)
    turns = 5000 / 60 * (0.045 - 0.03 * (1 - math.exp(-1.5)))
    assert flight.state["turn"][0, 0] == pytest.approx(2 * math.pi * (turns % 1), abs=1e-9)


@pytest.mark.parametrize("height", [0.1, 0.2, 0.5])
def test_ground_effect(height):
    radius = 0.16
    frame = airframe(ground_radius=radius, hub=0.05)
    flight = Flight(frame).spin(frame.hover_rpm).tell(Level.ACTUATORS, motors=[frame.hover_rpm / 9000] * 4)
    flight.here["ground"] = 0.0
    flight.state["p_W"][0, 2] = height - 0.05
    flight.fly(1e-5, dt=1e-5)
    gain = 1 / (1 - (radius / (4 * height)) ** 2)
    assert flight.get("v_W")[2] / 1e-5 == pytest.approx(GRAVITY * (gain - 1), rel=1e-3)


def test_steady_tilt_in_wind():
    frame = airframe(drag=Drag(area=(0.04, 0.04, 0.04)))
    flight = hovering(frame)
    flight.here["wind_W"] = [8.0, 0.0, 0.0]
    flight.fly(60.0)
    push = 0.5 * 1.225 * 0.04 * 64
    up = matrix_from_quat(flight.get("q_WB"))[:, 2]
    assert flight.get("p_W") == pytest.approx([0, 0, 0], abs=0.02)
    assert math.atan2(-up[0], up[2]) == pytest.approx(math.atan(push / (MASS * GRAVITY)), rel=1e-3)


def test_rotor_drag_is_in_the_plane_of_the_rotors_and_with_their_speed():
    frame = airframe(drag=Drag(rotor=0.3))
    for rpm in (0.0, frame.hover_rpm):
        flight = Flight(frame).spin(rpm)
        flight.state["v_W"] = [2.0, -1.0, 3.0]
        flight.fly(1e-5, dt=1e-5)
        lost = (flight.get("v_W") - [2.0, -1.0, 3.0])[:2] / 1e-5
        assert lost == pytest.approx(np.array([-2.0, 1.0]) * 0.3 / MASS * rpm / frame.hover_rpm, rel=1e-3, abs=1e-9)


@pytest.mark.parametrize("goal", [[1.0, 0.0, 0.0], [0.0, 0.0, 2.0], [-3.0, 4.0, 1.0]])
def test_position_step_settles_with_little_overshoot(goal):
    goal = np.array(goal)
    flight = hovering(airframe(), p_W=goal)
    along = []
    for _ in range(150):
        flight.fly(0.1)
        along.append(flight.get("p_W") @ goal / (goal @ goal))
    assert 1.0 < max(along) < 1.25
    assert flight.get("p_W") == pytest.approx(goal, abs=0.03)
    assert np.abs(flight.get("v_W")).max() < 0.02


def test_velocity_in_body_axes_turns_with_the_heading():
    frame = airframe()
    flight = Flight(frame).spin(frame.hover_rpm).tell(Level.VELOCITY_RATE, v_W=[2, 0, 0.5], along=1, yaw_rate=0.5)
    flight.fly(6.0)
    R, v = matrix_from_quat(flight.get("q_WB")), flight.get("v_W")
    assert math.atan2(R[1, 0], R[0, 0]) == pytest.approx(3.0, abs=0.15)
    assert np.hypot(v[0], v[1]) == pytest.approx(2.0, abs=0.15)
    # It turns as it flies: the velocity lags behind the nose
    assert abs((math.atan2(v[1], v[0]) - math.atan2(R[1, 0], R[0, 0]) + math.pi) % (2 * math.pi) - math.pi) < 0.4


def test_thin_air_needs_faster_rotors():
    frame = airframe()
    flight = hovering(frame)
    flight.here["share"] = 0.64
    flight.spin(frame.hover_rpm / 0.8).fly(5.0)
    assert flight.get("rpm", 4) == pytest.approx([frame.hover_rpm / 0.8] * 4, rel=1e-9)
    assert np.abs(flight.get("p_W")).max() < 1e-9


def test_open_loop_converges_with_fourth_order():
    def end(dt):
        frame = airframe(drag=Drag(area=(0.03, 0.05, 0.09), linear=(0.1, 0.2, 0.1), rotor=0.2))
        flight = Flight(frame).spin(4000.0).tell(Level.ACTUATORS, motors=[0.62, 0.60, 0.61, 0.615])
        flight.state["force_W"], flight.state["torque_W"] = [0.5, -0.2, 0.1], [0.004, 0.002, -0.003]
        flight.state["w_B"] = [2.0, -1.0, 3.0]
        flight.fly(0.8, dt)
        return np.concatenate([flight.get(name) for name in ("p_W", "v_W", "q_WB", "w_B")])

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
    assert flight.state["charge"][0] == pytest.approx(360 - 100 / voltage * 20, rel=1e-9)
    assert flight.state["power"][0] == 100.0


def test_battery_with_a_falling_voltage_gives_the_energy_that_is_drawn():
    flight = battery_flight(full_voltage=4.2, empty_voltage=3.2, resistance=0.0).fly(30.0, dt=0.001)
    q, full, empty = flight.state["charge"][0] / 360, 4 * 4.2, 4 * 3.2
    given = 360 * (empty * (1 - q) + (full - empty) * (1 - q * q) / 2)
    assert given == pytest.approx(3000.0, rel=1e-5)


def test_sagging_voltage_limits_the_speed_of_motors():
    frame = airframe(shaft=1e-9, battery=PowerPack(cells=4, capacity=1000.0, resistance=0.1))
    flight = Flight(frame).tell(Level.ACTUATORS, motors=[1.0] * 4).fly(2.0)
    rpm = flight.state["rpm"][0, 0]
    power = 4e-9 * rpm**3
    free = 4 * (3.3 + 0.9 * flight.state["charge"][0] / 3.6e6)
    voltage = 0.5 * (free + math.sqrt(free * free - 0.4 * power))
    assert rpm < 0.95 * 9000
    assert rpm == pytest.approx(9000 * voltage / 16.8, rel=1e-4)


def test_an_empty_battery_ends_the_flight():
    frame = airframe(idle_power=100.0, battery=PowerPack(cells=4, capacity=0.1, charge=0.1))
    flight = hovering(frame).fly(4.5)
    assert abs(flight.get("p_W")[2]) < 0.01
    flight.fly(3.5)
    assert flight.state["charge"][0] == 0.0
    assert flight.get("p_W")[2] < -1.0
    assert flight.get("rpm", 4).max() < 1.0
    assert flight.state["power"][0] == 0.0


def told_all(count=120):
    """Drones of every level, with references, winds and pushes of their own."""
    flight, rng = Flight(airframe(drag=Drag(area=(0.03, 0.03, 0.06), rotor=0.1)), count), np.random.default_rng(6)
    for table in (flight.state, flight.reference, flight.here):
        for name in table.dtype.names:
            if table[name].dtype == np.float64 and name not in ("loop_sum", "turn", "charge", "power"):
                table[name] += rng.uniform(-0.3, 0.3, table[name].shape)
    flight.state["q_WB"] /= np.linalg.norm(flight.state["q_WB"], axis=1)[:, None]
    flight.state["torque_W"] *= 0.01
    flight.reference["along"] = np.arange(count) % 2
    flight.reference["throttle"] += 0.5
    flight.here["ground"][::3] = -np.inf
    flight.spin(5000.0)
    flight.level[:] = np.arange(count) % len(Level)
    return flight


def test_threads_give_the_same_bytes():
    most, ends = threads(), set()
    try:
        for number in (1, 2, 4):
            set_threads(number)
            flight = told_all(1200).fly(0.1)
            ends.add((flight.state.tobytes(), flight.reference.tobytes()))
    finally:
        set_threads(most)
    assert len(ends) == 1


@pytest.mark.parametrize("original", [False, True])
def test_a_drone_does_not_feel_its_neighbours_in_a_block(original):
    """Each drone has the same bytes alone as among others, whatever it is told and however full its block is."""
    together, alone = told_all(117), told_all(117)
    for flight in (together, alone):
        flight.parameters["original"] = original
    together.fly(0.2)
    for i in range(117):
        alone.fly(0.2, which=np.array([i]))
    assert alone.state.tobytes() == together.state.tobytes()
    assert alone.reference.tobytes() == together.reference.tobytes()


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
    flight = Flight(frame).tell(Level.ACTUATORS, motors=share)
    flight.spin(frame.hover_rpm)
    flight.fly(0.5)
    assert flight.get("v_W") == pytest.approx([0, 0, 0], abs=1e-9)
    assert flight.state["power"][0] == pytest.approx(3.0 + 1e-9 * count * frame.hover_rpm**3, rel=1e-9)
    assert (flight.state["rpm"][0, count:] == 0).all() and (flight.state["turn"][0, count:] == 0).all()
    if even:
        held = Flight(frame).spin(frame.hover_rpm).tell(Level.POSITION, p_W=[1.0, 0.5, -0.5])
        held.fly(10.0)
        assert held.get("p_W") == pytest.approx([1.0, 0.5, -0.5], abs=0.05)


def test_default_gains_follow_the_inertia_and_the_rotors():
    heavy = airframe(mass=6.0, inertia=np.diag([0.4, 0.4, 0.7]), effect=4 * airframe().effect)
    for frame in (airframe(), heavy):
        flight = Flight(frame).spin(frame.hover_rpm).tell(Level.BODY_RATE, w_B=[0.5, 0.0, 0.0])
        hover = frame.hover_rpm / frame.most_rpm
        flight.tell(Level.BODY_RATE, throttle=hover).fly(0.15)
        assert flight.get("w_B")[0] == pytest.approx(0.5, abs=0.12)
