"""Environments of drones: Gymnasium's own checks, the same bytes alone and in vectors, and tasks that can be done."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from volery.core.parallel import set_threads, threads
from volery.core.rng import generator
from volery.errors import CommandError, ScenarioError, SimulationError, UnknownNameError
from volery.learn import ENVIRONMENTS
from volery.learn.batched_rays import depth_camera, lidar
from volery.learn.single import DroneEnv
from volery.learn.vector import DroneVectorEnv
from volery.robots.commands import BodyVelocity, Rates
from volery.robots.library import load_robot_file
from volery.robots.robot import Robot
from volery.sensors.camera import Camera, CameraConfig

POSTS = {"world": {"type": "blocks", "size": 60.0, "count": 12, "clear": 4.0}, "patch": 25.0, "distance": (8.0, 16.0)}
"""A world that is quickly made, for navigation."""
QUICK = {"hover": {}, "waypoint": {}, "navigation": {**POSTS, "sight": {"size": (16, 12)}}, "gates": {}}


def actions_of(env, steps, seed=3):
    draw = generator(seed, "actions")
    return draw.uniform(-1.0, 1.0, (steps, *env.action_space.shape)).astype(np.float32)


def flat(seen):
    return b"".join(np.ascontiguousarray(a).tobytes() for a in (seen.values() if isinstance(seen, dict) else [seen]))


def played(env, steps=40, seed=7):
    """All that came of some steps, as bytes."""
    out = [flat(env.reset(seed=seed)[0])]
    for a in actions_of(env, steps):
        seen, reward, terminated, truncated, info = env.step(a)
        out += [flat(seen), np.float64(reward).tobytes(), bytes([terminated, truncated, info["success"]])]
        if terminated or truncated:
            out.append(flat(env.reset()[0]))
    return b"".join(out)


@pytest.mark.parametrize("name", [n for n in ENVIRONMENTS if "Forest" not in n])
def test_gymnasiums_checker_finds_nothing(name):
    env = gymnasium.make(f"volery.learn:{name}", render_mode="rgb_array", disable_env_checker=True, picture=(32, 24))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.reset(seed=1)
    assert env.render().shape == (24, 32, 3)
    assert env.unwrapped.metadata["render_fps"] == round(
        1.0 / (0.05 if "Dock" in name else 0.1 if "Rover" in name else 0.02)
    )


def test_gymnasiums_checker_finds_nothing_in_a_forest():
    env = gymnasium.make(
        "volery.learn:volery/ForestNavigation-v0", disable_env_checker=True, patch=20.0, distance=(8, 20)
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=True)
    seen, _ = env.reset(seed=1)
    assert seen["depth"].shape == (64, 64) and 0.3 < seen["depth"].min() < seen["depth"].max() == 20.0


@pytest.mark.parametrize("task", QUICK)
def test_same_seed_same_bytes(task):
    first, second = (DroneEnv(task=task, **QUICK[task]) for _ in range(2))
    bytes_of = played(first)
    assert played(second) == bytes_of
    assert played(first) == bytes_of
    assert played(first, seed=8) != bytes_of


@pytest.mark.parametrize("task", QUICK)
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_vector_is_what_gymnasium_makes_of_single_ones(task, mode):
    """Bit for bit, through episodes that end, in all modes."""
    settings = {**QUICK[task], "seconds": 0.5 if task != "navigation" else 1.5}
    ours = DroneVectorEnv(5, task=task, autoreset_mode=mode, **settings)
    theirs = SyncVectorEnv([lambda: DroneEnv(task=task, **settings)] * 5, autoreset_mode=mode)
    a, b = ours.reset(seed=11), theirs.reset(seed=11)
    assert flat(a[0]) == flat(b[0])
    ends = 0
    for action in actions_of(ours, 60):
        a, b = ours.step(action), theirs.step(action)
        for k in range(4):
            assert flat(a[k]) == flat(b[k]), k
        ended = a[2] | a[3]
        assert np.array_equal(a[4]["success"], b[4]["success"])
        ends += int(ended.sum())
        if mode is AutoresetMode.SAME_STEP and ended.any():
            assert np.array_equal(a[4]["_final_obs"], b[4]["_final_obs"])
            for i in np.flatnonzero(ended):
                assert flat(a[4]["final_obs"][i]) == flat(b[4]["final_obs"][i])
        if mode is AutoresetMode.DISABLED and ended.any():
            a, b = (env.reset(options={"reset_mask": ended}) for env in (ours, theirs))
            assert flat(a[0]) == flat(b[0])
    assert ends >= 5


@pytest.mark.parametrize("task", ("hover", "navigation"))
def test_threads_change_nothing(task):
    most, found = threads(), set()
    try:
        for number in {1, most}:
            set_threads(number)
            env = DroneVectorEnv(400 if task == "hover" else 9, task=task, **QUICK[task])
            out = [flat(env.reset(seed=2)[0])]
            out += [flat(env.step(a)[0]) for a in actions_of(env, 12)]
            found.add(b"".join(out))
    finally:
        set_threads(most)
    assert len(found) == 1


def test_registered_vectors_are_ours():
    env = gymnasium.make_vec("volery/Hover-v0", num_envs=3, vectorization_mode="vector_entry_point", seconds=2.0)
    assert isinstance(env.unwrapped, DroneVectorEnv) and env.unwrapped.episodes.config.steps == 100


def test_drones_of_different_episodes_pass_through_each_other():
    env = DroneVectorEnv(2, task="gates")
    env.reset(seed=1)
    flock = env.episodes.task.flock
    for row, (x, v) in enumerate([(-1.0, 2.0), (1.0, -2.0)]):
        flock.place(row, np.array([x, 30.0, 8.0]), np.array([1.0, 0, 0, 0]), np.array([v, 0.0, 0.0]), np.zeros(3))
    flock.look()
    for _ in range(60):
        env.episodes.task.actions.tell(flock.batch, np.zeros((2, 4)))
        flock.advance()
        assert not flock.touched.any()
    assert flock.p_WB[0, 0] > 0.5 and flock.p_WB[1, 0] < -0.5


# What drones see


@pytest.fixture(scope="module")
def seeing():
    env = DroneVectorEnv(4, task="navigation", **QUICK["navigation"])
    env.reset(seed=5)
    env.step(actions_of(env, 1)[0])
    return env.episodes.task.flock


def test_depth_is_what_a_camera_of_a_robot_sees(seeing):
    sight = depth_camera(seeing, (40, 30), 80.0, 12.0)
    found = sight.measure(np.array([2, 0]))
    for k, row in enumerate((2, 0)):
        eye = Robot("eye", load_robot_file("probe").description())
        eye.set_pose(seeing.p_WB[row], seeing.q_WB_wxyz[row])
        eye.update()
        config = CameraConfig(outputs=("depth_planar",), width=40, height=30, fov_deg=80.0)
        camera = Camera("eye", config, eye, seeing.environment, generator(0, "eye"))
        wanted = np.minimum(camera.sense(0)["depth_planar"], 12.0)
        assert (wanted < 12.0).mean() > 0.1
        assert found[k] == pytest.approx(wanted, abs=1e-4)


def test_lidar_is_what_rays_find(seeing):
    sight = lidar(seeing, 3, 20, 15.0)
    found = sight.measure(np.arange(4))
    assert found.shape == (4, 3, 20)
    for row in range(4):
        azimuth = np.radians(np.arange(20) * 18.0 - 180.0)
        level = np.stack([np.cos(azimuth), np.sin(azimuth), 0 * azimuth], axis=1)
        hits = seeing.scene.cast(seeing.p_WB[row], level @ seeing.R_WB[row].T, max_range=15.0)
        assert found[row, 1] == pytest.approx(np.minimum(hits.distance, 15.0), abs=1e-4)


# Actions


def same(a, b):
    """Whether two rows of a table are, but for rounding."""
    for name in a.dtype.names:
        assert a[name] == pytest.approx(b[name], abs=1e-12), name


def test_an_action_is_the_command_of_its_kind():
    """As the autopilot is told by Rates and BodyVelocity through a simulation."""
    env = DroneEnv(task="hover")
    env.reset(seed=1)
    task, batch = env.episodes.task, env.episodes.task.flock.batch
    task.actions.tell(batch, np.array([[0.5, 0.2, -0.4, 1.0]]))
    told = batch.reference[0].copy()
    p = batch.parameters[0]
    share = 1.5 * p["mass"] * p["gravity"] / (p["lift"] * p["most_rpm"] ** 2)
    batch.tell(0, Rates([1.2, -2.4, 2.0], share))
    same(told, batch.reference[0])
    env = DroneEnv(task="hover", action={"kind": "velocity"})
    env.reset(seed=1)
    task, batch = env.episodes.task, env.episodes.task.flock.batch
    task.actions.tell(batch, np.array([[1.0, -1.0, 0.5, -1.0]]))
    told = batch.reference[0].copy()
    batch.tell(0, BodyVelocity([3.0, -3.0, 0.75], -1.5))
    same(told, batch.reference[0])


def test_motors_are_as_many_as_the_drone_has():
    env = DroneEnv(task="hover", robot="f550", action={"kind": "motors"})
    assert env.action_space.shape == (6,)
    env.reset(seed=1)
    low = env.step(np.full(6, -1.0))
    for _ in range(30):
        low = env.step(np.full(6, -1.0))
    assert low[0][2] > 0.3 and low[0][8] < -2.0  # fallen, falling


def test_a_drone_that_spins_wildly_has_lost():
    env = DroneVectorEnv(2, task="hover", action={"kind": "motors"}, seconds=100.0, room=100.0)
    env.reset(seed=1)
    env.episodes.task.flock.batch.state["w_B"][0] = [0.0, 0.0, 1e6]
    seen, reward, terminated, _, info = env.step(np.zeros((2, 4)))
    assert terminated.tolist() == [True, False] and not info["success"][0]
    assert np.isfinite(seen).all() and np.isfinite(reward).all()
    seen = env.step(np.zeros((2, 4)))[0]
    assert np.isfinite(seen).all() and not env.episodes.task.flock.wild.any()


def test_bad_actions_are_refused_and_nothing_moves():
    env = DroneVectorEnv(2, task="hover")
    with pytest.raises(SimulationError, match="reset"):
        env.step(np.zeros((2, 4)))
    env.reset(seed=1)
    before = env.episodes.task.flock.batch.state.tobytes()
    for bad in (np.full((2, 4), np.nan), np.zeros((2, 3)), np.zeros(4), np.full((2, 4), np.inf)):
        with pytest.raises(CommandError, match="nothing was done"):
            env.step(bad)
    assert env.episodes.task.flock.batch.state.tobytes() == before


def test_settings_are_checked():
    with pytest.raises(ScenarioError, match=r"secnds.*seconds"):
        DroneEnv(task="hover", secnds=3.0)
    with pytest.raises(ScenarioError, match="period"):
        DroneEnv(task="hover", period=-1.0)
    with pytest.raises(UnknownNameError, match="hover"):
        DroneEnv(task="hovr")
    with pytest.raises(SimulationError, match="num_envs"):
        DroneVectorEnv(0)
    env = DroneVectorEnv(2, task="hover")
    with pytest.raises(SimulationError, match="3 seeds for 2"):
        env.reset(seed=[1, 2, 3])


# Tasks


def to_goal(env, way_W, gain=1.0):
    """A velocity towards a goal, as an action of kind velocity."""
    flock, speed = env.episodes.task.flock, np.array(env.episodes.config.action.speed)
    yaw = flock.heading[0]
    c, s = np.cos(yaw), np.sin(yaw)
    v = gain * np.array([c * way_W[0] + s * way_W[1], c * way_W[1] - s * way_W[0], way_W[2]])
    return np.clip(np.append(v / speed, 0.0), -1.0, 1.0)


def through(way, ahead):
    """A way to a gate's middle becomes one to a place before it, and along its axis from there on."""
    along = float(way @ ahead)
    aside = way - along * ahead
    if np.linalg.norm(aside) > 0.3 and along < 2.0:
        return 2.0 * aside + (along - 2.0) * ahead
    return way - 2.0 * ahead if along > 2.5 else 2.0 * aside + 1.5 * ahead


