"""The MRS multirotor simulator: its eight airframes, its ten levels of control, and the end states that it printed."""

import numpy as np
import pytest

from volery.core.frames import matrix_from_quat, quat_from_euler
from volery.errors import CommandError
from volery.physics.multirotor.fleet import FleetEngine, FleetSettings
from volery.physics.multirotor.parameters import airframe_of, body_of
from volery.robots.commands import (
    Acceleration,
    Attitude,
    ControlGroup,
    Motors,
    Pose,
    Rates,
    Tilt,
    Velocity,
)
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.scenario import read_scenario
from volery.sim import Simulation
from volery.world.environment import Environment
from volery.world.scene.scene import Scene

# n, mass, arm, height, tau, lift, ratio, propeller, least and most rpm
FRAMES = {
    "x500": (4, 2.0, 0.25, 0.10, 0.03, 2.7087e-7, 0.07, 0.15, 1170, 7800),
    "f330": (4, 1.4, 0.165, 0.07, 0.03, 9.4268e-8, 0.07, 0.09, 1459, 9722),
    "f450": (4, 1.7, 0.225, 0.10, 0.03, 1.2216e-7, 0.07, 0.11, 1360, 9068),
    "f550": (6, 2.3, 0.27, 0.10, 0.03, 1.2216e-7, 0.07, 0.11, 1360, 9068),
    "t650": (4, 3.5, 0.325, 0.15, 0.03, 7.3385e-7, 0.07, 0.19, 875, 5832),
    "a300": (4, 1.21, 0.15, 0.05, 0.05, 4.5e-8, 0.012, 0.089, 3200, 21400),
    "robofly": (4, 0.8, 0.135, 0.07, 0.03, 8.43e-9, 0.012, 0.09, 2058, 41160),
    "naki": (8, 7.5, 0.20, 0.20, 0.03, 5.7658e-7, 0.07, 0.13, 956, 6376),
}
THROTTLE = load_robot_file("x500").multirotor.thrust_at
TO = Pose([5, -3, 14], 1.0)
# Airframe, command, step, seconds; x y z, vx vy vz, wx wy wz, R00 R10 R22, mean rpm, specific force in B.
GOLDEN = {
    "position": ("x500", TO, 0.01, 2.0, """4.9177469164 -3.06899214658 14.0796955382 1.97867389206 -2.22331100323
        1.23603934495 -0.112116249601 -0.0371874369334 -0.119890363454 0.528954347536 0.828141256061 0.771974997496
        4015.83112749 0.100705547797 0.276761501403 8.81857200302"""),
    "position_4ms": ("x500", TO, 0.004, 2.0, """4.90501744021 -3.05238854551 14.0831611316 2.00233135312 -2.24986701181
        1.21622149834 -0.122146447144 -0.0361112941475 -0.125075690199 0.52771252834 0.828867628569 0.774399455195
        4023.48551815 0.100327964021 0.279962738862 8.86313303815"""),
    "velocity_heading": ("x500", Velocity([2, -1, 0.5], yaw=-0.5), 0.01, 2.0, """3.80956465288 0.605177109159
        10.5558992965 1.93643709903 -0.968673120059 0.470651773753 5.22930036063e-05 -0.00713863019126
        -0.000131536649764 0.877500270883 -0.479321201872 0.999877628648 4269.02541347 -0.140342762746
        -0.00508170589638 9.84072214393"""),
    "velocity_rate": ("x500", Velocity([2, -1, 0.5], 0.4), 0.01, 2.0, """3.80617876876 0.606487503986 10.5063141299
        1.93577592725 -0.969590295635 0.468026502512 -0.00556850927461 -0.00470593994471 0.400114089357 0.902595756659
        0.43037678783 0.999876892572 4270.24157017 -0.0862188486349 0.110769262686 9.84664703289"""),
    "acceleration_heading": ("x500", Acceleration([1, 0.5, -0.2], yaw=0.8), 0.01, 2.0, """2.67219037005 2.67442661655
        8.98190192051 1.78256963039 0.797108661436 -0.631269050174 -2.9241990197e-06 -6.00186453487e-07
        0.0159720952756 0.695079030616 0.710575890094 0.993300205866 4225.96549188 -0.11272856298 0.0440722473825
        9.6992421162"""),
    "acceleration_rate": ("x500", Acceleration([1, 0.5, -0.2], -0.3), 0.01, 2.0, """2.61975445657 2.80705946165
        8.7372274332 1.74272926456 0.869691939954 -0.807483339947 1.71773082731e-07 1.5170351198e-06 -0.30168800817
        0.654485468619 -0.755525893738 0.993299724526 4225.96549188 -0.0313190320488 -0.121352120164 9.71055421875"""),
    "attitude": ("x500", Attitude(quat_from_euler(np.array([-0.2, 0.1, 0.5])), THROTTLE(0.5)), 0.01, 2.0,
        """1.10867625102 5.80043260754 10.9588778072 -0.0238296450332 4.03951682123 1.26203543045 -3.09847566638e-06
        -2.81285341811e-06 0.00189215868884 0.873008812995 0.477361827578 0.97516994239 4485 -0.221047198337
        -0.396633377494 10.6337241148"""),
    "attitude_rate": ("x500", Rates([0.2, -0.1, 0.5], THROTTLE(0.5)), 0.01, 2.0, """-0.533016989784 -0.468524410151
        10.8125162346 -1.929474843 -3.80382168258 0.943898073526 0.201355802514 -0.0971911149273 0.499999804802
        0.776537544074 0.535324166338 0.912606295707 4485 0.416119890449 0.192953417567 10.5676485773"""),
    "control_group": ("x500", ControlGroup(0.002, -0.001, 0.01, 0.5), 0.01, 2.0, """-0.817977764571 -0.810407032097
        10.3717432713 -2.8505552074 -5.66986971027 -0.518318808684 1.05920432359 -0.108334856449 0.633367150843
        0.852190931947 0.132041684966 0.539457679179 4485 0.643172424299 0.447887826975 9.9872828127"""),
    "control_group_saturated": ("x500", ControlGroup(0.5, -0.4, 0.3, 0.7), 0.01, 0.3, """0.867178505404 1.88857584136
        9.88636481017 -1.313410547 -1.23164000312 -1.69976941097 21.5867121239 -12.4787060405 1.50192372318
        0.0975429801794 -0.985318782003 -0.980581114747 4755.95752922 0.808507067938 1.3585867004 13.7442867674"""),
    "actuators": ("x500", Motors([0.503, 0.5, 0.5, 0.5]), 0.01, 1.0, """0.936568347395 2.12128310049 10.0254983994
        -0.264637177204 0.508185149986 0.535645901061 -0.248691926992 -0.245430421477 -0.0231901104892 0.947528448647
        -0.297402793344 0.986224935824 4489.9725 0.0209642649485 -0.0210391234691 10.9073429389"""),
    "crash_fall": ("x500", None, 0.01, 2.0, "0 0 0 0 0 0 0 0 0 1 0 1 1170 0 0 9.81"),
    "position_f550": ("f550", TO, 0.01, 2.0, """4.91751794039 -3.01790291765 14.114063037 1.93022407226 -2.25190186136
        1.25670243075 -0.11507633228 -0.0174072756542 -0.212371644644 0.515779679036 0.833431206611 0.764367993531
        5192.45612032 0.111618685436 0.276218399285 8.67015567117"""),
}  # fmt: skip


