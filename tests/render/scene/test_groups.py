"""Groups: their members, and the images they give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core import Transform
from rish_frame import Frame
from rish_render import Blend, Camera, CanvasGroup, Shape, ShapeForm, Sprite
from rish_render.scene.groups import inherited
from rish_render.scene.stack import Stack

RED, GREEN, BLUE, WHITE = (1, 0, 0, 1), (0, 1, 0, 1), (0, 0, 1, 1), (1, 1, 1, 1)
BLACK = {"render": {"background": "#000000"}}


@given(st.lists(st.tuples(st.integers(-1, 19), st.integers(-1, 3)), min_size=1, max_size=20))
def test_marks_are_inherited_from_the_nearest_above(rows):
    """Each row inherits the mark of its nearest marked ancestor; rows in a cycle without a mark get none."""
    up = np.array([parent if parent < len(rows) else -1 for parent, _ in rows], np.int64)
    mark = np.array([own for _, own in rows], np.int64)
    expected = []
    for row in range(len(rows)):
        at, steps = row, 0
        while at >= 0 and mark[at] < 0 and steps <= len(rows):
            at, steps = int(up[at]), steps + 1
        expected.append(int(mark[at]) if at >= 0 and steps <= len(rows) else -1)
    assert inherited(mark, up).tolist() == expected


def family(stage, **options):
    """Spawn a group at 40, 30 with a red and a green box that overlap, the green one above."""
    group = stage.put(40, 30, CanvasGroup(**options))
    stage.put(-5, 0, Shape(size=(20, 20), color=RED), parent=group)
    stage.put(5, 0, Shape(size=(20, 20), color=GREEN, z=1), parent=group)
    return group


def test_parts_that_overlap_fade_as_one(studio):
    """At half opacity the green box still hides the red one below it, and both are half as bright."""
    stage = studio((80, 60), settings=BLACK)
    family(stage, opacity=0.5)
    stage.shoot()
    assert stage.pixel(28, 30) == pytest.approx([128, 0, 0], abs=1)
    assert stage.pixel(40, 30) == pytest.approx([0, 128, 0], abs=1)
    assert stage.pixel(20, 30) == [0, 0, 0]


@pytest.mark.parametrize("window", [(80, 60), (123, 77)])
@pytest.mark.parametrize("angle", [0.0, 0.4])
def test_an_opaque_group_is_drawn_as_without_one(studio, angle, window):
    """An opaque group is drawn as without a group, even with rotated cameras: its target is copied one to one."""
    pictures = []
    for grouped in (False, True):
        stage = studio((80, 60), settings=BLACK, layers=["world"])
        stage.app.host.backend.configure(size=window)
        stage.put(1000.3, 500.7, Camera(zoom=1.3), rotation=angle)
        group = stage.put(1000, 500, *([CanvasGroup()] if grouped else []))
        stage.put(0, 0, Shape(shape=ShapeForm.CIRCLE, size=(30, 20), color=RED), parent=group)
        stage.put(3, 8, Sprite(image="face.png"), rotation=0.3, parent=group)
        pictures.append(stage.shoot().astype(int))
    assert np.abs(pictures[0] - pictures[1]).max() <= 1
    assert pictures[0].any()


def test_a_group_lies_on_its_layer_at_its_z(studio):
    """All members of a group are drawn on the group's layer at its z, sorted by z within it."""
    stage = studio((80, 60), settings=BLACK, layers=["back", "front"])
    family(stage, layer="front", z=1)
    stage.put(40, 30, Shape(size=(60, 10), color=BLUE, layer="front", z=2))
    stage.put(40, 30, Shape(size=(60, 60), color=WHITE, layer="front", z=0))
    stage.shoot()
    assert [stage.pixel(40, y) for y in (30, 37, 50)] == [[0, 0, 255], [0, 255, 0], [255, 255, 255]]


def test_groups_lie_in_groups(studio):
    """In nested groups the opacities multiply, and the inner group is sorted by z among the outer one's members."""
    stage = studio((80, 60), settings=BLACK)
    outer = stage.put(40, 30, CanvasGroup(opacity=0.5))
    inner = stage.put(0, 0, CanvasGroup(opacity=0.5, z=1), parent=outer)
    stage.put(0, 0, Shape(size=(40, 40), color=RED, z=0), parent=outer)
    stage.put(0, 0, Shape(size=(20, 20), color=GREEN), parent=inner)
    stage.put(0, 0, Shape(size=(4, 4), color=BLUE, z=2), parent=outer)
    stage.shoot()
    assert stage.pixel(25, 30) == pytest.approx([128, 0, 0], abs=1)
    assert stage.pixel(33, 30) == pytest.approx([64, 64, 0], abs=1)
    assert stage.pixel(40, 30) == pytest.approx([0, 0, 128], abs=1)


