"""Draws lit sheets onto the frame with OpenGL."""

from __future__ import annotations

from functools import partial
from typing import Any

from rish_frame import Batch, DrawTarget, Pass, PerContext

from .programs import Screen


class ArcadeGround:
    """Draws `light.ground`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._screen = PerContext(partial(Screen, fragment="ground.frag"))

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw the first input of the pass over the target."""
        self._screen(device).render((), {"ground": next(iter(target.inputs.values()))})


class ArcadeLay:
    """Draws `light.lay`."""

    needs = frozenset({"targets", "float", "copy"})
    steady = True

    def __init__(self) -> None:
        self._screen = PerContext(partial(Screen, fragment="lay.frag"))

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Draw a sheet with its light onto the target."""
        lit, glows, reads, encoded = (bool(flag) for flag in batch.arrays["flags"])
        screen = self._screen(device)
        names = [("LIT", lit), ("EMISSION", glows), ("READS", reads), ("ENCODED", encoded)]
        inputs = (("sheet", True), ("light", lit), ("emission", glows), ("below", reads))
        samplers = [name for name, wanted in inputs if wanted]
        (screen.render if encoded else screen.replace)(
            [name for name, wanted in names if wanted],
            dict(zip(samplers, target.inputs.values(), strict=True)),
            scale=(1 / target.size[0], 1 / target.size[1]),
            glow=float(batch.arrays["glow"][0]),
        )
