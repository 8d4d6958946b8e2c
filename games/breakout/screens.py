"""The screens around a match: title, readouts, and the two endings."""

from __future__ import annotations

from rish_animation import Tweens, tween
from rish_core import Input, Layers, Scenes, Session, Stage, Transform, World, every, in_scene, not_, system
from rish_render import Shape, Text

from . import levels
from .components import LifeIcon, Match, Phase, Pilot, Readout, Show

AWAY = not_(in_scene("play"))
_LEVEL = 100
"""The first of the messages that announce a level."""
_MESSAGES = {0: "", 1: "PAUSED", 2: "LEVEL CLEARED", 3: "GAME OVER"}
_HINTS = {
    0: "",
    1: "PRESS SPACE OR CLICK",
    2: "SPACE OR CLICK TO SERVE",
    3: "DEMO  -  PRESS ANY KEY TO PLAY",
    4: "AUTOPILOT  -  PRESS ANY KEY TO CONTINUE",
    5: "P: CONTINUE     ESC: QUIT TO TITLE",
}


@system(Stage.PRE, reads=Input, writes=(Scenes, Session), run_if=AWAY)
def leave_screen(world: World, dt: float) -> None:
    """The serve key leads from the title to a match, and from an ending to the title; Escape on the title quits."""
    keys, scenes = world[Input], world[Scenes]
    if keys.pressed("serve"):
        scenes.go("play" if scenes.current == "title" else "title")
    elif keys.pressed("leave"):
        if scenes.current == "title":
            world[Session].quit = True
        else:
            scenes.go("title")


@system(Stage.UPDATE, reads=(Match, Pilot), writes=(Readout, Text, Transform, Tweens), marks=True, run_if=every(5))
def write_readouts(world: World, dt: float) -> None:
    """Update the texts that show the match; a text that is already right is not touched. Messages pop up."""
    query = world.query(Readout, Text)
    numbers, shown = _numbers(world), query[Readout.shown].tolist()
    for k, kind in enumerate(query[Readout.show].tolist()):
        number = numbers[kind]
        if shown[k] == number:
            continue
        entity, show = int(query.entities[k]), list(Show)[kind]
        world.set(entity, Text(text=_words(show, number)), Readout(shown=number))
        if show is Show.MESSAGE and number:
            world.set(entity, Transform(scale=(0.3, 0.3)))
            tween(world, entity, "Transform.scale", (1, 1), seconds=0.45, easing="back_out")


def _numbers(world: World) -> tuple[int, ...]:
    """Return the number that each kind of readout should show, in the order of `Show`."""
    match = world[Match]
    seconds = [int(t + 0.99) for t in (match.wide, match.sticky, match.fire)]
    effects = (seconds[0] * 100 + seconds[1]) * 100 + seconds[2]
    return match.score, match.best, match.level, _message(world, match), _hint(world, match), effects


def _words(show: Show, number: int) -> str:
    """Return the text for a readout's number."""
    if show is Show.SCORE:
        return f"{number:06d}"
    if show is Show.BEST:
        return f"BEST  {number:06d}" if number else ""
    if show is Show.LEVEL:
        return f"LEVEL {number}   {levels.title(number).upper()}"
    if show is Show.EFFECTS:
        left = zip(("WIDE", "CATCH", "FIRE"), (number // 10000, number // 100 % 100, number % 100), strict=True)
        return "     ".join(f"{name} {seconds}" for name, seconds in left if seconds)
    if show is Show.HINT:
        return _HINTS[number]
    if number < _LEVEL:
        return _MESSAGES[number]
    return f"LEVEL {number - _LEVEL}\n{levels.title(number - _LEVEL).upper()}"


def _hint(world: World, match: Match) -> int:
    if world[Scenes].current != "play":
        return 1
    if world[Layers].is_paused("world"):
        return 5
    if world[Pilot].active:
        return 4 if match.by_hand else 3
    return 2 if match.phase is Phase.SERVE and match.intro <= 0 else 0


def _message(world: World, match: Match) -> int:
    if world[Layers].is_paused("world"):
        return 1
    if match.intro > 0:
        return _LEVEL + match.level
    if match.phase is Phase.CLEARED:
        return 2
    return 3 if match.phase is Phase.OVER and match.lives <= 0 else 0


@system(Stage.UPDATE, reads=(Match, LifeIcon), writes=Shape, run_if=every(5))
def show_lives(world: World, dt: float) -> None:
    """Show one small ball in the corner for each life that is left."""
    query = world.query(LifeIcon, Shape)
    if len(query):
        world[Shape].visible[query.rows(Shape)] = query[LifeIcon.number] < world[Match].lives
