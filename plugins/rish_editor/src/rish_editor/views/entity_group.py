"""EntityGroup: entities whose poses the tools of a view change together, as one step of the history."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from rish_jit import Array

from .rounding import significant, step_of, tidy

if TYPE_CHECKING:
    from ..session.editor import Editor

SEVERAL = {verb: f"{verb} {{count}} {{count:Entity|Entities}}" for verb in ("Move", "Stretch", "Scale", "Rotate")}
"""The names of steps for several entities."""


class EntityGroup(ABC):
    """Entities that a tool changes together. handles: int64 n. position: their positions, float64. kind: the component
    with the pose."""

    handles: Array
    position: Array
    kind: ClassVar[type]

    def __len__(self) -> int:
        return len(self.handles)

    @abstractmethod
    def moved(self, ways: Array) -> Array:
        """Return the positions of the entities, each in the space of its parent, after displacements in the world: one
        for all, or one for each."""

    def title(self, editor: Editor, verb: str) -> str:
        """Return the name of a step, such as `Move crate` or `Move 3 Entities`. verb: one of `SEVERAL`."""
        assert editor.game is not None
        if len(self) == 1:
            return f"{editor.tr(verb)} {editor.game.name_of(int(self.handles[0]))}"
        return editor.tr(SEVERAL[verb], count=len(self))

    @abstractmethod
    def step(self, fine: float) -> float:
        """Convert a length in the world to the space of the parent in which it is shortest."""

    def write(self, editor: Editor, key: Any, verb: str, fine: float = 0.0, **fields: Array) -> None:
        """Set fields of the poses, (n, ...) each, as one step with all others of this key. verb: see `title`.

        fine: the step in the world to which a drag was rounded, see `rounding`; positions get no digits that it does
        not need. 0: all values stay as they are.
        """
        game, name = editor.game, self.title(editor, verb)
        assert game is not None
        if fine > 0 and "position" in fields:
            fields["position"] = tidy(fields["position"], self.position, step_of(self.step(fine)))
        if fine > 0 and "scale" in fields:
            fields["scale"] = significant(fields["scale"])
        values: dict[str, Any] = {field: value.astype(np.float32) for field, value in fields.items()}
        with game.edit(name, merge=key):
            for field, value in values.items():
                game.set(self.handles, self.kind, field, value, name=name, merge=key)
        if not game.editing:  # so that they are drawn there while the run stands still
            game.world.set(self.handles, self.kind(**{f"last_{field}": value for field, value in values.items()}))
