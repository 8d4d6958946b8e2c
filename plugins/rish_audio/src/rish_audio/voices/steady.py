"""Finds out that nothing changed: the voices then sound as in the tick before, and only move on in their clips."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Disabled, Edges, Transform, derived, resource
from rish_ecs import Inputs, Rows
from rish_jit import Array

from ..components.settings import AudioSettings
from ..components.source import AudioListener, AudioSource
from ..components.tables import Voices
from ..sounds.bank import SoundBank
from .positions import places_of
from .sources import forward_of
from .spatialization import CAMERA, NO_CONE, Ears, ears_of
from .states import OVER

if TYPE_CHECKING:
    from rish_core import World

_SETTINGS = (
    "voices", "rate", "units_per_meter", "speed_of_sound", "doppler", "rolloff", "min_distance", "max_distance",
    "air", "walls", "wall_mask",
)  # fmt: skip
"""The settings that voices depend on, besides the place of the listener."""


_values_of = attrgetter(*_SETTINGS)


def _settings(world: World) -> tuple[Any, ...]:
    return _values_of(world[AudioSettings])


def _listener(world: World) -> tuple[float, ...]:
    return tuple(world[AudioSettings].listener)


@derived(reads=(AudioSource, Rows(Transform)))
class SourceValues:
    """The sources, their fields, and which of them have a Transform, as bytes; equal as long as no value changes.

    In games/orchard rules write the gains of two sources in each tick, mostly with the same values.
    """

    values: bytes = b""

    def compute(self, world: World) -> None:
        """Join the columns of all sources."""
        table = world.table(AudioSource)
        placed = world.table(Transform).rows_of(table.entities) >= 0
        columns = [table.entities, placed, *map(table.flat, table.schema.fields)]
        self.values = b"".join([column.tobytes() for column in columns])


@resource(derived=True)
class Steady:
    """What the voices were computed from. calm: whether the same results would be computed again.

    That is so if nothing changed between two ticks and the second one changed nothing either: speeds are 0 then, and
    what follows smoothly has arrived. A source that stands still then costs 19 µs a tick instead of 290.
    """

    calm: bool = False

    def __post_init__(self) -> None:
        """Let everything count as changed."""
        self._sources = Inputs((SourceValues, Rows(Disabled), SoundBank, _settings, Edges))
        self._voices = Inputs((Voices,))
        self._places: Inputs | None = None
        self._same = False
        self._ears: Ears | None = None
        self._loops: tuple[int, ...] = ()
        self._followers: tuple[Array, Array] | None = None
        self._before: tuple[Array, ...] = ()

    def remember(self, world: World) -> Any:
        """Return what the voices were computed from, for `recall`; None if that has changed since."""
        if self._places is None or self._sources.look(world) is not None or self._voices.look(world) is not None:
            return None
        return {name: getattr(self, name) for name in _REMEMBERED}, self._places.look(world) is None

    def recall(self, world: World, memory: Any) -> None:
        """Go on from a loaded state: the voices are as they were computed then. None: everything counts as changed."""
        if memory is None:
            self.__post_init__()
            return
        values, is_placed = memory
        for name, value in values.items():
            setattr(self, name, value)
        inputs = (self._sources, self._voices, self._places if is_placed else None)
        for each in filter(None, inputs):
            each.changed(world)

    def holds(self, world: World, commanded: bool) -> bool:
        """Return whether the voices are the same as in the tick before. commanded: whether commands are due."""
        if self._places is None:
            camera = world.kind(CAMERA)
            sources = (Transform, AudioListener, Rows(Disabled), _listener, *([camera] if camera is not None else []))
            self._places = Inputs(sources)
        changed = [inputs.changed(world) for inputs in (self._sources, self._voices, self._places)]
        self._same = not (commanded or changed[0] or changed[1]) and all(map(world.alive, self._loops))
        if self.calm and self._same and not (changed[2] and self._moved(world)):
            return True
        voices = world[Voices]
        self._before = tuple([voices.column(name).copy() for name in _FED_BACK]) if self._same else ()
        return False

    def note(self, world: World, *, ended: bool, ears: Ears | None, computed: bool) -> None:
        """Store what this tick has computed. ended: whether a clip ended. ears: the listener, None if not needed."""
        voices = world[Voices]
        if computed:
            self.calm = self._same and _equal_ears(ears, self._ears)
            self.calm = self.calm and all(
                np.array_equal(voices.column(name), before)
                for name, before in zip(_FED_BACK, self._before, strict=True)
            )
            running = (voices.fade != voices.fade_to) & ~voices.paused
            self.calm = self.calm and not running.any() and not (voices.ending == OVER).any()
            self._ears = ears
            owned = voices.source != 0
            self._loops = tuple(voices.source[owned & voices.loop & ~voices.bound].tolist())
            rows = np.flatnonzero(owned & voices.spatial & ~voices.placed)
            self._followers = (rows, voices.source[rows]) if len(rows) else None
        self.calm = self.calm and not ended
        self._voices.changed(world)

    def _moved(self, world: World) -> bool:
        """Return whether the listener or a voice that follows an entity has moved since the tick before."""
        if self._ears is None:
            return False
        if self._followers is not None:
            voices, (rows, sources) = world[Voices], self._followers
            at = world.table(Transform).rows_of(sources)
            if (at < 0).any():
                rows, at = rows[at >= 0], at[at >= 0]
            if (places_of(world, at) != voices.position[rows, :2]).any():
                return True
            has_cone = voices.cone[rows, 0].min(initial=NO_CONE) < NO_CONE
            if has_cone and (forward_of(world, at) != voices.forward[rows, :2]).any():
                return True
        return not _equal_ears(ears_of(world), self._ears)


_REMEMBERED = ("calm", "_same", "_ears", "_loops", "_followers", "_before")
"""The attributes of `Steady` that follow from a state."""
_FED_BACK = ("position", "forward", "muffled")
"""The columns of `Voices` that a tick computes and the next one reads, besides those of fades and clips."""


def _equal_ears(one: Ears | None, other: Ears | None) -> bool:
    if one is None or other is None:
        return one is other
    same = one.gain == other.gain and one.entity == other.entity
    return same and one.place.tolist() == other.place.tolist() and one.axes.tolist() == other.axes.tolist()
