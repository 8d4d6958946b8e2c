"""Rewind by keys: while a key is held, the game rewinds.

The keys are bound in the manifest like any others, to the action that `settings: history: rewind` names. But their
events are removed from the input before the tick, so the game does not receive them, and they are in no state, hash or
recording. Other input during a rewind is not applied to past ticks either. So when the key is released, the keys that
are really held may differ from those in the restored state. The first tick after the rewind gets the difference as
events, which are recorded like all others.
"""

from __future__ import annotations

from typing import Any

from rish_core import Input, InputRecord, WindowEvent
from rish_core.loop import AXIS_NAMES, HAND, KEY_NAMES, PRESSABLE

from .timeline import Timeline


class HeldInputs:
    """The keys that are really held, and the real positions of the axes, collected from the window's events."""

    def __init__(self) -> None:
        self.held: dict[str, None] = {}
        self.axes: dict[str, float] = {}

    def hear(self, event: WindowEvent) -> None:
        """Update the held keys and axes by an event."""
        if event.kind in PRESSABLE:
            if event.down:
                self.held[event.name] = None
            else:
                self.held.pop(event.name, None)
        elif event.kind == "gamepad_axis":
            self.axes[event.name] = event.value
        elif event.kind == "focus" and not event.down:
            self.held.clear()
            self.axes.clear()

    def difference(self, state: Input) -> list[WindowEvent]:
        """Return the events that change an input state to the keys and axes of now."""
        believed = [KEY_NAMES[key] for key in range(len(KEY_NAMES)) if state.state[key] & HAND]
        events = [_press(name, False) for name in believed if name not in self.held and not _is_axis(name)]
        events += [_press(name, True) for name in self.held if name not in believed]
        for place, name in enumerate(AXIS_NAMES):
            value = self.axes.get(name, 0.0)
            if float(state.axes[place]) != value and (value or name in self.axes or state.axes[place]):
                events.append(WindowEvent("gamepad_axis", name, value=value))
        return events


def _is_axis(name: str) -> bool:
    return name.endswith(("+", "-")) and name.startswith("gamepad.")


def _press(name: str, down: bool) -> WindowEvent:
    kind = "mouse_button" if name.startswith("mouse.") else "gamepad_button" if name.startswith("gamepad.") else "key"
    return WindowEvent(kind, name, down=down)


class Rewinder:
    """The tick hook that rewinds. action: the action whose keys rewind. speed: ticks back in each tick.

    held, until: set by code, to rewind until `held` is False again, or until a tick is reached. suspended: whether
    rewinding is disabled.
    """

    def __init__(self, timeline: Timeline, action: str, speed: int) -> None:
        self.timeline = timeline
        self.action = action
        self.speed = speed
        self.held = False
        self.until: int | None = None
        self.suspended = False
        self.rewinding = False
        self._inputs = HeldInputs()
        self._keys_down: set[str] = set()

    def before_tick(self, world: Any, record: InputRecord) -> InputRecord | None:
        """Return the input without the keys that rewind (tick hook); None while the game rewinds."""
        keys: list[str] = world[Input].actions.get(self.action, [])
        if record.events:
            record = self._sift(record, keys)
        if self._wanted(world, keys):
            self.rewinding = True
            self.timeline.step_back(self._stride(world))
            return None
        if self.rewinding:
            self.rewinding = False
            believed = self._inputs.difference(world[Input])
            record = InputRecord((*believed, *[e for e in record.events if e.kind not in PRESSABLE]))
        self.timeline.before_tick()
        return record

    def _wanted(self, world: Any, keys: list[str]) -> bool:
        """Return True if the game rewinds in this tick."""
        if self.suspended:
            return False
        if self.until is not None and world.tick <= max(self.until, self.timeline.oldest):
            self.until = None
        return self.held or self.until is not None or not self._keys_down.isdisjoint(keys)

    def _stride(self, world: Any) -> int:
        return self.speed if self.until is None else max(1, min(self.speed, world.tick - self.until))

    def _sift(self, record: InputRecord, keys: list[str]) -> InputRecord:
        """Remove the events of the keys that rewind, and record the held keys."""
        left: list[WindowEvent] = []
        for event in record.events:
            if event.kind in PRESSABLE and (event.name in keys or event.name in self._keys_down):
                (self._keys_down.add if event.down else self._keys_down.discard)(event.name)
                continue
            if event.kind == "focus" and not event.down:
                self._keys_down.clear()
            self._inputs.hear(event)
            left.append(event)
        return record if len(left) == len(record.events) else InputRecord(tuple(left))
