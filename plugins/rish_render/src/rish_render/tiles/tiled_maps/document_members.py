"""The members of Tiled's documents, from version 1.0 to 1.12, by what they describe. Others are named once a layer."""

from __future__ import annotations

from .documents import Node

MAP = frozenset((
    "type", "version", "tiledversion", "class", "orientation", "renderorder", "compressionlevel", "width", "height",
    "tilewidth", "tileheight", "skewx", "skewy", "hexsidelength", "staggeraxis", "staggerindex", "parallaxoriginx",
    "parallaxoriginy", "backgroundcolor", "nextlayerid", "nextobjectid", "infinite", "layers", "tilesets",
    "properties", "propertytypes", "editorsettings",
))  # fmt: skip
LAYER = frozenset((
    "type", "id", "name", "class", "x", "y", "width", "height", "opacity", "visible", "tintcolor", "offsetx",
    "offsety", "parallaxx", "parallaxy", "mode", "properties", "propertytypes", "data", "encoding", "compression",
    "chunks", "startx", "starty", "locked", "draworder", "objects", "color", "image", "imagewidth", "imageheight",
    "transparentcolor", "trans", "embedded", "repeatx", "repeaty", "layers",
))  # fmt: skip
OBJECT = frozenset((
    "id", "name", "type", "class", "x", "y", "width", "height", "rotation", "opacity", "gid", "visible", "template",
    "ellipse", "capsule", "point", "polygon", "polyline", "text", "properties", "propertytypes",
))  # fmt: skip
TILESET = frozenset((
    "firstgid", "source", "name", "class", "tilewidth", "tileheight", "spacing", "margin", "tilecount", "columns",
    "objectalignment", "tilerendersize", "fillmode", "image", "imagewidth", "imageheight", "transparentcolor",
    "embedded", "tileoffset", "grid", "properties", "propertytypes", "tileproperties", "tilepropertytypes", "tiles",
    "terrains", "terraintypes", "wangsets", "transformations", "backgroundcolor", "version", "tiledversion", "type",
    "editorsettings", "format",
))  # fmt: skip


def unknown(node: Node, members: frozenset[str]) -> list[str]:
    """Return the members that the format, as it is known here, does not have."""
    return [key for key in node if key not in members]
