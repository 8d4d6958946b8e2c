"""What the player does to the widgets of the lobby, in order: the events of one tick of its World."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from pathlib import Path
from typing import Any, NamedTuple

from rish_core import About, Name, Stage, resource, system
from rish_ui import Changed, Clicked, Submitted


class Act(NamedTuple):
    """What was done: `clicked`, `changed` or `submitted`. widget: its name. value, text: the new ones."""

    what: str
    widget: str
    value: float = 0.0
    text: str = ""


@resource(derived=True)
class Acts:
    """done: since it was last emptied."""

    done: list[Act] = field(default_factory=list[Act])


@system(Stage.UPDATE, reads=(Clicked, Changed, Submitted, Name), writes=Acts)
def collect(world: Any, dt: float) -> None:
    """Collect the events of widgets."""
    for what, cls in (("changed", Changed), ("submitted", Submitted), ("clicked", Clicked)):
        batch = world.events(cls)
        for row, entity in enumerate(batch.widget.tolist() if len(batch) else ()):
            value = float(batch.value[row]) if cls is Changed else 0.0
            text = str(batch.text[row]) if cls is not Clicked else ""
            world[Acts].done.append(Act(what, str(world.get(entity, Name).value), value, text))


class LobbyParts:
    """The plugin of the World of the lobby. rows: the sources of lists."""

    def __init__(self, rows: dict[str, Callable[[Any], Any]]) -> None:
        self._rows = rows

    def rish_about(self) -> About:
        """Describe the plugin."""
        return About(requires=["ui"], description="the screens of the lobby")

    def rish_resources(self) -> list[type]:
        """Return what was done."""
        return [Acts]

    def rish_systems(self) -> list[Callable[..., None]]:
        """Return the system that collects events."""
        return [collect]

    def rish_locales(self) -> Path:
        """Return the texts."""
        return Path(__file__).parent / "locale"

    def rish_rows(self) -> dict[str, Callable[[Any], Any]]:
        """Return the sources of lists."""
        return self._rows
