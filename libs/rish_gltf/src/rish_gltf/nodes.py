"""Nodes, scenes, skins, cameras and lights: the tree of a model, checked for circles."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .element import Element
from .files.accessors import Accessors
from .model import Camera, Light, Mesh, Node, Scene, Skin

_IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
_COST = 2048


def read_nodes(root: Element, meshes: tuple[Mesh, ...], lights: int) -> tuple[Node, ...]:
    """Return all nodes with their parents."""
    elements = root.children("nodes")
    children = [each.indices("children", len(elements), "nodes") for each in elements]
    parents = _parents(elements, children)
    cameras, skins = len(root.entries("cameras")), len(root.entries("skins"))
    nodes_read: list[Node] = []
    for index, each in enumerate(elements):
        each.reading.take(_COST, each.path)
        lamp = each.extension("KHR_lights_punctual")
        mesh = each.index("mesh", len(meshes), "meshes")
        weights = each.each_number("weights")
        if weights and (mesh < 0 or len(weights) != len(meshes[mesh].target_names)):
            each.fail(f"has {len(weights)} weights, its mesh has {len(meshes[mesh].target_names) if mesh >= 0 else 0}")
        matrix, (translation, rotation, scale) = _pose(each)
        node = Node(
            name=each.name,
            parent=parents[index],
            children=children[index],
            translation=translation,
            rotation=rotation,
            scale=scale,
            matrix=matrix,
            mesh=mesh,
            skin=each.index("skin", skins, "skins"),
            camera=each.index("camera", cameras, "cameras"),
            light=lamp.index("light", lights, "lights") if lamp else -1,
            weights=weights,
        )
        nodes_read.append(node)
    return tuple(nodes_read)


def _parents(elements: list[Element], children: list[tuple[int, ...]]) -> list[int]:
    """Return the parent of each node, -1 of a root; a second parent or a circle is a mistake."""
    parents = [-1] * len(elements)
    for index, below in enumerate(children):
        for child in below:
            if parents[child] >= 0:
                elements[child].fail(f"is a child of nodes[{parents[child]}] and of nodes[{index}]")
            parents[child] = index
    reached = [index for index, parent in enumerate(parents) if parent < 0]
    for index in reached:  # grows
        reached.extend(children[index])
    if len(reached) < len(elements):
        culprit = min(set(range(len(elements))) - set(reached))
        elements[culprit].fail("is below itself: the children make a circle")
    return parents


def _pose(node: Element) -> tuple[Any, tuple[Any, Any, Any]]:
    """Return the matrix, or None, and translation, rotation and scale."""
    if "matrix" in node:
        values = node.numbers("matrix", _IDENTITY)
        matrix = np.array(values, np.float32).reshape(4, 4).T.copy()
        matrix.flags.writeable = False
        return matrix, _decompose(values)
    rotation = node.numbers("rotation", (0.0, 0.0, 0.0, 1.0))
    length = math.hypot(*rotation)
    if length < 1e-6:
        node.fail("`rotation` has no length", "A rotation is a unit quaternion, [0, 0, 0, 1] turns nothing")
    turned = tuple(part / length for part in rotation)
    return None, (node.numbers("translation", (0.0,) * 3), turned, node.numbers("scale", (1.0,) * 3))


def _decompose(matrix: tuple[float, ...]) -> tuple[Any, Any, Any]:
    """Return translation, rotation and scale of a matrix, column by column; shear is lost.

    A mirror becomes a negative scale in x.
    """
    (a, b, c), (d, e, f), (g, h, i) = matrix[0:3], matrix[4:7], matrix[8:11]
    mirrored = a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g) < 0
    scale = [math.hypot(a, b, c), math.hypot(d, e, f), math.hypot(g, h, i)]
    if mirrored:
        scale[0] = -scale[0]
    x, y, z = (size if abs(size) > 1e-12 else 1.0 for size in scale)
    rows = ((a / x, d / y, g / z), (b / x, e / y, h / z), (c / x, f / y, i / z))
    return matrix[12:15], _quaternion(rows), tuple(scale)


def _quaternion(rows: tuple[tuple[float, float, float], ...]) -> tuple[float, ...]:
    """Return the unit quaternion of a matrix (3, 3), from its largest part, after Shepperd (1978)."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = rows
    choices = (
        (1 + xx - yy - zz, yx + xy, zx + xz, zy - yz),
        (yx + xy, 1 - xx + yy - zz, zy + yz, xz - zx),
        (zx + xz, zy + yz, 1 - xx - yy + zz, yx - xy),
        (zy - yz, xz - zx, yx - xy, 1 + xx + yy + zz),
    )
    longest = choices[max(range(4), key=lambda part: choices[part][part])]
    length = math.hypot(*longest) * (-1 if longest[3] < 0 else 1)
    return tuple(part / length for part in longest) if length else (0.0, 0.0, 0.0, 1.0)


