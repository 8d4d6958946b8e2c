"""EXTRACT: adds the passes of the chain to the frame.

The chain is drawn after the layers of the world and before those in screen space. If lighting made a linear image of
the world (`Source.target`), the chain starts with it; otherwise it reads the canvas. Effects with `over: game`, and
transitions, also change layers in screen space, but not overlays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

from rish_assets import AssetLibrary, AssetReader
from rish_core import Stage, resource, system
from rish_frame import BatchKind, Frame, Pass, Recorder, Target
from rish_frame.frame import RANKS, names_of
from rish_frame.pictures import checkerboard

from ..components.settings import LightingSettings
from .chain import Crossing, Link, Post
from .effect import GAME, WORLD, Size
from .effect_library import EffectLibrary
from .formulas import Texels, texels_of
from .fused_passes import OLD, Effects, Ground, Run, RunMaker, uniforms

if TYPE_CHECKING:
    from rish_core import World

KIND = BatchKind("light.effect", "Effects over the picture: a batch `Effects` with its run.", {})
_PREFIX = "light.post."
_KEEP = "light.keep"
_OVER = "light.over."
_CROSSING = "light.crossing."
_OURS = (_PREFIX, _OVER, _KEEP, _CROSSING)
_BELOW = frozenset(RANKS[: RANKS.index("post")])
_MAX_STEP = 0.1
"""The longest time step, in seconds. It is limited so that an effect that begins with a scene does not end while the
scene loads.
"""


@resource(derived=True)
class Source:
    """The input of the chain: the target with the linear image of the world, "" for the canvas.

    A plugin that makes such an image sets it in each frame before `lighting.post`, and does not draw it to the canvas.
    dither: amplitude of the noise on the encoded image, levels. images: the images that effects name. old: the size of
    the copy that a transition has made of the screen, None for none. text: the manifest's last chain.
    """

    target: str = ""
    dither: float = 0.0
    images: AssetLibrary[Texels | None] = dataclass_field(
        default_factory=lambda: AssetLibrary[Texels | None]("image", _read, placeholder=_missing, log="rish.lighting")
    )
    old: Size | None = None
    text: str = ""


@system(
    Stage.EXTRACT,
    reads=(Post, EffectLibrary, LightingSettings),
    writes=(Frame, Post, Source),
    after=("render.extract", "render.apply_materials"),
)
def post(world: World, dt: float) -> None:
    """Add the passes of the effects to the frame (system `lighting.post`)."""
    chain: Post = world[Post]
    source: Source = world[Source]
    frame = world[Frame]
    chain.advance(min(dt, _MAX_STEP))
    if not frame.plain:
        source.dither = world[LightingSettings].dither if LightingSettings in world else 0.0
        lay(world, frame, chain, source)


def lay(world: World, frame: Frame, chain: Post, source: Source, crossings: Sequence[Crossing] = ()) -> None:
    """Add the passes of a chain to a frame. source: its input.

    crossings: transitions to draw one after another, to warm them up.
    """
    enabled = [link for link in chain.links if link.enabled]
    if chain.crossing is None:
        source.old = None
    if not (enabled or source.target or chain.crossing is not None or crossings):
        return
    recorder = frame.record("lighting.post")
    targets: dict[str, Size] = {}
    first = [link for link in enabled if link.over == WORLD]
    later = [link for link in enabled if link.over == GAME]
    over_world, over_game = dict[str, Run](), dict[str, Run]()
    if first or source.target:
        over_world = _runs(world, frame, chain, first, _PREFIX, targets, source)
    if later:
        over_game = _runs(world, frame, chain, later, _OVER, targets)
    for number, crossing in enumerate(crossings or [chain.crossing]):
        if crossing is not None:
            prefix = f"{_CROSSING}{number}." if crossings else _CROSSING
            over_game |= _cross(world, frame, chain, source, crossing, prefix, targets)
    below, above = _canvas_passes(frame)
    after = tuple(below)
    for name, run in over_world.items():
        _put(recorder, name, run, after, tuple(above), "post")
        after = (*after, name)
    _lay_over_game(frame, recorder, over_game, [*after, *above])
    for name, size in targets.items():
        recorder.add_target(Target(name, size, formats=("rgba16f",)))


def _runs(
    world: World, frame: Frame, chain: Post, links: Sequence[Link], prefix: str, targets: dict[str, Size],
    source: Source | None = None,
) -> dict[str, Run]:  # fmt: skip
    """Return the runs of some links by the names of their passes, and add the targets that they need to `targets`."""
    maker = RunMaker(ground_of(frame, source.target if source is not None else ""), chain.time)
    for link in links:
        _add(world, maker, link.name, link.effect, link.values)
    runs = maker.finish(source.dither if source is not None else 0.0)
    targets.update(maker.sizes)
    return {f"{prefix}{number}": run for number, run in enumerate(runs)}


def ground_of(frame: Frame, source: str = "") -> Ground:
    """Return the ground of the chain: the part of the canvas that the game's view fills."""
    canvas = frame.canvas
    size, unit = frame.canvas_size, 1.0
    place = (0, 0, *size)
    if frame.fit is not None and canvas == "screen":
        place, unit = frame.fit.place, frame.fit.scale
    x0, y0 = max(place[0], 0), max(place[1], 0)
    x1, y1 = min(place[0] + place[2], size[0]), min(place[1] + place[3], size[1])
    inside = (x0, y0, max(x1 - x0, 1), max(y1 - y0, 1))
    return Ground(source or canvas, not source, canvas, inside, inside == (0, 0, *size), unit)


