"""The autopilot: plays when there is no player, by pressing the same keys and buttons as a person.

It uses the map: from its goal it counts steps backwards over all cells that can be walked (wave propagation, C. Y. Lee
1961), and moves to the neighbor with the lowest number. On its path it lights the torches that it passes.
"""

from __future__ import annotations

import numpy as np

from rish_core import Input, Layers, Scenes, Stage, Transform, World, named, system
from rish_jit import Array
from rish_physics import Collider
from rish_ui import Screen, click, modal_open

from .components import Crate, Ember, Fate, Hero, Jar, Phase, Pilot, Plate, Quest, Rat, Settings
from .fires import COST, cold_torch
from .lantern import hero_place
from .level import CELL, COLUMNS, ROWS, place_of, walkable

_FAR = 1 << 20
BUTTONS = {
    Phase.SEEK: "title_screen.choices.play",
    Phase.WON: "won.choices.leave",
    Phase.LOST: "lost.choices.leave",
}
"""The button with which it goes on: on the title, and after each end."""
THIRSTY = 42.0
"""The amount of oil below which the autopilot walks to a jar."""
PATIENCE = 1.6
"""Seconds without progress after which it walks to another place for a moment."""


@system(Stage.INPUT, reads=(Quest, Scenes, Screen, Layers), writes=World)
def autopilot(world: World, dt: float) -> None:
    """Take over after a time without input, and hand back control at the first input; wait while a menu is open."""
    keys, pilot, settings = world[Input], world[Pilot], world[Settings]
    in_keep = world[Scenes].current == "play"
    if keys.touched or world[Layers].all_paused or (not in_keep and modal_open(world)):
        if pilot.active:
            keys.release_all()
        pilot.idle, pilot.active, pilot.wait = 0.0, False, 0.0
        return
    pilot.idle += dt
    if not pilot.active:
        pilot.active = pilot.idle >= settings.relieve_after
        pilot.wait = 0.0 if in_keep else settings.title_time
        return
    pilot.wait -= dt
    if not in_keep or world[Quest].phase is not Phase.SEEK:
        keys.release_all()
        if pilot.wait <= 0:
            click(world, BUTTONS[world[Quest].phase] if in_keep else BUTTONS[Phase.SEEK])
            pilot.wait = 6.0
        return
    pilot.wait = max(pilot.wait, 5.0)
    _walk(world, keys, pilot, dt)


def _walk(world: World, keys: Input, pilot: Pilot, dt: float) -> None:
    hero, x, y = hero_place(world)
    if not hero:
        return
    moved = abs(x - pilot.x) + abs(y - pilot.y) > 0.3
    pilot.stuck = 0.0 if moved else pilot.stuck + dt
    pilot.x, pilot.y = x, y
    if world[Quest].oil > COST + 12 and world.tick % 20 == 0 and cold_torch(world, x, y, 36.0):
        keys.tap("use")
    if world.tick % 4 == 0:
        dx, dy = _way(world, x, y)
        if pilot.stuck > PATIENCE:
            dx, dy = world.random("autopilot").uniform(-1, 1), world.random("autopilot").uniform(-1, 1)
            pilot.stuck = 0.0
        for action, wanted in (("left", dx < -0.4), ("right", dx > 0.4), ("down", dy < -0.4), ("up", dy > 0.4)):
            if wanted:
                keys.press(action)
            else:
                keys.release(action)


def _way(world: World, x: float, y: float) -> tuple[float, float]:
    """Return the direction to walk in, -1, 0 or 1 along both axes."""
    free = _free(world)
    steps = _steps(free, (x, y))
    goal = _goal(world, (x, y), steps)
    if goal is None:
        return _shove(world, x, y)
    back = _steps(free, goal)
    column, row = _cell(x, y)
    best, to = _FAR, goal
    for dc, dr in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
        c, r = column + dc, row + dr
        if 0 <= c < COLUMNS and 0 <= r < ROWS and back[r, c] < best:
            best, to = int(back[r, c]), ((c + 0.5) * CELL, (ROWS - r - 0.5) * CELL)
    to = goal if best == 0 else to
    return _sign(to[0] - x), _sign(to[1] - y)


def _sign(way: float) -> float:
    return 0.0 if abs(way) < 1.2 else 1.0 if way > 0 else -1.0


