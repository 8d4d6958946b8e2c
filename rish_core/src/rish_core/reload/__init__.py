"""Live reload: edited code and text take the place of the old in a game that runs. Imported when it is needed.

change = prepare(app, module=edited_module, manifest=reread_manifest(folder, (), app.manifest))
world.defer(lambda world: change.apply())
"""

from .renewal import Renewal, prepare
from .reread import reread_manifest
from .undo import Undo

__all__ = ["Renewal", "Undo", "prepare", "reread_manifest"]
