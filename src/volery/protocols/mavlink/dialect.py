"""MAVLink's messages and numbers, by pymavlink: imported only when a door is opened, since it is an extra."""

from __future__ import annotations

from volery.errors import LibraryError

try:
    # ArduPilot's dialect holds all of `common`, which PX4 speaks.
    from pymavlink.dialects.v20 import ardupilotmega as mav
except ImportError as error:
    raise LibraryError(f"MAVLink needs pymavlink: pip install 'volery[mavlink]' ({error})") from None

__all__ = ["AUTOPILOT", "CAMERA", "GIMBAL", "mav"]

AUTOPILOT = mav.MAV_COMP_ID_AUTOPILOT1
CAMERA = mav.MAV_COMP_ID_CAMERA
GIMBAL = mav.MAV_COMP_ID_GIMBAL
"""Components of a vehicle that speak."""
