"""Every call of UEds's servers in both dialects, byte for byte, by a client written from the specification."""

import io
import socket
import struct
import threading

import numpy as np
import pytest
from PIL import Image

from ueds_rig import LIDAR, LIDAR_OLD, RGB, RGB_OLD, STEREO, STEREO_APART, Client, rays, served
from volery.errors import ScenarioError, SimulationError
from volery.protocols.ueds import drone_calls, game_calls


@pytest.fixture(scope="module")
def server():
    with served() as running:
        yield running


@pytest.fixture
def game(server):
    client = Client(server.door.port)
    yield client
    client.close()


@pytest.fixture
def drone(game):
    (port,) = game.ok(3).take("i")
    client = Client(port)
    client.port = port
    yield client
    client.close()
    game.ok(4, "i", port)


@pytest.fixture
def old(server):
    client = Client(server.door.thesis_port)
    yield client
    client.close()


@pytest.fixture
def old_drone(old):
    (port,) = old.ok(3).take("i")
    client = Client(port)
    client.port = port
    yield client
    client.close()
    old.ok(4, "i", port)


def picture(client, number, stamped=True, count=1):
    """Bytes of a camera's reply; the first may come too late and is then refused whole."""
    for _ in range(20):
        status, reply = client.call(number)
        found = [reply.bytes()[1] for _ in range(count)]
        stamp = reply.take("d")[0] if stamped else None
        reply.end()
        if status:
            return (*found, stamp) if stamped else found[0]
        assert all(not data for data in found) and not stamp
    raise AssertionError(f"{number} was always refused")


def size_of(data, kind="JPEG"):
    image = Image.open(io.BytesIO(data))
    assert image.format == kind
    return image.size


# Bytes


def test_bytes_are_those_of_the_specification(server, game):
    assert game.raw(bytes.fromhex("0100")).hex() == "010001"
    assert game.raw(bytes.fromhex("0900")).hex() == "0900010000000" + "00b000000"
    spawned = game.raw(bytes.fromhex("0300"))
    (port,) = struct.unpack("<i", spawned[3:])
    assert spawned[:3].hex() == "030001" and len(spawned) == 7
    assert game.raw(struct.pack("<Hi", 4, port)).hex() == "040001"
    assert game.raw(struct.pack("<Hi", 4, port)).hex() == "040000"


def test_replies_end_with_three_dollars(game):
    game.socket.sendall(b"\x01\x00")
    assert game.socket.recv(100) == bytes.fromhex("010001242424")


def test_every_number_of_the_specification_is_there():
    assert set(game_calls.modern((0, 11))) == set(range(1, 19))
    assert set(game_calls.modern((0, 13))) == set(range(1, 21))
    assert set(drone_calls.modern((0, 11))) == set(range(1, 25))
    assert set(game_calls.thesis()) == set(range(1, 8))
    assert set(drone_calls.thesis()) == {*range(1, 10), *range(16, 25)}


def test_a_failed_call_is_as_long_as_any_other(game, drone):
    status, reply = game.call(15, "3di", 0.0, 0.0, 300.0, 99, code=3)
    assert not status and reply.take("i") == (-1,)
    reply.end()
    status, reply = drone.call(3, "3d?", float("nan"), 0.0, 0.0, False)
    assert not status and reply.take("3d?3d") == (0.0, 0.0, 0.0, False, 0.0, 0.0, 0.0)
    reply.end()
    status, reply = drone.call(8, "6d?", 0.0, float("inf"), 0.0, 0.0, 0.0, 0.0, False)
    assert not status and len(reply.take("3d3d?3d")) == 10
    reply.end()


# The game mode of API 0.11


def test_drones_come_and_go(game):
    ports = [game.ok(3).take("i")[0] for _ in range(3)]
    reply = game.ok(2)
    count, data = reply.bytes(4)
    assert struct.unpack(f"<{count}i", data)[-3:] == tuple(ports)
    reply.end()
    for port in ports:
        Client(port).ok(1).end()
        game.ok(4, "i", port).end()
        with pytest.raises(OSError):
            Client(port)
    status, reply = game.call(4, "i", 1)
    reply.end()
    assert not status


