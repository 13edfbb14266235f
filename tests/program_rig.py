"""The program `volery`, started as users start it."""

import os
import re
import signal
import subprocess
import sys
import time

from websockets.sync.client import connect

from viewer_rig import Guest


class Volery:
    """`volery` in a process of its own."""

    def __init__(self, *words, cwd, env=None):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "volery", *words],
            cwd=cwd,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={k: v for k, v in {**os.environ, **(env or {})}.items() if v is not None},
        )
        self.lines = [self.process.stdout.readline()]

    @property
    def address(self):
        return re.match(r"viewer: (http://(\S+?):(\d+)/)#k=(\S+)", self.lines[0]).groups()

    def page(self):
        _, host, port, token = self.address
        guest = Guest.__new__(Guest)
        guest.socket = connect(f"ws://{host}:{port}/ws", max_size=None, max_queue=None, compression=None).__enter__()
        guest.count, guest.seen = 0, []
        guest.say({"do": "hello", "token": token, "version": 1})
        return guest

    def end(self):
        began = time.monotonic()
        self.process.send_signal(signal.SIGINT)
        out, err = self.process.communicate(timeout=180)
        return time.monotonic() - began, out, err
