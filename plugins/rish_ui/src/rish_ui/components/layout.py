"""`Layout`: the size and place of a widget, with the terms of CSS flexbox, and anchors for widgets that float."""

from __future__ import annotations

from enum import Enum

from rish_ecs import Vec2, Vec4, component, field


class Direction(Enum):
    """The direction in which a container places its children; `stack` places them over each other."""

    ROW = "row"
    COLUMN = "column"
    ROW_REVERSE = "row_reverse"
    COLUMN_REVERSE = "column_reverse"
    GRID = "grid"
    STACK = "stack"


class Justify(Enum):
    """The distribution of free space along the direction of a container."""

    START = "start"
    CENTER = "center"
    END = "end"
    BETWEEN = "between"
    AROUND = "around"
    EVENLY = "evenly"


class AlignItems(Enum):
    """The place of children across the direction of a container; `auto`: that of its container; containers stretch."""

    AUTO = "auto"
    START = "start"
    CENTER = "center"
    END = "end"
    STRETCH = "stretch"
    BASELINE = "baseline"


class Place(Enum):
    """Whether a widget takes part in the layout of its parent, or floats over it at its anchors."""

    FLOW = "flow"
    ANCHORED = "anchored"


@component
class Layout:
    """The size and place of a widget. Lengths are in units of the interface, y down; in languages that are written from
    right to left, left and right are exchanged.
    """

    direction: Direction = field(Direction.COLUMN, doc="in which children are placed")
    wrap: bool = field(False, doc="whether children that do not fit begin a new line")
    justify: Justify = field(Justify.START, doc="where free space goes along the direction")
    align: AlignItems = field(AlignItems.AUTO, doc="of the children across the direction")
    align_lines: Justify = field(Justify.START, doc="of the lines of a container that wraps")
    align_self: AlignItems = field(AlignItems.AUTO, doc="of this widget across the direction of its parent")
    gap: Vec2 = field((-1, -1), unit="px", doc="between columns and rows", meanings={-1: "as the theme says"})
    padding: Vec4 = field(
        (-1, -1, -1, -1), unit="px", doc="left top right bottom, inside", meanings={-1: "as the theme says"}
    )
    margin: Vec4 = field((0, 0, 0, 0), unit="px", doc="left top right bottom, outside")
    size: Vec2 = field((0, 0), unit="px", low=0, doc="width and height", meanings={0: "as large as the content"})
    share: Vec2 = field(
        (0, 0), low=0, high=1, doc="width and height as fractions of the parent", meanings={0: "not used"}
    )
    least: Vec2 = field((0, 0), unit="px", low=0, doc="smallest width and height")
    most: Vec2 = field((0, 0), unit="px", low=0, doc="greatest width and height", meanings={0: "any"})
    aspect: float = field(0.0, low=0, doc="width divided by height", meanings={0: "any"})
    grow: float = field(0.0, low=0, doc="share of free space that it takes")
    shrink: float = field(1.0, low=0, doc="share of missing space that it gives")
    basis: float = field(-1.0, unit="px", doc="length before it grows or shrinks", meanings={-1: "its size"})
    columns: list[float] = field((), doc="of a grid: the shares of its columns; one number: so many equal columns")
    span: Vec2 = field((1, 1), low=1, doc="columns and rows of a grid that it covers")
    place: Place = field(Place.FLOW, doc="in the flow of its parent, or floating at its anchors")
    anchor_low: Vec2 = field((0.5, 0.5), low=0, high=1, doc="left and top edge of its space, fractions of the parent")
    anchor_high: Vec2 = field((0.5, 0.5), low=0, high=1, doc="right and bottom edge; as anchor_low: a point")
    pivot: Vec2 = field(
        (0.5, 0.5), step=0.01, doc="the point of it that lies on its anchor, fractions from the top left"
    )
    offset: Vec2 = field((0, 0), unit="px", doc="from its anchor; y down")
