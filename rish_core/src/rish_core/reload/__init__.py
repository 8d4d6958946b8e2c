"""Live reload: edited code and text take the place of the old in a game that runs. Imported when it is needed.

change = prepare(app, module=edited_module, manifest=read_manifest_again(folder, (), app.manifest))
world.at_border(lambda world: change.apply())
"""

from .again import read_manifest_again
from .renewal import Renewal, prepare
from .undo import Undo

__all__ = ["Renewal", "Undo", "prepare", "read_manifest_again"]
