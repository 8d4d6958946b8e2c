"""The state of the host as a guest gets it: slice by slice, and further after the link was cut."""

from __future__ import annotations

from typing import Any

from ..session.seats import streams_of
from ..wire.errors import ProtocolError
from ..wire.messages import TAKEN, pack, unpack
from ..wire.slices import IncomingState


class StateReceiver:
    """Collects the state that a welcome announced. epoch, course, streams: what it said, see `Session.begin_at`."""

    def __init__(self) -> None:
        self.epoch = self.course = 0
        self.streams: dict[int, tuple[int, int]] = {}
        self._state: IncomingState | None = None

    @property
    def is_complete(self) -> bool:
        """Whether a whole state is there."""
        return self._state is not None and self._state.is_complete

    @property
    def have(self) -> list[Any]:
        """Which state began to arrive, and how many bytes of it are there; empty without one."""
        return [] if self._state is None else [self._state.name, len(self._state.data)]

    def welcome(self, message: bytes) -> None:
        """Begin with a new state. Raises ProtocolError, also if it is too large."""
        values = unpack(message, streams=list, epoch=int, course=int, state=str, size=int)
        self.streams = streams_of(values["streams"])
        self.epoch, self.course = values["epoch"], values["course"]
        self._state = IncomingState(values["state"], values["size"])

    def add(self, message: bytes) -> bytes:
        """Add a slice; return the message that tells the host so. Raises ProtocolError."""
        if self._state is None:
            raise ProtocolError("a slice of no state")
        self._state.add(message)
        return pack(TAKEN, have=self.have)

    def take(self) -> bytes:
        """Return the bytes of the whole state, once."""
        assert self._state is not None
        data, self._state = bytes(self._state.data), None
        return data


def read_have(values: list[Any]) -> tuple[str, int]:
    """Return the name of a state and how many bytes of it a guest has. Raises ProtocolError."""
    if len(values) == 2:
        name, count = values
        if isinstance(name, str) and isinstance(count, int) and not isinstance(count, bool):
            return name, count
    raise ProtocolError("a guest does not say which state it has")
