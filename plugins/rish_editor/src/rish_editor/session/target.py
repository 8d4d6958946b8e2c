"""Target: one component of the selected entities, as drawers of inspectors get it.

def draw_vane(ui, editor, target):
    target.fields("speed", "angle")
    with target.row("Storm", "storm"):
        if ui.button("Blow", "blow"):
            target.set("speed", 5.0)
    target.fields(skip=("speed", "angle"))
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from rish_ecs import Each, Inputs, Rows, kind_of

from .game.selection import Handles

if TYPE_CHECKING:
    from rish_ecs.declarations import FieldSpec, Kind

    from ..ui.ui import UI
    from .editor import Editor
    from .game.game import Game


class Drawing(Protocol):
    """A function that draws fields; the panel that shows a target provides it."""

    def __call__(self, target: Target, name: str, label: str, tooltip: str, room: float) -> bool:
        """Draw a field; return whether it is in view. label, tooltip: instead of the declared ones, unless empty.

        room: units that are left on the right.
        """
        ...

    def finds(self, cls: type, name: str, label: str) -> bool:
        """Return whether the user's search includes a field."""
        ...


class Target:
    """A component of the selected entities that have it.

    editor, ui: as for panels. cls: the class of the component. handles: int64 n, the entities. primary: the entity that
    was selected last; `value` reads it. draw: draws a field, for `fields` and `field`.

    A target is valid until the selection or the World changes its structure; a drawer gets a new one in each frame.
    """

    def __init__(self, editor: Editor, cls: type, handles: Handles, primary: int, draw: Drawing) -> None:
        self.editor = editor
        self.cls = cls
        self.handles = handles
        self.primary = primary
        self._draw = draw
        self._members, self._values = Inputs((Rows(cls),)), Inputs((cls,))
        self._rows: Any = None
        self._known: dict[str, tuple[Any, Any]] = {}

    # What it is about

    @property
    def ui(self) -> UI:
        """The widgets."""
        return self.editor.ui

    @property
    def game(self) -> Game:
        """The opened game."""
        assert self.editor.game is not None
        return self.editor.game

    @property
    def kind(self) -> Kind:
        """The declaration of the component."""
        return kind_of(self.cls)

    @property
    def table(self) -> Any:
        """The columns of the component."""
        return self.game.world.table(self.cls)

    @property
    def rows(self) -> Any:
        """int32 n: the row of each entity in `table`."""
        if self._members.changed(self.game.world) or self._rows is None:
            self._rows = self.table.rows_of(self.handles)
        return self._rows

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the fields that a user may edit: neither hidden nor transient, and not only for drawing."""
        fields = self.kind.fields
        return tuple(name for name in self.kind.shown if not fields[name].transient)

    def spec(self, name: str) -> FieldSpec:
        """Return the declaration of a field. Raises UnknownName."""
        return self.kind.field(name)

    def __len__(self) -> int:
        return len(self.handles)

    # Values

    def value(self, name: str) -> Any:
        """Return the value of the entity that was selected last: a number, str, enum member, or a copied array.

        Angles are radians. Lists of texts are tuples.
        """
        return self._read(name)[0]

    def values(self, name: str) -> npt.NDArray[Any]:
        """Return a copy of the values of all entities: (n,) or (n, width), as in columns; texts as an object array.

        Enums are the numbers of their members. Of `Chars` and lists: an object array of what `value` returns.
        """
        table, rows, kind = self.table, self.rows, self.spec(name).type
        if not kind.pooled and not kind.text:
            return np.array(table.column(name)[rows])
        values = np.empty(len(rows), object)
        for k, row in enumerate(rows.tolist()):
            values[k] = table.read_row(name, row)
        return values

    def mixed(self, name: str) -> bool:
        """Return whether the entities have different values."""
        return bool(np.any(self._read(name)[1]))

    def mixed_parts(self, name: str) -> tuple[bool, ...]:
        """Return for each number of a vector whether the entities have different values; one item for a scalar."""
        return tuple(np.atleast_1d(self._read(name)[1]).tolist())

    def _read(self, name: str) -> tuple[Any, Any]:
        table = self.table
        if self._values.changed(self.game.world):
            self._known.clear()
        entry = self._known.get(name)
        if entry is not None:
            return entry
        value = table.read_row(name, table.row_of(self.primary))
        value = value.copy() if isinstance(value, np.ndarray) else value
        entry = self._known[name] = value, self._mixture(name)
        return entry

    def _mixture(self, name: str) -> Any:
        """Return where the values differ: a bool, or one for each number of a vector."""
        table, rows = self.table, self.rows
        if len(rows) < 2:
            return np.zeros(self.spec(name).type.shape, bool)
        column = table.column(name)[rows]
        if not self.spec(name).type.pooled:
            return (column != column[0]).any(axis=0)
        lengths = column[:, 1]
        if (lengths != lengths[0]).any():
            return True
        items = table.pool_of(name).gather(column)
        items = items.reshape(len(rows), -1)
        return bool((items != items[0]).any())

    # Edits

    def set(self, name: str, value: Any, *, merge: Hashable = None, title: str = "") -> None:
        """Set a field of all entities as one step of the history; while the game runs it is listed as a change.

        value: one for all, or an array with a row for each entity. merge: edits with the same key in sequence are one
        step; None: edits of the same gesture of the user are one step. title: of the step, `Set Sprite.color` by
        default.
        """
        key = merge if merge is not None else ("field", self.cls.__qualname__, name, self.ui.gesture)
        self.game.set(self.handles, self.cls, name, value, name=title, merge=key)

    def set_each(self, name: str, function: Callable[[Any], Any], *, merge: Hashable = None, title: str = "") -> None:
        """Set a field of all entities from the present values. function: gets `values(name)`, returns the new ones."""
        new_values = function(self.values(name))
        if isinstance(new_values, np.ndarray) and new_values.dtype != object:
            self.set(name, new_values, merge=merge, title=title)
        else:
            self.set(name, Each(new_values), merge=merge, title=title)

    # Drawing

    def fields(self, *names: str, skip: tuple[str, ...] = ()) -> None:
        """Draw declared fields, each as its declaration says. names: which; none: all that a user may edit."""
        for name in names or self.shown:
            if name not in skip:
                self.field(name)

    def field(self, name: str, *, label: str = "", tooltip: str = "", room: float = 0.0) -> bool:
        """Draw one field: its name and the widget of its type; return whether it is in view.

        label, tooltip: instead of those of the declaration. room: units to leave on the right for a widget that follows
        with `ui.same_line()`, for numbers and vectors.
        """
        return self._draw(self, name, label, tooltip, room)

    def visible(self, name: str) -> bool:
        """Return whether the user's search includes a field; for widgets that belong to it, such as previews."""
        return self._draw.finds(self.cls, name, name.replace("_", " "))

    def row(self, label: str, name: str, *, tooltip: str = "") -> AbstractContextManager[None]:
        """Draw a row as for a field; the block draws the value. label: in the user's language."""
        return self.ui.property(label, name, tooltip=tooltip)
