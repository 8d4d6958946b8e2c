"""The devices behind `Input`: the keys that each device holds down, its player, the fingers, and composed text.

`Input` shows all devices as one. If the manifest names players, each player has an `Input` of its own, with the state
of the player's devices: a gamepad belongs to one player, device 0 (keyboard and mouse) to all, unless code assigns it.
A key is down while one of the devices holds it, and an axis has the position that is farthest from rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from .events import PRESSABLE, InputRecord, WindowEvent
from .keys import AXIS_INDEX, KEY_INDEX

if TYPE_CHECKING:
    from .input import Input

PRESS_AT = 0.5
"""The axis value from which the key of the axis is pressed, and from which a gamepad without a player gets one."""
DEVICE_KINDS = ("touch", "touch_move", "compose", "paste", "gamepad_connected", "gamepad_disconnected")
"""The kinds of events that only `Devices` handles."""
_GAMEPAD_PREFIX = "gamepad."
_NO_TEXT = ("", 0, 0)


@dataclass
class Devices:
    """The state of devices and players; part of `Input`.

    players: the inputs of the players. seats: the player of each assigned device, from 1. held: by device, the value of
    each pressed key (1) and axis; every connected gamepad is in it. moves: (device, player) pairs that code assigned
    for the next tick; player 0: none. touches, composition, pasted: see `Input`.
    """

    players: list[Input] = field(default_factory=list["Input"])
    seats: dict[int, int] = field(default_factory=dict[int, int])
    held: dict[int, dict[str, float]] = field(default_factory=dict[int, dict[str, float]])
    moves: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    touches: dict[int, tuple[float, float]] = field(default_factory=dict[int, tuple[float, float]])
    composition: tuple[str, int, int] = _NO_TEXT
    pasted: str = ""

    def begin_tick(self, events: Iterable[WindowEvent], shared: Mapping[str, Sequence[str]]) -> list[WindowEvent]:
        """Begin the tick of each player with the player's events; return the events of all devices, merged.

        shared: the actions that all players have.
        """
        self.pasted = ""
        shares: list[list[WindowEvent]] = [[] for _ in range(len(self.players) + 1)]
        for device, player in self.moves:
            self._move(device, player, shares)
        self.moves.clear()
        for event in events:
            self._apply(event)
            names = self._hold(event)
            for name in names or ():
                self._seat(event, shared, shares)
                self._share(name, [0, *self._owners(event.device, name)], shares)
            if names is None:
                owner = self.seats.get(event.device) if event.kind not in ("focus", "resize") else None
                for number in (0, owner) if owner else range(len(shares)):
                    shares[number].append(replace(event, device=0) if event.device else event)
        for player, share in zip(self.players, shares[1:], strict=True):
            player.begin_tick(InputRecord(tuple(share)))
        return shares[0]

    def _apply(self, event: WindowEvent) -> None:
        """Apply an event of a finger or of text; on loss of the focus release everything, because releases get lost."""
        if (event.kind == "touch" and event.down) or (event.kind == "touch_move" and event.touch in self.touches):
            self.touches[event.touch] = float(event.x), float(event.y)
        elif event.kind == "touch":
            self.touches.pop(event.touch, None)
        elif event.kind == "compose":
            self.composition = event.text, event.start, event.length
        elif event.kind == "paste":
            self.pasted += event.text
        elif event.kind == "focus" and not event.down:
            self.held = {device: {} for device in self.held}
            self.touches.clear()
            self.composition = _NO_TEXT

    def _hold(self, event: WindowEvent) -> list[str] | None:
        """Update the held keys of a device; return the changed keys and axes, None if the event is of another kind.

        Without players, device 0 is left out, because `Input` has its state.
        """
        if event.kind == "gamepad_connected":
            self.held.setdefault(event.device, {})
            return []
        if event.kind == "gamepad_disconnected":
            return sorted(self.held.pop(event.device, ()))
        indices = AXIS_INDEX if event.kind == "gamepad_axis" else KEY_INDEX if event.kind in PRESSABLE else ()
        if event.name not in indices or not (event.device or self.players):
            return None
        value = min(1.0, max(-1.0, float(event.value))) if indices is AXIS_INDEX else float(event.down)
        pushes = self.held.setdefault(event.device, {})
        pushes.pop(event.name, None)
        if value:
            pushes[event.name] = value
        return [event.name]

    def _owners(self, device: int, name: str) -> Sequence[int]:
        """Return the players who read a key of a device: the device's player, or all for device 0 and for keyboards."""
        if device in self.seats:
            return (self.seats[device],)
        return () if device and name.startswith(_GAMEPAD_PREFIX) else range(1, len(self.players) + 1)

    def _share(self, name: str, numbers: Iterable[int], shares: list[list[WindowEvent]]) -> None:
        """Add events with the merged state of a key or axis to the lists of these players; 0: that of all devices."""
        for number in numbers:
            pushes = [
                pushed[name]
                for device, pushed in sorted(self.held.items())
                if name in pushed and (not number or number in self._owners(device, name))
            ]
            value = max(pushes, key=abs, default=0.0)
            kind = "gamepad_axis" if name in AXIS_INDEX else "key"
            shares[number].append(WindowEvent(kind, name, bool(value), value=value))

    def _seat(self, event: WindowEvent, shared: Mapping[str, Sequence[str]], shares: list[list[WindowEvent]]) -> None:
        """Assign an unassigned gamepad to the first free player, if the event is a press or a clear push.

        Candidates are players whose own actions name a gamepad, or if there are none, those whose shared actions do. If
        all of them have a gamepad, the player of a disconnected one gets the new one.
        """
        pushed = event.down or abs(event.value) >= PRESS_AT
        if not (pushed and event.device and event.name.startswith(_GAMEPAD_PREFIX)) or event.device in self.seats:
            return
        candidates = [n for n, player in enumerate(self.players, 1) if _uses_gamepads(player, shared)]
        candidates = candidates or [n for n, player in enumerate(self.players, 1) if _uses_gamepads(player, {})]
        pads = {n: [device for device, owner in self.seats.items() if device and owner == n] for n in candidates}
        free = [n for n in candidates if not pads[n]] or [n for n in candidates if self.held.keys().isdisjoint(pads[n])]
        if free:
            for device in pads[free[0]]:
                del self.seats[device]
            self._move(event.device, free[0], shares)

    def _move(self, device: int, player: int, shares: list[list[WindowEvent]]) -> None:
        """Assign a device; its held keys are released for players who lose it, and pressed for those who get it."""
        names = sorted(self.held.get(device, ()))
        before = [self._owners(device, name) for name in names]
        self.seats.pop(device, None)
        if 0 < player <= len(self.players):
            self.seats[device] = player
        for name, owners in zip(names, before, strict=True):
            self._share(name, sorted({*owners} ^ {*self._owners(device, name)}), shares)


def _uses_gamepads(player: Input, shared: Mapping[str, Sequence[str]]) -> bool:
    """Whether a player's actions, without the shared ones, name a key of a gamepad."""
    own_keys = (keys for action, keys in player.actions.items() if shared.get(action) != keys)
    return any(key.startswith(_GAMEPAD_PREFIX) for keys in own_keys for key in keys)
