"""Motion capture: frames on the wire as an independent NatNet client reads them, and what a room does to them."""

import socket
import struct
import time

import natnet
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from natnet.data_frame import DataFrame
from natnet.packet_buffer import PacketBuffer
from natnet.version import Version as Theirs

from bus_rig import eventually
from volery.core.frames import matrix_from_quat, quat_from_euler, quat_rotate
from volery.errors import BusError, ScenarioError, SimulationError, UnknownNameError
from volery.protocols.mocap import codec
from volery.protocols.mocap.door import Mocap, MocapSettings
from volery.protocols.mocap.tracking import fit
from volery.scenario import read_scenario
from volery.sensors.position import MotionCaptureConfig
from volery.sim import Simulation

SCENE = """
world: {type: empty}
robots:
  uav1: {type: probe, position: [1, 2, 3], attitude_deg: [10, 20, 30], sensors: {scanner: off}}
  uav2: {type: probe, position: [-4, 5, 6], attitude_deg: [0, 0, -90], sensors: {scanner: off}}
"""


@pytest.fixture
def room():
    """Doors of one simulation; closed in the end."""
    simulation, doors = Simulation(read_scenario(SCENE)), []

    def open_door(**settings):
        doors.append(Mocap(simulation, None, MocapSettings(port=0, **settings)))
        doors[-1].start()
        return simulation, doors[-1]

    yield open_door
    for door in doors:
        door.close()


class Guest:
    """The independent client, with what it was told."""

    def __init__(self, door, multicast=False):
        settings = door.settings
        self.client = natnet.NatNetClient(
            "127.0.0.1", "127.0.0.1", settings.multicast or "239.255.42.99", door.port, settings.data_port, multicast
        )
        self.frames, self.models = [], []
        self.client.on_data_frame_received_event.handlers.append(self.frames.append)
        self.client.on_data_description_received_event.handlers.append(self.models.append)
        self.client.connect()

    def listen(self, count):
        end = time.monotonic() + 20
        while len(self.frames) < count and time.monotonic() < end:
            self.client.update_sync()
        return self.frames


def expected(simulation, name, up):
    robot = simulation.robots[name]
    p, q = robot.p_WB, robot.q_WB_wxyz
    if up == "z":
        return p, matrix_from_quat(q)
    A = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
    return A @ p, A @ matrix_from_quat(q) @ A.T


def attitude(rot):
    x, y, z, w = rot
    return matrix_from_quat(np.array([w, x, y, z]))


@pytest.mark.parametrize("version", ["3.1", "4.0", "4.1"])
@pytest.mark.parametrize("up", ["y", "z"])
def test_an_independent_client_hears_a_hundred_frames_a_second(room, version, up):
    simulation, door = room(version=version, up=up)
    guest = Guest(door)
    try:
        info = guest.client.server_info
        assert info.application_name == "Motive"
        assert str(info.nat_net_protocol_version) == f"{version}.0.0"
        guest.client.request_modeldef()
        for _ in range(10):
            # In portions: the kernel drops what nobody has read.
            simulation.run(10)
            guest.listen(len(guest.frames) + 1)
        frames = guest.listen(100)
        assert len(frames) == 100, "one second at 100 Hz"
        assert [f.prefix.frame_number for f in frames] == list(range(1, 101))
        assert np.diff([f.suffix.timestamp for f in frames]) == pytest.approx(0.01)
        assert frames[-1].suffix.stamp_camera_mid_exposure == simulation.clock.now_ns
        for body, name in zip(frames[-1].rigid_bodies, ("uav1", "uav2"), strict=True):
            p, R = expected(simulation, name, up)
            assert body.tracking_valid and body.pos == pytest.approx(p, abs=1e-6)
            assert attitude(body.rot) == pytest.approx(R, abs=1e-6)
        assert {m.model_id for m in frames[-1].labeled_markers} == {1, 2}
        assert [s.model_name for s in frames[-1].marker_sets] == ["uav1", "uav2"]
        described = guest.models[0].rigid_bodies
        assert [(b.name, b.id_num) for b in described] == [("uav1", 1), ("uav2", 2)]
        assert np.array([m.pos for m in described[0].markers]) == pytest.approx(np.array(door.settings.markers))
    finally:
        guest.client.shutdown()


