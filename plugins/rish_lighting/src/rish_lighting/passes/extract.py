"""EXTRACT: creates the passes of light in each frame.

After the renderer has filled its passes, those of lit layers are redirected to sheets, and the passes of light are
added. The frame undoes both before the next one begins.
"""

from __future__ import annotations

from dataclasses import field as dataclass_field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_assets import LogOnce
from rish_core import Disabled, Edges, Stage, Transform, resource, system
from rish_frame import Frame, LightPoints, Recorder, WorldMatrices

from ..components.light import Ambient, Light, Occluder
from ..components.settings import LightingSettings
from ..lamps.lamps import Lamps, collect_ambient, collect_lamps, layer_numbers, wavering_time
from ..post.chain import Post
from ..post.effect import WORLD
from ..post.passes import Source
from ..shadows.cache import ShadowCache
from ..walls.walls import NO_WALLS, Walls
from .compose import PICTURE, Composer, Scenery
from .cookies import Cookies
from .kinds import LAY, LIGHTS
from .layer_splits import cuts_of, mark_cuts, unmark_cuts
from .sheets import Stage as Lit
from .sheets import is_view, stages_of, unlit
from .views import view_of

if TYPE_CHECKING:
    from rish_core import World


@resource(derived=True)
class Lighting:
    """The values that are cached from frame to frame; all of them can be computed again.

    able: whether the backend draws light. shown: whether light or a ground is drawn in this frame. ground: the target
    below the layers, "" for none. version: rises when the passes of light are made anew. shadows: the cache of shadow
    maps. moved: the targets of passes that are drawn onto sheets instead. cuts: see `layer_splits`. warns: whether it
    is logged that the backend draws no light. log: logs each message once.
    """

    able: bool = True
    shown: bool = False
    ground: str = ""
    version: int = 0
    warns: bool = True
    log: LogOnce = dataclass_field(default_factory=lambda: LogOnce("rish.lighting"))
    shadows: Any = dataclass_field(default_factory=ShadowCache)
    moved: dict[str, tuple[str, ...]] = dataclass_field(default_factory=dict[str, tuple[str, ...]])
    cuts: list[int] = dataclass_field(default_factory=list[int])


@system(Stage.EXTRACT, before="render.extract", writes=(Frame, Lighting), name="cut")
def cut(world: World, dt: float) -> None:
    """Mark the layers at which the renderer must not join batches (system `lighting.cut`)."""
    lighting = world[Lighting]
    lighting.cuts = cuts_of(world, lighting.log) if lighting.able and is_lit(world) else []
    mark_cuts(world[Frame], lighting.cuts)


@system(
    Stage.EXTRACT,
    reads=(Light, Ambient, Occluder, Edges, LightPoints, Transform, WorldMatrices, LightingSettings, Post),
    writes=(Frame, Lighting, Source),
    after="render.extract",
    before=("render.apply_materials", "lighting.post"),
    name="light",
)
def light(world: World, dt: float) -> None:
    """Redirect lit layers to sheets, and light them (system `lighting.light`)."""
    lighting, frame = world[Lighting], world[Frame]
    if lighting.cuts:
        unmark_cuts(frame)
    grounded = bool(frame.ground) and not frame.plain
    lighting.shown = (is_lit(world) or grounded) and _is_able(lighting)
    lighting.ground = frame.take_ground() if lighting.shown else ""
    lighting.shadows.maps.kernels = 0
    depends: tuple[Any, ...] = (_choices,)
    if lighting.shown:
        depends = (*_READ, Walls) if world[LightingSettings].shadows else _READ
    frame.retain("lighting.light", world, depends, partial(_record, world))


def _record(world: World, recorder: Recorder) -> None:
    """Record the passes of light."""
    lighting, frame, source = world[Lighting], world[Frame], world[Source]
    source.target = ""
    composer = Composer(frame, recorder, lighting.ground)
    if lighting.shown:
        grounded = bool(lighting.ground)
        stages = stages_of(frame, grounded=grounded)
        if not is_lit(world):
            stages = [unlit(stage) for stage in stages if stage.target == frame.canvas]
        scenery = _scenery(world, lighting, stages) if stages else None
        for stage in stages:
            assert scenery is not None
            linear = needs_linear(world) and stage.target == frame.canvas
            composer.compose(stage, scenery, linear=linear)
            source.target = PICTURE if linear else source.target
    lighting.moved = composer.moved
    lighting.version += 1


def needs_linear(world: World) -> bool:
    """Return True if the canvas is needed in linear light."""
    return bool(world[Lighting].ground) or any(link.enabled and link.over == WORLD for link in world[Post].links)


def _choices(world: World) -> tuple[Any, ...]:
    """Return what else decides how light is drawn."""
    lighting = world[Lighting]
    return lighting.shown, lighting.ground, is_lit(world), needs_linear(world), lighting.cuts


_READ = (Frame, Lamps, Cookies, wavering_time, Ambient, Disabled, LightingSettings, layer_numbers, _choices)
"""What the passes of light are made from, besides walls."""


def is_lit(world: World) -> bool:
    """Return True if the game has any `Light` or `Ambient`, and the frame is not plain."""
    return not world[Frame].plain and any(len(world.table(kind)) for kind in (Light, Ambient))


def _is_able(lighting: Lighting) -> bool:
    """Return True if the backend draws light; log a warning once if it does not."""
    if not lighting.able and lighting.warns:
        what = "this backend can't draw light, so the game is drawn unlit; the backends 'arcade' and 'software' can"
        lighting.log(what)
    return lighting.able


def _scenery(world: World, lighting: Lighting, stages: list[Lit]) -> Scenery:
    settings = world[LightingSettings]
    lamps = collect_lamps(world, shadows=settings.shadows, rows=int(settings.rows))
    share = float(settings.resolution)
    views = [
        view
        for stage in stages
        for run in stage.runs
        for pass_ in run.passes
        if run.lit and is_view(pass_)
        if (view := view_of(pass_, (round(stage.size[0] * share), round(stage.size[1] * share)))) is not None
    ]
    boxes = np.array([view.box for view in views]).reshape(-1, 4)
    visible = (
        np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])
        if len(boxes)
        else np.array([0.0, 0.0, 1.0, 1.0])
    )
    scale = max((view.scale for view in views), default=1.0)
    walls = world[Walls] if settings.shadows else NO_WALLS
    maps = lighting.shadows.update(lamps, walls, scale, visible)
    cookies = world[Cookies].stacked(world, lamps.images)
    hazes = collect_ambient(world, settings.ambient)
    return Scenery(lamps, hazes, maps, cookies, share, float(settings.emission), lighting.cuts)


def note_backend(lighting: Lighting, backend: Any) -> None:
    """Record whether a backend draws light; a backend without pixels and window gets no warning."""
    lighting.able = {LIGHTS, LAY} <= backend.kinds
    lighting.warns = bool({"pixels", "window"} & backend.capabilities)
