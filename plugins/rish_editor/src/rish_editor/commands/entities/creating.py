"""Commands that create entities from presets, prefabs, files, and the clipboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_authoring import add_component, free_names, mark_authored, paste_entities
from rish_core import Assets, Name, Prefabs, Transform, UsageError
from rish_core import spawn_prefab as spawn
from rish_ecs.storage import parents_of
from rish_space3d import Transform3D

from ..plugins.switching import label_of, offer_of, require
from ..targets import SCENE, shows_space, the_game
from .fitting import fit_to_drawn
from .presets import PRESETS, EntityPreset

if TYPE_CHECKING:
    from ...session.catalog import Offer
    from ...session.editor import Editor
    from ...session.game.game import Game

__all__ = [
    "COMMANDS", "PRESETS", "add_to", "create", "create_from_asset", "label", "paste", "place", "pose_for", "possible",
    "rounded", "spawn_prefab_here", "take_offer",
]  # fmt: skip
PICTURES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tga"})
MAPS = (".tmx", ".tmj", ".map.yaml")
EMITTERS = (".particles.yaml",)
MODELS = frozenset({".gltf", ".glb"})
SOUNDS = frozenset({".wav", ".ogg", ".mp3", ".flac"})
ASSET = "asset"
"""The id of presets that are made of a file."""
_STANDING = EntityPreset(ASSET, "", "", "", "", {"Transform3D": {}, "Billboard3D": {}})
"""The preset of pictures in space."""
Place = tuple[float, ...]
"""(x, y) on the plane, units, or (x, y, z) in space, meters."""


def place(editor: Editor, in_space: bool) -> Place:
    """Return where new entities appear: where the scene view looks or its menu was opened, see `rounded`."""
    middle = (0.0, 0.0, 0.0) if in_space else (0.0, 0.0)
    return rounded(editor, editor.panels[SCENE].place(in_space) if SCENE in editor.panels else middle)


def rounded(editor: Editor, at: Place) -> Place:
    """Return a place on the grid if snapping is on; otherwise in whole units, or in space in centimeters."""
    grid, fine = (editor.settings.grid_3d, 0.01) if len(at) == 3 else (editor.settings.grid, 1.0)
    step = grid if editor.settings.snap and grid > 0 else fine
    return tuple(round(round(part / step) * step, 6) for part in at)


def pose_for(editor: Editor, parent: int = 0) -> Any:
    """Return Transform or Transform3D for a new entity: as its parent has it, or as the shown view needs it."""
    world = the_game(editor).world
    if parent and world.has(parent, Transform) != (Transform3D in world.tables and world.has(parent, Transform3D)):
        return Transform if world.has(parent, Transform) else Transform3D
    return Transform3D if shows_space(editor) else Transform


def possible(editor: Editor, preset: EntityPreset) -> bool:
    """Return whether the game's plugins have the components of a preset."""
    game = editor.game
    return game is not None and all(game.world.kind(name) in game.world.tables for name in preset.parts)


def create(editor: Editor, preset: EntityPreset, parent: int = 0, at: Place | None = None) -> list[int]:
    """Create the entity of a preset and select it; return its handle in a list.

    The plugins that it needs are switched on, as part of the same step. at: place in the world, or relative to the
    parent; None: see `place`, or where the parent is. A position with another number of dimensions than the preset is
    ignored. Raises PluginRefused.
    """
    title = preset.title if preset.id == ASSET else editor.tr(preset.title)
    with the_game(editor).edit(editor.tr("Create {name}", name=title)):
        require(editor, preset.parts)
        return _create(editor, preset, title, parent, at)


def _create(editor: Editor, preset: EntityPreset, title: str, parent: int, at: Place | None) -> list[int]:
    """Create the entity of a preset whose plugins are switched on."""
    world = the_game(editor).world
    pose: Any = Transform3D if preset.in_space else Transform if preset.parts else pose_for(editor, parent)
    components: list[Any] = []
    for name, values in preset.parts.items():
        cls: Any = world.kind(name)
        first = {"primary": not len(world.table(cls))} if preset.id == "camera" else {}
        if cls is not pose:
            components.append(cls(**values, **first))
    spot = _spot(editor, pose, parent, at)
    own = pose(position=spot, last_position=spot, parent=parent, **preset.parts.get(pose.__name__, {}))
    name = Name(value=free_names(world, [preset.name])[0])
    return _made(editor, title, parent, pose, lambda: world.spawn(name, own, *components))


def spawn_prefab_here(editor: Editor, name: str, parent: int = 0, at: Place | None = None) -> list[int]:
    """Spawn a prefab and select it; return its handle in a list. at: see `create`."""
    world = the_game(editor).world
    top = world[Prefabs].plan(name).roots[0]
    hung = [cls for cls in (Transform, Transform3D) if cls in top.parts]
    pose: Any = hung[0] if hung else pose_for(editor, parent)
    spot = _spot(editor, pose, parent, at)

    def make() -> int:
        name_component = Name(value=free_names(world, [top.name or name])[0])
        return spawn(world, name, name_component, pose(position=spot, last_position=spot), parent=parent)

    return _made(editor, name, parent, pose, make)


