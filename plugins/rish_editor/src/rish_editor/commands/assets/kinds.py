"""The kinds of new assets that the editor itself declares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rish_authoring import make_prefab

from ..targets import the_game

if TYPE_CHECKING:
    from ...session.editor import Editor

_COMPONENT = '''"""CLASS: say here what it is."""

from rish_core import component, field


@component
class CLASS:
    """Say here what it is. Add it to an entity in game.yaml: `CLASS: {amount: 2}`."""

    amount: float = field(1, low=0, doc="what the number means")
'''
_SYSTEM = (
    '''"""NAME: turns all entities with CLASS."""

from rish_core import Stage, Transform, component, field, system


@component
class CLASS:
    """What the system works on. Add it to an entity in game.yaml: `CLASS: {speed: 90}`."""

    speed: float = field(1, unit="rad/s", angle=True)


@system(Stage.UPDATE, reads=CLASS, writes=Transform)
def NAME(world, dt):
    """Turn all entities with CLASS; called once a tick."""
    turned = world.query(CLASS, Transform)
    with turned.edit(Transform.rotation) as rotation:
        rotation += turned[CLASS.speed] * dt


'''.rstrip()
    + "\n"
)


def _open_scene(editor: Editor, name: str, path: str) -> None:
    editor.games.go(name)


def _one(editor: Editor) -> bool:
    return editor.game is not None and len(editor.game.selection) == 1


def _make_prefab(editor: Editor, name: str) -> None:
    game = the_game(editor)
    assert game.selection.primary is not None
    make_prefab(game.project, game.selection.primary, name)


TEMPLATES: Mapping[str, Mapping[str, Any]] = {
    "editor.scene": {
        "title": "Scene", "about": "An empty scene of the game, which is opened", "icon": "scene",
        "key": "scenes.NAME", "value": [], "names": "key", "name": "scene", "then": _open_scene,
    },
    "editor.prefab": {
        "title": "Prefab", "about": "An empty pattern of entities", "icon": "prefab",
        "key": "prefabs.NAME", "value": {"Transform": {}}, "names": "key", "name": "prefab",
    },
    "editor.prefab_of": {
        "title": "Prefab of the Selection", "icon": "prefab", "key": "prefabs.NAME", "names": "key", "name": "prefab",
        "about": "The entity and all below it become a prefab, and a use of it stays in its place.",
        "make": _make_prefab, "when": _one,
    },
    "editor.component": {
        "title": "Component", "about": "A class with fields, for data that entities have", "icon": "component",
        "file": "components/FILE.py", "text": _COMPONENT, "names": "class", "name": "Health",
        "declare": {"rish_components": "CLASS"}, "add": {"CLASS": {}},
    },
    "editor.system": {
        "title": "System", "about": "A function that is called once a tick, with its component", "icon": "component",
        "file": "systems/FILE.py", "text": _SYSTEM, "names": "function", "name": "turn",
        "declare": {"rish_components": "CLASS", "rish_systems": "NAME"}, "add": {"CLASS": {}},
    },
    "editor.folder": {
        "title": "Folder", "about": "A folder for files of the game", "icon": "folder", "file": "NAME/",
        "name": "folder",
    },
}  # fmt: skip
"""Scenes, prefabs, code that needs no plugin, and folders."""
