"""Wraiths: they hunt the hero in the dark, wait at the rim of the light, and flee from it."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Stage, Transform, World, every, spawn_prefab, system
from rish_frame import DeviceRequests
from rish_jit import Array, maths
from rish_lighting import Fog
from rish_particles import EmitRequest, emit
from rish_render import Camera, Sprite, shake

from .components import EmberTaken, Fire, Hero, Phase, Quest, Touched, Wraith
from .lantern import hero_place, reach_of
from .sounds import sound
from .walking import IN_KEEP

HUNTS, DRIFTS, FLEES = 36.0, 12.0, 70.0
"""Speeds in units/s: towards the hero, around its home, and away from light."""
SENSES = 190.0
"""The distance, in units, at which a wraith notices the hero."""
RIM = 0.62
"""The share of the lantern's radius that wraiths do not enter."""
STRIKES = 9.0
"""The distance, in units, at which a wraith strikes."""
MAX = 8
FEARED, HEARTBEAT = 120.0, 30
"""The distance, in units, at which the gamepad begins to shake, and how often, in ticks."""


@system(
    Stage.POST, reads=(Fire, Quest, Fog),
    writes=(Wraith, Transform, Hero, Quest, Touched, EmitRequest, Camera, DeviceRequests),
    run_if=IN_KEEP, after=("game.light_torches", "game.carry_embers"),
)  # fmt: skip
def hunt(world: World, dt: float) -> None:
    """Move the wraiths: away from light, to the hero or around their homes; then hit a hero that is close."""
    hero, x, y = hero_place(world)
    quest = world[Quest]
    wraiths = world.query(Wraith, Transform)
    if not hero or not len(wraiths):
        return
    places = wraiths[Transform.position].astype(np.float64)
    way = np.array([x, y]) - places
    far = np.sqrt((way * way).sum(axis=1)) + 1e-6
    away, fade = wraiths[Wraith.away] - np.float32(dt), wraiths[Wraith.fade]
    seeks = quest.phase is Phase.SEEK
    rim = np.where(world[Fog].is_seen(places), RIM * reach_of(quest), 0.0) if seeks else np.zeros(len(places))
    wish = _wishes(world, wraiths, places, way, far, rim, seeks)
    flees = (away > 0) | (far < rim)
    wish[flees] = -way[flees] / far[flees, None] * FLEES
    _shun_fires(world, places, wish)
    velocity = wraiths[Wraith.velocity].astype(np.float64)
    velocity += (wish - velocity) * min(1.0, 3 * dt)
    wraiths[Transform.position] = places + velocity * dt
    wraiths[Wraith.velocity], wraiths[Wraith.away] = velocity, np.maximum(away, 0)
    wraiths[Wraith.fade] = np.clip(fade + (-dt if quest.phase is Phase.WON else dt), 0, 1)
    strikes = np.flatnonzero((far < STRIKES) & (away <= 0))
    if seeks and len(strikes) and world.get(hero, Hero).hurt <= 0:
        _strike(world, int(wraiths.entities[strikes[0]]), hero, (x, y))


def _wishes(world: World, wraiths: Any, places: Array, way: Array, far: Array, rim: Array, seeks: bool) -> Array:
    """Return float64 (n, 2): the velocities for the dark, before light is considered."""
    seed = wraiths[Wraith.seed].astype(np.float64)
    turn = 0.6 * world.time + seed
    home = wraiths[Wraith.home] + np.column_stack([24 * maths.cos(turn), 16 * maths.sin(1.3 * turn)]) - places
    wish = home / (np.sqrt((home * home).sum(axis=1)) + 1e-6)[:, None] * DRIFTS
    if not seeks:
        return wish
    sway, ahead = maths.sin(1.3 * world.time + seed)[:, None], way / far[:, None]
    aside = np.column_stack([-ahead[:, 1], ahead[:, 0]])
    near, waits = far < SENSES, (far < rim + 14)
    wish[near] = (HUNTS * (ahead + 0.4 * aside * sway))[near]
    wish[near & waits] = (22 * aside * sway)[near & waits]
    return wish


def _shun_fires(world: World, places: Array, wish: Array) -> None:
    """Replace the velocity of each wraith that is too near to a lit fire by one away from it, in place."""
    fires = world.query(Fire, Transform)
    lit = fires[Fire.lit]
    if not lit.any():
        return
    off = places[:, None] - fires[Transform.position][lit].astype(np.float64)
    gaps = np.sqrt((off * off).sum(axis=2)) + 1e-6
    nearest = (gaps / fires[Fire.reach][lit]).argmin(axis=1)
    which = np.arange(len(places))
    burnt = gaps[which, nearest] < fires[Fire.reach][lit][nearest]
    wish[burnt] = (off[which, nearest] / gaps[which, nearest, None] * FLEES)[burnt]


def _strike(world: World, wraith: int, hero: int, at: tuple[float, float]) -> None:
    """Take one life, and make the wraith stay away for 2.5 s."""
    quest = world[Quest]
    quest.lives = max(0, quest.lives - 1)
    world.set(hero, Hero(hurt=2.0))
    world.set(wraith, Wraith(away=2.5))
    world.emit(Touched, x=at[0], y=at[1], left=quest.lives)
    emit(world, "flash.particles.yaml", at, color=(0.5, 0.9, 1.0, 1.0), count=34)
    shake(world, strength=0.7)
    world[DeviceRequests].rumble(1, 1.0, 0.7, 0.5)


@system(Stage.POST, reads=(EmberTaken, Quest), writes=(Wraith, Transform), run_if=IN_KEEP, after="game.hunt")
def stir(world: World, dt: float) -> None:
    """Spawn one more wraith, at a distance, for each ember that the hero takes; at most MAX exist."""
    taken = world.events(EmberTaken)
    if not len(taken) or len(world.query(Wraith)) >= MAX:
        return
    for x, y, given in zip(taken.x.tolist(), taken.y.tolist(), taken.given.tolist(), strict=True):
        if not given:
            turn = world.random("wraiths").uniform(0.0, 6.283)
            at = (x + 170 * maths.cos(turn), y + 130 * maths.sin(turn))
            spawn_prefab(world, "wraith", Wraith(home=at, seed=turn * 17), at=at)


@system(Stage.UPDATE, reads=(Wraith, Fog), writes=Sprite, run_if=IN_KEEP)
def show_wraiths(world: World, dt: float) -> None:
    """Fade the wraiths, show them only in places that are visible, and turn their sprites to their movement."""
    wraiths = world.query(Wraith, Transform)
    if len(wraiths):
        seen = world[Fog].is_seen(wraiths[Transform.position])
        sprites, rows = world[Sprite], world.table(Sprite).rows_of(wraiths.entities)
        sprites.opacity[rows] = wraiths[Wraith.fade] * 0.92
        sprites.visible[rows] = seen
        sprites.flip_x[rows] = wraiths[Wraith.velocity][:, 0] < 0


@system(Stage.UPDATE, reads=(Wraith, Hero, Quest), writes=DeviceRequests, run_if=(IN_KEEP, every(HEARTBEAT)))
def throb(world: World, dt: float) -> None:
    """Shake the gamepad like a heart, the more the nearer a wraith is."""
    _, x, y = hero_place(world)
    off = world.query(Wraith, Transform)[Transform.position].astype(np.float64) - (x, y)
    near = 1 - np.sqrt((off * off).sum(axis=1)).min(initial=FEARED) / FEARED
    if near > 0 and world[Quest].phase is Phase.SEEK:
        world[DeviceRequests].rumble(1, 0.6 * float(near), 0.0, 0.12)
        sound(world, "heart", gain=float(near))
