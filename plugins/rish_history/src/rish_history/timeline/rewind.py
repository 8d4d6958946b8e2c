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
"""How far keys (1) and axes are pushed, by device and name."""


class HeldInputs:
    """What devices and fingers really hold now, collected from the window's events.

    pads: whether a gamepad is connected. fingers: the touch event that put each finger on the screen.
    """

    def __init__(self) -> None:
        self.held: Held = {}
        self.pads: dict[int, bool] = {}
        self.fingers: dict[int, WindowEvent] = {}

    def hear(self, event: WindowEvent) -> None:
        """Update what is held by an event."""
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
            self.held = {k: value for k, value in self.held.items() if k[0] != event.device}
        elif event.kind == "touch" and not event.down:
            self.fingers.pop(event.touch, None)
        elif event.kind == "touch" or (event.kind == "touch_move" and event.touch in self.fingers):
            self.fingers[event.touch] = replace(event, kind="touch", down=True)

    def difference(self, state: Input) -> list[WindowEvent]:
        """Return the events that change an input state to what is held now."""
        now = self.held
        was = {key: value for key, value in _believed(state).items() if self.pads.get(key[0], True)}
        known = state.devices.held if state.devices is not None else {}
        events = [
            WindowEvent("gamepad_connected" if here else "gamepad_disconnected", device=device)
            for device, here in self.pads.items()
            if here != (device in known)
        ]
        events += [_press(key, False) for key in was if key not in now and key[1] not in AXIS_NAMES]
        events += [_press(key, True) for key in now if key not in was and key[1] not in AXIS_NAMES]
        axes = sorted({key for key in (*was, *now) if key[1] in AXIS_NAMES}, key=_order_of_axes)
        events += [
            WindowEvent("gamepad_axis", key[1], value=now.get(key, 0.0), device=key[0])
            for key in axes
            if was.get(key, 0.0) != now.get(key, 0.0)
        ]
        events += [WindowEvent("touch", touch=finger) for finger in state.touches if finger not in self.fingers]
        return events + [e for finger, e in self.fingers.items() if state.touches.get(finger) != (e.x, e.y)]


def _believed(state: Input) -> Held:
    """Return what an input state has as held: of each device that it follows, and of device 0 from the common state."""
    devices = state.devices
    found: Held = {}
    for device, held in devices.held.items() if devices is not None else ():
        found |= {(device, name): value for name, value in held.items()}
    if devices is None or not devices.players:
        others = {name for _, name in found}
        names = [KEY_NAMES[key] for key in range(len(KEY_NAMES)) if state.state[key] & HAND]
        found |= {(0, name): 1.0 for name in names if name not in others and not _is_axis(name)}
        values = zip(AXIS_NAMES, state.axes.tolist(), strict=True)
        found |= {(0, name): value for name, value in values if value and name not in others}
    return found


def _is_axis(name: str) -> bool:
    return name.endswith(("+", "-")) and name.startswith("gamepad.")


def _order_of_axes(key: tuple[int, str]) -> tuple[int, int]:
    return key[0], AXIS_NAMES.index(key[1])


def _press(key: tuple[int, str], down: bool) -> WindowEvent:
    device, name = key
    kind = "mouse_button" if name.startswith("mouse.") else "gamepad_button" if name.startswith("gamepad.") else "key"
    return WindowEvent(kind, name, down=down, device=device)


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
            if not self.timeline.step_back(self.speed, self.until or 0):
                self.until = None
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
