"""The plugin's declarations and its checks of manifests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rish_core import ManifestError, parse_manifest
from rish_particles.plugin.manifest_check import check_particles


def said(text: str) -> list[str]:
    """Return the problems of a manifest."""
    manifest = parse_manifest(f"rish: 1\nplugins: [particles]\n{text}")
    check_particles(manifest)
    return [str(problem) for problem in manifest.problems]


def test_presets_that_are_none_are_reported_with_their_place():
    """An unknown preset in scenes and prefabs is reported with its line and the nearest name."""
    found = said("scenes:\n  main:\n    - {Transform: {}, Emitter: {preset: fier}}\n")
    assert "no preset is called 'fier' (did you mean 'fire'?)" in found[0]
    assert ":5:" in found[0]
    assert not said("scenes: {main: [{Transform: {}, Emitter: {preset: effects/mine.particles.yaml}}]}\n")
    assert "must end in .particles.yaml" in said("prefabs: {a: {Emitter: {preset: a/b.txt}}}\n")[0]


def test_reactions_that_are_none_are_reported_with_their_place():
    """Wrong keys, missing presets and wrong types of reactions are reported."""
    found = said("settings: {particles: {on: {Hit: {prest: fire, at: point}, Bang: 3}}}\n")
    assert any("a reaction has no key 'prest' (did you mean 'preset'?)" in line for line in found)
    assert any("needs `preset`" in line for line in found)
    assert any("must be a mapping such as {preset: sparks, at: point}, not the number 3" in line for line in found)
    found = said("settings: {particles: {on: {Hit: [{preset: fire, at: x}, {preset: fire, at: x, color: '#12'}]}}}\n")
    assert len(found) == 1
    assert "settings.particles.on.Hit[1].color: '#12' is no color" in found[0]


def test_tools_get_a_list_of_presets(rish_app: Any, tmp_path: Path) -> None:
    """The presets that ship come first, then the files of the game; each can be the preset of an emitter."""
    (tmp_path / "fx").mkdir()
    (tmp_path / "fx" / "mine.particles.yaml").write_text("particles: 1\n")
    (tmp_path / "game.yaml").write_text("rish: 1\nplugins: [particles]\n")
    app = rish_app(tmp_path / "game.yaml", installed=["particles", "frame"])
    found = list(app.registry.names["particle_presets"](app.world))
    assert {"fire", "smoke", "snow"} <= set(found)
    assert found[-1] == "fx/mine.particles.yaml"


def problems_of_check(rish_app: Any, folder: Path, scene: str = "[]") -> list[str]:
    """Return what `rish check` says about a game in this folder with one scene."""
    (folder / "game.yaml").write_text(f"rish: 1\nplugins: [particles]\nscenes: {{main: {scene}}}\n")
    try:
        rish_app(folder / "game.yaml", installed=["particles", "frame"], open_assets=True)
    except ManifestError as error:
        return [str(problem) for problem in error.problems]
    return []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "sparks.particles.yaml: is empty"),
        ("capacity: lots\n", "sparks.particles.yaml:1:11: capacity: must be a whole number"),
        ("capacity: 9\npicture: gone.png\n", "sparks.particles.yaml:2:10: picture: there is no file 'gone.png'"),
        ("picture: notes.txt\n", "sparks.particles.yaml:1:10: picture: 'notes.txt' can't be used here"),
        ("on_death: {preset: fier}\n", "sparks.particles.yaml:1:20: on_death.preset: no preset is called 'fier'"),
        ("on_death: {preset: a.particles.yaml}\n", "sparks.particles.yaml:1:20: on_death.preset: there is no file"),
        ("shape: {kind: image, image: bad.png}\n", "sparks.particles.yaml:1:29: shape.image: bad.png is not an image"),
        ("rat: 5\nlifetime: 1\n", "2 mistakes in the preset; "),
        ("presets: {inner: {picture: gone.png}}\nalso: [inner]\n", "1:28: presets.inner.picture: there is no file"),
    ],
)
def test_the_check_reads_presets_and_the_files_that_they_name(
    rish_app: Any, tmp_path: Path, text: str, said: str
) -> None:
    """A mistake in a preset file, or in a file that it names, is reported with its line, whoever names the preset."""
    (tmp_path / "sparks.particles.yaml").write_text(text)
    (tmp_path / "notes.txt").write_text("notes")
    (tmp_path / "bad.png").write_bytes(b"bad")
    [unused] = problems_of_check(rish_app, tmp_path)
    assert unused.startswith("sparks.particles.yaml:1:1: ")
    [used] = problems_of_check(rish_app, tmp_path, "[{Transform: {}, Emitter: {preset: sparks.particles.yaml}}]")
    assert ":3:" in used.partition("sparks.particles.yaml")[0]
    assert said in unused
    assert said in used
