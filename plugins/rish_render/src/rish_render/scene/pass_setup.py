"""Rounds: sets up the passes that draw the layers, for every view.

Neighboring layers of one space share a pass. The world's layers are drawn through each camera; layers in screen space
are drawn once, in logical pixels from the bottom left corner. The main camera's passes are called `main`, `main.2`,
..., those in screen space `flat`, `flat.2`, ..., those of other cameras `view.ENTITY` or `camera.NAME`. The order is by
layers first, then by cameras: all cameras have drawn a layer before a screen layer above it is drawn.

The world's lit and unlit layers also have separate passes. The rank of the lit ones is `lit`, and no other pass has
this rank, so that a plugin for lighting finds them without reading the layers. So have layers behind the ground of the
frame; their passes, and the one of the background, are marked as `behind`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_frame import Batch, Frame, Pass, Target
from rish_frame.frame import ALL_LAYERS
from rish_jit import Array

from ..components.visible import RenderSettings
from .stack import Stack, warn_of_layer
from .stretch import PICTURE
from .view import MAIN, Color, DrawArea, View, screen_view

if TYPE_CHECKING:
    from rish_ecs import World


_FLAT = "flat"
_GROUND = "ground"
_OURS = (f"{MAIN}.", f"{_FLAT}.", "view.", "camera.", "group.")
"""How the names of passes begin that this module and `group_passes` make, and may remove."""
_TARGETS = ("camera.", "group.")


@dataclass
class Round:
    """One pass of the layers, with the layers that it draws and its view."""

    pass_: Pass
    layers: Array
    view: View


@dataclass
class Look:
    """One view with its passes. layers: bool, which layers it shows. rounds: its passes, bottom up."""

    view: View
    layers: Array
    rounds: list[Round] = dataclass_field(default_factory=list[Round])


@dataclass
class FramePlan:
    """The views and passes of a frame.

    flat: the view of screen layers. looks: one for each view. order: the passes of the layers in drawing order. before:
    the passes that those of a look need; they are drawn before all others.
    """

    flat: View
    looks: list[Look]
    order: list[Pass]
    before: list[Pass] = dataclass_field(default_factory=list[Pass])


def plan(world: World, stack: Stack, views: Sequence[View], surface: DrawArea) -> FramePlan:
    """Set up the passes that draw the layers through all views, and the clearing of their targets."""
    frame: Frame = world[Frame]
    others = list(frame.passes[MAIN].batches)
    frame_plan = FramePlan(screen_view(surface), [Look(view, _seen(world, stack, view)) for view in views], [])
    main = next(look for look in frame_plan.looks if look.view.name == MAIN)
    main.layers |= stack.screen & stack.visible
    shared = [look for look in frame_plan.looks if look.view.target == surface.target]
    named = np.arange(len(stack)) < len(stack.names)
    for look in frame_plan.looks:
        if look.view.target != surface.target:
            _show_apart(frame, stack, frame_plan, look, look.layers & named)
    _share(frame, stack, frame_plan, main, shared)
    deal(frame, stack, frame_plan, others)
    _clear(world, frame_plan, main.view, surface)
    return frame_plan


def _seen(world: World, stack: Stack, view: View) -> Array:
    """Return bool: the world's layers that a view shows, including those of groups."""
    if view.layers is None:
        return stack.visible & ~stack.screen
    for name in sorted(view.layers.difference(stack.names)):
        warn_of_layer(world, stack.names, name, view.camera, "the camera does not show it")
    seen = np.array([name in view.layers for name in stack.names], np.bool_)
    if stack.groups is not None:
        seen = seen[stack.groups.base]
    return seen & stack.visible & ~stack.screen


def _show_apart(frame: Frame, stack: Stack, frame_plan: FramePlan, look: Look, layers: Array) -> None:
    """Set up the passes of a view onto a target of its own: one for each run, or a single one if it shows no layers."""
    runs = _runs(stack, layers) or [_Run(False, bool(stack.lit.any()), False, [])]
    for run in runs:
        _show(frame, frame_plan, look, run.of(stack), whole=len(runs) == 1, rank=run.rank, behind=run.behind)