def test_settings_of_the_game_mode(server, game):
    assert game.ok(5).take("H") == (2,)
    game.ok(6, "H", 1).end()
    assert game.ok(5).take("H") == (1,)
    assert not game.call(6, "H", 7)[0]
    game.ok(6, "H", 2)
    assert game.ok(7).take("f") == (1000.0,)
    first, second = game.ok(8).take("d")[0], game.ok(8).take("d")[0]
    assert 0.0 < first < second < first + 1.0
    game.ok(10, "i", 2).end()
    assert not game.call(10, "i", 6)[0]
    game.ok(18, "?", True).end()


def test_weather_and_daytime(server, game):
    for number in range(11):
        game.ok(16, "i", number).end()
    game.ok(16, "i", 2).end()
    assert server.simulation.environment.weather.fog > 0.3
    game.ok(16, "i", 0).end()
    assert server.simulation.environment.weather.fog == 0.0
    assert not game.call(16, "i", 11)[0]
    # The original puts the type of the weather into this reply.
    game.ok(17, "2i", 18, 30, code=16).end()
    sky = server.simulation.environment.sky.time(server.simulation.clock.now_ns)
    assert (sky.hour, sky.minute) == (18, 30)
    assert not game.call(17, "2i", 25, 0, code=16)[0]
    game.ok(17, "2i", 10, 0, code=16)


def test_drones_are_spawned_where_they_are_wanted(server, game):
    x, y, z = game.ok(14).take("3d")
    assert z == pytest.approx(92.12, abs=1e-3)
    for mesh in range(8):
        reply = game.ok(15, "3di", x + 100.0, y - 200.0, z + 300.0, mesh, code=3)
        (port,) = reply.take("i")
        reply.end()
        client = Client(port)
        assert client.ok(2).take("3d") == (x + 100.0, y - 200.0, z + 300.0)
        client.close()
        game.ok(4, "i", port)


# A drone of API 0.11


def test_moves(drone):
    drone.ok(1).end()
    reply = drone.ok(3, "3d?", 100.0, 200.0, 500.0, False)
    assert reply.take("3d?3d") == (100.0, 200.0, 500.0, False, 0.0, 0.0, 0.0)
    reply.end()
    assert drone.ok(2).take("3d") == (100.0, 200.0, 500.0)
    reply = drone.ok(7, "3d", 5.0, -40.0, 12.0)
    assert reply.take("3d?3d") == (5.0, -40.0, 12.0, False, 0.0, 0.0, 0.0)
    reply.end()
    assert drone.ok(6).take("3d") == (5.0, -40.0, 12.0)
    reply = drone.ok(8, "6d?", 0.0, 0.0, 400.0, 1.0, 2.0, 3.0, True)
    assert reply.take("6d?3d") == (0.0, 0.0, 400.0, 1.0, 2.0, 3.0, False, 0.0, 0.0, 0.0)
    reply.end()


def test_a_move_stops_at_the_ground(drone):
    drone.ok(3, "3d?", 0.0, 0.0, 500.0, False)
    x, y, z, hit, *impact = drone.ok(3, "3d?", 0.0, 0.0, -500.0, True).take("3d?3d")
    assert hit and (x, y) == (0.0, 0.0) and 5.0 < z < 40.0
    assert impact[2] == pytest.approx(0.0, abs=0.2)
    assert drone.ok(2).take("3d") == (x, y, z)
    # Along the ground and away from it is free, into it is not.
    assert not drone.ok(3, "3d?", 50.0, 0.0, z, True).take("3d?3d")[3]
    assert drone.ok(3, "3d?", 50.0, 0.0, z - 1.0, True).take("3d?3d")[3]
    assert not drone.ok(3, "3d?", 50.0, 0.0, 300.0, True).take("3d?3d")[3]
    # Whatever way it is turned on the ground, it can leave it.
    drone.ok(3, "3d?", 0.0, 0.0, -500.0, True)
    assert not drone.ok(8, "6d?", 100.0, 50.0, 300.0, 10.0, 20.0, 15.0, True).take("6d?3d")[6]
    # Without the check it goes through everything.
    assert drone.ok(3, "3d?", 0.0, 0.0, -500.0, False).take("3d?3d") == (0.0, 0.0, -500.0, False, 0.0, 0.0, 0.0)
    drone.ok(3, "3d?", 0.0, 0.0, 500.0, False)


