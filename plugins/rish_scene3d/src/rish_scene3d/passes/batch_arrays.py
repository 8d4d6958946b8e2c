"""The arrays of batches, from the draw list and the light of a view."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Batch
from rish_jit import Array

from .. import layout as at
from ..models.store import Models3D
from ..scene.drawlist import DrawList
from ..scene.lights import SceneLights
from ..scene.listing.cuts import Cut
from .kinds import DEPTHS, GBUFFER, SHADE, SKY, SURFACES, Surfaces

_NO_PALETTES, _NO_MORPHS = np.zeros((0, 3, 4), np.float32), np.zeros(0, np.float32)
SOURCE = "scene3d"
NO_PICTURE = np.zeros((1, 1, 3), np.float32)


class Parts:
    """Creates the batches of one frame; arrays that are equal to those of the last frame stay the same objects."""

    def begin(self, draw_list: DrawList, store: Models3D) -> None:
        """Use the draw list of this frame."""
        self.drawn, self.store = draw_list, store

    def things(self, cut: Cut) -> dict[str, Array]:
        """Return the arrays of the instances of a pass; joints and weights only if an instance has some."""
        attached, instances = self.drawn.models.attachment, cut.instances
        bent = len(attached.palettes) and (instances["palette"] >= 0).any()
        mixed = len(attached.morphs) and (instances["morph"] >= 0).any()
        return {
            "instances": instances,
            "runs": cut.runs,
            "palettes": attached.palettes if bent else _NO_PALETTES,
            "morphs": attached.morphs if mixed else _NO_MORPHS,
            "materials": self.drawn.models.materials.table,
        }

    def surfaces(self, cut: Cut, light: dict[str, Array], z: float) -> Surfaces:
        """Return the batch of lit surfaces."""
        return self._batch(SURFACES, cut, light, z)

    def again(self, before: Surfaces, cut: Cut) -> Surfaces:
        """Return a batch with other instances, in which all else is as before."""
        return self._batch(before.kind, cut, before.arrays, before.z)

    def gbuffer(self, cut: Cut) -> Surfaces:
        """Return the batch of surfaces for deferred light."""
        return self._batch(GBUFFER, cut, {}, 1.0)

    def depths(self, cut: Cut, eye: Array, reach: float) -> Surfaces:
        """Return the batch of the casters of a shadow map."""
        lamp = {"eye": np.asarray(eye, np.float32), "reach": np.array([reach], np.float32)}
        return self._batch(DEPTHS, cut, lamp, 1.0)

    def shade(self, light: dict[str, Array]) -> Batch:
        """Return the batch of deferred light."""
        return Batch(SHADE, dict(light), z=1.0, count=1, source=SOURCE)

    def sky(self, lights: SceneLights) -> Batch:
        """Return the batch of the sky; a black one if the scene has none."""
        picture = NO_PICTURE if lights.picture is None else lights.picture
        arrays = {"picture": picture, "suns": lights.suns, "scene": lights.scene}
        return Batch(SKY, arrays, z=0.0, blend="replace", count=1, source=SOURCE)

    def light(self, lights: SceneLights, first: int) -> dict[str, Array]:
        """Return the arrays of the light of a view in a pass whose shadow maps begin with input number `first`."""
        return {
            "suns": _shifted(lights.suns, at.SUN_MAP, first),
            "lamps": _shifted(lights.lamps, at.LAMP_MAP, first),
            "clusters": lights.clusters,
            "cluster_lamps": lights.cluster_lamps,
            "ambient": lights.ambient,
            "atlas": lights.atlas,
            "scene": lights.scene,
        }

    def _batch(self, kind: Any, cut: Cut, others: dict[str, Array], z: float) -> Surfaces:
        return Surfaces(
            kind, {**others, **self.things(cut)}, z=z, source=SOURCE, library=self.store.library,
            tables=self.drawn.models.materials.version, patch=cut.patch,
        )  # fmt: skip


def _shifted(rows: Array, column: int, first: int) -> Array:
    """Return lights whose maps have numbers that are greater by `first`; -1 stays."""
    if not first or not len(rows):
        return rows
    shifted = rows.copy()
    shifted[:, column] = np.where(rows[:, column] >= 0, rows[:, column] + first, rows[:, column])
    return shifted
