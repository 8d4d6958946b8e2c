"""The bank: the named sounds of a game by name, with those that ship and plain files."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from rish_core import resource
from rish_ecs import did_you_mean

from ..components.settings import AudioSettings
from .fields import Mistake
from .making import MAKERS, made_clip, shipped
from .reading import read_buses, read_mixes, read_sounds
from .sound import SUFFIXES, Sound

if TYPE_CHECKING:
    from rish_core import World

    from ..clips.library import ClipLibrary

_log = logging.getLogger("rish.plugins.audio")
SILENCE = Sound("")


@resource(derived=True)
class SoundBank:
    """The sounds, buses and mixes of the settings. They are made from the manifest, so they are no state."""

    def __post_init__(self) -> None:
        """Start empty; `fill` reads the settings."""
        self.sounds: dict[str, Sound] = {}
        self.buses: list[dict[str, Any]] = []
        self.mixes: dict[str, dict[str, dict[str, Any]]] = {}
        self.filled = False
        self._found: dict[str, Sound] = {}

    def fill(self, settings: AudioSettings) -> list[Mistake]:
        """Read the settings; return their mistakes."""
        mistakes: list[Mistake] = []
        self.sounds = read_sounds(settings.sounds, "settings.audio.sounds", MAKERS, mistakes)
        self.buses = read_buses(settings.buses, "settings.audio.buses", mistakes)
        names = [bus["name"] for bus in self.buses]
        self.mixes = read_mixes(settings.mixes, "settings.audio.mixes", names, mistakes)
        self._found, self.filled = {}, True
        return mistakes

    def names(self) -> list[str]:
        """Return the named sounds of the game, then those that ship."""
        return [*self.sounds, *(name for name in shipped() if name not in self.sounds)]

    def bus_names(self) -> list[str]:
        """Return the names of the buses, master first."""
        return [bus["name"] for bus in self.buses]

    def sound(self, world: World, name: str) -> Sound:
        """Return the sound of a name; silence, with one warning, if there is none."""
        found = self._found.get(name)
        if found is None:
            if not self.filled:
                self.fill(world[AudioSettings])
            found = self._found[name] = self._look_up(world, name)
        return found

    def wrong_name(self, name: str) -> str | None:
        """Return the mistake in a sound's name, without opening a file; None if there is none."""
        if not name or name in self.sounds or name in shipped() or name.lower().endswith(SUFFIXES):
            return None
        known = self.names()
        return f"no sound is called {name!r}{did_you_mean(name, known)}. Name a file {', '.join(SUFFIXES)}, or a sound"

    def _look_up(self, world: World, name: str) -> Sound:
        found = self.sounds.get(name) or shipped().get(name)
        if found is None:
            wrong = self.wrong_name(name)
            if wrong is not None:
                _log.warning("%s. Silence is played instead", wrong)
            return Sound(name, (name,)) if name and wrong is None else SILENCE
        if found.made is not None:
            from ..clips.library import ClipLibrary

            library: ClipLibrary = world[ClipLibrary]
            rate = world[AudioSettings].rate
            for clip in found.clips:
                library.add(clip, *made_clip(found, rate))
        return found
