"""The readouts over the picture: oil, lives, embers and hints; and when the screens at the end are shown."""

from __future__ import annotations

import numpy as np

from rish_animation import Tweens, tween
from rish_core import Stage, Transform, World, every, named, system
from rish_jit import maths
from rish_ui import Image, Label, Layout, ProgressBar, Screen, Widget

from .components import Ember, EmberTaken, Fate, Gate, Hint, Icon, Phase, Pilot, Quest, Shows, Touched
from .fires import cold_torch
from .lantern import hero_place
from .level import HUES, nearest, rgb
from .walking import IN_KEEP

LOW_OIL = 20.0
"""The amount of oil below which the bar blinks and a hint warns."""
_BRIGHT, _DIM, _LIFE = (1.0, 0.55, 0.25, 1.0), (0.5, 0.2, 0.1, 1.0), (1.0, 0.78, 0.42, 1.0)
_DARK = (0.16, 0.15, 0.2, 1.0)
_SMALL, _LARGE = (18.0, 18.0), (46.0, 46.0)
"""The size of an ember's image, and the one that it shrinks from once the ember is found, in units of the interface."""


@system(Stage.UPDATE, reads=Quest, writes=ProgressBar, run_if=(IN_KEEP, every(5)))
def show_oil(world: World, dt: float) -> None:
    """Let the bar blink while there is little oil in the lantern."""
    bar = named(world, "oil")
    low = world[Quest].oil < LOW_OIL
    color = (_BRIGHT if maths.sin(9.0 * world.time) > 0 else _DIM) if low else (0.0, 0.0, 0.0, 0.0)
    if bar and tuple(world.get(bar, ProgressBar).color) != color:
        world.set(bar, ProgressBar(color=color))


@system(Stage.UPDATE, reads=(Quest, Ember), writes=Image, run_if=(IN_KEEP, every(5)))
def show_signs(world: World, dt: float) -> None:
    """Update the icons: remaining lives, and embers that were found."""
    quest = world[Quest]
    found = {world.get(one, Ember).number: world.get(one, Ember).fate for one in world.query(Ember).entities.tolist()}
    for entity in world.query(Icon).entities.tolist():
        icon = world.get(entity, Icon)
        if icon.what == 0:
            tint = _LIFE if icon.number < quest.lives else _DARK
        else:
            tint = rgb(HUES[icon.number]) if found.get(icon.number, Fate.WAITS) is not Fate.WAITS else _DARK
        if tuple(world.get(entity, Image).tint) != tint:
            world.set(entity, Image(tint=tint))


@system(Stage.UPDATE, reads=(Quest, Ember, Gate, Pilot), writes=(Hint, Label, Widget), run_if=IN_KEEP)
def show_hint(world: World, dt: float) -> None:
    """Show the hint that fits what the hero can do; an unchanged one is not written again."""
    for entity in world.query(Hint, Label).entities.tolist():
        name = _hint(world, world[Quest])
        if name != world.get(entity, Hint).shown:
            world.set(entity, Hint(shown=name), Label(text=f"$hints.{name}" if name else ""))


@system(Stage.UPDATE, reads=(Quest, Shows), writes=(Screen, Widget), run_if=IN_KEEP)
def show_screens(world: World, dt: float) -> None:
    """Show the screens and buttons whose phase it is, once its seconds have passed."""
    quest = world[Quest]
    for entity in world.query(Shows).entities.tolist():
        shows = world.get(entity, Shows)
        visible = shows.phase is quest.phase and quest.since >= shows.after
        kind = Screen if world.has(entity, Screen) else Widget
        if world.get(entity, kind).visible != visible:
            world.set(entity, kind(visible=visible))


@system(Stage.UPDATE, reads=(EmberTaken, Touched, Icon), writes=(Layout, Transform, Tweens), run_if=IN_KEEP)
def pop_signs(world: World, dt: float) -> None:
    """Make the icon of an ember that was found swell, and those of the lives shake when one is lost."""
    taken, touched = world.events(EmberTaken), world.events(Touched)
    if not len(taken) and not len(touched):
        return
    icons = world.query(Icon, Layout)
    what, number = icons[Icon.what], icons[Icon.number]
    for entity in icons.entities[(what == 1) & np.isin(number, taken.number)].tolist():
        world.set(entity, Layout(size=_LARGE))
        tween(world, entity, "Layout.size", _SMALL, seconds=0.9, easing="quint_out")
    for entity in icons.entities[what == 0].tolist() if len(touched) else ():
        world.set(entity, Layout(offset=(9.0, 0.0)))
        tween(world, entity, "Layout.offset", (0, 0), seconds=1.0, easing="elastic_out")


def _hint(world: World, quest: Quest) -> str:
    """Return the name of the hint that fits now; empty for none."""
    if quest.phase is not Phase.SEEK:
        return ""
    if world[Pilot].active:
        return "autopilot"
    if quest.oil < LOW_OIL:
        return "low" if quest.oil > 0 else "dark"
    if quest.seconds < 7:
        return "find"
    hero, x, y = hero_place(world)
    if hero and cold_torch(world, x, y):
        return "torch"
    if hero and _bars_near(world, x, y):
        return "plate"
    fates = [world.get(one, Ember).fate for one in world.query(Ember).entities.tolist()]
    return "bring" if fates and all(fate is not Fate.WAITS for fate in fates) else ""


def _bars_near(world: World, x: float, y: float) -> bool:
    gates = world.query(Gate, Transform)
    return bool((~gates[Gate.raised]).any()) and nearest(gates[Transform.position], x, y, 60.0) >= 0
