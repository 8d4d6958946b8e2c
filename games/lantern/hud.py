"""The texts and icons over the frame: oil, lives, embers, hints, and the texts at the end."""

from __future__ import annotations

import numpy as np

from rish_animation import Tweens, tween
from rish_core import Scenes, Stage, Transform, World, every, system
from rish_ecs import maths
from rish_render import Shape, Sprite, Text

from .components import Ember, EmberTaken, Fate, Gate, Icon, Phase, Pilot, Quest, Touched, Words
from .fires import cold_torch
from .lantern import hero_place
from .level import HUES, nearest, rgb
from .walking import IN_KEEP

OIL = 58.0
"""The width, in units, of the bar of a full lantern."""
HINTS = (
    "",
    "Find three embers. Bring them to the great brazier.",
    "SPACE lights the torch",
    "The lantern is nearly dry. Fires spare it, jars fill it.",
    "It is dark. They come.",
    "Bring the embers to the brazier.",
    "Autopilot. Touch any key to play.",
    "SPACE begins      G turns global illumination on and off      ESC leaves",
    "SPACE",
    "Something heavy on the plate would lift the bars.",
)
_DARK = (0.16, 0.15, 0.2, 1.0)


@system(Stage.UPDATE, reads=(Quest, Ember), writes=(Sprite, Shape), run_if=(IN_KEEP, every(5)))
def show_signs(world: World, dt: float) -> None:
    """Update the icons: remaining lives, embers that were found, and the oil in the lantern."""
    quest = world[Quest]
    found = {world.get(one, Ember).number: world.get(one, Ember).fate for one in world.query(Ember).entities.tolist()}
    shown = 1.0 if quest.phase is Phase.SEEK else max(0.0, 1 - quest.since)
    for entity in world.query(Icon).entities.tolist():
        icon = world.get(entity, Icon)
        if icon.what == 2:
            share = quest.oil / 100
            low = 0.5 + 0.5 * maths.sin(9.0 * world.time) if share < 0.2 else 1.0
            world.set(entity, Shape(size=(OIL * share, 4.0), opacity=shown * (0.5 + 0.5 * low)))
            continue
        if icon.what == 3:
            tint = (1.0, 1.0, 1.0, 1.0)
        elif icon.what == 0:
            tint = (1.0, 0.78, 0.42, 1.0) if icon.number < quest.lives else _DARK
        else:
            has = found.get(icon.number, Fate.WAITS) is not Fate.WAITS
            tint = rgb(HUES[icon.number]) if has else _DARK
        world.set(entity, Sprite(color=tint, opacity=shown))


@system(Stage.UPDATE, reads=(Quest, Ember, Gate, Pilot), writes=(Words, Text, Transform, Tweens))
def show_words(world: World, dt: float) -> None:
    """Update the lines of text; a new text fades in, and an unchanged one is not written again."""
    quest = world[Quest]
    for entity in world.query(Words, Text).entities.tolist():
        words = world.get(entity, Words)
        number = (_hint, _large, _small)[words.what](world, quest)
        if number != words.shown:
            world.set(entity, Words(shown=number), Text(text=_written(words.what, number), opacity=0.0))
            tween(world, entity, "Text.opacity", 1, seconds=0.6)
            if words.what == 1:
                world.set(entity, Transform(scale=(1.6, 1.6)))
                tween(world, entity, "Transform.scale", (1, 1), seconds=1.4, easing="quint_out")


@system(Stage.UPDATE, reads=(EmberTaken, Touched, Icon), writes=(Transform, Tweens), run_if=IN_KEEP)
def pop_signs(world: World, dt: float) -> None:
    """Make the icon of an ember that was found swell, and those of the lives shake when one is lost."""
    taken, touched = world.events(EmberTaken), world.events(Touched)
    if not len(taken) and not len(touched):
        return
    icons = world.query(Icon, Transform)
    what, number = icons[Icon.what], icons[Icon.number]
    swell = icons.entities[(what == 1) & np.isin(number, taken.number)]
    world.set(swell, Transform(scale=(2.6, 2.6)))
    tween(world, swell, "Transform.scale", (1, 1), seconds=1.2, easing="elastic_out")
    if len(touched):
        lives = icons.entities[what == 0]
        world.set(lives, Transform(rotation=0.6))
        tween(world, lives, "Transform.rotation", 0, seconds=1.0, easing="elastic_out")


def _hint(world: World, quest: Quest) -> int:
    if world[Scenes].current == "title":
        return 7
    if quest.phase is not Phase.SEEK:
        return 8 if quest.since > 3 else 0
    if world[Pilot].active:
        return 6
    if quest.oil <= 0:
        return 4
    if quest.oil < 20:
        return 3
    if quest.seconds < 7:
        return 1
    hero, x, y = hero_place(world)
    if hero and cold_torch(world, x, y):
        return 2
    if hero and _bars_near(world, x, y):
        return 9
    fates = [world.get(one, Ember).fate for one in world.query(Ember).entities.tolist()]
    return 5 if fates and all(fate is not Fate.WAITS for fate in fates) else 0


def _bars_near(world: World, x: float, y: float) -> bool:
    gates = world.query(Gate, Transform)
    return bool((~gates[Gate.raised]).any()) and nearest(gates[Transform.position], x, y, 60.0) >= 0


def _large(world: World, quest: Quest) -> int:
    if world[Scenes].current == "title" or quest.phase is Phase.SEEK or quest.since < 1.6:
        return 0
    return 1 if quest.phase is Phase.WON else 2


def _small(world: World, quest: Quest) -> int:
    return (
        0
        if not _large(world, quest) or quest.since < 2.4
        else 2
        if quest.phase is Phase.LOST
        else 10 + int(quest.seconds)
    )


def _written(what: int, number: int) -> str:
    """Return the text for a number; for the small text, numbers from 10 on are 10 + seconds."""
    if what == 0:
        return HINTS[number]
    if what == 1:
        return ("", "The keep is lit", "The dark has you")[number]
    if number < 10:
        return ("", "", "Your light went out.")[number]
    minutes, seconds = divmod(number - 10, 60)
    return f"Every shadow has its place again. It took {minutes}:{seconds:02d}."
