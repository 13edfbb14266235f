"""Services and actions that are answered, as their ROS 2 packages define them, and what they are made of."""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["ACTIONS", "MESSAGES", "SERVICES", "parts_of_action", "parts_of_service"]

_RESULT = "simulation_interfaces/Result result\n"
_EMPTY = "uint8 structure_needs_at_least_one_member\n"
"""What ROS 2 makes of a message without fields."""

MESSAGES = {
    "simulation_interfaces/msg/Result": "uint8 result\nstring error_message\n",
    "simulation_interfaces/msg/EntityState": """std_msgs/Header header
geometry_msgs/Pose pose
geometry_msgs/Twist twist
geometry_msgs/Accel acceleration
""",
    "simulation_interfaces/msg/SimulationState": "uint8 state\n",
    "simulation_interfaces/msg/SimulatorFeatures":
        "uint16[] features\nstring[] spawn_formats\nstring custom_info\n",
    "simulation_interfaces/msg/Bounds": "uint8 type\ngeometry_msgs/Vector3[] points\n",
    "simulation_interfaces/msg/Spawnable":
        "string uri\nstring description\nsimulation_interfaces/Bounds spawn_bounds\n",
    "simulation_interfaces/msg/EntityCategory": "uint8 category\n",
    "simulation_interfaces/msg/TagsFilter": "string[] tags\nuint8 filter_mode\n",
    "simulation_interfaces/msg/EntityFilters": """string filter
simulation_interfaces/EntityCategory[] categories
simulation_interfaces/TagsFilter tags
simulation_interfaces/Bounds bounds
""",
}  # fmt: skip

SERVICES = {
    "std_srvs/srv/Trigger": ("", "bool success\nstring message\n"),
    "std_srvs/srv/SetBool": ("bool data\n", "bool success\nstring message\n"),
    "mrs_msgs/srv/Float64Srv": ("float64 value\n", "bool success\nstring message\n"),
    "rcl_interfaces/srv/SetParameters":
        ("rcl_interfaces/Parameter[] parameters\n", "rcl_interfaces/SetParametersResult[] results\n"),
    "rcl_interfaces/srv/SetParametersAtomically":
        ("rcl_interfaces/Parameter[] parameters\n", "rcl_interfaces/SetParametersResult result\n"),
    "rcl_interfaces/srv/GetParameters": ("string[] names\n", "rcl_interfaces/ParameterValue[] values\n"),
    "rcl_interfaces/srv/GetParameterTypes": ("string[] names\n", "uint8[] types\n"),
    "rcl_interfaces/srv/ListParameters":
        ("string[] prefixes\nuint64 depth\n", "rcl_interfaces/ListParametersResult result\n"),
    "rcl_interfaces/srv/DescribeParameters":
        ("string[] names\n", "rcl_interfaces/ParameterDescriptor[] descriptors\n"),
    "action_msgs/srv/CancelGoal": (
        "action_msgs/GoalInfo goal_info\n", "int8 return_code\naction_msgs/GoalInfo[] goals_canceling\n"),
    "simulation_interfaces/srv/SpawnEntity": ("""string name
bool allow_renaming
string uri
string resource_string
string entity_namespace
geometry_msgs/PoseStamped initial_pose
""", _RESULT + "string entity_name\n"),
    "simulation_interfaces/srv/DeleteEntity": ("string entity\n", _RESULT),
    "simulation_interfaces/srv/GetEntities":
        ("simulation_interfaces/EntityFilters filters\n", _RESULT + "string[] entities\n"),
    "simulation_interfaces/srv/GetEntityState":
        ("string entity\n", _RESULT + "simulation_interfaces/EntityState state\n"),
    "simulation_interfaces/srv/SetEntityState":
        ("string entity\nsimulation_interfaces/EntityState state\n", _RESULT),
    "simulation_interfaces/srv/GetSpawnables":
        ("string[] sources\n", _RESULT + "simulation_interfaces/Spawnable[] spawnables\n"),
    "simulation_interfaces/srv/GetSimulatorFeatures": ("", "simulation_interfaces/SimulatorFeatures features\n"),
    "simulation_interfaces/srv/GetSimulationState":
        ("", "simulation_interfaces/SimulationState state\n" + _RESULT),
    "simulation_interfaces/srv/SetSimulationState": ("simulation_interfaces/SimulationState state\n", _RESULT),
    "simulation_interfaces/srv/ResetSimulation": ("uint8 scope\n", _RESULT),
    "simulation_interfaces/srv/StepSimulation": ("uint64 steps\n", _RESULT),
}  # fmt: skip
"""Texts of request and response by name; simulation_interfaces as in its versions 1, which ROS 2 Jazzy has."""

ACTIONS = {
    "nav2_msgs/action/NavigateToPose": (
        "geometry_msgs/PoseStamped pose\nstring behavior_tree\n",
        "uint16 error_code\nstring error_msg\n",
        """geometry_msgs/PoseStamped current_pose
builtin_interfaces/Duration navigation_time
builtin_interfaces/Duration estimated_time_remaining
int16 number_of_recoveries
float32 distance_remaining
""",
    ),
    "simulation_interfaces/action/SimulateSteps":
        ("uint64 steps\n", _RESULT, "uint64 completed_steps\nuint64 remaining_steps\n"),
}  # fmt: skip
"""Texts of goal, result and feedback by name, as ROS 2 Jazzy has them."""


def parts_of_service(name: str, request: str, response: str) -> Iterator[tuple[str, str]]:
    """Names and texts of the types that make up a service; the last stands for the service itself, in type hashes."""
    yield f"{name}_Request", request or _EMPTY
    yield f"{name}_Response", response or _EMPTY
    yield (
        f"{name}_Event",
        (f"service_msgs/ServiceEventInfo info\n{name}_Request[<=1] request\n{name}_Response[<=1] response\n"),
    )
    yield name, f"{name}_Request request_message\n{name}_Response response_message\n{name}_Event event_message\n"


def parts_of_action(name: str, goal: str, result: str, feedback: str) -> Iterator[tuple[str, str]]:
    """Names and texts of the types that make up an action."""
    identity = "unique_identifier_msgs/UUID goal_id\n"
    yield f"{name}_Goal", goal or _EMPTY
    yield f"{name}_Result", result or _EMPTY
    yield f"{name}_Feedback", feedback or _EMPTY
    yield f"{name}_FeedbackMessage", f"{identity}{name}_Feedback feedback\n"
    begin = (f"{identity}{name}_Goal goal\n", "bool accepted\nbuiltin_interfaces/Time stamp\n")
    yield from parts_of_service(f"{name}_SendGoal", *begin)
    yield from parts_of_service(f"{name}_GetResult", identity, f"int8 status\n{name}_Result result\n")