def deal(frame: Frame, stack: Stack, frame_plan: FramePlan, others: Sequence[Batch]) -> None:
    """Distribute the batches that other plugins added to the main pass.

    A batch on a screen layer is moved to the passes of that layer; all others are shown in each view.
    """
    if not others:
        return
    flat = [batch for batch in others if batch.layer < len(stack) and stack.screen[batch.layer]]
    world = [batch for batch in others if batch not in flat] if flat else list(others)
    main = frame.passes[MAIN]
    main.batches[:] = world
    for turn in (turn for look in frame_plan.looks for turn in look.rounds):
        if turn.pass_.name.partition(".")[0] == _FLAT:  # without a camera, the main view is also the flat one
            turn.pass_.batches.extend(batch for batch in flat if turn.layers[batch.layer])
        elif turn.pass_ is not main:
            turn.pass_.batches.extend(world)


def _share(frame: Frame, stack: Stack, frame_plan: FramePlan, main: Look, shared: list[Look]) -> None:
    """Set up the passes of the screen: one for each run, and for a run of the world's layers one for each view."""
    runs = _runs(stack, stack.visible)
    whole = sum(not run.screen for run in runs) == 1
    worlds = False
    for run in runs:
        layers = run.of(stack)
        if run.screen:
            rank = "screen" if worlds else "unlit"
            _show(frame, frame_plan, main, layers, rank=rank, behind=run.behind, flat=True)
            continue
        worlds = True
        for look in shared:
            if look is main or (layers & look.layers).any():
                _show(frame, frame_plan, look, layers & look.layers, whole=whole, rank=run.rank, behind=run.behind)
    if not worlds:
        only = frame.passes[MAIN]
        aim(only, main.view)
        only.rank, only.behind = "unlit", False
        frame_plan.order.insert(sum(pass_.behind for pass_ in frame_plan.order), only)


def _show(
    frame: Frame, frame_plan: FramePlan, look: Look, layers: Array, *,
    rank: str, behind: bool, flat: bool = False, whole: bool = False,
) -> None:  # fmt: skip
    """Add a pass to a look, or set up an existing one again. whole: it shows all of the world's layers that its view
    shows.
    """
    view = frame_plan.flat if flat else look.view
    stem = _FLAT if flat else view.name
    count = sum(turn.pass_.name == stem or turn.pass_.name.startswith(f"{stem}.") for turn in look.rounds)
    name = f"{stem}.{count + 1}" if count else stem
    pass_ = frame.passes.get(name) or frame.add_pass(Pass(name))
    aim(pass_, view)
    pass_.rank, pass_.behind = rank, behind
    if not flat:
        shown = sum(1 << number for number in np.flatnonzero(layers).tolist())
        pass_.layer_mask = ALL_LAYERS if whole and view.layers is None else shown
    look.rounds.append(Round(pass_, layers, view))
    frame_plan.order.append(pass_)


def aim(pass_: Pass, view: View) -> None:
    """Set the view of a pass."""
    pass_.view, pass_.projection, pass_.viewport = view.view, view.projection, view.viewport
    if pass_.targets[0] in ("screen", PICTURE):
        pass_.targets = (view.target,)


class _Run(NamedTuple):
    """Neighboring visible layers that are alike: their space, whether they are lit, and behind; numbers, bottom up."""

    screen: bool
    lit: bool
    behind: bool
    numbers: list[int]

    @property
    def rank(self) -> str:
        """The rank among the passes that draw the world's layers."""
        return "lit" if self.lit else "unlit"

    def of(self, stack: Stack) -> Array:
        """Return bool for each layer of the stack: whether it is in this run."""
        layers = np.zeros(len(stack), np.bool_)
        layers[self.numbers] = True
        return layers


def _runs(stack: Stack, layers: Array) -> list[_Run]:
    """Cut some layers into runs, bottom up. layers: bool."""
    runs: list[_Run] = []
    for number in np.flatnonzero(layers[: len(stack.names)]).tolist():
        kind = bool(stack.screen[number]), bool(stack.lit[number]), bool(stack.behind[number])
        if runs and runs[-1][:3] == kind:
            runs[-1].numbers.append(number)
        else:
            runs.append(_Run(*kind, [number]))
    return runs


# Backgrounds


def _clear(world: World, frame_plan: FramePlan, main: View, surface: DrawArea) -> None:
    """Set the background of the screen, of the game's image, and of each view that has its own."""
    frame, settings = world[Frame], world[RenderSettings]
    plain = _color(settings.background)
    alone = main.size == surface.logical and main.background is not None
    ground = _over(main.background, plain) if alone else plain
    bars = surface.place != (0, 0, *surface.size)
    _set_clear(frame, "screen", _color(settings.bars) if bars or frame.canvas != "screen" else ground)
    if frame.canvas != "screen":
        _set_clear(frame, frame.canvas, ground)
    elif bars:
        _lay_ground(frame, frame_plan, ground)
    for look in frame_plan.looks:
        view = look.view
        if view.target != surface.target:
            _own_target(frame, view)
        elif view.background is not None and not (view is main and alone):
            first = next((turn for turn in look.rounds if turn.view is view), None)
            if first is not None:
                first.pass_.batches.append(_filled(view, view.background, int(np.argmax(first.layers))))