def test_a_crash_is_latched_by_the_asynchronous_move_alone(server, drone):
    drone.ok(3, "3d?", 0.0, 0.0, 500.0, False)
    drone.ok(3, "3d?", 0.0, 0.0, -500.0, True)
    assert drone.ok(21).take("?") == (False,)
    drone.ok(20, "6d?", 0.0, 0.0, 500.0, 0.0, 30.0, 0.0, True).end()
    server.ask(lambda: None)
    assert drone.ok(2).take("3d") == (0.0, 0.0, 500.0) and drone.ok(6).take("3d")[1] == 30.0
    assert drone.ok(21).take("?") == (False,)
    drone.ok(20, "6d?", 0.0, 0.0, -500.0, 0.0, 0.0, 0.0, True)
    server.ask(lambda: None)
    assert drone.ok(21).take("?") == (True,)
    drone.ok(20, "6d?", 0.0, 0.0, 500.0, 0.0, 0.0, 0.0, True)
    server.ask(lambda: None)
    assert drone.ok(21).take("?") == (True,), "nothing clears it"


def test_of_many_asynchronous_moves_the_newest_is_made_and_seen_after_the_next_step(server, drone):
    for height in range(1000):
        drone.ok(20, "6d?", 0.0, 0.0, 500.0 + height, 0.0, 0.0, 0.0, False).end()
    server.ask(lambda: None)
    assert drone.ok(2).take("3d") == (0.0, 0.0, 1499.0)


def test_lidar_and_its_configuration(drone):
    told = drone.ok(10).take(LIDAR)
    assert told[2:6] == (1000.0, 256, 32, 10.0) and told[12:] == (180.0, 180.0, 52.0, 7.0, False)
    start, found = rays(drone.ok(9))
    assert start == (0.0, 0.0, 0.0) and len(found) == 8192
    setup = (False, True, 3000.0, 8, 4, 20.0, 10.0, -20.0, 30.0, 1.0, 2.0, 3.0, 90.0, 60.0, 30.0, 45.0, False)
    drone.ok(11, LIDAR, *setup).end()
    # The original keeps yaw and roll negated and tells them so.
    assert drone.ok(10).take(LIDAR) == (*setup[:9], 1.0, -2.0, -3.0, *setup[12:])
    start, found = rays(drone.ok(9))
    assert start == (10.0, -20.0, 30.0) and len(found) == 32
    for bad in ({3: 0}, {4: -1}, {3: 1 << 20, 4: 1 << 20}, {2: 0.0}, {6: float("nan")}):
        wrong = [bad.get(i, v) for i, v in enumerate(setup)]
        assert not drone.call(11, LIDAR, *wrong)[0]
    assert drone.ok(10).take(LIDAR)[3:5] == (8, 4), "a refused configuration changes nothing"


def test_labelled_and_material_lidar(drone):
    drone.ok(3, "3d?", 0.0, 0.0, 100.0, False)
    plain = rays(drone.ok(9))[1]
    labels = rays(drone.ok(19), tagged=True)[1]
    materials = rays(drone.ok(22), tagged=True)[1]
    assert [r[:4] for r in labels] == plain == [r[:4] for r in materials]
    down = [i for i, r in enumerate(plain) if r[0] > 0]
    assert down and {labels[i][4] for i in down} >= {1}, "the ground is 1"
    assert {r[4] for r in labels if r[0] < 0} == {0} and {r[4] for r in materials if r[0] < 0} == {-1}
    assert {materials[i][4] for i in down} >= {2}, "the ground of this world is like a road"


def test_livox_pattern_never_repeats(drone):
    setup = list(drone.ok(10).take(LIDAR))
    setup[3], setup[4], setup[16] = 100, 10, True
    drone.ok(11, LIDAR, *setup)
    first, second = (np.array(rays(drone.ok(9))[1])[:, 1:] for _ in range(2))
    assert len(first) == 1000 and not np.allclose(first, second)
    assert np.allclose(np.linalg.norm(first, axis=1), 1000.0, rtol=1e-5)


def test_rangefinder(drone):
    drone.ok(3, "3d?", 0.0, 0.0, 700.0, False)
    assert drone.ok(23).take("d")[0] == pytest.approx(690.0, abs=0.1)
    drone.ok(3, "3d?", 0.0, 0.0, 3500.0, False)
    assert drone.ok(23).take("d") == (-1.0,)


