"""What libraries of clips share: they load files, log each sentence once, and begin anew when a file in use changes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rish_core import AssetError, Assets

from .model import Clips

if TYPE_CHECKING:
    from rish_ecs import World


class ClipFiles:
    """The files of one library of clips.

    log: the name of its logger. used: returns the numbers of the texts of the files in use, 0: none. forget: is called
    after one of them was loaded again.
    """

    def __init__(self, log: str, used: Callable[[], Iterable[int]], forget: Callable[[World], object]) -> None:
        self._log = logging.getLogger(log)
        self._used, self._forget = used, forget
        self._said: set[str] = set()
        self._watched = 0

    def say(self, sentence: str) -> None:
        """Log a warning, unless it was logged since a file in use changed."""
        if sentence not in self._said:
            self._said.add(sentence)
            self._log.warning("%s", sentence)

    def load(self, world: World, path: str) -> object:
        """Return the content of a file, and watch it from now on; None, which is logged, if it can't be read."""
        if Assets not in world:
            return None
        if self._watched != id(world[Assets]):
            self._watched = id(world[Assets])
            world[Assets].on_reload(lambda reloaded: self._reloaded(world, reloaded))
        try:
            return world[Assets].load(path)
        except AssetError as error:
            self.say(str(error))
            return None

    def clips(self, world: World, path: str) -> Clips:
        """Return the clips of a file; none, which is logged, if it can't be read."""
        found = self.load(world, path)
        if isinstance(found, Clips):
            return found
        if found is not None:
            self.say(f"{path} is no file of clips: its name must end in .anim.yaml")
        return Clips()

    def _reloaded(self, world: World, path: str) -> None:
        if any(number and world.text(number) == path for number in self._used()):
            self._said.clear()
            self._forget(world)
