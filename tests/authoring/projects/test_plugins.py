"""Plugins that begin and end in an edited game, and the history across that."""

from __future__ import annotations

import random

import pytest

from long_runs import long
from rish_authoring import (
    History,
    Project,
    add_component,
    add_plugin,
    duplicate,
    mark_authored,
    remove_component,
    remove_plugin,
)
from rish_core import App, ManifestError, Name, PluginError, Tags, Transform, UsageError, find

TEXT = """\
rish: 1
plugins: [basics]
prefabs:
  crate: {Transform: {}, tags: [solid]}
scenes:
  main:
    # here
    - {name: a, prefab: crate, at: [1, 2]}
    - {name: b, Transform: {}, Wrap: {}}
  other:
    - {name: c, Transform: {}}   # there
"""


@pytest.fixture
def project(opened):
    """Return a project of the text."""
    return Project(opened(TEXT))


@pytest.fixture
def history(project):
    """Return the history of the project."""
    made = History(project.app.world)
    project.follow(made)
    return made


def plugins_of(app: App) -> set[str]:
    """Return the plugins that run."""
    return {*app.plugins.names}


def test_a_plugin_and_its_component_are_one_step(project, history):
    """Both come with one step and go with one undo, with the same World, text and plugins as before; steps from before
    the plugin are undone after that, and steps with its components are done again.
    """
    app = project.app
    first, before = app.world.hash(), plugins_of(app)
    with history.group("Move"):
        app.world.set(find(app.world, "a"), Transform(position=(9, 9)))
    moved, plain = app.world.hash(), project.text.plain
    with history.group("Add Animator"):
        assert project.edit(lambda text: add_plugin(text, "animation")) == []
        add_component(app, [find(app.world, "a"), find(app.world, "b")], app.world.kind("MotionPath"))
    with history.group("Set"):
        path = app.world.kind("MotionPath")
        app.world.set(find(app.world, "b"), path(closed=True))
    last, text = app.world.hash(), project.text.plain
    assert [step.name for step in history.done] == ["Move", "Add Animator", "Set"]
    for _ in range(2):
        history.undo()
        history.undo()
        assert (app.world.hash(), project.text.plain, plugins_of(app)) == (moved, plain, before)
        history.undo()
        assert app.world.hash() == first
        while history.redo():
            pass
        assert (app.world.hash(), project.text.plain) == (last, text)
        assert plugins_of(app) - before == {"animation"}


def test_a_plugin_that_is_still_used_is_not_taken_out(project, history):
    """What entities of the open scene, or entries of another scene, still have is named; nothing changes."""
    app = project.app
    first, plain = app.world.hash(), project.text.plain
    with pytest.raises(UsageError, match=r"still used: 1 entity has basics\.Wrap"), history.group("Remove"):
        project.edit(lambda text: remove_plugin(text, "basics"))
    with history.group("Remove it"):
        remove_component(app, [find(app.world, "b")], app.world.kind("Wrap"))
        project.go("other")
        add_component(app, [find(app.world, "c")], app.world.kind("Wrap"))
        project.go("main")
    with pytest.raises(ManifestError, match=r"other.*Wrap"), history.group("Remove"):
        project.edit(lambda text: remove_plugin(text, "basics"))
    assert "basics" in app.plugins
    history.undo()
    assert (app.world.hash(), project.text.plain, len(history.undone)) == (first, plain, 1)


def test_a_plugin_that_only_the_unsaved_text_still_names_is_taken_out(project, history, opened):
    """A component that was removed and not yet saved does not hold its plugin; what is saved is what was edited."""
    app = project.app
    first = app.world.hash()
    with history.group("Remove the component"):
        remove_component(app, [find(app.world, "b")], app.world.kind("Wrap"))
    with history.group("Remove the plugin"):
        project.edit(lambda text: remove_plugin(text, "basics"))
    assert "basics" not in app.plugins
    assert find(app.world, "b") is not None
    project.save()
    again = opened()
    assert "basics" not in again.plugins
    assert find(again.world, "b") is not None
    while history.undo():
        pass
    assert (app.world.hash(), "basics" in app.plugins) == (first, True)


