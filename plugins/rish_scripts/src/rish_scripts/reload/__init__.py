"""Hot reload: edited files are applied while the game runs.

`FileWatcher` of `rish_assets` collects the paths that changed. `reloader` applies them at the tick border: code and
manifest are checked together (`rish_reload`) and replace the old ones only if both are valid; assets are loaded again.
`removed` keeps the rows of classes that were removed from the code until they are added again.
"""

from .notify import notify_scripts
from .reloader import Reload, is_watched, look_for_edits

__all__ = ["Reload", "is_watched", "look_for_edits", "notify_scripts"]
