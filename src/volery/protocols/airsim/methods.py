"""All methods that clients can call: importing this module makes them known."""

from __future__ import annotations

from volery.protocols.airsim import (  # noqa: F401
    car,
    control_calls,
    cosys,
    detection,
    flight_calls,
    image_calls,
    object_calls,
    radio,
    recording,
    sensor_calls,
    state_calls,
    sunlight,
    world_calls,
)
