"""Draws lit sheets onto the frame with OpenGL."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from rish_frame import Batch, DrawTarget, Pass

from .programs import Programs, put


class ArcadeLay:
    """Draws `light.lay`."""

    needs = frozenset({"targets", "float", "copy"})
    steady = True

    def __init__(self) -> None:
        self._contexts: WeakKeyDictionary[Any, tuple[Programs, Any]] = WeakKeyDictionary()

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw a sheet with its light onto the target."""
        known = self._contexts.get(device)
        if known is None:
            known = self._contexts[device] = (Programs(device), device.geometry([], mode=device.TRIANGLES))
        programs, triangle = known
        lit, glows, reads, encoded = (bool(flag) for flag in batch.arrays["flags"])
        names = [("LIT", lit), ("EMISSION", glows), ("READS", reads), ("ENCODED", encoded)]
        program = programs.program("", "lay.frag", [name for name, wanted in names if wanted])
        if not encoded:
            device.disable(device.BLEND)
        known_inputs = (("sheet", True), ("light", lit), ("emission", glows), ("below", reads))
        samplers = [name for name, wanted in known_inputs if wanted]
        for unit, (name, texture) in enumerate(zip(samplers, target.inputs.values(), strict=True)):
            texture.use(unit)
            put(program, **{name: unit})
        put(program, scale=(1 / target.size[0], 1 / target.size[1]), glow=float(batch.arrays["glow"][0]))
        triangle.render(program, vertices=3)
        device.enable(device.BLEND)