def _cell(x: float, y: float) -> tuple[int, int]:
    return int(x // CELL), ROWS - 1 - int(y // CELL)


def _free(world: World) -> Array:
    """Return a bool (ROWS, COLUMNS) array of the cells in whose middle the hero fits."""
    free = walkable(world)
    solid = world.query(Collider, Transform, without=(Hero, Rat))
    places, offsets = solid[Transform.position], solid[Collider.offset]
    half = np.maximum(
        solid[Collider.size] / 2 * (solid[Collider.radius] == 0)[:, None], solid[Collider.radius][:, None]
    )
    low, high = places + offsets - half - 5, places + offsets + half + 5
    for (x0, y0), (x1, y1), on in zip(low.tolist(), high.tolist(), solid[Collider.enabled].tolist(), strict=True):
        if on:
            c0, c1 = int(np.ceil(x0 / CELL - 0.5)), int(np.floor(x1 / CELL - 0.5))
            r0, r1 = int(np.ceil(y0 / CELL - 0.5)), int(np.floor(y1 / CELL - 0.5))
            free[max(0, ROWS - 1 - r1) : max(0, ROWS - r0), max(0, c0) : max(0, c1 + 1)] = False
    return free


def _steps(free: Array, place: tuple[float, float]) -> Array:
    """Return an int64 (ROWS, COLUMNS) array of the number of steps from a place to each cell; _FAR if unreachable."""
    found = np.full((ROWS + 2, COLUMNS + 2), _FAR, np.int64)
    inner, column, row = found[1:-1, 1:-1], *_cell(*place)
    inner[row, column] = 0
    wave = np.zeros((ROWS + 2, COLUMNS + 2), np.bool_)
    wave[row + 1, column + 1] = True
    for step in range(1, 400):
        grown = wave[:-2, 1:-1] | wave[2:, 1:-1] | wave[1:-1, :-2] | wave[1:-1, 2:]
        grown &= free & (inner == _FAR)
        if not grown.any():
            break
        inner[grown] = step
        wave[:] = False
        wave[1:-1, 1:-1] = grown
    return inner


def _goal(world: World, hero: tuple[float, float], steps: Array) -> tuple[float, float] | None:
    """Return the place to walk to; None while the hero stands where it must push a crate."""
    jars = world.query(Jar, Transform)
    embers = world.query(Ember, Transform)
    fates = [world.get(one, Ember).fate for one in embers.entities.tolist()]
    waiting = np.array([fate is Fate.WAITS for fate in fates], np.bool_)
    if world[Quest].oil < THIRSTY and len(jars):
        near = _nearest(jars[Transform.position], steps)
        if near is not None:
            return near
    if not waiting.any():
        x, y = place_of(world, named(world, "brazier"))
        return x, y - 24
    near = _nearest(embers[Transform.position][waiting], steps)
    if near is not None:
        return near
    stand = _stand(world)
    if stand is not None and abs(stand[0] - hero[0]) < 6 and abs(stand[1] - hero[1]) < 2.5:
        return None
    return stand or hero


def _nearest(places: Array, steps: Array) -> tuple[float, float] | None:
    """Return the place of (n, 2) with the shortest path; None if no place is reachable."""
    far = [int(steps[row, column]) for column, row in (_cell(x, y) for x, y in places.tolist())]
    best = int(np.argmin(far))
    return (float(places[best, 0]), float(places[best, 1])) if far[best] < _FAR else None


def _stand(world: World) -> tuple[float, float] | None:
    """Return where to stand to push a crate to the east, onto the plate; None if there is no such crate or plate."""
    plates, crates = world.query(Plate, Transform), world.query(Crate, Transform)
    if not len(plates):
        return None
    px, py = plates[Transform.position][0].tolist()
    ways = [(px - x, x, y) for x, y in crates[Transform.position].tolist() if abs(y - py) < 6 and 4 < px - x < 80]
    return (min(ways)[1] - 15.0, min(ways)[2]) if ways else None


def _shove(world: World, x: float, y: float) -> tuple[float, float]:
    """Return the direction for pushing the crate to the east."""
    stand = _stand(world)
    return (1.0, _sign((stand[1] - y) if stand else 0.0))