def _set_clear(frame: Frame, target: str, color: Color) -> None:
    if frame.targets[target].clear != (color,):
        frame.set_clear(color, target=target)


def _lay_ground(frame: Frame, frame_plan: FramePlan, color: Color) -> None:
    """Add a pass that fills the background of the game's image, if there are bars beside it."""
    pass_ = frame.passes.get(_GROUND) or frame.add_pass(Pass(_GROUND))
    aim(pass_, frame_plan.flat)
    pass_.rank, pass_.behind = frame_plan.order[0].rank, True
    ground = _filled(frame_plan.flat, color, 0)
    ground.source = "render.ground"
    pass_.batches.append(ground)
    frame_plan.order.insert(0, pass_)


def _own_target(frame: Frame, view: View) -> None:
    red, green, blue, alpha = view.background or (0.0, 0.0, 0.0, 0.0)
    wanted = Target(view.target, view.drawn_size, clear=((red * alpha, green * alpha, blue * alpha, alpha),))
    if frame.targets.get(view.target) != wanted:
        frame.add_target(wanted, replace=True)


def _filled(view: View, color: Color, layer: int) -> Batch:
    """Return a box of one color over everything that a view shows, below all else on a layer."""
    x0, y0, x1, y1 = view.bounds
    rgba = np.array([[round(255 * part) for part in color]], np.uint8)
    matrix = np.array([[2 * (x1 - x0), 0, 0, 2 * (y1 - y0), *view.center]], np.float32)
    arrays = box_arrays(matrix, np.array([[x1 - x0, y1 - y0]], np.float32), rgba)
    return Batch("shapes", arrays, layer=layer, z=float("-inf"), source="render.background")


def box_arrays(matrix: Array, half: Array, rgba: Array) -> dict[str, Array]:
    """Return the arrays of a batch of `shapes`: boxes with sharp corners, each of one color."""
    n = len(matrix)
    return {
        "matrix": matrix,
        "half": half,
        "corner": np.zeros(n, np.float32),
        "line": np.zeros(n, np.float32),
        "kind": np.zeros(n, np.uint8),
        "rgba": rgba,
        "rgba2": rgba,
        "edge": np.zeros((n, 4), np.uint8),
    }


def _color(value: Any) -> Color:
    red, green, blue, alpha = (float(part) for part in value)
    return red, green, blue, alpha


def _over(color: Color | None, below: Color) -> Color:
    """Return a color drawn over another one."""
    if color is None:
        return below
    alpha = color[3]
    red, green, blue = (a * alpha + b * (1 - alpha) for a, b in zip(color[:3], below[:3], strict=True))
    return red, green, blue, 1.0


# The order of the passes


def link(frame: Frame, frame_plan: FramePlan, *, fresh: bool) -> None:
    """Order the passes, set their inputs, and remove passes and targets of earlier frames.

    Each pass is declared to come after all previous ones, so that cameras that show each other's targets do not make a
    cycle: the earlier pass shows the target's contents from the previous frame. The target of a camera that has not
    drawn yet is empty. fresh: whether the plan is another one than in the last frame.
    """
    names: tuple[str, ...] = ()
    for pass_ in (*frame_plan.before, *frame_plan.order):
        if fresh and pass_.after != names:
            pass_.after = names
        names = (*names, pass_.name)
        read = [batch.texture for batch in pass_.batches if isinstance(batch.texture, str)]
        if read or pass_.inputs:
            fresh = True
            foreign = [name for name in pass_.inputs if not name.startswith(_TARGETS)]
            pass_.inputs = tuple(dict.fromkeys([*foreign, *read]))
            for name in read:
                if name not in frame.targets and name.startswith(_TARGETS):
                    frame.add_target(Target(name, (1, 1)))
    if not fresh:
        return
    for name in [name for name in frame.passes if name not in names]:
        if name in (_FLAT, _GROUND) or name.startswith(_OURS):
            frame.remove_pass(name)
    used = {target for pass_ in frame.passes.values() for target in (*pass_.targets, *pass_.inputs)}
    for name in [name for name in frame.targets if name.startswith(_TARGETS) and name not in used]:
        frame.remove_target(name)
