"""The settings of a game and of its layers for drawing."""

from __future__ import annotations

from rish_core import Array, Layer, Str, Vec2, field, resource

MAX_PIXELS = 8192
"""The longest side of a game's frame. The software backend needs half a gigabyte for a square of this size."""


@resource(view=True)
class FrameSettings:
    """How a game is shown. In the manifest, `size` is in the section `game`, and `backend` is a top-level key.

    backend: the backend that draws the game if the command line and RISH_BACKEND name none; empty: the first that
    opens.
    """

    size: Array[int, 2] = field((960, 540), low=1, high=MAX_PIXELS, unit="px", doc="width and height of the picture")
    backend: str = ""
    swap_key: Str = field("F10", doc="the key that swaps to the next backend while the game runs; empty: none")
    fullscreen_key: Str = field("F11", doc="the key that lets the window fill the screen, or ends that; empty: none")


@resource(view=True)
class LayerLook:
    """How a layer is drawn. In the manifest, these are options of an entry of `layers:`."""

    lit: bool = field(True, doc="whether lights shine on it")
    parallax: Vec2 = field((1, 1), doc="its share of the camera's movement, in x and y")
    y_sort: bool = field(False, doc="whether what is lower on the screen is drawn in front")
    behind: bool = field(False, doc="whether a 3D scene is drawn over it and over the layers below it")


def layer_look(layer: Layer) -> LayerLook:
    """Return how a layer is drawn, from its options; options that are not given have their defaults."""
    return LayerLook(**{name: layer.options[name] for name in LOOKS if name in layer.options})


LOOKS = ("lit", "parallax", "y_sort", "behind")
