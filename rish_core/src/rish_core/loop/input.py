"""The input of the player, as state of the World that changes once per tick.

Keys and buttons of all devices share one list of names. The state of a key is whether it is down and whether it went
down or up in this tick. Two rules hold for any sequence of events, however it is divided into ticks:

* an edge (`pressed`, `released`) is true for exactly one tick;
* a press and release between two ticks is one press: down for that one tick, released in the next.

If a key is pressed several times during a slow frame, each press is in a tick of its own, see `PendingInput.take`.

The player and code (an autopilot, a test, a bot) hold keys independently: a key is down while either holds it. All
input state is plain data and part of the hash, so a game can be replayed from its records alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from rish_ecs import UnknownName, UsageError, resource

from .devices import DEVICE_KINDS, PRESS_AT, Devices
from .events import NOTHING, PRESSABLE, InputRecord, WindowEvent
from .keys import (
    ALIASES,
    AXIS_INDEX,
    AXIS_KEYS,
    AXIS_NAMES,
    HINT,
    KEY_INDEX,
    KEY_NAMES,
    check_key,
    key_index,
    nearest_key,
)

__all__ = ["KEY_NAMES", "Input", "InputRecord", "WindowEvent", "check_key"]

DOWN, PRESSED, RELEASED, OWED = 1, 2, 4, 8
"""Bits of a key's state. OWED: pressed and released in the same tick, so `RELEASED` is set in the next one."""
HAND, CODE = 16, 32
"""Bits for the sources that hold a key down: the player, or code."""
LATER_PRESS, LATER_RELEASE = 64, 128
"""Bits for presses and releases that code requests between two ticks; they take effect in the next tick."""

NO_EVENTS: tuple[WindowEvent, ...] = ()

# The state of a key is one byte, so one `bytes.translate` call advances all keys by a tick.
_AT_REST = bytes(len(KEY_NAMES))
_NEXT_STATE = bytes(s & (HAND | CODE) | RELEASED if s & OWED else s & (DOWN | HAND | CODE) for s in range(256))
_BY_HAND = bytes(s & HAND for s in range(256))
_REQUESTS = bytes(s & (LATER_PRESS | LATER_RELEASE) for s in range(256))


def _no_key_has(state: NDArray[np.uint8], bits: bytes) -> bool:
    """Whether no key has any of the bits that a translation table of 256 bytes keeps."""
    return state.tobytes().translate(bits) == _AT_REST


DEAD_ZONE = 0.15
"""Axis values below this read as 0, because sticks never return exactly to the middle."""
_RELEASE_AT = 0.4
"""The axis value below which its key is released; lower than `PRESS_AT`, so that a trembling stick presses once."""
_PASSIVE_KINDS = ("resize", "focus", "gamepad_connected", "gamepad_disconnected")
"""The kinds of events that do not set `touched`, because no person acted."""


def _no_keys() -> NDArray[np.uint8]:
    return np.zeros(len(KEY_NAMES), np.uint8)


def _no_axes() -> NDArray[np.float32]:
    return np.zeros(len(AXIS_NAMES), np.float32)


