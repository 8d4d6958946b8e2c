"""The models in use, by their names; files are read once through the kernel's assets, and again when they change."""

from __future__ import annotations

import functools
from dataclasses import field as dataclass_field
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_assets import AssetLibrary, AssetReader, LogOnce
from rish_core import AssetError, Assets, resource
from rish_frame.pictures import checkerboard
from rish_gltf import GltfError, Model, make_tangents
from rish_jit import Array
from rish_space3d import MODEL_SHAPES, MODEL_SUFFIXES, shape_mesh, unknown_model, unknown_part

from .. import layout as at
from .convert import below, convert, model_of_mesh
from .materials import component_rows, file_row, plain_row, with_pages
from .mesh_builder import MADE, mesh_of
from .model import ModelData
from .model_library import Library, MeshData
from .models_in_use import names_in_use
from .pages import keep_pictures, put_picture, replace_picture

if TYPE_CHECKING:
    from rish_core import World

_LOG = "rish.scene3d"
CAMERA = "camera:"
"""The prefix of a picture's name that refers to the picture of a camera."""


@resource(derived=True)
class Models3D:
    """The library and all requested models, by asset and part.

    library: meshes and pictures. version: rises when a model or the rows of file materials may have changed.
    materials: rows of the materials of files; those of Material3D follow them in `table`. cameras: names of the cameras
    whose pictures are on surfaces, in the order of the inputs of passes. largest: side of a picture.
    """

    library: Library = dataclass_field(default_factory=Library)
    version: int = 0
    largest: int = 1024
    materials: list[Array] = dataclass_field(default_factory=lambda: [plain_row()])
    cameras: list[str] = dataclass_field(default_factory=list[str])

    def __post_init__(self) -> None:
        """Start empty."""
        self._models: dict[tuple[str, str], ModelData] = {}
        self._files: dict[str, ModelData] = {}
        self._made: dict[str, MeshData] = {}
        self._numbers: dict[bytes, int] = {}
        self._pages: dict[tuple[str, int, bool], int] = {}
        self._tangents: dict[int, int] = {}
        self._log = LogOnce(_LOG)
        self.files = AssetLibrary[Model | None](
            "model", self._read, placeholder=lambda: None, log=_LOG, on_change=lambda path: self.clear()
        )
        self.pictures = AssetLibrary(
            "picture", _read_picture, placeholder=checkerboard, log=_LOG, on_change=self._picture_changed
        )

    def clear(self) -> None:
        """Forget all models, materials and pictures; they are read again when they are requested."""
        library = self.library
        library.meshes.clear()
        library.pages.clear()
        library.touch()
        self.materials[1:] = []
        for each in (self._models, self._files, self._numbers, self._pages, self._tangents):
            each.clear()
        self._log.forget()
        self.version += 1

    def release(self, world: World) -> None:
        """Forget the models and pictures that are not in use, see `names_in_use`; the numbers of the others change.

        Models in use are not read again. `Assets` forgets the other files too.
        """
        names = names_in_use(world)
        cameras = [name for name in self.cameras if CAMERA + name in names]
        unused = {name for name in self._files if name and name not in names}
        unused |= {path for path, image, _ in self._pages if image < 0 and path not in names}
        if not unused and cameras == self.cameras:
            return
        self.cameras[:] = cameras
        self._files = {name: model for name, model in self._files.items() if name not in unused}
        self._models = {key: model for key, model in self._models.items() if key[0] not in unused}
        self._pages = {key: number for key, number in self._pages.items() if key[0] not in unused}
        self._renumber()
        for name in unused - set(MODEL_SHAPES):
            if not name.startswith(MADE):
                self.files.forget(name)
                self.pictures.forget(name)
                world[Assets].forget(name)

    def _renumber(self) -> None:
        """Remove the meshes, materials and pictures without a model from the library, and renumber the others."""
        models = {id(model): model for model in (*self._files.values(), *self._models.values())}
        pieces = [piece for model in models.values() for piece in model.pieces]
        meshes = {piece.mesh for model in self._files.values() for piece in model.pieces}
        tangents = {base: with_tangents for base, with_tangents in self._tangents.items() if base in meshes}
        mesh = self.library.keep_meshes(meshes | set(tangents.values()))
        self._tangents = {mesh[base]: mesh[with_tangents] for base, with_tangents in tangents.items()}
        page = keep_pictures(self.library, set(self._pages.values()))
        self._pages = {key: page[number] for key, number in self._pages.items()}
        materials_in_use = sorted({0, *(piece.material for piece in pieces)})
        self.materials[:] = [with_pages(self.materials[number], page) for number in materials_in_use]
        material = {number: k for k, number in enumerate(materials_in_use)}
        self._numbers = {row.tobytes(): k for k, row in enumerate(self.materials) if k}
        for key, model in models.items():
            moved = (replace(each, mesh=mesh[each.mesh], material=material[each.material]) for each in model.pieces)
            models[key] = replace(model, pieces=tuple(moved))
        self._files = {name: models[id(model)] for name, model in self._files.items()}
        self._models = {key: models[id(model)] for key, model in self._models.items()}
        self.version += 1

    def model(self, world: World, asset: str, part: str = "") -> ModelData:
        """Return a model, loaded at the first call; a magenta box if that fails, and the reason is logged once."""
        model = self._models.get((asset, part))
        if model is None:
            complete = self._whole(world, asset)
            model = complete if not part else below(complete, part, self.library)
            if model is None:
                self._log.error(f"{asset}: {unknown_part(part, complete.names)}")
                model = replace(complete, pieces=())
            self._models[asset, part] = model
            self.version += 1
        return model

    def put(
        self, name: str, positions: npt.ArrayLike, indices: npt.ArrayLike, *, normals: npt.ArrayLike | None = None,
        uv: npt.ArrayLike | None = None, colors: npt.ArrayLike | None = None,
    ) -> None:  # fmt: skip
        """Show a mesh from code as the model `made:NAME`, in place of the one that had this name.

        positions: (n, 3), meters. indices: (t, 3), rows of positions, counter-clockwise seen from the front. normals:
        (n, 3), length 1; None: smooth ones are made. uv: (n, 2), v points down. colors: (n, 4), linear, multiply the
        material's color. Arrays are copied. The mesh is no state, and stays for later scenes: put it again when its
        content has changed, also after a restore. Raises UsageError for arrays that do not fit.
        """
        asset, mesh = MADE + name, mesh_of(name, positions, indices, normals, uv, colors)
        existing = self._files.get(asset) if asset in self._made else None
        self._made[asset] = mesh
        if existing is None:
            existing = model_of_mesh(self.library, mesh, 0)
        else:
            number = existing.pieces[0].mesh
            self.library.meshes[number] = mesh
            if number in self._tangents:
                self.library.meshes[self._tangents[number]] = _with_tangents(mesh)
            self.library.touch()
            existing = replace(existing, bounds=mesh.bounds)
        self._files[asset] = existing
        self._models = {key: model for key, model in self._models.items() if key[0] != asset}
        self.version += 1

    def picture(self, world: World, path: str, *, encoded: bool) -> int:
        """Return the number of a picture by its path, or of a camera's picture; -1 for an empty path."""
        if not path:
            return -1
        if path.startswith(CAMERA):
            name = path.removeprefix(CAMERA)
            if name not in self.cameras:
                self.cameras.append(name)
            return at.INPUT_PAGE - self.cameras.index(name)
        key = (path, -1, encoded)
        if key not in self._pages:
            self._pages[key] = put_picture(
                self.library, self.pictures.get(world, path), encoded=encoded, largest=self.largest
            )
        return self._pages[key]

    def square(self) -> int:
        """Return the number of the mesh of billboards: a square of side 1 that faces +z."""
        if "" not in self._files:
            self._files[""] = model_of_mesh(self.library, _shape(""), 0)
        return self._files[""].pieces[0].mesh

    def rows_of(self, world: World, table: Any, only: Array | None = None) -> tuple[Array, Array, Array]:
        """Return the different materials of a table of Material3D, and which each one has, see `component_rows`."""
        return component_rows(table, lambda text, encoded: self.picture(world, world.text(text), encoded=encoded), only)

    def with_tangents(self, mesh: int) -> int:
        """Return the number of a mesh with tangents: the mesh itself if it has them or has no texture coordinates."""
        data = self.library.meshes[mesh]
        if data.tangents is not None or data.uv0 is None:
            return mesh
        if mesh not in self._tangents:
            self.library.meshes.append(_with_tangents(data))
            self.library.touch()
            self._tangents[mesh] = len(self.library.meshes) - 1
        return self._tangents[mesh]

    def _whole(self, world: World, asset: str) -> ModelData:
        if asset in self._files:
            return self._files[asset]
        loaded = self._load(world, asset)
        if asset in self._made:
            model = model_of_mesh(self.library, self._made[asset], 0)
        elif loaded is not None:
            model = convert(self.library, loaded, asset, lambda index: self._material(world, loaded, asset, index))
        else:
            name = asset if asset in MODEL_SHAPES else "box"
            magenta = plain_row()
            magenta[at.BASE + 1], magenta[at.MODEL] = 0, at.UNLIT
            model = model_of_mesh(self.library, _shape(name), 0 if asset in MODEL_SHAPES else self._number(magenta))
        self._files[asset] = model
        return model

    def _load(self, world: World, asset: str) -> Model | None:
        """Return the model of a file; None for a shape, and for a file that can't be loaded."""
        if asset in MODEL_SHAPES or asset in self._made:
            return None
        if asset.startswith(MADE):
            name = asset.removeprefix(MADE)
            self._log.error(f"no model {asset!r} was made. Call world[Models3D].put({name!r}, ...) first")
            return None
        if not asset.lower().endswith(MODEL_SUFFIXES):
            self._log.error(unknown_model(asset))
            return None
        return self.files.get(world, asset)

    def _read(self, asset: str, read: AssetReader) -> Model | None:
        """Return the content of a model's file, for the library, and log what is left out."""
        loaded: Model = read()
        for warning in loaded.warnings:
            self._log(f"{asset}: {warning}")
        return loaded if loaded.name else None

    def _material(self, world: World, model: Model, asset: str, index: int) -> int:
        if index < 0:
            return 0

        def page(image: int, encoded: bool) -> int:
            key = (asset, image, encoded)
            if key not in self._pages:
                world[Assets].tell(asset)
                try:
                    pixels = model.images[image].decode()
                except GltfError as error:
                    self._log.error(str(error))
                    pixels = checkerboard()
                self._pages[key] = put_picture(self.library, pixels, encoded=encoded, largest=self.largest)
            return self._pages[key]

        return self._number(file_row(model.materials[index], page))

    def _number(self, row: Array) -> int:
        """Return the number of a row among the materials of files; equal ones share it."""
        key = row.tobytes()
        if key not in self._numbers:
            self._numbers[key] = len(self.materials)
            self.materials.append(row)
            self.version += 1
        return self._numbers[key]

    def _picture_changed(self, path: str) -> None:
        """Replace the pixels of an edited picture; if it is gone or has another size, forget everything."""
        pixels = self.pictures.renew(path)
        for number in [number for key, number in self._pages.items() if key[:2] == (path, -1)]:
            if pixels is None or not replace_picture(self.library, number, pixels, self.largest):
                self.clear()
                return


