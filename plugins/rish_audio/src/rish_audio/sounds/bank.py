"""The bank: the named sounds of a game by name, with those that ship and plain files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_assets import LogOnce
from rish_core import resource
from rish_core.manifest import Report, Scope
from rish_ecs import Inputs, did_you_mean
from rish_jit import Array

from ..clips.clip_library import ClipLibrary
from ..components.settings import AudioSettings
from ..components.tables import Buses
from .generated_clips import made_clip, shipped
from .reading import read_buses, read_mixes, read_sounds
from .sound import SUFFIXES, Sound

if TYPE_CHECKING:
    from rish_core import World

SILENCE = Sound()
LOOP, SPATIAL, PRIORITY, ECHO, BUS, LOW_PASS, MIN_DISTANCE, MAX_DISTANCE, FACTS = range(9)
"""The columns of `SoundBank.facts`. The column BUS has the number of the bus's name in the World's texts."""


@resource(derived=True)
class SoundBank:
    """The sounds, buses and mixes of the settings. They are derived from the manifest, so they are not state.

    bus_inputs: what the buses of this bank were last compared with. version: increases when the settings are read.
    """

    def __post_init__(self) -> None:
        """Start empty; `fill` reads the settings."""
        self.version = 0
        self.sounds: dict[str, Sound] = {}
        self.buses: list[dict[str, Any]] = []
        self.mixes: dict[str, dict[str, dict[str, Any]]] = {}
        self.bus_inputs = Inputs((Buses.name, Buses.parent))
        self._source: Any = None
        self._found: dict[str, Sound] = {}
        self._made: dict[str, Any] = {}
        self._facts: Array = np.zeros((0, FACTS))
        self.warn = LogOnce("rish.plugins.audio")

    def fill(self, settings: Any, report: Report, scope: Scope | None = None) -> None:
        """Read `sounds`, `buses` and `mixes`. settings: an `AudioSettings`, or anything with these attributes.

        scope: checks the files that are named; None does not check them.
        """
        self.version += 1
        self.sounds = read_sounds(settings.sounds, report, scope or Scope())
        self.buses = read_buses(settings.buses, report)
        self.mixes = read_mixes(settings.mixes, self.bus_names(), report)
        self._found = {}
        self._facts = np.zeros((0, FACTS))
        self.bus_inputs.forget()

    def of_world(self, world: World) -> SoundBank:
        """Return this bank, filled from the settings of the World."""
        settings = world[AudioSettings]
        source = settings.sounds, settings.buses, settings.mixes
        if self._source is None or any(current is not then for current, then in zip(source, self._source, strict=True)):
            changed, self._source = source != self._source, source
            if changed:  # a restore brings other objects with the same content, and the clips that play must stay
                self.fill(settings, Report())
        return self

    def names(self) -> list[str]:
        """Return the named sounds of the game, then those that ship."""
        return [*self.sounds, *(name for name in shipped() if name not in self.sounds)]

    def bus_names(self) -> list[str]:
        """Return the names of the buses, master first."""
        return [bus["name"] for bus in self.buses]

    def sound(self, world: World, name: str) -> Sound:
        """Return the sound of a name. If there is none, log a warning once and return silence."""
        sound = self._found.get(name)
        if sound is None:
            sound = self._found[name] = self.of_world(world)._look_up(world, name)
        return sound

    def facts(self, world: World, numbers: Array) -> Array:
        """Return the properties of sounds that voices need, float64 (n, FACTS). numbers: the numbers of their names in
        the World's texts.
        """
        if len(self._facts) < len(world.texts):
            grown = np.full((2 * len(world.texts), FACTS), np.nan)
            grown[: len(self._facts)] = self._facts
            self._facts = grown
        facts = self._facts[numbers]
        unknown = np.isnan(facts[:, 0])
        if unknown.any():
            for number in {*numbers[unknown].tolist()}:
                sound = self.sound(world, world.text(number))
                self._facts[number] = (
                    sound.loop, sound.spatial, sound.priority, sound.echo, world.intern(sound.bus), sound.low_pass,
                    sound.min_distance, sound.max_distance,
                )  # fmt: skip
            facts = self._facts[numbers]
        return facts

    def wrong_name(self, name: str) -> str | None:
        """Return the mistake in a sound's name, without opening a file; None if there is none."""
        if not name or name in self.sounds or name in shipped() or name.lower().endswith(SUFFIXES):
            return None
        near = did_you_mean(name, self.names())
        return f"no sound is called {name!r}{near}. Name a sound, or a file that ends in {', '.join(SUFFIXES)}"

    def _look_up(self, world: World, name: str) -> Sound:
        sound = self.sounds.get(name) or shipped().get(name)
        if sound is None:
            wrong = self.wrong_name(name)
            if wrong is not None:
                self.warn(f"{wrong}. Silence is played instead")
            if wrong is not None or not name:
                return SILENCE
            sound = Sound(clips=[name])
            sound.name = name
        if sound.made is not None and self._made.get(sound.clips[0]) != sound.made:
            self._made[sound.clips[0]] = sound.made
            world[ClipLibrary].add(sound.clips[0], *made_clip(sound.made, world[AudioSettings].rate))
        return sound
