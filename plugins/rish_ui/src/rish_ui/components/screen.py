"""`Screen`: the root of a tree of widgets, and `Widget`: the fields that all widgets share."""

from __future__ import annotations

from enum import Enum

from rish_ecs import Entity, Str, Vec2, component, field


class Space(Enum):
    """Where a screen is: over the game's picture, or in the world, at the place of an entity."""

    SCREEN = "screen"
    WORLD = "world"


@component
class Screen:
    """The root of a tree of widgets, such as a menu, a readout or a speech bubble.

    Widgets without a Screen above them are placed on a screen of their own, which does not block the pointer.
    """

    space: Space = field(Space.SCREEN, doc="over the picture, or in the world")
    layer: Str = field("", names="layers", doc="on which it is drawn; empty: the layer of the settings of ui")
    z: float = field(0.0, doc="within the layer, greater is nearer")
    modal: bool = field(False, doc="whether nothing below it gets input")
    takes_keys: bool = field(False, doc="whether keys and gamepads move the focus in it as soon as it is shown")
    player: int = field(0, low=0, doc="whose devices operate it", meanings={0: "those of all players"})
    pauses: bool = field(False, doc="whether the whole game is paused while it is shown")
    opens_by: Str = field("", doc="action or key that shows and hides it, such as pause")
    cancel: Str = field("", doc="name of the widget that is clicked by the key or button for back")
    first: Str = field("", doc="name of the widget that gets the focus first; empty: the first one")
    size: Vec2 = field((0, 0), unit="px", low=0, doc="0: the whole picture; in the world: as large as the content")
    follow: Entity = field(0, doc="in the world: the entity that it floats over; 0: its own place")
    lift: Vec2 = field((0, 0), unit="units", doc="in the world: from that entity to its pivot")
    pivot: Vec2 = field((0.5, 1), doc="in the world: the point of it that lies there, from the top left")
    scale: float = field(1.0, low=0.01, doc="in the world: units for a unit of the interface")
    safe: bool = field(True, doc="whether it keeps to the safe area of the display")
    visible: bool = field(True, doc="whether it is shown")


@component
class Widget:
    """The fields that all widgets share; a widget without this component has the defaults."""

    visible: bool = field(True, doc="whether it is shown and takes space")
    enabled: bool = field(True, doc="whether it and what is in it can be used")
    style: Str = field("", doc="variant of the theme, such as danger or title")
    tooltip: Str = field("", doc="text that is shown when the pointer or the focus rests on it")
    order: int = field(0, doc="place among its siblings, smaller is earlier; equal: as they were written or created")
    needs: Str = field("", doc="name of a plugin without which it is not shown, such as audio")
    tab: int = field(0, doc="place in the order of the TAB key, smaller is earlier", meanings={-1: "never"})
    focusable: bool = field(True, doc="whether it can get the focus, if it is of a kind that can")
    z: int = field(0, doc="greater is drawn over its siblings")
    left: Entity = field(0, doc="what the key to the left moves the focus to; 0: the nearest")
    right: Entity = field(0, doc="what the key to the right moves the focus to; 0: the nearest")
    up: Entity = field(0, doc="what the key upwards moves the focus to; 0: the nearest")
    down: Entity = field(0, doc="what the key downwards moves the focus to; 0: the nearest")