@resource
class Input:
    """Keys, pointer, wheel, typed text and axes in the current tick, and the actions that name keys.

    pointer_x, pointer_y: logical pixels, y up. moved_x, moved_y: movement of the pointer in this tick, or of the mouse
    while the pointer is held (see `frame.DeviceRequests.lock`). scroll_x, scroll_y: notches in this tick. text: the
    text typed in this tick. state: uint8, the bits of each key of `KEY_NAMES`. axes: float32, -1..1 for each of
    `AXIS_NAMES`. actions: the keys of each action, from the manifest.
    open: whether a tick is running. touched: whether the player did something in this tick or holds a key, so that an
    autopilot can stop. devices: the state of players, numbered devices, fingers and composed text; None until there are
    any.
    """

    state: NDArray[np.uint8] = field(default_factory=_no_keys)
    axes: NDArray[np.float32] = field(default_factory=_no_axes)
    pointer_x: float = 0.0
    pointer_y: float = 0.0
    moved_x: float = 0.0
    moved_y: float = 0.0
    scroll_x: float = 0.0
    scroll_y: float = 0.0
    text: str = ""
    actions: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    open: bool = False
    touched: bool = False
    devices: Devices | None = field(default=None, metadata={"added": True})
    _commands = NO_EVENTS

    # Queries

    @property
    def commands(self) -> Sequence[WindowEvent]:
        """The events of kind `command` in this tick, of all devices; empty between two ticks."""
        return self._commands

    def player_of(self, device: int) -> int:
        """Return the number of the player that a device belongs to, from 1; 0 if it belongs to none or to all."""
        return self.devices.seats.get(device, 0) if self.devices is not None else 0

    def down(self, name: str) -> bool:
        """Whether a key, or any key of an action, is down. Raises UnknownName."""
        return any(self.state.item(key) & DOWN for key in self._keys(name))

    def pressed(self, name: str) -> bool:
        """Whether a key or action went down in this tick. Raises UnknownName."""
        return self._edges(name)[0]

    def released(self, name: str) -> bool:
        """Whether a key or action went up in this tick. Raises UnknownName."""
        return self._edges(name)[1]

    def strength(self, name: str) -> float:
        """Return how far a key or action is pushed, 0..1: 1 for a key that is down, the axis position for a stick."""
        return max([self._strength(key) for key in self._keys(name)], default=0.0)

    def axis(self, negative: str, positive: str) -> float:
        """Return -1..1 from two opposite keys or actions: `input.axis("left", "right")`."""
        return self.strength(positive) - self.strength(negative)

    def value(self, name: str) -> float:
        """Return the position of an axis like `gamepad.left_x`, -1..1, 0 within the dead zone. Raises UnknownName."""
        index = AXIS_INDEX.get(name)
        if index is None:
            raise UnknownName(f"no axis is called {name!r}", given=name, choices=AXIS_NAMES)
        position = float(self.axes[index])
        return position if abs(position) >= DEAD_ZONE else 0.0

    def player(self, number: int) -> Input:
        """Return the input of a player, from 1; its keys are those of the player's devices. Raises UnknownName.

        If the manifest names no players, player 1 is this object. Ask again in each tick: a restore replaces players.
        """
        players = self.players
        if number not in range(1, len(players) + 1):
            hint = "The manifest lists players and their keys, `input: {players: [{left: [A]}, {left: [LEFT]}]}`"
            raise UnknownName(f"there is no player {number!r}", choices=map(str, range(1, len(players) + 1)), hint=hint)
        return players[number - 1]

    @property
    def players(self) -> Sequence[Input]:
        """The inputs of all players; only this object if the manifest names no players."""
        return (self.devices and self.devices.players) or (self,)

    @property
    def touches(self) -> Mapping[int, tuple[float, float]]:
        """The positions of the fingers on the screen, by their numbers; logical pixels, y up."""
        return self.devices.touches if self.devices is not None else {}

    @property
    def composition(self) -> tuple[str, int, int]:
        """The text that is being composed, and start and length of its selection; ("", 0, 0) if there is none."""
        return self.devices.composition if self.devices is not None else ("", 0, 0)

    @property
    def pasted(self) -> str:
        """The text that was pasted in this tick."""
        return self.devices.pasted if self.devices is not None else ""

    @property
    def pointer(self) -> tuple[float, float]:
        """The position of the pointer, in logical pixels, y up."""
        return self.pointer_x, self.pointer_y

    @property
    def scroll(self) -> tuple[float, float]:
        """How far the wheel turned in this tick, in notches to the right and up."""
        return self.scroll_x, self.scroll_y

    def pressed_keys(self) -> list[str]:
        """Return the names of all keys that went down in this tick, for 'press any key' and for key settings."""
        return [KEY_NAMES[key] for key in np.flatnonzero(self.state & PRESSED)]

    def knows(self, name: str) -> bool:
        """Whether a name is that of an action or a key."""
        return name in self.actions or check_key(name)

    # Setting up

    def set_actions(
        self, actions: Mapping[str, Iterable[str]], players: Sequence[Mapping[str, Iterable[str]]] | None = None
    ) -> None:
        """Replace all actions. Raises UnknownName for an unknown key, UsageError for an action named like a key.

        players: each player's own actions, in addition to the shared ones; None: they stay as they are.
        """
        devices, shared_before = self.devices, self.actions
        self.actions = _checked(actions)
        if players is None:
            inputs = devices.players if devices is not None else ()
            players = [{a: keys for a, keys in p.actions.items() if shared_before.get(a) != keys} for p in inputs]
        if players and devices is None:
            devices = self.devices = Devices()
        if devices is not None:
            devices.players = [*devices.players, *(Input() for _ in players)][: len(players)]
            devices.seats = {device: number for device, number in devices.seats.items() if number <= len(players)}
            for player, own_actions in zip(devices.players, players, strict=True):
                player.actions = self.actions | _checked(own_actions)

    def assign(self, device: int, player: int | None) -> None:
        """Give a device to a player from the next tick on; None: to nobody. Raises UnknownName.

        device: a gamepad, or 0 for keyboard and mouse, which belong to all players until they are assigned.
        """
        self.player(player or 1)
        self.devices = self.devices or Devices()
        self.devices.moves.append((device, player or 0))

    # The tick

    def begin_tick(self, record: InputRecord = NOTHING) -> None:
        """Begin a tick: clear the edges, apply the deferred presses of code, then the record's events in order.

        Presses of a key that is already down and unknown names are ignored.
        """
        at_rest = self._clear_edges()
        self.open = True
        if record.events:
            self._commands = tuple([event for event in record.events if event.kind == "command"])
        acted = self._apply_events(record.events) if record.events or self.devices is not None else False
        self.touched = acted or not (at_rest or _no_key_has(self.state, _BY_HAND))

    def end_tick(self) -> None:
        """End the tick; later presses from code are deferred to the next tick, so that their edges are not lost."""
        self.open = False
        self._commands = NO_EVENTS
        if self.devices is not None:
            for player in self.devices.players:
                player.end_tick()

    # Driving from code

    def press(self, name: str) -> None:
        """Hold a key, or the first key of an action, from code until `release`; in a tick it works immediately.

        Call it in Stage.INPUT, so that all later systems of the tick can read the edge.
        """
        self._drive(name, True)

    def release(self, name: str) -> None:
        """Release a key or action that code holds. A key that the player holds as well stays down."""
        self._drive(name, False)

    def tap(self, name: str) -> None:
        """Press and release: the key is down for one tick and released in the next."""
        self._drive(name, True)
        self._drive(name, False)

    def release_all(self) -> None:
        """Release all keys that code holds."""
        for key in np.flatnonzero(self.state & (CODE | LATER_PRESS)):
            self._drive(KEY_NAMES[key], False)

    def move(self, x: float, y: float) -> None:
        """Move the pointer from code; logical pixels, y up."""
        self.moved_x += x - self.pointer_x
        self.moved_y += y - self.pointer_y
        self.pointer_x, self.pointer_y = float(x), float(y)

    def push(self, name: str, value: float) -> None:
        """Set an axis like `gamepad.left_x` from code, -1..1; this also presses its keys. Raises UnknownName."""
        self.value(name)
        self._set_axis(name, value, CODE)

    # Internal

    def _keys(self, name: str) -> list[int]:
        keys = self.actions.get(name)
        if keys is not None:
            return [KEY_INDEX[key] for key in keys]
        index = KEY_INDEX.get(ALIASES.get(name, name))
        if index is None:
            raise self._unknown(name)
        return [index]

    def _unknown(self, name: str) -> UnknownName:
        near = nearest_key(name)
        choices = [*self.actions, *([near] if near else [])]
        hint = HINT if near else f"Actions are declared in the manifest, `input: {{{name}: [SPACE]}}`. {HINT}"
        return UnknownName(f"no action or key is called {name!r}", given=name, choices=choices, hint=hint)

    def _edges(self, name: str) -> tuple[bool, bool]:
        """Return whether an action or key went down, and whether it went up.

        The keys of an action count as one: a second key pressed while the first is held is not a new press. If a single
        key went up and down again within the tick, both results are True.
        """
        state, changed = self.state, 0
        states = [state.item(key) for key in self._keys(name)]
        for bits in states:
            changed |= bits
        if not changed & (PRESSED | RELEASED):
            return False, False
        before = [s for s in states if s & RELEASED or (s & DOWN and not s & PRESSED)]
        is_down = any(s & DOWN for s in states)
        again = any(s & PRESSED and s & RELEASED for s in states) and all(s & RELEASED for s in before)
        was_down = bool(before)
        return is_down and (not was_down or again), was_down and (not is_down or again)

    def _strength(self, key: int) -> float:
        analog = _AXIS_OF.get(key)
        if analog is not None and self.axes.item(AXIS_INDEX[analog[0]]):
            return min(1.0, max(0.0, self.value(analog[0]) * analog[1]))
        return 1.0 if self.state.item(key) & DOWN else 0.0

    def _clear_edges(self) -> bool:
        """Clear the edges and apply deferred presses of code; return whether all keys were at rest."""
        self.moved_x = self.moved_y = self.scroll_x = self.scroll_y = 0.0
        self.text = ""
        before = self.state.tobytes()
        if before == _AT_REST:
            return True
        has_requests = not _no_key_has(self.state, _REQUESTS)
        self.state[:] = np.frombuffer(before.translate(_NEXT_STATE), np.uint8)
        for key, bits in enumerate(before if has_requests else b""):
            if bits & LATER_PRESS:
                self._hold(key, CODE, True)
            if bits & LATER_RELEASE:
                self._hold(key, CODE, False)
        return False

    def _apply_events(self, events: Sequence[WindowEvent]) -> bool:
        """Apply the events of a tick in order; return whether a person acted."""
        if self.devices is None and any(event.device or event.kind in DEVICE_KINDS for event in events):
            self.devices = Devices()
        for event in self.devices.begin_tick(events, self.actions) if self.devices is not None else events:
            self._apply(event)
        return any(event.kind not in _PASSIVE_KINDS for event in events)

    def _apply(self, event: WindowEvent) -> None:
        kind = event.kind
        if kind in PRESSABLE:
            key = KEY_INDEX.get(event.name)
            if key is not None:
                self._hold(key, HAND, event.down)
        elif kind == "mouse_move":
            self.move(event.x, event.y)
        elif kind == "mouse_motion":
            self.moved_x += event.x
            self.moved_y += event.y
        elif kind == "scroll":
            self.scroll_x += event.x
            self.scroll_y += event.y
        elif kind == "text":
            self.text += event.text
        elif kind == "gamepad_axis":
            if event.name in AXIS_INDEX:
                self._set_axis(event.name, event.value, HAND)
        elif kind == "focus" and not event.down:
            self._lose_focus()

    def _lose_focus(self) -> None:
        """Release all keys that the player holds, because their release events are sent to another window."""
        for key in np.flatnonzero(self.state & HAND).tolist():
            self._hold(key, HAND, False)
        self.axes[:] = 0

    def _drive(self, name: str, down: bool) -> None:
        key = self._keys(name)[0]
        if self.open:
            self._hold(key, CODE, down)
        elif down:
            self.state[key] = (self.state[key] & ~np.uint8(LATER_RELEASE)) | LATER_PRESS
        else:
            self.state[key] |= LATER_RELEASE

    def _hold(self, key: int, source: int, down: bool) -> None:
        """Press or release a key for one source, HAND or CODE; set the edge unless the other source holds the key."""
        state = int(self.state[key])
        was_held = state & (HAND | CODE)
        state = state | source if down else state & ~source
        is_held = state & (HAND | CODE)
        if is_held and not was_held:
            state = state & ~OWED if state & OWED else state | DOWN | PRESSED
        elif was_held and not is_held:
            state = state | OWED if state & PRESSED else (state & ~DOWN) | RELEASED
        self.state[key] = state

    def _set_axis(self, name: str, value: float, source: int) -> None:
        value = min(1.0, max(-1.0, value))
        self.axes[AXIS_INDEX[name]] = value
        for key_name, push in zip(AXIS_KEYS[name], (-value, value), strict=True):
            if key_name:
                key = KEY_INDEX[key_name]
                is_held = bool(self.state[key] & source)
                if (push >= PRESS_AT) != is_held and (push >= PRESS_AT or push < _RELEASE_AT):
                    self._hold(key, source, not is_held)


def _checked(actions: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return actions with the full names of their keys."""
    checked: dict[str, list[str]] = {}
    for action, keys in actions.items():
        if check_key(action):
            raise UsageError(f"the action {action!r} has the name of a key", hint="Give it another name")
        checked[action] = [KEY_NAMES[key_index(key)] for key in keys]
    return checked


_AXIS_OF = {
    KEY_INDEX[key]: (axis, sign)
    for axis, pair in AXIS_KEYS.items()
    for key, sign in zip(pair, (-1, 1), strict=True)
    if key
}
