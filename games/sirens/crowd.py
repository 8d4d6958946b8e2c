"""The crowd: more sources than voices; those that are mixed are filled, virtual ones are hollow."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_audio import AudioSource, Voices
from rish_core import Input, Scenes, Stage, Transform, World, find, spawn_prefab, system
from rish_ui import Clicked

from .components import Member, Settings, Visit
from .pen import CYAN, GOLD, GRAY, GREEN, WHITE, Color, Pen, faded
from .walking import BOUNDS, walker_of

KINDS = ("bird", "cricket", "frog", "drip", "chime")
INKS: tuple[Color, ...] = (GREEN, GOLD, CYAN, (177, 151, 252, 255), (255, 143, 163, 255))
SHARES = (0.32, 0.26, 0.2, 0.16, 0.06)
BURST = 40
_A_TICK = 2
"""How many come in a tick; so they do not sound in step."""
_SPREAD = 90.0
"""Units around the pointer where they come."""


def in_crowd(world: World) -> bool:
    """Whether this exhibit is shown."""
    return world[Scenes].current == "crowd"


def build(world: World) -> None:
    """Begin with a burst."""
    more(world)


def more(world: World, center: tuple[float, ...] = ()) -> None:
    """Let a burst come, around a place or everywhere."""
    visit = world[Visit]
    visit.waiting, visit.center = visit.waiting + BURST, center


@system(Stage.STEP, reads=(Input, Settings, Clicked), writes=(Member, AudioSource, Transform, Visit), run_if=in_crowd)
def come(world: World, dt: float) -> None:
    """Spawn some of those that wait; remove a burst if it is asked for."""
    keys, visit = world[Input], world[Visit]
    x, y = keys.pointer
    if keys.pressed("take") and BOUNDS[0] < x < BOUNDS[2] and BOUNDS[1] < y < BOUNDS[3]:
        more(world, (x, y))
    members = world.query(Member).entities
    clicked = world.events(Clicked).widget.tolist()
    if keys.pressed("fewer") or (clicked and find(world, "fewer") in clicked):
        world.despawn(members[-BURST:])
    count = min(_A_TICK, visit.waiting, world[Settings].most - len(members))
    if count > 0:
        _spawn(world, count)
    visit.waiting = max(visit.waiting - _A_TICK, 0)


def _spawn(world: World, count: int) -> None:
    luck, center = world.random("crowd"), world[Visit].center
    left, low, right, high = BOUNDS
    if center:
        place = np.array(center) + luck.uniform(-_SPREAD, _SPREAD, (count, 2))
    else:
        place = np.column_stack([luck.uniform(left, right, count), luck.uniform(low, high, count)])
    place = np.clip(place, BOUNDS[:2], BOUNDS[2:])
    kind = np.searchsorted(np.cumsum(SHARES)[:-1], luck.uniform(0, 1, count), side="right")
    pitch = luck.uniform(0.8, 1.25, count)
    for k in range(count):
        source = AudioSource(clip=KINDS[kind[k]], pitch=float(pitch[k]), priority=2 * int(kind[k] == len(KINDS) - 1))
        spawn_prefab(world, "member", Member(kind=int(kind[k])), source, at=tuple(place[k].tolist()))


@system(Stage.EXTRACT, before="render.extract", reads=(Member, Voices, AudioSource), run_if=in_crowd)
def draw_crowd(world: World, dt: float) -> None:
    """Draw each source; lines lead to the loudest ones."""
    pen, voices = Pen(world, "marks", 0), world[Voices]
    members = world.query(Member, Transform, AudioSource)
    place, kind = members[Transform.position], members[Member.kind]
    slot, level = _heard(voices, members[AudioSource.voice])
    here = world.get(walker_of(world), Transform).position
    for row in np.argsort(-level, kind="stable")[:8].tolist():
        pen.lines([[*here, *place[row]]], faded(INKS[kind[row]], 0.35), 1.2)
    for (x, y), which, taken, loud in zip(place.tolist(), kind.tolist(), slot.tolist(), level.tolist(), strict=True):
        if taken < 0:
            pen.disc(x, y, 4, faded(GRAY, 0.25), faded(GRAY, 0.8), 1)
            continue
        pen.disc(x, y, 7 + 26 * min(loud, 0.4), faded(INKS[which], 0.1 + 0.25 * min(loud * 3, 1)))
        pen.disc(x, y, 5, INKS[which], WHITE if which == len(KINDS) - 1 else (10, 16, 32, 255), 1.2)
    pen.done()


def _heard(voices: Any, serials: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return the slot and the level of the voices with these serials; -1 and 0 for none."""
    known = voices.serial
    if not len(known) or not len(serials):
        return np.full(len(serials), -1), np.zeros(len(serials))
    row = np.minimum(np.searchsorted(known, serials), len(known) - 1)
    found = known[row] == serials
    return np.where(found, voices.slot[row], -1), np.where(found & (voices.slot[row] >= 0), voices.level[row], 0.0)
