"""MAVLink vehicles by pymavlink: streams, parameters, set-points, missions, fence, camera, gimbal, and bad bytes."""

import math
import random
import socket
import struct
import time

import numpy as np
import pytest

from mavlink_rig import WORLD, Flown, Station, a_peer, free_port, visits
from volery.cli import main
from volery.errors import BusError, ScenarioError
from volery.protocols.mavlink.door import Mavlink, MavlinkSettings
from volery.protocols.mavlink.frames import LONGEST, messages_of, split
from volery.scenario import read_scenario
from volery.sim import Simulation

from pymavlink.dialects.v20 import ardupilotmega as mav  # isort: skip

ARMED = 128
OFFBOARD = 6 << 16
PATIENT = {"DISARM_DELAY": 0}
EYE = WORLD.replace("sensors: {", "sensors: {eye: {type: camera, width: 32, height: 24, rate: 1, quality: plain}, ")
GROUND = """
world: empty
step: 0.01
robots:
  ugv1: {type: p3at, position: [0, 0, 0.3]}
"""
GLIDER = """
world: empty
step: 0.01
robots:
  elaha: {type: elaha, position: [0, 0, 200], sensors: {scanner: off}}
"""


def up(station, flown, height=5.0):
    """Arm and take off as ArduPilot's pilots do."""
    assert station.mode(4) == 0 and station.command(400, 1) == 0 and station.command(22, 0, 0, 0, 0, 0, 0, height) == 0
    flown.until(lambda: flown.vehicle.robot.p_WB[2] > height - 0.2)


def at(flown):
    return flown.ask(lambda: flown.vehicle.robot.p_WB.copy())


# Bytes


def some_frames():
    packer = mav.MAVLink(None, 255, 190)
    messages = [
        mav.MAVLink_heartbeat_message(6, 8, 0, 0, 4, 3),
        mav.MAVLink_command_long_message(1, 1, 400, 0, 1, 0, 0, 0, 0, 0, 0),
        mav.MAVLink_param_set_message(1, 1, b"WPNAV_SPEED", 500.0, 9),
        mav.MAVLink_mission_item_int_message(1, 1, 0, 6, 16, 0, 1, 0, 0, 0, 0, 1, 2, 3.0),
        mav.MAVLink_statustext_message(6, b"\xff\xfe"),
    ]
    return [bytes(m.pack(packer, force_mavlink1=old)) for m in messages for old in (False, True)]


def test_frames_are_read_one_by_one_and_together():
    frames = some_frames()
    assert [messages_of(f)[0].get_type() for f in frames[:2]] == ["HEARTBEAT", "HEARTBEAT"]
    assert len(messages_of(b"".join(frames))) == len(frames)
    with pytest.raises(BusError, match="longer"):
        split(bytes(LONGEST + 1))
    with pytest.raises(BusError, match="flags"):
        split(bytes([0xFD, 0, 4, 0, 0, 1, 1, 0, 0, 0, 0, 0]))


def test_no_bytes_break_the_decoder():
    chance, frames, read = random.Random(1), some_frames(), 0
    for _ in range(20_000):
        data = bytearray(chance.choice(frames) if chance.random() < 0.8 else chance.randbytes(chance.randrange(300)))
        for _ in range(chance.randrange(4)):
            if data:
                data[chance.randrange(len(data))] = chance.randrange(256)
        data = data[: chance.randrange(len(data) + 1)] if chance.random() < 0.2 else data
        try:
            read += len(messages_of(bytes(data)))
        except BusError:
            continue
    assert read > 1000


def test_messages_of_any_content_leave_the_loop_alone():
    """Every message that is understood, with random content and right checksums: NaN, wild numbers, wrong sizes."""
    flown = Flown(EYE, start=False, stations=())
    chance, vehicle = random.Random(2), flown.vehicle
    packer, peer = mav.MAVLink(None, 255, 190), a_peer(vehicle)
    wild = [0.0, -1.0, 1e30, math.nan, math.inf, -math.inf, 3.0]
    numbers = [m for m in mav.mavlink_map.values() if m.msgname in vehicle.inbox._handlers]
    assert len(numbers) > 20
    vehicle.arm(True, False)
    for turn in range(4000):
        kind = chance.choice(numbers)
        payload = bytearray(chance.randbytes(kind.unpacker.size))
        if chance.random() < 0.5 and len(payload) >= 16:
            struct.pack_into("<4f", payload, 0, *(chance.choice(wild) for _ in range(4)))
        [message] = messages_of(_framed(packer, kind, bytes(payload)))
        vehicle.inbox.take(message, peer)
        if turn % 4 == 0:
            flown.simulation.advance()
    assert np.isfinite(vehicle.robot.p_WB).all()
    flown.door.close()