def flown(env, seed, gain=1.0, aloft=0.0):
    """Return, and how an episode ended, of a pilot that flies straight to where it is to go."""
    env.reset(seed=seed)
    task, total = env.episodes.task, 0.0
    for steps in range(1, 10_000):
        way = task.goal(0) - task.flock.p_WB[0] + [0.0, 0.0, aloft]
        if hasattr(task, "ahead"):
            way = through(way, task.ahead[task.next[0]])
        _, reward, terminated, truncated, info = env.step(to_goal(env, way, gain))
        total += reward
        if terminated or truncated:
            return total, steps, terminated, info["success"]


def test_hovering_is_worth_its_steps_and_is_cut_off():
    env = DroneEnv(task="hover", action={"kind": "velocity"})
    total, steps, terminated, success = flown(env, 1)
    assert 400.0 < total < 500.0 and steps == 500 and not terminated and success


def test_falling_is_lost():
    env = DroneEnv(task="hover")
    env.reset(seed=1)
    for _ in range(200):
        seen, _, terminated, truncated, info = env.step(np.array([-1.0, 0.0, 0.0, 0.0]))
        if terminated:
            break
    assert 20 < env.episodes.steps[0] < 80 and not truncated and not info["success"] and np.linalg.norm(seen[:3]) > 3.0


