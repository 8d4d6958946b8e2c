"""Loads the files of a library of clips, logs each problem once, and drops the clips when a file in use changes."""

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

    log: the name of the logger. used: returns the text numbers of the files in use, 0 for none. forget: called after
    one of them was loaded again.
    """

    def __init__(self, log: str, used: Callable[[], Iterable[int]], forget: Callable[[World], object]) -> None:
        self._log = logging.getLogger(log)
        self._used, self._forget = used, forget
        self._logged: set[str] = set()
        self._watched = 0

    def say(self, sentence: str) -> None:
        """Log a warning, unless it was logged since a file in use changed."""
        if sentence not in self._logged:
            self._logged.add(sentence)
            self._log.warning("%s", sentence)

    def load(self, world: World, path: str) -> object:
        """Return the content of a file, and watch it from now on. None if it can't be read, which is logged."""
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
        """Return the clips of a file. There are none if it can't be read, which is logged."""
        content = self.load(world, path)
        if isinstance(content, Clips):
            return content
        if content is not None:
            self.say(f"{path} is no file of clips: its name must end in .anim.yaml")
        return Clips()

    def _reloaded(self, world: World, path: str) -> None:
        if any(number and world.text(number) == path for number in self._used()):
            self._logged.clear()
            self._forget(world)
