"""The gallery itself: keys, switching of exhibits, time, and readouts."""

from __future__ import annotations

from rish_core import Input, Scenes, Session, Stage, Transform, World, every, system
from rish_physics import (
    Body,
    Collider,
    DebugView,
    PhysicsSettings,
)
from rish_render import Camera, Text

from . import surfaces
from .components import (
    Fleeting,
    Lift,
    Pilot,
    Readout,
    Ring,
    Settings,
    Show,
    Visit,
)
from .exhibits import EXHIBITS

BOUNDS = (-400.0, -600.0, 4700.0, 2600.0)
"""The lower left and the upper right corner of the area outside of which objects are removed."""
_MODES = {0: "", 1: "TOUR", 2: "SLOW", 3: "PAUSED"}


@system(Stage.PRE, reads=Input, writes=(Scenes, Session, Visit, PhysicsSettings, DebugView), after="game.tour")
def listen(world: World, dt: float) -> None:
    """Handle the keys of the gallery."""
    keys, scenes, visit = world[Input], world[Scenes], world[Visit]
    names = list(EXHIBITS)
    turn = keys.pressed("next") - keys.pressed("back")
    if turn:
        scenes.go(names[(names.index(scenes.current) + turn) % len(names)])
    elif keys.pressed("reset"):
        scenes.restart()
    elif keys.pressed("leave"):
        world[Session].quit = True
    for key, name in (("pause", "paused"), ("slow", "slow"), ("debug", "debug")):
        if keys.pressed(key):
            setattr(visit, name, not getattr(visit, name))
    if keys.pressed("debug"):
        world[DebugView].show(*(("shapes", "contacts", "normals", "joints") if visit.debug else ()))
    speed = 0.0 if visit.paused else world[Settings].slow if visit.slow else 1.0
    if world[PhysicsSettings].time_scale != speed:
        world[PhysicsSettings].time_scale = speed


@system(Stage.PRE, reads=Input, writes=(Body, Transform, Camera, Ring), after="game.listen")
def act(world: World, dt: float) -> None:
    """Run the exhibit's action when space is pressed."""
    if world[Input].pressed("act"):
        EXHIBITS[world[Scenes].current].act(world)


@system(Stage.PRE, reads=(PhysicsSettings, Lift), writes=(Visit, Body), after="game.act")
def go_on(world: World, dt: float) -> None:
    """Advance the exhibit's own time, and move its lifts."""
    step = dt * world[PhysicsSettings].time_scale
    surfaces.carry(world, world[Visit].time, step)
    world[Visit].time += step


@system(Stage.UPDATE, reads=(Body, Transform, Collider, PhysicsSettings), writes=Fleeting, run_if=every(10))
def clear_away(world: World, dt: float) -> None:
    """Remove thrown bodies after their time, and bodies that left the bounds."""
    fleeting = world.query(Fleeting)
    if len(fleeting):
        left = fleeting[Fleeting.left] - 10 * dt * world[PhysicsSettings].time_scale
        fleeting[Fleeting.left] = left.clip(0)
        world.despawn(fleeting.entities[left <= 0])
    bodies = world.query(Body, Transform, without=(Fleeting,))
    place = bodies[Transform.position]
    lost = (place < BOUNDS[:2]).any(axis=1) | (place > BOUNDS[2:]).any(axis=1)
    if lost.any():
        world.despawn(bodies.entities[lost])


@system(Stage.UPDATE, reads=(Visit, Pilot, Scenes), writes=(Readout, Text), run_if=every(5))
def write_readouts(world: World, dt: float) -> None:
    """Update the texts; a text that is already right is not written."""
    visit, names = world[Visit], list(EXHIBITS)
    mode = 3 if visit.paused else 2 if visit.slow else 1 if world[Pilot].active else 0
    numbers = {Show.NUMBER: names.index(world[Scenes].current) + 1, Show.MODE: mode}
    for entity in world.query(Readout, Text).entities.tolist():
        readout = world.get(entity, Readout)
        number = numbers[readout.show]
        if readout.shown != number:
            words = _MODES[number] if readout.show is Show.MODE else f"{number} / {len(names)}"
            world.set(entity, Text(text=words), Readout(shown=number))
