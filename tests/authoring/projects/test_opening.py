"""Games that are only partly understood."""

from __future__ import annotations

import pytest

from rish_authoring import Project, duplicate, left_out, open_leniently, save_plan
from rish_core import ManifestError, Name, Transform, find, open_game

TEXT = """\
# much is wrong here
rish: 1
plugins: [physics, magic, "sparkle >=2"]
settings:
  magic: {power: 3}
  physics: {gravty: [0, 1]}
prefabs:
  crate: {Transform: {}, Glow: {hue: 3}, tags: [solid]}
scenes:
  main:
    # comment
    - name: a
      prefab: crate
      at: [1, 2]
      Spell: {words: [x, y]}   # of magic
    - {name: b, prefab: unknown, Transform: {position: [5, 5]}, lid.Transform.scale: [1, 2]}
    - {name: c, Transform: {}, Body: {mas: 3, linear_damping: 2}, children: [{Transform: {}, Spell: {}}]}
    - 17
    - {name: d, Transform: {position: [x, 1]}, parent: nobody, count: many}
  other: [{Glow: {}}]
"""


@pytest.fixture
def folder(tmp_path):
    """Return the folder of the game."""
    (tmp_path / "game.yaml").write_text(TEXT)
    return tmp_path


@pytest.fixture
def lenient(folder):
    """Open the game as far as it is understood."""
    app, problems, raw = open_leniently(folder, headless=True, warm_up=False)
    with app:
        yield app, problems, raw


def test_a_game_with_mistakes_opens_and_each_is_listed(lenient, folder):
    """What is understood is there; each mistake has its place, and the data that was left out is given by entity."""
    with pytest.raises(ManifestError):
        open_game(folder, headless=True)
    app, problems, raw = lenient
    world = app.world
    a, b, c, d = (find(world, name) for name in "abcd")
    assert tuple(world.get(a, Transform).position) == (1, 2)
    assert tuple(world.get(b, Transform).position) == (5, 5)
    assert float(world.get(c, world.kind("Body")).linear_damping) == 2
    lines = {problem.place.line for problem in problems}
    assert lines == {3, 5, 6, 8, 15, 16, 17, 18, 19, 20}
    assert all("game.yaml" in problem.place.file for problem in problems)
    assert raw[a] == {"Glow": {"hue": 3}, "Spell": {"words": ["x", "y"]}}
    assert raw[b] == {"prefab": "unknown", "lid.Transform.scale": [1, 2]}
    assert raw[c] == {"Body": {"mas": 3}}
    assert raw[d] == {"Transform": {"position": ["x", 1]}, "parent": "nobody", "count": "many"}
    assert raw == left_out(app)


def test_saving_keeps_what_was_left_out(lenient, folder):
    """Only the lines of the edits change; an entry that is written completely again contains the unknown data."""
    app, _, _ = lenient
    world = app.world
    save_plan(app).apply()
    assert (folder / "game.yaml").read_text() == TEXT
    world.set(find(world, "a"), Transform(position=(3, 3)))
    world.set(find(world, "c"), Transform(rotation=1))
    project = Project(app)
    project.save()
    expected = TEXT.replace("at: [1, 2]\n", "at: [3, 3]\n").replace(
        "{name: c, Transform: {}", "{name: c, Transform: {rotation: 57.2957795}"
    )
    found = (folder / "game.yaml").read_text()
    assert [line for line in found.splitlines() if "name: c" not in line] == [
        line for line in expected.splitlines() if "name: c" not in line
    ]
    assert "Body: {mas: 3, linear_damping: 2}, children: [{Transform: {}, Spell: {}}]}" in found
    duplicate(app, [find(world, "a")])
    project.go("other")
    project.go("main")
    project.save()
    assert "Spell: {words: [x, y]}   # of magic\n" in (folder / "game.yaml").read_text()
    world.remove(find(world, "a"), world.kind("Tags"))  # overrides can't say this
    project.save()
    assert "Spell: {words: [x, y]}" in (folder / "game.yaml").read_text()


def test_a_game_without_mistakes_opens_as_usual(folder):
    """There is nothing to report or to keep."""
    (folder / "game.yaml").write_text("rish: 1\nscenes: {main: [{name: a, Transform: {}}]}")
    app, problems, raw = open_leniently(folder, headless=True, warm_up=False)
    with app:
        assert (problems, raw) == ([], {})
        assert app.world.get(find(app.world, "a"), Name).value == "a"


@pytest.mark.parametrize(
    "text", ["rish: 99", "- x", "a: [", "rish: 1\nscenes: {main: [{Transform: {rotation: .nan}}]}", "scenes: {}"]
)
def test_a_file_that_is_no_manifest_is_refused_with_its_place(folder, text):
    """Without YAML or the format version nothing is understood."""
    (folder / "game.yaml").write_text(text)
    with pytest.raises(ManifestError, match=r"game\.yaml|no such file"):
        open_leniently(folder, headless=True)


@pytest.mark.slow
def test_many_mistakes_are_all_left_out(folder):
    """One check reports a hundred mistakes; a game with more of them opens too."""
    entries = "".join(f"    - {{name: n{k}, Transform: {{}}, Magic: {{}}, Transform.x: {k}}}\n" for k in range(300))
    (folder / "game.yaml").write_text(f"rish: 1\nscenes:\n  main:\n{entries}")
    app, problems, raw = open_leniently(folder, headless=True, warm_up=False)
    with app:
        assert (len(problems), len(raw)) == (600, 300)
