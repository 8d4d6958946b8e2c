"""The screens around a match: what is shown on them besides what their templates say."""

from __future__ import annotations

from rish_core import Input, Session, Stage, World, every, in_scene, named, system
from rish_ui import Widget

from .components import Match, Phase, Pilot

IN_PLAY = in_scene("play")


@system(Stage.PRE, reads=Input, writes=Session, run_if=in_scene("title"))
def leave(world: World, dt: float) -> None:
    """End the game on Escape at the title."""
    if world[Input].pressed("leave"):
        world[Session].quit = True


@system(Stage.UPDATE, reads=(Match, Pilot), writes=Widget, marks=True, run_if=(IN_PLAY, every(5)))
def show_readouts(world: World, dt: float) -> None:
    """Show the messages, hints and bars that fit the match."""
    match, pilot = world[Match], world[Pilot]
    shown = {
        "announcement": match.intro > 0,
        "cleared": match.phase is Phase.CLEARED and match.intro <= 0,
        "over": match.phase is Phase.OVER and match.lives <= 0,
        "serve": not pilot.active and match.phase is Phase.SERVE and match.intro <= 0,
        "demo": pilot.active and not match.by_hand,
        "relief": pilot.active and match.by_hand,
        "wide": match.wide > 0,
        "sticky": match.sticky > 0,
        "fire": match.fire > 0,
    }
    for name, wanted in shown.items():
        widget = world.get(named(world, name), Widget)
        if widget.visible != wanted:
            widget.visible = wanted
