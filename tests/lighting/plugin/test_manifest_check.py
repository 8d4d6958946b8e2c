"""Mistakes in lights are reported with their place, before anything is created."""

from __future__ import annotations

import pytest

from rish_core import ManifestError, open_game

GAME = "rish: 1\nplugins: [render, lighting]\nscenes:\n  main:\n    - Transform: {}\n      "


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("Light: {radius: -5}", ["game.yaml:6:23", "Light.radius", "-5 is out of range"]),
        ("Light: {color: [.nan, 1, 1]}", ["game.yaml:6:", "Light.color"]),
        ("Light: {kind: textured, image: nowhere.png}", ["game.yaml:6:38", "nowhere.png"]),
        ("Light: {kind: textured}", ["game.yaml:6:21", "needs `image`"]),
        ("Light: {kind: laser}", ["game.yaml:6:21", "point, spot"]),
        ("Occluder: {shape: polygon}", ["game.yaml:6:25", "needs `points`"]),
        ("Occluder: {shape: polygon, points: [[0, 0], [9, 0]]}", ["game.yaml:6:25", "three or more"]),
        ("Occluder: {shape: line, points: [[0, 0]]}", ["game.yaml:6:25", "two or more"]),
        ("Occluder: {shape: image}", ["game.yaml:6:25", "needs `image`"]),
        ("Ambient: {intensity: -1}", ["game.yaml:6:28", "Ambient.intensity"]),
    ],
)
def test_mistakes_are_located(tmp_path, entry, said):
    """A mistake is reported with file, line and column, the field, and the allowed values."""
    (tmp_path / "game.yaml").write_text(f"{GAME}{entry}\n", encoding="utf-8")
    with pytest.raises(ManifestError) as raised:
        open_game(tmp_path, headless=True, backend="null")
    for part in said:
        assert part in str(raised.value)


def test_settings_have_ranges(tmp_path):
    """A resolution of 0 is rejected."""
    text = GAME.replace("scenes:", "settings: {lighting: {resolution: 0}}\nscenes:")
    (tmp_path / "game.yaml").write_text(f"{text}Light: {{}}\n", encoding="utf-8")
    with pytest.raises(ManifestError, match="resolution"):
        open_game(tmp_path, headless=True, backend="null")


@pytest.mark.parametrize("name", ["Light", "Occluder", "Sight"])
def test_what_shines_or_looks_is_somewhere(tmp_path, name):
    """Lights and viewers need a Transform; a missing one is reported."""
    (tmp_path / "game.yaml").write_text(
        f"{GAME.replace('Transform: {}', 'Name: lost')}{name}: {{}}\n", encoding="utf-8"
    )
    with pytest.raises(ManifestError) as raised:
        open_game(tmp_path, headless=True, backend="null")
    assert f"game.yaml:6:7: scenes.main[0].{name}: it has a {name} but no Transform" in str(raised.value)
