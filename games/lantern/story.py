"""The story around a quest: its beginning and its end."""

from __future__ import annotations

from rish_animation import Tweens
from rish_core import Stage, Transform, World, named, system
from rish_lighting import Light
from rish_particles import Emitter
from rish_render import Camera, Sprite, shake

from .components import Fire, Phase, Quest, Settings, Touched
from .embers import all_given
from .fires import kindle
from .level import people_the_keep
from .sounds import end_sounds
from .walking import IN_KEEP


def begin(world: World) -> None:
    """Begin a quest: reset its state and spawn the things of the keep."""
    quest, fresh = world[Quest], Quest(lives=world[Settings].lives)
    for name in ("phase", "oil", "lives", "given", "since", "seconds", "bright"):
        setattr(quest, name, getattr(fresh, name))
    people_the_keep(world)


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
