"""Fires: torches that the hero lights, and the great brazier, which only embers light."""

from __future__ import annotations

from rish_core import Input, Stage, Transform, World, named, system
from rish_lighting import Light
from rish_particles import EmitRequest, Emitter, emit
from rish_render import Sprite

from .components import Fire, Kindled, Phase, Quest
from .lantern import hero_place
from .level import nearest, place_of
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
    """Light a fire."""
    at = place_of(world, fire)
    world.set(fire, Fire(lit=True), Light(enabled=True), Emitter(playing=True))
    world.emit(Kindled, fire=fire, x=at[0], y=at[1])
    emit(world, "flash.particles.yaml", at, color=(1.0, 0.6, 0.2, 1.0))


@system(
    Stage.POST, reads=Input, writes=(Fire, Light, Emitter, Kindled, EmitRequest, Quest), run_if=IN_KEEP,
    after="game.burn_oil",
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


@system(Stage.UPDATE, writes=(Fire, Light, Sprite), run_if=IN_KEEP)
def flare_up(world: World, dt: float) -> None:
    """Increase the heat of lit fires to full flames, in 0.7 s for a torch and 2.2 s for the brazier."""
    for entity in world.query(Fire, Light).entities.tolist():
        fire = world.get(entity, Fire)
        if not fire.lit:
            continue
        heat = min(1.0, fire.heat + dt / (2.2 if fire.great else 0.7))
        if heat != fire.heat or world.get(entity, Light).intensity == 0:
            # smoothstep: 3 h² - 2 h³
            ease = heat * heat * (3 - 2 * heat)
            world.set(entity, Fire(heat=heat), Light(intensity=fire.bright * ease))
            if fire.great:
                world.set(named(world, "coals"), Sprite(opacity=ease))
            else:
                world.set(entity, Sprite(frame=1))
