"""Applies edits of code and manifests to a running game, and keeps the state that they do not concern::

change = prepare(app, module=edited_module, manifest=reread_manifest(folder, (), app.manifest))
world.defer(lambda world: change.apply())
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_ecs.lazy import lazy_names

if TYPE_CHECKING:
    from .live import Edit, Reconciled, edit_of, reconcile
    from .renewal import Renewal, prepare
    from .reread import reread_manifest

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "live": "Edit Reconciled edit_of reconcile",
        "renewal": "Renewal prepare",
        "reread": "reread_manifest",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