def _framed(packer, kind, payload):
    message = mav.MAVLink_message(kind.id, kind.msgname)
    return bytes(message._pack(packer, kind.crc_extra, payload))


def test_strangers_get_nothing_and_a_flood_holds_up_nobody():
    with Flown(speed=1.0) as flown, Station(flown) as station:
        port = flown.vehicle.wire.port
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
            stranger.settimeout(1.5)
            stranger.sendto(b"hello", ("127.0.0.1", port))
            with pytest.raises(TimeoutError):
                stranger.recvfrom(100)
            for _ in range(20_000):
                stranger.sendto(b"\xfd" + bytes(60), ("127.0.0.1", port))
            assert station.command(520) == 0
            assert flown.vehicle.wire.refused > 100
            stranger.settimeout(0.3)
            with pytest.raises(TimeoutError):
                stranger.recvfrom(100)


# Streams, parameters


def test_messages_come_at_the_rates_that_were_asked_for():
    with Flown() as flown, Station(flown) as station:
        assert station.command(511, mav.MAVLINK_MSG_ID_ATTITUDE, 20_000) == 0
        assert station.command(511, mav.MAVLINK_MSG_ID_VFR_HUD, -1) == 0
        assert station.command(511, 60_000, 1000) == mav.MAV_RESULT_DENIED
        begin, since = flown.ask(lambda: flown.simulation.clock.now), len(station.seen)
        flown.until(lambda: flown.simulation.clock.now > begin + 4)
        stamps = [m.time_boot_ms for m in station.seen[since:] if m.get_type() == "ATTITUDE"]
        assert len(stamps) > 100 and set(np.diff(stamps)[5:100]) == {20}
        late = [m for m in station.seen[since + 50 :] if m.get_type() == "VFR_HUD"]
        assert not late
        station.mav.request_data_stream_send(1, 1, mav.MAV_DATA_STREAM_EXTRA1, 5, 1)
        since = len(station.seen)
        stamps = []
        station.wait("ATTITUDE", lambda m: stamps.append(m.time_boot_ms) or len(stamps) > 9, since=since)
        assert set(np.diff(stamps)[2:]) == {200}
        assert station.command(512, mav.MAVLINK_MSG_ID_AUTOPILOT_VERSION) == 0
        assert station.wait("AUTOPILOT_VERSION", since=0).capabilities & mav.MAV_PROTOCOL_CAPABILITY_MISSION_INT


def test_heartbeats_go_on_while_the_simulation_is_held():
    with Flown() as flown, Station(flown) as station:
        flown.loop.pause()
        time.sleep(0.3)
        for _ in range(2):
            beat = station.beat()
        assert beat.autopilot == mav.MAV_AUTOPILOT_ARDUPILOTMEGA and beat.type == mav.MAV_TYPE_QUADROTOR
        flown.loop.resume()


@pytest.mark.parametrize("autopilot", ["ardupilot", "px4"])
def test_parameters_are_listed_read_and_set(autopilot):
    speed, value, whole = ("WPNAV_SPEED", 300.0, "FENCE_ACTION") if autopilot == "ardupilot" else (
        "MPC_XY_CRUISE", 3.0, "GF_ACTION")  # fmt: skip
    with Flown(autopilot=autopilot) as flown, Station(flown) as station:
        station.mav.param_request_list_send(1, 1)
        count = len(flown.vehicle.parameters.names)
        seen = set()
        station.wait("PARAM_VALUE", lambda m: seen.add(m.param_index) or len(seen) == count, since=0)
        assert seen == set(range(count))
        since = len(station.seen)
        station.mav.param_set_send(1, 1, speed.encode(), value, mav.MAV_PARAM_TYPE_REAL32)
        station.wait("PARAM_VALUE", lambda m: m.param_id == speed and m.param_value == value, since=since)
        assert flown.vehicle.parameters["speed"] == 3.0 and flown.vehicle.speed == 3.0
        since = len(station.seen)
        station.mav.param_set_send(1, 1, speed.encode(), math.nan, mav.MAV_PARAM_TYPE_REAL32)
        station.wait("PARAM_VALUE", lambda m: m.param_id == speed and m.param_value == value, since=since)
        told = 3.0 if autopilot == "ardupilot" else struct.unpack("<f", struct.pack("<i", 3))[0]
        station.mav.param_set_send(1, 1, whole.encode(), told, mav.MAV_PARAM_TYPE_INT32)
        flown.until(lambda: flown.vehicle.parameters["fence_action"] == 3)


