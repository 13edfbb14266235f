"""Services and actions answered to an independent client of rmw_zenoh's wire, and what they do to a run."""

import json
import subprocess
import sys
import threading

import numpy as np
import pytest

from bus_rig import eventually, free_port
from volery.bus.bus import Bus, BusConfig
from volery.bus.ros2 import Ros2Config
from volery.bus.run_publisher import RunPublisher
from volery.bus.service_types import ACTIONS, MESSAGES, SERVICES
from volery.bus.types import service_hash, type_hash
from volery.errors import BusError
from volery.loop import Loop, RealTimePace
from volery.protocols.ros2.door import Ros2
from volery.scenario import read_scenario
from volery.sim import Simulation

SCENARIO = """
world: empty
step: 0.02
robots:
  uav1:
    type: x500
    position: [0, 0, 5]
    sensors: {cam: {type: camera, rate: 0.01, phase: 50, width: 16, height: 12}, odometry: odometry}
"""


class Served:
    """A run in a thread, with its services."""

    def __init__(self):
        self.port = free_port()
        self.simulation = Simulation(read_scenario(SCENARIO))
        self.bus = Bus(BusConfig(listen=[f"tcp/127.0.0.1:{self.port}"]))
        self.loop = Loop(self.simulation, RealTimePace(4.0))
        config = Ros2Config(port=0)
        self.simulation.listeners.append(RunPublisher(self.simulation, self.bus, config))
        self.door = Ros2(self.simulation, self.loop, config)
        self.door.attach(self.bus)
        self.door.start()
        self.thread = threading.Thread(target=self.loop.run, daemon=True)
        self.thread.start()

    def call(self, service, kind, /, **request):
        return self.bus.call(service, kind, request, timeout=20.0)

    def close(self):
        self.loop.stop()
        self.thread.join(30)
        self.door.close()
        self.bus.close()
        self.simulation.close()


@pytest.fixture
def run():
    served = Served()
    yield served
    served.close()


# In a process of its own: the library has one session for all, at a port fixed when it starts.
CLIENT = """
import json, sys
import numpy as np
from zenoh_ros2_sdk import ROS2ServiceClient
from zenoh_ros2_sdk.session import ZenohSession
port, told = int(sys.argv[1]), json.load(sys.stdin)

def plain(value):
    if hasattr(value, "__dataclass_fields__"):
        return {k: plain(getattr(value, k)) for k in value.__dataclass_fields__ if k != "__msgtype__"}
    return value.tolist() if hasattr(value, "tolist") else value

def made(value):
    if isinstance(value, dict):
        return store.types[value.pop("type")](**{k: made(v) for k, v in value.items()})
    return np.array(value, np.uint8) if isinstance(value, list) else value

for message, text in told["messages"].items():
    ZenohSession.get_instance("127.0.0.1", port).register_message_type(text, message)
store = ZenohSession.get_instance("127.0.0.1", port).store

for name, kind, request, response, hash_, fields in told["calls"]:
    client = ROS2ServiceClient(name, kind, request_definition=request, response_definition=response,
                               router_port=port, type_hash=hash_, timeout=30.0)
    answer = client.call(**{k: made(v) for k, v in fields.items()})
    print(json.dumps({"hash": client.type_hash, "answer": plain(answer)}), flush=True)
"""


