"""The input of the coming ticks: `PendingInput` collects it, and `TickHooks` let tools read or replace it.

A recorder stores the input of each tick, a player of recordings replaces it, a rewind stops the ticks while its key is
held. A function in `before` gets the input of the coming tick and returns the input to use; a function in `after` gets
the input that was used. The functions run between two ticks and are not part of the tick; if they change hashed state,
they must call `Interventions.note`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any

from rish_ecs import resource

from .events import NOTHING, PRESSABLE, InputRecord, WindowEvent

if TYPE_CHECKING:
    from rish_ecs import World

Before = Callable[[Any, InputRecord], "InputRecord | None"]
"""`(world, record) -> record`. If it returns None, the tick is skipped and its input is lost."""
After = Callable[[Any, InputRecord], None]
"""`(world, record)`, with the record that the tick used."""


@resource(derived=True)
class TickHooks:
    """Functions that are called before and after each tick, in order; `world[TickHooks].before.append(...)`.

    The functions run between two ticks, in the order in which they were added. Their input still contains the events
    that layers of the game consume later. An error in one of them ends the game.

    replaying: whether a recording is played, which contains all changes of state; then nothing else may change it.
    """

    before: list[Before] = field(default_factory=list[Before])
    after: list[After] = field(default_factory=list[After])
    replaying: bool = False

    def ask(self, world: World, record: InputRecord) -> InputRecord | None:
        """Pass a record through the functions in `before`; return the input of the coming tick, None to skip it."""
        for hook in tuple(self.before):
            replacement = hook(world, record)
            if replacement is None:
                return None
            record = replacement
        return record


@resource(derived=True)
class PendingInput:
    """The events that the next tick gets as input; not state, but a recording contains them.

    A layer of a tool that turns events of the window into a request of the player, such as a click on a widget,
    consumes these events and sends the request as an event of kind `command`. A replay has the command, so it depends
    neither on the tool nor on the size of the window.

    settling: whether a waiting command was sent with `settle`, so that later events wait for it.
    """

    events: list[WindowEvent] = field(default_factory=list[WindowEvent])
    settling: bool = False

    def send(self, event: WindowEvent, *, replace: bool = False, settle: bool = False) -> None:
        """Add an event. replace: replace the last event instead, if that has the same kind, name and device.

        settle: later events of the window wait until a tick has applied the command, because it may change what they
        act on: a second click on a switch, or keys for a screen that a click opens.
        """
        self.settling = self.settling or settle
        last = self.events[-1] if self.events else None
        if (
            replace
            and last is not None
            and (last.kind, last.name, last.device) == (event.kind, event.name, event.device)
        ):
            self.events[-1] = event
        else:
            self.events.append(event)

    def take(self) -> InputRecord:
        """Return the events as the input of a tick, and remove them.

        A tick has at most one press of each key: the second press and all events after it stay for the next tick, so
        that no press is lost when a frame is slow.
        """
        if not self.events:
            self.settling = False
            return NOTHING
        count = _until_second_press(self.events)
        record = InputRecord(tuple(self.events[:count]))
        del self.events[:count]
        self.settling = self.settling and any(event.kind == "command" for event in self.events)
        return record


def _until_second_press(events: list[WindowEvent]) -> int:
    """Return the number of events before the second press of any key."""
    pressed, tapped = set[tuple[int, str]](), set[tuple[int, str]]()
    for count, event in enumerate(events):
        if event.kind in PRESSABLE:
            key = event.device, event.name
            if event.down and key in tapped:
                return count
            if event.down:
                pressed.add(key)
            elif key in pressed:
                tapped.add(key)
    return len(events)
