"""The labels of rows of entities: name, icon, tags, prefab, eye. They are computed for visible rows only."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rish_core import Name, Origin, Scenes, Tags, Transform
from rish_ecs import Inputs
from rish_space3d import Transform3D

from ...look import icons
from .tree import WAIT_SECONDS

if TYPE_CHECKING:
    from rish_authoring import SiblingOrder
    from rish_core import World

    from ...session.game.game import Game

PRIORITY = (
    "Camera", "Camera3D", "Ambient", "Sky3D", "Light", "Lamp3D", "Sun3D", "FogOfWar", "Sight", "Script", "TileMap",
    "Emitter", "Character", "Joint", "WaterArea", "WindArea", "GravityPoint", "Body", "Text", "Sprite", "NinePatch",
    "Model3D", "Billboard3D", "Animation", "Animator", "Shape", "Line", "Trail", "CanvasGroup", "Collider", "Occluder",
    "MotionPath", "Timer",
)  # fmt: skip
"""The components that describe an entity, the most important first; `Script` and `Joint` stand for all scripts and
joints."""
_SHARED = (Name, Tags, Transform, Transform3D, Origin)
_RANKS = {name: rank for rank, name in enumerate(PRIORITY)}


@dataclass(frozen=True, slots=True)
class RowLabel:
    """The label of a row. name: of the entity, or without one its kind and number. named: whether the entity has a
    name.

    prefab: that the entity is a use of, or a part of. part: whether it comes from a prefab, below its use. visible:
    None if it draws nothing. source: the file that it comes from, "" for an entity of the game's text.
    """

    name: str
    named: bool
    icon: str
    tags: str
    prefab: str
    part: bool
    visible: bool | None
    source: str = ""


class RowLabels:
    """The labels of entities, cached while names, tags and components do not change. changes: how often they did."""

    def __init__(self) -> None:
        self.changes = 0
        self._known: dict[int, RowLabel] = {}
        self._inputs = Inputs(())
        self._time = 0.0

    def begin(self, game: Game) -> None:
        """Clear the cache if entities have changed since the last frame; while the game runs, not in each frame."""
        now = time.perf_counter()
        if not game.editing and now - self._time < WAIT_SECONDS:
            return
        world, self._time = game.world, now
        sources = (Name, Tags, Origin, _entities_and_scene, *visible_classes(game))
        if self._inputs.sources != sources:
            self._inputs = Inputs(sources)
        if self._inputs.changed(world):
            self._known.clear()
            self.changes += 1

    def of(self, game: Game, order: SiblingOrder, handle: int) -> RowLabel:
        """Return the label of an existing entity."""
        label = self._known.get(handle)
        if label is None:
            label = self._known[handle] = _label(game, order, handle)
        return label


def _entities_and_scene(world: World) -> tuple[int, str]:
    """Return a number that rises with each change of entities and their components, and the name of the scene."""
    return world.membership, world[Scenes].current


def _label(game: Game, order: SiblingOrder, handle: int) -> RowLabel:
    world = game.world
    main = main_component(world.components_of(handle))
    name = str(world.get(handle, Name).value) if world.has(handle, Name) else ""
    prefab, part = prefab_of(game, handle)
    row = int(order.rows_of([handle])[0])
    folder = main is None and row >= 0 and order.ends[row] > row + 1
    icon = icons.GROUP if folder else icons.ENTITY if main is None else icon_of(main)
    if prefab and not part and (main is None or main.__name__ in ("Shape", "Sprite", "Model3D")):
        icon = icons.PREFAB
    if not name:
        what = prefab.strip("·") or (main.__name__ if main is not None else "")
        name = f"{what} #{handle & 0xFFFFFFFF}" if what else f"#{handle & 0xFFFFFFFF}"
        has_name = False
    else:
        has_name = True
    tags = "  ".join(world.get(handle, Tags).values) if world.has(handle, Tags) else ""
    source = game.spawned.file_of(handle)
    return RowLabel(name, has_name, icon, tags, prefab, part, visibility(game, order, handle), source)


def icon_of(cls: type) -> str:
    """Return the icon of a component."""
    return icons.SCRIPT if is_script(cls) else icons.icon_for(cls.__name__)


def is_script(cls: type) -> bool:
    """Return whether a component is a script: it has the methods of one."""
    return callable(getattr(cls, "on_create", None))


def main_component(classes: Any) -> type | None:
    """Return the component that best describes an entity; None if it has only names, tags and a pose."""
    own = [cls for cls in classes if cls not in _SHARED]
    return min(own, key=_rank, default=None)


def _rank(cls: type) -> int:
    name = "Script" if is_script(cls) else cls.__name__
    return _RANKS.get("Joint" if name.endswith("Joint") else name, len(PRIORITY))


def prefab_of(game: Game, handle: int) -> tuple[str, bool]:
    """Return the prefab that an entity is a use of, "" for none; and whether it is only a part of such a use."""
    world = game.world
    if not world.has(handle, Origin):
        return "", False
    origin = world.get(handle, Origin)
    plan = game.app.game.plan(origin.scene)
    if plan is None or origin.entry >= len(plan.steps):
        return "", False
    if origin.scene.startswith("prefab:"):
        return origin.scene.removeprefix("prefab:"), origin.entry > 0
    node = plan.steps[origin.entry].node
    part = node.path[0] != "scenes" or not isinstance(node.path[-1], int)
    if node.prefab or not part:
        return node.prefab, part
    return "·", True


def visible_classes(game: Game) -> list[type]:
    """Return the components with a field `visible`."""
    return [cls for cls, table in game.world.tables.items() if "visible" in table.schema.fields]


def visibility(game: Game, order: SiblingOrder, handle: int) -> bool | None:
    """Return whether an entity is visible; of one that draws nothing, whether a descendant is. None if none of them
    draws anything."""
    row = int(order.rows_of([handle])[0])
    for handles in ([handle], order.handles[row + 1 : order.ends[row]] if row >= 0 else []):
        states: list[Any] = []
        for cls in visible_classes(game):
            table = game.world.table(cls)
            rows = table.lookup(_array(handles))
            states.append(table.column("visible")[rows[rows >= 0]])
        if any(len(each) for each in states):
            return any(bool(each.any()) for each in states)
    return None


def _array(handles: Any) -> Any:
    import numpy as np

    return np.asarray(handles, np.int64)
