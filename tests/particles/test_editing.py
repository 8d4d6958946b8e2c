"""What rish_particles brings for the editor: the panel that tunes presets, handles of emitters, previews."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest

from editing import Desk, desk
from rish_particles import Emitter, PresetLibrary, load_effect

GAME = """rish: 1
game: {title: Particles, size: [640, 360]}
plugins: [render, particles]
scenes:
  main:
    - {name: camera, Transform: {position: [0, 0]}, Camera: {height: 360}}
    - {name: jet, Transform: {position: [0, -40]}, Emitter: {preset: jet.particles.yaml}}
    - {name: fire, Transform: {position: [150, 0]}, Emitter: {preset: fire}}
"""
JET = """# A jet.
# By hand.
life: 1
emit: {rate: 40}
shape: {kind: box, size: [80, 20]}
direction: [60, 120]
speed: [100, 100]
"""
PANEL = "particles.presets"


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An editor for all tests of this file."""
    with desk(tmp_path_factory.mktemp("particles")) as made:
        yield made


@pytest.fixture
def game(at: Desk) -> Any:
    """The game of these tests, opened anew, with the panel and the emitter of a file of its own."""
    made = at.open(GAME, {"jet.particles.yaml": JET})
    at.show(PANEL)
    at.select("jet")
    return made


def main(game: Any, name: str = "jet.particles.yaml") -> Any:
    """Return the preset of a file as it is now."""
    effect = game.world[PresetLibrary].effect(game.world, name)
    return effect.main


@pytest.mark.slow
def test_a_parameter_is_tuned_and_undone(at: Desk, game: Any) -> None:
    """A typed rate is used at once, is one step of the history, and Undo restores the rate of the file."""
    steps = len(at.steps)
    at.driver.enter(f"{PANEL}//emission/rate", "75")
    assert main(game).emission.rate == 75
    assert len(at.steps) == steps + 1
    assert at.editor.memory["particles.tuning"].unsaved("jet.particles.yaml")
    game.undo()
    at.driver.step()
    assert main(game).emission.rate == 40
    assert not at.editor.memory["particles.tuning"].unsaved("jet.particles.yaml")
    game.redo()
    assert main(game).emission.rate == 75


@pytest.mark.slow
def test_save_writes_the_file_and_keeps_its_comment(at: Desk, game: Any) -> None:
    """Save writes what was tuned; the comment at the top of the file stays."""
    at.driver.enter(f"{PANEL}//emission/rate", "75")
    at.driver.click(f"{PANEL}/save")
    path = game.path / "jet.particles.yaml"
    assert load_effect(path).main.emission.rate == 75
    assert path.read_text(encoding="utf-8").startswith("# A jet.\n# By hand.\n")
    assert not at.editor.memory["particles.tuning"].unsaved("jet.particles.yaml")


@pytest.mark.slow
def test_a_shipped_preset_is_saved_as_a_file_of_the_game(at: Desk, game: Any) -> None:
    """A preset that ships is never written; it becomes a new file, which the emitter has from then on."""
    [fire] = at.select("fire")
    at.driver.enter(f"{PANEL}//emission/rate", "9")
    at.driver.click(f"{PANEL}/save_as")
    at.driver.enter(f"{PANEL}/save_as/stem", "effects/torch")
    at.driver.click(f"{PANEL}/save_as/confirm")
    assert game.read(fire, Emitter, "preset") == "effects/torch.particles.yaml"
    made = load_effect(game.path / "effects" / "torch.particles.yaml")
    assert made.main.emission.rate == 9
    assert len(made.presets) == 4


@pytest.mark.slow
def test_the_preview_lives_while_the_game_stands_still(at: Desk, game: Any) -> None:
    """Particles move in the panel and over the scene; the edited World and its hash stay as they are."""
    before = game.world.hash()
    at.driver.step(20)
    preview = at.editor.panels[PANEL]._preview
    count = preview.count
    at.driver.step(30)
    assert preview.count > count > 0
    assert game.world.hash() == before
    assert at.steps == []


@pytest.mark.slow
def test_handles_of_the_area_and_of_directions_change_the_preset(at: Desk, game: Any) -> None:
    """The edge of the area, an edge of the cone and its tip follow the pointer; each drag is one step."""
    [jet] = at.select("jet")
    steps = len(at.steps)
    at.drag(f"emitter.{jet}.width", (20, 0))
    assert main(game).shape.size[0] == pytest.approx(120, abs=3)
    at.drag(f"emitter.{jet}.speed", (0, 30))
    assert main(game).speed[1] == pytest.approx(160, abs=5)
    before = main(game).direction
    at.drag(f"emitter.{jet}.low", (0, -20))
    assert main(game).direction[0] < before[0] - 0.1
    assert main(game).direction[1] == before[1]
    low, size, speed = math.degrees(main(game).direction[0]), main(game).shape.size[0], main(game).speed[1]
    assert (low, size, speed) == pytest.approx((round(low), round(size, 1), round(speed, 1)), abs=1e-6)
    assert len(at.steps) == steps + 3
    for _ in range(3):
        game.undo()
    assert main(game).shape.size == (80, 20)
    assert main(game).speed == (100, 100)


@pytest.mark.slow
def test_a_curve_gets_a_point_by_a_double_click(at: Desk, game: Any) -> None:
    """A point is added to a curve where the person double-clicks, as one step, and a right click on it removes it."""
    mark, area = f"{PANEL}//over_life/size_over_life", at.driver.place(f"{PANEL}/parameters")
    while at.driver.place(mark).bottom > area.bottom:
        at.driver.scroll(f"{PANEL}/parameters", -1)
    at.driver.double_click(mark)
    assert main(game).size_over_life.times == pytest.approx((0.0, 0.5), abs=0.02)
    at.driver.click(f"{mark}.1", button=4)
    assert main(game).size_over_life.times == (0.0,)


def test_nothing_selected_says_what_to_do(at: Desk, game: Any) -> None:
    """Without an emitter the panel says how to get one."""
    game.selection.clear()
    at.driver.step(2)
    assert not at.driver.sees(f"{PANEL}/save")
    assert at.editor.failures == 0


@pytest.mark.slow
def test_an_emitter_in_space_has_no_preview_in_the_plane(at: Desk) -> None:
    """A flat view shows the particles of the selected emitters that have a Transform only."""
    space = "    - {name: steam, Transform3D: {}, Emitter: {preset: jet.particles.yaml}}\n"
    at.open(GAME.replace("particles]", "particles, space3d]") + space, {"jet.particles.yaml": JET})
    for name, count in (("steam", 0), ("jet", 1)):
        at.select(name)
        at.driver.step(3)
        cached = at.editor.memory.get("particles.previews")
        assert len(cached[1] if cached is not None else ()) == count
