"""API 0.14 as far as it is known: sensors by number, more of cameras, events, fisheyes, instances and objects."""

import io
import struct

import numpy as np
import pytest
from PIL import Image

from ueds_rig import Client, rays, served
from volery.protocols.ueds import drone_calls14, game_calls
from volery.protocols.ueds.configs14 import bent

LIDAR = "<??d2id3d3d4d?Q"
RGB = "<?3d3dd2i4?2d" + "?3d" + "9d?" + "?4d" + "?5d"
LONG = RGB + "?3d?d"
STEREO = "<?12dd2i3?" + "?4d" + "?5d"
PLAIN = (False, *[0.0] * 6, 90.0, 64, 48, *[False] * 4, 0.0, 0.0)
EXPOSURE, LENS = (False, 0.01, 100.0, 0.0), (2.8, 10.0, 24.0, 0.0, 0.0, 0.0, 0.0, 6500.0, 0.0, False)
NO_INTRINSICS, STRAIGHT = (False, *[0.0] * 4), (False, *[0.0] * 5)
LATER = (False, 0.0, 0.0, 0.0, False, 0.0)
CAMERA = (*PLAIN, *EXPOSURE, *LENS, *NO_INTRINSICS, *STRAIGHT, *LATER)


@pytest.fixture(scope="module")
def server():
    with served(api="0.14") as running:
        yield running


@pytest.fixture
def game(server):
    client = Client(server.door.port)
    yield client
    client.close()


@pytest.fixture
def drone(game):
    name = b"x500"
    (port,) = game.ok(15, "3dQ4s", 0.0, 0.0, 300.0, 4, name, code=3).take("i")
    client = Client(port)
    yield client
    client.close()
    game.ok(4, "i", port)


def numbers(reply):
    count, data = reply.bytes(4)
    return list(struct.unpack(f"<{count}i", data))


def seen(client, number, sensor=-1, more=""):
    """A picture's bytes, stamp and what follows; the first may be refused."""
    for _ in range(30):
        status, reply = client.call(number, "i", sensor)
        data = reply.bytes()[1]
        rest = reply.take("d" + more)
        reply.end()
        if status:
            return Image.open(io.BytesIO(data)), *rest
    raise AssertionError(f"{number} was always refused")


def told(client, sensor=-1):
    reply = client.ok(12, "i", sensor)
    values = reply.take(LONG)
    reply.end()
    return values


def test_every_number_is_there(game):
    assert game.ok(9).take("2i") == (0, 14)
    assert set(game_calls.modern((0, 14))) == set(range(1, 25))
    assert set(drone_calls14.table()) == set(range(1, 37))


def test_sensors_come_and_go(drone):
    reply = drone.ok(26)
    assert numbers(reply) == [] and numbers(reply) == []
    ids = [drone.ok(24, "i", kind).take("i")[0] for kind in range(8)]
    assert len(set(ids)) == 8
    reply = drone.ok(26)
    assert numbers(reply) == ids and numbers(reply) == list(range(8))
    reply.end()
    drone.ok(25, "i", ids[3]).end()
    assert ids[3] not in numbers(drone.ok(26))
    assert not drone.call(25, "i", ids[3])[0] and not drone.call(24, "i", 8)[0]
    assert not drone.call(9, "i", ids[3])[0], "its lidar is gone"
    assert not drone.call(4, "i", ids[1])[0], "a lidar takes no pictures"


def test_lidars_have_set_ups_of_their_own(drone):
    (second,) = drone.ok(24, "i", 1).take("i")
    setup = (True, False, 2000.0, 8, 4, 10.0, *[0.0] * 6, 90.0, 90.0, 30.0, 30.0, False, 0)
    drone.ok(11, "i" + LIDAR[1:], second, *setup).end()
    assert len(rays(drone.ok(9, "i", second), stamped=True)[1]) == 32
    assert len(rays(drone.ok(9, "i", -1), stamped=True)[1]) == 8192
    assert drone.ok(10, "i", second).take(LIDAR)[3:5] == (8, 4)
    assert len(rays(drone.ok(19, "i", second), tagged=True, stamped=True)[1]) == 32
    assert len(rays(drone.ok(22, "i", second), tagged=True, stamped=True)[1]) == 32
    livox = (*setup[:16], True, 4)
    drone.ok(11, "i" + LIDAR[1:] + "4s", second, *livox, b"avia").end()
    reply = drone.ok(10, "i", second)
    assert reply.take(LIDAR[:-1])[16] and reply.text() == "avia"
    ahead = np.array(rays(drone.ok(9, "i", second), stamped=True)[1])[:, 1]
    assert (ahead > 0).all(), "the Avia looks ahead"
    assert not drone.call(11, "i" + LIDAR[1:] + "4s", second, *livox, b"ivax")[0]
    assert drone.ok(23, "i", -1).take("d")[0] == pytest.approx(290.0, abs=0.1)