def test_multicast_reaches_all_that_listen(room):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    simulation, door = room(multicast="239.255.42.99", data_port=port, bodies=("uav2",))
    guests = [Guest(door, multicast=True), Guest(door, multicast=True)]
    try:
        for _ in range(5):
            simulation.run(4)
            for guest in guests:
                guest.listen(len(guest.frames) + 1)
        assert [len(g.listen(20)) for g in guests] == [20, 20]
        assert [b.id_num for b in guests[0].frames[0].rigid_bodies] == [1]
    finally:
        for guest in guests:
            guest.client.shutdown()


def test_a_client_may_ask_for_another_version_and_for_settings(room):
    simulation, door = room(version="4.0", sensor=MotionCaptureConfig(rate=50.0))
    me = ("127.0.0.1", 9)

    def ask(words):
        return door.answer(struct.pack("<HH", 2, len(words) + 1) + words.encode() + b"\0", me)

    door.answer(struct.pack("<HH", 0, 0), me)
    assert struct.unpack("<HHf", ask("FrameRate")) == (3, 4, 50.0)
    assert struct.unpack("<HHf", ask("UnitsToMillimeters")) == (3, 4, 1000.0)
    assert struct.unpack("<HHi", ask("UpAxis"))[2] == 1
    assert ask("Bitstream")[4:] == b"4.0\0"
    assert struct.unpack("<HHi", ask("Bitstream,3.1"))[2] == 0
    assert struct.unpack("<HHi", ask("Bitstream,9.9"))[2] == 1
    assert door.answer(struct.pack("<HH", 0, 0), me)[4 + 260 : 4 + 262] == bytes([3, 1])
    assert ask("MakeCoffee")[:2] == struct.pack("<H", 100)
    assert door.answer(struct.pack("<HH", 6, 0), me) is None, "no frame yet"
    simulation.run(4)
    last = door.answer(struct.pack("<HH", 6, 0), me)
    assert len(last) - 4 == struct.unpack_from("<HH", last)[1]
    door.answer(struct.pack("<HH", 9, 0), me)
    assert me not in door._sources


# What a room does


def heard(door, simulation, steps):
    """Frames as their client decodes them, without a socket between."""
    sent = []
    door._addresses = lambda: [((4, 0), "here")]

    class Wire:
        def send(self, data, _to):
            buffer = PacketBuffer(data)
            buffer.pointer = 4
            sent.append((simulation.clock.now_ns, DataFrame.read_from_buffer(buffer, Theirs(4, 0))))

    own, door._datagrams = door._datagrams, Wire()
    simulation.run(steps)
    door._datagrams = own
    return sent


def test_frames_come_late_by_the_sensors_delay_and_some_are_lost(room):
    simulation, door = room(sensor=MotionCaptureConfig(rate=100.0, delay=0.03, drop=0.2))
    sent = heard(door, simulation, 400)
    late = {now - frame.suffix.stamp_camera_mid_exposure for now, frame in sent}
    assert late == {30_000_000}
    valid = np.array([[b.tracking_valid for b in f.rigid_bodies] for _, f in sent])
    # Frames in which both were lost are not sent at all.
    share = valid.sum() / (2 * 397)
    assert share == pytest.approx(0.8, abs=0.06)
    assert sent[0][1].suffix.tracked_models_changed and not sent[-1][1].suffix.tracked_models_changed


def test_a_body_beyond_all_numbers_is_not_seen_and_ends_nothing(room):
    simulation, door = room()
    simulation.robots["uav1"].set_pose(np.array([1e300, 0.0, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]))
    sent = heard(door, simulation, 5)
    assert [[b.tracking_valid for b in f.rigid_bodies] for _, f in sent] == [[False, True]] * 5
    with pytest.raises(SimulationError, match="too far"):
        simulation.place("uav2", np.array([0.0, 1e30, 0.0]), np.array([1.0, 0.0, 0.0, 0.0]))


def test_markers_blur_the_pose_as_much_as_their_noise_says(room):
    blur = 0.001
    simulation, door = room(marker_noise=blur, up="z")
    sent = heard(door, simulation, 800)
    p, R = expected(simulation, "uav1", "z")
    markers = np.array(door.settings.markers)
    seen = np.array([[m.pos for m in f.labeled_markers if m.model_id == 1] for _, f in sent])
    assert (seen - (markers @ R.T + p)).std() == pytest.approx(blur, rel=0.05)
    places = np.array([f.rigid_bodies[0].pos for _, f in sent])
    # The middle of the markers is known to blur/√m; the pivot lies off it, so its error is a little larger.
    middle = np.array([f.rigid_bodies[0].pos + attitude(f.rigid_bodies[0].rot) @ markers.mean(axis=0) for _, f in sent])
    assert (middle - middle.mean(axis=0)).std() == pytest.approx(blur / 2, rel=0.08)
    assert blur / 2 < (places - p).std() < 3 * blur
    errors = np.array([f.rigid_bodies[0].marker_error for _, f in sent])
    assert 0.3 * blur < errors.mean() < 1.5 * blur


