"""Hot reload: what an author saves while the game runs is what runs.

`watching` collects the paths that changed, in a thread that does nothing else. `reloader` takes them at the tick
border: code and manifest are checked as a whole (`rish_core.reload`) and put in the place of the old only if all of it
is good; assets are loaded again. `removed state` keeps what entities lose with a class, until it comes back.
"""

from .notify import notify_scripts
from .reloader import Reload, look_for_edits, wanted
from .watching import Watcher

__all__ = ["Reload", "Watcher", "look_for_edits", "notify_scripts", "wanted"]
