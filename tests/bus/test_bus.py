"""Topics over Zenoh: names as rmw_zenoh has them, one publisher each, both ways to read, and nobody who waits."""

import signal
import struct
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bus_rig import TEXT, eventually, free_port, text
from volery.bus.bus import Bus, BusConfig
from volery.bus.keys import Attachment, Endpoint, check_topic, dds_name, ros_name, topic_key
from volery.bus.qos import Qos
from volery.bus.types import decode, definition, encode, message_class, type_hash
from volery.errors import BusError, UnknownNameError


@pytest.fixture
def address():
    return f"tcp/127.0.0.1:{free_port()}"


@pytest.fixture
def pair(address):
    """A router and a peer of it, as two processes would have."""
    with Bus(BusConfig(listen=[address])) as a, Bus(BusConfig(connect=[address], node="other")) as b:
        yield a, b


# Names on the wire


def test_keys_are_those_of_rmw_zenoh():
    hash_ = type_hash(TEXT)
    assert hash_.startswith("RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18")
    assert topic_key(0, "/chatter", TEXT, hash_) == f"0/chatter/std_msgs::msg::dds_::String_/{hash_}"
    endpoint = Endpoint(0, "aac3178e146ba6f1fc6e6a4085e77f21", 0, 10, "MP", "talker", "/chatter", TEXT, hash_, Qos(10))
    assert endpoint.token() == (
        "@ros2_lv/0/aac3178e146ba6f1fc6e6a4085e77f21/0/10/MP/%/%/talker/%chatter/std_msgs::msg::dds_::String_/"
        f"{hash_}/::,10:,:,:,,"
    )
    assert endpoint.node_token() == "@ros2_lv/0/aac3178e146ba6f1fc6e6a4085e77f21/0/0/NN/%/%/talker"
    assert Endpoint.parse(endpoint.token()) == endpoint


def test_attachments_are_33_bytes():
    data = Attachment(7, -1, b"0123456789abcdef").encode()
    assert data == struct.pack("<qq", 7, -1) + b"\x10" + b"0123456789abcdef"
    assert Attachment.decode(data) == Attachment(7, -1, b"0123456789abcdef")


@given(st.binary(max_size=64))
def test_any_attachment_is_read_or_left(data):
    found = Attachment.decode(data)
    assert found is None or found.encode() == data


@given(
    st.text(max_size=200) | st.lists(st.text(alphabet="@ros2_lvMPS%0123:,/a", max_size=12), max_size=14).map("/".join)
)
def test_any_token_is_read_or_left(token):
    found = Endpoint.parse(token)
    assert found is None or found.topic is not None


@pytest.mark.parametrize("bad", ["", "/", "chatter", "/a//b", "/a b", "/1a", "/a/**", "/ü", "/a/"])
def test_topics_that_ros_would_not_take_are_refused(bad):
    with pytest.raises(BusError, match="topic"):
        check_topic(bad)


def test_type_names_go_both_ways():
    assert ros_name(dds_name("sensor_msgs/msg/PointCloud2")) == "sensor_msgs/msg/PointCloud2"
    assert ros_name("nonsense") is None
    with pytest.raises(UnknownNameError, match="did you mean"):
        message_class("std_msgs/msg/Sting")
    assert "string data" in definition(TEXT)


@given(st.binary(max_size=200))
def test_bytes_that_are_no_message_are_a_clear_error(data):
    for name in (TEXT, "sensor_msgs/msg/PointCloud2", "nav_msgs/msg/Odometry"):
        try:
            decode(data, name)
        except BusError as error:
            assert name in str(error)


# Publish and read


def test_latest_never_waits_and_next_does(pair):
    a, b = pair
    subscriber = b.subscribe("/uav1/words", TEXT)
    assert subscriber.latest() is None and subscriber.age is None
    began = time.monotonic()
    assert subscriber.wait_next(0.05) is None
    assert time.monotonic() - began >= 0.05
    publisher = a.advertise("/uav1/words", TEXT)
    eventually(lambda: publisher.wanted)
    publisher.put(text("one"), 5_000_000_000)
    message = subscriber.wait_next(2.0)
    assert (message.value.data, message.stamp_ns, message.sequence) == ("one", 5_000_000_000, 1)
    assert subscriber.latest() is message and subscriber.latest() is message
    assert subscriber.wait_next(0.02) is None, "a message is next only once"
    assert subscriber.count == 1 and subscriber.lost == 0 and 0 <= subscriber.age < 2


def test_a_deep_subscriber_reads_all_in_order(pair):
    a, b = pair
    subscriber = b.subscribe("/n", TEXT, depth=100)
    publisher = a.advertise("/n", TEXT, depth=100)
    eventually(lambda: publisher.wanted)
    for i in range(60):
        publisher.put(text(str(i)), i)
    assert [subscriber.wait_next(2.0).value.data for _ in range(60)] == [str(i) for i in range(60)]
    assert subscriber.overrun == 0


def test_a_shallow_subscriber_keeps_the_newest(pair):
    a, b = pair
    subscriber = b.subscribe("/n", TEXT, depth=1)
    publisher = a.advertise("/n", TEXT, depth=100)
    eventually(lambda: publisher.wanted)
    for i in range(20):
        publisher.put(text(str(i)), i)
    eventually(lambda: subscriber.count == 20)
    assert subscriber.wait_next(1.0).value.data == "19"
    assert subscriber.overrun == 19