def as_original(kind, p, yaw, step):
    """The engine as the original steps, with one drone."""
    settings = FleetSettings(step=step, touch=False, floor=0.0, mrs=True)
    engine, file = FleetEngine(Environment(Scene()), settings), load_robot_file(kind)
    robot = Robot("a", file.description(), file)
    robot.set_pose(np.array(p, float), quat_from_euler(np.array([0.0, 0.0, yaw])))
    engine.add(robot, None, 0)
    return engine, robot


@pytest.mark.parametrize("name", GOLDEN)
def test_end_states_are_those_of_the_original(name):
    kind, command, dt, seconds, text = GOLDEN[name]
    # The original's spawn heading counts the other way round
    engine, robot = as_original(kind, *(((1, 2, 10), -0.3) if command else ((0, 0, 10), 0.0)), dt)
    if command is None:
        engine.crash("a")
    else:
        engine.apply("a", command)
    step, before = round(dt * 1e9), robot.v_WB_W
    for k in range(round(seconds / dt)):
        before = robot.v_WB_W
        engine.advance(k * step, step)
    R, v = matrix_from_quat(robot.q_WB_wxyz), robot.v_WB_W
    force = R.T @ ((v - before) / dt + [0, 0, 9.81])
    rpm = engine.batch.state["rpm"][0, : FRAMES[kind][0]].mean()
    found = [*robot.p_WB, *v, *(robot.w_WB_W @ R), R[0, 0], R[1, 0], R[2, 2], rpm, *force]
    golden = np.array(text.split(), float)
    assert found[:12] == pytest.approx(golden[:12], abs=1e-6)
    assert found[12] == pytest.approx(golden[12], rel=1e-6)
    assert found[13:] == pytest.approx(golden[13:], abs=1e-6)


