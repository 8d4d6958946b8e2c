"""Actions: what an agent does becomes window events, as if a person pressed the keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces

from rish_core import Input, WindowEvent, did_you_mean

from .task import ActionWish, Text

Bindings = Mapping[str, Sequence[str]]
_PAD = "gamepad."
_STICK = (".left_x", ".left_y", ".right_x", ".right_y")
_KINDS = {"mouse": "mouse_button", "gamepad": "gamepad_button"}


class Controls:
    """The controls of one player. wish: the declared actions; None: a button for each action of the manifest.

    keys: the input of the game. player: its number, from 1. space: of the actions. Raises ManifestError for names that
    do not exist.
    """

    def __init__(self, wish: ActionWish | None, keys: Input, player: int, at: Text) -> None:
        self._device = player if len(keys.players) > 1 else 0
        own = keys.player(player)
        others: list[Bindings] = [other.actions for other in keys.players if other is not own]
        self._actions, self._input = own.actions, keys
        self._key_of = {name: _own_key(name, own.actions, others) for name, bound in own.actions.items() if bound}
        self._at = wish.at if wish is not None else at
        wish = wish or ActionWish({}, tuple(self._key_of), (), (), None, at)
        self._choices = [[self._keys(names) for names in items] for items in wish.choose.values()]
        self._press = [self._keys((name,)) for name in wish.press]
        self._tap = frozenset(self._keys(wish.tap))
        self._axes = self._checked_axes(wish.axes)
        self.space, self._split = self._make_space(wish)
        self._down: frozenset[str] = frozenset()
        self._tilt = [0.0] * len(self._axes)

    def release(self) -> None:
        """Forget the held keys, because the game begins again."""
        self._down, self._tilt = frozenset(), [0.0] * len(self._axes)

    @property
    def needs_device(self) -> bool:
        """Whether the player needs a gamepad of its own, because several players may use the same gamepad keys."""
        held = [key for items in self._choices for keys in items for key in keys]
        held += [key for keys in self._press for key in keys]
        return self._device > 0 and any(key.startswith(_PAD) for key in (*held, *self._axes))

    @property
    def idle(self) -> bool:
        """Whether no key is held."""
        return not self._down and not any(self._tilt)

    def events(self, action: Any) -> list[WindowEvent]:
        """Return the window events that change the held keys to those of the action."""
        chosen, pressed, tilt, pointer = self._split(action)
        wanted = {key for items, number in zip(self._choices, chosen, strict=True) for key in items[int(number)]}
        wanted.update(key for keys, held in zip(self._press, pressed, strict=True) if held for key in keys)
        held_keys = frozenset(wanted - self._tap)
        events: list[WindowEvent] = []
        if pointer is not None:
            events.append(WindowEvent("mouse_move", x=float(pointer[0]), y=float(pointer[1])))
        if held_keys != self._down:
            events += [self._event(key, False) for key in sorted(self._down - held_keys)]
            events += [self._event(key, True) for key in sorted(held_keys - self._down)]
            self._down = held_keys
        events += [self._event(key, down) for key in sorted(wanted & self._tap) for down in (True, False)]
        for k, value in enumerate(tilt):
            if float(value) != self._tilt[k]:
                self._tilt[k] = float(value)
                events.append(WindowEvent("gamepad_axis", self._axes[k], value=float(value), device=self._device))
        return events

    def _event(self, key: str, down: bool) -> WindowEvent:
        group = key.partition(".")[0]
        x, y = self._input.pointer if group == "mouse" else (0.0, 0.0)
        device = self._device if group == "gamepad" else 0
        return WindowEvent(_KINDS.get(group, "key"), key, down=down, x=x, y=y, device=device)

    def _keys(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the keys that stand for actions; a key stands for itself."""
        keys: list[str] = []
        for name in names:
            if name not in self._key_of and not (name not in self._actions and self._input.knows(name)):
                listed = ", ".join(self._key_of) or "none"
                near = did_you_mean(name, self._key_of)
                raise self._at.failed(f"no action of `input:` with a key is called {name!r}{near}. Actions: {listed}")
            keys.append(self._key_of.get(name, name))
        return tuple(keys)

    def _checked_axes(self, names: Sequence[str]) -> Sequence[str]:
        for name in names:
            if not name.startswith(_PAD) or not name.endswith((*_STICK, "_trigger")):
                raise self._at.failed(f"{name!r} is no axis: write gamepad.left_x, gamepad.right_trigger or similar")
        return names

    def _make_space(self, wish: ActionWish) -> tuple[spaces.Space[Any], Callable[[Any], tuple[Any, Any, Any, Any]]]:
        """Return the space, and the function that splits an action into choices, presses, axes and pointer."""
        sizes = [len(items) for items in self._choices]
        parts: dict[str, spaces.Space[Any]] = {}
        if sizes:
            parts["choose"] = spaces.Discrete(sizes[0]) if len(sizes) == 1 else spaces.MultiDiscrete(sizes)
        if self._press:
            parts["press"] = spaces.MultiBinary(len(self._press))
        if self._axes:
            low = np.array([0 if name.endswith("_trigger") else -1 for name in self._axes], np.float32)
            parts["axes"] = spaces.Box(low, np.ones_like(low), dtype=np.float32)
        if wish.pointer is not None:
            ends = np.array(wish.pointer, np.float32)
            parts["pointer"] = spaces.Box(ends[:2], ends[2:], dtype=np.float32)
        if not parts:
            return spaces.Discrete(1), lambda action: ((), (), (), None)
        single = len(sizes) == 1

        def split(action: Any) -> tuple[Any, Any, Any, Any]:
            values = action if len(parts) > 1 else {next(iter(parts)): action}
            choices = values.get("choose", ())
            press, axes = values.get("press", ()), values.get("axes", ())
            return (choices,) if single else choices, press, axes, values.get("pointer")

        return (spaces.Dict(parts) if len(parts) > 1 else next(iter(parts.values()))), split


def _own_key(action: str, bindings: Bindings, others: Sequence[Bindings]) -> str:
    """Return a key of an action that presses as few other actions, of this player and of others, as possible."""
    other_keys = [key for name, keys in bindings.items() if name != action for key in keys]
    for actions in others:
        other_keys += [key for name, keys in actions.items() if bindings.get(name) != keys for key in keys]
    return min(bindings[action], key=other_keys.count)
