"""The kind of trails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...drawables.kind import DrawableKind
from .trail import Trail, extract_trails

if TYPE_CHECKING:
    from rish_frame import Hits

    from ...drawables.drawables import Things
    from ...drawables.extraction import Extraction
    from ...drawables.pick_scene import PickScene


class Trails(DrawableKind):
    """Ribbons behind moving entities; they look different in each frame."""

    component = Trail

    def extract(self, scene: Extraction) -> Sequence[Things]:
        """Return the trails that a view shows."""
        return extract_trails(scene, scene.visible(Trail))

    def pick(self, scene: PickScene) -> list[Hits]:
        """Return the trails that a region touches."""
        from .picking import pick_trails

        return pick_trails(scene)