def test_a_second_publisher_is_refused_and_the_first_goes_on(pair):
    a, b = pair
    publisher = a.advertise("/only", TEXT)
    subscriber = b.subscribe("/only", TEXT)
    with pytest.raises(BusError, match="already published by node 'volery'"):
        b.advertise("/only", TEXT)
    with pytest.raises(BusError, match="by this process already"):
        a.advertise("/only", TEXT)
    eventually(lambda: publisher.wanted)
    publisher.put(text("still here"), 1)
    assert subscriber.wait_next(2.0).value.data == "still here"
    publisher.close()
    with pytest.raises(BusError, match="closed"):
        publisher.put(text("no more"), 2)
    eventually(lambda: not [t for t in b.topics() if t.topic == "/only" and t.publishers])
    b.advertise("/only", TEXT)


def test_shared_topics_have_many_publishers(pair):
    a, b = pair
    a.advertise("/tf", "tf2_msgs/msg/TFMessage", shared=True)
    b.advertise("/tf", "tf2_msgs/msg/TFMessage", shared=True)


def test_a_topic_without_listeners_costs_nothing(pair):
    a, b = pair
    publisher = a.advertise("/quiet", TEXT)
    assert not publisher.wanted
    subscriber = b.subscribe("/quiet", TEXT)
    eventually(lambda: publisher.wanted)
    subscriber.close()
    eventually(lambda: not publisher.wanted)


def test_topics_of_the_network(pair):
    a, b = pair
    a.advertise("/one", TEXT)
    b.subscribe("/one", TEXT)
    b.subscribe("/nobody", "sensor_msgs/msg/Imu")
    eventually(lambda: len(a.topics()) == 2)
    rows = {row.topic: row for row in a.topics()}
    assert (rows["/one"].publishers, rows["/one"].subscribers) == (("volery",), ("other",))
    assert (rows["/nobody"].publishers, rows["/nobody"].message_type) == ((), "sensor_msgs/msg/Imu")


def test_taps_see_what_matches_before_anyone_listens(address):
    with Bus(BusConfig(listen=[address])) as bus:
        early, seen = bus.advertise("/uav1/a", TEXT), []

        def tap(publisher, stamp, data):
            seen.append((publisher.topic, stamp, decode(data, TEXT).data))

        bus.tap(tap, ("/uav1/*",))
        late, other = bus.advertise("/uav1/b", TEXT), bus.advertise("/uav2/a", TEXT)
        assert early.wanted and late.wanted and not other.wanted
        early.put(text("x"), 1)
        late.put(text("y"), 2)
        other.put(text("z"), 3)
        assert seen == [("/uav1/a", 1, "x"), ("/uav1/b", 2, "y")]
        bus.untap(tap)
        assert not early.wanted


def test_a_reader_that_stands_still_holds_up_nobody(pair, address):
    """A stopped process takes nothing off its socket; putting stays quick, and others get all."""
    code = f"""
import sys
from volery.bus.bus import Bus, BusConfig
bus = Bus(BusConfig(connect=["{address}"]))
bus.subscribe("/big", "std_msgs/msg/UInt8MultiArray")
print("ready", flush=True)
sys.stdin.readline()
"""
    big = message_class("std_msgs/msg/UInt8MultiArray")
    layout = message_class("std_msgs/msg/MultiArrayLayout")(dim=[], data_offset=0)
    message = big(layout=layout, data=np.zeros(500_000, np.uint8))
    a, b = pair
    stuck = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert stuck.stdout.readline() == "ready\n"
        stuck.send_signal(signal.SIGSTOP)
        subscriber = b.subscribe("/big", "std_msgs/msg/UInt8MultiArray")
        publisher = a.advertise("/big", "std_msgs/msg/UInt8MultiArray", depth=100)
        eventually(lambda: publisher.wanted)
        waits = []
        for i in range(100):
            began = time.perf_counter()
            publisher.put(message, i)
            waits.append(time.perf_counter() - began)
            time.sleep(0.01)
        assert np.median(waits) < 0.005 and max(waits) < 0.2
        eventually(lambda: subscriber.latest().sequence == 100, 10.0)
        assert subscriber.lost == 0
    finally:
        stuck.kill()
        stuck.wait()


def test_connecting_to_nobody_is_a_clear_error(address):
    with pytest.raises(BusError, match="nobody answers at tcp/127"):
        Bus(BusConfig(connect=[address]))
    with pytest.raises(BusError, match="nonsense"):
        Bus(BusConfig(listen=["nonsense"]))


def test_the_same_message_gives_the_same_bytes():
    one = message_class("geometry_msgs/msg/Point")(x=1.0, y=2.0, z=3.0)
    assert bytes(encode(one)) == bytes(encode(one))
    assert bytes(encode(one))[:4] == b"\x00\x01\x00\x00"


def test_a_topic_can_be_ended_while_it_is_being_sent(pair):
    a, b = pair
    subscriber = b.subscribe("/busy", TEXT)
    for _ in range(20):
        publisher = a.advertise("/busy", TEXT)
        eventually(lambda publisher=publisher: publisher.wanted)
        for _ in range(30):
            publisher.put(text("x" * 100_000), 1)
        publisher.close()
    eventually(lambda: subscriber.count > 0)
