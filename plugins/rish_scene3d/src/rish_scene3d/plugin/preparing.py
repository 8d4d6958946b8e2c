"""Loads the models and pictures of a scene, and those of the game's prefabs, before the scene's first frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_core import Assets

from ..components.billboards import Billboard3D
from ..components.models import Material3D, Model3D
from ..components.settings import Scene3DSettings
from ..components.views import Camera3D
from ..models.materials import ENCODED, MAP_FIELDS
from ..models.mesh_builder import MADE
from ..models.models_in_use import texts_in_use
from ..models.store import CAMERA, Models3D
from ..scene.lights import prepare_sky

if TYPE_CHECKING:
    from rish_core import World

_MAPS = {Material3D: dict(zip(MAP_FIELDS, ENCODED, strict=True)), Billboard3D: {"image": True}}
"""The fields with pictures of each component, and whether their colors are sRGB."""


def prepare_scene(world: World) -> None:
    """Load all models and pictures, if the scene has a camera in space; files that can't be loaded are logged.

    Both those of the scene's entities and those of all prefabs are loaded, so that none is read while the game is
    played. Their names are read from the manifest; a file that a script names later is loaded when it is first drawn.
    """
    if not len(world.table(Camera3D)):
        return
    store = world[Models3D]
    store.largest = int(world[Scene3DSettings].texture_size)
    for asset, part in dict.fromkeys(texts_in_use(world, Model3D, "asset", "part")):
        if not asset.startswith(MADE):  # code may put these later
            store.model(world, asset, part)
    for kind, fields in _MAPS.items():
        for name, encoded in fields.items():
            for (path,) in dict.fromkeys(texts_in_use(world, kind, name)):
                if not path.startswith(CAMERA):
                    store.picture(world, path, encoded=encoded)
    world[Assets].tell("the sky")
    prepare_sky(world)
