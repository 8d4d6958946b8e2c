"""Draws the things of a batch: their instances, poses and materials are uploaded, then one draw call for each run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from rish_frame import Batch, DrawTarget

from ... import layout as at
from ...models.library import Library
from ...passes.kinds import Surfaces
from .meshes import Mesh, Meshes
from .pages import Pages
from .plans import Run, inputs_shown, plan
from .programs import FIRST_UNIT, THINGS, UNITS, Program, Programs, Shader
from .sources import Sources, text_of
from .tables import Kept, Table

_MOVING = frozenset({"SKIN 4", "SKIN 8", "MORPHS"})
_OF_MAPS = frozenset({"UV", "UV1"})


@dataclass(frozen=True)
class Look:
    """What the fragment shaders of one kind need.

    files: GLSL files. known: the features of runs that matter. colours: whether the colours of vertices matter.
    defines: further features. maps: numbers of inputs that are shadow maps. values: uniforms.
    """

    files: tuple[str, ...]
    known: frozenset[str]
    defines: frozenset[str] = frozenset()
    maps: tuple[int, ...] = ()
    values: dict[str, Any] = field(default_factory=dict[str, Any])

    def features(self, run: Run, mesh: Mesh) -> frozenset[str]:
        """Return the `#define`s of a run of a mesh; what its shader does not use is left out."""
        wanted = run.features & self.known
        shape = mesh.features & _MOVING
        if "MAPS" in wanted:
            shape |= mesh.features & _OF_MAPS
        if "MAP_NORMAL" in wanted:
            shape |= mesh.features & {"TANGENT"}
        if "COLOR" in self.known or "MASKED" in wanted:
            shape |= mesh.features & {"COLOR"}
        return wanted | shape | self.defines


class Uploaded:
    """The things of one batch on the graphics card. shown: numbers of the inputs that materials show."""

    def __init__(self, ctx: Any) -> None:
        self.instances: Any = None
        self.palettes, self.morphs, self.materials = Table(ctx), Table(ctx, 1), Table(ctx)
        self.runs: list[Run] = []
        self.shown: tuple[int, ...] = ()


class Things:
    """The meshes, pictures, tables and programs of one context."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self.programs = Programs(ctx)
        self._meshes, self._pages = Meshes(ctx), Pages(ctx)
        self._kept = Kept(lambda: Uploaded(ctx), self._fill)
        self._materials: WeakKeyDictionary[Library, tuple[int, Table]] = WeakKeyDictionary()

    def _fill(self, made: Uploaded, batch: Batch) -> None:
        data = np.ascontiguousarray(batch.arrays["instances"]).tobytes()
        if made.instances is None or made.instances.size != len(data):
            made.instances = self.ctx.buffer(data=data) if data else None
        else:
            made.instances.orphan()
            made.instances.write(data)
        made.palettes.write(batch.arrays["palettes"])
        made.morphs.write(batch.arrays["morphs"])
        made.runs, made.shown = plan(batch), inputs_shown(batch)
        if not getattr(batch, "tables", 0):
            made.materials.write(batch.arrays["materials"])

    def _table(self, batch: Surfaces, made: Uploaded) -> Table:
        """Return the table of materials; batches of a library with the same version of it share one."""
        if not batch.tables:
            return made.materials
        known = self._materials.get(batch.library)
        if known is None or known[0] != batch.tables:
            table = known[1] if known is not None else Table(self.ctx)
            table.write(batch.arrays["materials"])
            known = self._materials[batch.library] = (batch.tables, table)
        return known[1]

    def draw(self, batch: Batch, target: DrawTarget, look: Look) -> None:
        """Upload what changed of a batch and draw all its runs in order."""
        assert isinstance(batch, Surfaces), f"a batch of {batch.kind} must be a Surfaces, with its library"
        made = self._kept(batch)
        if made.instances is None:
            return
        shown = made.shown if "MAP_BASE" in look.known else ()
        sources = Sources(len(batch.library.pages), shown, look.maps)
        samplers, linear = sources.use(target)
        self._pages.use(batch.library, FIRST_UNIT)
        self._table(batch, made).use(UNITS["materials"])
        made.palettes.use(UNITS["palettes"])
        made.morphs.use(UNITS["morphs"])
        text = text_of(sources, linear)
        for run in made.runs:
            mesh = self._meshes(batch.library.meshes[run.mesh])
            program = self.programs(Shader(THINGS, look.files, look.features(run, mesh), text, samplers))
            program.set(**look.values)
            self._run(made, run, mesh, program, target)

    def _run(self, made: Uploaded, run: Run, mesh: Mesh, program: Program, target: DrawTarget) -> None:
        ctx = self.ctx
        (ctx.disable if run.flags & at.DOUBLE_SIDED else ctx.enable)(ctx.CULL_FACE)
        ctx.front_face = "cw" if run.flags & at.MIRRORED else "ccw"
        target.native.depth_mask = not run.flags & at.BLENDED
        if mesh.deltas is not None:
            mesh.deltas.use(UNITS["deltas"])
            program.set(target_count=mesh.targets, vertex_count=mesh.vertices)
        program.native.use()
        mesh.draw(made.instances, run.first, run.count)
