"""The gallery's own plugin: its declarations, and the code that builds an exhibit when its scene is loaded.

`exhibits.py` lists the exhibits; `stacks.py`, `spinning.py`, `surfaces.py`, `hanging.py` and `machines.py` build them
from the parts in `parts.py`. `gallery.py` handles keys and buttons, `hand.py` the pointer, `view.py` the camera and
what is drawn, `tour.py` shows the gallery when there is no input, `provider.py` changes the solver.
"""

from __future__ import annotations

from collections.abc import Callable

from rish_core import About, App, World

from . import components, gallery, hand, hanging, machines, provider, surfaces, tour, view
from .components import Pilot, Settings, Visit
from .exhibits import EXHIBITS


def rish_about() -> About:
    """Require physics in space, 3D scenes and widgets."""
    return About(
        requires=["rigid3d", "scene3d", "render", "ui"],
        optional={
            "rigid3d[capsules]": "limbs and pills fall through the floor",
            "rigid3d[joints]": "what hangs falls",
            "rigid3d[queries]": "nothing can be grabbed",
            "rigid3d[sensors]": "the marbles are not counted",
            "rigid3d[cone]": "friction depends on the direction",
            "rigid3d[sleep]": "no body sleeps",
            "rigid3d[methods]": "the solver has one method",
        },
        description="a gallery of physics in space",
    )


def rish_settings() -> type:
    """Return the class of `settings: game:`, with the start of the tour and the speed of slow motion."""
    return Settings


def rish_components() -> list[type]:
    """Return the components of the exhibits."""
    return [components.Orbit, components.Paint, components.Link, components.Knot, components.Hand, components.Fleeting]


def rish_resources() -> list[type]:
    """Return the resources: the visit, and the state of the tour."""
    return [Visit, Pilot]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems, in the order of a tick."""
    return [
        tour.tour,
        gallery.listen,
        gallery.act,
        view.circle,
        hand.grab,
        gallery.go_on,
        machines.steer,
        surfaces.lift,
        view.doze,
        view.draw_links,
        gallery.clear_away,
        hanging.drape,
    ]


def rish_ready(app: App) -> None:
    """Make the meshes of hills and funnel; let the provider of rigid bodies follow the chosen solver."""
    machines.put_hills(app.world)
    surfaces.put_funnel(app.world)
    provider.follow_solver(app)


def rish_scene_loaded(world: World, scene: str) -> None:
    """Build an exhibit after its scene was loaded."""
    visit = world[Visit]
    visit.number, visit.count = list(EXHIBITS).index(scene) + 1, len(EXHIBITS)
    visit.time, visit.passed, world[Pilot].time = 0.0, 0, 0.0
    if visit.solver not in gallery.solvers_of(scene):
        gallery.choose_solver(world, 0)
    EXHIBITS[scene].build(world)
    view.place_links(world)