def create_from_asset(editor: Editor, path: str, parent: int = 0, at: Place | None = None) -> list[int]:
    """Create an entity that shows a file of the game, or plays it: a picture, map, preset of particles, model or sound.

    A picture in space is a billboard that stands there. at: see `create`. Raises UsageError for another kind of file,
    and PluginRefused.
    """
    end = PurePosixPath(path).suffix.lower()
    in_space = len(at) == 3 if at is not None else pose_for(editor, parent) is Transform3D
    stands = in_space and possible(editor, _STANDING)
    kinds = {"Billboard3D": ("image", stands and end in PICTURES), "Sprite": ("image", end in PICTURES),
             "TileMap": ("map", path.endswith(MAPS)), "Emitter": ("preset", path.endswith(EMITTERS)),
             "Model3D": ("asset", end in MODELS), "AudioSource": ("clip", end in SOUNDS)}  # fmt: skip
    for component, (field, fits) in kinds.items():
        if fits:
            name = PurePosixPath(path).name.partition(".")[0]
            pose = {"Transform3D": {}} if component.endswith("3D") else {}
            more = _standing(the_game(editor), path) if component == "Billboard3D" else {}
            parts = {**pose, component: {field: path, **more}}
            return create(editor, EntityPreset(ASSET, name, "", "", name, parts), parent, at)
    what = f"no entity can be made from {path}"
    raise UsageError(what, hint="Drop a picture, a map, a preset of particles, a model or a sound")


def _standing(game: Game, path: str) -> dict[str, Any]:
    """Return the fields of a billboard for a picture: one meter high, with its lower edge at the position of the
    entity."""
    high, wide = game.world[Assets].load(path).shape[:2]
    return {"anchor": (0.5, 0.0), "size": (wide / high, 1.0)}


def _spot(editor: Editor, pose: type, parent: int, at: Place | None) -> Place:
    """Return the position of a new entity: the given one if it has as many dimensions as the pose, otherwise as in
    `create`."""
    deep = pose is Transform3D
    if at is not None and (len(at) == 3) == deep:
        return at
    return ((0.0,) * (3 if deep else 2)) if parent else place(editor, deep)


def _made(editor: Editor, what: str, parent: int, pose: type, make: Callable[[], int]) -> list[int]:
    """Call `make`, which spawns an entity, as one step, and select it. pose: the component with its position, which the
    parent has too."""
    game = the_game(editor)
    kinds = [table.schema.cls for table in game.world.trees] if pose is Transform else [pose]
    if parent and game.spawned.fixed(parent).any():
        wrong = f"{game.name_of(parent)} is spawned by {game.spawned.file_of(parent)}, so it can't have other children"
        raise UsageError(wrong, hint="Choose another parent")
    if parent and not any(game.world.has(parent, kind) for kind in kinds):
        wrong = f"{game.name_of(parent)} has no {pose.__name__}, so it can't have children"
        raise UsageError(wrong, hint=f"Add a {pose.__name__}")
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
        handles = paste_entities(game.app, text, parent=above or None)
        game.selection.set(handles)
    editor.note(editor.tr("Pasted {count}", count=len(handles)), "ok")


def _parent_of_primary(game: Game) -> int:
    primary = game.selection.primary
    return 0 if primary is None else int(parents_of(game.world, np.array([primary], np.int64))[0])


def add_to(editor: Editor, handles: Sequence[int], component: str) -> None:
    """Add a component to entities; entities without a pose get one where the scene view looks. Call it within a step.

    Size and form of a component are fitted to what its entity draws, see `fitting`.

    If the component's plugin is not switched on, it is switched on before. Raises PluginRefused.
    """
    game, pose = the_game(editor), pose_for(editor)
    require(editor, [component])
    spot: Any = place(editor, pose is Transform3D)
    cls = game.world.kind(component)
    assert cls is not None
    new = [handle for handle in handles if not game.world.has(handle, cls)]
    add_component(game.app, handles, cls, pose(position=spot, last_position=spot))
    fit_to_drawn(game.world, new, cls)


def take_offer(editor: Editor, offer: Offer, handles: Sequence[int]) -> None:
    """Switch on the plugin of a component, and add the component to entities, as one step. Raises PluginRefused."""
    name = f"Add {offer.component}" if len(handles) else editor.tr("Switch on {plugin}", plugin=offer.plugin)
    with the_game(editor).edit(name):
        add_to(editor, handles, offer.component)


def label(editor: Editor, preset: EntityPreset) -> str:
    """Return the label of a preset in menus, with the plugin that has to be switched on for it."""
    return label_of(editor, editor.tr(preset.title), offer_of(editor, preset.parts))


def _command(preset: EntityPreset) -> dict[str, Any]:
    return {
        "title": preset.title, "icon": preset.icon, "menu": preset.menu, "label": lambda editor: label(editor, preset),
        "run": lambda editor: create(editor, preset),
        "when": lambda editor: possible(editor, preset) or offer_of(editor, preset.parts) is not None,
    }  # fmt: skip


COMMANDS: dict[str, dict[str, Any]] = {f"entity.create.{preset.id}": _command(preset) for preset in PRESETS}
