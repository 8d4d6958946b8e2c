"""The state of the inspector from frame to frame, and cached facts about the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_authoring import left_out
from rish_core import Name, Tags
from rish_ecs import Disabled

from ...session.game.selection import Handles
from .prefabs import Prefab, prefab_of

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...session.target import Target


@dataclass
class Picking:
    """A reference field whose entity the user picks by selecting it. selection: the entities that were selected
    before."""

    cls: type
    field: str
    selection: list[int]
    set: Callable[[int], None]


@dataclass
class State:
    """The state of the inspector for one game.

    search: what fields must contain. closed: the components that are folded. reveal: the component that is scrolled to
    once it is there, "" for none. pinned: entities that are shown independent of the selection. picking: see `Picking`.
    filter: the search of the open list. shown_key: changes with the shown entities. shown: the shown entities.
    disabled: bool n, which of them are. numbers: by component and field, the last value that was an ordinary number.
    typed: the field whose number is dragged or typed now, see `draw_meaning`.
    """

    editor: Editor
    search: str = ""
    closed: set[str] = field(default_factory=set[str])
    reveal: str = ""
    pinned: list[int] = field(default_factory=list[int])
    picking: Picking | None = None
    filter: str = ""
    numbers: dict[tuple[type, str], Any] = field(default_factory=dict[tuple[type, str], Any])
    typed: tuple[type, str] | None = None
    _names: dict[str, tuple[Any, list[str]]] = field(default_factory=dict[str, Any])
    _entities: tuple[Any, list[tuple[int, str]]] = (None, [])
    _exists: dict[str, tuple[int, bool]] = field(default_factory=dict[str, tuple[int, bool]])
    _prefab: tuple[Any, Prefab | None] = (None, None)
    _raw: tuple[Any, dict[int, dict[str, Any]]] = (None, {})
    _tags: tuple[Any, tuple[list[str], list[str]]] = (None, ([], []))
    frame: int = 0
    shown_key: Any = None
    shown: Handles = field(default_factory=lambda: np.zeros(0, np.int64))
    disabled: Any = None

    @property
    def world(self) -> Any:
        """The World that is edited."""
        assert self.editor.game is not None
        return self.editor.game.world

    def finds(self, cls: type, name: str, label: str) -> bool:
        """Whether a field fits the search: its name, its label, or its component contains all words."""
        if not self.search:
            return True
        text = f"{cls.__name__} {name} {label}".lower()
        return all(word in text for word in self.search.lower().split())

    def names(self, list_name: str) -> list[str]:
        """Return a list of names that plugins declare, such as `layers`; computed at most every 30 frames."""
        assert self.editor.game is not None
        key = id(self.world), self.frame // 30
        entry = self._names.get(list_name)
        if entry is None or entry[0] != key:
            function = self.editor.game.app.registry.names.get(list_name)
            entry = self._names[list_name] = key, list(function(self.world)) if function is not None else []
        return entry[1]

    def entities(self) -> list[tuple[int, str]]:
        """Return the named entities, in the order of their names."""
        table = self.world.table(Name)
        key = id(self.world), table.version
        if self._entities[0] != key:
            pairs = zip(table.entities.tolist(), table.column("value").tolist(), strict=True)
            names = [(handle, self.world.text(number)) for handle, number in pairs]
            self._entities = key, sorted(names, key=lambda pair: pair[1].lower())
        return self._entities[1]

    def tags(self, handles: Handles) -> tuple[list[str], list[str]]:
        """Return the tags that all of the entities have, and those that only some have."""
        table = self.world.table(Tags)
        key = id(self.world), table.version, self.shown_key
        if self._tags[0] != key:
            rows = table.rows_of(handles)
            spans = table.column("values")[rows[rows >= 0]]
            numbers, counts = np.unique(table.pool_of("values").gather(spans), return_counts=True)
            first = table.read_row("values", int(rows[-1])) if len(rows) and rows[-1] >= 0 else ()
            names = {
                self.world.text(number): count for number, count in zip(numbers.tolist(), counts.tolist(), strict=True)
            }
            everywhere = [tag for tag in first if names.get(tag) == len(handles)]
            self._tags = key, (everywhere, sorted(tag for tag in names if tag not in everywhere))
        return self._tags[1]

    def exists(self, path: str) -> bool:
        """Whether a file of the game exists; looked up at most every 60 frames."""
        from rish_core import Assets

        entry = self._exists.get(path)
        if entry is None or entry[0] + 60 < self.frame:
            entry = self._exists[path] = self.frame, self.world[Assets].exists(path)
        return entry[1]

    # Prefabs, and what is missing

    def left_out(self, handle: int) -> dict[str, Any]:
        """Return the parts of an entity's entry that the game could not read, such as components of missing plugins."""
        assert self.editor.game is not None
        key = id(self.editor.game), self.world.membership
        if self._raw[0] != key:
            self._raw = key, left_out(self.editor.game.app)
        return self._raw[1].get(handle, {})

    def prefab(self, handles: Handles) -> Prefab | None:
        """Return the prefab of the entity, if only one is shown and it comes from one."""
        assert self.editor.game is not None
        if len(handles) != 1:
            return None
        key = id(self.world), int(handles[0]), self.world.membership
        if self._prefab[0] != key:
            self._prefab = key, prefab_of(self.editor.game, int(handles[0]))
        return self._prefab[1]

    def is_override(self, target: Target, name: str) -> bool:
        """Whether the value of a field differs from the prefab."""
        prefab = self.prefab(target.handles)
        return prefab is not None and prefab.differs(target.cls, name, target.value(name))


def shown_handles(state: State) -> Handles:
    """Return the entities that the inspector shows: the pinned ones, otherwise the selected ones; only living ones."""
    game = state.editor.game
    assert game is not None
    key = id(game), game.world.membership, game.selection.version, tuple(state.pinned)
    if key != state.shown_key:
        pinned = np.array(state.pinned, np.int64)
        pinned = pinned[game.world.alive(pinned)]
        state.pinned = pinned.tolist()
        chosen = pinned if len(pinned) else game.selection.array
        state.shown = chosen[game.world.alive(chosen)]
        state.disabled = game.world.table(Disabled).rows_of(state.shown) >= 0
        state.shown_key = key
    return state.shown
