"""`read_gltf`: reads the parts of a model in order."""

from __future__ import annotations

from collections.abc import Callable

from .animations import read_animations
from .element import Reading
from .files.accessors import Accessors
from .files.container import open_container
from .files.uris import Files
from .images import read_images
from .limits import Limits
from .materials import Textures, read_materials
from .meshes import read_meshes
from .model import Model
from .nodes import check_skins, read_cameras, read_lights, read_nodes, read_scenes, read_skins


def read_gltf(data: bytes, load: Callable[[str], bytes], name: str, limits: Limits | None = None) -> Model:
    """Return the model of a .gltf or .glb file.

    data: the bytes of the file; which of the two it is is found by its beginning. load: returns the bytes of another
    file of the model by its path relative to the model, with `/` between its parts; the path never leaves the model's
    folder. name: the file's name, for errors. limits: the largest sizes, `Limits()` if there are none.

    Raises GltfError, and nothing else, if the file is damaged, too large, or needs an extension that is not read.
    Source: the Khronos Group's glTF 2.0 Specification (2021), version 2.0.1.
    """
    bounds = limits or Limits()
    reading = Reading(name, bounds, left=bounds.made_bytes)
    root, binary = open_container(reading, data)
    files = Files(reading, load, len(data))
    accessors = Accessors(root, files, binary)
    images = read_images(root, files, accessors)
    materials = read_materials(root, Textures(root, images))
    meshes = read_meshes(root, accessors, materials)
    lights = read_lights(root)
    nodes = read_nodes(root, meshes, len(lights))
    skins = read_skins(root, accessors, len(nodes))
    check_skins(root, nodes, meshes, skins)
    scenes, scene = read_scenes(root, nodes)
    return Model(
        name=name,
        scenes=scenes,
        scene=scene,
        nodes=nodes,
        meshes=meshes,
        materials=materials,
        images=images,
        skins=skins,
        animations=read_animations(root, accessors, nodes, meshes),
        cameras=read_cameras(root),
        lights=lights,
        warnings=tuple(reading.warnings),
    )
