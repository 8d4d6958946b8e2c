"""`TileMap`: a grid of tiles on an entity.

The file defines the cells, the entity defines the position and the look. Changes that a game makes while it runs are
stored in the component (`edits`), so that they are included when worlds are saved, rewound and compared.
"""

from __future__ import annotations

from rish_ecs import Array, Asset, Color, Str, Vec2, component, field

from ..components.visible import Sampling


@component
class TileMap:
    """A map of tiles: Tiled's .tmx, .tmj and .json, or our own .map.yaml."""

    map: Asset = field("", names="maps", doc="path of the map")
    shown: list[Str] = field(
        (), doc="names of the map's layers that are shown; empty: those that are visible in the file"
    )
    anchor: Vec2 = field((0, 0), doc="the point of the map that is at the position; 0 0 is the bottom left")
    color: Color = field((1, 1, 1, 1), low=0, high=1, doc="multiplies the pictures' colors")
    opacity: float = field(1.0, low=0, high=1, doc="multiplies the colors' own opacity")
    layer: Str = field(
        "", names="layers", doc="layer of those map layers that have none of their own; the first one where empty"
    )
    z: float = field(0.0, doc="within the layer, greater is nearer; a map layer's own z is added")
    sampling: Sampling = field(Sampling.NEAREST, doc="nearest keeps pixels sharp, linear is smooth")
    visible: bool = field(True, doc="whether it is drawn")
    solid: bool = field(True, doc="whether its solid tiles are published as Edges")
    spawn: bool = field(False, doc="whether objects whose class is the name of a prefab are spawned as children")
    spawned: bool = field(False, hidden=True, doc="whether the objects have been spawned")
    edits: list[Array[int, 4]] = field((), hidden=True, doc="changed cells, sorted: layer, row, column, cell")
