"""Switches plugins on and off, loads, unloads, replaces and reloads them in a running game.

Each function checks everything first and raises without having changed the game. Then it applies the change in one
step, which is only possible between two ticks; with `later=True` it is applied at the next tick border. Plugins that
begin are on trial for some ticks: if one fails, the former plugins are restored and the state of the World is kept
(`rollback.py`).

    operation = replace(app, "physics", "teach")
    print(operation, operation.state)
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from rish_core import Interventions, UsageError
from rish_ecs import RishError, message_of, place_of_error

from .rollback import Operation, Trial, surgery_of
from .steps import Step, exchange, new_code, switch_off, switch_on

if TYPE_CHECKING:
    from rish_core import App

_log = logging.getLogger("rish.reload")
TRIAL = 30
"""The number of ticks during which a failure of a plugin that has begun undoes the change."""


def disable(app: App, name: str, *, later: bool = False) -> Operation:
    """Switch off a plugin and the plugins that require it: none of their systems, hooks and layer handlers is called.

    Their `rish_shutdown` is called first. Their data and the hash of the World stay. later: do it at the next tick
    border. Raises PluginError for the kernel, the game's own plugin, and plugins that show the game; UnknownName.
    """
    return _run(app, f"disable {name}", partial(switch_off, app, name), later)


def enable(app: App, name: str, *, later: bool = False, trial: int = TRIAL) -> Operation:
    """Switch on a plugin that was disabled or has failed, and the plugins that were disabled only because of it.

    Their `rish_ready` and `rish_scene_loaded` are called. What these write into the World is undone, because the state
    was kept. later: do it at the next tick border. trial: see `TRIAL`. Raises PluginError and UnknownName.
    """
    return _run(app, f"enable {name}", partial(switch_on, app, name), later, trial)


def load(
    app: App, wish: str, *, given: object = None, later: bool = False, trial: int = TRIAL
) -> Operation:  # fmt: skip
    """Load a plugin that the game has not loaded, with the plugins that it requires.

    wish: as in a manifest, `wind` or `wind>=0.2`. given: the plugin's module or object, if it is not installed. later:
    do it at the next tick border. trial: see `TRIAL`. Raises PluginError, DeclarationError, ScheduleError,
    ManifestError.
    """
    return _run(app, f"load {wish}", partial(exchange, app, None, wish, given), later, trial)


def unload(app: App, name: str, *, later: bool = False) -> Operation:
    """Remove a plugin and the rows of its components.

    later: do it at the next tick border. Raises like `disable` and `load`, and PluginError if another plugin or the
    manifest needs it.
    """
    return _run(app, f"unload {name}", partial(exchange, app, name, None), later)


def replace(
    app: App, old: str, new: str, *, given: object = None, later: bool = False, trial: int = TRIAL
) -> Operation:  # fmt: skip
    """Remove a plugin and load another one in its place, such as a second provider of a contract.

    Components, tables and resources that both plugins declare under the same full name keep their rows. For arguments
    and errors see `load`.
    """
    return _run(app, f"replace {old} by {new}", partial(exchange, app, old, new, given), later, trial)


def reload(app: App, name: str, *, later: bool = False, trial: int = TRIAL) -> Operation:
    """Load the code of a plugin again from its files, with all modules of its package.

    later: do it at the next tick border. trial: see `TRIAL`. Raises like `load`, and any exception of the code.
    """
    return _run(app, f"reload {name}", partial(new_code, app, name), later, trial)


def _run(app: App, what: str, make_step: Callable[[], Step], later: bool, ticks: int = 0) -> Operation:
    """Check a change, then apply it now or at the next tick border. ticks: the length of its trial."""
    operation = Operation(what)
    if not later:
        if app.world.stage is not None:
            raise UsageError("plugins can't be changed while systems run", hint="Use later=True")
        _apply(app, operation, make_step, ticks)
        return operation
    make_step().discard()
    surgery_of(app.world).operations.append(operation)
    app.world.defer(lambda world: _apply_later(app, operation, make_step, ticks))
    return operation


def _apply_later(app: App, operation: Operation, make_step: Callable[[], Step], ticks: int) -> None:
    """Check a change again, because the game may have changed, and apply it; log the reason if it is refused."""
    try:
        _apply(app, operation, make_step, ticks)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        operation.state, operation.problem = "refused", error
        place = "" if isinstance(error, RishError) else f"{place_of_error(error)}: "
        _log.error("%s is refused: %s%s", operation.what, place, message_of(error))


def _apply(app: App, operation: Operation, make_step: Callable[[], Step], ticks: int) -> None:
    """End the current trial, attempt the change, and begin its trial or accept it at once."""
    surgery, start = surgery_of(app.world), time.perf_counter()
    if surgery.trial is not None:
        surgery.trial.end()
    step = make_step()
    step.attempt()
    operation.seconds = time.perf_counter() - start
    operation.started, operation.stopped = tuple(step.started), tuple(step.stopped)
    operation.dropped = step.dropped
    if operation.state == "waiting" and operation not in surgery.operations:
        surgery.operations.append(operation)
    app.world[Interventions].note(operation.what)
    _log.info("%s, in %.0f ms", operation, 1e3 * operation.seconds)
    if ticks and step.started:
        Trial(app, operation, step, ticks)
    else:
        step.accept()
        operation.state = "done"
