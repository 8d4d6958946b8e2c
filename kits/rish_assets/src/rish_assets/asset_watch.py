"""`AssetWatch`: an asset that is saved while a game runs in a window is read again at once.

A plugin asks for it: it declares the resource `AssetWatch` and the system `reload_assets`, and calls `begin` and `end`.
`rish_frame` does so for all games that are drawn. If somebody else takes the changes of files, such as the plugin
`scripts` or an editor, nothing is watched here (`Assets.watched`, `App.watches`).
"""

from __future__ import annotations

from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING

from rish_core import Assets, Interventions, Stage, resource, system

from .changes import report_changes

if TYPE_CHECKING:
    from rish_core import App
    from rish_ecs import World

    from .watching import FileWatcher


@resource(derived=True)
class AssetWatch:
    """The watcher of the files of one running game. waiting: the files that changed since the last frame.

    watcher: None if the files are not watched.
    """

    def __post_init__(self) -> None:
        """Start without a watcher; `begin` makes it."""
        self.waiting: deque[Path] = deque()
        self.watcher: FileWatcher | None = None

    def begin(self, app: App) -> None:
        """Watch the game's folder if the game has a window and nobody else watches it; call it in `rish_ready`."""
        assets, root = app.world[Assets], app.manifest.root
        if self.watcher is None and root is not None and app.windowed and app.watches and not assets.watched:
            from .watching import FileWatcher

            self.watcher = FileWatcher(root.resolve(), changed=self.waiting)
            self.watcher.start()

    def end(self) -> None:
        """Stop watching. May be called twice."""
        if self.watcher is not None:
            self.watcher.stop()
        self.watcher = None

    def take(self, world: World) -> None:
        """Read the changed files again, unless somebody else does that meanwhile; call it between two ticks."""
        paths: list[Path] = []
        while self.waiting:
            paths.append(self.waiting.popleft())
        reloaded = report_changes(world[Assets], [] if world[Assets].watched else paths)
        if reloaded:
            world[Interventions].note(f"reload of {', '.join(reloaded[:3])}{' ...' if len(reloaded) > 3 else ''}")


@system(Stage.FIRST)
def reload_assets(world: World, dt: float) -> None:
    """Read files that were changed again at the next tick border."""
    watch: AssetWatch = world[AssetWatch]
    if watch.waiting:
        world.defer(watch.take)
