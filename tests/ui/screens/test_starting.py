"""A run without a player begins behind the menu of its first scene."""

from __future__ import annotations

import pytest

from rish_core import App, Scenes, parse_manifest

HEAD = "rish: 1\nplugins: [ui]\n"
MINE = """
    - name: menu
      Screen: {takes_keys: true%s}
      children:
        - {name: about, Button: {text: About, opens: credits_screen}}
        - name: row
          Panel: {}
          children:
            - {name: levels, Button: {text: Levels, goto: levels}}
            - {name: begin, Button: {text: Begin, goto: cave}}
"""


def begins(entries: str, head: str = HEAD, *overrides: str, demo: bool = True) -> str:
    """Return the scene that a game without a window begins with; its first scene has these entries."""
    text = f"{head}scenes:\n  first:\n{entries}\n  cave: []\n  levels: []\n  play: []\n"
    manifest = parse_manifest(text, overrides=overrides).require()
    with App(manifest, headless=True, demo=demo, policy="raise", warm_up=False) as app:
        return app.world[Scenes].current


@pytest.mark.parametrize(
    ("entries", "scene"),
    [
        ("    - {prefab: title_screen}", "play"),
        ("    - {prefab: title_screen, choices.play.Button.goto: cave}", "cave"),
        ("    - {prefab: title_screen, choices.play.Button.goto: ''}", "first"),
        ("    - {prefab: title_screen, Screen.visible: false}", "first"),
        ("    - {prefab: pause_screen, leave.Button.goto: cave}", "first"),
        ("    - {name: hud, Screen: {}, children: [{Button: {goto: cave}}]}", "first"),
        ("    - {prefab: credits_screen}\n    - {prefab: title_screen}", "play"),
        (MINE % ", first: begin", "cave"),
        (MINE % ", first: about", "levels"),
        (MINE % "", "levels"),
        ("    - {Transform: {}}", "first"),
    ],
)
def test_it_begins_in_the_scene_that_the_menu_leads_to(entries: str, scene: str) -> None:
    """The button of a visible menu that gets the focus first says where; without a menu the first scene is played."""
    assert begins(entries) == scene
    assert begins(entries, demo=False) == "first"


def test_the_manifest_knows_better() -> None:
    """`demo` in the manifest comes before the menu, and an override of `scene` before both."""
    title = "    - {prefab: title_screen}"
    assert begins(title, HEAD + "demo: levels\n") == "levels"
    assert begins(title, HEAD + "demo: first\n") == "first"
    assert begins(title, HEAD + "demo: levels\n", "scene=cave") == "cave"
    assert begins(title, HEAD, "scene=first") == "first"
