"""Materials, textures and samplers."""

from __future__ import annotations

from .element import Element
from .images import Image
from .model import Material, Sampler, TextureUse

_WRAPS = {33071: "clamp", 33648: "mirror", 10497: "repeat"}
_FILTERS = {
    9728: "nearest", 9729: "linear", 9984: "nearest_mipmap_nearest", 9985: "linear_mipmap_nearest",
    9986: "nearest_mipmap_linear", 9987: "linear_mipmap_linear",
}  # fmt: skip
_GLOSS = "KHR_materials_pbrSpecularGlossiness"


class Textures:
    """The textures of a model: of each its picture (-1: none that is read) and its sampler."""

    def __init__(self, root: Element, images: tuple[Image, ...]) -> None:
        samplers = [_sampler(each) for each in root.children("samplers")]
        self._all: list[tuple[int, Sampler]] = []
        for each in root.children("textures"):
            image = each.index("source", len(images), "images")
            if image < 0:
                each.warn("has no picture that is read")
            number = each.index("sampler", len(samplers), "samplers")
            self._all.append((image, samplers[number] if number >= 0 else Sampler()))

    def use(self, owner: Element, key: str) -> TextureUse | None:
        """Return how a material uses a texture, or None if it has none that is read."""
        info = owner.child(key)
        if info is None:
            return None
        index = info.index("index", len(self._all), "textures")
        if index < 0:
            info.wrong("index", "an index into textures")
        image, sampler = self._all[index]
        uv, offset, rotation, scale = info.whole("texCoord", 0), (0.0, 0.0), 0.0, (1.0, 1.0)
        transform = info.extension("KHR_texture_transform")
        if transform is not None:
            uv = transform.whole("texCoord", uv)
            offset, scale = transform.numbers("offset", offset), transform.numbers("scale", scale)
            rotation = transform.number("rotation", 0.0)
        if uv > 1:
            info.warn(f"uses texture coordinates {uv}, only 0 and 1 are read; the texture is left out")
            return None
        if image < 0:
            return None
        return TextureUse(image, sampler, uv, (offset[0], offset[1]), rotation, (scale[0], scale[1]))


def _sampler(sampler: Element) -> Sampler:
    """Return a sampler."""
    values: list[str] = []
    for key, choices, default in (
        ("wrapS", _WRAPS, 10497),
        ("wrapT", _WRAPS, 10497),
        ("magFilter", {code: _FILTERS[code] for code in (9728, 9729)}, 9729),
        ("minFilter", _FILTERS, 9987),
    ):
        code = sampler.whole(key, default)
        if code not in choices:
            sampler.wrong(key, "one of " + ", ".join(map(str, choices)))
        values.append(choices[code])
    return Sampler(*values)


def read_materials(root: Element, textures: Textures) -> tuple[Material, ...]:
    """Return all materials."""
    return tuple(_material(each, textures) for each in root.children("materials"))


def _material(material: Element, textures: Textures) -> Material:
    """Return one material."""
    if material.extension(_GLOSS) is not None:
        material.warn(
            f"{_GLOSS} is not read; its metallic-roughness part is taken. Convert the material to metallic-roughness"
        )
    metal = material.child("pbrMetallicRoughness") or Element(material.reading, material.path, {})
    strong = material.extension("KHR_materials_emissive_strength")
    normal, occlusion = material.child("normalTexture"), material.child("occlusionTexture")
    color, glow = metal.numbers("baseColorFactor", (1.0,) * 4, 0.0), material.numbers("emissiveFactor", (0.0,) * 3, 0.0)
    return Material(
        name=material.name,
        unlit=material.extension("KHR_materials_unlit") is not None,
        base_color=(color[0], color[1], color[2], color[3]),
        base_texture=textures.use(metal, "baseColorTexture"),
        metallic=metal.number("metallicFactor", 1.0, 0.0, 1.0),
        roughness=metal.number("roughnessFactor", 1.0, 0.0, 1.0),
        metallic_roughness_texture=textures.use(metal, "metallicRoughnessTexture"),
        normal_texture=textures.use(material, "normalTexture"),
        normal_scale=normal.number("scale", 1.0) if normal else 1.0,
        occlusion_texture=textures.use(material, "occlusionTexture"),
        occlusion_strength=occlusion.number("strength", 1.0, 0.0, 1.0) if occlusion else 1.0,
        emissive=(glow[0], glow[1], glow[2]),
        emissive_strength=strong.number("emissiveStrength", 1.0, 0.0) if strong else 1.0,
        emissive_texture=textures.use(material, "emissiveTexture"),
        alpha_mode=material.text("alphaMode", "OPAQUE", ("OPAQUE", "MASK", "BLEND")).lower(),
        alpha_cutoff=material.number("alphaCutoff", 0.5, 0.0),
        double_sided=material.flag("doubleSided"),
    )
