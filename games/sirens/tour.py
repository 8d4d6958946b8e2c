"""The tour: shows the exhibits when there is no input, by the keys and the pointer that a person has."""

from __future__ import annotations

from dataclasses import dataclass

from rish_core import Input, Scenes, Stage, World, system
from rish_history import History
from rish_jit import maths

from .components import Pilot, Settings, Visit
from .desk import HIGH, LEFT, LOW, STEP


@dataclass(frozen=True)
class Script:
    """What the tour does in an exhibit.

    seconds: how long. acts: when it presses space. holds: key, begin, end. clicks: when and where. drags: begin, end,
    from where, to where; it goes there and back. rewinds: when, and by how many ticks.
    """

    seconds: float
    acts: tuple[float, ...] = ()
    taps: tuple[tuple[float, str], ...] = ()
    holds: tuple[tuple[str, float, float], ...] = ()
    clicks: tuple[tuple[float, float, float], ...] = ()
    drags: tuple[tuple[float, float, tuple[float, float], tuple[float, float]], ...] = ()
    rewinds: tuple[tuple[float, int], ...] = ()


SCRIPTS = {
    "doppler": Script(24.0, acts=(12.6,), holds=(("right", 16.8, 18.4),), rewinds=((10.0, 150),)),
    "distance": Script(
        16.0, acts=(6.5, 9.5, 13.0), holds=(("right", 1, 4.5), ("left", 4.5, 6.0), ("left", 6.5, 8), ("right", 9.5, 12))
    ),
    "walls": Script(
        19.0,
        acts=(4.4,),
        holds=(("left", 1, 3), ("up", 4.6, 6.0), ("down", 8.2, 9.6), ("right", 10, 13.2), ("up", 13.2, 14.4),
               ("down", 15.2, 16.8)),
    ),
    "crowd": Script(
        18.0,
        acts=(2, 4, 5, 6, 7),
        taps=((15.5, "fewer"),),
        holds=(("left", 8, 11), ("up", 9, 10.2), ("right", 11, 14.5)),
        clicks=((8.5, 240, 300),),
    ),
    "mix": Script(
        20.0,
        acts=(3.0,),
        taps=((8.0, "right"), (11.0, "right"), (14.0, "right"), (17.0, "right")),
        drags=((1.0, 2.6, (LEFT + STEP, LOW + 0.68 * (HIGH - LOW)), (LEFT + STEP, LOW + 12)),),
        clicks=((12.6, LEFT + 3 * STEP, LOW - 34), (13.6, LEFT + 3 * STEP, LOW - 34)),
    ),
}  # fmt: skip


@system(Stage.INPUT, reads=(Scenes, Settings), writes=(Input, Pilot, Visit))
def tour(world: World, dt: float) -> None:
    """Stop at the first input, and start again after a time without input."""
    keys, settings = world[Input], world[Settings]
    for entity in world.query(Pilot).entities.tolist():
        pilot = world.get(entity, Pilot)
        if keys.touched:
            if pilot.active:
                keys.release_all()
            world.set(entity, Pilot(active=False, idle=0.0))
            world[Visit].touring = False
        elif not pilot.active:
            starts = pilot.idle + dt >= settings.tour_after
            world.set(entity, Pilot(active=starts, idle=pilot.idle + dt, time=0.0))
            world[Visit].touring = starts
        else:
            before, now = pilot.time, pilot.time + dt
            world[Visit].touring = True
            world.set(entity, Pilot(time=now))
            script = SCRIPTS[world[Scenes].current]
            _show(world, script, before, now)
            if now >= (settings.tour_time or script.seconds):
                keys.release_all()
                keys.tap("next")


def _show(world: World, script: Script, before: float, now: float) -> None:
    """Do what is scheduled between two times."""
    keys = world[Input]
    for moment, name in (*((at, "act") for at in script.acts), *script.taps):
        if before < moment <= now:
            keys.tap(name)
    for name, begin, end in script.holds:
        if before < begin <= now:
            keys.press(name)
        if before < end <= now:
            keys.release(name)
    for moment, x, y in script.clicks:
        if before < moment <= now:
            keys.move(x, y)
            keys.tap("take")
    for begin, end, place, goal in script.drags:
        if before < begin <= now:
            keys.move(*place)
            keys.press("take")
        elif begin < now <= end:
            share = 0.5 - 0.5 * maths.cos(maths.TAU * (now - begin) / (end - begin))
            keys.move(*(p + share * (q - p) for p, q in zip(place, goal, strict=True)))
        if before < end <= now:
            keys.release("take")
    for moment, ticks in script.rewinds:
        if before < moment <= now and world[History].kept:
            world[History].rewind(max(0, world.tick - ticks))
