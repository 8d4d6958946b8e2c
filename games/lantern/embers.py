"""Embers: they float behind the hero once found, and fly into the brazier when it is near."""

from __future__ import annotations

from rish_core import Stage, Transform, World, named, system
from rish_jit import maths
from rish_particles import EmitRequest, emit
from rish_render import Sprite

from .components import Ember, EmberTaken, Fate, Phase, Quest
from .lantern import hero_place
from .level import HUES, place_of, rgb
from .sounds import sound
from .walking import IN_KEEP

NEAR, HOME = 20.0, 64.0
"""The distances, in units, at which an ember is taken, and at which the brazier attracts it."""


@system(Stage.POST, writes=(Ember, Transform, Sprite, EmberTaken, EmitRequest, Quest), run_if=IN_KEEP)
def carry_embers(world: World, dt: float) -> None:
    """Update the state of each ember and move it to its goal (home, hero or brazier) by a critically damped spring."""
    hero, x, y = hero_place(world)
    bowl = place_of(world, named(world, "brazier"))
    behind = 0
    for entity in world.query(Ember).entities.tolist() if hero else ():
        ember, at = world.get(entity, Ember), place_of(world, entity)
        fate = ember.fate
        if fate is Fate.WAITS and _far(at, (x, y)) < NEAR:
            fate = Fate.FOLLOWS
            _tell(world, ember.number, at, given=False)
            sound(world, "ember", pitch=maths.exp(maths.log(2.0) / 12 * 3 * _found(world)))
        elif fate is Fate.FOLLOWS and _far((x, y), bowl) < HOME:
            fate = Fate.FLIES
        elif fate is Fate.FLIES and _far(at, (bowl[0], bowl[1] + 6)) < 7:
            fate = Fate.BURNS
            world[Quest].given += 1
            _tell(world, ember.number, at, given=True)
        goal, pull = _goal(world, ember.number, fate, ember.home, (x, y), bowl, behind)
        behind += fate is Fate.FOLLOWS
        vx, vy = (float(v) for v in ember.velocity)
        # critically damped spring: a = pull² (goal - at) - 2 pull v
        vx += ((goal[0] - at[0]) * pull * pull - 2 * pull * vx) * dt
        vy += ((goal[1] - at[1]) * pull * pull - 2 * pull * vy) * dt
        ember.fate, ember.velocity = fate, (vx, vy)
        if world[Quest].phase is Phase.WON:
            world.get(entity, Sprite).opacity = max(0.0, 1 - 1.5 * world[Quest].since)
        world.get(entity, Transform).position = (at[0] + vx * dt, at[1] + vy * dt)


def _goal(
    world: World, number: int, fate: Fate, home: tuple[float, float], hero: tuple[float, float],
    bowl: tuple[float, float], behind: int,
) -> tuple[tuple[float, float], float]:  # fmt: skip
    """Return the place that an ember is pulled to, and the spring's angular frequency, 1/s."""
    time = world.time + 2.1 * number
    if fate is Fate.WAITS:
        return (float(home[0]), float(home[1]) + 3 * maths.sin(2 * time)), 4.0
    if fate is Fate.FOLLOWS:
        turn, wide = 1.3 * world.time + 2.1 * behind, 16.0
        return (hero[0] + wide * maths.cos(turn), hero[1] + 9 + 0.6 * wide * maths.sin(turn)), 5.0
    if fate is Fate.FLIES:
        return (bowl[0], bowl[1] + 6), 4.0
    turn = 1.6 * world.time + 2.1 * number
    return (bowl[0] + 9 * maths.cos(turn), bowl[1] + 9 + 3 * maths.sin(turn)), 6.0


def _found(world: World) -> int:
    """Return how many embers were found before."""
    return sum(world.get(one, Ember).fate is not Fate.WAITS for one in world.query(Ember).entities.tolist())


def _far(a: tuple[float, float], b: tuple[float, float]) -> float:
    dx, dy = a[0] - b[0], a[1] - b[1]
    return maths.sqrt(dx * dx + dy * dy)


def _tell(world: World, number: int, at: tuple[float, float], *, given: bool) -> None:
    world.emit(EmberTaken, number=number, given=given, x=at[0], y=at[1])
    emit(world, "flash.particles.yaml", at, color=rgb(HUES[number]), count=34)


def all_given(quest: Quest) -> bool:
    """Return True if the quest is not yet decided and the brazier has all embers."""
    return quest.phase is Phase.SEEK and quest.given >= len(HUES)
