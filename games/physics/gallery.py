"""The gallery itself: keys and buttons, switching of exhibits, and time."""

from __future__ import annotations

from rish_core import Input, Scenes, Session, Stage, Transform, World, every, find, system
from rish_physics import (
    Body,
    Collider,
    DebugView,
    PhysicsSettings,
)
from rish_render import Camera
from rish_ui import Clicked

from . import surfaces
from .components import (
    Fleeting,
    Lift,
    Ring,
    Settings,
    Visit,
)
from .exhibits import EXHIBITS

BOUNDS = (-400.0, -600.0, 4700.0, 2600.0)
"""The lower left and the upper right corner of the area outside of which objects are removed."""
_SWITCHES = {"pause": "paused", "slow": "slow", "debug": "debug"}
"""The keys that switch a field of `Visit`, as the toggles of the bar do."""
_LAYERS = ("shapes", "contacts", "normals", "joints")
"""What the solver's view shows."""


def wanted(world: World, *actions: str) -> list[bool]:
    """Return for each action whether its key was pressed, or the button of the bar with its name clicked.

    To be called once in a system, which then has read the clicks.
    """
    clicked = world.events(Clicked).widget.tolist()
    return [world[Input].pressed(name) or (bool(clicked) and find(world, name) in clicked) for name in actions]


@system(
    Stage.PRE, reads=(Input, Clicked), writes=(Scenes, Session, Visit, PhysicsSettings, DebugView), after="game.tour"
)
def listen(world: World, dt: float) -> None:
    """Handle the keys and buttons of the gallery."""
    keys, scenes, visit = world[Input], world[Scenes], world[Visit]
    names = list(EXHIBITS)
    forward, back, again = wanted(world, "next", "back", "reset")
    turn = forward - back
    if turn:
        scenes.go(names[(names.index(scenes.current) + turn) % len(names)])
    elif again:
        scenes.restart()
    elif keys.pressed("leave"):
        world[Session].quit = True
    for action, name in _SWITCHES.items():
        if keys.pressed(action):
            setattr(visit, name, not getattr(visit, name))
    if world[DebugView].shapes != visit.debug:
        world[DebugView].show(*(_LAYERS if visit.debug else ()))
    speed = 0.0 if visit.paused else world[Settings].slow if visit.slow else 1.0
    if world[PhysicsSettings].time_scale != speed:
        world[PhysicsSettings].time_scale = speed


@system(Stage.PRE, reads=(Input, Clicked), writes=(Body, Transform, Camera, Ring), after="game.listen")
def act(world: World, dt: float) -> None:
    """Run the exhibit's action on its key or button."""
    if wanted(world, "act")[0]:
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
