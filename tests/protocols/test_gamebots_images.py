"""The image server: frames that PIL reads, views of several cameras, and clients that ask for too much."""

import io
import socket
import struct
import time

import numpy as np
import pytest
from PIL import Image

from gamebots_rig import WORLD, Raw, one, served, stepped, value
from volery.protocols.gamebots.images import framed


class Eyes:
    """A client of the image server."""

    def __init__(self, server):
        self.socket = socket.create_connection(("127.0.0.1", server.ports["images"]), timeout=60)

    def read(self, count):
        data = b""
        while len(data) < count:
            data += self.socket.recv(count - len(data))
        return data

    def frame(self):
        """Kind and bytes of the next picture."""
        kind, size = struct.unpack(">BI", self.read(5))
        return kind, self.read(size)

    def look(self, request=b"OK"):
        self.socket.sendall(request)
        kind, data = self.frame()
        assert 1 <= kind <= 5
        return np.array(Image.open(io.BytesIO(data)))


def look(server, eyes, request=b"OK"):
    """Ask for a picture of a server that is stepped."""
    eyes.socket.sendall(request)
    server.until(lambda: server.door.views.waiting)
    server.until(lambda: server.door.views._at_work == 0)
    server.step()
    kind, data = eyes.frame()
    return kind, np.array(Image.open(io.BytesIO(data))) if kind else data


@pytest.fixture(scope="module")
def server():
    with stepped(WORLD) as running:
        first, second = running.connect(), running.connect()
        running.say(first, "INIT {ClassName USARBot.P2AT} {Name R1} {Start RobotStart1}")
        running.say(second, "INIT {ClassName USARBot.P2DX} {Name R2} {Start RobotStart2}")
        running.raws = first, second
        yield running


def test_a_picture_for_each_ok(server):
    eyes = Eyes(server)
    kind, picture = look(server, eyes, b"OK\r\n")
    assert kind == 2 and picture.shape == (240, 320, 3) and picture.std() > 5
    kind, again = look(server, eyes, b"xxOzOK")
    assert kind == 2 and again.shape == picture.shape, "other bytes are skipped"


def test_a_part_of_it(server):
    eyes = Eyes(server)
    whole = look(server, eyes)[1]
    part = look(server, eyes, b"U" + struct.pack(">IIII", 40, 30, 100, 50))[1]
    assert part.shape == (50, 100, 3)
    assert np.abs(part.astype(int) - whole[30:80, 40:140]).mean() < 12
    assert look(server, eyes, b"U" + struct.pack(">IIII", 4000, 30, 10, 10))[1].shape == whole.shape


def test_the_last_robot_is_shown_until_one_chooses(server):
    eyes, first = Eyes(server), server.raws[0]
    last = look(server, eyes)[1]
    told = server.say(first, "SET {Type Camera} {Robot R1} {Name Camera} {Client 127.0.0.1}")
    assert value(one(told, "RES"), "Status") == "OK"
    chosen = look(server, eyes)[1]
    assert np.abs(chosen.astype(int) - last.astype(int)).mean() > 5
    told = server.say(first, "SET {Type Camera} {Robot R9} {Name Camera} {Client 127.0.0.1}")
    assert value(one(told, "RES"), "Status") == "Failed"
    told = one(
        server.say(
            first, "SET {Type Viewports} {Config QuadView} {Viewport1 Camera} {Viewport2 Disable} {Viewport3 No}"
        ),
        "RES",
    )
    assert "{Config QuadView} {Status OK} {Viewport1 Camera} {Status OK} {Viewport2 Disabled} {Status OK}" in told
    assert "{Viewport3 None} {Status Failed}" in told
    four = look(server, eyes)[1]
    assert four.shape == (480, 640, 3)
    assert np.abs(four[:240, :320].astype(int) - chosen.astype(int)).mean() < 8
    assert four[250:, 330:].std() < 3, "nothing there"
    server.say(first, "SET {Type Camera} {Robot R2} {Name Camera} {Client 127.0.0.1}")


