"""Run by the system's Python: hears topics with ROS 1's own message classes, and tells what came as JSON."""

import json
import sys
import threading

import rospy
from nav_msgs.msg import Odometry
from rosgraph_msgs.msg import Clock
from sensor_msgs import point_cloud2
from sensor_msgs.msg import CompressedImage, Imu, PointCloud2, Range
from tf2_msgs.msg import TFMessage

rospy.init_node("listen", disable_signals=True)
heard, all_there = {}, threading.Event()
frames = {}


def cloud(message):
    points = list(point_cloud2.read_points(message, ("x", "y", "z", "intensity"), skip_nans=True))
    return {"width": message.width, "frame": message.header.frame_id, "points": len(points), "first": points[0]}


TOPICS = {
    "/uav1/lidar/points": (PointCloud2, cloud),
    "/uav1/rgbd/image_raw/compressed": (
        CompressedImage, lambda m: {"format": m.format, "jpeg": bytes(m.data[:3]).hex(), "size": len(m.data)}),
    "/multirotor_simulator/uav1/odom": (
        Odometry, lambda m: {"frame": m.header.frame_id, "child": m.child_frame_id, "z": m.pose.pose.position.z}),
    "/multirotor_simulator/uav1/rangefinder": (Range, lambda m: {"range": m.range, "most": m.max_range}),
    "/multirotor_simulator/uav1/imu": (Imu, lambda m: {"z": m.linear_acceleration.z, "stamp": m.header.stamp.to_sec()}),
    "/clock": (Clock, lambda m: m.clock.to_sec()),
}  # fmt: skip


def take(topic, read):
    def hear(message):
        heard.setdefault(topic, read(message))
        look()

    return hear


def hear_frames(message):
    for t in message.transforms:
        frames[t.child_frame_id] = t.header.frame_id
    look()


def look():
    if len(heard) == len(TOPICS) and "uav1/fcu" in frames and "uav1/lidar" in frames:
        all_there.set()


for name, (kind, read) in TOPICS.items():
    rospy.Subscriber(name, kind, take(name, read))
for name in ("/tf", "/tf_static"):
    rospy.Subscriber(name, TFMessage, hear_frames)
all_there.wait(float(sys.argv[1]))
sys.stdout.write(json.dumps({"heard": heard, "frames": frames}))
rospy.signal_shutdown("done")
