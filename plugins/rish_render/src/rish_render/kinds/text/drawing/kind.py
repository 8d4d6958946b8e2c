"""The kind of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rish_jit import Array

from ....components.visible import Text
from ....drawables.kind import DrawableKind

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_frame import Hits

    from ....drawables.drawables import Things
    from ....drawables.extraction import Extraction
    from ....drawables.pick_scene import PickScene


class Texts(DrawableKind):
    """Texts of the component `Text`; those of paintings are drawn with the paintings."""

    component, steady = Text, True

    def extract(self, scene: Extraction) -> Sequence[Things]:
        """Return the texts that a view shows."""
        from .extract import extract_text

        return extract_text(scene)

    def pick(self, scene: PickScene) -> list[Hits]:
        """Return the texts whose block of lines a region touches."""
        from .picking import pick_texts

        return pick_texts(scene)

    def boxes(self, world: World, rows: Array) -> Array:
        """Return the boxes of blocks of lines; an empty text has none."""
        from .picking import boxes_of_texts

        return boxes_of_texts(world, rows)
