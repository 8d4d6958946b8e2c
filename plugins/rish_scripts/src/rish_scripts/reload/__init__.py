"""Hot reload: edited files are applied while the game runs.

`watching` collects the paths that changed, in a separate thread. `reloader` applies them at the tick border: code and
manifest are checked together (`rish_reload`) and replace the old ones only if both are valid; assets are loaded again.
`removed` keeps the rows of classes that were removed from the code until they are added again.
"""

from .notify import notify_scripts
from .reloader import Reload, is_watched, look_for_edits
from .watching import Watcher

__all__ = ["Reload", "Watcher", "is_watched", "look_for_edits", "notify_scripts"]
