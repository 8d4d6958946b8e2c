"""Surgery: switches plugins on and off, loads, unloads, replaces and reloads them in a running game.

Each function checks everything first and raises without having changed the game. Then it applies the change in one
step, which is only possible between two ticks; with `later=True` it is applied at the next tick border. Plugins that
begin are on trial for some ticks: if one fails, the former plugins come back with the state of the World
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
"""The ticks in which a failure of a plugin that has begun undoes the change."""


def disable(app: App, name: str, *, later: bool = False) -> Operation:
    """Switch a plugin off, and those that require it: no system, hook or layer handler of theirs is called.

    Their `rish_shutdown` is called first. Their data stays, and so does the hash. later: at the next tick border.
    Raises PluginError for the kernel, the game's own plugin, and those that show the game; UnknownName.
    """
    return _run(app, f"disable {name}", partial(switch_off, app, name), later)


def enable(app: App, name: str, *, later: bool = False, trial: int = TRIAL) -> Operation:
    """Switch a plugin on that was disabled or has failed, and those that were disabled only because of it.

    Their `rish_ready` and `rish_scene_loaded` are called; what these write into the state is taken back, because the
    state was kept. later: at the next tick border. trial: ticks. Raises PluginError and UnknownName.
    """
    return _run(app, f"enable {name}", partial(switch_on, app, name), later, trial)


def load(
    app: App, wish: str, *, given: object = None, later: bool = False, trial: int = TRIAL
) -> Operation:  # fmt: skip
    """Load a plugin that the game has not loaded, with those that it requires.

    wish: as in a manifest, `wind` or `wind>=0.2`. given: its module or object, for a plugin that is not installed.
    later: at the next tick border. trial: ticks. Raises PluginError, DeclarationError, ScheduleError, ManifestError.
    """
    return _run(app, f"load {wish}", partial(exchange, app, None, wish, given), later, trial)


def unload(app: App, name: str, *, later: bool = False) -> Operation:
    """Take a plugin out, with the rows of its components. Refused if another plugin or the manifest needs it.

    later: at the next tick border. Raises like `disable` and `load`.
    """
    return _run(app, f"unload {name}", partial(exchange, app, name, None), later)


def replace(
    app: App, old: str, new: str, *, given: object = None, later: bool = False, trial: int = TRIAL
) -> Operation:  # fmt: skip
    """Take a plugin out and load another one in its place, such as a second provider of a contract.

    Components, tables and resources that both declare under the same full name keep their rows. Arguments and errors:
    see `load`.
    """
    return _run(app, f"replace {old} by {new}", partial(exchange, app, old, new, given), later, trial)


def reload(app: App, name: str, *, later: bool = False, trial: int = TRIAL) -> Operation:
    """Load the code of a plugin again from its files, with all modules of its package.

    later: at the next tick border. trial: ticks. Raises like `load`, and any exception of the code.
    """
    return _run(app, f"reload {name}", partial(new_code, app, name), later, trial)


def _run(app: App, what: str, make: Callable[[], Step], later: bool, ticks: int = 0) -> Operation:
    """Check a change, then apply it now or at the next tick border. ticks: of its trial."""
    operation = Operation(what)
    if not later:
        if app.world.stage is not None:
            raise UsageError("plugins can't be changed while systems run", hint="Use later=True")
        _apply(app, operation, make, ticks)
        return operation
    make().discard()
    surgery_of(app.world).operations.append(operation)
    app.world.defer(lambda world: _apply_later(app, operation, make, ticks))
    return operation


def _apply_later(app: App, operation: Operation, make: Callable[[], Step], ticks: int) -> None:
    """Check a change again, because the game may have changed, and apply it; log the reason if it is refused."""
    try:
        _apply(app, operation, make, ticks)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        operation.state, operation.problem = "refused", error
        place = "" if isinstance(error, RishError) else f"{place_of_error(error)}: "
        _log.error("%s is refused: %s%s", operation.what, place, message_of(error))


def _apply(app: App, operation: Operation, make: Callable[[], Step], ticks: int) -> None:
    surgery, start = surgery_of(app.world), time.perf_counter()
    if surgery.trial is not None:
        surgery.trial.end()
    step = make()
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
