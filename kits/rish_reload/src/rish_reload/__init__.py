"""Applies edits of code and manifests to a running game, and keeps the state that they do not concern::

    change = prepare(app, module=edited_module, manifest=reread_manifest(folder, (), app.manifest))
    world.defer(lambda world: change.apply())

Switches plugins on and off, loads, unloads, replaces and reloads them between two ticks::

    replace(app, "physics", "teach")

Finds calls of code under development that do not return, and stops them: `CallWatch`.
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .call_watchdog import CallWatch
    from .entities.defaults import write_defaults
    from .entities.live import Edit, Reconciled, edit_of, reconcile
    from .package import modules_of, put_back, reload_package
    from .plugin_swap import disable, enable, load, reload, replace, unload
    from .renewal import Renewal, prepare
    from .reread import reread_manifest, reread_yaml, reusable_document
    from .rollback import Operation, Surgery, surgery_of
    from .steps import prepare_plugins

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "entities.defaults": "write_defaults",
        "entities.live": "Edit Reconciled edit_of reconcile",
        "package": "modules_of put_back reload_package",
        "renewal": "Renewal prepare",
        "reread": "reread_manifest reread_yaml reusable_document",
        "steps": "prepare_plugins",
        "call_watchdog": "CallWatch",
        "plugin_swap": "disable enable load reload replace unload",
        "rollback": "Operation Surgery surgery_of",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
