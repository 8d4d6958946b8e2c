"""A trial: a game that is run for some ticks with a fixed script of input, and the hashes of its states.

The script depends only on the number of the tick, so that a game that continues from a snapshot gets the same input.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rish_core import InputRecord, Scenes, TickHooks, WindowEvent
from rish_ecs import Snapshot

from .sample import SCENES

if TYPE_CHECKING:
    from rish_core import App

TICKS, SAVED, STEP = 36, 14, 4
"""The ticks of a trial, the tick at which its snapshot is taken, and the ticks from one hash to the next."""
_CHANGE = 26
"""The tick at which the game goes to another scene, if it has one."""
_KEYS = ("SPACE", "LEFT", "RIGHT", "UP", "DOWN", "ENTER", "A", "D")


def script(tick: int) -> InputRecord:
    """Return the input of a tick: keys and the mouse button that go down and up, and a pointer that moves."""
    events = [WindowEvent("mouse_move", x=float(tick * 7 % 320), y=float(tick * 5 % 180))]
    key = _KEYS[tick // 4 % len(_KEYS)]
    if tick % 4 in (1, 3):
        events.append(WindowEvent("key", key, down=tick % 4 == 1))
    if tick % 10 in (2, 5):
        events.append(WindowEvent("mouse_button", "mouse.left", down=tick % 10 == 2, x=160, y=90))
    return InputRecord(tuple(events))


@dataclass
class Trial:
    """The results of a run. hashes: by tick. parts: by tick, the hash of each part of the state. saved: a snapshot."""

    hashes: dict[int, str] = field(default_factory=dict[int, str])
    parts: dict[int, dict[str, str]] = field(default_factory=dict[int, dict[str, str]])
    saved: Snapshot | None = None

    def differs(self, other: Trial) -> tuple[int, list[str]] | None:
        """Return the first tick with different states that both have, and the names of the different parts; or None."""
        for tick in sorted(self.hashes.keys() & other.hashes.keys()):
            if self.hashes[tick] != other.hashes[tick]:
                one, two = self.parts[tick], other.parts[tick]
                return tick, [name for name in dict.fromkeys((*one, *two)) if one.get(name) != two.get(name)]
        return None


def prepare(app: App) -> None:
    """Make a game get the script's input."""
    app.world[TickHooks].before.append(lambda world, record: script(world.tick))


def play(app: App, *, whole: bool = True, save: int | None = None) -> Trial:
    """Run a game that was prepared to the last tick; return its hashes and the snapshot at the tick `save`.

    whole: whether whole frames run, with events of windows and drawing, or ticks alone.
    """
    trial = Trial()
    for _ in frames(app, TICKS, whole=whole):
        tick = app.world.tick
        if tick == save:
            trial.saved = app.world.snapshot()
        if tick % STEP == 0:
            trial.hashes[tick] = app.world.hash()
            trial.parts[tick] = app.world.hashes()
    return trial


def frames(app: App, until: int, *, whole: bool = True) -> Iterator[None]:
    """Run a game frame by frame up to a tick, and change the scene on the way. A game that ends itself is run on.

    whole: False runs the ticks without the rest of their frames.
    """
    for _ in range(until * 2):
        if app.world.tick >= until:
            return
        scenes = app.world[Scenes]
        if app.world.tick == _CHANGE and SCENES[1] in scenes.names and scenes.current == SCENES[0]:
            scenes.go(SCENES[1])
        if whole:
            app.frame()
        else:
            app.tick()
        yield