def test_a_mask_shows_only_where_it_is(studio):
    """Only the part inside the mask is drawn, and the mask itself is not; an inverted mask shows the outside."""
    for inverted in (False, True):
        stage = studio((80, 60), settings=BLACK)
        group = family(stage, inverted=inverted)
        mask = stage.put(0, 0, Shape(shape=ShapeForm.CIRCLE, size=(16, 16), color=WHITE), parent=group)
        stage.world.get(group, CanvasGroup).mask = mask
        stage.shoot()
        inside, outside = stage.pixel(40, 30), stage.pixel(52, 30)
        assert (inside, outside) == (([0, 0, 0], [0, 255, 0]) if inverted else ([0, 255, 0], [0, 0, 0]))


def test_a_mask_fades_by_its_opacity(studio):
    """A mask of half opacity halves the group's opacity."""
    stage = studio((80, 60), settings=BLACK)
    mask = stage.put(40, 30, Shape(size=(100, 100), color=(0, 0, 1, 0.5)))
    family(stage, mask=mask)
    stage.shoot()
    assert stage.pixel(45, 30) == pytest.approx([0, 128, 0], abs=1)
    assert stage.pixel(5, 5) == [0, 0, 0]


def test_a_mask_out_of_sight_leaves_nothing(studio):
    """A mask outside the view hides its group, or hides nothing if inverted; a despawned mask counts as none."""
    stage = studio((80, 60), settings=BLACK)
    mask = stage.put(9000, 30, Shape(size=(100, 100)))
    group = family(stage, mask=mask)
    stage.shoot()
    assert stage.pixel(45, 30) == [0, 0, 0]
    stage.world.get(group, CanvasGroup).inverted = True
    stage.shoot()
    assert stage.pixel(45, 30) == [0, 255, 0]
    stage.world.get(group, CanvasGroup).inverted = False
    stage.world.despawn(mask)
    stage.shoot()
    assert stage.pixel(45, 30) == [0, 255, 0]


