"""Draws the things of a batch: their instances, poses and materials are uploaded, then one draw call for each run."""

from __future__ import annotations

import logging
from ctypes import c_float
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, PerVersion
from rish_jit import Array

from ... import layout as at
from ...light.albedo import albedo_rows
from ...light.formulas import MIN_ROUGHNESS
from ...passes.kinds import Surfaces
from .instance_buffer import InstanceBuffer
from .meshes import Mesh, Meshes
from .pages import Pages
from .plans import Run, inputs_shown, material_bits, plan
from .programs import TABLES, THINGS, UNITS, Program, Programs, Shader
from .sources import Samplers, Sources, text_of
from .tables import Shared, Table

_MOVING = frozenset({"SKIN 4", "SKIN 8", "MORPHS"})
_STATE = at.DOUBLE_SIDED | at.MIRRORED | at.BLENDED
"""The flags of a run that change the state of OpenGL."""
_OF_MAPS = frozenset({"UV", "UV1"})
_log = logging.getLogger("rish.scene3d")
_SHORT = (
    "this graphics card has room for %d pictures and shadow maps at once, so some lights have no shadows on some "
    "models; give fewer lights shadows, or the models pictures of fewer sizes"
)


@dataclass(frozen=True)
class Look:
    """The parameters of the fragment shaders of one kind.

    files: GLSL files. known: the features of runs that matter. cuts: whether they matter only in masked runs. defines:
    further features. lamp_maps, sun_maps: see `sources`. values: uniforms.
    """

    files: tuple[str, ...]
    known: frozenset[str]
    defines: frozenset[str] = frozenset()
    lamp_maps: tuple[int, ...] = ()
    sun_maps: tuple[int, ...] = ()
    cuts: bool = False
    values: dict[str, Any] = field(default_factory=dict[str, Any])

    def features(self, run: Run, mesh: Mesh) -> frozenset[str]:
        """Return the `#define`s of a run of a mesh that its shader uses."""
        features = frozenset[str]() if self.cuts and "MASKED" not in run.features else run.features & self.known
        shape = mesh.features & _MOVING
        if "MAPS" in features:
            shape |= mesh.features & _OF_MAPS
        if "MAP_NORMAL" in features:
            shape |= mesh.features & {"TANGENT"}
        if "COLOR" in self.known or "MASKED" in features:
            shape |= mesh.features & {"COLOR"}
        return features | shape | self.defines


class Materials:
    """A table of materials on the graphics card.

    bits: what the shader of each row needs, see `plans`. shown: numbers of the inputs of the pass that they show.
    """

    def __init__(self, ctx: Any) -> None:
        self.table = Table(ctx)
        self.bits = np.zeros(0, np.int64)
        self.shown: tuple[int, ...] = ()
        self._rows = np.zeros((0, at.MATERIAL), np.float32)
        self._vectors: dict[int, tuple[Any, Any]] = {}

    def write(self, rows: Array) -> None:
        """Write the rows."""
        self.table.write(rows)
        self.bits, self.shown = material_bits(rows), inputs_shown(rows)
        self._rows, self._vectors = rows.copy(), {}

    def give(self, row: int, program: Program) -> None:
        """Set the uniforms of a program in use to the numbers of a row and the factors of its albedo."""
        vectors = self._vectors.get(row)
        if vectors is None:
            numbers = self._rows[row].tolist()
            factors = albedo(numbers[at.ROUGHNESS]).tolist()
            vectors = self._vectors[row] = (c_float * len(numbers))(*numbers), (c_float * len(factors))(*factors)
        program.set_vectors("material", vectors[0])
        program.set_vectors("albedo", vectors[1])


class Uploaded:
    """The things of one batch on the graphics card. own: materials of a batch that shares none."""

    def __init__(self, ctx: Any) -> None:
        self.instances = InstanceBuffer(ctx)
        self.palettes, self.morphs, self.own = Table(ctx), Table(ctx, 1), Materials(ctx)
        self.materials = self.own
        self.runs: list[Run] = []


