"""The content of a glTF 2.0 file: frozen dataclasses with read-only arrays.

Conventions: y up, right-handed, meters, radians, quaternions x y z w, matrices for column vectors (`matrix @ point`),
colors linear, texture coordinates with v down. An index of -1 means none.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from .images import Image

Floats = npt.NDArray[np.float32]
Indices = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Sampler:
    """How a texture is read. wrap: `repeat`, `mirror`, `clamp`. mag, min: `nearest`, `linear`, with `_mipmap_…`."""

    wrap_u: str = "repeat"
    wrap_v: str = "repeat"
    mag: str = "linear"
    min: str = "linear_mipmap_linear"


@dataclass(frozen=True)
class TextureUse:
    """The use of a picture (an index into images) by a material.

    uv: which texture coordinate, 0 or 1. offset, rotation (radians), scale: of KHR_texture_transform.
    """

    image: int
    sampler: Sampler = Sampler()
    uv: int = 0
    offset: tuple[float, float] = (0.0, 0.0)
    rotation: float = 0.0
    scale: tuple[float, float] = (1.0, 1.0)

    @property
    def matrix(self) -> Floats:
        """The matrix (3, 3) from (u, v, 1) to the place in the picture: scaled, turned, then moved."""
        cosine, sine = math.cos(self.rotation), math.sin(self.rotation)
        wide, high = self.scale
        rows = [[cosine * wide, sine * high, self.offset[0]], [-sine * wide, cosine * high, self.offset[1]], [0, 0, 1]]
        return np.array(rows, np.float32)


@dataclass(frozen=True)
class Material:
    """A material after the metallic-roughness model, or `unlit`: only base color.

    base_color: red, green, blue, alpha. emissive: times `emissive_strength`. metallic_roughness_texture: green is
    roughness, blue metal. alpha_mode: `opaque`, `mask` (cut below `alpha_cutoff`), `blend`.
    """

    name: str = ""
    unlit: bool = False
    base_color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    base_texture: TextureUse | None = None
    metallic: float = 1.0
    roughness: float = 1.0
    metallic_roughness_texture: TextureUse | None = None
    normal_texture: TextureUse | None = None
    normal_scale: float = 1.0
    occlusion_texture: TextureUse | None = None
    occlusion_strength: float = 1.0
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    emissive_strength: float = 1.0
    emissive_texture: TextureUse | None = None
    alpha_mode: str = "opaque"
    alpha_cutoff: float = 0.5
    double_sided: bool = False


@dataclass(frozen=True, eq=False)
class MorphTarget:
    """The offsets that a target adds at weight 1: positions, normals, tangents (n, 3); None: no offsets."""

    name: str
    positions: Floats | None = None
    normals: Floats | None = None
    tangents: Floats | None = None


@dataclass(frozen=True, eq=False)
class Primitive:
    """Triangles, lines or points of one material.

    kind: `triangles` with indices (t, 3), `lines` (t, 2) or `points` (t, 1), all uint32. positions: (n, 3). normals:
    (n, 3), always there for triangles, flat where the file has none. tangents: (n, 4), the sign of the bitangent last;
    made where a normal map needs them. uv0, uv1: (n, 2). colors: (n, 4). joints: (n, 4 or 8) uint32, indices into the
    joints of the node's skin; weights: the same shape, sums of 1. targets: one for each morph target. material: -1: the
    default material.
    """

    kind: str
    indices: Indices
    positions: Floats
    normals: Floats | None = None
    tangents: Floats | None = None
    uv0: Floats | None = None
    uv1: Floats | None = None
    colors: Floats | None = None
    joints: Indices | None = None
    weights: Floats | None = None
    targets: tuple[MorphTarget, ...] = ()
    material: int = -1

    @property
    def bounds(self) -> Floats:
        """The least and the largest corner (2, 3) of the positions, without morph targets and skin."""
        return np.stack([self.positions.min(0), self.positions.max(0)])


@dataclass(frozen=True, eq=False)
class Mesh:
    """Primitives, the names of their morph targets, and the weights of these at the beginning."""

    name: str
    primitives: tuple[Primitive, ...]
    target_names: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Node:
    """A node of the tree: its pose, and its mesh, camera or light.

    translation, rotation (a unit quaternion), scale: also where the file has a matrix; `matrix` is this matrix (4, 4),
    or None. parent, mesh, skin, camera, light: indices, -1: none. weights: of morph targets, empty: those of the mesh.
    """

    name: str = ""
    parent: int = -1
    children: tuple[int, ...] = ()
    translation: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rotation: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    matrix: Floats | None = None
    mesh: int = -1
    skin: int = -1
    camera: int = -1
    light: int = -1
    weights: tuple[float, ...] = ()

    def local(self) -> Floats:
        """Return the matrix (4, 4) from this node to its parent."""
        if self.matrix is not None:
            return self.matrix
        x, y, z, w = self.rotation
        matrix = np.eye(4)
        matrix[:3, :3] = [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
        matrix[:3, :3] *= self.scale
        matrix[:3, 3] = self.translation
        return matrix.astype(np.float32)


@dataclass(frozen=True, eq=False)
class Skin:
    """joints: indices of nodes. inverse_binds: (joints, 4, 4). skeleton: the root's node, -1: unknown."""

    name: str
    joints: tuple[int, ...]
    inverse_binds: Floats
    skeleton: int = -1


