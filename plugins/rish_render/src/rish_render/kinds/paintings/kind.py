"""The kind of paintings, which are no components but the resource `Paintings`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rish_frame import Paintings

from ...drawables.extraction import RenderCache
from ...drawables.kind import DrawableKind, Follow

if TYPE_CHECKING:
    from rish_ecs import World

    from ...drawables.drawables import Things
    from ...drawables.extraction import Extraction
    from ...scene.pass_setup import FramePlan


class PaintingsKind(DrawableKind):
    """Flat pictures of boxes, images, lines and texts; `steady` compares their versions itself."""

    component, steady = Paintings, True

    def in_use(self, world: World) -> bool:
        """Return True if there are paintings, or were in the last frame."""
        return Paintings in world and bool(world[Paintings].items or world[RenderCache].parts.get("painted"))

    def extract(self, scene: Extraction) -> Sequence[Things]:
        """Return the parts of paintings that a view shows."""
        from .extract import extract_paintings

        return extract_paintings(scene)

    def follow(self, world: World, cache: RenderCache, plan: FramePlan) -> Follow | None:
        """Return a function that returns True if all paintings look the same whatever the camera shows."""
        screen = set[str]()
        if cache.plan is not None:
            stack = cache.plan.stack
            screen = {name for name, flat in zip(stack.names, stack.screen, strict=False) if flat}
        if all(painting.layer in screen and not painting.entity for painting in world[Paintings]):
            return lambda views: True
        return None
