"""A player that presses random keys, for tests of games.

It presses the keys of the actions in the manifest, moves the pointer and clicks, all from a seed, so that a game can
be repeated. It sends window events, like a person, so a recording of its game replays without it.
"""

from __future__ import annotations

from typing import Any

from rish_core import InputRecord, Stream, TickHooks, WindowEvent
from rish_ecs.random import stream_key

_KEYS = ("SPACE", "ENTER", "LEFT", "RIGHT", "UP", "DOWN", "ESCAPE")
"""The keys that are pressed in a game without actions."""
ENDINGS = ("quit", "exit", "leave")
"""Actions that are likely to end a game."""
_KEY_CHANGE = 0.12
"""The probability per tick that a key is pressed or released."""
_POINTER_MOVE = 0.15
"""The probability per tick that the pointer moves."""
_SCROLL = 0.01
"""The probability per tick that the wheel turns."""
_SIZE = (960, 540)
"""The area of pointer positions in a game whose manifest gives no size."""


class RandomPlayer:
    """Plays an app with random input from a seed. `take_over()` replaces the input of the window.

    spare: actions whose keys are never pressed, so that the game does not end.
    """

    def __init__(self, app: Any, seed: int, spare: tuple[str, ...] = ENDINGS) -> None:
        self.app = app
        self.stream = Stream(stream_key(seed, "random player"))
        manifest = app.manifest
        shared, players = manifest.actions()
        keys = [
            key
            for bindings in (shared, *players)
            for action, bound in bindings.items()
            if action not in spare
            for key in bound
        ]
        self.keys = sorted(dict.fromkeys(keys or _KEYS))
        size = manifest.value_at(("game", "size")) or _SIZE
        self.width, self.height = int(size[0]), int(size[1])
        self.pressed_keys: set[str] = set()

    def take_over(self) -> None:
        """Replace the input of every tick from now on; events of the window are ignored."""
        self.app.world[TickHooks].before.insert(0, lambda world, record: self.record())

    def record(self) -> InputRecord:
        """Return the input of the next tick."""
        stream, events = self.stream, list[WindowEvent]()
        if stream.uniform() < _KEY_CHANGE:
            events.append(self._press(self.keys[stream.choice(len(self.keys))]))
        if stream.uniform() < _POINTER_MOVE:
            x, y = stream.uniform(0, self.width), stream.uniform(0, self.height)
            events.append(WindowEvent("mouse_move", x=round(x, 1), y=round(y, 1)))
        if stream.uniform() < _SCROLL:
            events.append(WindowEvent("scroll", y=float(stream.integers(-1, 2))))
        return InputRecord(tuple(events))

    def _press(self, key: str) -> WindowEvent:
        """Return the event that presses or releases a key, or moves an axis."""
        if key.startswith("gamepad.") and key.rstrip("+-").endswith(("_x", "_y", "trigger")):
            push = round(self.stream.uniform(-1, 1), 2) if self.stream.uniform() < 0.6 else 0.0
            return WindowEvent("gamepad_axis", key.rstrip("+-"), value=push)
        down = key not in self.pressed_keys
        (self.pressed_keys.add if down else self.pressed_keys.discard)(key)
        kind = "mouse_button" if key.startswith("mouse.") else "gamepad_button" if key.startswith("gamepad.") else "key"
        return WindowEvent(kind, key, down=down)
