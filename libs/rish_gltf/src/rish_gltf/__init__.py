"""Reads models of glTF 2.0 into arrays of numpy, and checks every bound::

from pathlib import Path
from rish_gltf import read_gltf

path = Path("boat.glb")
model = read_gltf(path.read_bytes(), lambda beside: (path.parent / beside).read_bytes(), path.name)
"""

from __future__ import annotations

from .errors import GltfError
from .geometry.rest import parents_first, rest_matrices, rest_triangles, shown_nodes
from .geometry.tangents import make_tangents
from .images import Image
from .limits import Limits
from .model import (
    Animation,
    Camera,
    Channel,
    Light,
    Material,
    Mesh,
    Model,
    MorphTarget,
    Node,
    Primitive,
    Sampler,
    Scene,
    Skin,
    TextureUse,
)
from .reader import read_gltf

__all__ = [
    "Animation",
    "Camera",
    "Channel",
    "GltfError",
    "Image",
    "Light",
    "Limits",
    "Material",
    "Mesh",
    "Model",
    "MorphTarget",
    "Node",
    "Primitive",
    "Sampler",
    "Scene",
    "Skin",
    "TextureUse",
    "make_tangents",
    "parents_first",
    "read_gltf",
    "rest_matrices",
    "rest_triangles",
    "shown_nodes",
]
