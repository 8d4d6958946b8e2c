"""Fires: torches that the hero lights, and the great brazier, which only embers light."""

from __future__ import annotations

from rish_animation import Tweens, tween
from rish_core import Input, Stage, Transform, World, named, system
from rish_lighting import Light
from rish_particles import EmitRequest, Emitter, emit
from rish_render import Sprite

from .components import Fire, Kindled, Phase, Quest
from .lantern import hero_place
from .level import nearest, place_of
from .sounds import burn
from .walking import IN_KEEP

REACH = 40.0
"""The distance, in units, from which a torch can be lit. It is large, because torches hang high."""
COST = 3.0
"""The oil that lighting a torch uses."""
WAVE = 210.0
"""The speed, in units/s, at which fire spreads from torch to torch when the brazier burns."""


def cold_torch(world: World, x: float, y: float, within: float = REACH) -> int:
    """Return the nearest torch that does not burn; 0 if none is near."""
    fires = world.query(Fire, Transform)
    cold = ~fires[Fire.lit] & ~fires[Fire.great]
    found = nearest(fires[Transform.position][cold], x, y, within)
    return int(fires.entities[cold][found]) if found >= 0 else 0


def kindle(world: World, fire: int) -> None:
    """Light a fire; it takes a moment until it is in full flames."""
    at, bright = place_of(world, fire), world.get(fire, Fire).bright
    world.set(fire, Fire(lit=True), Light(enabled=True), Emitter(playing=True))
    if world.get(fire, Fire).great:
        tween(world, fire, "Light.intensity", bright, seconds=2.2, easing="sine_in_out")
        tween(world, named(world, "coals"), "Sprite.opacity", 1, seconds=2.2, easing="sine_in_out")
    else:
        world.set(fire, Sprite(frame=1))
        tween(world, fire, "Light.intensity", bright, seconds=0.8, easing="back_out")
    burn(world, fire)
    world.emit(Kindled, fire=fire, x=at[0], y=at[1])
    emit(world, "flash.particles.yaml", at, color=(1.0, 0.6, 0.2, 1.0))


@system(
    Stage.POST, reads=Input, writes=(Fire, Light, Sprite, Emitter, Kindled, EmitRequest, Quest, Tweens),
    run_if=IN_KEEP, after="game.burn_oil",
)  # fmt: skip
def light_torches(world: World, dt: float) -> None:
    """Light a torch on the use key, for a little oil. After the win, light all other torches, the near ones first."""
    quest = world[Quest]
    hero, x, y = hero_place(world)
    if hero and quest.phase is Phase.SEEK and quest.oil > COST and world[Input].pressed("use"):
        torch = cold_torch(world, x, y)
        if torch:
            quest.oil -= COST
            kindle(world, torch)
    if quest.phase is Phase.WON:
        bx, by = place_of(world, named(world, "brazier"))
        torch = cold_torch(world, bx, by, WAVE * quest.since)
        if torch:
            kindle(world, torch)
