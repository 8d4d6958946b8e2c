"""Hand-made 3D scenes: meshes, materials, lights and passes as arrays, so that drawers are tested without a World."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rish_frame import Batch, Frame, Pass, Target, look_at, orthographic, perspective
from rish_scene3d import layout as at
from rish_scene3d.light.sky import SkyLight
from rish_scene3d.models.model_library import Library, MeshData, PageArray
from rish_scene3d.passes import kinds
from rish_scene3d.passes.kinds import Surfaces
from scene3d_meshes import box, bumps, checks, mesh, mips, morphed, quad, sphere, tube

__all__ = [
    "SIZE",
    "Array",
    "Scene",
    "box",
    "bumps",
    "checks",
    "mesh",
    "mips",
    "morphed",
    "placed",
    "quad",
    "sky_of",
    "sphere",
    "tube",
]

Array = Any
SIZE = (320, 180)
_versions = itertools.count(1)


def placed(x: float = 0, y: float = 0, z: float = 0, scale: Any = 1, turn: float = 0, tilt: float = 0) -> Array:
    """Return a matrix (3, 4) from a model to the world: scaled, tilted about x, turned about y, then moved. Radians."""
    (s, c), (t, d) = ((np.sin(angle), np.cos(angle)) for angle in (turn, tilt))
    around = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ np.array([[1, 0, 0], [0, d, -t], [0, t, d]])
    return np.concatenate([around * (np.ones(3) * scale), [[x], [y], [z]]], axis=1).astype(np.float32)


@dataclass
class Scene:
    """A scene that is put together by hand; `frame` makes the frame that a backend draws.

    eye, aim, fov: the camera. near, far: meters. orthographic: height of the view without perspective, 0: perspective.
    sky: what is around: one linear color (3,), or a SkyLight. lights: more values of the row `scene`, by column.
    """

    size: tuple[int, int] = SIZE
    eye: tuple[float, float, float] = (2.2, 1.8, 3.0)
    aim: tuple[float, float, float] = (0.0, 0.4, 0.0)
    fov: float = 0.8
    near: float = 0.1
    far: float = 100.0
    library: Library = field(default_factory=Library)
    materials: list[Array] = field(default_factory=list[Any])
    suns: list[Array] = field(default_factory=list[Any])
    lamps: list[Array] = field(default_factory=list[Any])
    palettes: list[Array] = field(default_factory=list[Any])
    morphs: list[float] = field(default_factory=list[float])
    orthographic: float = 0.0
    sky: Any = (0.25, 0.35, 0.5)
    lights: dict[int, float] = field(default_factory=dict[int, float])
    inputs: list[str] = field(default_factory=list[str])
    exposure: float = 1.0
    tone: int = 1
    tables: int = field(default_factory=lambda: next(_versions))
    _things: list[tuple[int, int, Array]] = field(default_factory=list[Any])
    _maps: list[Any] = field(default_factory=list[Any])

    # What is drawn

    def mesh(self, data: MeshData) -> int:
        """Add a mesh to the library and return its number."""
        self.library.meshes.append(data)
        self.library.touch()
        return len(self.library.meshes) - 1

    def page(self, picture: Array, *, encoded: bool = True) -> int:
        """Add a square picture, uint8 (side, side, 4), and return its number."""
        side = picture.shape[0]
        size_class = next((k for k, page in enumerate(self.library.pages) if page.side == side), -1)
        if size_class < 0:
            size_class = len(self.library.pages)
            empty = [np.zeros((0, side >> k, side >> k, 4), np.uint8) for k in range(side.bit_length())]
            self.library.pages.append(PageArray(side, empty, np.zeros(0, np.bool_)))
        page = self.library.pages[size_class]
        page.levels = [np.concatenate([old, new[None]]) for old, new in zip(page.levels, mips(picture), strict=True)]
        page.encoded = np.append(page.encoded, encoded)
        page.version += 1
        self.library.touch()
        return at.page_number(size_class, len(page.encoded) - 1)

    def material(self, **values: Any) -> int:
        """Add a material and return its row.

        values: columns of the layout by their names in lower case, such as `base` (4,), `roughness`, `model`; maps by
        their names with `_map`, a number of a picture or a dict with `page`, `uv`, `wrap` (u, v) and `matrix` (2, 3).
        """
        row = np.zeros(at.MATERIAL, np.float32)
        row[at.BASE : at.BASE + 4] = 1
        row[at.CUTOFF], row[at.ROUGHNESS], row[at.NORMAL_SCALE], row[at.OCCLUSION] = 0.5, 0.6, 1, 1
        row[at.SPECULAR], row[at.SHININESS] = 0.5, 32
        for number in range(len(at.MAP_NAMES)):
            row[at.MAPS + number * at.MAP_SIZE] = -1
        for name, value in values.items():
            if name.endswith("_map"):
                self._map(row, at.MAP_NAMES.index(name.removesuffix("_map")), value)
            else:
                first, numbers = getattr(at, name.upper()), np.atleast_1d(np.asarray(value, np.float32))
                row[first : first + len(numbers)] = numbers
        self.materials.append(row)
        self.tables = next(_versions)
        return len(self.materials) - 1

    def _map(self, row: Array, number: int, value: Any) -> None:
        given = value if isinstance(value, dict) else {"page": value}
        across, down = given.get("wrap", (at.WRAP_REPEAT, at.WRAP_REPEAT))
        first = at.MAPS + number * at.MAP_SIZE
        row[first] = given["page"]
        row[first + 1] = 4 * given.get("uv", 0) + across + 16 * down
        row[first + 2 : first + 8] = np.asarray(given.get("matrix", [[1, 0, 0], [0, 1, 0]]), np.float32).reshape(-1)

    def show(self, mesh: int, material: Any, *matrices: Any, flags: int = 0, **values: Any) -> None:
        """Add a run: a mesh at each matrix (3, 4), with one material or one for each. values: more columns."""
        instances = np.zeros(len(matrices), at.INSTANCE)
        instances["matrix"] = np.array(matrices, np.float32).reshape(-1, 3, 4)
        instances["material"], instances["tint"] = material, 255
        instances["palette"] = instances["morph"] = -1
        for name, value in values.items():
            instances[name] = value
        self._things.append((mesh, flags, instances))

    def pose(self, *joints: Any) -> int:
        """Add rows of a palette, each (3, 4), and return the number of the first."""
        first = len(self.palettes)
        self.palettes.extend(np.asarray(joint, np.float32) for joint in joints)
        return first

    # Light

    def sun(self, axis: Any = (-0.5, -1.0, -0.6), color: Any = (2.0, 1.9, 1.7), **values: Any) -> Array:
        """Add a sun that shines along `axis`, and return its row. values: columns such as `bias`."""
        row = np.zeros(at.SUN, np.float32)
        row[at.SUN_AXIS : at.SUN_AXIS + 3] = np.asarray(axis) / np.linalg.norm(axis)
        row[at.SUN_COLOR : at.SUN_COLOR + 3], row[at.SUN_MAP] = color, -1
        _fill(row, "SUN", values)
        self.suns.append(row)
        return row

    def lamp(self, place: Any, color: Any = (4.0, 4.0, 4.0), reach: float = 12.0, **values: Any) -> Array:
        """Add a lamp and return its row. values: columns such as `axis`, `angle`, `inner`; angles as cosines."""
        row = np.zeros(at.LAMP, np.float32)
        row[at.LAMP_PLACE : at.LAMP_PLACE + 3], row[at.LAMP_COLOR : at.LAMP_COLOR + 3] = place, color
        row[at.LAMP_RANGE], row[at.LAMP_ANGLE], row[at.LAMP_INNER], row[at.LAMP_MAP] = reach, -1, -1, -1
        _fill(row, "LAMP", values)
        self.lamps.append(row)
        return row

    # Shadows

    def cast_sun(self, row: Array, ends: Any, side: int = 256) -> None:
        """Give a sun cascades that end at these distances, around the middle of what is aimed at.

        Each is a square, as wide as twice its distance.
        """
        count, center, axis = len(ends), np.array(self.aim, float), row[at.SUN_AXIS : at.SUN_AXIS + 3].astype(float)
        up = (0.0, 1.0, 0.0) if abs(axis[1]) < 0.99 else (0.0, 0.0, 1.0)
        matrices = row[at.SUN_MATRICES :].reshape(4, 3, 4)
        views: list[Any] = []
        for k, end in enumerate(ends):
            view = look_at(tuple(center - axis * 30), tuple(center), up)
            projection = orthographic(-end, end, -end, end, 1.0, 60.0)
            views.append(((k / count, 0.0, 1 / count, 1.0), view, projection))
            matrices[k] = 0.5 * (projection @ view)[:3]
            matrices[k, :, 3] += 0.5
            row[at.SUN_FAR + k], row[at.SUN_TEXELS + k] = end, 2 * end / side
        self._cast("sun", row, (at.SUN_MAP, at.SUN_SIZE, at.SUN_BIAS), (side * count, side), views)
        row[at.SUN_CASCADES], row[at.SUN_FADE] = count, 0.2

    def cast_lamp(self, row: Array, side: int = 128) -> None:
        """Give a lamp a shadow map: six faces, or one for a spot."""
        eye, reach = row[at.LAMP_PLACE : at.LAMP_PLACE + 3], float(row[at.LAMP_RANGE])
        slope, axis = side / (side - 4), row[at.LAMP_AXIS : at.LAMP_AXIS + 3]
        if row[at.LAMP_ANGLE] > -1:
            slope = float(np.tan(np.arccos(row[at.LAMP_ANGLE])))
            up = (0.0, 1.0, 0.0) if abs(axis[1]) < 0.99 else (0.0, 0.0, 1.0)
            views = [look_at(tuple(eye), tuple(eye + axis), up)]
        else:
            views = [_face(k, eye) for k in range(6)]
        projection = perspective(2 * float(np.arctan(slope)), 1.0, 0.02, reach)
        if len(views) == 1:
            row[at.LAMP_MATRIX : at.LAMP_MATRIX + 16] = (projection @ views[0]).reshape(-1)
        row[at.LAMP_TEXEL] = 2 * slope / side
        placed = [((k / len(views), 0.0, 1 / len(views), 1.0), view, projection) for k, view in enumerate(views)]
        columns = (at.LAMP_MAP, at.LAMP_SIZE, at.LAMP_BIAS)
        self._cast("lamp", row, columns, (side * len(views), side), placed, eye, reach)

    def _cast(
        self, name: str, row: Array, columns: Any, size: Any, views: Any, eye: Any = (0, 0, 0), reach: float = 0
    ) -> None:
        of_map, of_side, of_bias = columns
        row[of_map], row[of_side], row[of_bias] = len(self.inputs), size[1], 1.5
        name = f"scene3d.{name}{len(self.inputs)}"
        self.inputs.append(name)
        self._maps.append((Target(name, size, ("r32f",), depth=True, clear=((1.0, 0, 0, 0),)), views, eye, reach))

    # Arrays

    @property
    def view(self) -> Array:
        """The view matrix."""
        return look_at(self.eye, self.aim, (0.0, 1.0, 0.0))

    @property
    def projection(self) -> Array:
        """The projection matrix."""
        aspect, half = self.size[0] / self.size[1], self.orthographic / 2
        if half > 0:
            return orthographic(-half * aspect, half * aspect, -half, half, self.near, self.far)
        return perspective(self.fov, aspect, self.near, self.far)

    def things(self) -> dict[str, Array]:
        """Return the arrays of instances, runs, poses and materials."""
        runs = np.zeros((len(self._things), 4), np.int32)
        first = 0
        for number, (shape, flags, instances) in enumerate(self._things):
            runs[number] = shape, first, len(instances), flags
            first += len(instances)
        every = [instances for *_, instances in self._things]
        return {
            "instances": np.concatenate(every) if every else np.zeros(0, at.INSTANCE),
            "runs": runs,
            "palettes": np.array(self.palettes, np.float32).reshape(-1, 3, 4),
            "morphs": np.array(self.morphs, np.float32),
            "materials": np.array(self.materials, np.float32).reshape(-1, at.MATERIAL),
        }

    def scene_row(self) -> Array:
        """Return the row `scene`."""
        row = np.zeros(at.SCENE, np.float32)
        row[at.EYE : at.EYE + 3], row[at.EXPOSURE], row[at.AMBIENT_STRENGTH] = self.eye, self.exposure, 1
        row[at.SKY_LIGHT], row[at.ORTHOGRAPHIC] = 1, self.orthographic > 0
        row[at.NEAR], row[at.FAR] = self.near, self.far
        for column, value in self.lights.items():
            row[column] = value
        return row

    def light(self) -> dict[str, Array]:
        """Return the arrays of light; every cluster has all lamps."""
        clusters = np.zeros((int(np.prod(at.CLUSTERS)), 2), np.int32)
        clusters[:, 1] = len(self.lamps)
        sky = sky_of(self.sky)
        return {
            "suns": np.array(self.suns, np.float32).reshape(-1, at.SUN),
            "lamps": np.array(self.lamps, np.float32).reshape(-1, at.LAMP),
            "clusters": clusters,
            "cluster_lamps": np.arange(len(self.lamps), dtype=np.int32),
            "ambient": sky.ambient,
            "atlas": sky.atlas,
            "scene": self.scene_row(),
        }

    # Frames

    def surfaces(self, kind: str = kinds.SURFACES, **more: Any) -> Surfaces:
        """Return a batch of all things, of a kind of surfaces. more: its further arrays."""
        arrays = self.things() | (self.light() if kind == kinds.SURFACES else {}) | more
        return Surfaces(kind, arrays, z=1.0, version=next(_versions), library=self.library, tables=self.tables)

    def frame(self, *, deferred: bool = False, batches: Any = (), targets: Any = ()) -> Frame:
        """Return a frame: shadow maps, the sky and the surfaces in `scene3d.view`, developed onto the screen.

        batches: further ones for `scene3d.view`. targets: further targets. Deferred inputs come before all others.
        """
        frame, camera = Frame(self.size), {"view": self.view, "projection": self.projection, "depth_test": True}
        frame.add_target(Target("scene3d.view", formats=("rgba16f",), depth=True))
        for target in targets:
            frame.add_target(target)
        self._add_maps(frame)
        inputs = tuple(self.inputs)
        if deferred:
            frame.add_target(Target("gbuffer", formats=kinds.GBUFFER_FORMATS, depth=True))
            frame.add_pass(Pass("gbuffer", ("gbuffer",), **camera))
            frame.add(self.surfaces(kinds.GBUFFER), to="gbuffer")
            inputs = ("gbuffer", "gbuffer:1", "gbuffer:2", "gbuffer:3", "gbuffer:4", *inputs)
        frame.add_pass(Pass("scene3d.view", ("scene3d.view",), inputs, **camera))
        frame.add(self.sky_batch(), to="scene3d.view")
        frame.add(self.shade() if deferred else self.surfaces(), to="scene3d.view")
        for batch in batches:
            frame.add(batch, to="scene3d.view")
        frame.add_pass(Pass("develop", ("screen",), ("scene3d.view",), rank="post"))
        frame.add(self.develop_batch(), to="develop")
        return frame

    def _add_maps(self, frame: Frame) -> None:
        for target, views, eye, reach in self._maps:
            frame.add_target(target)
            for k, (viewport, view, projection) in enumerate(views):
                camera = {"view": view, "projection": projection, "viewport": viewport, "depth_test": True}
                name = f"{target.name}.{k}"
                frame.add_pass(Pass(name, (target.name,), **camera))
                light = {"eye": np.array(eye, np.float32), "reach": np.array([reach], np.float32)}
                frame.add(self.surfaces(kinds.DEPTHS, **light), to=name)

    def shade(self) -> Batch:
        """Return the batch that lights the pixels of the deferred target."""
        light = self.light()
        for table, column in (("suns", at.SUN_MAP), ("lamps", at.LAMP_MAP)):
            numbers = light[table][:, column]
            numbers[numbers >= 0] += len(kinds.GBUFFER_FORMATS)
        return Batch(kinds.SHADE, light, z=1.0, version=next(_versions), count=1)

    def sky_batch(self) -> Any:
        """Return the batch of the sky."""
        light = self.light()
        arrays = {"picture": sky_of(self.sky).picture, "suns": light["suns"], "scene": light["scene"]}
        return Batch(kinds.SKY, arrays, version=next(_versions), count=1)

    def develop_batch(self) -> Any:
        """Return the batch that develops the picture."""
        arrays = {"exposure": np.ones(1, np.float32), "tone": np.array([self.tone], np.int32)}
        return Batch(kinds.DEVELOP, arrays, version=next(_versions), count=1)


def _face(number: int, eye: Any) -> Array:
    """Return the view matrix of a face of a cube: +x -x +y -y +z -z."""
    right = np.array([[0, 0, 1], [0, 0, -1], [1, 0, 0], [1, 0, 0], [-1, 0, 0], [1, 0, 0]], float)[number]
    up = np.array([[0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, -1], [0, 1, 0], [0, 1, 0]], float)[number]
    rows = np.stack([right, up, np.cross(right, up)])
    view = np.eye(4)
    view[:3, :3], view[:3, 3] = rows, -rows @ np.asarray(eye, float)
    return view.astype(np.float32)


def _fill(row: Array, table: str, values: dict[str, Any]) -> None:
    for name, value in values.items():
        first, numbers = getattr(at, f"{table}_{name.upper()}"), np.asarray(value, np.float32).reshape(-1)
        row[first : first + len(numbers)] = numbers


def sky_of(sky: Any) -> SkyLight:
    """Return the light of a sky: itself, or of one color all around."""
    if isinstance(sky, SkyLight):
        return sky
    ambient = np.zeros((9, 3), np.float32)
    ambient[0] = sky
    atlas = np.broadcast_to(ambient[0], (at.ATLAS_LEVELS, at.ATLAS_SIDE, at.ATLAS_SIDE, 3)).copy()
    return SkyLight(np.broadcast_to(ambient[0], (2, 4, 3)).copy(), ambient, atlas)
