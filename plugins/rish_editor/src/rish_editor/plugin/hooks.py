"""The hooks of rish_editor: panels, inspectors, gizmos, commands, new assets, texts, names in files, reloads.

The built-in parts of the editor use only these. A plugin implements them with `@hookimpl(optional=True)`, so that it
also works without the editor. They return plain classes, functions and mappings, so that the plugin need not import
`rish_editor`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rish_core import hookspec

from .readers import READERS


@hookspec(reads=READERS["rish_editor_panels"], provisional=True)
def rish_editor_panels() -> list[type]:  # pyright: ignore[reportReturnType]
    """Declare panels of the editor.

    When: while the registry is built; a panel's class is called without arguments when a game opens.
    How often: once.
    Arguments: none.
    Returns: a list of classes. A class has `id` (a name that begins with the plugin's, and stays the same), `title` (in
        English), and the method `draw(self, ui, editor)`, see `rish_editor.Panel` for all members. ui: the widgets,
        `rish_editor.UI`. editor: the edited game, `rish_editor.Editor`.
    Failures: anything else disables the plugin. A panel that raises is closed with its error, and can be opened again.
    Example::

        class WindPanel:
            id, title, icon, dock = "wind.panel", "Wind", "wind", "right"

            def draw(self, ui, editor):
                ui.text(f"{len(editor.game.world.table(Vane))} vanes")

        @hookimpl(optional=True)
        def rish_editor_panels():
            return [WindPanel]
    """


@hookspec(reads=READERS["rish_editor_inspectors"], provisional=True)
def rish_editor_inspectors() -> Mapping[type, Callable[..., None]]:  # pyright: ignore[reportReturnType]
    """Declare how the inspector shows components, where more than their declared fields is wanted.

    When: while the registry is built; a drawer is called in each frame in which the inspector shows its component.
    How often: once.
    Arguments: none.
    Returns: {component: drawer}; instead of a component, a class that components derive from. A drawer is a function
        `(ui, editor, target)`. target: the component of the selected
        entities, `rish_editor.Target`; `target.fields()` draws the declared fields.
    Failures: anything else disables the plugin. If a drawer raises, its error is shown instead.
    Example::

        def draw_vane(ui, editor, target):
            target.fields()
            if ui.button("Blow", "blow"):
                target.set("speed", 5.0)

        @hookimpl(optional=True)
        def rish_editor_inspectors():
            return {Vane: draw_vane}
    """


@hookspec(reads=READERS["rish_editor_gizmos"], provisional=True)
def rish_editor_gizmos() -> Mapping[type, Callable[..., None]]:  # pyright: ignore[reportReturnType]
    """Declare what the scene view draws over entities with a component: outlines, marks, and handles to drag.

    When: while the registry is built; a drawer is called in each frame in which a scene view is visible.
    How often: once.
    Arguments: none.
    Returns: {component: drawer}; a drawer is a function `(scene, editor, handles)`. scene: draws in units of the world,
        `rish_editor.SceneDraw`. handles: int64 n, the entities with this component that the view shows. A drawer with
        the attribute `in_game_view = True` is also called in the Game view, twice: for things on layers in screen
        space (`scene.flat`, units are pixels of the game), and for those that the main camera shows. A drawer with the
        attribute `in_space = True` is called in views of three dimensions instead of flat ones, with a
        `rish_editor.SpaceDraw`, which draws in meters. An attribute
        `places`, a function `(world, handles)`, returns bool n: which entities the drawer places itself, so that they
        have no gizmo of their Transform.
    Failures: anything else disables the plugin. A drawer that raises is reported, and not called until the user
        tries again.
    Example::

        def draw_vanes(scene, editor, handles):
            for handle in handles:
                scene.circle(scene.position(handle), 16, color=scene.theme.gizmo)

        @hookimpl(optional=True)
        def rish_editor_gizmos():
            return {Vane: draw_vanes}
    """


@hookspec(reads=READERS["rish_editor_commands"], provisional=True)
def rish_editor_commands() -> Mapping[str, Mapping[str, Any]]:  # pyright: ignore[reportReturnType]
    """Declare commands: what menus, toolbar, shortcuts and the command palette offer.

    When: while the registry is built; `run`, `when` and `checked` are called with the editor.
    How often: once.
    Arguments: none.
    Returns: {id: options}; the id begins with the plugin's name. `title` (in English) and `run` (a function of the
        editor) are needed; `icon`, `shortcut` ("Ctrl+Shift+B"), `menu` ("Tools"), `when` and `checked` (functions of
        the editor that return bool), `tooltip`, `in_game` and `label` (a function of the editor that returns what menus
        show) are optional, and so are `choices` (one that returns commands for searches) and `entities` (whether it
        acts on the selected entities), see `rish_editor.Command`.
    Failures: anything else disables the plugin. A command that raises is reported.
    Example::

        @hookimpl(optional=True)
        def rish_editor_commands():
            return {"wind.calm": {"title": "Calm the Wind", "menu": "Tools", "run": calm}}
    """


@hookspec(reads=READERS["rish_editor_spawners"], provisional=True)
def rish_editor_spawners() -> Mapping[type, tuple[str, Callable[..., list[int]]]]:  # pyright: ignore[reportReturnType]
    """Declare what a run spawns from a file because of a component, so that it is seen while the game is edited.

    When: while the registry is built; a function is called when a game opens, and after each edit of its component, of
        the prefabs or of the file, not while the game runs.
    How often: once.
    Arguments: none.
    Returns: {component: (field, function)}. field: the field of the component that names the file. function:
        `(world, entity)`, spawns what the first tick of a run would spawn for an entity with the component, as its
        children, and returns their entities. They are shown, can't be edited, and are never saved; a run begins
        without them.
    Failures: anything else disables the plugin. For a function that raises, nothing is shown, and the error is logged.
    Example::

        def spawn_flock(world, entity):
            return [spawn_prefab(world, "bird", at=place, parent=entity) for place in places_of(world, entity)]

        @hookimpl(optional=True)
        def rish_editor_spawners():
            return {Flock: ("file", spawn_flock)}
    """


@hookspec(reads=READERS["rish_editor_templates"], provisional=True)
def rish_editor_templates() -> Mapping[str, Mapping[str, Any]]:  # pyright: ignore[reportReturnType]
    """Declare kinds of new assets: what *New…* in the panel Assets offers.

    When: while the registry is built; for plugins that the game does not load, when the list is first shown.
    How often: once.
    Arguments: none.
    Returns: {id: options}; the id begins with the plugin's name. `title` (in English) is needed, and either `file`, the
        path of the new file, with `text`, its content; or `key`, a place in the manifest, with `value`, what is written
        there; or `edit`, a function of the `rish_authoring.GameText` and the name. A path without a folder is written
        into the folder that is shown. Texts and values may contain NAME, CLASS, FILE and PATH, see
        `rish_editor.Template`, which has all options: `icon`, `name`, `names`, `check`, `plugins`, `declare`, `add`,
        `set` and `then` are optional. A plugin that the game does not load is added to it when its template is used.
    Failures: anything else disables the plugin. A mistake in what a template writes is shown, and nothing is written.
    Example::

        @hookimpl(optional=True)
        def rish_editor_templates():
            return {
                "wind.gust": {
                    "title": "Gust", "icon": "wind", "file": "NAME.gust.yaml", "text": "speed: 12\\n",
                    "add": {"Vane": {"gust": "PATH"}},
                }
            }
    """


@hookspec(reads=READERS["rish_editor_texts"], provisional=True)
def rish_editor_texts() -> Mapping[str, Mapping[str, str]] | str | Path:  # pyright: ignore[reportReturnType]
    """Declare translations of the plugin's texts in the editor.

    When: while the registry is built.
    How often: once.
    Arguments: none.
    Returns: the path of a folder with a file for each language, such as `zh-TW.yaml`, with a translation for each
        English text, or the same as a mapping {language: {English text: translation}}.
    Failures: anything else disables the plugin, and so does a file that can't be read.
    Example::

        from pathlib import Path

        @hookimpl(optional=True)
        def rish_editor_texts():
            return Path(__file__).parent / "texts"
    """


@hookspec(reads=READERS["rish_editor_references"], provisional=True)
def rish_editor_references() -> Mapping[str, Mapping[str, Sequence[str]]]:  # pyright: ignore[reportReturnType]
    """Declare where files of a format name other files, so that the names follow when a file is renamed.

    When: while the registry is built.
    How often: once.
    Arguments: none.
    Returns: {suffix: {how: patterns}}. A pattern is that of the keys above a text and its own, joined by `/`, without
        the indices of lists: `*/image/source`; in XML these are elements and attributes. how: `rooted` for names as in
        manifests, `relative` for names relative to the file's folder, `uris` for the same with `%20` for a space.
        The suffix `game.yaml` stands for manifests, in which fields of type Asset need no pattern. Files of other
        syntaxes than YAML, JSON, XML and BMFont are not read.
    Failures: anything else disables the plugin.
    Example::

        @hookimpl(optional=True)
        def rish_editor_references():
            return {".wind.yaml": {"rooted": ["vanes/*/picture"]}, "game.yaml": {"rooted": ["settings/wind/map"]}}
    """


@hookspec(provisional=True)
def rish_editor_reload(editor: Any, paths: Sequence[Path]) -> bool:  # pyright: ignore[reportReturnType]
    """Load code of the edited game again that another program has changed.

    The editor alone looks at the files of its game (`App.watches` is False). It takes the manifest over itself and
    loads assets again; code is for the plugin that can keep most of its state.

    When: between two ticks, while the game is edited and while it runs, soon after files of code have changed, or when
        the user asks for it.
    How often: at most once a second.
    Arguments: editor: of the edited game, `rish_editor.Editor`. paths: the files, which may have been removed.
    Returns: True if the plugin has taken care of them, also if they have mistakes, which it lists by
        `editor.list_mistake`; then no other plugin is asked. None, so that the next one is. Without any the editor
        loads `plugin.py` again.
    Failures: an exception disables the plugin.
    Example::

        @hookimpl(optional=True)
        def rish_editor_reload(editor, paths):
            return reload_vanes(editor.game.world, paths)
    """
