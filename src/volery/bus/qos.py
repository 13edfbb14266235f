"""Quality of service: what a publisher offers, as rmw_zenoh's tokens and as recordings tell it."""

from __future__ import annotations

from dataclasses import dataclass

import yaml

__all__ = ["Qos", "offered", "was_latched"]

_FOREVER = {"sec": 9223372036, "nsec": 854775807}
"""How ROS 2 writes that there is no deadline and no end of life."""


@dataclass(frozen=True)
class Qos:
    """Keeps the last `depth` messages; the same for publishers, listeners and services."""

    depth: int = 10
    reliable: bool = True
    latched: bool = False
    """Transient local: who comes late gets the last messages too."""

    def token(self) -> str:
        """The text in a liveliness token: rmw_zenoh writes only what differs from its defaults, and the depth."""
        return f"{'' if self.reliable else '2'}:{'1' if self.latched else ''}:,{self.depth}:,:,:,,"

    @staticmethod
    def parse(text: str) -> Qos:
        """From a token; what it does not say is the default."""
        parts = text.split(":")
        depth = parts[2].split(",")[-1] if len(parts) > 2 else ""
        known = depth.isascii() and depth.isdigit() and len(depth) < 19
        return Qos(int(depth) if known else 10, parts[0] != "2", len(parts) > 1 and parts[1] == "1")


def offered(qos: Qos) -> str:
    """`offered_qos_profiles` of a recorded topic, in the numbers that rosbag2 of all ages reads."""
    profile = {
        "history": 1,
        "depth": qos.depth,
        "reliability": 1 if qos.reliable else 2,
        "durability": 1 if qos.latched else 2,
        "deadline": _FOREVER,
        "lifespan": _FOREVER,
        "liveliness": 1,
        "liveliness_lease_duration": _FOREVER,
        "avoid_ros_namespace_conventions": False,
    }
    return yaml.safe_dump([profile], sort_keys=False)


def was_latched(profiles: str | None) -> bool:
    """Whether a recorded topic was, by its `offered_qos_profiles`; in the words of newer recordings too."""
    try:
        found = yaml.safe_load(profiles or "[]")
        return any(profile.get("durability") in (1, "transient_local") for profile in found)
    except (yaml.YAMLError, AttributeError, TypeError):
        return False