def _read_picture(path: str, read: AssetReader) -> npt.NDArray[np.uint8]:
    pixels = read()
    if getattr(pixels, "ndim", 0) != 3:
        raise AssetError(no_picture(path))
    return pixels


def no_picture(path: str) -> str:
    """Return the sentence about a file that is used as a picture but is none."""
    return f"{path!r} is no picture. Name a picture, such as a *.png or *.jpg file, or {CAMERA}NAME"


@functools.cache
def _shape(name: str) -> MeshData:
    mesh = shape_mesh(name)
    return MeshData(name, mesh.indices, mesh.positions, mesh.normals, mesh.bounds, tangents=mesh.tangents, uv0=mesh.uv0)


def _with_tangents(mesh: MeshData) -> MeshData:
    """Return a mesh with tangents; a vertex that mirrored and plain triangles share becomes two."""
    assert mesh.uv0 is not None
    source, faces, tangents = make_tangents(mesh.positions, mesh.normals, mesh.uv0, mesh.indices)
    attributes = {
        name: None if (array := getattr(mesh, name)) is None else np.ascontiguousarray(array[source])
        for name in ("positions", "normals", "uv0", "uv1", "colors", "joints", "weights")
    }
    targets = None if mesh.targets is None else np.ascontiguousarray(mesh.targets[:, :, source])
    return replace(mesh, indices=faces, tangents=tangents, targets=targets, **attributes)
