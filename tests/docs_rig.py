"""Reads a tutorial: its code blocks, and the HTML comment above each that says what a test does with it.

<!-- file: NAME -->     the block is saved under that name
<!-- start: NAME -->    the command runs in the background until the page ends
<!-- run -->            the block runs; `run: airsim` by the Python that has AirSim's client
<!-- prints -->         what the block before printed; `prints: last N` only its last lines;
                        `prints: FILE` what that example prints
<!-- shown: WHY -->     not run, and why
"""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
TUTORIALS = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
BLOCK = re.compile(r"(?:^<!-- (\w+)(?:: (.*?))? -->\n)?^```([\w]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PORTS = ("7447", "41451")
AIRSIM = ROOT / ".venv-clients" / "airsim" / "bin" / "python"


@dataclass(frozen=True)
class Block:
    """A block of code, and what its comment says."""

    what: str
    detail: str
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    """All of a page, in order."""
    return [Block(a or "", b or "", c, d) for a, b, c, d in BLOCK.findall(page.read_text())]


def _free_port() -> str:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return str(s.getsockname()[1])


class Reader:
    """Does what a page says, in a folder of its own and on ports of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.printed = ""
        self._ports = {port: _free_port() for port in PORTS}
        self._started: list[subprocess.Popen] = []

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._started:
            process.terminate()
            process.wait(timeout=30)
            process.stdout.close()

    def do(self, block: Block) -> None:
        """Save, start, run or compare."""
        text = block.text
        for usual, free in self._ports.items():
            text = text.replace(usual, free)
        if block.what == "file":
            (self.folder / block.detail).write_text(text)
        elif block.what == "start":
            self._start(text)
        elif block.what == "run":
            self.printed = self._run(block, text)
        elif block.what == "prints" and not block.detail.startswith("examples/"):
            last = int(block.detail.removeprefix("last ") or 0)
            assert self.printed.rstrip("\n").split("\n")[-last:] == text.rstrip("\n").split("\n"), self.printed

    def _run(self, block: Block, text: str) -> str:
        if block.language == "sh":
            return self._finish(["bash", "-e", "-c", self._shell(text)])
        (self.folder / "block.py").write_text(text)
        return self._finish([str(AIRSIM) if block.detail == "airsim" else sys.executable, "block.py"])

    def _finish(self, words: list[str]) -> str:
        done = subprocess.run(words, cwd=self.folder, env=self._env(), capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
        return done.stdout

    def _start(self, text: str) -> None:
        command = ["bash", "-c", self._shell(text.strip().replace("volery run", "exec volery run"))]
        # In a file, so that a full pipe never stops it; its first line means that it is ready.
        log = open(self.folder / "started.log", "w+")
        process = subprocess.Popen(command, cwd=self.folder, env=self._env(), stdout=log, stderr=log)
        process.stdout = log
        self._started.append(process)
        while not (self.folder / "started.log").read_text().strip():
            assert process.poll() is None, "it ended before it said anything"
            time.sleep(0.1)

    def _shell(self, text: str) -> str:
        """The commands with the bus on a port of its own."""
        bus = f"tcp/127.0.0.1:{self._ports['7447']}"
        text = re.sub(r"(volery run [^\n#]*)", rf"\1 --listen {bus}", text)
        return re.sub(r"(volery topics[^\n#]*)", rf"\1 --connect {bus}", text)

    def _env(self) -> dict[str, str]:
        return {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