def test_camera_configurations(drone):
    assert drone.ok(12).take(RGB)[7:10] == (90.0, 640, 480)
    setup = (True, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 70.0, 64, 48, True, False, True, False, 0.5, 0.25)
    drone.ok(13, RGB, *setup).end()
    assert drone.ok(12).take(RGB) == setup
    stereo = (False, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 80.0, 32, 24, 0.3, True, False, True)
    drone.ok(15, STEREO, *stereo).end()
    assert drone.ok(14).take(STEREO) == stereo
    assert not drone.call(13, RGB, *setup[:8], 0, 48, *setup[10:])[0]
    assert not drone.call(13, RGB, *setup[:7], 180.0, *setup[8:])[0]
    assert drone.ok(16).take("?") == (False,)
    drone.ok(17, "?", True).end()
    assert drone.ok(16).take("?") == (True,)


def test_pictures(drone):
    setup = (False, *[0.0] * 6, 90.0, 64, 48, *[False] * 4, 0.0, 0.0)
    drone.ok(13, RGB, *setup)
    drone.ok(15, STEREO, False, *[0.0] * 6, 90.0, 32, 24, 0.2, False, False, False)
    first, stamp = picture(drone, 4)
    assert size_of(first) == (64, 48)
    assert picture(drone, 4)[1] >= stamp + 0.001
    left, right, _ = picture(drone, 5, count=2)
    assert size_of(left) == size_of(right) == (32, 24) and left != right
    seen, _ = picture(drone, 18)
    assert len(seen) == 64 * 48 * 3
    colours = {tuple(c) for c in np.frombuffer(seen, np.uint8).reshape(-1, 3)[:, ::-1].tolist()}
    assert (255, 255, 255) in colours and (153, 108, 6) in colours, "the sky is white, the ground has the colour of 1"


def test_depth_is_half_precision_centimetres(drone):
    drone.ok(13, RGB, False, 0.0, 0.0, 0.0, -90.0, 0.0, 0.0, 90.0, 16, 12, *[False] * 4, 0.0, 0.0)
    drone.ok(3, "3d?", 0.0, 0.0, 500.0, False)
    for _ in range(20):
        status, reply = drone.call(24)
        count, data = reply.bytes(2)
        reply.take("d")
        reply.end()
        if status:
            break
    assert count == 16 * 12
    assert np.frombuffer(data, "<f2").astype(float) == pytest.approx(np.full(192, 500.0), rel=2e-3)


# API 0.13


def test_api_0_13():
    with served(api="0.13") as server:
        game = Client(server.door.port)
        assert game.ok(9).take("2i") == (0, 13)
        name = b"t650"
        status, reply = game.call(15, f"3dQ{len(name)}s", 0.0, 0.0, 400.0, len(name), name, code=3)
        (port,) = reply.take("i")
        assert status
        assert not game.call(15, "3dQ3s", 0.0, 0.0, 400.0, 3, b"jet", code=3)[0]
        drone = Client(port)
        for number in (9, 19, 22):
            assert len(rays(drone.ok(number), tagged=number != 9, stamped=True)[1]) == 8192
        stereo = (False, *map(float, range(12)), 80.0, 32, 24, True, False, False)
        drone.ok(15, STEREO_APART, *stereo).end()
        assert drone.ok(14).take(STEREO_APART) == stereo
        yaml = b"objects:\n - {asset: Cube, position: [3, 1, 2], orientation: {yaw: 45}, scale: 2}\n - {asset: Cone}\n"
        reply = game.ok(19, f"Q{len(yaml)}s", len(yaml), yaml)
        count, ids = reply.bytes(4)
        assert count == 2 and reply.text() == ""
        one = struct.unpack("<2i", ids)[0]
        item = server.simulation.scene.objects[server.door.objects.name(one)]
        assert item.X_WO[0][:, 3] == pytest.approx([3.0, 1.0, 2.0])
        assert game.ok(20, "i", one).take("i") == (1,) and game.ok(20, "i", one).take("i") == (0,)
        assert game.ok(20, "i", -1).take("i") == (1,)
        bad = b"objects: [{asset: Cubus}]"
        reply = game.ok(19, f"Q{len(bad)}s", len(bad), bad)
        assert reply.bytes(4)[0] == 0 and "Cube" in reply.text()
        world = b"nowhere"
        assert not game.call(11, f"Q{len(world)}s", len(world), world)[0]


# The thesis's dialect


def test_the_game_mode_of_the_thesis(old):
    old.ok(1).end()
    assert old.ok(5).take("H") == (2,)
    old.ok(6, "H", 2).end()
    assert old.ok(7).take("f")[0] > 0
    status, reply = old.call(9)
    reply.end()
    assert not status, "it has no API version"


