"""The bank: the named sounds of a game by name, with those that ship and plain files."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from rish_core import resource
from rish_core.manifest import Report
from rish_ecs import did_you_mean

from ..clips.library import ClipLibrary
from ..components.settings import AudioSettings
from .making import made_clip, shipped
from .reading import read_buses, read_mixes, read_sounds
from .sound import SUFFIXES, Sound

if TYPE_CHECKING:
    from rish_core import World

_log = logging.getLogger("rish.plugins.audio")
SILENCE = Sound()


@resource(derived=True)
class SoundBank:
    """The sounds, buses and mixes of the settings. They are made from the manifest, so they are no state."""

    def __post_init__(self) -> None:
        """Start empty; `fill` reads the settings."""
        self.sounds: dict[str, Sound] = {}
        self.buses: list[dict[str, Any]] = []
        self.mixes: dict[str, dict[str, dict[str, Any]]] = {}
        self._source: Any = None
        self._found: dict[str, Sound] = {}

    def fill(self, settings: Any, report: Report) -> None:
        """Read `sounds`, `buses` and `mixes`. settings: an `AudioSettings`, or anything with these attributes."""
        self.sounds = read_sounds(settings.sounds, report)
        self.buses = read_buses(settings.buses, report)
        self.mixes = read_mixes(settings.mixes, self.bus_names(), report)
        self._found = {}

    def of_world(self, world: World) -> SoundBank:
        """Return this bank, filled from the settings of the World."""
        settings = world[AudioSettings]
        source = settings.sounds, settings.buses, settings.mixes
        if self._source is None or any(now is not then for now, then in zip(source, self._source, strict=True)):
            self._source = source
            self.fill(settings, Report())
        return self

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
            found = self._found[name] = self.of_world(world)._look_up(world, name)
        return found

    def wrong_name(self, name: str) -> str | None:
        """Return the mistake in a sound's name, without opening a file; None if there is none."""
        if not name or name in self.sounds or name in shipped() or name.lower().endswith(SUFFIXES):
            return None
        near = did_you_mean(name, self.names())
        return f"no sound is called {name!r}{near}. Name a sound, or a file that ends in {', '.join(SUFFIXES)}"

    def _look_up(self, world: World, name: str) -> Sound:
        found = self.sounds.get(name) or shipped().get(name)
        if found is None:
            wrong = self.wrong_name(name)
            if wrong is not None:
                _log.warning("%s. Silence is played instead", wrong)
            if wrong is not None or not name:
                return SILENCE
            found = Sound(clips=[name])
            found.name = name
        if found.made is not None:
            world[ClipLibrary].add(found.clips[0], *made_clip(found.made, world[AudioSettings].rate))
        return found