class Things:
    """The meshes, pictures, tables and programs of one context."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self._meshes, self._pages, self._programs = Meshes(ctx), Pages(ctx), Programs(ctx)
        self._uploaded, self._materials = PerVersion[Uploaded](), PerVersion[Materials]()
        self._palettes, self._morphs = Shared(lambda: Table(ctx)), Shared(lambda: Table(ctx, 1))
        self._chosen: dict[Any, tuple[Program, bool]] = {}
        self._looks: dict[Any, int] = {}
        self._warned = False

    def _fill(self, uploaded: Uploaded, batch: Batch) -> None:
        uploaded.instances.write(batch.arrays["instances"], batch.patch)
        palettes, morphs = batch.arrays["palettes"], batch.arrays["morphs"]
        if batch.static:
            uploaded.palettes, uploaded.morphs = self._palettes(palettes), self._morphs(morphs)
        else:
            uploaded.palettes.write(palettes)
            uploaded.morphs.write(morphs)
        uploaded.materials = self._rows(batch, uploaded)
        uploaded.runs = plan(batch.arrays["runs"], uploaded.instances.materials, uploaded.materials.bits)

    def _rows(self, batch: Batch, uploaded: Uploaded) -> Materials:
        """Return the table of materials; batches of a library with the same version of it share one."""
        rows = batch.arrays["materials"]
        if not isinstance(batch, Surfaces) or not batch.tables:
            uploaded.own.write(rows)
            return uploaded.own
        materials = self._materials.get(batch.library, batch.tables)
        if materials is None:
            materials = self._materials.put(batch.library, Materials(self.ctx), batch.tables)
            materials.write(rows)
        return materials

    def draw(self, batch: Batch, target: DrawTarget, look: Look) -> None:
        """Upload the changed data of a batch and draw all its runs in order."""
        assert isinstance(batch, Surfaces), f"a batch of {batch.kind} must be a Surfaces, with its library"
        uploaded = self._uploaded.written(batch, lambda: Uploaded(self.ctx), self._fill)
        if not uploaded.runs:
            return
        inputs = uploaded.materials.shown if "PICTURES" in look.known else ()
        sources = Sources(0, inputs, look.lamp_maps, look.sun_maps)
        samplers, linear = sources.use(target)
        number = self._looks.setdefault((look.files, look.defines, sources, linear), len(self._looks))
        uploaded.materials.table.use(UNITS["materials"])
        uploaded.palettes.use(UNITS["palettes"])
        uploaded.morphs.use(UNITS["morphs"])
        state = -1
        for run in uploaded.runs:
            data = batch.library.meshes[run.mesh]
            if not data.indices.size:
                continue
            mesh = self._meshes(data)
            key = (run.features, mesh.features, len(run.classes), number)
            program, single = self._chosen.get(key) or self._choose(key, run, mesh, look, (sources, linear, samplers))
            if run.classes:
                program.set(**self._pages.use(batch.library, run.classes))
            if state != run.flags & _STATE:
                state = run.flags & _STATE
                self._turn(state, target)
            if look.values:
                program.set(**look.values)
            program.native.use()
            if single:
                uploaded.materials.give(run.material, program)
            _draw_run(uploaded, run, mesh, program)

    def _choose(
        self, key: Any, run: Run, mesh: Mesh, look: Look, reads: tuple[Sources, tuple[bool, ...], Samplers]
    ) -> tuple[Program, bool]:
        """Return the program for a run of a mesh, and whether it takes the numbers of one material as uniforms."""
        sources, linear, samplers = reads
        features = look.features(run, mesh)
        sources = sources._replace(classes=len(run.classes) if "PAGED" in features else 0)
        fitting = sources.fitting(self.ctx.info.MAX_TEXTURE_IMAGE_UNITS - TABLES)
        if fitting.short and not self._warned:
            self._warned = True
            _log.warning(_SHORT, len(fitting.numbers) + fitting.classes)
        text = text_of(fitting, linear)
        program = self._programs(Shader(THINGS, look.files, features, text, samplers))
        choice = self._chosen[key] = program, "ONE_MATERIAL" in features
        return choice

    def _turn(self, flags: int, target: DrawTarget) -> None:
        """Set culling, winding and writing of depth for runs with these flags."""
        ctx = self.ctx
        (ctx.disable if flags & at.DOUBLE_SIDED else ctx.enable)(ctx.CULL_FACE)
        ctx.front_face = "cw" if flags & at.MIRRORED else "ccw"
        target.native.depth_mask = not flags & at.BLENDED


def albedo(roughness: float) -> Array:
    """Return the twelve factors of `albedo_rows` at a roughness."""
    rows = albedo_rows()
    row_position = min(max(roughness, MIN_ROUGHNESS), 1.0) * (len(rows) - 1)
    row = min(int(row_position), len(rows) - 2)
    return rows[row] + (rows[row + 1] - rows[row]) * (row_position - row)


def _draw_run(uploaded: Uploaded, run: Run, mesh: Mesh, program: Program) -> None:
    """Draw a run of a mesh."""
    if mesh.deltas is not None:
        mesh.deltas.use(UNITS["deltas"])
        program.set(target_count=mesh.targets, vertex_count=mesh.vertices)
    mesh.draw(uploaded.instances.buffer, run.first, run.count)
