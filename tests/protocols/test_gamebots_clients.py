"""Stand-ins for known clients of USARSim: each writes and reads lines as its documented transcripts do. They enter,
drive, see, hear and find a victim."""

import math
import re
import socket

import pytest

from gamebots_rig import floats, stepped, value
from volery.core.frames import euler_from_quat

WORLD = """
world: empty
seed: 3
step: 0.01
robots: {victim_7: {type: victim_sitting_aware, position: [3.0, 0, 0], attitude_deg: [0, 0, 180]}}
"""


class Client:
    """What all have: a connection, and a way to be served for some steps."""

    dialect = "ut2004"
    end = "\r\n"

    def __init__(self, server, robot="P2AT"):
        self.server, self.robot = server, robot
        self.raw = server.connect(self.dialect)
        self.lines = []
        self.served(*self.first())

    def served(self, *texts, steps=30):
        self.lines = self.server.say(self.raw, *texts, steps=steps, end=self.end)
        return self.lines


class JavaController(Client):
    """USARSimController: blanks in vectors; loses the first letter of each batch; reads by place in the line."""

    def first(self):
        where = "{Location 0.000000 0.000000 0.000000} {Rotation 0.000000 0.000000 0.000000}"
        return f"INIT {{ClassName USARBot.{self.robot}}} {{Name R1}} {where}", "GETCONF {Type Robot}"

    def drive(self, speed):
        self.served(f"DRIVE {{Left {speed:f}}} {{Right {speed:f}}} {{Normalized false}}", steps=150)

    def _of(self, kind):
        """What it hands to the reader of a type: from the type's name on, cut between braces."""
        line = next(line[1:] for line in self.lines if f"Type {kind}}}" in line)
        return line[line.index(kind) :].split("} {")

    def sonars(self):
        parts = self._of("Sonar")
        return [float(parts[i].split(" ")[3].rstrip("}")) for i in range(1, 17)]

    def loudness(self):
        return float(self._of("Sound")[2].split(" ")[1])

    def parts_of_victims(self):
        parts = self._of("VictSensor")
        assert parts[1].split(" ")[0] == "Name"
        return [p.split(" ")[1] for p in parts[2:] if p.startswith("PartName")]


class PythonStudent(Client):
    """A small Python client of the league: the type is the third word group of a line, numbers come by regex."""

    end = "\n"

    def first(self):
        return (f"INIT {{ClassName USARBot.{self.robot}}}{{Name R1}}{{Location 0.0,0.0,-0.2}}",)

    def drive(self, speed):
        self.served(f"DRIVE {{Left {speed}}} {{Right {speed}}}", steps=150)

    def _third(self, kind):
        """SEN, time, type: where the type stands in lines that have a time."""
        return next(line for line in self.lines if re.match(rf"SEN {{Time [\d.]+}} {{Type {kind}}}", line))

    def sonars(self):
        return [float(r) for r in re.findall(r"{Name [FR]\d Range ([\d.]+)}", self._third("Sonar"))]

    def loudness(self):
        return float(re.search(r"{Loudness ([\d.]+)}", next(x for x in self.lines if "{Type Sound}" in x))[1])

    def parts_of_victims(self):
        return re.findall(r"{PartName (\w+)}", next(x for x in self.lines if "{PartName" in x))


class MatlabToolbox(Client):
    """The AUT toolbox: looks for text, percent of full speed, time optional."""

    def first(self):
        return (f"INIT {{ClassName USARBot.{self.robot}}} {{Name R1}} {{Location 0,0,0}}",)

    def drive(self, speed):
        self.served("DRIVE {Left 60} {Right 60} {Normalized True} {Light False} {Flip False}", steps=150)

    def sonars(self):
        line = next(line for line in self.lines if line.find("{Type Sonar}") >= 0)
        ends, out = [m.start() for m in re.finditer("}", line)], []
        for at in (m.start() for m in re.finditer("Range", line)):
            out.append(float(line[at + 6 : next(e for e in ends if e > at)]))
        return out

    def loudness(self):
        return float(value(next(x for x in self.lines if "{Type Sound}" in x), "Loudness"))

    def parts_of_victims(self):
        return [value(next(x for x in self.lines if "{PartName" in x), "PartName")]


class PyroBrain(Client):
    """Pyro on the manual's dialect: lines end the wrong way round, the last brace is missing, speeds from -1 to 1."""

    dialect, end = "ut2003", "\n\r"

    def first(self):
        return (f"INIT {{ClassName USARBot.{self.robot}}} {{Name R1}} {{Location 0, 0, 30}} {{Rotation 0, 0, 0",)

    def drive(self, speed):
        self.served("DRIVE {Left 0.6} {Right 0.6}", steps=150)

    def sonars(self):
        line = next(line for line in self.lines if line.startswith("SEN {Type Range}"))
        return [float(word.split()[-1]) / 140.0 for word in re.findall(r"{Name ([^}]*)}", line)]

    def loudness(self):
        return float(value(next(x for x in self.lines if "{Type Sound}" in x), "Loudness"))

    def parts_of_victims(self):
        """In the manual's days people are found by their motion."""
        chance = max(float(value(x, "Prob")) for x in self.lines if "{Type HumanMotion}" in x)
        return ["somebody"] if chance > 0.05 else []