def test_a_wrong_parameter_of_the_settings_is_an_error():
    simulation = Simulation(read_scenario(WORLD))
    with pytest.raises(ScenarioError, match="WPNAV_SPEED"):
        Mavlink(simulation, None, MavlinkSettings(port=0, parameters={"WPNAV_SPED": 1.0}))


# Flight


def test_arming_is_refused_or_ended_where_it_must_be():
    with Flown(parameters={"DISARM_DELAY": 2}) as flown, Station(flown) as station:
        assert station.command(22, 0, 0, 0, 0, 0, 0, 5.0) == mav.MAV_RESULT_DENIED
        assert station.command(400, 1) == 0
        flown.until(lambda: not flown.vehicle.armed)
        up(station, flown)
        assert station.command(400, 0) == mav.MAV_RESULT_TEMPORARILY_REJECTED
        assert station.mode(77) == mav.MAV_RESULT_DENIED
        assert station.command(20) == 0
        flown.until(lambda: not flown.vehicle.armed)
        assert at(flown) == pytest.approx([0, 0, 0.1406], abs=0.1)


def test_guided_targets_in_all_frames():
    with Flown(parameters=PATIENT) as flown, Station(flown) as station:
        up(station, flown)
        place = mav.POSITION_TARGET_TYPEMASK_VX_IGNORE * 7 | 0x1C0 | 1024 | 2048

        def go(frame, x, y, z):
            station.mav.set_position_target_local_ned_send(0, 1, 1, frame, place, x, y, z, *[0] * 8)

        go(mav.MAV_FRAME_LOCAL_NED, 6.0, 3.0, -7.0)
        flown.until(lambda: np.linalg.norm(flown.vehicle.robot.p_WB - [3, 6, 7.14]) < 0.2)
        go(mav.MAV_FRAME_LOCAL_OFFSET_NED, 0.0, 5.0, 0.0)
        flown.until(lambda: np.linalg.norm(flown.vehicle.robot.p_WB - [8, 6, 7.14]) < 0.6)
        latitude, longitude, _ = flown.vehicle.earth.geodetic(np.array([0.0, 0.0, 0.0]))
        home = (round(latitude * 1e7), round(longitude * 1e7))
        station.mav.set_position_target_global_int_send(0, 1, 1, 6, place, *home, 4.0, *[0] * 8)
        flown.until(lambda: np.linalg.norm(flown.vehicle.robot.p_WB - [0, 0, 4.14]) < 0.2)
        assert station.command_int(192, -1, 1, x=home[0] + 500, y=home[1], z=6.0) == 0
        flown.until(lambda: abs(flown.vehicle.robot.p_WB[1] - 5.56) < 0.2)


def test_offboard_wants_set_points_and_ends_without_them():
    with Flown(autopilot="px4", speed=1.0, parameters={"COM_DISARM_PRFLT": 0}) as flown, Station(flown) as station:
        flown.ask(lambda: flown.simulation.place("uav1", [0, 0, 5], [1, 0, 0, 0]))
        assert station.command(400, 1) == 0
        assert station.mode(OFFBOARD) == mav.MAV_RESULT_DENIED
        velocity = 7 | 0x1C0 | 1024

        def tell():
            station.mav.set_position_target_local_ned_send(
                0, 1, 1, mav.MAV_FRAME_LOCAL_NED, velocity, 0, 0, 0, 2.0, 0, -0.5, 0, 0, 0, 0, 0
            )

        tell()
        assert station.mode(OFFBOARD) == 0
        end = time.monotonic() + 3.0
        while time.monotonic() < end:
            tell()
            time.sleep(0.05)
        assert flown.ask(lambda: flown.vehicle.robot.v_WB_W.copy()) == pytest.approx([0, 2.0, 0.5], abs=0.15)
        flown.until(lambda: flown.vehicle.mode == (4 << 16 | 3 << 24))
        flown.until(lambda: np.linalg.norm(flown.vehicle.robot.v_WB_W) < 0.1)


def test_attitudes_tilt_the_drone_and_move_it():
    with Flown(speed=1.0, parameters=PATIENT) as flown, Station(flown) as station:
        up(station, flown)
        before, pitch = at(flown), math.radians(-8.0)
        half, c, s = math.sqrt(0.5), math.cos(pitch / 2), math.sin(pitch / 2)
        q = [half * c, -half * s, half * s, half * c]
        end = time.monotonic() + 2.0
        while time.monotonic() < end:
            station.mav.set_attitude_target_send(0, 1, 1, 7, q, 0, 0, 0, 0.5)
            time.sleep(0.05)
        moved = at(flown) - before
        # Nose to the east and down: it goes east, and 0.5 of thrust keeps its height.
        assert moved[0] > 0.8 and abs(moved[1]) < 0.2 and abs(moved[2]) < 0.5


