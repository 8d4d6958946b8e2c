"""Bindings of widgets: to fields of the game, and to preferences of the player."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_expressions import FieldPath

from ..preferences import Preferences

if TYPE_CHECKING:
    from rish_ecs import World

PREFERENCES = "preferences."
"""The prefix of the path of a preference of the player."""
SELF = "self."
"""The prefix of the path of a field of the screen's entity, or of the widget itself."""


def bind_field(world: World, path: str, entity: int) -> tuple[Any, bool]:
    """Return the field of a path, and True if its entity is given at each read, as in `self.Health.now`. Raises
    RishError.

    `preferences.volume.music` is a preference of the player. entity: with the component, to check the path.
    """
    if path.startswith(PREFERENCES):
        name = path.removeprefix(PREFERENCES)
        world[Preferences].get(name)
        return _PreferenceField(world, name), False
    field = FieldPath.parse(path.removeprefix(SELF)).bind(world, entity)
    return field, field.target.kind == "component" and not field.target.entity


class _PreferenceField:
    """A preference of the player, read and written like a field."""

    def __init__(self, world: World, name: str) -> None:
        self._world, self._name = world, name

    def read(self) -> Any:
        """Return its value."""
        return self._world[Preferences].get(self._name)

    def write(self, value: Any) -> None:
        """Choose a value."""
        self._world[Preferences].set(self._name, value)


class Plain:
    """A text that is shown as it is written, because it has a mistake."""

    used: frozenset[str] = frozenset()

    def __init__(self, text: str) -> None:
        self.text = text

    def __call__(self, values: Any) -> str:
        """Return the text."""
        return self.text