def test_zoom_and_pan_are_seen(server):
    eyes, (_, second) = Eyes(server), server.raws
    before = look(server, eyes)[1].astype(int)
    server.say(second, "SET {Type Camera} {Name Camera} {Opcode Zoom} {Params 0.35}")
    near = look(server, eyes)[1].astype(int)
    assert np.abs(near - before).mean() > 3
    server.say(
        second,
        "SET {Type Camera} {Name Camera} {Opcode Zoom} {Params 0}",
        "MISPKG {Name CameraPanTilt} {Link 1} {Value 0.8}",
        steps=200,
    )
    assert np.abs(look(server, eyes)[1].astype(int) - before).mean() > 3


def test_pictures_leave_no_trace_in_the_simulation(server):
    before = server.simulation.state_hash()
    eyes = Eyes(server)
    eyes.socket.sendall(b"OK")
    server.until(lambda: server.door.views.waiting)
    server.until(lambda: server.door.views._at_work == 0)
    server.door.views.work()
    assert eyes.frame()[0] == 2
    assert server.simulation.state_hash() == before


def test_udk_shows_four_cameras_as_tiles():
    with stepped(WORLD, dialect="udk", others={}, images="raw") as server:
        raws = [server.connect("udk") for _ in range(2)]
        for i, raw in enumerate(raws, 1):
            lines = server.say(raw, f"INIT {{ClassName USARBot.P2AT}} {{Start RobotStart{i}}}")
            conf = one(lines, "CONF {Type Camera}")
            assert (value(conf, "TextureOffsetX"), value(conf, "TextureOffsetY")) == (str(320 * (i - 1)), "0")
        kind, data = look(server, Eyes(server))
        width, height = struct.unpack(">HH", data[:4])
        assert (kind, width, height, len(data)) == (0, 640, 480, 4 + 640 * 480 * 3)


def test_raw_pictures_are_blue_green_red_in_rows_of_four_bytes():
    picture = np.zeros((2, 3, 3), np.uint8)
    picture[0, 0], picture[1, 2] = (1, 2, 3), (4, 5, 6)
    data = framed(picture, 0)
    kind, size, width, height = struct.unpack(">BIHH", data[:9])
    assert (kind, size, width, height) == (0, 4 + 2 * 12, 3, 2)
    rows = np.frombuffer(data[9:], np.uint8).reshape(2, 12)
    assert rows[0, :3].tolist() == [3, 2, 1] and rows[1, 6:9].tolist() == [6, 5, 4] and not rows[:, 9:].any()


def test_without_a_camera_there_is_a_grey_picture():
    with stepped(WORLD, legacy_images=True) as server:
        eyes = Eyes(server)
        server.until(lambda: server.door.views.waiting)
        server.step()
        kind, data = eyes.frame()
        assert kind == 2 and np.array(Image.open(io.BytesIO(data))).shape == (240, 320, 3), "one that nobody asked for"


def test_who_asks_for_many_pictures_does_not_stop_the_loop():
    with served(WORLD, speed=1.0) as server, Raw(server) as raw:
        raw.send("INIT {ClassName USARBot.P2AT} {Name R1}")
        raw.wait("STA")
        greedy = [Eyes(server) for _ in range(3)]
        for eyes in greedy:
            eyes.socket.sendall(b"OK" * 1000)
        before, begun = server.ask(lambda: server.simulation.clock.now), time.monotonic()
        for eyes in greedy:
            assert eyes.frame()[0] == 2
        time.sleep(1.5)
        factor = (server.ask(lambda: server.simulation.clock.now) - before) / (time.monotonic() - begun)
        assert factor > 0.1
        greedy[0].socket.close()
        assert raw.wait("STA")


def test_who_asks_and_never_reads_is_not_answered_for_ever(server):
    deaf = Eyes(server)
    deaf.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.socket.sendall(b"OK")
    server.until(lambda: server.door.views.waiting)
    client = next(p for p in server.door.wire._made if p.__class__.__name__ == "ImageClient" and p._asked)
    server.door.wire.call(lambda: client._transport.write(bytes(8 << 20)))
    server.until(lambda: client._transport.get_write_buffer_size() > 2 << 20)
    while server.door.views.waiting:
        server.step()
    deaf.socket.sendall(b"OK" * 10)
    time.sleep(0.2)
    assert not server.door.views.waiting
