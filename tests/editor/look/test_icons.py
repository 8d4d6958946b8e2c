"""Icons by meaning, and the icons of components."""

from __future__ import annotations

import ast
from pathlib import Path

from rish_editor.look import icons

ROOT = Path(__file__).parents[3]


def components() -> list[str]:
    """Return the names of the public components of all packages."""
    found: set[str] = set()
    for path in [*ROOT.glob("plugins/*/src/**/*.py"), *(ROOT / "rish_core" / "src").rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "@component" in text and "templates" not in path.parts else ():
            marks = [ast.unparse(mark).split("(")[0] for mark in getattr(node, "decorator_list", ())]
            if isinstance(node, ast.ClassDef) and "component" in marks and node.name[0].isupper():
                found.add(node.name)
    return sorted(found)


def test_every_component_has_an_icon_of_its_own() -> None:
    """No component of Rish itself has the icon of unknown components."""
    assert {"Sprite", "Body", "RevoluteJoint"} <= set(components())
    assert [name for name in components() if icons.icon_for(name) == icons.COMPONENT] == []


def test_unknown_components_have_a_general_icon() -> None:
    """A component of a game has the icon of its ending, or a piece of a puzzle."""
    assert icons.icon_for("Health") == icons.COMPONENT
    assert icons.icon_for("RopeJoint") == icons.JOINT


def test_plugins_name_icons_in_text() -> None:
    """An icon is found by its name; for anything else the default is returned."""
    assert icons.by_name("camera") == icons.by_name("CAMERA") == icons.CAMERA
    assert icons.by_name("no_such") == icons.by_name("icon_for") == icons.by_name("__name__") == icons.COMPONENT
    assert icons.by_name("", icons.ENTITY) == icons.ENTITY
    assert "step_back" in icons.names()
