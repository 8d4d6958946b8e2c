"""The sounds of the keep, where the plugin audio is installed. The sounds themselves are in `sounds.yaml`.

Most sounds at events are in `sounds.yaml`, and wraiths have their voice in `game.yaml`. Here is what depends on more
than one event: footsteps, the lantern's hum, burning fires, the music of danger, and the echo of the room.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Stage, Transform, World, every, resource, system
from rish_jit import maths
from rish_physics import Body

from .components import Crate, Fire, Hero, Phase, Quest, Rat, Wraith
from .creatures import SHY
from .lantern import hero_place
from .level import CELL, COLUMNS, ROWS, walkable
from .walking import IN_KEEP

STRIDE = 24.0
"""The distance, in units, from one footstep to the next."""
SCRAPES = 4.0
"""The speed, in units/s, from which a crate is heard on the floor."""
DANGER = 130.0
"""The distance, in units, of a wraith at which the music of danger begins; at half of it, it is loudest."""
NEAR_WALLS = 5
"""How far, in cells, the walls around the hero matter for the echo."""
HALL, CAVE = 0.62, 45
"""The share of floor around the hero from which it is in a hall, and the column from which it is in the caves."""
MOOD_TICKS = 20
LOOPS = "keep"
"""The tag of the sounds without an end, which stop with the scene."""


@resource(view=True)
class Heard:
    """What was heard last. walked: since the last footstep, units. room: the mix. feared: level of the danger."""

    walked: float = 0.0
    room: str = ""
    feared: float = 0.0


def command(world: World, verb: str = "play", **values: Any) -> None:
    """Send a command to the plugin audio; without it, nothing happens. values: fields of `audio.SoundCommand`."""
    kind = world.kind("audio.SoundCommand")
    if kind is not None:
        world.emit(kind, verb=verb, **values)


def sound(world: World, name: str, at: tuple[float, float] | None = None, **values: Any) -> None:
    """Play a sound, at a place or everywhere."""
    x, y = at or (0.0, 0.0)
    command(world, sound=name, placed=at is not None, position=(x, y, 0.0), **values)


def begin_sounds(world: World, scene: str) -> None:
    """Begin the loops of the keep: the lantern, the fires that burn already, and the music of danger, still silent."""
    world[Heard].room, world[Heard].feared = "", 0.0
    command(world, "stop", tag=LOOPS, fade=0.6)
    if scene == "title":
        return
    command(world, sound="danger", tag=LOOPS, loop=True, gain=0.0)
    hero = hero_place(world)[0]
    command(world, sound="lantern", source=hero, tag=LOOPS)
    fires = world.query(Fire)
    for fire in fires.entities[fires[Fire.lit]].tolist():
        burn(world, fire)


def burn(world: World, fire: int) -> None:
    """Let a fire crackle from now on."""
    name = "blaze" if world.get(fire, Fire).great else "fire"
    command(world, sound=name, source=fire, tag=LOOPS, fade=0.8, start=0.37 * (fire % 11))


def end_sounds(world: World, won: bool) -> None:
    """Play what ends a quest."""
    command(world, "set", sound="danger", parameter="gain", value=0.0, fade=1.0)
    if won:
        sound(world, "dawn_breaks")
        command(world, sound="dawn", tag="music", bus="music", loop=True, replace=True, fade=1.0)
    else:
        sound(world, "lost")
        command(world, "stop", tag="music", fade=1.5)
        command(world, "stop", sound="lantern", fade=1.0)


@system(Stage.UPDATE, reads=(Hero, Body, Quest), writes=Heard, run_if=IN_KEEP)
def footsteps(world: World, dt: float) -> None:
    """Play a footstep for each stride of the hero."""
    heard, heroes = world[Heard], world.query(Hero, Body)
    if len(heroes):
        vx, vy = heroes[Body.velocity][0].tolist()
        speed = maths.sqrt(vx * vx + vy * vy)
        heard.walked = heard.walked + speed * dt if speed > 6 else 0.7 * STRIDE
        if heard.walked >= STRIDE:
            heard.walked -= STRIDE
            command(world, sound="footstep", source=int(heroes.entities[0]), gain=min(1.0, 0.4 + speed / 100))


@system(Stage.UPDATE, reads=(Crate, Rat, Body, Transform), run_if=(IN_KEEP, every(6)))
def scrape_and_squeak(world: World, dt: float) -> None:
    """Let crates that move scrape, and rats squeak that the hero has frightened."""
    _, x, y = hero_place(world)
    for kind, least, name in ((Crate, SCRAPES, "scrape"), (Rat, SHY, "squeak")):
        found = world.query(kind, Body, Transform)
        speed = np.abs(found[Body.velocity]).sum(axis=1)
        place = found[Transform.position]
        if kind is Rat:
            speed = speed * (np.abs(place - (x, y)).sum(axis=1) < SHY)
        if len(speed) and speed.max() > least:
            fastest = int(speed.argmax())
            sound(world, name, tuple(place[fastest].tolist()), gain=min(1.0, 0.4 + float(speed[fastest]) / 60))


@system(
    Stage.UPDATE, reads=(Wraith, Hero, Quest, Transform), writes=Heard, run_if=(IN_KEEP, every(MOOD_TICKS)),
)  # fmt: skip
def change_mood(world: World, dt: float) -> None:
    """Let music and lantern follow the danger and the oil, and the echo the room that the hero is in."""
    heard, quest = world[Heard], world[Quest]
    hero, x, y = hero_place(world)
    if not hero or quest.phase is not Phase.SEEK:
        return
    off = world.query(Wraith, Transform)[Transform.position].astype(np.float64) - (x, y)
    far = float(np.sqrt((off * off).sum(axis=1)).min(initial=DANGER))
    feared = min(1.0, max(2 * (1 - far / DANGER), 1 - quest.oil / 20, 0.0))
    if abs(feared - heard.feared) > 0.05:
        heard.feared = feared
        for name, level in (("danger", feared), ("keep", 1 - 0.75 * feared)):
            command(world, "set", sound=name, parameter="gain", value=level, fade=0.8)
    command(world, "set", sound="lantern", parameter="pitch", value=0.8 + 0.2 * min(quest.oil / 25, 1.0), fade=0.3)
    command(world, "set", sound="lantern", parameter="gain", value=0.3 + 0.7 * quest.bright, fade=0.3)
    room = _room(world, x, y)
    if room != heard.room:
        heard.room = room
        command(world, "mix", sound=room, fade=1.5)


def _room(world: World, x: float, y: float) -> str:
    """Return the mix for a place: in the caves, in a hall, or in a passage."""
    column, row = int(x // CELL), ROWS - 1 - int(y // CELL)
    if column >= CAVE:
        return "cave"
    low, high = max(row - NEAR_WALLS, 0), min(row + NEAR_WALLS + 1, ROWS)
    left, right = max(column - NEAR_WALLS, 0), min(column + NEAR_WALLS + 1, COLUMNS)
    return "hall" if walkable(world)[low:high, left:right].mean() > HALL else "passage"
