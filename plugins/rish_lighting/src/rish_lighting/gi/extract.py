"""EXTRACT: light of what glows, added to the light of lit layers by a pass of its own."""

from __future__ import annotations

import itertools
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Batch, Frame, Stage, resource, system
from rish_core.frame.passes import Pass

from ..drawers.matrices import matrices
from ..extract import Lighting
from ..settings import Settings
from ..walls import Walls, gather_walls, is_open
from .grades import GRADES, Grade
from .kinds import GLOW

if TYPE_CHECKING:
    from rish_core import World

Array = npt.NDArray[Any]
_versions = itertools.count(1)


@resource(derived=True)
class Glow:
    """The walls as texels, by pass, and what they were made from; the passes. software: whether no card draws."""

    card: bool = True
    walls: Any = dataclass_field(default_factory=Walls.none)
    grids: dict[str, tuple[Any, Array, int]] = dataclass_field(default_factory=dict[str, Any])
    passes: dict[str, Pass] = dataclass_field(default_factory=dict[str, Pass])

    def rebuild(self, world: World) -> None:
        """After a restore the walls are looked at again."""
        self.walls = Walls.none()
        self.grids.clear()


@system(
    Stage.EXTRACT, reads=(Settings, Lighting), writes=(Frame, Glow), after="lighting.light",
    before=("lighting.veil", "lighting.post", "render.apply_materials"),
)  # fmt: skip
def glow(world: World, dt: float) -> None:
    """`lighting.glow`: where sprites glow and layers are lit, let them light these."""
    frame, settings = world[Frame], world[Settings]
    grade = GRADES.get(str(settings.gi))
    wanted: list[str] = []
    if grade is not None and world[Lighting].able:
        for lay in [pass_ for pass_ in frame.passes.values() if pass_.name.startswith("light.lay.")]:
            light = next((name for name in lay.inputs if name.startswith("light.light.")), "")
            emission = next((name for name in lay.inputs if name.startswith(f"{lay.inputs[0]}:")), "")
            name = f"{GLOW}.{light.rpartition('.')[2]}"
            lamps = frame.passes.get(f"light.lights.{light.rpartition('.')[2]}.0")
            if light and emission and lamps is not None and name not in wanted:
                wanted.append(name)
                _put(world, name, lay, lamps, emission, grade)
    for name in [name for name in frame.passes if name.startswith(f"{GLOW}.") and name not in wanted]:
        frame.remove_pass(name)


def prepare_glow(app: Any) -> None:
    """Note whether a card draws."""
    app.world[Glow].card = "materials" in app.backend.capabilities


def _put(world: World, name: str, lay: Pass, lamps: Pass, emission: str, grade: Grade) -> None:
    """Put a pass into the frame that adds light to a target of lamps."""
    frame, settings, memory = world[Frame], world[Settings], world[Glow]
    pass_ = memory.passes.setdefault(name, Pass(name, rank="lights"))
    if frame.passes.get(name) is not pass_:
        frame.add_pass(pass_, replace=True)
    pass_.targets, pass_.inputs = lamps.targets, (emission,)
    pass_.view, pass_.projection, pass_.viewport = lamps.view, lamps.projection, lamps.viewport
    others = [
        other.name for other in frame.passes.values() if other.name.startswith(lamps.name.rpartition(".")[0] + ".")
    ]
    pass_.after = (*(lamps.after if isinstance(lamps.after, tuple) else (lamps.after,)), *others)
    pass_.before = (lay.name,)
    solid, version = _solid(world, name, pass_, grade)
    arrays = {
        "solid": solid,
        "version": np.array([version], np.int64),
        "numbers": np.array(
            [settings.emission, settings.gi_strength, settings.gi_albedo, grade.directions], np.float32
        ),
    }
    pass_.batches.append(Batch(GLOW, arrays, blend="add", count=1, source="lighting.gi"))


def _solid(world: World, name: str, pass_: Pass, grade: Grade) -> tuple[Array, int]:
    """uint8 (h, w): the walls as this pass shows them, and a number that is new where they are."""
    from .walls_kernels import rasterise

    frame, memory = world[Frame], world[Glow]
    wide, high = frame.target(pass_.targets[0]).pixel_size(frame.size)
    share = min((grade.side if memory.card else grade.plain_side) / max(wide, high), 1.0)
    size = (max(round(wide * share), 1), max(round(high * share), 1))
    walls = memory.walls = gather_walls(world, memory.walls)
    linear, shift = matrices(pass_, size, (0.0, 0.0))
    stamp = (walls.version, size, linear.tobytes(), shift.tobytes())
    known = memory.grids.get(name)
    if known is not None and known[0] == stamp:
        return known[1], known[2]
    ends = walls.edges.reshape(-1, 2).astype(np.float64)
    places = ((ends @ linear.T + shift + 1) * (np.array(size) / 2)).ravel()
    solid = np.zeros((size[1], size[0]), np.uint8)
    if len(walls):
        rasterise(places, ~is_open(walls.edges), solid)
    memory.grids[name] = (stamp, solid, next(_versions))
    return solid, memory.grids[name][2]
