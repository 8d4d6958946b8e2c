"""The components of the widgets. A text that begins with `$` is a key of the translations; texts are templates."""

from __future__ import annotations

from enum import Enum

from rish_ecs import Asset, Chars, Color, Str, Vec4, component, field


class TextAlign(Enum):
    """The alignment of lines; `start` is the side where reading begins."""

    START = "start"
    CENTER = "center"
    END = "end"


class ImageFit(Enum):
    """How an image fills its widget."""

    CONTAIN = "contain"
    COVER = "cover"
    STRETCH = "stretch"
    NONE = "none"


_TEXT = "template, or key of the translations such as $menu.play"
_BIND = "path of the field that it shows and changes, such as hero.Health.now"


@component
class Label:
    """Text, with colors, sizes and icons in brackets."""

    text: Chars = field("", doc=_TEXT)
    align: TextAlign = field(TextAlign.START, doc="of its lines")
    wrap: bool = field(True, doc="whether lines break where the space ends")
    lines: int = field(0, low=0, doc="most lines", meanings={0: "any number"})


@component
class Button:
    """Emits `Clicked`. Its children are shown in it; without children, its icon and text."""

    text: Chars = field("", doc=_TEXT)
    icon: Asset = field("", names="images", doc="image before the text")
    tint_icon: bool = field(False, doc="whether the icon, drawn in white, takes the color of icons of the theme")
    goto: Str = field("", names="scenes", doc="the scene that it goes to")
    opens: Str = field(
        "", names="prefabs", doc="the prefab with a Screen that it opens; a hidden screen of this name is shown"
    )
    closes: bool = field(False, doc="whether it closes its screen")
    quits: bool = field(False, doc="whether it ends the game")


@component
class Toggle:
    """A switch that is on or off. Of several with the same `group` exactly one is on."""

    text: Chars = field("", doc=_TEXT)
    on: bool = field(False, doc="whether it is on")
    group: Str = field("", doc="toggles of one screen with the same group exclude each other")
    bind: Str = field("", doc=_BIND)


@component
class Slider:
    """A value between two limits that is dragged, or changed by keys."""

    value: float = field(0.0, doc="the value")
    low: float = field(0.0, doc="smallest value")
    high: float = field(1.0, doc="greatest value")
    step: float = field(0.0, low=0, doc="values are multiples of it from the smallest", meanings={0: "any value"})
    show: Chars = field("", doc="template for the value beside it, such as {value:.0%}; empty: none")
    bind: Str = field("", doc=_BIND)


@component
class ProgressBar:
    """A bar that is filled from its start."""

    value: float = field(0.0, doc="how much of it is filled")
    low: float = field(0.0, doc="the value where it is empty")
    high: float = field(1.0, doc="the value where it is full")
    color: Color = field((0, 0, 0, 0), low=0, high=1, doc="of the filled part; opacity 0: as the theme says")
    show: Chars = field("", doc="template for the text in it, such as {value:.0f} / {high:.0f}; empty: none")
    bind: Str = field("", doc=_BIND)
    bind_high: Str = field("", doc="path of the field with the value where it is full")


@component
class TextInput:
    """A line of text that the player edits."""

    text: Chars = field("", doc="the text")
    hint: Chars = field("", doc="shown while it is empty; " + _TEXT)
    most: int = field(0, low=0, doc="most characters; 0: 1000")
    allowed: Str = field("", doc="characters that can be typed, as in a regular expression: a-z0-9_; empty: all")
    secret: bool = field(False, doc="whether dots are shown instead of characters")
    check: Chars = field("", doc="expression over `text` that is true for a valid text, such as size(text) >= 3")
    bind: Str = field("", doc=_BIND)


@component
class Dropdown:
    """A choice from a list that opens."""

    options: Chars = field("", doc="one option a line: value, or value = text")
    source: Str = field("", names="ui_sources", doc="name of a source of further options, such as languages")
    chosen: int = field(0, low=-1, doc="index of the chosen option", meanings={-1: "none"})
    bind: Str = field("", doc=_BIND)


@component
class List:
    """Rows of which one can be selected; only visible rows take time to draw."""

    rows: Chars = field("", doc="one row a line; " + _TEXT)
    source: Str = field("", names="ui_sources", doc="name of a source of rows that a plugin provides, instead of rows")
    selected: int = field(-1, low=-1, doc="index of the selected row", meanings={-1: "none"})
    bind: Str = field("", doc=_BIND)


@component
class ScrollView:
    """Shows a part of its children, which may be larger."""

    horizontal: bool = field(False, doc="whether it scrolls sideways")
    vertical: bool = field(True, doc="whether it scrolls up and down")


@component
class Image:
    """An image, or the picture of a camera as `camera:NAME`."""

    image: Asset = field("", names="images", also=("camera:",), doc="path of the image")
    region: Vec4 = field(
        (0, 0, 0, 0), unit="px", doc="x y w h within the image, from its top left", meanings={0: "all of it"}
    )
    fit: ImageFit = field(ImageFit.CONTAIN, doc="how it fills the widget")
    tint: Color = field((1, 1, 1, 1), low=0, high=1, doc="multiplies its colors")
    smooth: bool = field(True, doc="whether it is sampled linearly")


@component
class Panel:
    """A background for its children: that of the theme, or a nine-patch image."""

    image: Asset = field("", names="images", doc="image of a nine-patch; empty: as the theme says")
    slices: Vec4 = field((0, 0, 0, 0), unit="px", low=0, doc="left right top bottom margins of the nine-patch")
    scale: float = field(1.0, low=0.01, doc="size of a pixel of the margins")


@component
class Grid:
    """Places its children in columns; the same as a `Layout` with the direction `grid`."""

    columns: int = field(2, low=1, high=100, doc="number of equal columns")


@component
class Tabs:
    """Shows one of its children at a time, with a row of their titles above."""

    titles: Chars = field("", doc="one title a line; " + _TEXT)
    chosen: int = field(0, low=0, doc="index of the child that is shown")
    bind: Str = field("", doc=_BIND)


@component
class Dialog:
    """A window over everything else that must be answered, with a title and its children below.

    It needs a Screen on the same entity or above it; the key for back closes it if `closable`.
    """

    title: Chars = field("", doc=_TEXT)
    closable: bool = field(True, doc="whether the key for back closes it")


@component
class Minimap:
    """A slot for the picture of a camera, with marks of entities."""

    camera: Str = field("", doc="target of the camera that it shows, as in `Camera.target`")
    marked: Str = field("", names="tags", doc="tag of the entities that are marked on it; empty: none")
    color: Color = field((1, 0.85, 0.3, 1), low=0, high=1, doc="of the marks")


@component
class KeyBindings:
    """The actions of the game with their keys, which the player can change; the changes are stored in the
    preferences."""

    player: int = field(0, low=0, doc="whose actions", meanings={0: "those of all players"})