def test_both_forms_of_the_camera_configuration(drone):
    drone.ok(13, "i" + LONG[1:], -1, *CAMERA).end()
    focal = 32.0
    assert told(drone)[:30] == CAMERA[:30]
    assert told(drone)[30:35] == pytest.approx((False, focal, focal, 32.0, 24.0)), "intrinsics in effect"
    short = (*PLAIN[:7], 60.0, *PLAIN[8:], *EXPOSURE, *LENS, *NO_INTRINSICS, *STRAIGHT)
    drone.ok(13, "i" + RGB[1:], -1, *short).end()
    assert told(drone)[7] == 60.0 and told(drone)[41:] == LATER


def test_intrinsics_drive_the_field_of_view(drone):
    def camera(*intrinsics):
        return (*PLAIN, *EXPOSURE, *LENS, True, *intrinsics, *STRAIGHT, *LATER)

    drone.ok(13, "i" + LONG[1:], -1, *camera(64.0, 64.0, 32.0, 24.0)).end()
    assert told(drone)[7] == pytest.approx(np.degrees(2 * np.arctan(0.5)))
    assert not drone.call(13, "i" + LONG[1:], -1, *camera(64.0, 40.0, 32.0, 24.0))[0]
    assert not drone.call(13, "i" + LONG[1:], -1, *camera(64.0, 64.0, 5.0, 24.0))[0]


def test_pictures_and_exposure(drone):
    drone.ok(13, "i" + LONG[1:], -1, *CAMERA)
    image, stamp = seen(drone, 4)
    assert image.format == "JPEG" and image.size == (64, 48) and stamp > 0
    by_hand = (*PLAIN, True, 0.01, 100.0, 0.0, *LENS, *NO_INTRINSICS, *STRAIGHT, *LATER)
    drone.ok(13, "i" + LONG[1:], -1, *by_hand)
    usual = np.asarray(seen(drone, 4)[0], float).mean()
    darker = (*PLAIN, True, 0.0025, 100.0, 0.0, *LENS, *NO_INTRINSICS, *STRAIGHT, *LATER)
    drone.ok(13, "i" + LONG[1:], -1, *darker)
    assert np.asarray(seen(drone, 4)[0], float).mean() < 0.8 * usual
    drone.ok(13, "i" + LONG[1:], -1, *CAMERA)


def test_segmentation_is_a_file_here(drone):
    (camera,) = drone.ok(24, "i", 4).take("i")
    drone.ok(13, "i" + LONG[1:], camera, *CAMERA)
    image, _ = seen(drone, 18, camera)
    assert image.format == "PNG" and image.size == (64, 48)
    assert (153, 108, 6) in {tuple(c) for c in np.asarray(image.convert("RGB")).reshape(-1, 3).tolist()}


def test_instances_have_names(server, drone):
    (camera,) = drone.ok(24, "i", 4).take("i")
    drone.ok(13, "i" + LONG[1:], camera, *CAMERA)
    image, _, count = seen(drone, 35, camera, "I")
    pixels = np.asarray(image.convert("RGB"), int).reshape(-1, 3)
    found = set((pixels @ [1, 256, 65_536]).tolist()) - {0}
    assert len(found) == count > 0
    reply = drone.ok(36)
    (length,) = reply.take("Q")
    names = {}
    for _ in range(length):
        (number,) = reply.take("i")
        names[number] = reply.text()
    reply.end()
    assert found <= names.keys() and set(names.values()) == set(server.simulation.scene.objects)


def test_a_pair_with_intrinsics(drone):
    setup = (False, 0.0, -10.0, 0.0, 0.0, 10.0, 0.0, *[0.0] * 6, 90.0, 32, 24, False, False, False)
    drone.ok(15, "i" + STEREO[1:], -1, *setup, *NO_INTRINSICS, *STRAIGHT).end()
    values = drone.ok(14, "i", -1).take(STEREO)
    assert values[:19] == setup and values[19:24] == pytest.approx((False, 16.0, 16.0, 16.0, 12.0))
    for _ in range(30):
        status, reply = drone.call(5, "i", -1)
        pair = [reply.bytes()[1] for _ in range(2)]
        if status:
            break
    assert [Image.open(io.BytesIO(p)).size for p in pair] == [(32, 24)] * 2