def asked(port, calls, messages):
    """What the independent client was answered. calls: name, type, texts of request and response, hash (None:
    it computes its own), fields."""
    told = json.dumps({"calls": calls, "messages": messages})
    done = subprocess.run(
        [sys.executable, "-c", CLIENT, str(port)], input=told, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def test_hashes_are_those_that_ros_2_itself_has():
    """As published by rmw_zenoh for its own example, and by others' clients."""
    assert service_hash("std_srvs/srv/Trigger") == (
        "RIHS01_eeff2cd6fa5ad9d27cdf4dec64818317839b62f212a91e6b5304b634b2062c5f"
    )
    for name in SERVICES:
        assert len(service_hash(name)) == 71
    for name in ACTIONS:
        assert len({service_hash(f"{name}_{part}") for part in ("SendGoal", "GetResult")}) == 2
        assert len(type_hash(f"{name}_FeedbackMessage")) == 71
    with pytest.raises(Exception, match="did you mean 'std_srvs/srv/Trigger'"):
        service_hash("std_srvs/srv/Triger")


def test_an_independent_client_pauses_steps_and_spawns(run):
    result = {"simulation_interfaces/msg/Result": MESSAGES["simulation_interfaces/msg/Result"]}
    empty = "uint8 structure_needs_at_least_one_member\n"
    trigger = ("std_srvs/srv/Trigger", empty, SERVICES["std_srvs/srv/Trigger"][1])
    step = ("simulation_interfaces/srv/StepSimulation", *SERVICES["simulation_interfaces/srv/StepSimulation"])
    remove = ("simulation_interfaces/srv/DeleteEntity", *SERVICES["simulation_interfaces/srv/DeleteEntity"])
    # Where a type is not made of others, the client computes the hash itself: the key must meet ours.
    calls = [
        ["/volery/pause", *trigger, None, {"structure_needs_at_least_one_member": 0}],
        ["/volery/step_simulation", *step, service_hash(step[0]), {"steps": 7}],
        ["/volery/resume", *trigger, None, {"structure_needs_at_least_one_member": 0}],
        ["/uav1/cam/take_picture", *trigger, None, {"structure_needs_at_least_one_member": 0}],
        ["/volery/delete_entity", *remove, service_hash(remove[0]), {"entity": "nobody"}],
        ["/volery/delete_entity", *remove, service_hash(remove[0]), {"entity": "uav1"}],
    ]
    paused, stepped, resumed, taken, missing, removed = asked(run.port, calls, result)
    assert paused["answer"]["success"] and resumed["answer"]["success"]
    assert paused["hash"] == service_hash("std_srvs/srv/Trigger")
    assert stepped["answer"]["result"]["result"] == 1
    assert taken["answer"]["success"] and "/uav1/cam/image_raw" in taken["answer"]["message"]
    assert missing["answer"]["result"]["result"] == 2 and "'nobody'" in missing["answer"]["result"]["error_message"]
    assert removed["answer"]["result"]["result"] == 1 and "uav1" not in run.simulation.robots


def test_an_action_is_answered_to_an_independent_client(run):
    """goto, as rclcpp's action clients ask for it: send_goal, get_result, with the fields of a goal in their order."""
    kind = "nav2_msgs/action/NavigateToPose"
    send, get = f"{kind}_SendGoal", f"{kind}_GetResult"
    # The library's parser knows no actions: the same fields under names of messages.
    flat = """uint8[16] id
builtin_interfaces/Time stamp
string frame_id
geometry_msgs/Point position
geometry_msgs/Quaternion orientation
string behavior_tree
"""
    messages = {
        "builtin_interfaces/msg/Time": "int32 sec\nuint32 nanosec\n",
        "geometry_msgs/msg/Point": "float64 x\nfloat64 y\nfloat64 z\n",
        "geometry_msgs/msg/Quaternion": "float64 x\nfloat64 y\nfloat64 z\nfloat64 w\n",
    }
    position = {"type": "geometry_msgs/msg/Point", "x": 3.0, "y": -1.0, "z": 6.0}
    level = {"type": "geometry_msgs/msg/Quaternion", "x": 0.0, "y": 0.0, "z": 0.0, "w": 1.0}
    goal = {
        "id": list(range(16)), "stamp": {"type": "builtin_interfaces/msg/Time", "sec": 0, "nanosec": 0},
        "frame_id": "map", "position": position, "orientation": level, "behavior_tree": "",
    }  # fmt: skip
    calls = [
        ["/uav1/goto/_action/send_goal", send, flat, "bool accepted\nint32 sec\nuint32 nanosec\n", service_hash(send),
         goal],
        ["/uav1/goto/_action/get_result", get, "uint8[16] id\n", "int8 status\nuint16 error_code\nstring error_msg\n",
         service_hash(get), {"id": list(range(16))}],
    ]  # fmt: skip
    sent, got = asked(run.port, calls, messages)
    assert sent["answer"]["accepted"]
    assert (got["answer"]["status"], got["answer"]["error_code"]) == (4, 0)
    assert np.linalg.norm(run.simulation.robots["uav1"].p_WB - [3, -1, 6]) < 0.3


def test_goals_can_be_cancelled_refused_and_taken_over(run):
    send, get = (f"nav2_msgs/action/NavigateToPose_{part}" for part in ("SendGoal", "GetResult"))
    heard = run.bus.subscribe(
        "/uav1/goto/_action/feedback", "nav2_msgs/action/NavigateToPose_FeedbackMessage", depth=99
    )

    def go(number, x, frame="map"):
        pose = {"header": {"frame_id": frame}, "pose": {"position": [x, 0, 5]}}
        goal = {"goal_id": {"uuid": [number] * 16}, "goal": {"pose": pose}}
        return run.call("/uav1/goto/_action/send_goal", send, **goal).accepted

    def ended(number):
        return run.call("/uav1/goto/_action/get_result", get, goal_id={"uuid": [number] * 16})

    assert not go(1, 5, "the_moon") and not go(1, np.nan)
    assert go(2, 500)
    assert not go(2, 500), "an identity is used once"
    eventually(lambda: heard.count > 2, 20)
    left = [m.value.feedback.distance_remaining for m in iter(lambda: heard.wait_next(0), None)]
    assert left[0] == pytest.approx(500, abs=5) and left[-1] < left[0]
    answer = run.call("/uav1/goto/_action/cancel_goal", "action_msgs/srv/CancelGoal",
                      goal_info={"goal_id": {"uuid": [2] * 16}})  # fmt: skip
    assert answer.return_code == 0 and len(answer.goals_canceling) == 1 and ended(2).status == 5
    assert go(3, 500) and go(4, 400)
    assert ended(3).status == 6 and "newer" in ended(3).result.error_msg
    from volery.robots.commands import Velocity

    run.simulation.ask(lambda: run.simulation.command("uav1", Velocity())).result(20)
    assert ended(4).status == 6 and "another command" in ended(4).result.error_msg
    assert ended(9).status == 0, "nobody knows it"
    status = run.bus.subscribe("/uav1/goto/_action/status", "action_msgs/msg/GoalStatusArray", latched=True)
    told = {s.goal_info.goal_id.uuid[0]: s.status for s in status.wait_next(5).value.status_list}
    assert told == {2: 5, 3: 6, 4: 6}


def test_robots_are_spawned_found_put_and_taken_away(run):
    pkg = "simulation_interfaces/srv"
    pose = {"header": {"frame_id": "map"}, "pose": {"position": [4, 5, 6], "orientation": (0.8, 0, 0, 0.6)}}
    made = run.call("/volery/spawn_entity", f"{pkg}/SpawnEntity", name="two", uri="x500", initial_pose=pose)
    assert (made.result.result, made.entity_name) == (1, "two")
    again = run.call("/volery/spawn_entity", f"{pkg}/SpawnEntity", name="two", uri="x500")
    assert again.result.result == 101
    other = run.call("/volery/spawn_entity", f"{pkg}/SpawnEntity", name="two", uri="hexa", allow_renaming=True)
    assert other.entity_name == "two_2"
    yaml = run.call(
        "/volery/spawn_entity", f"{pkg}/SpawnEntity", name="three", resource_string="{type: quad, sensors: {gps: gps}}"
    )
    assert yaml.result.result == 1 and "gps" in run.simulation.sensors["three"]
    for wrong, code in (
        ({"uri": "x5000"}, 2),
        ({}, 104),
        ({"resource_string": "]"}, 106),
        ({"resource_string": "a"}, 106),
    ):
        refused = run.call("/volery/spawn_entity", f"{pkg}/SpawnEntity", name="no", **wrong)
        assert refused.result.result == code, wrong
    found = run.call("/volery/get_entities", f"{pkg}/GetEntities", filters={"filter": "^two"})
    assert found.entities == ["two", "two_2"]
    state = run.call("/volery/get_entity_state", f"{pkg}/GetEntityState", entity="two").state
    assert state.header.frame_id == "map" and state.pose.position.x == pytest.approx(4, abs=0.5)
    there = {"pose": {"position": [-3, 0, 20], "orientation": (1, 0, 0, 0)}, "twist": {"linear": [0, 2, 0]}}
    run.call("/volery/pause", "std_srvs/srv/Trigger")
    put = run.call("/volery/set_entity_state", f"{pkg}/SetEntityState", entity="two", state=there)
    assert put.result.result == 1
    assert run.simulation.robots["two"].p_WB.tolist() == [-3, 0, 20]
    assert run.simulation.robots["two"].v_WB_W.tolist() == [0, 2, 0]
    bad = {"pose": {"position": [0, 0, 0], "orientation": (3, 0, 0, 0)}}
    assert run.call("/volery/set_entity_state", f"{pkg}/SetEntityState", entity="two", state=bad).result.result == 109
    assert "x500" in [s.uri for s in run.call("/volery/get_spawnables", f"{pkg}/GetSpawnables").spawnables]
    assert 0 in run.call("/volery/get_simulator_features", f"{pkg}/GetSimulatorFeatures").features.features
    assert run.call("/volery/reset_simulation", f"{pkg}/ResetSimulation", scope=4).result.result == 1
    assert list(run.simulation.robots) == ["uav1"]


def test_time_is_held_stepped_and_set_back(run):
    pkg = "simulation_interfaces/srv"

    def state():
        return run.call("/volery/get_simulation_state", f"{pkg}/GetSimulationState").state.state

    def go_to(number):
        return run.call(
            "/volery/set_simulation_state", f"{pkg}/SetSimulationState", state={"state": number}
        ).result.result

    assert state() == 1 and go_to(1) == 101
    assert run.call("/volery/step_simulation", f"{pkg}/StepSimulation", steps=1).result.result == 3
    assert go_to(2) == 1 and state() == 2
    before = run.simulation.clock.steps
    assert run.call("/volery/step_simulation", f"{pkg}/StepSimulation", steps=5).result.result == 1
    assert run.simulation.clock.steps == before + 5
    assert run.call("/volery/step", "std_srvs/srv/Trigger").success and run.simulation.clock.steps == before + 6
    kind = "simulation_interfaces/action/SimulateSteps"
    sent = run.call("/volery/simulate_steps/_action/send_goal", f"{kind}_SendGoal", goal_id={"uuid": [1] * 16},
                    goal={"steps": 4})  # fmt: skip
    ended = run.call("/volery/simulate_steps/_action/get_result", f"{kind}_GetResult", goal_id={"uuid": [1] * 16})
    assert sent.accepted and ended.status == 4 and run.simulation.clock.steps == before + 10
    assert run.call("/volery/reset_simulation", f"{pkg}/ResetSimulation", scope=1).result.result == 0
    assert run.call("/volery/reset", "std_srvs/srv/Trigger").success and run.simulation.clock.steps == 0
    assert go_to(7) == 0 and go_to(1) == 1
    eventually(lambda: run.simulation.clock.steps > 3, 20)
    assert go_to(3) == 1
    run.thread.join(20)
    assert not run.thread.is_alive()


def test_properties_are_parameters(run):
    pkg = "rcl_interfaces/srv"
    rate, walk = "robots.uav1.sensors.cam.rate", "robots.uav1.sensors.cam.pan_range_deg"

    def get(*names):
        return run.call("/volery/get_parameters", f"{pkg}/GetParameters", names=list(names)).values

    def put(name, kind="SetParameters", **value):
        return run.call(f"/volery/{'set_parameters' if kind == 'SetParameters' else 'set_parameters_atomically'}",
                        f"{pkg}/{kind}", parameters=[{"name": name, "value": value}])  # fmt: skip

    names = run.call(
        "/volery/list_parameters", f"{pkg}/ListParameters", prefixes=["robots.uav1.sensors.cam"]
    ).result.names
    assert rate in names and all(n.startswith("robots.uav1.sensors.cam.") for n in names)
    value, vector, missing, fog = get(rate, walk, "no.such", "environment.weather.fog")
    assert (value.type, value.double_value) == (3, 0.01)
    assert vector.type == 8 and vector.double_array_value.tolist() == [-180, 180]
    assert missing.type == 0 and fog.type in (0, 3)
    assert put(rate, type=3, double_value=2.0).results[0].successful
    assert run.simulation.sensor("uav1", "cam").config.rate == 2.0
    refused = put(rate, type=3, double_value=-1.0).results[0]
    assert not refused.successful and "rate" in refused.reason
    assert "did you mean" in put("robots.uav1.sensors.cam.rat", type=3, double_value=1.0).results[0].reason
    both = run.call("/volery/set_parameters_atomically", f"{pkg}/SetParametersAtomically", parameters=[
        {"name": rate, "value": {"type": 3, "double_value": 4.0}},
        {"name": rate, "value": {"type": 4, "string_value": "fast"}}])  # fmt: skip
    assert not both.result.successful and run.simulation.sensor("uav1", "cam").config.rate == 2.0
    (about,) = run.call("/volery/describe_parameters", f"{pkg}/DescribeParameters", names=[rate]).descriptors
    assert about.floating_point_range[0].to_value == 1e6 and "[Hz]" in about.description
    assert put("loop.speed", type=3, double_value=2.0).results[0].successful and run.loop.speed == 2.0


def test_pictures_are_taken_and_controls_are_worked(run):
    pictures = run.bus.subscribe("/uav1/cam/image_raw", "sensor_msgs/msg/Image", depth=10)
    eventually(lambda: run.bus.publishers["/uav1/cam/image_raw"].wanted)
    answer = run.call("/uav1/cam/take_picture", "std_srvs/srv/Trigger")
    message = pictures.wait_next(10)
    assert answer.success and f"{message.stamp_ns / 1e9:.9f} s" in answer.message
    assert run.call("/uav1/odometry/reset", "std_srvs/srv/Trigger").success


def test_bad_requests_are_refused_and_nothing_breaks(run):
    with pytest.raises(BusError, match="nobody answered"):
        run.bus.call("/volery/nothing", "std_srvs/srv/Trigger", timeout=0.5)
    session = run.bus._session
    key = f"0/volery/pause/std_srvs::srv::dds_::Trigger_/{service_hash('std_srvs/srv/Trigger')}"
    random = np.random.default_rng(1)
    for _ in range(30):
        payload, attachment = random.bytes(int(random.integers(0, 40))), random.bytes(int(random.integers(0, 40)))
        replies = list(session.get(key, payload=payload, attachment=attachment, timeout=5.0))
        assert all(reply.ok is None for reply in replies)
    assert not run.loop.paused
    assert run.call("/volery/pause", "std_srvs/srv/Trigger").success and run.loop.paused


def test_a_second_simulation_leaves_the_services_to_the_first(run, caplog):
    simulation = Simulation(read_scenario("world: empty"))
    with Bus(BusConfig(connect=[f"tcp/127.0.0.1:{run.port}"], node="second")) as bus:
        door = Ros2(simulation, Loop(simulation, RealTimePace(1.0)), Ros2Config(port=0))
        door.attach(bus)
        assert "another simulation answers services" in caplog.text and not bus.services
        door.close()
