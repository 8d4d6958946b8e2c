"""The gallery itself: keys and buttons, switching of exhibits, time, and the settings of the solver."""

from __future__ import annotations

from collections.abc import Sequence

from rish_core import Input, Scenes, Session, Stage, World, every, find, system
from rish_physics3d import Body3D, Method3D, Physics3DSettings
from rish_space3d import Transform3D
from rish_ui import Clicked

from .components import Fleeting, Settings, Visit
from .exhibits import EXHIBITS

FAR = 150.0
"""The distance from the middle, in m, beyond which bodies are removed."""
_SWITCHES = {"pause": "paused", "slow": "slow"}
"""The keys that switch a field of `Visit`, as the toggles of the bar do."""
SOLVERS = (
    {"method": Method3D.SOFT, "warm_starting": True, "substeps": 4},
    {"method": Method3D.SOFT, "warm_starting": True, "substeps": 1},
    {"method": Method3D.SOFT, "warm_starting": False, "substeps": 4},
    {"method": Method3D.SOFT, "warm_starting": False, "substeps": 1},
    {"method": Method3D.WARM},
    {"method": Method3D.ACCUMULATED},
    {"method": Method3D.NAIVE},
)
"""The settings of the solver, from which the key `solver` chooses."""
TAUGHT = range(4, len(SOLVERS))
"""The solvers that only `teach3d` has: it takes the place of `physics3d`, see `provider.py`."""
_TUNED = range(4)
_CHOICES = {"stack": (0, *TAUGHT)}
"""The solvers of an exhibit, if they are not those of `physics3d`: `teach3d` takes two milliseconds for each box."""


def wanted(world: World, *actions: str) -> list[bool]:
    """Return for each action whether its key was pressed, or the button of the bar with its name clicked.

    To be called once in a system, which then has read the clicks.
    """
    clicked = world.events(Clicked).widget.tolist()
    return [world[Input].pressed(name) or (bool(clicked) and find(world, name) in clicked) for name in actions]


@system(Stage.PRE, reads=(Input, Clicked), writes=(Scenes, Session, Visit, Physics3DSettings), after="game.tour")
def listen(world: World, dt: float) -> None:
    """Handle the keys and buttons of the gallery."""
    keys, scenes, visit, settings = world[Input], world[Scenes], world[Visit], world[Physics3DSettings]
    names = list(EXHIBITS)
    forward, back, again, step, solver = wanted(world, "next", "back", "reset", "step", "solver")
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
    if solver:
        choices = solvers_of(scenes.current)
        choose_solver(world, choices[(choices.index(visit.solver) + 1) % len(choices)])
    visit.paused = visit.paused or step
    speed = world[Settings].slow if visit.slow else 1.0
    settings.time_scale = speed if step or not visit.paused else 0.0


def solvers_of(scene: str) -> Sequence[int]:
    """Return the solvers between which the key switches in an exhibit."""
    return _CHOICES.get(scene, _TUNED)


def choose_solver(world: World, number: int) -> None:
    """Solve with one of `SOLVERS` from the next tick on."""
    world[Visit].solver = number
    for name, value in SOLVERS[number].items():
        setattr(world[Physics3DSettings], name, value)


@system(Stage.PRE, reads=(Input, Clicked), writes=(Body3D, Transform3D), after="game.listen")
def act(world: World, dt: float) -> None:
    """Run the exhibit's action on its key or button."""
    if wanted(world, "act")[0]:
        EXHIBITS[world[Scenes].current].act(world)


@system(Stage.PRE, reads=Physics3DSettings, writes=Visit, after="game.act")
def go_on(world: World, dt: float) -> None:
    """Advance the exhibit's own time."""
    world[Visit].time += dt * world[Physics3DSettings].time_scale


@system(Stage.UPDATE, reads=(Body3D, Transform3D, Physics3DSettings), writes=Fleeting, run_if=every(10))
def clear_away(world: World, dt: float) -> None:
    """Remove thrown bodies after their time, and bodies that are far away."""
    fleeting = world.query(Fleeting)
    if len(fleeting):
        left = fleeting[Fleeting.left] - 10 * dt * world[Physics3DSettings].time_scale
        fleeting[Fleeting.left] = left.clip(0)
        world.despawn(fleeting.entities[left <= 0])
    bodies = world.query(Body3D, Transform3D, without=(Fleeting,))
    lost = (abs(bodies[Transform3D.position]) > FAR).any(axis=1)
    if lost.any():
        world.despawn(bodies.entities[lost])
