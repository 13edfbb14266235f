"""Messages of the MRS system that ROS itself does not have, as its ROS 2 packages define them."""

from __future__ import annotations

__all__ = ["DEFINITIONS"]

_HEADER = "std_msgs/Header header\n"
_STAMP = "builtin_interfaces/Time stamp\n"

DEFINITIONS = {
    "mrs_msgs/msg/HwApiStatus": _STAMP + "bool connected\nbool armed\nbool offboard\nstring mode\n",
    "mrs_msgs/msg/HwApiCapabilities": _STAMP + """string api_name
bool accepts_actuator_cmd
bool accepts_attitude_cmd
bool accepts_attitude_rate_cmd
bool accepts_control_group_cmd
bool accepts_acceleration_hdg_rate_cmd
bool accepts_acceleration_hdg_cmd
bool accepts_velocity_hdg_rate_cmd
bool accepts_velocity_hdg_cmd
bool accepts_position_cmd
bool produces_ground_truth
bool produces_gnss
bool produces_gnss_status
bool produces_rtk
bool produces_imu
bool produces_distance_sensor
bool produces_altitude
bool produces_magnetometer_heading
bool produces_rc_channels
bool produces_battery_state
bool produces_position
bool produces_orientation
bool produces_velocity
bool produces_angular_velocity
bool produces_odometry
bool produces_magnetic_field
""",
    "mrs_msgs/msg/HwApiRcChannels": _STAMP + "float64[] channels\n",
    "mrs_msgs/msg/HwApiAltitude": _STAMP + "float64 amsl\n",
    "mrs_msgs/msg/Float64Stamped": _HEADER + "float64 value\n",
    "mrs_msgs/msg/GpsInfo": _STAMP + """uint8 fix_type
float64 lat
float64 lon
float32 alt
uint16 eph
uint16 epv
float32 vel
float32 cog
uint8 satellites_visible
float32 alt_ellipsoid
float32 h_acc
float32 v_acc
float32 vel_acc
float32 hdg_acc
float32 yaw
uint8 dgps_num_sats
float32 dgps_age
float32 baseline_dist
""",
    "mrs_msgs/msg/GpsData": "float64 latitude\nfloat64 longitude\nfloat64 altitude\nfloat64[9] covariance\n",
    "mrs_msgs/msg/RtkFixType": "uint8 fix_type\n",
    "mrs_msgs/msg/RtkGps":
        _HEADER + "mrs_msgs/GpsData gps\nsensor_msgs/NavSatStatus status\nmrs_msgs/RtkFixType fix_type\n",
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