def upload(station, items, kind=0, old=False):
    """Send a plan as stations do, each item when it is asked for."""
    since = len(station.seen)
    station.mav.mission_count_send(1, 1, len(items), kind)
    for n, (frame, command, params, x, y, z) in enumerate(items):
        asked = ("MISSION_REQUEST", "MISSION_REQUEST_INT")
        end = time.monotonic() + 30
        while not any(m.get_type() in asked and m.seq == n for m in station.seen[since:]):
            assert time.monotonic() < end
            time.sleep(0.005)
        if old:
            station.mav.mission_item_send(1, 1, n, frame, command, 0, 1, *params, x, y, z, kind)
        else:
            whole = (round(x * 1e7), round(y * 1e7))
            station.mav.mission_item_int_send(1, 1, n, frame, command, 0, 1, *params, *whole, z, kind)
    return station.wait("MISSION_ACK", since=since).type


def waypoint(flown, x, y, z, command=16):
    latitude, longitude, _ = flown.vehicle.earth.geodetic(np.array([x, y, 0.0]))
    return (3, command, (0, 0, 0, 0), latitude, longitude, z)


@pytest.mark.parametrize("old", [False, True])
def test_a_mission_is_kept_read_back_flown_and_cleared(old):
    with Flown(autopilot="px4", parameters={"COM_DISARM_PRFLT": 0}) as flown, Station(flown) as station:
        items = [
            waypoint(flown, 8, 0, 4),
            (2, 178, (0, 3, -1, 0), 0, 0, 0),
            waypoint(flown, 8, 8, 4),
            (2, 20, (0,) * 4, 0, 0, 0),
        ]
        assert upload(station, items, old=old) == mav.MAV_MISSION_ACCEPTED
        assert upload(station, [(3, 31_000, (0,) * 4, 0, 0, 0)]) == mav.MAV_MISSION_UNSUPPORTED
        since = len(station.seen)
        station.mav.mission_request_list_send(1, 1, 0)
        assert station.wait("MISSION_COUNT", since=since).count == 4
        station.mav.mission_request_int_send(1, 1, 2, 0)
        back = station.wait("MISSION_ITEM_INT", since=since)
        assert (back.x, back.z) == (pytest.approx(items[2][3] * 1e7, abs=25 if old else 0.6), 4.0)
        assert station.command(300) == 0
        flown.until(lambda: not flown.vehicle.armed, 120)
        visits(flown.path(), [np.array([0, 0, 3.9]), np.array([8, 0, 4.14]), np.array([8, 8, 4.14])], 1.1)
        assert flown.path()[:, 2].max() > 14.0, "it returns at a safe height"
        assert at(flown) == pytest.approx([0, 0, 0.1406], abs=0.5)
        since = len(station.seen)
        station.mav.mission_clear_all_send(1, 1, 0)
        station.wait("MISSION_ACK", since=since)
        flown.until(lambda: not flown.vehicle.plans.mission)


def test_a_fence_turns_the_drone_back_and_refuses_targets():
    parameters = {"DISARM_DELAY": 0, "FENCE_ACTION": 4, "FENCE_ALT_MAX": 50}
    with Flown(parameters=parameters) as flown, Station(flown) as station:
        corners = [(-10, -10), (10, -10), (10, 10), (-10, 10)]
        places = [waypoint(flown, x, y, 0) for x, y in corners]
        items = [(0, 5001, (4, 0, 0, 0), p[3], p[4], 0) for p in places]
        assert upload(station, items, kind=1) == mav.MAV_MISSION_ACCEPTED
        assert station.command(207, 1) == 0
        up(station, flown)
        out = waypoint(flown, 0, 30, 5)
        to = {"x": round(out[3] * 1e7), "y": round(out[4] * 1e7), "z": 5.0}
        assert station.command_int(192, -1, 1, **to) == mav.MAV_RESULT_DENIED
        flown.until(lambda: not flown.vehicle.fence.breached)
        while not flown.vehicle.fence.count:
            station.mav.set_position_target_local_ned_send(0, 1, 1, 1, 7 | 0x1C0 | 1024 | 2048, 0, 0, 0, 4.0, *[0] * 7)
            time.sleep(0.05)
        flown.until(lambda: flown.vehicle.mode == 5)
        assert station.wait("FENCE_STATUS", lambda m: m.breach_status, since=0).breach_type == mav.FENCE_BREACH_BOUNDARY
        flown.until(lambda: np.linalg.norm(flown.vehicle.robot.v_WB_W) < 0.1)
        assert 9.0 < at(flown)[1] < 16.0, "it brakes where it was told of the fence, 10 m away"


