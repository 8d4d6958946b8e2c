"""The parameters of buses that the mixer panel shows and changes: those of the settings, or of a running World."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import RishError
from rish_ecs import kind_of

from ...components.tables import AudioState, Buses, BusFades
from ...sounds.bank import SoundBank
from ...voices.playing import set_mix

if TYPE_CHECKING:
    from rish_editor import Editor

FIELDS = kind_of(Buses).fields


class BusValues:
    """The buses of the game in an editor. names: of the buses, master first.

    While the game is edited, changes are written into the settings of its text, as one step for each gesture. While it
    runs, they are written into the World.
    """

    def __init__(self) -> None:
        self._editor: Any = None
        self._pending: dict[tuple[str, str], Any] = {}
        self._given: list[dict[str, Any]] = []
        self.names: list[str] = []

    def begin(self, editor: Editor) -> None:
        """Read the names of the buses; call it in each frame before the others."""
        self._editor = editor
        world = self._world
        self._given = world[SoundBank].of_world(world).buses
        if self.runs:
            texts = world.texts.texts
            self.names = [texts[number] for number in world[Buses].column("name").tolist()]
        if not self.runs or not self.names:
            self.names = [bus["name"] for bus in self._given]

    @property
    def _world(self) -> Any:
        return self._editor.game.world

    @property
    def runs(self) -> bool:
        """Whether changes are written to the running World."""
        return bool(self._editor.game.play.running)

    @property
    def live(self) -> bool:
        """Whether the running World already has the buses; they are created in its first tick."""
        return self.runs and len(self._world[Buses]) > 0

    def get(self, bus: str, name: str) -> Any:
        """Return a parameter of a bus."""
        if self.live:
            buses = self._world[Buses]
            value = buses.column(name)[self.names.index(bus)]
            return self._world.texts.texts[value] if FIELDS[name].type.special == "str" else value.item()
        if (bus, name) in self._pending:
            return self._pending[bus, name]
        values = next((each for each in self._given if each["name"] == bus), {})
        return values.get(name, FIELDS[name].default)

    def set(self, bus: str, name: str, value: Any) -> None:
        """Change a parameter of a bus."""
        value = round(value, 4) if isinstance(value, float) else value
        if not self.live:
            self._pending[bus, name] = value
            return
        world = self._world
        row = self.names.index(bus)
        world[Buses].column(name)[row] = world.intern(value) if isinstance(value, str) else value
        fades = world[BusFades]
        number = world.intern(bus), world.intern(name)
        fades.keep_rows((fades.column("bus") != number[0]) | (fades.column("parameter") != number[1]))

    def settle(self) -> None:
        """Write the changes of a gesture that has ended into the text; call it in each frame after the widgets."""
        editor, changes = self._editor, self._pending
        if not changes or editor.ui.raw.is_any_item_active():
            return
        self._pending = {}
        if self.runs:
            return

        def write(text: Any) -> None:
            for (bus, name), value in changes.items():
                path = ("settings", "audio", "buses", bus, name)
                text.of(path[:2]).put(path, value)

        title = editor.tr("Change the bus {bus}", bus=next(iter(changes))[0])
        write_text(editor, title, write)

    # Mixes

    @property
    def mixes(self) -> list[str]:
        """The names of the mixes of the settings."""
        return list(self._world[SoundBank].mixes)

    @property
    def mix(self) -> str:
        """The mix that was set last; "" without a mix."""
        return self._world[AudioState].mix

    def use_mix(self, mix: str) -> None:
        """Bring the running World to a mix."""
        self._world.defer(lambda world: set_mix(world, mix))


def write_text(editor: Editor, title: str, change: Any) -> bool:
    """Change the text of the game as one step of its history; show errors, and return whether it was changed."""
    game = editor.game
    assert game is not None
    try:
        with game.edit(title):
            game.project.edit(change)
    except (RishError, OSError) as error:
        editor.report(title, error)
        return False
    return True


class Holds:
    """The held peaks, by bus and channel: each is held for a while and then falls slowly."""

    def __init__(self) -> None:
        self.peaks = np.zeros((0, 2))
        self._left = np.zeros((0, 2))

    def follow(self, peaks: Any, seconds: float) -> None:
        """Update with the newest peaks, float (buses, channels). seconds: the time since the last call."""
        if self.peaks.shape != peaks.shape:
            self.peaks, self._left = np.zeros(peaks.shape), np.zeros(peaks.shape)
        higher = peaks >= self.peaks
        self._left = np.where(higher, _HOLD_SECONDS, self._left - seconds)
        fallen = np.where(self._left < 0, self.peaks * 0.92, self.peaks)
        self.peaks = np.where(higher, peaks, fallen)


_HOLD_SECONDS = 1.5
"""The time for which a peak is held, in seconds."""