def test_waypoints_can_be_flown():
    env = DroneEnv(task="waypoint", seconds=40.0, action={"kind": "velocity"})
    total, _, terminated, success = flown(env, 2, gain=1.5)
    assert terminated and success and total > 40.0


def test_gates_can_be_flown_through_and_must_be():
    env = DroneEnv(task="gates", seconds=60.0, action={"kind": "velocity"})
    total, _, terminated, success = flown(env, 1)
    assert terminated and success and env.episodes.task.passed[0] == 6 and total > 60.0
    total, _, terminated, success = flown(env, 1, aloft=0.86)
    assert terminated and not success and env.episodes.task.flock.touched[0], "it flew into the frame"
    total, _, terminated, success = flown(env, 1, aloft=2.5)
    assert terminated and not success and not env.episodes.task.flock.touched[0], "it flew over the gate"


def test_a_free_way_leads_to_the_goal_and_a_block_ends_it():
    env = DroneEnv(task="navigation", **QUICK["navigation"])
    ends = {
        (bool(e[2]), bool(e[3]), bool(env.episodes.task.flock.touched[0])): e for e in (flown(env, s) for s in range(8))
    }
    assert (True, True, False) in ends, "none came to its goal"
    reached = ends[True, True, False]
    assert 8.0 - 1.0 + 10.0 - 0.5 < reached[0] < 16.0 + 10.0
    task = env.episodes.task
    _, distance, _ = task.flock.scene.closest_point(task.places, max_distance=3.0)
    assert len(task.places) > 20 and distance.min() >= task.config.clear
    ground = task.flock.p_WB[0] * [1.0, 1.0, 0.0]
    env.reset(seed=1)
    for _ in range(100):
        _, reward, terminated, _, _ = env.step(np.array([0.0, 0.0, -1.0, 0.0]))
        if terminated:
            break
    assert terminated and task.flock.touched[0] and reward < -9.0 and ground[2] == 0.0


def test_pictures_show_the_drone_and_change_nothing():
    env, quiet = (DroneEnv(task="gates", render_mode=mode, picture=(96, 72)) for mode in ("rgb_array", None))
    env.reset(seed=1), quiet.reset(seed=1)
    assert quiet.render() is None
    pictures = []
    for a in actions_of(env, 15):
        pictures.append(env.render())
        one, two = env.step(0.2 * a), quiet.step(0.2 * a)
        assert flat(one[0]) == flat(two[0])
    assert pictures[0].shape == (72, 96, 3) and pictures[0].dtype == np.uint8
    assert not np.array_equal(pictures[0], pictures[-1])
    # The drone is in the middle, against the same picture without it
    env.episodes.task.flock.figure = Robot("probe", load_robot_file("probe").description())
    env.reset(seed=1)
    changed = (np.abs(env.render().astype(int) - pictures[0]).max(axis=2) > 20).nonzero()
    assert 30 < len(changed[0]) < 3000 and abs(changed[0].mean() - 36) < 12 and abs(changed[1].mean() - 48) < 8