@pytest.mark.parametrize("kind", FRAMES)
def test_airframes_have_the_numbers_of_the_original(kind):
    n, mass, arm, height, tau, lift, ratio, propeller, least, most = FRAMES[kind]
    file = load_robot_file(kind)
    robot = Robot("a", file.description(), file)
    body, frame = body_of(robot.description), airframe_of(robot)
    inertia = np.diag([mass * (3 * arm**2 + height**2) / 12] * 2 + [mass * arm**2 / 2])
    assert body.mass == pytest.approx(mass, rel=1e-12)
    assert body.inertia == pytest.approx(inertia, rel=1e-9, abs=1e-12)
    assert body.centre == pytest.approx(np.zeros(3), abs=1e-12)
    assert frame.effect.shape == (6, n)
    assert (frame.tau, frame.least_rpm, frame.most_rpm) == (tau, least, most)
    assert frame.effect[2] == pytest.approx(np.full(n, lift), rel=1e-9)
    assert np.abs(frame.effect[5]) == pytest.approx(np.full(n, 3 * ratio * propeller * lift), rel=1e-9)
    arms = np.hypot(frame.effect[3], frame.effect[4]) / lift
    assert arms == pytest.approx(np.full(n, arm), rel=5e-3)
    assert np.sort(np.sign(frame.effect[5])) == pytest.approx([-1] * (n // 2) + [1] * (n // 2))


def test_mixers_are_those_of_the_original():
    golden = {
        "x500": [[-0.707107, -0.707107, -1, 1], [0.707107, 0.707107, -1, 1], [0.707107, -0.707107, 1, 1],
                 [-0.707107, 0.707107, 1, 1]],
        "f550": [[1, 0, 1, 1], [-1, 0, -1, 1], [-0.501718, -0.865031, 1, 1], [0.501718, 0.865031, -1, 1],
                 [0.501718, -0.865031, -1, 1], [-0.501718, 0.865031, 1, 1]],
    }  # fmt: skip
    for kind, rows in golden.items():
        file = load_robot_file(kind)
        assert airframe_of(Robot("a", file.description(), file)).mixer == pytest.approx(np.array(rows), abs=1e-6)


@pytest.mark.parametrize("kind", FRAMES)
def test_every_airframe_flies_in_a_scenario_in_wind(kind):
    simulation = Simulation(
        read_scenario(
            "world: {type: blocks, count: 0}\nwind: {steady: [3, -1, 0], turbulence: light}\nrobots:\n"
            f"  a: {{type: {kind}, position: [0, 0, 20]}}\n"
        )
    )
    simulation.command("a", Pose([3, 1, 22], 0.7))
    simulation.run(1000)
    robot = simulation.robots["a"]
    assert robot.p_WB == pytest.approx([3, 1, 22], abs=0.5)
    nose = matrix_from_quat(robot.q_WB_wxyz)[:, 0]
    assert np.arctan2(nose[1], nose[0]) == pytest.approx(0.7, abs=0.1)
    assert not simulation.engines["fleet"].crashed("a")
    assert set(simulation.sensors["a"]) == {"imu", "rangefinder"}
    assert simulation.sensors["a"]["rangefinder"].latest.data["range"][0] == pytest.approx(22, abs=1.0)


def test_a_tilt_pushes_along_it_while_the_heading_turns():
    engine, robot = as_original("x500", (0, 0, 50), 0.0, 0.001)
    up = np.array([0.2, -0.1, 1.0])
    hover = 2.0 * 9.81 / (4 * load_robot_file("x500").multirotor.most_thrust)
    engine.apply("a", Tilt(3 * up, hover * np.linalg.norm(up), 0.5))
    for k in range(200):
        engine.advance(k * 10_000_000, 10_000_000)
    R = matrix_from_quat(robot.q_WB_wxyz)
    # The rate loop has no integral: a drone that turns in a tilt lags a little
    assert R[:, 2] == pytest.approx(up / np.linalg.norm(up), abs=0.01)
    assert robot.w_WB_W[2] == pytest.approx(0.5, abs=0.05)
    assert np.arctan2(R[1, 0], R[0, 0]) == pytest.approx(1.0, abs=0.1)


def test_a_velocity_and_an_acceleration_on_the_way_are_added():
    ends = []
    for command in (Velocity([1, 0, 0]), Velocity([1, 0, 0], a_W=[0, 0.5, 0]), Velocity([1, 0, 0], yaw=0.5)):
        engine, robot = as_original("x500", (0, 0, 50), 0.0, 0.001)
        engine.apply("a", command)
        for k in range(100):
            engine.advance(k * 10_000_000, 10_000_000)
        ends.append((robot.v_WB_W, matrix_from_quat(robot.q_WB_wxyz)))
    assert ends[1][0][1] > ends[0][0][1] + 0.1
    assert np.arctan2(ends[2][1][1, 0], ends[2][1][0, 0]) == pytest.approx(0.5, abs=0.15)
    assert abs(np.arctan2(ends[0][1][1, 0], ends[0][1][0, 0])) < 0.01


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: Velocity([1, 0, 0], 0.2, yaw=0.5), "heading or a rate"),
        (lambda: Acceleration([0, np.nan, 0]), "finite"),
        (lambda: Tilt([0, 0, 0], 0.5), "null vector"),
        (lambda: Rates([0, 0, 0], 1.5), "0 to 1"),
        (lambda: ControlGroup(0, 1.5, 0, 0.5), "-1 to 1"),
        (lambda: ControlGroup(0, 0, 0, -0.1), "0 to 1"),
    ],
)
def test_commands_that_make_no_sense_are_refused(make, error):
    with pytest.raises(CommandError, match=error):
        make()
