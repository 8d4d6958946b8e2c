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
ASSET = "asset"
"""The id of a thing that shows a file."""
Point = tuple[float, float]


def place(editor: Editor) -> Point:
    """Return where new entities appear, in units: the centre of the scene view, see `rounded`."""
    camera = getattr(editor.panels["editor.scene"], "camera", None) if "editor.scene" in editor.panels else None
    return rounded(editor, camera.centre if camera is not None else (0.0, 0.0))


def rounded(editor: Editor, at: Point) -> Point:
    """Return a place in whole units; on the grid if things snap."""
    step = editor.settings.grid if editor.settings.snap else 1.0
    return round(at[0] / step) * step, round(at[1] / step) * step


def possible(editor: Editor, thing: Thing) -> bool:
    """Return whether the game's plugins have the components of a thing."""
    game = editor.game
    return game is not None and all(game.world.kind(name) in game.world.tables for name in thing.parts)


def create(editor: Editor, thing: Thing, parent: int | None = None, at: Point | None = None) -> list[int]:
    """Create a thing and select it; return its handle in a list.

    at: position in the world, or relative to the parent; None: the centre of the scene view, or where the parent is.
    """
    game = the_game(editor)
    world = game.world
    made: list[Any] = []
    for name, values in thing.parts.items():
        cls: Any = world.kind(name)
        first = {"primary": not len(world.table(cls))} if thing.id == "camera" else {}
        made.append(cls(**values, **first))
    name, above = Name(value=free_names(world, [thing.name])[0]), parent or 0
    title = thing.title if thing.id == ASSET else editor.tr(thing.title)
    return _make(editor, title, above, at, lambda at: world.spawn(
        name, Transform(position=at, last_position=at, parent=above), *made
    ))  # fmt: skip


def spawn_prefab_here(editor: Editor, name: str, parent: int = 0, at: Point | None = None) -> list[int]:
    """Spawn a prefab and select it; return its handle in a list. at: see `create`."""
    game = the_game(editor)
    world = game.world

    def make(at: Point) -> int:
        plan = world[Prefabs].plan(name)
        wanted = plan.steps[0].node.name or name
        return spawn(world, name, Name(value=free_names(world, [wanted])[0]), at=at, parent=parent)

    return _make(editor, name, parent, at, make)


def create_from_asset(editor: Editor, path: str, parent: int = 0, at: Point | None = None) -> list[int]:
    """Create an entity that shows a file of the game: a picture, a map, or a preset of particles. at: see `create`.

    Raises UsageError for another kind of file.
    """
    end = PurePosixPath(path).suffix.lower()
    kinds = {"Sprite": ("image", end in PICTURES), "TileMap": ("map", path.endswith(MAPS)),
             "Emitter": ("preset", path.endswith(EMITTERS))}  # fmt: skip
    for component, (field, fits) in kinds.items():
        if fits:
            name = PurePosixPath(path).name.partition(".")[0]
            thing = Thing(ASSET, name, "", "", name, {component: {field: path}})
            if not possible(editor, thing):
                raise UsageError(f"the game has no plugin with {component}", hint="Add the plugin to game.yaml")
            return create(editor, thing, parent, at)
    raise UsageError(f"no entity can be made from {path}", hint="Drop a picture, a map, or a preset of particles")


def _make(editor: Editor, what: str, parent: int, at: Point | None, make: Callable[[Point], int]) -> list[int]:
    """Spawn with `make`, as one step; select what it returns."""
    game = the_game(editor)
    if parent and not any(game.world.has(parent, table.schema.cls) for table in game.world.trees):
        raise UsageError(f"{game.name_of(parent)} has no Transform, so it can't have children", hint="Add a Transform")
    with game.edit(editor.tr("Create {name}", name=what)):
        handle = make(at or ((0.0, 0.0) if parent else place(editor)))
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