def test_dialects_know_their_own_drones(game, drone, old, old_drone):
    def ports(client):
        count, data = client.ok(2).bytes(4)
        return struct.unpack(f"<{count}i", data)

    assert drone.port in ports(game) and old_drone.port not in ports(game)
    assert ports(old) == (old_drone.port,)


def test_a_drone_of_the_thesis(server, old_drone):
    drone = old_drone
    drone.ok(1).end()
    assert drone.ok(3, "3d?", 100.0, 200.0, 500.0, False).take("3d?3d")[:3] == (100.0, 200.0, 500.0)
    assert drone.ok(2).take("3d") == (100.0, 200.0, 500.0)
    assert drone.ok(6, "3d", 1.0, 2.0, 3.0).take("3d?3d")[:3] == (1.0, 2.0, 3.0)
    assert drone.ok(5).take("3d") == (1.0, 2.0, 3.0)
    reply = drone.ok(7, "6d", 0.0, 0.0, -500.0, 0.0, 0.0, 0.0)
    assert reply.take("6d?3d")[6], "it always collides"
    reply.end()
    drone.ok(3, "3d?", 100.0, 200.0, 500.0, False)
    setup = (True, False, 2000.0, 16.0, 8.0, 10.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0, 360.0, 90.0)
    drone.ok(16, LIDAR_OLD, *setup).end()
    assert drone.ok(9).take(LIDAR_OLD) == setup
    start, found = rays(drone.ok(8))
    assert start == pytest.approx((100.0, 200.0, 510.0)) and len(found) == 128
    assert len(rays(drone.ok(23), tagged=True)[1]) == 128
    assert not drone.call(16, LIDAR_OLD, *setup[:3], 2.5, *setup[4:])[0]
    drone.ok(20, "?", True).end()
    assert drone.ok(19).take("?") == (True,)


def test_both_forms_of_the_camera_configuration(old_drone):
    drone = old_drone
    short = (True, 1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 80.0)
    drone.ok(18, RGB_OLD + "2i", *short, 64, 48).end()
    assert drone.ok(17).take(RGB_OLD + "2i") == (*short, 64, 48)
    drone.ok(18, RGB_OLD, *short[:-1], 70.0).end()
    assert drone.ok(17).take(RGB_OLD + "2i") == (*short[:-1], 70.0, 64, 48)
    for number in (4, 21, 22, 24):
        assert size_of(picture(drone, number, stamped=False)) == (64, 48)


# Settings


def test_rays_in_axes_of_the_world_for_the_oldest_clients():
    with served(thesis_rays="world", world="world: empty\nseed: 1\n") as server:
        game = Client(server.door.thesis_port)
        drone = Client(game.ok(3).take("i")[0])
        drone.ok(3, "3d?", 100.0, 200.0, 500.0, False)
        drone.ok(6, "3d", 0.0, 90.0, 0.0)
        drone.ok(16, LIDAR_OLD, True, False, 1000.0, 1.0, 1.0, 10.0, *[0.0] * 6, 0.0, 0.0)
        start, found = rays(drone.ok(8))
        assert start == pytest.approx((100.0, 200.0, 500.0))
        assert found[0][1:] == pytest.approx((0.0, 1000.0, 0.0), abs=1e-3), "clockwise: to the right"


def test_drones_may_carry_sensors_of_ours():
    lidar = {"type": "lidar", "lines": 4, "columns": 16, "rate": 10}
    with served(sensors={"lidar": lidar}, fps=0.0, thesis_port=None) as server:
        game = Client(server.door.port)
        game.ok(3)
        assert list(server.simulation.sensors["uav1"]) == ["lidar"] and server.door.thesis_port is None
        assert 0.0 <= game.ok(7).take("f")[0] < 1000.0
    with pytest.raises(ScenarioError, match=r"protocols\.ueds\.sensors"):
        served(sensors={"lidar": {"type": "ladar"}}).__enter__()


def test_without_collisions_nothing_stops_a_move():
    with served(collisions=False) as server:
        drone = Client(Client(server.door.port).ok(3).take("i")[0])
        assert drone.ok(3, "3d?", 0.0, 0.0, -500.0, True).take("3d?")[2:] == (-500.0, False)


def test_a_port_in_use_is_said_with_the_setting_that_changes_it():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        threads = threading.active_count()
        with pytest.raises(SimulationError, match="`thesis_port`"):
            served(thesis_port=taken.getsockname()[1]).__enter__()
        assert threading.active_count() <= threads
