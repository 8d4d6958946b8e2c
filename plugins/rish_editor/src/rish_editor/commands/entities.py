"""Commands that create entities: from components, prefabs, pictures, and the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_authoring import free_names, mark_authored, paste_entities
from rish_core import Name, Prefabs, Transform, UsageError
from rish_core import spawn_prefab as spawn
from rish_ecs.storage import parents_of

from .chosen import the_game
from .things import THINGS, Thing

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..session.game import Game

__all__ = ["COMMANDS", "THINGS", "create", "create_from_asset", "paste", "possible", "rounded",
           "spawn_prefab_here"]  # fmt: skip
PICTURES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tga"})
MAPS = (".tmx", ".tmj", ".map.yaml")
EMITTERS = (".particles.yaml",)
MODELS = frozenset({".gltf", ".glb"})
ASSET = "asset"
"""The id of a thing that shows a file."""
Point = tuple[float, float]
Three = tuple[float, float, float]


def place(editor: Editor) -> Point:
    """Return where new entities appear, in units: the centre of the scene view, see `rounded`."""
    camera = getattr(editor.panels["editor.scene"], "camera", None) if "editor.scene" in editor.panels else None
    return rounded(editor, camera.centre if camera is not None else (0.0, 0.0))


def rounded(editor: Editor, at: Point) -> Point:
    """Return a place in whole units; on the grid if things snap."""
    step = editor.settings.grid if editor.settings.snap else 1.0
    return round(at[0] / step) * step, round(at[1] / step) * step


def place_3d(editor: Editor) -> Three:
    """Return where new entities in space appear, metres: where the scene view looks, see `rounded_3d`."""
    space = editor.panels["editor.scene"].space if "editor.scene" in editor.panels else None
    return rounded_3d(editor, space.camera.pivot if space is not None else (0.0, 0.0, 0.0))


def rounded_3d(editor: Editor, at: Three) -> Three:
    """Return a place in steps of the grid if things snap; otherwise in centimetres."""
    step = editor.settings.grid_3d if editor.settings.snap else 0.01
    x, y, z = (round(round(part / step) * step, 6) for part in at)
    return x, y, z


def possible(editor: Editor, thing: Thing) -> bool:
    """Return whether the game's plugins have the components of a thing."""
    game = editor.game
    return game is not None and all(game.world.kind(name) in game.world.tables for name in thing.parts)


def create(
    editor: Editor, thing: Thing, parent: int | None = None, at: Point | None = None, space: Three | None = None
) -> list[int]:
    """Create a thing and select it; return its handle in a list.

    at: position in the world, or relative to the parent; None: the centre of the scene view, or where the parent is.
    space: the same for a thing in space.
    """
    game = the_game(editor)
    world = game.world
    made: list[Any] = []
    for name, values in thing.parts.items():
        cls: Any = world.kind(name)
        if name == "Transform3D":
            continue
        first = {"primary": not len(world.table(cls))} if thing.id == "camera" else {}
        made.append(cls(**values, **first))
    name, above = Name(value=free_names(world, [thing.name])[0]), parent or 0
    title = thing.title if thing.id == ASSET else editor.tr(thing.title)
    if thing.in_space:
        pose: Any = world.kind("Transform3D")
        spot = space or ((0.0, 0.0, 0.0) if parent else place_3d(editor))
        own = pose(**{"position": spot, "last_position": spot, "parent": above, **thing.parts["Transform3D"]})
        return _made(editor, title, above, lambda: world.spawn(name, own, *made), pose)
    return _make(editor, title, above, at, lambda at: world.spawn(
        name, Transform(position=at, last_position=at, parent=above), *made
    ))  # fmt: skip


