"""How requests of ROS 2 get into the loop, and their answers out of it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from volery.bus.bus import Bus
from volery.bus.services import Answer, ServiceServer
from volery.core.workers import Workers
from volery.errors import UnknownNameError, VoleryError
from volery.sim import Simulation

__all__ = ["FAILED", "NOT_FOUND", "OK", "UNSUPPORTED", "WRONG_STATE", "Desk", "ServiceRefusedError", "result"]

UNSUPPORTED, OK, NOT_FOUND, WRONG_STATE, FAILED = range(5)
"""Codes of simulation_interfaces' results."""

Fields = dict[str, Any]


class ServiceRefusedError(VoleryError):
    """A request that is refused with a code of its own."""

    def __init__(self, code: int, words: str) -> None:
        super().__init__(words)
        self.code = code


def result(error: BaseException | None = None) -> Fields:
    """Fields of a simulation_interfaces/Result."""
    if error is None:
        return {"result": OK, "error_message": ""}
    code = FAILED
    if isinstance(error, ServiceRefusedError):
        code = error.code
    elif isinstance(error, UnknownNameError):
        code = NOT_FOUND
    return {"result": code, "error_message": str(error)}


class Desk:
    """Takes requests of services. Work is done by the loop between two steps; what it gives is packed elsewhere."""

    def __init__(self, simulation: Simulation, bus: Bus) -> None:
        self._simulation, self.bus = simulation, bus
        self._workers = Workers(1, "ros2", simulation.gate)

    def close(self) -> None:
        """Answer nothing more."""
        self._workers.close()

    def trigger(self, name: str, work: Callable[[], Any]) -> ServiceServer:
        """A std_srvs/Trigger that does something and tells what came of it in words."""

        def pack(found: Any, error: BaseException | None) -> Fields:
            words = str(error) if error is not None else found if isinstance(found, str) else ""
            return {"success": error is None, "message": words}

        return self.serve(name, "std_srvs/srv/Trigger", lambda request: work(), pack)

    def simulate(self, name: str, service_type: str, work: Callable[[Any], Any]) -> ServiceServer:
        """A service of simulation_interfaces; work: gives fields beside `result`, a future of them, or nothing."""

        def pack(found: Any, error: BaseException | None) -> Fields:
            return {**(found if isinstance(found, dict) and error is None else {}), "result": result(error)}

        return self.serve(name, f"simulation_interfaces/srv/{service_type}", work, pack)

    def serve(
        self, name: str, service_type: str, work: Callable[[Any], Any],
        pack: Callable[[Any, BaseException | None], Fields],
    ) -> ServiceServer:  # fmt: skip
        """work: in the loop, with the request; may give a future. pack: outside, makes the response of what came of
        it, or of the error."""

        def take(request: Any, answer: Answer) -> None:
            asked = self._simulation.ask(lambda: work(request), ("ros2", name))
            asked.add_done_callback(lambda done: self._follow(done, answer, pack))

        return self.bus.serve(name, service_type, take)

    def _follow(self, done: Future[Any], answer: Answer, pack: Callable[..., Fields]) -> None:
        error = _error(done)
        if error is None and isinstance(done.result(), Future):
            # What takes more than a step
            done.result().add_done_callback(lambda inner: self._follow(inner, answer, pack))
            return

        def finish() -> None:
            try:
                answer(pack(None if error is not None else done.result(), error))
            except Exception as failure:  # whatever it is, who asked is told
                answer(failure)

        self._workers.submit("ros2", finish)


def _error(done: Future[Any]) -> BaseException | None:
    if done.cancelled():
        return VoleryError("the run has ended")
    return done.exception()
