"""Live reload: replaces code and manifest of a running game by edited ones. Imported only when needed.

change = prepare(app, module=edited_module, manifest=read_manifest(folder))
world.defer(lambda world: change.apply())
"""

from .live import Edit, Reconciled, edit_of, reconcile
from .renewal import Renewal, prepare

__all__ = ["Edit", "Reconciled", "Renewal", "edit_of", "prepare", "reconcile"]
