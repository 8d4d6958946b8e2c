"""The plugin's declarations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rish_core import kind_of
from rish_render import plugin

README = Path(plugin.__file__).parents[3] / "README.md"


@pytest.mark.parametrize("cls", plugin.rish_components(), ids=lambda cls: cls.__name__)
def test_the_readme_names_every_field(cls):
    """The README's table of components names every field that is not hidden."""
    text = README.read_text(encoding="utf-8")
    row = next(line for line in text.splitlines() if line.startswith(f"| `{cls.__name__}`"))
    for name, spec in kind_of(cls).fields.items():
        assert spec.hidden or f"`{name}`" in row, name


def test_the_backend_is_made_late():
    """The factory returns a closed backend of that name."""
    backend = plugin.rish_backends()["software"]()
    assert backend.name == "software"
    assert backend.size == (0, 0)


def test_fonts_have_loaders():
    """Both kinds of TrueType files have loaders."""
    assert {".ttf", ".otf"} <= set(plugin.rish_loaders())


def test_tools_get_lists_of_names(rish_app: Any, tmp_path: Path) -> None:
    """Materials come from the settings; images, fonts, maps and clips are the files of the game."""
    files = ["ball.png", "bit.webp", "art/sun.PNG", "a.ttf", "b.otf", "one.tmx", "part.tsx", "two.map.yaml"]
    for name in (*files, "walk.anim.yaml"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "sea.frag").write_text("vec4 shade(Pixel p) { return p.color; }")
    (tmp_path / "game.yaml").write_text(
        "rish: 1\nplugins: [render, animation]\nsettings: {render: {materials: {sea: {shader: sea.frag}}}}\n"
    )
    app = rish_app(tmp_path / "game.yaml", installed=["render", "animation", "frame"])
    lists = {name: list(found(app.world)) for name, found in app.registry.names.items()}
    assert lists["images"] == ["art/sun.PNG", "ball.png", "bit.webp"]
    assert lists["fonts"] == ["a.ttf", "b.otf"]
    assert lists["maps"] == ["one.tmx", "two.map.yaml"]
    assert lists["clips"] == ["walk.anim.yaml"]
    assert lists["materials"] == ["sea"]
    assert "cubic_out" in lists["easings"]
