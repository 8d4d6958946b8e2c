"""Live reload: replaces code and manifest of a running game by edited ones. Imported only when needed.

change = prepare(app, module=edited_module, manifest=reread_manifest(folder, (), app.manifest))
world.defer(lambda world: change.apply())
"""

from .live import Edit, Reconciled, edit_of, reconcile
from .renewal import Renewal, prepare
from .reread import reread_manifest

__all__ = ["Edit", "Reconciled", "Renewal", "edit_of", "prepare", "reconcile", "reread_manifest"]
