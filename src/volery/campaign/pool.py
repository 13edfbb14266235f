"""Runs handed out to workers, each in a thread that waits for it, and begun again if a worker is lost."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Generator
from typing import Any, Protocol

from volery.campaign.plan import Campaign, CampaignRun
from volery.campaign.worker import LostError

__all__ = ["Slot", "run_all"]


class Slot(Protocol):
    """Where one run at a time is done: a process here, or one elsewhere."""

    def run(self, request: dict[str, Any], limit: float) -> dict[str, Any]:
        """Have a run done; `LostError` if it may be begun again."""
        ...

    def close(self) -> None:
        """End it, at work or not."""
        ...


def run_all(
    campaign: Campaign, runs: list[CampaignRun], make: Callable[[], Slot], jobs: int
) -> Generator[tuple[CampaignRun, dict[str, Any]], None, None]:
    """Runs with their answers, as they come; closing the iterator ends all workers."""
    waiting = deque(runs)
    done: queue.SimpleQueue[tuple[CampaignRun, dict[str, Any]] | BaseException] = queue.SimpleQueue()
    slots = [make() for _ in range(min(jobs, len(runs)))]
    ending = threading.Event()
    threads = [
        threading.Thread(target=_serve, args=(campaign, slot, waiting, done, ending), name=f"run {i}", daemon=True)
        for i, slot in enumerate(slots)
    ]
    for thread in threads:
        thread.start()
    try:
        for _ in runs:
            found = done.get()
            if isinstance(found, BaseException):
                raise found
            yield found
    finally:
        ending.set()
        for slot in slots:
            slot.close()
        for thread in threads:
            thread.join()


def _serve(
    campaign: Campaign, slot: Slot, waiting: deque[CampaignRun], done: queue.SimpleQueue[Any], ending: threading.Event
) -> None:
    """One thread: take runs until there are none left."""
    while not ending.is_set():
        try:
            run = waiting.popleft()
        except IndexError:
            return
        try:
            done.put((run, _attempts(campaign, slot, run)))
        except BaseException as error:
            # The campaign cannot go on, such as without any worker that starts.
            done.put(error)
            return


def _attempts(campaign: Campaign, slot: Slot, run: CampaignRun) -> dict[str, Any]:
    """A run's answer, with as many attempts as the campaign allows."""
    file = campaign.file
    for attempt in range(1, file.retries + 2):
        try:
            return {**slot.run(campaign.request(run), file.limit), "attempts": attempt}
        except LostError as lost:
            why = str(lost)
    hint = "; if memory ran out, use fewer --jobs" if why == "SIGKILL" else ""
    return {"error": f"its process was killed {file.retries + 1} times, by {why}{hint}", "attempts": file.retries + 1}
