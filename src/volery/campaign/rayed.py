"""Runs on a Ray cluster: each actor holds the same worker process that is used without Ray, so rows are the same."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Any

from volery.campaign.pool import Slot
from volery.campaign.worker import LostError, Worker
from volery.errors import CampaignError

__all__ = ["RaySlot", "open_ray"]


class _Actor:
    """A worker on some machine of the cluster."""

    def __init__(self, threads: int) -> None:
        self._worker = Worker(threads)

    def run(self, request: dict[str, Any], limit: float) -> dict[str, Any]:
        """An answer, or `lost` with the signal's name."""
        try:
            return self._worker.run(request, limit)
        except LostError as lost:
            return {"lost": str(lost)}


class RaySlot:
    """One actor of the cluster; a new one takes its place if its machine is lost."""

    def __init__(self, ray: Any, threads: int) -> None:
        """ray: the package, connected."""
        self._ray, self._threads = ray, threads
        self._actor: Any = None
        self._closed = False

    def run(self, request: dict[str, Any], limit: float) -> dict[str, Any]:
        """Have a run done there; `LostError` if its process, its actor or its machine is gone."""
        if self._closed:
            raise LostError("the campaign's end")
        ray = self._ray
        if self._actor is None:
            self._actor = ray.remote(num_cpus=self._threads)(_Actor).remote(self._threads)
        try:
            answer = ray.get(self._actor.run.remote(request, limit))
        except (ray.exceptions.RayActorError, ray.exceptions.WorkerCrashedError, ray.exceptions.ObjectLostError):
            self._actor = None
            raise LostError("the loss of a Ray worker") from None
        if "lost" in answer:
            raise LostError(answer["lost"])
        return answer

    def close(self) -> None:
        """End the actor, and with it its process, which hears its input end."""
        self._closed = True
        if self._actor is not None:
            self._ray.kill(self._actor)


def open_ray(address: str, jobs: int | None, threads: int | None) -> tuple[Callable[[], Slot], int, Callable[[], None]]:
    """Connect: what makes slots, how many there are to be, and what ends the connection.

    address: `local` for a Ray of this process alone, `auto` for the cluster that runs here, or host:port."""
    try:
        import ray
    except ImportError:
        raise CampaignError("Ray is not installed; pip install 'volery[ray]', or leave out --ray") from None
    try:
        count = jobs if address == "local" else None
        ray.init(address=address, num_cpus=count, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        raise CampaignError(
            f"--ray {address}: no cluster answers there ({_first_line(error)}); start one with `ray start --head`; "
            "if it is there and wants a token, give the same RAY_AUTH_TOKEN to both"
        ) from None
    cores = int(ray.cluster_resources().get("CPU", os.cpu_count() or 1))
    own = threads or 1
    return (lambda: RaySlot(ray, own)), max(1, min(jobs or cores, cores) // own), ray.shutdown


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