def test_an_event_camera_sees_what_changes(drone):
    setup = (False, *[0.0] * 6, 90.0, 32, 24, 0.2, 0.2, True)
    drone.ok(29, "i?3d3dd2i2d?", -1, *setup).end()
    assert drone.ok(28, "i", -1).take("?3d3dd2i2d?") == setup

    def events():
        for _ in range(30):
            status, reply = drone.call(27, "i", -1)
            count, data = reply.bytes(13)
            reply.take("d")
            reply.end()
            if status:
                return [struct.unpack_from("<HHbd", data, 13 * i) for i in range(count)]
        raise AssertionError("always refused")

    events()
    assert events() == [], "nothing has changed"
    drone.ok(8, "6d?", 0.0, 0.0, 300.0, 0.0, 40.0, 0.0, False)
    moved = events()
    assert moved and {e[2] for e in moved} <= {-1, 1} and all(e[0] < 32 and e[1] < 24 for e in moved)


def test_a_fisheye(drone):
    setup = (False, *[0.0] * 6, 200.0, 40, 30, 0)
    drone.ok(32, "i?3d3dd2ii", -1, *setup).end()
    assert drone.ok(31, "i", -1).take("?3d3dd2ii") == setup
    assert seen(drone, 30)[0].size == (40, 30)
    assert not drone.call(32, "i?3d3dd2ii", -1, *setup[:-1], 1)[0]
    assert not drone.call(32, "i?3d3dd2ii", -1, False, *[0.0] * 6, 221.0, 40, 30, 0)[0]


def test_devices(drone):
    reply = drone.ok(34)
    names = [reply.text() for _ in range(reply.take("Q")[0])]
    words = [reply.text() for _ in range(reply.take("Q")[0])]
    reply.end()
    assert "livox_mid360" in names and len(names) == len(words)
    for name in names:
        reply = drone.ok(33, f"Q{len(name)}s6d?", len(name), name.encode(), 1.0, 2.0, 3.0, 0.0, 0.0, 0.0, False)
        assert len(numbers(reply)) == len(numbers(reply)) == 1
        reply.end()
    assert not drone.call(33, "Q3s6d?", 3, b"eye", *[0.0] * 6, False)[0]


def test_distortion_is_opencvs():
    """A point at x (in focal lengths) is seen at x (1 + k1 r²): a barrel for negative k1."""
    straight = np.zeros((101, 101), np.uint8)
    straight[50, 90] = 255
    seen_at = np.argwhere(bent(straight, 90.0, (-0.2, 0.0, 0.0, 0.0, 0.0)) == 255).mean(axis=0)
    x = 40.0 / 50.5
    assert seen_at[0] == pytest.approx(50.0, abs=0.6)
    assert seen_at[1] == pytest.approx(50.0 + 50.5 * x * (1.0 - 0.2 * x * x), abs=1.0)
    assert bent(straight, 90.0, ()) is straight


def test_objects_are_moved_listed_and_exported(server, game):
    yaml = b"objects: [{asset: Cube, position: [5, 1, 2]}, {asset: Sphere, position: [6, 0, 2], scale: 0.5}]"
    one, two = numbers(game.ok(19, f"Q{len(yaml)}s", len(yaml), yaml))
    game.ok(21, "i9d", one, 7.0, 1.0, 3.0, 0.0, 0.0, 90.0, 1.0, 2.0, 3.0).end()
    X = server.simulation.scene.objects[server.door.objects.name(one)].X_WO[0]
    assert X[:, 3] == pytest.approx([7.0, 1.0, 3.0]) and X[:, 0] == pytest.approx([0.0, 1.0, 0.0])
    reply = game.ok(22)
    rows = []
    for _ in range(reply.take("Q")[0]):
        (number,) = reply.take("i")
        rows.append((number, reply.text(), *reply.take("i9d")))
    reply.end()
    assert [r[:2] for r in rows] == [(one, "Cube"), (two, "Sphere")] and rows[0][3:6] == (7.0, 1.0, 3.0)
    exported = game.ok(23).text().encode()
    assert game.ok(20, "i", -1).take("i") == (2,)
    assert len(numbers(game.ok(19, f"Q{len(exported)}s", len(exported), exported))) == 2
    assert game.ok(23).text().encode() == exported
    game.ok(20, "i", -1)
    assert not game.call(21, "i9d", one, *[1.0] * 9)[0]
    reply = game.ok(24, "Q0sQ3s", 0, b"", 3, b"con")
    assert [reply.text() for _ in range(reply.take("Q")[0])] == ["Cone"] and reply.take("?") == (False,)
