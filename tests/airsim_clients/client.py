"""AirSim's client, or Cosys-AirSim's under the same names."""

import os

COSYS = os.environ.get("AIRSIM_CLIENT") == "cosys"
if COSYS:
    import cosysairsim as airsim

    def _angles(q):
        roll, pitch, yaw = airsim.quaternion_to_euler_angles(q)
        return pitch, roll, yaw

    airsim.to_eularian_angles = _angles
    airsim.to_quaternion = lambda pitch, roll, yaw: airsim.euler_to_quaternion(roll, pitch, yaw)
else:
    import airsim

__all__ = ["COSYS", "airsim"]
