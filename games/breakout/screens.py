"""The screens around a match: title, readouts, and the two endings."""

from __future__ import annotations

import numpy as np
from rish_core import Disabled, Input, Layers, Scenes, Session, Stage, Transform, World, every, in_scene, maths, not_, system
from rish_render import Text

from . import levels
from .components import Drift, LifeIcon, Match, Phase, Readout, Show

AWAY = not_(in_scene("play"))


@system(Stage.PRE, reads=Input, writes=(Scenes, Match, Session), run_if=AWAY)
def leave_screen(world: World, dt: float) -> None:
    """The serve key goes on: from the title to a match, from an ending to the title. Escape on the title ends the game."""
    keys, match, scenes = world[Input], world[Match], world[Scenes]
    match.timer = max(0.0, match.timer - dt)
    if keys.pressed("serve"):
        scenes.go("play" if scenes.current == "title" else "title")
    elif keys.pressed("leave"):
        if scenes.current == "title":
            world[Session].quit = True
        else:
            scenes.go("title")


@system(Stage.UPDATE, writes=(Transform, Text))
def sway(world: World, dt: float) -> None:
    """What drifts, drifts; hints breathe."""
    query = world.query(Drift, Transform)
    if len(query):
        angle = query[Drift.phase].astype(np.float64) + 1.7 * world.time
        swing = query[Drift.swing][:, None] * np.stack([maths.cos(angle * 0.7), maths.sin(angle)], axis=-1)
        query[Transform.position] = query[Drift.home] + swing


@system(Stage.UPDATE, reads=Match, writes=Text, run_if=every(5))
def write_readouts(world: World, dt: float) -> None:
    """Texts follow the match; one that is right already is not touched."""
    match = world[Match]
    for entity in world.query(Readout, Text):
        view = world.get(entity, Text)
        shows = world.get(entity, Readout).show
        text = _reading(world, match, shows)
        if view.text != text:
            view.text = text
        if shows is Show.HINT:
            view.opacity = 0.55 + 0.45 * maths.sin(3.0 * world.time)


def _reading(world: World, match: Match, show: Show) -> str:
    if show is Show.SCORE:
        return f"{match.score:06d}"
    if show is Show.BEST:
        return f"BEST  {max(match.best, match.score):06d}"
    if show is Show.LEVEL:
        return f"{match.level}  {levels.title(match.level).upper()}"
    if show is Show.HINT:
        return "AUTOPILOT - PRESS ANY KEY TO PLAY" if match.autopilot else _hint(world, match)
    return _message(world, match)


def _hint(world: World, match: Match) -> str:
    if world[Scenes].current != "play":
        return "PRESS SPACE"
    return "PRESS SPACE TO SERVE" if match.phase is Phase.SERVE else ""


def _message(world: World, match: Match) -> str:
    if world[Layers].is_paused("world"):
        return "PAUSED"
    if match.phase is Phase.CLEARED:
        return "LEVEL CLEARED"
    if match.phase is Phase.OVER:
        return "GAME OVER" if match.lives <= 0 else ""
    return ""


@system(Stage.UPDATE, reads=Match, writes=(LifeIcon, Disabled), run_if=every(5))
def show_lives(world: World, dt: float) -> None:
    """As many small balls in the corner as there are lives."""
    lives = world[Match].lives
    table = world[LifeIcon]
    hidden = world[Disabled].rows_of(table.entities) >= 0
    should = table.number >= lives
    if (should & ~hidden).any():
        world.add(table.entities[should & ~hidden], Disabled)
    if (hidden & ~should).any():
        world.remove(table.entities[hidden & ~should], Disabled)