def test_pictures_and_the_gimbal(tmp_path):
    with Flown(EYE, pictures=str(tmp_path), parameters=PATIENT) as flown, Station(flown) as station:
        station.wait("HEARTBEAT", lambda m: m.get_srcComponent() == 100 and m.type == mav.MAV_TYPE_CAMERA)
        assert station.command(2000, 0, 0.5, 3, to=100) == 0
        shots = set()
        station.wait("CAMERA_IMAGE_CAPTURED", lambda m: shots.add(m.image_index) or len(shots) == 3, since=0)
        wanted = [f"uav1_{n:05d}.jpg" for n in range(3)]
        until = time.monotonic() + 20.0
        while sorted(p.name for p in tmp_path.iterdir()) != wanted:
            assert time.monotonic() < until, "pictures are drawn and written in the background"
            time.sleep(0.05)
        assert station.command(205, -45.0, 0, 30.0, 0, 0, 0, 2) == 0
        eye = flown.simulation.sensors["uav1"]["eye"]
        flown.until(lambda: abs(eye.pan_tilt_deg[0] + 30) + abs(eye.pan_tilt_deg[1] + 45) < 0.5)
        status = station.wait("MOUNT_STATUS", lambda m: m.pointing_a != 0)
        assert (status.pointing_a, status.pointing_c) == (-4500, 3000)
        p = waypoint(flown, 0, 100, 0)
        assert station.command_int(195, x=round(p[3] * 1e7), y=round(p[4] * 1e7), z=0.0) == 0
        # The nose looks east, so what lies north is to the left.
        flown.until(lambda: abs(eye.pan_tilt_deg[0] - 90) < 1 and abs(eye.pan_tilt_deg[1]) < 1)


# Others that move


def test_a_rover_drives_a_mission():
    with Flown(GROUND) as flown, Station(flown) as station:
        assert station.beat().type == mav.MAV_TYPE_GROUND_ROVER
        home = waypoint(flown, 0, 0, 0)
        assert upload(station, [home, waypoint(flown, 4, 0, 0), waypoint(flown, 4, 4, 0)]) == mav.MAV_MISSION_ACCEPTED
        assert station.command(22, 0, 0, 0, 0, 0, 0, 5) == mav.MAV_RESULT_UNSUPPORTED
        assert station.command(400, 1) == 0 and station.mode(10) == 0
        flown.until(lambda: flown.vehicle.mission.complete, 120)
        path = flown.path("ugv1") * [1, 1, 0]
        visits(path, [np.array([4.0, 0, 0]), np.array([4.0, 4.0, 0])], 0.6)


def test_a_fixed_wing_goes_where_it_is_guided():
    with Flown(GLIDER, speed=10.0) as flown, Station(flown) as station:
        beat = station.beat()
        assert beat.type == mav.MAV_TYPE_FIXED_WING and beat.base_mode & ARMED
        assert station.mode(15) == 0
        to = waypoint(flown, 200, 250, 0)
        assert station.command_int(192, -1, 1, x=round(to[3] * 1e7), y=round(to[4] * 1e7), z=15.0) == 0
        flown.until(lambda: math.dist(flown.vehicle.robot.p_WB[:2], (200, 250)) < 95, 120)


def test_vehicles_come_go_and_survive_a_reset():
    with Flown(parameters=PATIENT) as flown, Station(flown) as station:
        up(station, flown)
        flown.ask(flown.simulation.reset)
        station.beat(lambda m: not m.base_mode & ARMED)
        assert station.mode(4) == 0
        flown.ask(lambda: flown.simulation.spawn("uav2", {"type": "x500", "position": [5, 0, 1]}))
        station.system = 2
        assert station.beat().type == 2
        flown.ask(lambda: flown.simulation.remove("uav2"))
        flown.until(lambda: "uav2" not in flown.door.vehicles)


def test_the_command_line_opens_the_door(capsys, caplog):
    run = ["run", "blocks", "--headless", "--no-bus", "--speed", "max", "--duration", "0.05", "--mavlink"]
    assert main([*run, "127.0.0.1:no"]) == 1
    assert "must be HOST:PORT of a ground station" in capsys.readouterr().err
    with caplog.at_level("INFO", "volery"):
        assert main([*run, f"127.0.0.1:{free_port()}"]) == 0
    assert "as ardupilot; telling 127.0.0.1:" in caplog.text