def _add(world: World, maker: RunMaker, name: str, effect_name: str, parameters: Mapping[str, Any]) -> None:
    effect = world[EffectLibrary].effects.get(effect_name)
    if effect is None:
        return
    values = uniforms(effect, dict(parameters))
    for parameter, spec in effect.fields.items():
        if spec.type.special == "asset":
            values[parameter] = _image(world, str(parameters.get(parameter, spec.default) or ""))
    maker.add(name, effect, values)


def _image(world: World, path: str) -> Texels | None:
    """Return an image that an effect names, converted once; its placeholder if it is missing, which is logged."""
    return world[Source].images.get(world, path) if path else None


def _read(path: str, read: AssetReader) -> Texels | None:
    return texels_of(read())


def _missing() -> Texels | None:
    return texels_of(checkerboard())


# Passes


def _canvas_passes(frame: Frame) -> tuple[list[str], list[str]]:
    """Return the names of the other plugins' passes onto the canvas: those of the world, and those drawn after it.

    The latter include passes that read the canvas.
    """
    on_it = {name: p for name, p in frame.passes.items() if frame.canvas in p.targets and not name.startswith(_OURS)}
    below = {name for name, p in on_it.items() if p.rank in _BELOW}
    waiting = list(below)
    while waiting:
        for name in names_of(on_it[waiting.pop()].after):
            if name in on_it and name not in below:
                below.add(name)
                waiting.append(name)
    readers = [name for name, p in frame.passes.items() if name not in on_it and frame.canvas in p.inputs]
    above = [name for name in on_it if name not in below]
    above += [name for name in readers if not name.startswith(_OURS) and frame.passes[name].rank not in _BELOW]
    return [name for name in on_it if name in below], above


def _put(recorder: Recorder, name: str, run: Run, after: tuple[str, ...], before: tuple[str, ...], rank: str) -> None:
    """Add the pass of a run to the frame, between other passes."""
    recorder.add_pass(Pass(name, (run.onto,), run.inputs, clear=run.develop, rank=rank, after=after, before=before))
    recorder.add(Effects(KIND, {}, blend="replace", count=1, source="lighting.post", run=run), name)


# Transitions


def _cross(
    world: World, frame: Frame, chain: Post, source: Source, crossing: Crossing, prefix: str, targets: dict[str, Size]
) -> dict[str, Run]:  # fmt: skip
    """Return the runs of a transition: one that copies the screen, and those that blend the images."""
    ground = ground_of(frame)
    runs: dict[str, Run] = {}
    if not crossing.kept:
        runs[_KEEP] = Run(ground.canvas, OLD, ground.size, encoded=True, read_at=ground.place[:2])
        source.old, crossing.kept = ground.size, True
    elif source.old != ground.size:
        chain.crossing = None
        return {}
    targets[OLD] = ground.size
    progress = min(max((chain.time - crossing.begun) / crossing.seconds, 0.0), 1.0)
    values = {**crossing.values, "progress": progress}
    link = Link("crossing", crossing.effect, values)
    return runs | _runs(world, frame, chain, [link], prefix, targets)


def _lay_over_game(frame: Frame, recorder: Recorder, runs: Mapping[str, Run], game: list[str]) -> None:
    """Add the run that copies the old image before all other passes, and its other runs between the game and the
    overlays.
    """
    overlays = {name for name in game if frame.passes[name].rank == "overlay"}
    drawing = {name for name in game if name.startswith(_OURS) or frame.canvas in frame.passes[name].targets}
    after = tuple(name for name in game if name in drawing and name not in overlays)
    before = tuple(name for name in game if name not in after)
    for name, run in runs.items():
        if name == _KEEP:
            _put(recorder, name, run, (), (*game, *runs.keys() - {_KEEP}), "lit")
        else:
            _put(recorder, name, run, after, before, "screen")
            after = (*after, name)
