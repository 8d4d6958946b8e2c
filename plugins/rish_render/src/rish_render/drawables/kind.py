"""Kinds of drawables: how the things with one component are drawn, picked and measured.

The hook `rish_drawables` registers the kinds of this package and those of other plugins alike. `DrawableKinds` has all
of them, in their drawing order for equal layer and z: first those of this package, then those of other plugins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field as dataclass_field
from functools import partial
from typing import TYPE_CHECKING, Any

from rish_core import App, Disabled
from rish_ecs import resource
from rish_frame import Hits, report_failure
from rish_jit import Array

from ..components.visible import CanvasGroup
from .drawables import Things

if TYPE_CHECKING:
    from rish_ecs import World

    from ..scene.pass_setup import FramePlan
    from ..scene.view import View
    from .extraction import Extraction, RenderCache
    from .pick_scene import PickScene

Follow = Callable[[Sequence["View"]], bool]
Failed = Callable[[BaseException], object]


class DrawableKind:
    """The base of kinds: subclass it, and return an object of the class from `rish_drawables`.

    A kind makes batches of kinds that backends draw: the standard ones, or one of its own with drawers
    (`rish_drawers`). Its component has the fields `layer`, `z` and `visible`.
    """

    component: type
    """The component that the things of this kind have."""
    look: tuple[type, ...] = ()
    """Other components that change what these things look like."""
    steady: bool = False
    """Whether they look the same as long as nothing writes to these components, the matrices, the cameras, the layers
    and the images. Frames in which nothing changes are then not extracted again."""

    @property
    def name(self) -> str:
        """The name of the component."""
        return self.component.__name__

    def in_use(self, world: World) -> bool:
        """Return True if there is at least one thing of this kind."""
        table = world.tables.get(self.component)
        return table is not None and table.used > 0

    def extract(self, scene: Extraction) -> Sequence[Things]:
        """Return the things that a view shows, in their drawing order for equal layer and z.

        Called once for each view of a frame, if there are any things.
        """
        raise NotImplementedError

    def pick(self, scene: PickScene) -> list[Hits]:
        """Return the things that a region touches, in the same order; none by default."""
        return []

    def boxes(self, world: World, rows: Array) -> Array | None:
        """Return the boxes around what rows of the component draw; None by default, for things without a size.

        The result is float64 (n, 4): least x, least y, greatest x, greatest y in the space of each entity; NaN where
        nothing is drawn.
        """
        return None

    def follow(self, world: World, cache: RenderCache, plan: FramePlan) -> Follow | None:
        """Return a function that says whether the batches of this frame also serve for other views.

        It gets a view for each look of the plan. None: the things are extracted again for each view; the default.
        """
        return None


@resource(derived=True)
class DrawableKinds:
    """The kinds of a game in drawing order, each with the function that is called when it raises an exception.

    A kind that raises is removed. steady: the components whose versions tell whether something looks different.
    restless: the components of things that look different in each frame.
    """

    kinds: dict[DrawableKind, Failed] = dataclass_field(default_factory=dict[DrawableKind, Failed])
    steady: tuple[type, ...] = ()
    restless: tuple[type, ...] = ()

    def collect(self, app: App) -> None:
        """Take the kinds that the plugins of an app declare."""
        self.kinds.clear()
        for name, kind in app.registry.of("rish_drawables").items():
            plugin = app.registry.owner("drawable", name)
            self.kinds[kind] = partial(report_failure, app, plugin, f"the drawing of {kind.name}")
        steady = [each for kind in self.kinds if kind.steady for each in (kind.component, *kind.look)]
        self.steady = (Disabled, *steady)
        self.restless = (CanvasGroup, *(kind.component for kind in self.kinds if not kind.steady))

    def used(self, world: World) -> list[DrawableKind]:
        """Return the kinds of which there is at least one thing."""
        return [kind for kind in self.kinds if kind.in_use(world)]

    def extract(self, scene: Extraction, used: Sequence[DrawableKind]) -> list[Things]:
        """Return the things of some kinds that a view shows, in their drawing order for equal layer and z."""
        return list(self._gather(used, lambda kind: kind.extract(scene)))

    def pick(self, scene: PickScene) -> list[Hits]:
        """Return the things of all kinds that a region touches, in the same order."""
        return list(self._gather(self.used(scene.world), lambda kind: kind.pick(scene)))

    def _gather(self, kinds: Sequence[DrawableKind], ask: Callable[[DrawableKind], Sequence[Any]]) -> Iterator[Any]:
        for kind in kinds:
            if kind not in self.kinds:  # it has raised for another view
                continue
            try:
                yield from ask(kind)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                self.kinds.pop(kind)(error)
