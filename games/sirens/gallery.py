"""The gallery: for each exhibit how it is built, its action, its readings; keys and buttons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rish_audio import set_mix, stop_music
from rish_core import Input, Scenes, Session, Stage, World, every, find, spawn_prefab, system
from rish_history import History
from rish_render import Text
from rish_ui import Clicked

from . import crowd, desk, field, street, walls
from .components import Pilot, Readings, Row, Visit
from .pen import FAINT, GOLD, Pen, paint
from .table import SLOTS, read_table, row_place


def _nothing(world: World) -> None:
    """Do nothing."""


def _no_readings(world: World) -> dict[str, float]:
    """Return no readings."""
    return {}


@dataclass(frozen=True)
class Exhibit:
    """One scene. act: of the space key. build: adds what is not in the manifest. read: numbers of labels by name."""

    act: Callable[[World], None]
    build: Callable[[World], None] = _nothing
    read: Callable[[World], dict[str, float]] = _no_readings


EXHIBITS = {
    "doppler": Exhibit(street.faster, read=street.read),
    "distance": Exhibit(field.choose, read=field.read),
    "walls": Exhibit(walls.open_door, walls.build, walls.read),
    "crowd": Exhibit(crowd.more, crowd.build),
    "mix": Exhibit(desk.announce, desk.build),
}
"""The exhibits, in the order of the manifest's scenes and of the keys 1 to 5."""
_KEYS = ("first", "second", "third", "fourth", "fifth")


def build(world: World, scene: str) -> None:
    """Build what all exhibits have, then the exhibit: names of buses, rows of the table, the tour."""
    visit = world[Visit]
    visit.turn, visit.model, visit.waiting, visit.center, visit.held, visit.beat = 0, 0, 0, (), -1, 0
    for number, name in enumerate(desk.STRIPS):
        spawn_prefab(world, "label", Text(text=name, anchor=(0.5, 0.5)), at=(72 + 46 * number, 23))
    for number in range(SLOTS):
        x, y = row_place(number)
        spawn_prefab(
            world, "label", Text(text=f"{number + 1}", size=10.0, color=paint(FAINT), anchor=(1, 0.5)), at=(x, y)
        )
        spawn_prefab(world, "row", Row(number=number), at=(x + 6, y))
    spawn_prefab(world, "pilot", Pilot(active=visit.touring))
    if scene != "mix":
        stop_music(world, 0.5)
        if visit.mix:
            visit.mix = 0
            set_mix(world, "", 0.5)
    EXHIBITS[scene].build(world)
    read(world, scene)


@system(Stage.PRE, reads=(Input, Clicked), writes=(Scenes, Session, Visit), after="game.tour")
def listen(world: World, dt: float) -> None:
    """Handle the keys and buttons that all exhibits have."""
    keys, scenes = world[Input], world[Scenes]
    names, clicked = list(EXHIBITS), world.events(Clicked).widget.tolist()
    back, forward, act = (
        keys.pressed(name) or (bool(clicked) and find(world, name) in clicked) for name in ("back", "next", "act")
    )
    chosen = [name for key, name in zip(_KEYS, names, strict=True) if keys.pressed(key)]
    turn = forward - back
    if chosen or turn:
        scenes.go(chosen[0] if chosen else names[(names.index(scenes.current) + turn) % len(names)])
    elif act:
        EXHIBITS[scenes.current].act(world)
    elif keys.pressed("leave"):
        world[Session].quit = True
    world[Visit].beat += 1


@system(Stage.PRE, reads=(Visit, Scenes), writes=Readings, run_if=every(6), before="game.listen")
def take_readings(world: World, dt: float) -> None:
    """Read what the labels show, as it is at the end of the tick before."""
    read(world, world[Scenes].current)


def read(world: World, scene: str) -> None:
    """Read what the labels of an exhibit show."""
    world[Readings].shown = {**EXHIBITS[scene].read(world), **read_table(world)}


@system(Stage.EXTRACT, before="render.extract")
def draw_rewind(world: World, dt: float) -> None:
    """Draw lines over the exhibit and two arrowheads while time runs back."""
    if not world[History].rewinding:
        return
    pen, roll = Pen(world, "chrome", 0), world.tick * 7 % 40
    pen.lines([[14, y, 874, y] for y in range(196 + roll, 644, 40)], (150, 120, 255, 40), 6)
    for x in (800, 826):
        pen.path([(x + 18, 622), (x, 606), (x + 18, 590)], GOLD, 5)
    pen.done()
