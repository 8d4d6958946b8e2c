"""Picks lights: at their source, or at a mark of a fixed size on the screen if that is larger."""

from __future__ import annotations

from rish_core import Transform, World
from rish_frame import Hits, Region, WorldMatrices

from ..components.light import Light


def pick_lights(world: World, region: Region) -> list[Hits]:
    """Return the lights whose marks a region touches, also lights that are off; see the hook `rish_pickers`."""
    query = world.query(Light, Transform)
    places = world[WorldMatrices].rows(query.rows(Transform))[:, 4:]
    hits = region.near(places, query[Light.source_size] / 2)
    return [Hits.marks(Light, query.entities[hits])]
