"""A stand-in for the JVM client of the SARL project on AirSim: its MessagePack, its types, its calls in their order.

Written from what that client does on the wire: floats in single precision, texts as raw bytes without the newer types,
enumerations as ordinals, objects as maps, a connection for each skill. It reads structures strictly: a key that its
classes do not have ends the call, as with theirs.
"""

import itertools
import socket

import msgpack

VECTOR = {"x_val", "y_val", "z_val"}
QUATERNION = {"w_val", *VECTOR}
POSE = {"position": VECTOR, "orientation": QUATERNION}
KINEMATICS = {
    **POSE, "linear_velocity": VECTOR, "angular_velocity": VECTOR, "linear_acceleration": VECTOR,
    "angular_acceleration": VECTOR,
}  # fmt: skip
COLLISION = {
    "has_collided": bool, "normal": VECTOR, "impact_point": VECTOR, "position": VECTOR, "penetration_depth": float,
    "time_stamp": int, "collision_count": int, "object_name": str, "object_id": int,
}  # fmt: skip
RC = {
    "timestamp": int, "pitch": float, "roll": float, "throttle": float, "yaw": float, "left_z": float,
    "right_z": float, "switches": int, "vendor_id": str, "is_initialized": bool, "is_valid": bool,
}  # fmt: skip
STATE = {
    "collision": COLLISION, "kinematics_estimated": KINEMATICS, "kinematics_state_true": KINEMATICS,
    "gps_location": {"latitude": float, "longitude": float, "altitude": float}, "timestamp": int,
    "landed_state": int, "rc_data": RC, "controller_messages": list,
}  # fmt: skip
LANDED, FLYING = 0, 1
MAX_DEGREE_OF_FREEDOM = 0
YAW_MODE = {"is_rate": True, "yaw_or_rate": 0.0}
OURS = {"ready", "ready_message", "can_arm"}
"""Keys that our server's MultirotorState has beside AirSim's."""


def read(value, kind, where):
    """The value, if the client's class of this kind could take it."""
    if isinstance(kind, dict | set):
        assert isinstance(value, dict), f"{where}: {value!r} is no map"
        for key, part in value.items():
            assert key in kind, f"field {key} could not be deserialised: not in {where}"
            read(part, kind[key] if isinstance(kind, dict) else float, f"{where}.{key}")
    elif kind is float:
        assert isinstance(value, float | int) and not isinstance(value, bool), f"{where}: {value!r} is no number"
    else:
        assert isinstance(value, kind), f"{where}: {value!r} is no {kind.__name__}"
    return value


class JvmConnection:
    """One `Client` of its msgpack-rpc: calls one after the other; futures are read when they come."""

    def __init__(self, port):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._unpacker = msgpack.Unpacker(raw=False, strict_map_key=False)
        self._numbers = itertools.count(1)
        self._underway = {}
        self.finished = []
        """Methods whose futures have been answered, with the answers."""

    def begin(self, method, *arguments):
        """`…Async`: the answer comes when the manoeuvre is over."""
        number = next(self._numbers)
        packed = msgpack.packb([0, number, method, list(arguments)], use_single_float=True, use_bin_type=False)
        self._socket.sendall(packed)
        self._underway[number] = method
        return number

    def call(self, method, *arguments):
        wanted = self.begin(method, *arguments)
        while True:
            for _, number, error, result in self._unpacker:
                assert error is None, f"{self._underway[number]}: {error}"
                method = self._underway.pop(number)
                if number == wanted:
                    return result
                self.finished.append((method, result))
            data = self._socket.recv(1 << 16)
            assert data, "the server hung up"
            self._unpacker.feed(data)

    def close(self):
        self._socket.close()


class SarlController:
    """The controller agent with its four skills, each with a connection: the fixed-step, blocking, batched strategy."""

    STEP = 0.2

    def __init__(self, port, pool):
        self.pool = list(pool)
        self.control, self.bodies, self.simulation, self.multirotor = (JvmConnection(port) for _ in range(4))
        self.affected = {}
        """Body by agent, first come, first served."""
        for name in self.pool:
            self.bodies.call("enableApiControl", True, name)
        self.control.call("simPause", True)

    def take_off(self, agent):
        """The first influence of an agent gets it a body."""
        name = self._body(agent)
        self.bodies.begin("takeoff", 5.0, name)

    def move_by_velocity(self, agent, vx, vy, vz, duration):
        arguments = (vx, vy, vz, duration, MAX_DEGREE_OF_FREEDOM, YAW_MODE, self._body(agent))
        self.bodies.begin("moveByVelocity", *arguments)

    def perceive(self, agent):
        """State, pose and kinematics, in the order and by the skills of the original."""
        name = self.affected[agent]
        state = self.multirotor.call("getMultirotorState", name)
        read({k: v for k, v in state.items() if k not in OURS}, STATE, "MultirotorState")
        pose = read(self.simulation.call("simGetObjectPose", name), POSE, "Pose")
        motion = self.simulation.call("simGetGroundTruthKinematics", name)
        return state, pose, read(motion, KINEMATICS, "KinematicsState")

    def go_on(self):
        """Once all influences are propagated."""
        self.control.call("simContinueForTime", self.STEP)

    def close(self):
        for connection in (self.control, self.bodies, self.simulation, self.multirotor):
            connection.close()

    def _body(self, agent):
        if agent not in self.affected:
            self.affected[agent] = name = self.pool[len(self.affected)]
            self.bodies.call("enableApiControl", True, name)
            self.perceive(agent)
        return self.affected[agent]
