"""Rewind by keys: while a key is held, the game rewinds.

The keys are bound in the manifest like any others, to the action that `settings: history: rewind` names. But their
events are removed from the input before the tick, so the game does not receive them, and they are in no state, hash or
recording. Other input during a rewind is not applied to past ticks either. So when the key is released, the keys that
are really held may differ from those in the restored state. The first tick after the rewind gets the difference as
events, which are recorded like all others.

A rewind leaves out the pauses of the game, which are kept for seeks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rish_core import Input, InputRecord, WindowEvent
from rish_core.loop import AXIS_NAMES, HAND, KEY_NAMES, PRESSABLE

from .timeline import Timeline

Held = dict[tuple[int, str], float]
"""The positions of keys (1.0) and axes, by device and name."""


class HeldInputs:
    """The keys, axes and fingers that are really held, collected from the window's events.

    held: keys and axes. pads: whether each gamepad is connected. fingers: the latest touch event of each finger.
    """

    def __init__(self) -> None:
        self.held: Held = {}
        self.pads: dict[int, bool] = {}
        self.fingers: dict[int, WindowEvent] = {}

    def hear(self, event: WindowEvent) -> None:
        """Update the held inputs by an event."""
        key = event.device, event.name
        if event.kind in PRESSABLE and not event.down:
            self.held.pop(key, None)
        elif event.kind in PRESSABLE or event.kind == "gamepad_axis":
            self.held[key] = event.value if event.kind == "gamepad_axis" else 1.0
        elif event.kind == "focus" and not event.down:
            self.held.clear()
            self.fingers.clear()
        elif event.kind in ("gamepad_connected", "gamepad_disconnected"):
            self.pads[event.device] = event.kind == "gamepad_connected"
            self.held = {key_: value for key_, value in self.held.items() if key_[0] != event.device}
        elif event.kind == "touch" and not event.down:
            self.fingers.pop(event.touch, None)
        elif event.kind == "touch" or (event.kind == "touch_move" and event.touch in self.fingers):
            self.fingers[event.touch] = replace(event, kind="touch", down=True)

    def difference(self, state: Input) -> list[WindowEvent]:
        """Return the events that change an input state to the inputs that are really held."""
        real = self.held
        stated = {key: value for key, value in _held_in(state).items() if self.pads.get(key[0], True)}
        connected = state.devices.held if state.devices is not None else {}
        events = [
            WindowEvent("gamepad_connected" if present else "gamepad_disconnected", device=device)
            for device, present in self.pads.items()
            if present != (device in connected)
        ]
        events += [_press(key, False) for key in stated if key not in real and key[1] not in AXIS_NAMES]
        events += [_press(key, True) for key in real if key not in stated and key[1] not in AXIS_NAMES]
        axes = sorted({key for key in (*stated, *real) if key[1] in AXIS_NAMES}, key=_order_of_axes)
        events += [
            WindowEvent("gamepad_axis", key[1], value=real.get(key, 0.0), device=key[0])
            for key in axes
            if stated.get(key, 0.0) != real.get(key, 0.0)
        ]
        events += [WindowEvent("touch", touch=finger) for finger in state.touches if finger not in self.fingers]
        return events + [e for finger, e in self.fingers.items() if state.touches.get(finger) != (e.x, e.y)]


def _held_in(state: Input) -> Held:
    """Return the held keys and axes of an input state. Those without a known device are of device 0."""
    devices = state.devices
    result: Held = {}
    for device, held in devices.held.items() if devices is not None else ():
        result |= {(device, name): value for name, value in held.items()}
    if devices is None or not devices.players:
        others = {name for _, name in result}
        names = [KEY_NAMES[key] for key in range(len(KEY_NAMES)) if state.state[key] & HAND]
        result |= {(0, name): 1.0 for name in names if name not in others and not _is_axis(name)}
        values = zip(AXIS_NAMES, state.axes.tolist(), strict=True)
        result |= {(0, name): value for name, value in values if value and name not in others}
    return result


def _is_axis(name: str) -> bool:
    return name.endswith(("+", "-")) and name.startswith("gamepad.")


def _order_of_axes(key: tuple[int, str]) -> tuple[int, int]:
    return key[0], AXIS_NAMES.index(key[1])


def _press(key: tuple[int, str], down: bool) -> WindowEvent:
    """Return the event that presses or releases a key of a device."""
    device, name = key
    kind = "mouse_button" if name.startswith("mouse.") else "gamepad_button" if name.startswith("gamepad.") else "key"
    return WindowEvent(kind, name, down=down, device=device)


class Rewinder:
    """The tick hook that rewinds. action: the action whose keys rewind. speed: the number of ticks to go back per tick.

    held: set by code to rewind until it is False again. until: set by code to rewind until a tick is reached.
    suspended: whether rewinding is disabled. rewinding: whether the last tick was rewound.
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
            if not self.timeline.step_back(self.speed, self.until or 0):
                self.until = None
            return None
        if self.rewinding:
            self.rewinding = False
            corrections = self._inputs.difference(world[Input])
            record = InputRecord((*corrections, *[e for e in record.events if e.kind not in PRESSABLE]))
        self.timeline.before_tick()
        return record

    def _wanted(self, world: Any, keys: list[str]) -> bool:
        """Return whether the game rewinds in this tick."""
        if self.suspended:
            return False
        if self.until is not None and world.tick <= max(self.until, self.timeline.oldest):
            self.until = None
        return self.held or self.until is not None or not self._keys_down.isdisjoint(keys)

    def _sift(self, record: InputRecord, keys: list[str]) -> InputRecord:
        """Remove the events of the keys that rewind, and record the held keys."""
        passed: list[WindowEvent] = []
        for event in record.events:
            if event.kind in PRESSABLE and (event.name in keys or event.name in self._keys_down):
                (self._keys_down.add if event.down else self._keys_down.discard)(event.name)
                continue
            if event.kind == "focus" and not event.down:
                self._keys_down.clear()
            self._inputs.hear(event)
            passed.append(event)
        return record if len(passed) == len(record.events) else InputRecord(tuple(passed))
