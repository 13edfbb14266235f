"""Tags that are read, written and dropped."""

import numpy as np
import pytest

from rescue_rig import ball, make, put, read
from volery.core import geometry
from volery.core.frames import quat_from_euler, transform
from volery.core.material import Material
from volery.core.state import decode, encode
from volery.errors import CommandError, ScenarioError, SimulationError
from volery.scenario import read_scenario
from volery.sensors.identify import STATUS, VictimSensorConfig
from volery.sensors.rfid import Rfid, RfidConfig, RfidReleaser, RfidReleaserConfig, VictimTag, VictimTagConfig
from volery.sim import Simulation
from volery.world.environment import Environment
from volery.world.generate.victims import figure
from volery.world.scene.scene import Scene
from volery.world.world import Placement

LEAF = Material("leaf", solid=False)


# Reading


@pytest.mark.parametrize(
    ("mode", "expected"), [("radius", [7, 3, 12]), ("obstacle", [7, 12]), ("attenuation", [7])]
)  # fmt: skip
def test_rfid_reads_by_range_by_sight_or_by_power(mode, expected):
    scene = Scene()
    for name, p in {"tag_7": (2, 0, 0), "tag_3": (0, 3, 0), "rfid12": (0, -4.5, 0), "tag_9": (9, 0, 0)}.items():
        ball(scene, name, Material("plastic"), p, 0.02)
    scene.add(Placement.one("wall", geometry.box((5, 0.1, 5)), (0, 1.5, 0)))
    sensor = make(Rfid, RfidConfig(mode=mode, threshold=-50.0), scene)
    data = read(sensor)
    assert data["id"].tolist() == expected
    assert data["location"][0] == pytest.approx([2, 0, 0], abs=1e-6)
    loss = 20 * np.log10(4 * np.pi * 2 * 915e6 / 299_792_458)
    assert data["power"][0] == pytest.approx(36 - 2 * loss, abs=1e-6)
    if mode == "radius":
        loss = 20 * np.log10(4 * np.pi * 3 * 915e6 / 299_792_458)
        assert data["power"][1] == pytest.approx(36 - 2 * loss - 20, abs=1e-6)


def test_a_victims_tag_tells_more_the_nearer_one_comes():
    scene = Scene()
    mesh = figure("void", "semi-conscious")
    scene.add(Placement.one("victim_4", mesh, -mesh.bounds.mean(axis=0)))
    scene.add(Placement.one("victim_4_shelter", geometry.box((1, 1, 1)), (0, 0, 5)))
    told = []
    sensor = make(VictimTag, VictimTagConfig(levels=(8, 5, 3, 1.5)), scene)
    for x in (9, 7, 4, 2, 1):
        put(sensor, (-x, 0, 0))
        data = read(sensor)
        told.append([data[k].tolist() for k in ("level", "real", "id", "status")])
    assert told[0] == [[], [], [], []]
    assert told[1] == [[1], [-1], [-1], [-1]]
    assert told[2] == [[2], [1], [-1], [-1]]
    assert told[3] == [[3], [1], [4], [-1]]
    assert told[4] == [[4], [1], [4], [STATUS.index("semi-conscious")]]
    scene.remove("victim_4")
    ball(scene, "decoy_2", Material("rag"), (0, 0, 0), 0.1)
    assert read(sensor)["real"].tolist() == [0]


def test_a_victims_tag_is_not_read_beyond_its_range_nor_its_first_level():
    scene = Scene()
    ball(scene, "decoy_2", Material("rag"), (7, 0, 0), 0.1)
    near = make(VictimTag, VictimTagConfig(range=6.0), scene)
    assert len(read(near)["level"]) == 0
    blind = make(VictimTag, VictimTagConfig(range=20.0, levels=(5, 4, 3, 2)), scene, name="b")
    assert len(read(blind)["level"]) == 0
    assert read(make(VictimTag, VictimTagConfig(range=7.0), scene, name="c"))["level"].tolist() == [1]


def test_tags_of_endless_worlds_are_found_by_their_name_within_the_chunk():
    scene = Scene()
    ball(scene, "chunk_3_-1/0/rfid_21", Material("plastic"), (1, 0, 0), 0.02)
    assert read(make(Rfid, RfidConfig(), scene))["id"].tolist() == [21]


# Writing


def test_what_one_reader_writes_another_reads():
    scene = Scene()
    around = Environment(scene)
    ball(scene, "tag_7", Material("plastic"), (2, 0, 0), 0.02)
    ball(scene, "tag_8", Material("plastic"), (2, 1, 0), 0.02)
    one = make(Rfid, RfidConfig(), scene, environment=around)
    two = make(Rfid, RfidConfig(), scene, (4, 0, 0), name="uav2", environment=around)
    assert one.read(7) == "" and read(two)["memory"].tolist() == ["", ""]
    one.write(7, "victim behind the door, 2 m")
    assert two.read(7) == "victim behind the door, 2 m" and two.read(8) == ""
    assert dict(zip(*(read(two)[k].tolist() for k in ("id", "memory")), strict=True)) == {
        7: "victim behind the door, 2 m", 8: "",
    }  # fmt: skip
    one.write(7, "")
    assert two.read(7) == ""


def test_a_tag_out_of_reach_is_neither_read_nor_written():
    scene = Scene()
    ball(scene, "tag_7", Material("plastic"), (2, 0, 0), 0.02)
    ball(scene, "tag_9", Material("plastic"), (9, 0, 0), 0.02)
    reader = make(Rfid, RfidConfig(mode="obstacle"), scene)
    with pytest.raises(CommandError, match=r"tag 9 does not answer; in reach: \[7\]"):
        reader.write(9, "x")
    scene.add(Placement.one("wall", geometry.box((0.1, 5, 5)), (1, 0, 0)))
    with pytest.raises(CommandError, match="in reach: none"):
        reader.read(7)
    scene.remove("wall")
    assert reader.read(7) == ""


