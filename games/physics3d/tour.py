"""The tour: shows the gallery when there is no input, by pressing the same keys as a person."""

from __future__ import annotations

from rish_core import Input, Scenes, Stage, World, system
from rish_jit import maths

from .components import Pilot, Settings, Visit
from .exhibits import EXHIBITS, Exhibit


@system(Stage.INPUT, reads=(Scenes, Settings, Visit), writes=(Input, Pilot))
def tour(world: World, dt: float) -> None:
    """Stop at the first input, and start again after a time without input."""
    keys, pilot = world[Input], world[Pilot]
    if keys.touched:
        pilot.idle = 0.0
        if pilot.active:
            pilot.active = False
            keys.release_all()
        return
    pilot.idle += dt
    if not pilot.active:
        visit = world[Visit]
        pilot.active = pilot.idle >= world[Settings].tour_after and not visit.paused
        pilot.time = 0.0
        return
    exhibit = EXHIBITS[world[Scenes].current]
    before, pilot.time = pilot.time, pilot.time + dt
    _show(keys, exhibit, before, pilot.time)
    if pilot.time >= (world[Settings].tour_time or exhibit.seconds):
        keys.release_all()
        keys.tap("next")


def _show(keys: Input, exhibit: Exhibit, before: float, now: float) -> None:
    """Press the keys scheduled between two times."""
    for action, moments in (("act", exhibit.acts), ("solver", exhibit.solves)):
        if any(before < moment <= now for moment in moments):
            keys.tap(action)
    start, end = exhibit.drives
    if before < start <= now:
        keys.press("forward")
    if before < end <= now:
        keys.release("forward")
    for begin, end, place, goal in exhibit.drags:
        if before < begin <= now:
            keys.move(*place)
            keys.press("grab")
        elif begin < now <= end:
            share = 0.5 - 0.5 * maths.cos(maths.TAU * (now - begin) / (end - begin))
            keys.move(*(p + share * (q - p) for p, q in zip(place, goal, strict=True)))
        if before < end <= now:
            keys.release("grab")
