"""Mistakes in the animations of models are found when a game is loaded, with place and choices."""

from __future__ import annotations

import pytest
from tests.helpers.gltf_models import box

from rish_core import ManifestError
from rish_scene3d.plugin.animating import clip_choices, joint_names

HERO = "{name: hero, Transform3D: {}, Model3D: {asset: robot.glb}, Animator3D: {%s}%s}"
CLIPS = "clips:\n  go: {animation: %s, markers: {%s: step}}\n"


@pytest.mark.parametrize(
    ("animator", "more", "told"),
    [
        ("clip: wlak", "", "no animation 'wlak'.*'walk'.*Choices: idle, walk"),
        ("queued: jump", "", "no animation 'jump'"),
        ("root: hip", "", "no joint 'hip'.*'hips'"),
        ("mask: 'spine, shoulder'", "", "no joint 'shoulder'"),
        ("", ", children: [{Transform3D: {}, Socket3D: {joint: hand}}]", "no joint 'hand'"),
    ],
)
def test_unknown_names_have_a_place_and_choices(stage3d, animator, more, told):
    """A wrong clip or joint is refused with its line, a similar name and the choices."""
    with pytest.raises(ManifestError) as caught:
        stage3d(HERO % (animator, more))
    text = "\n".join(map(str, caught.value.problems))
    assert "game.yaml:5:" in text
    import re

    assert re.search(told, text)


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("{Animator3D: {target: hero, clip: wlak}}", "no animation 'wlak'.*'walk'"),
        ("{Transform3D: {}, Socket3D: {joint: hand, target: hero}}", "no joint 'hand'"),
        ("{parent: hero, Transform3D: {}, Socket3D: {joint: hand}}", "no joint 'hand'"),
        ("{parent: hero, Transform3D: {}, Socket3D: {}}", "names no `joint`. Choices: .*hips"),
        ("{Transform3D: {}, Socket3D: {joint: hand_l}}", "it has no parent. .*`target`"),
        ("{Transform3D: {}, Animator3D: {clip: walk}}", "the entity has no Model3D. .*`target`"),
        ("{Animator3D: {target: eye}}", "the entity has no Model3D"),
        ("{Transform3D: {}, Model3D: {}, Animator3D: {}}", "the shape 'box' has no clips.*glb"),
        ("{Transform3D: {}, Model3D: {asset: stone.glb}, Animator3D: {}}", "stone.glb has no animations"),
    ],
)
def test_what_would_do_nothing_is_refused(stage3d, tmp_path, entry, told):
    """An animator or socket without a model, joint or parent is refused, also where a target or parent names it."""
    (tmp_path / "stone.glb").write_bytes(box().glb())
    with pytest.raises(ManifestError, match=rf"(?s):7:.*{told}"):
        stage3d(HERO % ("", ""), "{name: eye, Transform3D: {}}", entry)


def test_files_of_clips_are_checked_against_the_model(stage3d):
    """A file that names another animation, or a marker after the end, is refused at its own line."""
    with pytest.raises(ManifestError) as caught:
        stage3d(HERO % ("clips: c.anim.yaml", ""), c__anim__yaml=CLIPS % ("Walk", "0.5"))
    assert "c.anim.yaml:2" in str(caught.value.problems[0])
    assert "did you mean 'walk'" in str(caught.value.problems[0])
    with pytest.raises(ManifestError) as caught:
        stage3d(HERO % ("clips: c.anim.yaml", ""), c__anim__yaml=CLIPS % ("walk", "1.5"))
    assert "walk ends at 1 s" in str(caught.value.problems[0])


def test_right_names_are_accepted(stage3d):
    """What is right is accepted: names of the file of clips, and joints of another entity."""
    stage3d(
        HERO % ("clips: c.anim.yaml, clip: go, mask: spine, root: hips", ""),
        "{name: lamp, Transform3D: {}, Socket3D: {joint: hand_l, target: hero}}",
        c__anim__yaml=CLIPS % ("walk", "0.5"),
    ).run(1)


def test_tools_offer_clips_and_joints(stage3d):
    """The lists of names have the clips of files and models in use, and their joints."""
    game = stage3d(HERO % ("clips: c.anim.yaml", ""), c__anim__yaml=CLIPS % ("walk", "0.5"))
    assert clip_choices(game.world) == ["go", "idle", "walk", "turn", "wave", "nod", "blink"]
    assert {"hips", "hand_l", "tip4_r"} <= set(joint_names(game.world))
