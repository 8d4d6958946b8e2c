"""Sheets: the targets that the lit passes of the world are drawn onto.

Consecutive passes that are all lit, or all unlit, form a run. A lit run is drawn onto its own sheet, a target that
contains only these layers. Its light is drawn onto another target, and then both are combined onto the frame. If no
effect needs an image in linear light, they are combined onto the canvas, and unlit runs are drawn directly onto it.
Otherwise all runs up to the topmost one of the world have sheets.

Lit passes are those with the rank `lit`, see `rish_frame.frame.graph`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from rish_frame import Frame, Pass, Target
from rish_frame.frame import Rect

WORLD = ("lit", "unlit")
PREFIX = "light."


@dataclass
class Run:
    """Consecutive passes onto one target, all lit or all unlit.

    bits: their layers as a bit mask, -1 for all. behind: whether the ground of the frame is drawn over them.
    originals: the passes of the frame with the batches of `passes`; other ones only in a part of a run.
    """

    lit: bool
    passes: list[Pass]
    bits: int = -1
    behind: bool = False
    originals: list[Pass] | None = None


@dataclass
class Stage:
    """One target that has lit layers: the canvas, or the target of a camera.

    runs: bottom up. above: names of the passes that draw onto it later. scissor: the part that the game's view
    fills, None for the complete target.
    """

    target: str
    size: tuple[int, int]
    runs: list[Run]
    above: tuple[str, ...] = ()
    scissor: Rect | None = None


def stages_of(frame: Frame, *, grounded: bool) -> list[Stage]:
    """Return the targets with lit passes, in the order of drawing.

    grounded: the frame has a ground. Then the canvas is included even if nothing on it is lit, because it is needed in
    linear light, and its runs are split at the ground.
    """
    passes = [pass_ for pass_ in frame.ordered() if not pass_.name.startswith(PREFIX)]
    names = dict.fromkeys(pass_.targets[0] for pass_ in passes if len(pass_.targets) == 1)
    stages: list[Stage] = []
    for name in names:
        onto = [pass_ for pass_ in passes if pass_.targets == (name,)]
        lit = any(pass_.rank == "lit" for pass_ in onto)
        if lit or (grounded and name == frame.canvas):
            stages.append(_stage(frame, name, onto, grounded=grounded and name == frame.canvas))
    return stages


def _stage(frame: Frame, name: str, onto: list[Pass], *, grounded: bool) -> Stage:
    last = max((k for k, pass_ in enumerate(onto) if pass_.rank in WORLD), default=-1)
    runs: list[Run] = []
    for pass_ in onto[: last + 1]:
        lit, behind = pass_.rank == "lit", grounded and pass_.behind
        if runs and (runs[-1].lit, runs[-1].behind) == (lit, behind):
            runs[-1].passes.append(pass_)
        else:
            runs.append(Run(lit, [pass_], behind=behind))
    above = tuple(pass_.name for pass_ in onto[last + 1 :])
    return Stage(name, frame.target(name).pixel_size(frame.size), runs, above, _place(frame, name))


def unlit(stage: Stage) -> Stage:
    """Return a stage with the same passes that gets no light."""
    return replace(stage, runs=[replace(run, lit=False) for run in stage.runs])


def _place(frame: Frame, name: str) -> Rect | None:
    """Return the part of a target that the game's view fills; the bars beside it are not lit."""
    if frame.fit is None or name != frame.canvas or name != "screen":
        return None
    (x, y, w, h), (width, height) = frame.fit.place, frame.size
    if (x, y, w, h) == (0, 0, width, height):
        return None
    return x / width, y / height, w / width, h / height


def is_view(pass_: Pass) -> bool:
    """Return True if a pass shows the world through a camera, and not only a background."""
    return not pass_.batches or any(not batch.source.endswith(".ground") for batch in pass_.batches)


def sheet_of(name: str, size: tuple[int, int], clear: Any, channels: tuple[str, ...]) -> Target:
    """Return a sheet."""
    formats = ("rgba8",) * (1 + len(channels))
    return Target(
        name, size, formats=formats, clear=(clear,), channels=("color", *channels) if channels else (), filter="linear"
    )
