"""What runs in a worker's process: requests come as lines of JSON on its input, answers go as such to its output.

Its parent is `volery.campaign.worker`. Between two runs it gives memory back, so that many runs need no more than one.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import logging
import os
import queue
import re
import signal
import sys
import tempfile
import threading
import time
import traceback
from typing import Any

from volery.campaign.measuring import run_once
from volery.errors import VoleryError

__all__ = ["main"]

_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}\b")


def main() -> None:
    """Serve until the input ends."""
    # What runs print goes with the errors; answers have a way of their own.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    logging.basicConfig(level=logging.WARNING)
    requests: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests,), daemon=True).start()
    # What is imported stays: only what runs leave behind is looked through.
    gc.freeze()
    _answer(answers, {"ready": True})
    while True:
        answer = _done(json.loads(requests.get()))
        _answer(answers, {**answer, "memory": _give_back()})


def _listen(requests: queue.SimpleQueue[str]) -> None:
    """Requests to the queue; if whoever asked is gone, there is nothing to go on for."""
    for line in sys.stdin:
        requests.put(line)
    with contextlib.suppress(OSError):
        if os.getpgid(0) == os.getpid():
            # With all programs that runs have started.
            os.killpg(0, signal.SIGKILL)
    os._exit(0)


def _answer(answers: Any, about: dict[str, Any]) -> None:
    answers.write(json.dumps(about, allow_nan=False) + "\n")
    answers.flush()


def _done(request: dict[str, Any]) -> dict[str, Any]:
    began = time.monotonic()
    home = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="volery-run-") as folder:
        # Files that a run leaves where it is are of no other run.
        os.chdir(folder)
        try:
            answer = run_once(request)
        except VoleryError as error:
            answer = {"error": _steady(str(error))}
        except BaseException as error:
            answer = {"error": _steady(f"{type(error).__name__}: {error}"), "log": traceback.format_exc()[-4000:]}
        finally:
            os.chdir(home)
    return {**answer, "wall": round(time.monotonic() - began, 3)}


def _steady(text: str) -> str:
    """The same words in every process: places in memory are left out."""
    return _ADDRESS.sub("0x…", text)


def _give_back() -> float | None:
    """Forests grow the arenas of malloc: what is free goes back to the system. What the process still holds [MB]."""
    gc.collect()
    if sys.platform != "linux":
        return None
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm", encoding="ascii") as file:
        return round(int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)


if __name__ == "__main__":
    main()