def spawn_prefab_here(
    editor: Editor, name: str, parent: int = 0, at: Point | None = None, space: Three | None = None
) -> list[int]:
    """Spawn a prefab and select it; return its handle in a list. at, space: see `create`."""
    game = the_game(editor)
    world = game.world
    pose: Any = world.kind("Transform3D") if space is not None else None

    def make(at: Point) -> int:
        plan = world[Prefabs].plan(name)
        wanted = plan.steps[0].node.name or name
        named = Name(value=free_names(world, [wanted])[0])
        made = spawn(world, name, named, **({"at": at, "parent": parent} if pose is None else {}))
        if pose is not None and space is not None and world.has(made, pose):
            world.set(made, pose(position=space, last_position=space))
        return made

    return _make(editor, name, parent, at, make)


def create_from_asset(
    editor: Editor, path: str, parent: int = 0, at: Point | None = None, space: Three | None = None
) -> list[int]:
    """Create an entity that shows a file of the game: a picture, a map, a preset of particles, or a model.

    at, space: see `create`. Raises UsageError for another kind of file.
    """
    end = PurePosixPath(path).suffix.lower()
    kinds = {"Sprite": ("image", end in PICTURES), "TileMap": ("map", path.endswith(MAPS)),
             "Emitter": ("preset", path.endswith(EMITTERS)), "Model3D": ("asset", end in MODELS)}  # fmt: skip
    for component, (field, fits) in kinds.items():
        if fits:
            name = PurePosixPath(path).name.partition(".")[0]
            pose = {"Transform3D": {}} if component == "Model3D" else {}
            thing = Thing(ASSET, name, "", "", name, {**pose, component: {field: path}})
            if not possible(editor, thing):
                raise UsageError(f"the game has no plugin with {component}", hint="Add the plugin to game.yaml")
            return create(editor, thing, parent, at, space)
    what = f"no entity can be made from {path}"
    raise UsageError(what, hint="Drop a picture, a map, a preset of particles, or a model")


def _make(editor: Editor, what: str, parent: int, at: Point | None, make: Callable[[Point], int]) -> list[int]:
    """Spawn with `make` at a place, as one step; select what it returns."""
    spot = at or ((0.0, 0.0) if parent else place(editor))
    return _made(editor, what, parent, lambda: make(spot), None)


def _made(editor: Editor, what: str, parent: int, make: Callable[[], int], pose: type | None) -> list[int]:
    """Spawn with `make`, as one step; select what it returns.

    pose: the component that a parent must have; None: any that makes a tree.
    """
    game = the_game(editor)
    kinds = [table.schema.cls for table in game.world.trees] if pose is None else [pose]
    if parent and not any(game.world.has(parent, kind) for kind in kinds):
        kind = (pose or Transform).__name__
        raise UsageError(f"{game.name_of(parent)} has no {kind}, so it can't have children", hint=f"Add a {kind}")
    with game.edit(editor.tr("Create {name}", name=what)):
        handle = make()
        mark_authored(game.world, handle)
        game.selection.set([handle])
    return [handle]


# The clipboard


def paste(editor: Editor, parent: int | None = None) -> None:
    """Spawn the entities of the clipboard's text below a parent; None: that of the selected entity."""
    game = the_game(editor)
    text = editor.clipboard()
    if not text.strip():
        editor.note(editor.tr("The clipboard is empty"), "warning")
        return
    above = _parent_of_primary(game) if parent is None else parent
    with game.edit(editor.tr("Paste")):
        made = paste_entities(game.app, text, parent=above or None)
        game.selection.set(made)
    editor.note(editor.tr("Pasted {count}", count=len(made)), "ok")


def _parent_of_primary(game: Game) -> int:
    primary = game.selection.primary
    return 0 if primary is None else int(parents_of(game.world, np.array([primary], np.int64))[0])


def _command(thing: Thing) -> dict[str, Any]:
    return {
        "title": thing.title, "icon": thing.icon, "menu": thing.menu,
        "run": lambda editor: create(editor, thing), "when": lambda editor: possible(editor, thing),
    }  # fmt: skip


COMMANDS: dict[str, dict[str, Any]] = {f"entity.create.{thing.id}": _command(thing) for thing in THINGS}