def test_two_groups_may_share_a_mask(studio):
    """Two groups that share a mask are both masked by it."""
    stage = studio((80, 60), settings=BLACK)
    mask = stage.put(40, 30, Shape(size=(10, 60)))
    outer = stage.put(40, 30, CanvasGroup(mask=mask))
    stage.put(0, 0, Shape(size=(60, 20), color=RED), parent=outer)
    inner = stage.put(0, 0, CanvasGroup(mask=mask, z=1), parent=outer)
    stage.put(0, 0, Shape(size=(60, 8), color=GREEN), parent=inner)
    stage.shoot()
    assert [stage.pixel(40, 30), stage.pixel(40, 37), stage.pixel(50, 30)] == [[0, 255, 0], [255, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("angle", [0.0, 0.5])
def test_a_rectangle_cuts_a_group(studio, angle):
    """Nothing outside a group's clip rectangle is drawn, also when rotated, and the inside is unchanged."""
    stage = studio((80, 60), settings=BLACK)
    group = stage.put(40, 30, CanvasGroup(clip=(-10, -5, 20, 10)), rotation=angle)
    stage.put(0, 0, Shape(size=(500, 500), color=WHITE), rotation=-angle, parent=group)
    picture = stage.shoot()[..., :3].astype(float).sum() / 3 / 255
    assert picture == pytest.approx(200, rel=0.03)
    assert stage.pixel(40, 30) == [255, 255, 255]
    along = np.array([40, 30]) + 8 * np.array([np.cos(angle), np.sin(angle)])
    assert stage.pixel(*along.astype(int)) == [255, 255, 255]


def test_a_group_blends_as_one(studio):
    """An additive group adds once where its members overlap."""
    stage = studio((80, 60), settings={"render": {"background": "#404040"}})
    group = stage.put(40, 30, CanvasGroup(blend=Blend.ADD))
    for x in (-5, 5):
        stage.put(x, 0, Shape(size=(20, 20), color=(0.25, 0.25, 0.25, 1)), parent=group)
    stage.shoot()
    assert stage.pixel(40, 30) == stage.pixel(28, 30) == [0x80] * 3


def test_a_group_in_screen_space_stays(studio):
    """A faded group on a screen layer does not move with the camera."""
    stage = studio((80, 60), settings=BLACK, layers=["world", {"hud": {"space": "screen"}}])
    stage.put(500, 500, Camera(zoom=3))
    family(stage, layer="hud", opacity=0.5)
    stage.shoot()
    assert stage.pixel(45, 30) == pytest.approx([0, 128, 0], abs=1)


def test_hidden_groups_are_not_drawn(studio):
    """Invisible, fully transparent and hidden groups are not drawn, and neither are the groups within them."""
    stage = studio((80, 60), settings=BLACK, layers=["world", {"off": {"visible": False}}])
    for options in ({"visible": False}, {"opacity": 0.0}, {"layer": "off"}):
        group = family(stage, **options)
        inner = stage.put(0, 0, CanvasGroup(), parent=group)
        stage.put(0, 0, Shape(color=WHITE), parent=inner)
    assert not stage.shoot()[..., :3].any()
    assert not [name for name in stage.world[Frame].targets if name.startswith("group.")]


def test_every_camera_has_its_own_picture_of_a_group(studio):
    """Each camera has its own target for a group, as large as its viewport."""
    stage = studio((80, 60), settings=BLACK)
    family(stage, opacity=0.5)
    stage.put(40, 30, Camera(viewport=(0, 0, 0.5, 1)))
    stage.put(40, 30, Camera(viewport=(0.5, 0, 0.5, 0.5), primary=False, zoom=2))
    stage.put(40, 30, Camera(target="tv", target_size=(20, 10)))
    stage.shoot()
    sizes = sorted(t.size for name, t in stage.world[Frame].targets.items() if name.startswith("group."))
    assert sizes == [(20, 10), (40, 30), (40, 60)]
    assert stage.pixel(20, 30) == pytest.approx([0, 128, 0], abs=1)
    assert stage.pixel(60, 15) == pytest.approx([0, 128, 0], abs=1)
    assert stage.app.host.backend.pixels("camera.tv")[5, 10].tolist() == pytest.approx([0, 128, 0, 128], abs=1)


def test_targets_go_with_their_groups(studio):
    """A group out of view has no target and no pass."""
    stage = studio((80, 60), settings=BLACK, layers=["world"])
    group = family(stage)
    stage.shoot()
    assert [step.pass_.name for step in stage.world[Frame].steps()] == [f"group.{group}", "main"]
    stage.world.get(group, Transform).position = (9000, 0)
    stage.shoot()
    stage.shoot()
    assert [step.pass_.name for step in stage.world[Frame].steps()] == ["main"]
    assert list(stage.world[Frame].targets) == ["screen"]


def test_what_stands_still_is_not_drawn_anew(studio):
    """The batches of an unchanged group and of its target are the same objects in the next frame."""
    stage = studio((80, 60), settings=BLACK, layers=["world"], strict=False)
    family(stage, opacity=0.5)
    stage.shoot()
    stage.shoot()
    first = stage.batches
    stage.shoot()
    assert len(first) == 2
    assert all(old is new for old, new in zip(first, stage.batches, strict=True))


def test_who_belongs_to_a_group_follows_the_parents(studio):
    """An entity that becomes the child of a group is drawn in it from the next frame on."""
    stage = studio((80, 60), settings=BLACK)
    group = stage.put(40, 30, CanvasGroup(opacity=0.5))
    part = stage.put(40, 30, Shape(size=(10, 10), color=WHITE))
    stage.shoot()
    assert stage.pixel(40, 30) == [255, 255, 255]
    stage.world.set(part, Transform(position=(0, 0), parent=group))
    stage.shoot()
    assert stage.pixel(40, 30) == pytest.approx([128, 128, 128], abs=1)


def test_a_group_within_its_own_mask_does_no_harm(studio):
    """Groups and masks that refer to each other in a cycle raise no error."""
    stage = studio((80, 60), settings=BLACK)
    mask = stage.put(40, 30, Shape(size=(10, 10)))
    group = stage.put(0, 0, CanvasGroup(mask=mask), parent=mask)
    stage.put(0, 0, Shape(size=(10, 10)), parent=group)
    self_masked = stage.put(0, 0, CanvasGroup(), Shape())
    stage.world.get(self_masked, CanvasGroup).mask = self_masked
    one, two = (stage.put(0, 0, CanvasGroup(), Shape()) for _ in range(2))
    stage.world.get(one, CanvasGroup).mask = two
    stage.world.get(two, CanvasGroup).mask = one
    stage.put(0, 0, CanvasGroup(mask=12345), Shape())
    for _ in range(2):
        assert stage.shoot().shape == (60, 80, 4)


def test_games_without_groups_pay_nothing(studio):
    """Without groups the stack has no group data, and layer numbers come straight from the names."""
    stage = studio((80, 60))
    stage.put(0, 0, Shape())
    stage.shoot()
    assert stage.world[Stack].groups is None
