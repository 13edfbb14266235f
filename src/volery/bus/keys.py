"""How rmw_zenoh names things on the wire: key expressions of topics, liveliness tokens, and attachments.

    topic       <domain>/<topic>/<dds type>/<type hash>
    node        @ros2_lv/<domain>/<session>/<node>/<node>/NN/<enclave>/<namespace>/<name>
    endpoint    @ros2_lv/<domain>/<session>/<node>/<entity>/<MP, MS, SS or SC>/<enclave>/<namespace>/<name>
                /<topic>/<type>/<hash>/<qos>
    attachment  int64 sequence, int64 source time [ns], one length byte 0x10, 16 bytes that name the publisher

In tokens '/' is written '%'; an empty namespace or enclave is '%'.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field

from volery.bus.qos import Qos
from volery.errors import BusError

__all__ = [
    "CLIENT", "PUBLISHER", "SERVICE", "SUBSCRIBER", "Attachment", "Endpoint", "check_topic", "dds_name", "ros_name",
    "topic_key",
]  # fmt: skip

PUBLISHER, SUBSCRIBER, SERVICE, CLIENT = "MP", "MS", "SS", "SC"

_KINDS = (PUBLISHER, SUBSCRIBER, SERVICE, CLIENT)
_TOPIC = re.compile(r"(/[A-Za-z_][A-Za-z0-9_]*)+")
_DDS = re.compile(r"([a-zA-Z0-9_]+)::(msg|srv|action)::dds_::([A-Za-z0-9_]+)_")
_ATTACHMENT = struct.Struct("<qqB16s")


def check_topic(topic: str) -> str:
    """The topic, if it is a name that ROS 2 accepts."""
    if not _TOPIC.fullmatch(topic):
        raise BusError(
            f"topic '{topic}': write /name/name, of letters, digits and '_', each name beginning with no digit"
        )
    return topic


def dds_name(message_type: str) -> str:
    """'std_msgs/msg/String' as 'std_msgs::msg::dds_::String_'."""
    package, kind, name = message_type.split("/")
    return f"{package}::{kind}::dds_::{name}_"


def ros_name(dds: str) -> str | None:
    """The way back; None for what is no such name."""
    match = _DDS.fullmatch(dds)
    return "/".join(match.groups()) if match else None


def topic_key(domain: int, topic: str, message_type: str | None, hash_: str | None) -> str:
    """Key expression of a topic; a type of None stands for any."""
    kind = "*" if message_type is None else dds_name(message_type)
    return f"{domain}/{topic.strip('/')}/{kind}/{hash_ or '*'}"


@dataclass(frozen=True)
class Attachment:
    """What goes with every message."""

    sequence: int
    stamp_ns: int
    publisher: bytes

    def encode(self) -> bytes:
        """As bytes."""
        return _ATTACHMENT.pack(self.sequence, self.stamp_ns, 16, self.publisher)

    @staticmethod
    def decode(data: bytes | None) -> Attachment | None:
        """From bytes; None where there is none, or none that can be read."""
        if data is None or len(data) != _ATTACHMENT.size:
            return None
        sequence, stamp, length, publisher = _ATTACHMENT.unpack(data)
        return Attachment(sequence, stamp, publisher) if length == 16 else None


@dataclass(frozen=True)
class Endpoint:
    """A publisher, subscriber, service or client as its liveliness token tells it."""

    domain: int
    session: str
    node_id: int
    entity_id: int
    kind: str
    node: str
    topic: str
    message_type: str
    type_hash: str
    qos: Qos = field(default_factory=Qos)

    def token(self) -> str:
        """The endpoint's liveliness key expression."""
        topic = self.topic.replace("/", "%")
        return (
            f"@ros2_lv/{self.domain}/{self.session}/{self.node_id}/{self.entity_id}/{self.kind}/%/%/{self.node}/"
            f"{topic}/{dds_name(self.message_type)}/{self.type_hash}/{self.qos.token()}"
        )

    def node_token(self) -> str:
        """The liveliness key expression of the node that it belongs to."""
        return f"@ros2_lv/{self.domain}/{self.session}/{self.node_id}/{self.node_id}/NN/%/%/{self.node}"

    @staticmethod
    def parse(token: str) -> Endpoint | None:
        """An endpoint from its token; None for nodes and what cannot be read."""
        parts = token.split("/")
        if len(parts) != 13 or parts[0] != "@ros2_lv" or parts[5] not in _KINDS:
            return None
        domain, session, node_id, entity_id, kind, _, space, node, topic, dds, hash_, qos = parts[1:]
        name = ros_name(dds)
        if name is None or not (domain.isascii() and domain.isdigit() and _number(node_id) and _number(entity_id)):
            return None
        full = node if space == "%" else f"{space.replace('%', '/').strip('/')}/{node}"
        fields = (int(domain), session, int(node_id), int(entity_id), kind, full, topic.replace("%", "/"))
        return Endpoint(*fields, name, hash_, Qos.parse(qos))


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 19
