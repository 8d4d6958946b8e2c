"""Widgets that come, go or change are drawn as if all were laid out, painted and packed anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_core import App, Disabled, Transform, open_game
from rish_frame import Frame, NullBackend
from rish_render.drawables.extraction import RenderCache
from rish_ui import Button, Label, Layout, Slider, Toggle, UiState, Widget

GAME = """rish: 1
game: {title: Patches, size: [320, 400]}
plugins: [render, ui]
layers: [world]
scenes:
  main:
    - {Transform: {position: [160, 200]}, Camera: {}}
    - name: screen
      Screen: {}
      Layout: {direction: grid, columns: [1, 1, 1]}
      children: [%s]
    - {name: sign, Transform: {position: [90, 60]}, Screen: {space: world}, Layout: {gap: [2, 2]}, children: [%s]}
    - name: own
      Screen: {}
      Button: {text: A widget of the screen itself}
      Widget: {}
      children: [{Label: {text: One}}, {Label: {text: Two}}, {Widget: {}, Label: {text: Three}}, {Slider: {}}]
"""
LOOKS = (Widget(visible=False), Widget(enabled=False), Widget(z=1), Widget(order=-1), Widget(style="title"), Widget())
WIDGETS = (
    lambda: (Label(text="Spawned"),),
    lambda: (Label(text="A long text of several words"), Layout(grow=1)),
    lambda: (Button(text="Press"),),
    lambda: (Toggle(text="Switch"), Widget(z=1)),
    lambda: (Slider(value=0.3),),
    lambda: (Layout(direction="row"),),
)


def drawn(frame: Frame) -> list[Any]:
    """Return all batches of a frame: where and how they are drawn, and the bytes of each array."""
    batches: list[Any] = []
    for batch in (batch for step in frame.steps() for batch in step.batches):
        place = (batch.kind, batch.layer, batch.z, batch.origin, batch.unit, batch.clip, batch.filter, batch.texture)
        batches.append((place, {name: array.tobytes() for name, array in batch.arrays.items()}))
    return batches


def change(world: Any, random: np.random.Generator) -> None:
    """Do one random change."""
    nodes = [node for node in world[UiState].tree.nodes.values() if world.alive(node.entity)]
    node, kind = nodes[int(random.integers(len(nodes)))], int(random.integers(0, 12))
    texts = [each.entity for each in nodes if each.kind.component is Label]
    match kind:
        case 0 | 1:
            world.spawn(Transform(parent=node.entity), *WIDGETS[int(random.integers(len(WIDGETS)))]())
        case 2 if node.parent is not None:
            world.despawn(node.entity)
        case 3 if node.parent is not None:
            world.add(node.entity, Disabled())
        case 4:
            for handle in world.table(Disabled).entities[:1].tolist():
                world.remove(handle, Disabled)
        case 5 | 6 | 7 | 8:
            world.add(node.entity, LOOKS[int(random.integers(len(LOOKS)))])
        case 9:
            world.add(node.entity, Layout(grow=float(random.integers(2)), padding=(2, 2, 2, 2)))
        case _:
            for entity in random.permutation(texts)[: int(random.integers(0, 3))].tolist():
                world.get(entity, Label).text = "x" * int(random.integers(0, 30)) + "\n" * int(random.integers(0, 2))


def opened(folder: Path, count: int = 50) -> App:
    """Open the game with `count` labels on each screen, and show it until nothing changes."""
    labels = ", ".join(f"{{Widget: {{}}, Label: {{text: Number {k}}}}}" for k in range(count))
    (folder / "game.yaml").write_text(GAME % (labels, labels))
    app = open_game(folder, headless=True, backend=NullBackend(keep=0))
    for _ in range(12):
        app.frame()
    assert drawn(app.world[Frame])
    return app


def check(app: App) -> None:
    """Compare what is drawn with an interface that is built anew, byte for byte."""
    world = app.world
    while world[UiState].moving:
        app.frame()
    patched = drawn(world[Frame])
    world[UiState].reset(world)
    world.put(RenderCache())
    app.frame()
    app.frame()
    assert patched == drawn(world[Frame])


@pytest.mark.parametrize("count", [4, 50])
@pytest.mark.parametrize("seed", range(long(20, 3)))
def test_patched_widgets_are_drawn_as_new_ones(seed, count, tmp_path):
    """After random changes and restores, each frame has the batches of an interface that is built anew."""
    app = opened(tmp_path, count)
    world, random, saved = app.world, np.random.default_rng(seed), app.world.snapshot()
    for number in range(30):
        for _ in range(int(random.integers(1, 4))):
            change(world, random)
        if number % 10 == 9:
            world.restore(saved)
        if number % 10 == 3:
            saved = world.snapshot()
        app.frame()
        check(app)
    app.close()


@pytest.mark.parametrize("number", [1, 2, -1])
def test_a_hidden_widget_takes_no_space_while_others_change(number, tmp_path):
    """A widget that is hidden, also the first or the last one of its screen, stays hidden if others are changed."""
    app = opened(tmp_path)
    for root in app.world[UiState].tree.roots:
        app.world.add(root.nodes[number].entity, Widget(visible=False))
    app.frame()
    for root in app.world[UiState].tree.roots:
        app.world.add(root.nodes[3].entity, Widget(style="title"))
    app.frame()
    check(app)
    app.close()


def test_a_widget_of_a_screen_is_hidden_in_the_frame_that_builds_the_screen_anew(tmp_path):
    """A change of a screen's own widget takes effect if its children get another order in the same frame."""
    app = opened(tmp_path)
    root = app.world[UiState].tree.roots[-1]
    app.world.add(root.nodes[-2].entity, Widget(order=-1))
    app.world.add(root.entity, Widget(visible=False))
    app.frame()
    assert root not in app.world[UiState].tree.roots
    check(app)
    app.close()


def test_a_screen_in_the_world_that_grows_is_painted_anew(tmp_path):
    """If the last text of a screen in the world gets a second line, all above it is drawn higher."""
    app = opened(tmp_path)
    label = next(root for root in app.world[UiState].tree.roots if root.world).nodes[-1]
    app.world.get(label.entity, Label).text = "Two\nlines"
    app.frame()
    check(app)
    app.close()


def test_one_widget_that_comes_goes_or_changes_paints_no_others(tmp_path):
    """A widget that is spawned, written or despawned beside fifty others leaves the parts without it as they are."""
    app = opened(tmp_path)
    root = next(root for root in app.world[UiState].tree.roots if not root.world)
    others, versions = root.parts[:-1], [part.version for part in root.parts[:-1]]
    handle = app.world.spawn(Transform(parent=root.entity), Label(text="Last"))
    app.frame()
    assert app.world[UiState].node(handle).part == len(root.parts) - 1
    app.world.get(handle, Label).text = "Changed"
    app.frame()
    app.world.despawn(handle)
    app.frame()
    assert root.parts[:-1] == others
    assert [part.version for part in root.parts[:-1]] == versions
    app.close()