def read_scenes(root: Element, nodes: tuple[Node, ...]) -> tuple[tuple[Scene, ...], int]:
    """Return all scenes, and the index of the shown one, -1: unspecified."""
    scenes: list[Scene] = []
    for each in root.children("scenes"):
        roots = each.indices("nodes", len(nodes), "nodes")
        for index in roots:
            if nodes[index].parent >= 0:
                each.fail(f"nodes[{index}] is no root, it is a child of nodes[{nodes[index].parent}]")
        scenes.append(Scene(each.name, roots))
    return tuple(scenes), root.index("scene", len(scenes), "scenes")


def read_skins(root: Element, accessors: Accessors, nodes: int) -> tuple[Skin, ...]:
    """Return all skins."""
    skins: list[Skin] = []
    for each in root.children("skins"):
        joints = each.indices("joints", nodes, "nodes")
        if not joints:
            each.wrong("joints", "a list of nodes that is not empty")
        number = each.index("inverseBindMatrices", len(accessors), "accessors")
        each.reading.take(64 * len(joints), each.path)
        binds = np.broadcast_to(np.eye(4, dtype=np.float32), (len(joints), 4, 4)).copy()
        if number >= 0:
            rows = accessors.read(number, "inverse bind matrices", ("MAT4",), ("f4",))
            if len(rows) < len(joints):
                accessors.layout(number).element.fail(f"has {len(rows)} matrices, {each.path} has {len(joints)} joints")
            binds = rows[: len(joints)].reshape(-1, 4, 4).transpose(0, 2, 1).copy()
        binds.flags.writeable = False
        skins.append(Skin(each.name, joints, binds, each.index("skeleton", nodes, "nodes")))
    return tuple(skins)


def check_skins(root: Element, nodes: tuple[Node, ...], meshes: tuple[Mesh, ...], skins: tuple[Skin, ...]) -> None:
    """Fail if a mesh names a joint that the skin of its node does not have."""
    highest: dict[int, int] = {}
    for index, node in enumerate(nodes):
        if node.skin < 0 or node.mesh < 0:
            continue
        if node.mesh not in highest:
            joints_used = [each.joints for each in meshes[node.mesh].primitives]
            highest[node.mesh] = max((int(each.max()) for each in joints_used if each is not None), default=-1)
        count = len(skins[node.skin].joints)
        if highest[node.mesh] >= count:
            root.reading.fail(
                f"nodes[{index}]",
                f"meshes[{node.mesh}] uses joint {highest[node.mesh]}, skins[{node.skin}] has {count} joints",
            )


def read_cameras(root: Element) -> tuple[Camera, ...]:
    """Return all cameras."""
    cameras: list[Camera] = []
    for each in root.children("cameras"):
        kind = each.text("type", None, ("perspective", "orthographic"))
        lens = each.need(kind)
        near = lens.number("znear", None, 0.0)
        if kind == "perspective":
            far = lens.number("zfar") if "zfar" in lens else math.inf
            yfov, aspect = lens.number("yfov", None, 1e-6, math.pi), lens.number("aspectRatio", 0.0, 0.0)
            camera = Camera(each.name, kind, near, far, yfov=yfov, aspect=aspect)
        else:
            far, xmag, ymag = lens.number("zfar"), lens.number("xmag"), lens.number("ymag")
            camera = Camera(each.name, kind, near, far, xmag=xmag, ymag=ymag)
        if camera.zfar <= camera.znear:
            lens.wrong("zfar", f"above znear, {camera.znear}")
        cameras.append(camera)
    return tuple(cameras)


def read_lights(root: Element) -> tuple[Light, ...]:
    """Return all lights of KHR_lights_punctual."""
    extension = root.extension("KHR_lights_punctual")
    lights: list[Light] = []
    for each in extension.children("lights") if extension else ():
        kind = each.text("type", None, ("directional", "point", "spot"))
        color = each.numbers("color", (1.0, 1.0, 1.0), 0.0)
        inner, outer = 0.0, math.pi / 4
        if kind == "spot":
            cone = each.need("spot")
            outer = cone.number("outerConeAngle", outer, 1e-6, math.pi / 2 + 1e-6)
            inner = cone.number("innerConeAngle", inner, 0.0)
            if inner >= outer:
                cone.wrong("innerConeAngle", f"below the outer angle, {outer}")
        reach = each.number("range", None, 1e-9) if "range" in each else math.inf
        strength = each.number("intensity", 1.0, 0.0)
        lights.append(Light(each.name, kind, (color[0], color[1], color[2]), strength, reach, inner, outer))
    return tuple(lights)
