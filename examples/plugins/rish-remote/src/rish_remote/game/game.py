"""The game as the answers see it, and the rules that hold for all of them: notes of edits, errors, later answers."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from rish_core import Clock, Interventions, RishError, describe_error

from ..api.errors import ApiError
from ..api.route import Call, Later, Route
from .events import EventLog
from .inputs import InputQueue
from .log import LogRing
from .watches import Watches

if TYPE_CHECKING:
    from rish_core import App, Snapshot, World

_log = logging.getLogger("rish.remote")


class Game:
    """A running game and what the server keeps of it.

    slots: snapshots by name. goal: the tick at which the requested steps end; None if there are none. writable: whether
    requests may change anything.
    """

    def __init__(self, app: App, *, writable: bool) -> None:
        self.app = app
        self.world: World = app.world
        self.clock: Clock = app.world[Clock]
        self.writable = writable
        self.log = LogRing()
        self.events = EventLog()
        self.inputs = InputQueue(app.world)
        self.watches = Watches()
        self.slots: dict[str, Snapshot] = {}
        self.goal: int | None = None
        self._later: list[tuple[Later, Future[Any]]] = []

    @property
    def idle(self) -> bool:
        """Whether the game neither runs nor shows anything, so that its frames may wait for requests."""
        return self.app.headless and self.clock.paused and not self._later

    def answer(self, route: Route, call: Call, future: Future[Any]) -> None:
        """Answer a request; the future gets the answer or an ApiError."""
        try:
            result = self._edit(route, call) if route.edits else route.answer(self, call)
        except ApiError as error:
            future.set_exception(error)
        except RishError as error:
            future.set_exception(ApiError(400, str(error)))
        except Exception as error:
            _log.exception("%s %s failed", route.method, route.path)
            future.set_exception(ApiError(500, f"{describe_error(error)}. The log has the traceback"))
        else:
            if isinstance(result, Later):
                self._later.append((result, future))
            else:
                future.set_result(result)

    def frame(self) -> None:
        """Do what is due at the end of a frame."""
        if self.events.listening:
            self.events.take(self.app)
        if self.watches:
            self.watches.frame(self.world)
        if self._later:
            self._look_later()

    def close(self) -> None:
        """Receive and keep nothing more."""
        self.log.detach()
        self.inputs.close()
        self.slots.clear()
        self._later.clear()

    def note(self, reason: str) -> None:
        """Note a change that a recording does not contain."""
        self.world[Interventions].note(f"remote: {reason}")

    def _edit(self, route: Route, call: Call) -> Any:
        """Answer a request that may change hashed state; a change is noted, also of a request that fails.

        What is derived from the state is brought up to date for the next picture if no tick does so.
        """
        before, noted = self.world.hash(), self.world[Interventions].count
        try:
            result = route.answer(self, call)
            if self.clock.paused:
                self.app.refresh()
            return result
        finally:
            if self.world[Interventions].count == noted and self.world.hash() != before:
                self.note(f"{route.method} {route.path.format(**call.path)}")

    def _look_later(self) -> None:
        pending, self._later = self._later, []
        for later, future in pending:
            if later.done():
                self._finish(later.result, future)
            else:
                self._later.append((later, future))

    def _finish(self, result: Callable[[], Any], future: Future[Any]) -> None:
        try:
            future.set_result(result())
        except Exception as error:
            _log.exception("a later answer failed")
            future.set_exception(ApiError(500, describe_error(error)))
