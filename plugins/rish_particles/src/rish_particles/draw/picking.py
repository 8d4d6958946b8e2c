"""Picks emitters at a mark of a fixed size on the screen."""

from __future__ import annotations

from rish_core import Transform, World
from rish_frame import Hits, Region, WorldMatrices

from ..components.emitter import Emitter


def pick_emitters(world: World, region: Region) -> list[Hits]:
    """Return the emitters whose marks a region touches, also those that do not emit; see the hook `rish_pickers`."""
    query = world.query(Emitter, Transform)
    places = world[WorldMatrices].rows(query.rows(Transform))[:, 4:]
    return [Hits.marks(Emitter, query.entities[region.near(places)])]