@dataclass(frozen=True, eq=False)
class Channel:
    """One animated property of a node.

    path: `translation`, `rotation`, `scale`, `weights`. times: (k,) seconds, growing. interpolation: `step`, `linear`,
    `cubic`. values: (k, c); for `cubic` (k, 3, c): tangent before, value, tangent after.
    """

    node: int
    path: str
    interpolation: str
    times: Floats
    values: Floats


@dataclass(frozen=True, eq=False)
class Animation:
    """Channels with a common clock. duration: the last time, in seconds."""

    name: str
    channels: tuple[Channel, ...]

    @property
    def duration(self) -> float:
        """The last time of all channels, in seconds."""
        return max((float(each.times[-1]) for each in self.channels), default=0.0)


@dataclass(frozen=True)
class Camera:
    """kind: `perspective` (yfov in radians, aspect 0: of the window) or `orthographic` (xmag, ymag: half the size).

    znear, zfar: distances; zfar is infinite where a perspective camera has none. It looks along -z.
    """

    name: str
    kind: str
    znear: float
    zfar: float
    yfov: float = 0.0
    aspect: float = 0.0
    xmag: float = 0.0
    ymag: float = 0.0


@dataclass(frozen=True)
class Light:
    """kind: `directional` (intensity in lux), `point`, `spot` (candela); it shines along -z.

    range: meters, infinite where there is none. inner, outer: angles of a spot's cone in radians.
    """

    name: str
    kind: str
    color: tuple[float, float, float] = (1.0, 1.0, 1.0)
    intensity: float = 1.0
    range: float = math.inf
    inner: float = 0.0
    outer: float = math.pi / 4


@dataclass(frozen=True)
class Scene:
    """Root nodes that are shown together."""

    name: str
    nodes: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Model:
    """A file. scene: the shown scene, -1: unspecified. warnings: omitted data, and what to do about it."""

    name: str
    scenes: tuple[Scene, ...] = ()
    scene: int = -1
    nodes: tuple[Node, ...] = ()
    meshes: tuple[Mesh, ...] = ()
    materials: tuple[Material, ...] = ()
    images: tuple[Image, ...] = ()
    skins: tuple[Skin, ...] = ()
    animations: tuple[Animation, ...] = ()
    cameras: tuple[Camera, ...] = ()
    lights: tuple[Light, ...] = ()
    warnings: tuple[str, ...] = field(default=())
