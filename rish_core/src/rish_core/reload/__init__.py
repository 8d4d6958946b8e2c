"""Live reload: edited code and text take the place of the old in a game that runs. Imported when it is needed.

change = prepare(app, module=edited_module, manifest=reread_manifest(folder, (), app.manifest))
world.defer(lambda world: change.apply())
"""

from .live import Edit, Reconciled, edit_of, reconcile
from .renewal import Renewal, prepare
from .reread import reread_manifest

__all__ = ["Edit", "Reconciled", "Renewal", "edit_of", "prepare", "reconcile", "reread_manifest"]
