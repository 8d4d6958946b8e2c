"""The components of models and their materials."""

from __future__ import annotations

from enum import Enum

from rish_core import Asset, Color, Str, Vec2, component, field
from rish_space3d import MODEL_SHAPES


class Shading(Enum):
    """The formula of reflection of a material; see `rish_scene3d.light`."""

    PBR = "pbr"
    """Metallic-roughness, as in glTF."""
    PHONG = "phong"
    UNLIT = "unlit"


class AlphaMode(Enum):
    """How the opacity of a material is used."""

    OPAQUE = "opaque"
    MASK = "mask"
    """Points with less opacity than `cutoff` are not drawn."""
    BLEND = "blend"


@component
class Model3D:
    """A model at the entity's Transform3D: a glTF file or a generated shape.

    Shapes are one meter wide and stand around the origin: box, sphere, plane (of x and z, facing up), cylinder, cone,
    capsule (two meters high), torus. With a `Material3D` beside it, that material replaces those of the file.
    """

    asset: Asset = field(
        "box",
        names="models",
        also=(*MODEL_SHAPES, "made:"),
        doc="path of a .gltf or .glb file, the name of a shape, or made:NAME for a mesh that code has put",
    )
    part: Str = field("", doc="name of one node of the file that is shown, with those below it; empty: all")
    tint: Color = field((1, 1, 1, 1), low=0, high=1, doc="multiplies the base color; opacity below 1 blends")
    visible: bool = field(True, doc="whether it is drawn; what is hidden casts no shadow")
    casts: bool = field(True, doc="whether it casts shadows")
    receives: bool = field(True, doc="whether shadows fall on it")
    layers: list[Str] = field((), doc="only cameras that see one of these layers show it; empty: all cameras")


@component
class Material3D:
    """The material of the entity's Model3D, in place of those of its file.

    Paths of maps are assets; the image `camera:NAME` is the picture of the camera whose target has that name.
    """

    shading: Shading = field(Shading.PBR, doc="the formula of reflection")
    color: Color = field((1, 1, 1, 1), low=0, high=1, doc="base color, and the opacity")
    map: Asset = field("", names="images", also=("camera:",), doc="multiplies the base color and the opacity")
    metallic: float = field(0.0, low=0, high=1, doc="1: a metal, which reflects in its own color")
    roughness: float = field(0.6, low=0, high=1, doc="0: a mirror, 1: matt")
    surface_map: Asset = field("", names="images", also=("camera:",), doc="green multiplies roughness, blue metallic")
    normal_map: Asset = field(
        "", names="images", also=("camera:",), doc="where the surface faces, as in glTF: y of the picture up"
    )
    normal_scale: float = field(1.0, low=-10, high=10, doc="factor of the slopes of the normal map")
    occlusion_map: Asset = field("", names="images", also=("camera:",), doc="red: how much light of the sky arrives")
    occlusion: float = field(1.0, low=0, high=1, doc="strength of the occlusion map")
    emission: Color = field((0, 0, 0, 1), low=0, high=1, doc="light that it gives off by itself")
    emission_strength: float = field(1.0, low=0, high=1e5, doc="factor of this light")
    emission_map: Asset = field("", names="images", also=("camera:",), doc="multiplies the emission")
    specular: float = field(0.5, low=0, high=1, doc="phong: strength of the highlight")
    shininess: float = field(32.0, low=1, high=2048, doc="phong: exponent of the highlight")
    alpha: AlphaMode = field(AlphaMode.OPAQUE, doc="what the opacity does")
    cutoff: float = field(0.5, low=0, high=1, doc="of the alpha mode mask")
    double_sided: bool = field(False, doc="whether its back is drawn too")
    repeat: Vec2 = field((1, 1), doc="how often the maps are repeated over the texture coordinates 0 to 1")
    offset: Vec2 = field((0, 0), doc="moves the maps, in texture coordinates; v points down")