class UsarCommander(Client):
    """A Dutch client of the last server: decimal commas, any case, a line for each sensor, a named start pose."""

    dialect = "udk"

    def first(self):
        return "GETSTARTPOSES", f"INIT {{Classname USARBot.{self.robot}}} {{Name R1}} {{Start RobotStart1}}"

    def drive(self, speed):
        self.served("Drive {Left 4,00} {RIGHT 4,00}", steps=150)

    def sonars(self):
        last = {value(x, "Name"): float(value(x, "Range")) for x in self.lines if "{Type Sonar}" in x}
        return list(last.values())

    def loudness(self):
        line = next(x for x in self.lines if "{Type Acoustic}" in x)
        return max(float(value(line, "Volume")), 0.0) if "Volume" in line else 0.0

    def parts_of_victims(self):
        return [value(x, "PartName") for x in self.lines if "{PartName" in x]


CLIENTS = (JavaController, PythonStudent, MatlabToolbox, PyroBrain, UsarCommander)


@pytest.mark.parametrize("kind", CLIENTS)
def test_a_client_drives_sees_hears_and_finds_a_victim(kind):
    with stepped(WORLD) as server:
        client = kind(server)
        assert "R1" in server.simulation.robots, "it has entered"
        robot = server.robot()
        before = robot.p_WB.copy()
        client.drive(3.0)
        assert 0.2 < robot.p_WB[0] - before[0] < 1.0 and abs(robot.p_WB[1] - before[1]) < 0.05
        client.served("DRIVE {Left 0} {Right 0}", steps=240)
        sonars = client.sonars()
        assert len(sonars) == 16
        ahead = 3.0 - robot.p_WB[0]
        assert min(sonars) == pytest.approx(ahead - 0.5, abs=0.5), "the nearest thing is who sits there"
        assert client.loudness() > 0.0
        assert client.parts_of_victims()


def test_the_ros_node_of_the_last_server_with_its_own_launch_file():
    """INIT at Vehicle1 with the names of the P3AT's file; speeds of wheels from GEO, as the node computes them."""
    with stepped("world: empty\nseed: 3\nstep: 0.01\n") as server:
        raw = server.connect("udk")
        lines = server.say(
            raw, "GETSTARTPOSES", "INIT {Classname USARBot.P3AT} {Name R1} {Start Vehicle1}", "GETCONF {Type Robot}",
            "GETGEO {Type Robot}", steps=30,
        )  # fmt: skip
        names = {value(x, "Name") for x in lines if x.startswith("SEN") and "{Name" in x}
        assert {"GndTruth", "InsTest", "lms200", "TachTest", "W1", "W2"} <= names
        assert "{SteeringType SkidSteered}" in next(x for x in lines if x.startswith("CONF") and "Steering" in x)
        geo = next(x for x in lines if x.startswith("GEO"))
        r, b = float(value(geo, "WheelRadius")), float(value(geo, "WheelSeparation"))
        v, w = 0.2, 0.4
        left, right = (v - w * b / 2) / r, (v + w * b / 2) / r
        server.say(raw, f"Drive {{Left {left:f}}} {{Right {right:f}}}", steps=150)

        def heading():
            return float(euler_from_quat(server.robot().q_WB_wxyz)[2])

        start = heading()
        lines = server.say(raw, "GETCONF {Type Robot}", steps=200)
        turned = (heading() - start) % (2 * math.pi)
        assert turned == pytest.approx(2.0 * w, rel=0.1), "as fast as ROS asked, not a third slower"
        odometry = [x for x in lines if "{Name InsTest}" in x]
        angle = -floats(value(odometry[-1], "Orientation"))[2] % (2 * math.pi)
        assert angle == pytest.approx(heading() % (2 * math.pi), abs=0.1), "what it publishes as odometry"


def test_a_picture_by_the_image_port_while_it_drives():
    with stepped(WORLD, images="raw") as server:
        client = JavaController(server)
        client.drive(1.0)
        with socket.create_connection(("127.0.0.1", server.ports["images"]), timeout=20) as eye:
            eye.sendall(b"OK\r\n")
            data = b""
            eye.settimeout(0.05)
            for _ in range(200):
                server.step(1)
                try:
                    data += eye.recv(1 << 20)
                except TimeoutError:
                    continue
                if len(data) > 9 and len(data) >= 5 + int.from_bytes(data[1:5], "big"):
                    break
        assert data[0] == 0 and int.from_bytes(data[5:7], "big") == 320 and int.from_bytes(data[7:9], "big") == 240
        assert len(set(data[9:])) > 16, "there is something to see"
