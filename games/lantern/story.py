"""The story around a quest: its beginning, its end, and the change of scenes."""

from __future__ import annotations

from rish_animation import Tweens
from rish_core import Input, Scenes, Session, Stage, Transform, World, named, system
from rish_lighting import Light, LightingSettings, transition
from rish_particles import Emitter
from rish_render import Camera, Sprite, shake

from .components import Fire, Phase, Pilot, Quest, Settings, StandIn, Touched
from .embers import all_given
from .fires import kindle
from .level import people_the_keep
from .sounds import end_sounds, sound
from .walking import IN_KEEP

LINGERS = 2.2
"""Seconds after the end in which keys are ignored."""


def begin(world: World) -> None:
    """Begin a quest: reset its state and spawn the things of the keep."""
    quest, fresh = world[Quest], Quest(lives=world[Settings].lives)
    for name in ("phase", "oil", "lives", "given", "since", "seconds", "bright"):
        setattr(quest, name, getattr(fresh, name))
    quest.gi = world[LightingSettings].gi != "off"
    people_the_keep(world)
    if quest.gi:
        lights = world.query(StandIn, Light)
        world[Light].enabled[lights.rows(Light)] = False


@system(
    Stage.POST, reads=Touched, writes=(Quest, Fire, Light, Sprite, Emitter, Camera, Transform, Tweens), run_if=IN_KEEP,
    after=("game.hunt", "game.carry_embers"),
)  # fmt: skip
def end(world: World, dt: float) -> None:
    """Count the time, and end the quest: it is won once the brazier has all embers, lost once no life is left."""
    quest = world[Quest]
    quest.since += dt
    if quest.phase is Phase.SEEK:
        quest.seconds += dt
        if all_given(quest):
            quest.phase, quest.since = Phase.WON, 0.0
            end_sounds(world, won=True)
            brazier = named(world, "brazier")
            kindle(world, brazier)
            world.set(named(world, "eye"), Camera(follow=brazier, smoothing=0.9))
            shake(world, strength=0.5)
        elif quest.lives <= 0:
            quest.phase, quest.since = Phase.LOST, 0.0
            end_sounds(world, won=False)


@system(Stage.PRE, reads=(Input, Pilot), writes=(Scenes, Session, Quest))
def go_on(world: World, dt: float) -> None:
    """Change scenes on the use key, from title to keep and from an end to the title; Escape returns or quits."""
    keys, scenes, quest = world[Input], world[Scenes], world[Quest]
    if scenes.requested:
        return
    if keys.pressed("leave"):
        if scenes.current == "title":
            world[Session].quit = True
        else:
            transition(world, "title")
    elif keys.pressed("use"):
        if scenes.current == "title":
            quest.by_hand = not world[Pilot].active
            transition(world, "play")
            sound(world, "begin")
        elif quest.phase is not Phase.SEEK and quest.since > LINGERS:
            transition(world, "title")
