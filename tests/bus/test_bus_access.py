"""Who may join the bus: beyond this machine only who has the token, with real peers of Zenoh on real networks."""

import json
import os
import re
import subprocess
import sys

import pytest
import zenoh

from bus_rig import (
    TEXT,
    eventually,
    free_port,
    namespace,  # noqa: F401 (a fixture)
    text,
)
from viewer_rig import FIELD
from volery.bus.bus import Bus, BusConfig
from volery.bus.session import TOKEN_VARIABLE, USER, guarded
from volery.errors import BusError

GUEST = """
import sys
from volery.bus.bus import Bus, BusConfig
from volery.errors import BusError
try:
    Bus(BusConfig(connect=[sys.argv[1]]))
except BusError as error:
    print("refused", error)
else:
    print("in")
"""


@pytest.mark.parametrize(
    ("listen", "asks"),
    [
        ([], False),
        (["tcp/127.0.0.1:7447"], False),
        (["tcp/localhost:7447", "tcp/[::1]:7447#iface=lo", "unixsock-stream//tmp/x.sock"], False),
        (["tcp/0.0.0.0:7447"], True),
        (["tcp/[::]:7447"], True),
        (["tcp/127.0.0.1:7447", "udp/192.168.1.5:7447"], True),
        (["tls/robot.lan:7447"], True),
        (["tcp/localhost.evil.example:7447"], True),
        (["serial//dev/ttyUSB0#baudrate=115200"], True),
        (["nonsense"], True),
    ],
)
def test_beyond_this_machine_a_token_is_asked_for(listen, asks):
    config = guarded(BusConfig(listen=listen))
    assert bool(config.token) == asks and (not asks or len(config.token) >= 22)
    assert guarded(BusConfig(listen=listen)).token != config.token or not asks
    assert guarded(BusConfig(listen=listen, open=True)).token == ""
    assert guarded(BusConfig(listen=listen, token="own")).token == "own"


def peer(mode, address, password=None):
    """A session of bare Zenoh, with nothing of ours."""
    config = zenoh.Config()
    settings = {"mode": mode, "connect/endpoints": [address], "listen/endpoints": [], "connect/timeout_ms": 1500,
                "connect/exit_on_failure": True, "scouting/multicast/enabled": False}  # fmt: skip
    if password is not None:
        settings |= {"transport/auth/usrpwd/user": USER, "transport/auth/usrpwd/password": password}
    for key, value in settings.items():
        config.insert_json5(key, json.dumps(value))
    return zenoh.open(config)


@pytest.mark.parametrize("mode", ["client", "peer", "router"])
def test_peers_of_zenoh_need_the_token(mode):
    port = free_port()
    with Bus(BusConfig(listen=[f"tcp/0.0.0.0:{port}"])) as bus:
        for password in (None, "", "wrong"):
            with pytest.raises(zenoh.ZError):
                peer(mode, f"tcp/127.0.0.1:{port}", password)
        session = peer(mode, f"tcp/127.0.0.1:{port}", bus.config.token)
        seen = []
        session.declare_subscriber("**", lambda sample: seen.append(str(sample.key_expr)))
        publisher = bus.advertise("/answers", TEXT)
        eventually(lambda: publisher.wanted, 20)
        publisher.put(text("hello"), 1)
        eventually(lambda: any("answers" in k for k in seen), 20)
        session.close()


def test_over_a_real_network_only_who_has_the_token_gets_in(namespace):
    prefix, host, *_ = namespace
    address = f"tcp/{host}:{free_port()}"
    with Bus(BusConfig(listen=[address])) as bus:

        def guest(token):
            around = {k: v for k, v in os.environ.items() if k != TOKEN_VARIABLE}
            around |= {} if token is None else {TOKEN_VARIABLE: token}
            command = [*prefix, sys.executable, "-c", GUEST, address]
            return subprocess.run(command, capture_output=True, text=True, env=around, timeout=120).stdout

        assert f"asks for a token: set {TOKEN_VARIABLE}" in guest(None)
        assert "or it has none" in guest("wrong")
        assert guest(bus.config.token) == "in\n"
        assert bus.topics() is not None


def test_a_token_for_a_bus_that_has_none_is_a_clear_error():
    """Zenoh does not join whom it cannot prove itself to."""
    address = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[address], token="")), pytest.raises(BusError, match=f"{TOKEN_VARIABLE}, or it has none"):
        Bus(BusConfig(connect=[address], token="mine"))


def test_a_token_of_ones_own_is_asked_for_on_loopback_too_and_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    address = f"tcp/127.0.0.1:{free_port()}"
    with Bus(BusConfig(listen=[address], token="own")):
        assert list(tmp_path.iterdir()) == []
        with pytest.raises(BusError, match="asks for a token"):
            Bus(BusConfig(connect=[address], token=""))
        Bus(BusConfig(connect=[address], token="own")).close()


def test_a_run_says_the_token_and_a_ros_node_joins_with_it(tmp_path):
    (tmp_path / "field.yaml").write_text(FIELD)
    port = free_port()
    words = ["run", "field.yaml", "--headless", "--listen", f"tcp/0.0.0.0:{port}"]
    run = subprocess.Popen([sys.executable, "-m", "volery", *words], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    try:
        line = run.stdout.readline()
        token = re.search(rf"{TOKEN_VARIABLE}=(\S+)", line)[1]
        with pytest.raises(BusError):
            Bus(BusConfig(connect=[f"tcp/127.0.0.1:{port}"]))
        with Bus(BusConfig(connect=[f"tcp/127.0.0.1:{port}"], token=token)) as guest:
            eventually(lambda: [t for t in guest.topics() if t.topic == "/clock"], 60)
        # As rmw_zenoh reads it.
        account = "transport/auth/usrpwd"
        override = f'connect/endpoints=["tcp/127.0.0.1:{port}"];{account}/user="{USER}";{account}/password="{token}"'
        around = {**os.environ, "ZENOH_CONFIG_OVERRIDE": override}
        made = subprocess.run(
            [sys.executable, "-m", "volery", "topics", "--connect", f"tcp/127.0.0.1:{port}"],
            env=around, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert made.returncode == 0 and "/clock" in made.stdout, made.stderr
    finally:
        run.kill()
        run.wait()
