"""Actions as ROS 2 makes them of services and topics: send_goal, cancel_goal, get_result, feedback and status, all
under NAME/_action/."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from volery.bus.bus import Bus
from volery.bus.conversion import message_of
from volery.bus.services import Answer

__all__ = ["ABORTED", "CANCELED", "SUCCEEDED", "ActionServer", "Goal"]

ACCEPTED, EXECUTING, CANCELING, SUCCEEDED, CANCELED, ABORTED = range(1, 7)
"""States of a goal, as action_msgs numbers them."""
_OVER = (SUCCEEDED, CANCELED, ABORTED)
_KEPT = 100
"""Goals that are over and whose results can still be asked for."""
_CANCEL_DONE, _CANCEL_REJECTED, _CANCEL_UNKNOWN, _CANCEL_OVER = range(4)

Fields = Mapping[str, Any]


class Goal:
    """One goal of an action; any thread may say how it goes."""

    def __init__(self, server: ActionServer, identity: bytes, request: Any, stamp_ns: int) -> None:
        self.identity = identity
        self.request = request
        """The goal's fields, as its message has them."""
        self.stamp_ns = stamp_ns
        self.state = EXECUTING
        self.result: Fields = {}
        self.waiting: list[Answer] = []
        self._server = server

    @property
    def over(self) -> bool:
        """Whether it has its result."""
        return self.state in _OVER

    @property
    def canceling(self) -> bool:
        """Whether a client wants it to end."""
        return self.state == CANCELING

    def tell(self, feedback: Fields) -> None:
        """How far it is."""
        self._server.tell(self, feedback)

    def end(self, state: int, result: Fields) -> None:
        """It is over: SUCCEEDED, CANCELED or ABORTED. Only the first end counts."""
        self._server.end(self, state, result)


class ActionServer:
    """Answers one action. `begin` is given each new goal and says whether it is taken, `cancel` goals that are to end;
    both are called in threads of the bus."""

    def __init__(
        self, bus: Bus, name: str, action_type: str, begin: Callable[[Goal], bool], cancel: Callable[[Goal], None],
        now_ns: Callable[[], int],
    ) -> None:  # fmt: skip
        """now_ns: the clock that stamps."""
        self.name = name
        self._type, self._begin, self._cancel, self._now_ns = action_type, begin, cancel, now_ns
        self._goals: OrderedDict[bytes, Goal] = OrderedDict()
        self._lock = threading.RLock()
        root = f"{name}/_action"
        self._status = bus.advertise(f"{root}/status", "action_msgs/msg/GoalStatusArray", depth=1, latched=True)
        self._feedback = bus.advertise(f"{root}/feedback", f"{action_type}_FeedbackMessage")
        self._parts: list[Any] = [
            self._status,
            self._feedback,
            bus.serve(f"{root}/send_goal", f"{action_type}_SendGoal", self._take),
            bus.serve(f"{root}/get_result", f"{action_type}_GetResult", self._ask_result),
            bus.serve(f"{root}/cancel_goal", "action_msgs/srv/CancelGoal", self._ask_cancel),
        ]

    def close(self) -> None:
        """End all goals, and answer no more."""
        for goal in list(self._goals.values()):
            goal.end(ABORTED, {})
        for part in self._parts:
            part.close()

    def tell(self, goal: Goal, feedback: Fields) -> None:
        """Send a goal's feedback."""
        if self._feedback.wanted and not goal.over:
            fields = {"goal_id": {"uuid": list(goal.identity)}, "feedback": feedback}
            self._feedback.put(message_of(f"{self._type}_FeedbackMessage", fields), self._now_ns())

    def end(self, goal: Goal, state: int, result: Fields) -> None:
        """Give a goal its result."""
        with self._lock:
            if goal.over:
                return
            goal.state, goal.result = state, result
            waiting, goal.waiting = goal.waiting, []
        self._say()
        for answer in waiting:
            answer({"status": goal.state, "result": goal.result})

    def _take(self, request: Any, answer: Answer) -> None:
        identity = bytes(request.goal_id.uuid)
        stamp = self._now_ns()
        with self._lock:
            new = identity not in self._goals
            goal = Goal(self, identity, request.goal, stamp)
            if new:
                self._goals[identity] = goal
                self._forget()
        accepted = new and self._begin(goal)
        if new and not accepted:
            with self._lock:
                del self._goals[identity]
        answer({"accepted": accepted, "stamp": stamp})
        if accepted:
            self._say()

    def _ask_result(self, request: Any, answer: Answer) -> None:
        with self._lock:
            goal = self._goals.get(bytes(request.goal_id.uuid))
            if goal is not None and not goal.over:
                goal.waiting.append(answer)
                return
        # 0 is the state of what is not known.
        answer({"status": 0} if goal is None else {"status": goal.state, "result": goal.result})

    def _ask_cancel(self, request: Any, answer: Answer) -> None:
        identity, stamp = bytes(request.goal_info.goal_id.uuid), request.goal_info.stamp
        until = stamp.sec * 10**9 + stamp.nanosec
        with self._lock:
            known = self._goals.get(identity)
            if any(identity):
                wanted = [] if known is None else [known]
            else:
                # Without a name: all, or those up to a time.
                wanted = [g for g in self._goals.values() if not until or g.stamp_ns <= until]
            ending = [g for g in wanted if g.state in (ACCEPTED, EXECUTING)]
            for goal in ending:
                goal.state = CANCELING
        code = _CANCEL_DONE
        if not ending and any(identity):
            code = _CANCEL_UNKNOWN if known is None else _CANCEL_OVER if known.over else _CANCEL_REJECTED
        answer({"return_code": code, "goals_canceling": [_info(g) for g in ending]})
        self._say()
        for goal in ending:
            self._cancel(goal)

    def _forget(self) -> None:
        over = [g.identity for g in self._goals.values() if g.over]
        for identity in over[: max(len(over) - _KEPT, 0)]:
            del self._goals[identity]

    def _say(self) -> None:
        """Tell the state of all goals."""
        with self._lock:
            states = [{"goal_info": _info(g), "status": g.state} for g in self._goals.values()]
            self._status.put(message_of("action_msgs/msg/GoalStatusArray", {"status_list": states}), self._now_ns())


def _info(goal: Goal) -> Fields:
    return {"goal_id": {"uuid": list(goal.identity)}, "stamp": goal.stamp_ns}
