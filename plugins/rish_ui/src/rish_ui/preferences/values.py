"""The values of preferences: their names, types and limits, and the place in the World that each of them changes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rish_core import UnknownName, UsageError
from rish_core.manifest import show
from rish_expressions import ExpressionError, FieldPath
from rish_frame import DeviceRequests

from ..components.settings import UiSettings

if TYPE_CHECKING:
    from rish_core import World

VOLUME = "volume."
"""The prefix of the names of volumes; the name of a bus follows."""


@dataclass(frozen=True)
class Value:
    """One preference. kind: its type. low, high: limits of a number, both included."""

    kind: type
    low: float = 0.0
    high: float = 1.0

    def wrong(self, value: Any) -> str:
        """Return the requirement that a value does not meet, as a clause; "" for a valid value."""
        if self.kind is not float:
            words = {bool: "true or false", str: "text"}
            return "" if isinstance(value, self.kind) else f"must be {words[self.kind]}, not {show(value)}"
        number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
        if number and self.low <= value <= self.high:
            return ""
        return f"must be a number from {self.low:g} to {self.high:g}, not {show(value)}"


VALUES: dict[str, Value] = {
    "language": Value(str),
    "theme": Value(str),
    "text_scale": Value(float, 0.5, 3.0),
    "reduced_motion": Value(bool),
    "fullscreen": Value(bool),
}
"""The preferences that every game has. Volumes have a name for each bus, `volume.music`."""
VOLUMES = Value(float)


def value_of(name: str) -> Value:
    """Return the declaration of a preference. Raises UnknownName."""
    declaration = VOLUMES if name.startswith(VOLUME) and len(name) > len(VOLUME) else VALUES.get(name)
    if declaration is None:
        choices = [*VALUES, f"{VOLUME}master", f"{VOLUME}music", f"{VOLUME}effects"]
        raise UnknownName(f"no preference is called {name!r}", given=name, choices=choices)
    return declaration


def checked(name: str, value: Any) -> Any:
    """Return a value for a preference. Raises UnknownName for the name, UsageError for the value."""
    spec = value_of(name)
    problem = spec.wrong(value)
    if problem:
        raise UsageError(f"the preference '{name}' {problem}")
    return float(value) if spec.kind is float else value


def present(world: World, name: str) -> Any:
    """Return the value that the game has now; 1 for a volume that nothing sets."""
    if name == "fullscreen":
        return world[DeviceRequests].is_fullscreen
    if name in VALUES:
        return getattr(world[UiSettings], name)
    try:
        return _volume(world, name).read()
    except ExpressionError:
        return 1.0


def apply(world: World, name: str, value: Any) -> None:
    """Write a value into the game; a volume has no effect in a game without sound."""
    if name == "fullscreen":
        world[DeviceRequests].fullscreen(value)
    elif name in VALUES:
        setattr(world[UiSettings], name, value)
    else:
        try:
            _volume(world, name).write(value)
        except ExpressionError:
            return


def _volume(world: World, name: str) -> Any:
    """Return the field of a bus. Raises ExpressionError without a plugin for sound."""
    return FieldPath.parse(f"settings.audio.volumes.{name.removeprefix(VOLUME)}").bind(world)
