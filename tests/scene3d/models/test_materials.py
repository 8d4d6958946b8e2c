"""Rows of materials."""

from __future__ import annotations

import numpy as np
import pytest

from gltf_models import MODELS
from rish_core import World
from rish_gltf import Material, Sampler, TextureUse
from rish_scene3d import AlphaMode, Material3D, Shading
from rish_scene3d import layout as at
from rish_scene3d.models import materials
from rish_scene3d.models.materials import component_rows, decoded, file_flags, file_row, plain_row


def test_rows_of_files():
    """A material of a file keeps its factors; pictures have their number, wrap, uv set and matrix."""
    material = MODELS["quad"]().read().materials[0]
    asked: list[tuple[int, bool]] = []

    def page(image: int, encoded: bool) -> int:
        asked.append((image, encoded))
        return 7

    row = file_row(material, page)
    assert [encoded for _, encoded in asked] == [True, False, False, False, True]
    np.testing.assert_allclose(row[at.BASE : at.BASE + 4], [0.5, 0.5, 0.5, 1])
    np.testing.assert_allclose(row[at.EMISSIVE : at.EMISSIVE + 3], [4, 2, 0])
    assert row[at.ROUGHNESS] == 0.75
    assert row[at.NORMAL_SCALE] == 0.5
    assert row[at.OCCLUSION] == 0.25
    assert row[at.ALPHA_MODE] == at.MASK
    assert file_flags(material) == at.MASKED | at.DOUBLE_SIDED
    first = at.MAPS
    assert row[first + at.MAP_PAGE] == 7
    assert row[first + at.MAP_UV_WRAP] == at.WRAP_CLAMP
    np.testing.assert_allclose(row[first + at.MAP_MATRIX : first + at.MAP_MATRIX + 6], [2, 0, 0.5, 0, 2, 0])


def test_a_material_without_anything():
    """A plain material has no pictures; an unlit one says so."""
    row = file_row(Material(unlit=True), lambda image, encoded: 0)
    assert row[at.MODEL] == at.UNLIT
    pages = [row[at.MAPS + k * at.MAP_SIZE + at.MAP_PAGE] for k in range(len(at.MAP_NAMES))]
    assert pages == [-1] * 5
    assert [plain_row()[at.MAPS + k * at.MAP_SIZE] for k in range(5)] == [-1] * 5


def test_rows_of_components():
    """Colors become linear, enums their numbers, maps are repeated and moved, and flags follow the material."""
    world = World([Material3D])
    world.spawn(Material3D(color=(0.5, 0.5, 0.5, 0.25), emission=(1, 0.5, 0, 1), emission_strength=3))
    world.spawn(
        Material3D(
            shading=Shading.PHONG,
            alpha=AlphaMode.MASK,
            double_sided=True,
            map="wood.png",
            repeat=(2, 3),
            offset=(0.1, 0.2),
        )
    )
    rows, flags, which = component_rows(world.table(Material3D), lambda text, encoded: -1 if not text else 40 + encoded)
    assert which.tolist() == [0, 1]
    np.testing.assert_allclose(rows[0, at.BASE : at.BASE + 4], [*[decoded(np.array(0.5))] * 3, 0.25], rtol=1e-5)
    np.testing.assert_allclose(rows[0, at.EMISSIVE : at.EMISSIVE + 3], [3, 3 * decoded(np.array(0.5)), 0], rtol=1e-5)
    assert rows[:, at.MODEL].tolist() == [at.PBR, at.PHONG]
    assert flags.tolist() == [0, at.MASKED | at.DOUBLE_SIDED]
    assert rows[:, at.MAPS + at.MAP_PAGE].tolist() == [-1, 41]
    np.testing.assert_allclose(rows[1, at.MAPS + at.MAP_MATRIX :][:6], [2, 0, 0.1, 0, 3, 0.2], rtol=1e-6)


def test_equal_components_have_one_row():
    """Materials come in the order of their first entities; those that differ in one number are different ones."""
    world = World([Material3D])
    metal = Material3D(metallic=0.5)
    for look in (
        Material3D(), metal, Material3D(), Material3D(offset=(0, 1)), metal, Material3D(double_sided=True),
        Material3D(map="a.png"), Material3D(),
    ):  # fmt: skip
        world.spawn(look)
    rows, flags, which = component_rows(world.table(Material3D), lambda text, encoded: int(text) - 1)
    assert which.tolist() == [0, 1, 0, 2, 1, 3, 4, 0]
    assert rows[:, at.METALLIC].tolist() == [0, 0.5, 0, 0, 0]
    assert flags.tolist() == [0, 0, 0, at.DOUBLE_SIDED, 0]


def test_materials_with_one_hash_are_told_apart(monkeypatch: pytest.MonkeyPatch):
    """With a bad hash each entity has a row of its own, and no material is lost."""
    monkeypatch.setattr(materials, "_PRIME", np.uint64(0))
    world = World([Material3D])
    for metallic in (0, 1, 0):
        world.spawn(Material3D(metallic=metallic))
    rows, _, which = component_rows(world.table(Material3D), lambda text, encoded: -1)
    assert rows[which, at.METALLIC].tolist() == [0, 1, 0]


def test_the_second_texture_coordinate_and_the_wraps():
    """The uv set counts four, the wrap of u one, that of v sixteen, as the layout says."""
    sampler = Sampler(wrap_u="mirror", wrap_v="clamp")
    row = file_row(Material(emissive_texture=TextureUse(0, sampler, uv=1)), lambda image, encoded: 3)
    first = at.MAPS + at.MAP_NAMES.index("emissive") * at.MAP_SIZE
    assert row[first + at.MAP_UV_WRAP] == 4 * 1 + at.WRAP_MIRROR + 16 * at.WRAP_CLAMP
    assert row[first + at.MAP_PAGE] == 3
