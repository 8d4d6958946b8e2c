"""The hero's walk: keys set a velocity, physics moves the hero, and the sprite follows."""

from __future__ import annotations

from rish_core import Input, Stage, Transform, World, in_scene, system
from rish_jit import maths
from rish_physics import Body
from rish_render import Sprite

from .components import Facing, Hero, Lantern, Phase, Quest
from .level import toward

SPEED, EAGER = 64.0, 10.0
"""The walking speed, units/s, and the rate at which the velocity approaches it, 1/s."""
_PACE = 9.0
"""The images of the walking animation per second at full speed."""
IN_KEEP = in_scene("play")
"""The condition of all that happens in the keep."""


@system(Stage.PRE, reads=(Input, Quest), writes=(Body, Hero), run_if=IN_KEEP)
def steer(world: World, dt: float) -> None:
    """Set the hero's velocity from the keys; after the end of the quest it stands still."""
    keys, seeks = world[Input], world[Quest].phase is Phase.SEEK
    for entity in world.query(Hero, Body).entities.tolist():
        hero, body = world.get(entity, Hero), world.get(entity, Body)
        x, y = (keys.axis("left", "right"), keys.axis("down", "up")) if seeks else (0.0, 0.0)
        push = min(1.0, maths.sqrt(x * x + y * y))
        goal = toward(x, y, SPEED * push)
        vx, vy = (float(v) for v in body.velocity)
        share = min(1.0, EAGER * dt)
        body.velocity = (vx + (goal[0] - vx) * share, vy + (goal[1] - vy) * share)
        hero.hurt = max(0.0, hero.hurt - dt)
        hero.step = (hero.step + _PACE * push * dt) % 4 if push > 0.1 else 0.0
        if push > 0.1:
            sideways = abs(x) > abs(y)
            hero.facing = Facing.EAST if sideways else (Facing.NORTH if y > 0 else Facing.SOUTH)
            hero.left = x < 0 if sideways else hero.left


@system(Stage.UPDATE, reads=Hero, writes=(Sprite, Transform), run_if=IN_KEEP)
def show_walk(world: World, dt: float) -> None:
    """Set the frame of the hero's sprite and the side of the lantern; the hero flickers after a hit."""
    for entity in world.query(Hero, Sprite).entities.tolist():
        hero, sprite = world.get(entity, Hero), world.get(entity, Sprite)
        facing, step, hurt = hero.facing, int(hero.step), hero.hurt
        east = facing is Facing.EAST
        sprite.flip_x = flip = hero.left and east
        sprite.frame = 4 * list(Facing).index(facing) + step
        sprite.opacity = 0.35 if hurt > 0 and int(hurt * 12) % 2 else 1.0
        side = -1.0 if (flip if east else facing is Facing.SOUTH) else 1.0
        for held in world.query(Lantern, Transform).entities.tolist():
            place = world.get(held, Transform)
            if world.get(held, Lantern).shines:
                place.position = (3.5 * side, 2.5 if facing is not Facing.NORTH else 4.0)
            else:
                place.position = ((5.5 if east else 6.0) * side, 3.0 + step % 2)
                world.get(held, Sprite).z = -1.0 if facing is Facing.NORTH else 1.0
