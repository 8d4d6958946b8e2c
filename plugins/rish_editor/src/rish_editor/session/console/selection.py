"""The selected entities as one object, for the console: reading and writing a field of all of them at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import EntityView, Transform, UnknownName

if TYPE_CHECKING:
    from ..game.game import Game

_PLACES = {"x": 0, "y": 1}
"""Short names of the two parts of `Transform.position`."""


class Fields:
    """The fields of one component of several entities: arrays with a row for each entity that has the component."""

    def __init__(self, game: Game, handles: list[int], cls: type) -> None:
        object.__setattr__(self, "_given", (game, [one for one in handles if game.world.has(one, cls)], cls))

    def __getattr__(self, name: str) -> Any:
        game, handles, cls = self._given
        if name.startswith("__") or name not in cls.__kind__.fields:
            raise UnknownName(f"{cls.__name__} has no field '{name}'", given=name, choices=cls.__kind__.fields)
        values = [game.read(handle, cls, name) for handle in handles]
        plain = all(isinstance(value, np.ndarray | np.generic | bool | int | float) for value in values)
        return np.array(values) if plain and values else values

    def __setattr__(self, name: str, value: Any) -> None:
        game, handles, cls = self._given
        if name not in cls.__kind__.fields:
            raise UnknownName(f"{cls.__name__} has no field '{name}'", given=name, choices=cls.__kind__.fields)
        game.set(handles, cls, name, np.array(value) if isinstance(value, np.ndarray | list | tuple) else value)

    def __dir__(self) -> list[str]:
        return list(self._given[2].__kind__.fields)

    def __repr__(self) -> str:
        _, handles, cls = self._given
        of = f"{len(handles)} {'entity' if len(handles) == 1 else 'entities'}"
        return f"<{cls.__name__} of {of}: {', '.join(cls.__kind__.fields)}>"


class Selected:
    """The selection: `sel.Transform.position`, `sel.x += 10`, `sel[0]`, `for view in sel`.

    A component's name gives its `Fields`; `x`, `y` and `rotation` are those of Transform. Items are entities.
    """

    def __init__(self, game: Game) -> None:
        object.__setattr__(self, "_game", game)

    @property
    def _handles(self) -> list[int]:
        return self._game.selection.handles

    def __len__(self) -> int:
        return len(self._handles)

    def __getitem__(self, number: int) -> EntityView:
        return EntityView(self._game.world, self._handles[number])

    def __iter__(self) -> Iterator[EntityView]:
        return (EntityView(self._game.world, handle) for handle in self._handles)

    def _component(self, name: str) -> Fields:
        for cls in self._game.world.tables:
            if cls.__name__ == name:
                return Fields(self._game, self._handles, cls)
        names = [cls.__name__ for cls in self._game.world.tables]
        raise AttributeError(str(UnknownName(f"no component is called '{name}'", given=name, choices=names)))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        place = Fields(self._game, self._handles, Transform)
        if name in _PLACES:
            return place.position[:, _PLACES[name]] if len(place._given[1]) else np.zeros(0)
        return place.rotation if name == "rotation" else self._component(name)

    def __setattr__(self, name: str, value: Any) -> None:
        place = Fields(self._game, self._handles, Transform)
        if name in _PLACES:
            position = place.position
            if len(position):
                position[:, _PLACES[name]] = value
                place.position = position
        elif name == "rotation":
            place.rotation = value
        else:
            raise AttributeError(f"write a field, such as sel.{name}.field = ..., or sel.x")

    def __dir__(self) -> list[str]:
        world = self._game.world
        kinds = {cls.__name__ for handle in self._handles[:20] for cls in world.components_of(handle)}
        return [*_PLACES, "rotation", *sorted(kinds)]

    def __repr__(self) -> str:
        names = ", ".join(self._game.name_of(handle) for handle in self._handles[:8])
        more = ", …" if len(self) > 8 else ""
        return f"<{len(self)} selected: {names}{more}>"