def test_the_same_seed_gives_the_same_frames():
    def run():
        simulation = Simulation(read_scenario(SCENE))
        door = Mocap(simulation, None, MocapSettings(port=0, marker_noise=0.001, sensor=MotionCaptureConfig(drop=0.3)))
        door.start()
        try:
            return [frame for _, frame in heard(door, simulation, 30)]
        finally:
            door.close()

    assert run() == run()


def test_a_wall_hides_a_body_from_the_cameras(room):
    simulation, door = room(
        sensor=MotionCaptureConfig(cameras=((10.0, 2.0, 3.0), (9.0, 2.0, 3.0)), needed=2, high=(5.0, 5.5, 9.0))
    )
    simulation.place("uav2", np.array([0.0, 9.0, 5.0]), np.array([1.0, 0, 0, 0]))
    _, frame = heard(door, simulation, 1)[0]
    assert [b.tracking_valid for b in frame.rigid_bodies] == [True, False], "the second has left the room"
    assert [m.model_id for m in frame.labeled_markers] == [1] * 4


def test_robots_come_and_go(room):
    simulation, door = room()
    simulation.remove("uav1")
    simulation.spawn("late", {"type": "probe", "position": [0, 0, 2], "sensors": {"scanner": False}})
    _, frame = heard(door, simulation, 1)[0]
    assert [b.id_num for b in frame.rigid_bodies] == [2, 3] and frame.suffix.tracked_models_changed
    simulation.reset()
    _, frame = heard(door, simulation, 1)[0]
    assert [b.id_num for b in frame.rigid_bodies] == [1, 2]


# The fit, the axes, and bad input


@given(st.lists(st.floats(-3, 3), min_size=6, max_size=6))
def test_the_fit_finds_any_rigid_motion(numbers):
    markers = np.array(MocapSettings.markers)
    q = quat_from_euler(np.array(numbers[:3]))
    p = np.array(numbers[3:])
    found_p, found_q, error = fit(markers, markers @ matrix_from_quat(q).T + p)
    assert found_p == pytest.approx(p, abs=1e-9) and error < 1e-9
    assert matrix_from_quat(found_q) == pytest.approx(matrix_from_quat(q), abs=1e-9)


@given(st.lists(st.floats(-3, 3), min_size=9, max_size=9))
def test_axes_turn_places_and_attitudes_alike(numbers):
    p, v, q = np.array(numbers[:3]), np.array(numbers[3:6]), quat_from_euler(np.array(numbers[6:]))
    there, turned = codec.to_axes(p + quat_rotate(q, v), q, "y")
    base, _ = codec.to_axes(p, q, "y")
    inner, _ = codec.to_axes(v, q, "y")
    assert base + quat_rotate(turned, inner) == pytest.approx(there, abs=1e-9)


@given(st.binary(max_size=600) | st.builds(lambda k, n, b: struct.pack("<HH", k, n) + b, st.integers(0, 101),
                                           st.integers(0, 65535), st.binary(max_size=64)))  # fmt: skip
def test_any_bytes_are_a_request_or_refused(data):
    try:
        kind, words = codec.parse_request(data)
    except BusError:
        return
    assert kind in codec._KINDS and isinstance(words, str)


def test_garbage_leaves_the_server_standing(room):
    simulation, door = room()
    rng = np.random.default_rng(1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
        client.connect(("127.0.0.1", door.port))
        for n in range(1, 101):
            client.send(b"\xff" + rng.bytes(int(rng.integers(0, 300))))
            if n % 20 == 0:
                eventually(lambda n=n: door.refused == n)
    guest = Guest(door)
    try:
        simulation.run(2)
        assert len(guest.listen(2)) == 2
    finally:
        guest.client.shutdown()


def test_bad_settings_are_refused(room):
    with pytest.raises(ScenarioError, match="three markers"):
        MocapSettings(markers=((0, 0, 0), (0, 0, 1), (0, 0, 2)))
    with pytest.raises(ScenarioError, match="no multicast"):
        MocapSettings(multicast="10.0.0.1")
    with pytest.raises(UnknownNameError, match="uav1"):
        room(bodies=("uav11",))
    simulation, door = room()
    with pytest.raises(SimulationError, match="cannot be used"):
        Mocap(simulation, None, MocapSettings(port=door.port))
