"""The plugin works beside render, and its mistakes in a manifest are found when the game is loaded."""

from __future__ import annotations

import pytest

from rish_core import App, DeclarationError, ManifestError, parse_manifest
from rish_render import Animation, SpriteSheet


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (
            "Tween: {field: Transform.positon, to: [1]}",
            "Tween.field: Transform has no field 'positon' (did you mean",
        ),
        ("Tween: {field: Transform.position, easing: oot}", "main[0].Tween.easing: no easing is called 'oot'"),
        ("Animator: {clips: a.anim.yaml, clip: opn}", "(did you mean 'open'?). Choices: open"),
        ("Animator: {clips: b.txt}", "'b.txt' can't be used here: its name must end in .anim.yaml"),
        ("children: [{Tween: {field: Nothing.at_all}}]", "children[0].Tween.field: no component is called 'Nothing'"),
    ],
)
def test_mistakes_in_a_manifest_have_a_place(tmp_path, entry, told):
    """Unknown clips, fields and easings are mistakes of the manifest, with the nearest choice."""
    from rish_core import read_manifest

    (tmp_path / "a.anim.yaml").write_text("clips: {open: {tracks: {Transform.position.x: [[0, 1]]}}}")
    (tmp_path / "b.txt").write_text("x")
    (tmp_path / "game.yaml").write_text(
        f"rish: 1\nplugins: [animation]\nscenes: {{main: [{{Transform: {{}}, {entry}}}]}}\n"
    )
    with pytest.raises(ManifestError) as error:
        App(read_manifest(tmp_path / "game.yaml"), headless=True)
    assert told in str(error.value)


def test_render_and_animation_read_the_same_files(tmp_path):
    """Both plugins declare the loader of clip files; one file serves a sprite animation and an animator."""
    from rish_animation import Animator
    from rish_core import Transform
    from rish_render import Sprite

    (tmp_path / "h.anim.yaml").write_text(
        "clips: {run: {frames: 3-5}, hop: {tracks: {Transform.position.y: [[0, 7]]}}}"
    )
    manifest = parse_manifest("rish: 1\nplugins: [render, animation]\n")
    manifest.root = tmp_path
    app = App(manifest, headless=True, policy="raise")
    part = Animation(clips="h.anim.yaml", clip="run"), Animator(clips="h.anim.yaml", clip="hop")
    hero = app.world.spawn(Transform(), Sprite(), SpriteSheet(cell=(8, 8)), *part)
    app.tick()
    assert app.world.get(hero, Sprite).frame == 3
    assert app.world.get(hero, Transform).position.y == 7
    app.close()


def test_two_different_loaders_of_a_suffix_are_refused():
    """Only the same function may be declared twice."""
    other = type("other", (), {"rish_loaders": staticmethod(lambda: {".anim.yaml": lambda path: None})})
    with pytest.raises(DeclarationError, match=r"anim\.yaml"):
        App(parse_manifest("rish: 1\nplugins: [animation, other]\n"), headless=True, extra={"other": other})
