"""The views of the last frame, for cameras that did not change since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rish_core import Disabled, Transform
from rish_ecs import Inputs, Rows, resource
from rish_frame import WorldMatrices

from ..components.visible import Camera

if TYPE_CHECKING:
    from rish_ecs import World

    from .view import DrawArea, View


@resource(derived=True)
class CameraViews:
    """The view of each camera, with what it depends on besides the components `Camera`: its pose, surface and name.

    A frame of breakout in which the camera stands still takes a twentieth longer without it.
    """

    def __post_init__(self) -> None:
        """Start without views."""
        self._inputs = Inputs((Camera, Rows(Disabled)))
        self._views: dict[int, tuple[Any, View]] = {}
        self._all: Sequence[View] = ()
        self._places: list[int] = []  # the row of the Transform of each camera
        self._surface: DrawArea | None = None
        self._moves = -1  # the version of the matrices of `_all`
        self._poses: list[Any] = []  # the matrix of each camera in it

    def get(self, world: World, camera: int, key: Any) -> View | None:
        """Return the last view of a camera, given by its entity; None if it changed."""
        self._look(world)
        last = self._views.get(camera)
        return None if last is None or last[0] != key else last[1]

    def put(self, camera: int, key: Any, view: View) -> None:
        """Store the view of a camera; `get` must have been called before."""
        self._views[camera] = key, view

    def all(self, world: World, surface: DrawArea) -> Sequence[View]:
        """Return the last views of all cameras if none of them moved or changed, otherwise nothing."""
        self._look(world)
        if not self._all or surface != self._surface or any(world.table(Camera).flat("trauma").tolist()):
            return ()
        matrices, places = world[WorldMatrices], _places(world)
        moved = matrices.moved_since(self._moves)
        if places != self._places:
            return ()
        if moved is None:  # any row may have moved
            poses = _poses(matrices, places)
            if None in poses or poses != self._poses:
                return ()
        elif len(moved) and any((moved == place).any() for place in places):
            return ()
        self._moves = matrices.version
        return self._all

    def put_all(self, world: World, surface: DrawArea, views: Sequence[View]) -> None:
        """Store the views of all cameras; `all` must have been called before."""
        matrices: WorldMatrices = world[WorldMatrices]
        self._all, self._surface, self._moves = views, surface, matrices.version
        self._places = _places(world)
        self._poses = _poses(matrices, self._places)

    def _look(self, world: World) -> None:
        """Discard all views if a camera changed."""
        if self._inputs.changed(world):
            self._views.clear()
            self._all = ()


def _poses(matrices: WorldMatrices, places: Sequence[int]) -> list[Any]:
    """Return the matrix of each row of Transform; None for a row without one."""
    return [matrices.one(place) if place >= 0 else None for place in places]


def _places(world: World) -> list[int]:
    """Return the row of the Transform of each camera; -1 for none."""
    row_of = world.table(Transform).row_of
    return [row_of(handle) for handle in world.table(Camera).entities.tolist()]
