"""The lantern: it burns oil, its light shrinks as the oil runs out, and jars refill it."""

from __future__ import annotations

from rish_core import Input, Stage, Transform, World, system
from rish_jit import maths
from rish_lighting import Light, LightingSettings
from rish_particles import EmitRequest, emit
from rish_render import Sprite

from .components import Fire, Hero, Jar, Lantern, Phase, Quest, Refilled, Settings, StandIn
from .level import nearest, place_of
from .walking import IN_KEEP

NEAR = 15.0
"""The distance, in units, at which a jar is taken."""
MIN, MAX = 40.0, 124.0
"""The radius of the lantern's light, in units, when it is almost empty and when it is full."""
BRIGHT = 2.6


def hero_place(world: World) -> tuple[int, float, float]:
    """Return the hero's handle and place; handle 0 if there is no hero."""
    heroes = world.query(Hero).entities
    return (int(heroes[0]), *place_of(world, int(heroes[0]))) if len(heroes) else (0, 0.0, 0.0)


def reach_of(quest: Quest) -> float:
    """Return the current radius of the lantern's light, units."""
    return MIN + (MAX - MIN) * maths.sqrt(max(quest.oil, 0.0) / 100) if quest.oil > 0 else 0.0


@system(Stage.POST, reads=(Fire, Hero, Settings), writes=(Quest, Jar, Refilled, EmitRequest), run_if=IN_KEEP)
def burn_oil(world: World, dt: float) -> None:
    """Burn the lantern's oil, except beside a fire, and refill it from a jar near the hero."""
    quest = world[Quest]
    hero, x, y = hero_place(world)
    if not hero or quest.phase is not Phase.SEEK:
        return
    fires = world.query(Fire, Transform)
    warm = nearest(fires[Transform.position][fires[Fire.lit]], x, y, 46.0) >= 0
    if not warm:
        quest.oil = max(0.0, quest.oil - world[Settings].burn * dt)
    jars = world.query(Jar, Transform)
    found = nearest(jars[Transform.position], x, y, NEAR)
    if found >= 0 and quest.oil < 97:
        jar = int(jars.entities[found])
        at = place_of(world, jar)
        quest.oil = min(100.0, quest.oil + world.get(jar, Jar).oil)
        world.emit(Refilled, x=at[0], y=at[1])
        emit(world, "flash.particles.yaml", at, color=(1.0, 0.7, 0.25, 1.0))
        world.despawn(jar)


@system(Stage.UPDATE, reads=Quest, writes=(Light, Sprite, Quest), run_if=IN_KEEP)
def shine(world: World, dt: float) -> None:
    """Set the lantern's light from the oil: it flickers when oil is low and fades out without oil or after a defeat."""
    quest = world[Quest]
    goal = 0.0 if quest.phase is Phase.LOST or quest.oil <= 0 else 1.0
    quest.bright += (goal - quest.bright) * min(1.0, 2.5 * dt)
    low = max(0.0, 1 - quest.oil / 25)
    for held in world.query(Lantern).entities.tolist():
        if world.get(held, Lantern).shines:
            light = world.get(held, Light)
            light.radius = max(reach_of(quest), MIN)
            light.intensity, light.flicker = BRIGHT * quest.bright, 0.1 + 0.4 * low
        else:
            shade = 0.35 + 0.65 * quest.bright
            world.get(held, Sprite).color = (shade, shade, shade, 1.0)


@system(Stage.PRE, reads=Input, writes=(Quest, LightingSettings, Light))
def switch_light(world: World, dt: float) -> None:
    """Turn global illumination on and off with a key or in the options; stand-in lights are enabled while it is off."""
    quest, lighting = world[Quest], world[LightingSettings]
    if world[Input].pressed("glow"):
        quest.gi = not quest.gi
    if quest.gi != (lighting.gi != "off"):
        lighting.gi = "medium" if quest.gi else "off"
    lights = world.query(StandIn, Light)
    if (lights[Light.enabled] == quest.gi).any():
        world[Light].enabled[lights.rows(Light)] = not quest.gi
