"""Plugins that are switched on where they are needed: in lists, menus, searches, palette and form, and by drops."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_authoring import add_plugin, duplicate, plugin_names, remove_plugin
from rish_core import App, Transform, parse_manifest
from rish_core.plugin.discovery import installed_plugins
from rish_editor.commands.entities.creating import PRESETS, create, create_from_asset
from rish_editor.commands.forms import edit_text
from rish_editor.session.catalog import KNOWN, Catalog
from rish_editor.session.files.journal import read_copy
from rish_editor.testing import UIDriver

Open = Callable[..., Any]
INSPECTOR = "editor.inspector"


def state(game: Any) -> tuple[Any, ...]:
    """Return all that a step of the history may change."""
    return game.world.hash(), game.project.text.plain, game.scene, game.app.plugins.names, game.selection.handles


def written(game: Any) -> list[str]:
    """Return the plugins that the text names."""
    return plugin_names(game.project.text)


def select(driver: UIDriver, game: Any, *names: str) -> list[int]:
    """Select entities as a step of the history."""
    with game.edit("Select"):
        game.selection.set(game.named(names))
    driver.step(2)
    return game.selection.handles


def undone_and_done_again(game: Any, before: Any) -> None:
    """Check that one undo gives the state before, and redo the present one."""
    after = state(game)
    game.undo()
    assert state(game) == before
    game.redo()
    assert state(game) == after


def test_a_component_of_another_plugin_is_offered_and_added_in_one_step(driver: UIDriver, open_text: Open) -> None:
    """Typing Body in a game without physics offers it; Enter gives it to all selected entities, and one Ctrl+Z takes
    plugin and components back. The steps before, the selection, locks and the view stay.
    """
    game = open_text()
    handles = select(driver, game, "red", "blue", "camera")
    game.lock(handles[:1])
    before, steps = state(game), len(game.history.done)
    driver.click(f"{INSPECTOR}/add")
    driver.step(2)
    driver.type("Body")
    assert any(mark.endswith("offer:Body") for mark in driver.marks())
    driver.key("Enter")
    driver.step(3)
    assert driver.shell.editor.game is game
    assert all(game.world.has(handle, game.world.kind("Body")) for handle in handles)
    assert written(game) == ["render", "physics"]
    assert (game.selection.handles, game.locked, len(game.history.done)) == (handles, {*handles[:1]}, steps + 1)
    assert game.dirty
    driver.key("Ctrl+Z")
    driver.step(2)
    assert state(game) == before
    assert not game.dirty
    driver.key("Ctrl+Y")
    driver.step(2)
    assert game.world.has(handles[2], game.world.kind("Body"))


@pytest.mark.parametrize(("thing", "plugin"), [("light", "lighting"), ("button", "ui"), ("cube", "scene3d")])
def test_things_of_other_plugins_are_created_in_one_step(
    driver: UIDriver, open_text: Open, thing: str, plugin: str
) -> None:
    """The + of the hierarchy lists them with the plugin; the plugin begins with the entity, and both are undone."""
    game = open_text()
    before = state(game)
    driver.click("editor.hierarchy/create")
    driver.step(2)
    menu = next(mark for mark in driver.marks() if mark.endswith("/others"))
    driver.move(menu)
    driver.step(30)
    driver.click(next(mark for mark in driver.marks() if mark.endswith(f"/{thing}")))
    driver.step(4)
    assert written(game) == ["render", plugin]
    assert len(game.selection) == 1
    undone_and_done_again(game, before)


def test_the_search_and_the_palette_offer_them_too(driver: UIDriver, open_text: Open) -> None:
    """A search that finds no entity, and the palette, name the plugin, and switch it on."""
    game = open_text()
    handles = select(driver, game, "red")
    before = state(game)
    driver.click("editor.hierarchy/search")
    driver.type("has:Body")
    driver.step(2)
    driver.click(next(mark for mark in driver.marks() if mark.endswith("offer:Body")))
    driver.step(3)
    assert game.world.has(handles[0], game.world.kind("Body"))
    game.undo()
    assert state(game) == before
    driver.key("Ctrl+P")
    driver.step(2)
    driver.type("point light")
    assert driver.marks("palette/row:")[0] == "palette/row:entity.create.light"
    driver.key("Enter")
    driver.step(3)
    assert written(game) == ["render", "lighting"]
    undone_and_done_again(game, before)
    game.undo()
    driver.key("Ctrl+P")
    driver.step(2)
    driver.type("Collider")
    driver.key("Enter")
    driver.step(3)
    assert game.world.has(handles[0], game.world.kind("Collider"))


@pytest.mark.parametrize(("file", "component"), [("a.wav", "AudioSource"), ("a.glb", "Model3D")])
def test_a_dropped_file_brings_its_plugin(driver: UIDriver, open_text: Open, file: str, component: str) -> None:
    """A sound in a game without audio, and a model without scene3d, are placed with the plugin as one step."""
    game = open_text()
    (game.path / file).write_bytes(b"")
    before = state(game)
    [handle] = create_from_asset(driver.shell.editor, file)
    assert game.world.has(handle, game.world.kind(component))
    undone_and_done_again(game, before)


def test_a_plugin_that_can_not_be_switched_on_says_why_and_changes_nothing(driver: UIDriver, open_text: Open) -> None:
    """What is not installed is told with the way to get it; the menus say it before."""
    game, editor = open_text(), driver.shell.editor
    game.app.plugins.candidates = tuple(each for each in game.app.plugins.candidates if each.name != "lighting")
    editor.catalog = Catalog()
    before = state(game)
    assert editor.commands.label("entity.create.light", editor) == "Point Light — lighting is not installed"
    editor.run("entity.create.light")
    driver.step(2)
    assert editor.dialogs.open
    assert state(game) == before


def test_the_form_switches_plugins_and_keeps_the_history(driver: UIDriver, open_text: Open) -> None:
    """A plugin that is ticked begins, and ends when it is not; one that is used is refused with the entities."""
    game, editor = open_text(), driver.shell.editor
    states = [state(game)]
    for name, change in (("on", add_plugin), ("off", remove_plugin), ("again", add_plugin)):
        assert edit_text(editor, name, lambda text, change=change: change(text, "physics")) is None
        states.append(state(game))
    [crate] = create(editor, next(thing for thing in PRESETS if thing.id == "body_box"))
    said = edit_text(editor, "off", lambda text: remove_plugin(text, "physics"))
    assert said is not None
    assert "1 entity has physics.Body" in said
    assert game.world.alive(crate)
    for known in reversed(states):
        game.undo()
        assert state(game) == known
    assert not game.dirty


def test_while_the_game_is_played_nothing_is_offered(driver: UIDriver, open_text: Open) -> None:
    """A run has the plugins with which it began; after Stop they are offered again."""
    game, editor = open_text(), driver.shell.editor
    game.play.start()
    assert not editor.commands.enabled("entity.create.light", editor)
    game.play.stop()
    assert editor.commands.enabled("entity.create.light", editor)
    assert editor.commands.label("entity.create.light", editor) == "Point Light — switch on lighting"


def test_a_copy_of_edits_with_another_plugin_is_recovered(driver: UIDriver, open_text: Open) -> None:
    """What a crash has left after a plugin was switched on comes back with the plugin."""
    game = open_text()
    editor = driver.shell.editor
    [crate] = create(editor, next(thing for thing in PRESETS if thing.id == "body_box"))
    expected = game.world.hash()
    autosave = editor.games.autosave
    autosave.copy()
    autosave.wait()
    [path] = (game.path / ".rish" / "autosave").glob("*.autosave")
    copy = read_copy(path)
    game = open_text(None)
    assert "physics" not in game.app.plugins
    copy.recover(game)
    assert game.world.hash() == expected
    assert game.world.has(crate, game.world.kind("Body"))
    assert game.dirty


def test_the_components_that_are_known_are_those_that_the_plugins_declare() -> None:
    """The table of components without imports is complete and correct, and names what comes first."""
    plugins = [each.name for each in installed_plugins() if each.name in KNOWN]
    with App(parse_manifest(f"rish: 1\nplugins: [{', '.join(plugins)}]\n"), headless=True, warm_up=False) as app:
        kinds = app.registry.components.items()
        found = {name: [key.partition(".")[2] for key, kind in kinds if key.partition(".")[0] == name and _shown(kind)]
                 for name in plugins}  # fmt: skip
        order = [*KNOWN]
        for plugin, needs in app.plugins.required.items():
            for name in (name for choices in needs for name in choices if plugin in KNOWN and name in KNOWN):
                assert order.index(plugin) < order.index(name)
    assert {name: {*KNOWN[name].split()} for name in plugins} == {name: {*names} for name, names in found.items()}


def _shown(kind: Any) -> bool:
    return bool(kind.shown or not kind.fields)


def _edit(rng: random.Random, editor: Any, game: Any) -> None:
    """Do something that a person could do, with plugins on and off."""
    names = game.named(["red", "blue", "Crate", "Light", "Button", "Box"])
    match rng.randrange(7):
        case 0 | 1:
            thing = rng.choice([each for each in PRESETS if each.id in ("box", "light", "body_box", "button", "wind")])
            create(editor, thing)
        case 2 if names:
            with game.edit("Delete"):
                game.world.despawn(rng.choice(names))
        case 3 if names:
            with game.edit("Duplicate"):
                game.selection.set(duplicate(game.app, [rng.choice(names)]))
        case 4:
            plugin = rng.choice(["physics", "ui", "lighting"])
            change = remove_plugin if plugin in written(game) else add_plugin
            edit_text(editor, "Plugin", lambda text: change(text, plugin))
        case _ if names:
            with game.edit("Move"):
                one = np.array([handle for handle in names if game.world.has(handle, Transform)], np.int64)
                game.world.set(one[:1], Transform(position=(rng.randrange(99), 0)))
        case _:
            pass


@pytest.mark.slow
@pytest.mark.parametrize("seed", long(range(8), [0]))
def test_edits_and_switches_in_any_order_are_undone(driver: UIDriver, open_text: Open, seed: int) -> None:
    """World, text, scene, plugins and selection are the same at every step, back to the first and forth to the last;
    the frames in between draw without errors, and what is saved then opens again as it was.
    """
    rng, game, editor = random.Random(seed), open_text(), driver.shell.editor
    states = [state(game)]
    while len(game.history.done) < long(30, 12):
        _edit(rng, editor, game)
        if len(game.history.done) == len(states):
            states.append(state(game))
        driver.step()
    last = len(states) - 1
    assert len({names for _, _, _, names, _ in states}) > 1
    for steps, move in ((range(last - 1, -1, -1), game.undo), (range(1, last + 1), game.redo)):
        for at in steps:
            move()
            assert state(game) == states[at], at
            driver.step()
    assert not editor.failures
    editor.games.saving.save()
    count, plugins = game.count, written(game)
    again = open_text(None)
    assert (again.count, written(again), again.project.dirty) == (count, plugins, False)


def test_another_provider_of_a_plugin_that_is_on_is_not_offered(driver: UIDriver, open_text: Open) -> None:
    """With physics, nothing of the other plugin that stands in for it is offered, whether physics is on or not."""
    for plugins in ("render", "render, physics"):
        game = open_text(f"rish: 1\nplugins: [{plugins}]\nscenes: {{main: [{{name: red, Transform: {{}}}}]}}\n")
        catalog = driver.shell.editor.catalog
        catalog.offers(game.app)
        catalog.wait()
        assert "teach" in {each.name for each in game.app.plugins.candidates}
        assert "teach" not in {offer.plugin for offer in catalog.offers(game.app).values()}
