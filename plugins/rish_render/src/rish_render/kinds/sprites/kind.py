"""The kind of sprites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rish_jit import Array

from ...animation.sheet import SpriteSheet
from ...components.visible import Sprite
from ...drawables.kind import DrawableKind, Follow

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_frame import Hits

    from ...drawables.drawables import Things
    from ...drawables.extraction import Extraction, RenderCache
    from ...drawables.pick_scene import PickScene
    from ...scene.pass_setup import FramePlan


class Sprites(DrawableKind):
    """Images, parts of them, and cells of sheets."""

    component, look, steady = Sprite, (SpriteSheet,), True

    def extract(self, scene: Extraction) -> Sequence[Things]:
        """Return the sprites that a view shows."""
        from .extract import extract_sprites

        return extract_sprites(scene)

    def pick(self, scene: PickScene) -> list[Hits]:
        """Return the sprites that are opaque at a point, or touch a box."""
        from .picking import pick_sprites

        return pick_sprites(scene)

    def boxes(self, world: World, rows: Array) -> Array:
        """Return the boxes around sprites with all their repetitions."""
        from .boxes import boxes_of_sprites

        return boxes_of_sprites(world, rows)

    def follow(self, world: World, cache: RenderCache, plan: FramePlan) -> Follow | None:
        """Return a function that says whether the packed sprites serve for other views; None with sheets."""
        from .extract import sprites_follow

        return None if len(world.table(SpriteSheet)) else sprites_follow(world, cache, plan)
