"""The input of the player at this machine, as that of a seat.

All devices of a machine are one device of the session, whose number is the seat. In a game with `input: players:` the
keys of any player work: a key of another player's action becomes the key of the same action of this seat's player. So
two people at two machines may both play with the keys of player 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rish_core import Input, InputRecord, WindowEvent
from rish_core.loop import AXIS_NAMES, PRESSABLE


class LocalInput:
    """Converts the events of the window, and follows which keys and axes are held."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, str], WindowEvent] = {}

    def convert(self, record: InputRecord, input_: Input, seat: int) -> InputRecord:
        """Return the record as input of the seat's player. When the window loses the focus, held keys go up."""
        if not record.events:
            return record
        events: list[WindowEvent] = []
        for event in record.events:
            if event.kind == "focus" and not event.down:
                events += [replace(held, down=False, value=0.0) for held in self._held.values()]
                self._held.clear()
            elif event.kind in PRESSABLE or event.kind == "gamepad_axis":
                events.append(self._hold(replace(event, name=key_of_player(event.name, input_, seat))))
            else:
                events.append(event)
        return InputRecord(tuple(events))

    def difference(self, input_: Input, seat: int) -> list[WindowEvent]:
        """Return the events that make the seat's keys and axes in a state those that are really held."""
        devices = input_.devices
        stated = devices.held.get(seat, {}) if devices is not None else {}
        real = {name: event for (_, name), event in self._held.items()}
        events = [_released(name) for name in stated if name not in real]
        return events + [event for name, event in real.items() if stated.get(name) != (event.value or 1.0)]

    def _hold(self, event: WindowEvent) -> WindowEvent:
        key = event.kind, event.name
        if event.down or event.value:
            self._held[key] = event
        else:
            self._held.pop(key, None)
        return event


def key_of_player(name: str, input_: Input, seat: int) -> str:
    """Return the key of the seat's player for the action that `name` has for another player; else `name` itself."""
    players = input_.players
    if len(players) < 2:
        return name
    own = players[min(seat, len(players)) - 1].actions
    if any(name in keys for keys in own.values()):
        return name
    for player in players:
        for action, keys in player.actions.items():
            if name in keys and own.get(action):
                return _like(name, keys, own[action])
    return name


def _released(name: str) -> WindowEvent:
    """Return the event after which a key is up, or an axis in the middle."""
    if name in AXIS_NAMES:
        return WindowEvent("gamepad_axis", name)
    kind = "mouse_button" if name.startswith("mouse.") else "gamepad_button" if name.startswith("gamepad.") else "key"
    return WindowEvent(kind, name, down=False)


def _like(name: str, keys: Sequence[str], own: Sequence[str]) -> str:
    """Return the key at the same place in the list of the own keys, or the first one."""
    place = keys.index(name)
    return own[place] if place < len(own) else own[0]