def test_a_tag_holds_so_many_characters_and_no_control_codes():
    scene = Scene()
    ball(scene, "tag_7", Material("plastic"), (2, 0, 0), 0.02)
    reader = make(Rfid, RfidConfig(capacity=5), scene)
    reader.write(7, "12345")
    for bad in ("123456", "a\nb", "a\0"):
        with pytest.raises(CommandError, match="printable"):
            reader.write(7, bad)
    assert reader.read(7) == "12345"


# Dropping


def test_a_dropped_tag_lies_on_the_ground_and_can_be_read():
    scene = Scene()
    around = Environment(scene)
    slope = quat_from_euler(np.array([0, 0.4, 0]))
    scene.add(Placement("ground", (geometry.plane(100.0),), transform(slope, np.zeros(3))))
    scene.add(Placement.one("bush", geometry.box((1, 1, 1), materials=(LEAF,)), (0, 0, 2)))
    releaser = make(RfidReleaser, RfidReleaserConfig(count=2), scene, (0, 0, 5), environment=around)
    assert read(releaser)["last"][0] == -1
    number = releaser.release()
    tag = scene.objects[f"rfid_{number}"]
    # Flat on the slope, 6 mm above it; leaves do not hold it
    up = np.array([np.sin(0.4), 0, np.cos(0.4)])
    assert tag.X_WO[0][:, 2] == pytest.approx(up, abs=1e-6)
    assert tag.X_WO[0][:, 3] == pytest.approx(0.006 * up, abs=1e-4)
    assert np.linalg.det(tag.X_WO[0][:, :3]) == pytest.approx(1.0)
    data = read(releaser)
    assert data["left"][0] == 1 and data["last"][0] == number == 1000
    reader = make(Rfid, RfidConfig(), scene, (1, 0, 0.5), name="uav2", environment=around)
    reader.write(number, "here")
    assert read(reader)["id"].tolist() == [number] and read(reader)["memory"].tolist() == ["here"]


def test_a_releaser_runs_out_and_passes_over_numbers_that_are_taken():
    scene = Scene()
    scene.add(Placement.one("ground", geometry.plane(100.0)))
    ball(scene, "rfid_6", Material("plastic"), (3, 3, 1), 0.02)
    releaser = make(RfidReleaser, RfidReleaserConfig(count=3, first=5), scene, (0, 0, 2))
    assert [releaser.release() for _ in range(3)] == [5, 7, 8]
    with pytest.raises(CommandError, match="no tags left"):
        releaser.release()
    assert read(releaser)["left"][0] == 0


def test_a_tag_with_nothing_below_is_kept():
    releaser = make(RfidReleaser, RfidReleaserConfig(), Scene(), (0, 0, 2))
    with pytest.raises(SimulationError, match="nothing solid below"):
        releaser.release()
    assert releaser.left == 30 and releaser.last == -1


SCENARIO = """
step: 0.01
world: {type: blocks}
robots:
  uav1:
    type: quad
    physics: kinematic
    position: [0, 0, 12]
    motion: {path: [[0, 0, 12], [10, 0, 12]], speed: 2.0}
    sensors:
      scanner: off
      gun: {type: rfid_releaser, count: 5}
      reader: {type: rfid, range: 100.0}
      lamp: {type: headlight, lit: false}
"""


def test_tags_and_lights_go_back_with_a_snapshot_and_are_gone_after_a_reset():
    sim = Simulation(read_scenario(SCENARIO))
    sim.run(10)
    empty = sim.state_hash()
    number = sim.sensor("uav1", "gun").release()
    sim.sensor("uav1", "reader").write(number, "one")
    sim.sensor("uav1", "lamp").switch(True)
    sim.sensor("uav1", "lamp").dim(0.25)
    assert sim.state_hash() != empty
    kept = encode(sim.state())
    sim.run(50)
    sim.sensor("uav1", "gun").release()
    sim.sensor("uav1", "reader").write(number, "two")
    sim.sensor("uav1", "lamp").switch(False)
    sim.run(20)
    after, there = sim.state_hash(), encode(sim.sensor("uav1", "reader").latest.state())
    other = Simulation(read_scenario(SCENARIO))
    for again in (sim, other):
        again.restore(decode(kept))
        assert [n for n in again.scene.objects if n.startswith("rfid")] == [f"rfid_{number}"]
        assert again.sensor("uav1", "reader").read(number) == "one"
        assert again.environment.spots()[0].light == pytest.approx(0.25 * 4.0 * np.array([1.0, 0.95, 0.85]))
        again.run(50)
        again.sensor("uav1", "gun").release()
        again.sensor("uav1", "reader").write(number, "two")
        again.sensor("uav1", "lamp").switch(False)
        again.run(20)
        assert encode(again.sensor("uav1", "reader").latest.state()) == there
        assert again.state_hash() == after
    sim.reset()
    assert not [n for n in sim.scene.objects if n.startswith("rfid")]
    sim.run(10)
    assert sim.state_hash() == empty


@pytest.mark.parametrize(
    ("config", "bad"),
    [(RfidConfig, {"mode": "guess"}), (VictimTagConfig, {"levels": (1.0, 2.0, 3.0, 4.0)}),
     (RfidReleaserConfig, {"count": -1}), (RfidConfig, {"capacity": -1}), (VictimSensorConfig, {"least": 0})],
)  # fmt: skip
def test_absurd_parameters_are_refused(config, bad):
    with pytest.raises(ScenarioError):
        config(**bad)
