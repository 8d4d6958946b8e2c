"""Runs the compute work of a frame on the graphics card. Its arrays stay there, as long as nobody asks for them.

A shader that does not compile is reported with the author's file and line. The last version that compiled stays in use;
if there is none, the fallback does the work, and its arrays are uploaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any
from weakref import ref

from rish_frame import INSTANCE, Batch, Compute, DeviceArray, DrawStats, Frame, PerVersion
from rish_frame.frame import Dispatch, element_of
from rish_jit import Array

from ..compute_program import ComputeProgram
from ..device import Device, ShaderError
from ..programs import text
from ..shader_errors import AFTER, OURS, explain
from .buffers import Form, Rows

VERSION = (4, 3)
"""The first version of OpenGL with compute shaders."""
DIRECT = frozenset({"sprites"})
"""The kinds whose arrays are drawn from the device. For other kinds they are copied back."""


@dataclass
class DeviceCopy:
    """The copy of an array on the device."""

    buffer: Any
    rows: dict[Form, Rows] = field(default_factory=dict[Form, Rows])


class ComputeRunner:
    """The compiled compute shaders and the arrays on the device. able: whether the device has compute shaders."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._programs: dict[str, tuple[Compute, ComputeProgram | None, str]] = {}
        self._copies = PerVersion[DeviceCopy]()
        self._owners: dict[int, ref[DeviceArray]] = {}
        self.able: bool = device.ctx.gl_version >= VERSION

    def run(self, frame: Frame) -> DrawStats:
        """Compile what is new or has changed, and do the frame's work in order."""
        stats = DrawStats()
        if not self.able or not frame.computes:
            return stats
        self._programs = {name: program for name, program in self._programs.items() if name in frame.computes}
        for compute in frame.computes.values():
            self._compiled(compute, stats)
        for order in frame.dispatches:
            if not order.done:
                self._do(order, stats)
        return stats

    def _do(self, order: Dispatch, stats: DrawStats) -> None:
        program = self._compiled(order.compute, stats)
        if program is None:
            order.run_fallback()
            return
        order.done = True
        gl = self._device.gl
        program.use(order.threads, order.values)
        copies = [(array, self._upload(array, stats)) for array in order.arrays.values()]
        for number, (_, copy) in enumerate(copies):
            copy.buffer.bind_to_storage_buffer(binding=number)
        gl.glDispatchCompute(*order.groups)
        gl.glMemoryBarrier(
            gl.GL_SHADER_STORAGE_BARRIER_BIT | gl.GL_VERTEX_ATTRIB_ARRAY_BARRIER_BIT | gl.GL_BUFFER_UPDATE_BARRIER_BIT
        )
        for array, copy in copies:
            array.changed(lambda into, copy=copy: self._read(copy, into))
            self._copies.put(array, copy)
        stats.draw_calls += 1

    # Arrays

    def _upload(self, array: DeviceArray, stats: DrawStats) -> DeviceCopy:
        """Return the copy of an array with its newest contents."""

        def make() -> DeviceCopy:
            self._owners = {key: owner for key, owner in self._owners.items() if owner() is not None}
            self._owners[id(array.array)] = ref(array)
            return DeviceCopy(self._device.buffer(max(array.array.nbytes, 4), stream=False))

        def write(copy: DeviceCopy, array: DeviceArray) -> None:
            newest = array.fetch()
            self._device.use()  # the contents may come from another device
            self._device.fill(copy.buffer, [newest])
            stats.bytes_uploaded += newest.nbytes

        return self._copies.written(array, make, write)

    def _read(self, copy: DeviceCopy, into: Array) -> None:
        """Copy an array back; this waits for the device."""
        device = self._device
        device.use()
        gl = device.gl
        gl.glBindBuffer(gl.GL_ARRAY_BUFFER, copy.buffer.glo)
        gl.glGetBufferSubData(gl.GL_ARRAY_BUFFER, 0, into.nbytes, into.ctypes.data)

    def copy_of(self, array: Array) -> DeviceCopy | None:
        """Return the copy of a batch's array if it is newer than the array itself."""
        owner = self._owner(array)
        return self._copies.get(owner) if owner is not None else None

    def rows(self, array: Array, form: Form) -> Rows | None:
        """Return the copy of an array as rows that can be drawn, if it is newer than the array itself."""
        copy = self.copy_of(array)
        if copy is None:
            return None
        if form not in copy.rows:
            described = self._device.describe(copy.buffer, form.formats, form.names, instanced=True)
            copy.rows[form] = Rows(copy.buffer, self._device.geometry([described]), array.nbytes // form.stride)
        return copy.rows[form]

    def buffers(self, batch: Batch) -> dict[str, Any]:
        """Return the buffers of a batch's arrays that are newer on the device, by name."""
        copies = {name: self.copy_of(array) for name, array in batch.arrays.items()} if self._owners else {}
        return {name: copy.buffer for name, copy in copies.items() if copy is not None}

    def settle(self, batches: Iterable[Batch]) -> None:
        """Copy back the arrays of batches of a kind that can't be drawn from the device."""
        if not self._owners:
            return
        for array in [array for batch in batches if batch.kind not in DIRECT for array in batch.arrays.values()]:
            owner = self._owner(array)
            if owner is not None:
                owner.fetch()

    def close(self, *, alive: bool) -> None:
        """Copy all arrays back, so that another backend goes on from there. alive: False if the context is gone."""
        for array in [array for owner in self._owners.values() if (array := owner()) is not None]:
            if not array.on_device or self._copies.get(array) is None:
                continue
            if alive:
                array.fetch()
            else:
                array.changed()
        self._copies.clear()
        self._owners.clear()

    def _owner(self, array: Array) -> DeviceArray | None:
        """Return the `DeviceArray` of an array whose copy here is newer than the array; None for any other."""
        reference = self._owners.get(id(array))
        owner = reference() if reference is not None else None
        if owner is None or owner.array is not array or not owner.on_device:
            return None
        return owner if self._copies.get(owner) is not None else None

    # Shaders

    def _compiled(self, compute: Compute, stats: DrawStats) -> ComputeProgram | None:
        """Return the newest version that compiled, or None. The error of a newer version is reported."""
        last = self._programs.get(compute.name)
        if last is None or last[0] is not compute:
            last = self._programs[compute.name] = (compute, *self._make(compute, last[1] if last else None))
        if last[2]:
            stats.skip(f"compute:{compute.name}", last[2])
        return last[1]

    def _make(self, compute: Compute, before: ComputeProgram | None) -> tuple[ComputeProgram | None, str]:
        if not compute.source:  # its file can't be read, which was reported
            return None, ""
        try:
            return ComputeProgram(self._device, compute_source(compute), ("threads", *compute.uniforms)), ""
        except ShaderError as error:
            complaint = explain(str(error), compute.file or compute.name, compute.source)
            instead = "its fallback runs" if before is None else "the last version that compiled is used"
            return before, f"{complaint}; {instead}"


def compute_source(compute: Compute) -> str:
    """Return the complete shader; the author's text keeps its line numbers."""
    x, y, z = compute.group_size
    lines = ["#version 430", f"#line {OURS}", f"layout(local_size_x = {x}, local_size_y = {y}, local_size_z = {z}) in;"]
    lines += ["uniform uvec3 threads;", *(f"uniform {kind} {name};" for name, kind in compute.uniforms.items())]
    for number, (name, spec) in enumerate(compute.arrays.items()):
        element = element_of(spec)
        lines.append(f"layout(std430, binding = {number}) buffer rish_{number} {{ {element} {name}[]; }};")
    if any(spec.dtype == INSTANCE for spec in compute.arrays.values()):
        lines.append(text("compute"))
    return "\n".join([*lines, "#line 1", compute.source, f"#line {AFTER}", "", ""])