@pytest.mark.parametrize(
    ("plugin", "said"),
    [("magic", "plugin 'magic' is not installed"), ("physics2d", "is a choice|physics2d"), ("broken", "ZeroDivision")],
)
def test_a_plugin_that_can_not_begin_changes_nothing(opened, tmp_path, monkeypatch, plugin, said):
    """A plugin that is missing, a contract with two providers, and a module that raises are refused with the reason."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "broken_plugin.py").write_text("1 / 0\n")
    project = Project(opened(TEXT))
    history = History(project.app.world)
    project.follow(history)
    if plugin == "broken":
        from rish_core.plugin import Candidate

        given = [*project.app.plugins.candidates, Candidate("broken", "broken-plugin", "1", "broken_plugin")]
        project.app.loading["installed"] = given
    first, plain, names = project.app.world.hash(), project.text.plain, plugins_of(project.app)
    with pytest.raises((PluginError, ManifestError), match=said), history.group("Add"):
        project.edit(lambda text: add_plugin(text, plugin))
    assert (project.app.world.hash(), project.text.plain, plugins_of(project.app)) == (first, plain, names)
    assert not history.done


def test_a_plugin_of_an_incompletely_opened_game_brings_back_its_components(tmp_path):
    """What was left out because its plugin was not named is understood once it begins."""
    from rish_authoring import open_leniently

    (tmp_path / "game.yaml").write_text(TEXT.replace("[basics]", "[magic]"))
    app, problems, raw = open_leniently(tmp_path, headless=True, warm_up=False)
    assert problems
    assert raw
    project = Project(app)
    history = History(app.world)
    project.follow(history)
    first = app.world.hash()
    with history.group("Add"):
        project.edit(lambda text: add_plugin(text, "basics"))
    assert app.world.has(find(app.world, "b"), app.world.kind("Wrap"))
    history.undo()
    assert app.world.hash() == first
    app.close()


def test_code_that_came_with_a_plugin_goes_with_it(project, history, tmp_path):
    """A plugin.py that was written after the game was opened begins with the next switch, and undo takes it out."""
    (tmp_path / "plugin.py").write_text(
        "from rish_core import component\n\n@component\nclass Coin:\n    worth: int = 1\n\n"
        "def rish_components():\n    return [Coin]\n"
    )
    app = project.app
    first = app.world.hash()
    with history.group("Add"):
        project.edit(lambda text: add_plugin(text, "animation"))
        add_component(app, [find(app.world, "a")], app.world.kind("Coin"))
    last = app.world.hash()
    for _ in range(2):
        history.undo()
        assert (app.world.hash(), app.world.kind("Coin"), "game" in app.plugins) == (first, None, False)
        history.redo()
        assert (app.world.hash(), "game" in app.plugins) == (last, True)


SWITCHED = ("animation", "basics", "space3d")


def _edit(rng: random.Random, project: Project) -> None:
    """Change something that a person could change."""
    app, world = project.app, project.app.world
    alive = world.table(Name).entities.tolist()
    one = rng.choice(alive) if alive else world.spawn(Name(value="new"), Transform())
    match rng.randrange(9):
        case 0:
            world.set(one, Transform(position=(rng.randrange(9), 1)))
        case 1:
            mark_authored(world, world.spawn(Name(value=f"n{rng.randrange(9)}"), Transform()))
        case 2 if len(alive) > 2:
            world.despawn(one)
        case 3:
            duplicate(app, [one])
        case 4:
            world.add(one, Tags(values=[f"t{rng.randrange(9)}"]))
        case 5:
            project.go("other" if project.scene == "main" else "main")
        case 6 if "basics" in app.plugins:
            add_component(app, [one], world.kind("Lifetime"))
        case 7 if "basics" in app.plugins:
            found = world.table(world.kind("Lifetime")).entities.tolist()
            remove_component(app, found[:1], world.kind("Lifetime"))
        case _:
            if "animation" in app.plugins:
                add_component(app, [one], world.kind("MotionPath"), closed=rng.random() < 0.5)


def _switch(rng: random.Random, project: Project) -> None:
    """Begin or end a plugin, alone or with other edits in the same step; what is still used stays."""
    name = rng.choice(SWITCHED)
    named = name in {wish.name for wish in project.app.manifest.plugins}
    if rng.random() < 0.5:
        _edit(rng, project)
    project.edit(lambda text: (remove_plugin if named else add_plugin)(text, name))
    if rng.random() < 0.5:
        _edit(rng, project)


@pytest.mark.slow
@pytest.mark.parametrize("seed", long(range(20), [1]))
def test_random_edits_and_switches_are_undone_and_done_again_exactly(opened, seed):
    """World, text, scene and plugins are at every step as they were when it was made, back and forth."""
    rng = random.Random(seed)
    project = Project(opened(TEXT))
    app, history = project.app, History(project.app.world)
    project.follow(history)

    def state() -> object:
        return app.world.hash(), project.text.plain, project.scene, app.plugins.names

    states = [state()]
    while len(history.done) < long(60, 20):
        try:
            with history.group("edit"):
                (_switch if rng.random() < 0.3 else _edit)(rng, project)
        except (ManifestError, UsageError):
            assert state() == states[-1]
        if len(history.done) == len(states):
            states.append(state())
    at, switched = len(history.done), {names for *_, names in states}
    assert len(switched) > 2
    for aim in (0, at, *rng.choices(range(at), k=4), 0, at):
        while at != aim:
            assert (history.undo if at > aim else history.redo)() is not None
            at += 1 if at < aim else -1
            assert state() == states[at], at


def test_switching_a_plugin_on_waits_for_no_kernels(opened, monkeypatch):
    """A tool prepares the kernels of a plugin that begins, and goes on meanwhile."""
    project = Project(opened(TEXT, warm_up=True))
    calls = []
    monkeypatch.setattr(project.app.kernels, "prepare_scene", lambda *given: calls.append(given) or ())
    project.edit(lambda text: add_plugin(text, "particles"))
    assert "particles" in plugins_of(project.app)
    assert calls == []
    project.app.prepare_scene()
    assert len(calls) == 1
