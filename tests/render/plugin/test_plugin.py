"""The plugin's declarations."""

from __future__ import annotations

from pathlib import Path

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
