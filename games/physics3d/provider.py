"""Who moves the bodies: `physics3d`, or in its place `teach3d`, the solver to be read, whose methods are an exhibit."""

from __future__ import annotations

import logging

from rish_core import App, InputRecord, RishError, TickHooks, World

from .components import Visit
from .gallery import TAUGHT, choose_solver
from .view import brighten

_log = logging.getLogger("rish.game")


def follow_solver(app: App) -> None:
    """Let the provider of `rigid3d` follow the chosen solver, between two ticks.

    A provider that was chosen when the game began (`--with rigid3d=teach3d`) stays.
    """
    app.world[Visit].taught = "physics3d" not in app.plugins.names
    if not app.world[Visit].taught:
        app.world[TickHooks].after.append(lambda world, record: _follow(app, world, record))


def _follow(app: App, world: World, record: InputRecord) -> None:
    visit = world[Visit]
    wanted, here = visit.solver in TAUGHT, "teach3d" in app.plugins.names
    if wanted != here and not world[TickHooks].replaying:
        from rish_reload import replace

        try:
            replace(app, *(("physics3d", "teach3d") if wanted else ("teach3d", "physics3d")))
            brighten(world)
        except RishError as error:
            _log.warning("%s", error)
            choose_solver(world, 0)
            wanted = here
    visit.taught = wanted
