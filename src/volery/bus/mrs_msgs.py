"""Messages of the MRS system that ROS itself does not have, as its ROS 2 packages define them."""

from __future__ import annotations

__all__ = ["DEFINITIONS"]

_HEADER = "std_msgs/Header header\n"
_STAMP = "builtin_interfaces/Time stamp\n"

DEFINITIONS = {
    "mrs_msgs/msg/HwApiActuatorCmd": _STAMP + "float32[] motors\n",
    "mrs_msgs/msg/HwApiControlGroupCmd": _STAMP + "float32 roll\nfloat32 pitch\nfloat32 yaw\nfloat32 throttle\n",
    "mrs_msgs/msg/HwApiAttitudeRateCmd": _STAMP + "geometry_msgs/Vector3 body_rate\nfloat64 throttle\n",
    "mrs_msgs/msg/HwApiAttitudeCmd": _STAMP + "geometry_msgs/Quaternion orientation\nfloat64 throttle\n",
    "mrs_msgs/msg/HwApiAccelerationHdgRateCmd":
        _HEADER + "geometry_msgs/Vector3 acceleration\nfloat64 heading_rate\n",
    "mrs_msgs/msg/HwApiAccelerationHdgCmd": _HEADER + "geometry_msgs/Vector3 acceleration\nfloat64 heading\n",
    "mrs_msgs/msg/HwApiVelocityHdgRateCmd": _HEADER + "geometry_msgs/Vector3 velocity\nfloat64 heading_rate\n",
    "mrs_msgs/msg/HwApiVelocityHdgCmd": _HEADER + "geometry_msgs/Vector3 velocity\nfloat64 heading\n",
    "mrs_msgs/msg/HwApiPositionCmd": _HEADER + "geometry_msgs/Point position\nfloat64 heading\n",
    "mrs_msgs/msg/MpcPredictionFullState": _HEADER + """int64 input_id
builtin_interfaces/Time[] stamps
geometry_msgs/Point[] position
geometry_msgs/Quaternion[] orientation
geometry_msgs/Vector3[] attitude_rate
geometry_msgs/Vector3[] velocity
geometry_msgs/Vector3[] acceleration
geometry_msgs/Vector3[] jerk
float64[] heading
float64[] heading_rate
float64[] heading_acceleration
float64[] heading_jerk
uint8 use_orientation
uint8 use_attitude_rate
""",
    "mrs_msgs/msg/TrackerCommand": _HEADER + """geometry_msgs/Point position
geometry_msgs/Vector3 velocity
geometry_msgs/Vector3 acceleration
geometry_msgs/Vector3 jerk
geometry_msgs/Vector3 snap
mrs_msgs/MpcPredictionFullState full_state_prediction
geometry_msgs/Quaternion orientation
geometry_msgs/Point attitude_rate
float64 throttle
float64 heading
float64 heading_rate
float64 heading_acceleration
float64 heading_jerk
bool disable_position_gains
bool disable_antiwindups
uint8 use_position_horizontal
uint8 use_position_vertical
uint8 use_velocity_horizontal
uint8 use_velocity_vertical
uint8 use_acceleration
uint8 use_jerk
uint8 use_snap
uint8 use_attitude_rate
uint8 use_heading
uint8 use_heading_rate
uint8 use_heading_acceleration
uint8 use_heading_jerk
uint8 use_orientation
uint8 use_throttle
uint8 use_full_state_prediction
""",
}  # fmt: skip
"""Definition by name. Field order and names decide the type's hash, so they are the original's."""
