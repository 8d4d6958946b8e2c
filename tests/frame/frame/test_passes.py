"""The frame: passes in a defined order, targets, and the steps for a backend."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from rish_core import ScheduleError
from rish_ecs import RishError, UnknownName, UsageError
from rish_frame.frame.batches import Batch
from rish_frame.frame.camera_math import project
from rish_frame.frame.frame import Frame, Page
from rish_frame.frame.graph import RANKS
from rish_frame.frame.instances import pack_sprites
from rish_frame.frame.passes import Pass, Target, pixel_rect


def sprites(**options) -> Batch:
    """Return a batch of one sprite."""
    return Batch("sprites", {"instances": pack_sprites([1], 1, 1, 1)}, **options)


def order(*passes: Pass, targets: tuple[str, ...] = ()) -> list[str]:
    """Return the names of these passes in drawing order."""
    frame = Frame((64, 48))
    for name in targets:
        frame.add_target(Target(name))
    for p in passes:
        frame.add_pass(p, replace=True)
    return [p.name for p in frame.ordered()]


def test_a_new_frame_has_a_screen_and_a_main_pass_in_pixels() -> None:
    """A new frame has a screen and a main pass in pixels, so the first batch needs no set-up."""
    frame = Frame((64, 48))
    assert list(frame.targets) == ["screen"]
    assert [p.name for p in frame.ordered()] == ["main"]
    assert project(frame.passes["main"].camera, (5, 7), (64, 48))[0, :2] == pytest.approx([5, 7], abs=1e-4)


def test_batches_are_drawn_by_layer_then_z_then_order_of_adding() -> None:
    """Batches are drawn by layer, then z, then order of adding; kinds mix, and equal ones keep their order."""
    frame = Frame()
    given = [(1, 0.0, "a"), (0, 5.0, "b"), (1, -1.0, "c"), (0, 5.0, "d"), (0, 1.0, "e")]
    for layer, z, name in given:
        frame.add(Batch("lines" if name in "bd" else "sprites", {}, layer=layer, z=z, source=name))
    assert "".join(batch.source for batch in frame.steps()[0].batches) == "ebdca"


def test_a_layer_mask_hides_layers() -> None:
    """A layer mask hides layers, as for a minimap without the score."""
    frame = Frame()
    frame.passes["main"].layer_mask = 0b101
    for layer in range(4):
        frame.add(sprites(layer=layer))
    assert [batch.layer for batch in frame.steps()[0].batches] == [0, 2]


def test_an_unknown_pass_is_reported_with_the_nearest() -> None:
    """An unknown pass is reported with the nearest name."""
    with pytest.raises(UnknownName, match="no pass is called 'mian' \\(did you mean 'main'"):
        Frame().add(sprites(), to="mian")


def test_an_unknown_target_is_reported_with_its_pass_and_the_nearest() -> None:
    """An unknown target or input is reported with its pass and the nearest name."""
    with pytest.raises(UnknownName, match=r"pass 'x': no target is called 'scren' \(did you mean 'screen'"):
        order(Pass("x", targets=("scren",)))
    with pytest.raises(UnknownName, match=r"pass 'x': no target is called 'glwo' \(did you mean 'glow'"):
        order(Pass("x", inputs=("glwo",)), targets=("glow",))


def test_ranks_order_a_whole_lit_picture_whatever_the_order_of_declaration() -> None:
    """Ranks give the order lit, lights, combine, unlit, post, screen, overlay, for any order of declaration."""
    targets = {"lit": "albedo", "lights": "light"}
    passes = [Pass(f"p_{rank}", targets=(targets.get(rank, "screen"),), rank=rank) for rank in RANKS]
    passes[2].inputs = ("albedo", "light")
    expected = [f"p_{rank}" for rank in RANKS]
    random = np.random.default_rng(1)
    for _ in range(50):
        shuffled = [passes[i] for i in random.permutation(len(passes))]
        assert [n for n in order(*shuffled, targets=("albedo", "light")) if n != "main"] == expected


def test_an_unknown_rank_is_refused() -> None:
    """An unknown rank is rejected with the existing ranks."""
    with pytest.raises(UnknownName, match="no rank is called 'ligths' \\(did you mean 'lights'"):
        order(Pass("x", rank="ligths"))


def test_equal_ranks_keep_the_order_of_declaration() -> None:
    """Passes of equal rank keep the order of declaration, so the same plugins always draw the same frame."""
    assert order(*(Pass(name) for name in "cab")) == ["main", "c", "a", "b"]


def test_a_target_is_drawn_before_it_is_read() -> None:
    """A target is drawn before it is read, even by a pass of an earlier rank, which keeps its place otherwise."""
    main = Pass("main", inputs=("map",), rank="lit")
    assert order(main, Pass("hud"), Pass("minimap", targets=("map",)), targets=("map",)) == [
        "minimap",
        "main",
        "hud",
    ]


def test_before_and_after_outweigh_everything_else() -> None:
    """`before` and `after` override ranks; they take names of passes and ranks, and ignore absent ones."""
    assert order(Pass("a", after="b"), Pass("b")) == ["main", "b", "a"]
    assert order(Pass("a", rank="overlay", before="lit")) == ["a", "main"]
    assert order(Pass("a", after="post"), Pass("b", rank="post")) == ["main", "b", "a"]
    assert order(Pass("a", before=("nobody",), after="nothing")) == ["main", "a"]
    feedback = Pass("main", inputs=("map",), rank="lit", before="minimap")
    assert order(feedback, Pass("minimap", targets=("map",)), targets=("map",)) == ["main", "minimap"]


def test_an_effect_on_the_screen_sees_what_lies_below_its_rank() -> None:
    """An effect reads and writes the screen below its rank; the score is drawn later, unblurred."""
    blur = Pass("blur", inputs=("screen",), rank="post")
    score = Pass("score", rank="screen")
    grain = Pass("grain", inputs=("screen",), rank="post")
    assert order(score, blur, grain) == ["main", "blur", "grain", "score"]


def test_a_circle_is_named() -> None:
    """A cycle of passes is reported with all its passes and a solution."""
    with pytest.raises(ScheduleError, match=r"cycle: 'a' → 'b' → 'c' → 'a'.*before= or after="):
        order(Pass("a", before="b"), Pass("b", before="c"), Pass("c", before="a"), Pass("d", after="c"))
    with pytest.raises(ScheduleError, match=r"'x' → 'y' → 'x'"):
        order(
            Pass("x", targets=("one",), inputs=("two",)),
            Pass("y", targets=("two",), inputs=("one",)),
            targets=("one", "two"),
        )


def test_the_order_is_the_same_for_every_acyclic_graph_that_is_sorted_twice() -> None:
    """Sorting is stable and keeps every relation, on all graphs of four passes with two edges."""
    names = "abcd"
    for (p, q), (r, s) in itertools.product(itertools.permutations(names, 2), repeat=2):
        if (p, q) == (s, r):
            continue
        passes = {name: Pass(name) for name in names}
        passes[p].before += (q,)
        passes[r].before += (s,)
        found = order(*passes.values())
        assert found == order(*passes.values())
        assert found.index(p) < found.index(q)
        assert found.index(r) < found.index(s)


def test_a_target_is_cleared_once_a_frame_by_the_first_that_draws_onto_it() -> None:
    """A target is cleared once a frame by its first pass, so a plugin's overlay never erases the game."""
    frame = Frame()
    frame.add_target(Target("glow"))
    frame.add_pass(Pass("glow", targets=("glow",), clear=False, rank="lit"))
    frame.add_pass(Pass("more", targets=("glow",)))
    frame.add_pass(Pass("overlay"))
    clears = {step.pass_.name: step.clears for step in frame.steps()}
    assert clears == {"main": ("screen",), "glow": (), "more": (), "overlay": ()}


def test_reset_empties_the_passes_and_keeps_everything_else() -> None:
    """`reset` empties the passes; lists, cameras and pages are reused, and the order is not sorted again."""
    frame = Frame()
    frame.add_pass(Pass("hud"))
    frame.pages.append(Page(0, np.zeros((1, 1, 4), np.uint8)))
    frame.add(sprites(), to="hud")
    held, before = frame.passes["hud"].batches, frame.ordered()
    frame.reset()
    assert frame.passes["hud"].batches is held
    assert held == []
    assert frame.ordered() == before
    assert len(frame.pages) == 1
    frame.add(sprites())
    frame.rebuild(None)
    assert frame.passes["main"].batches == []


def test_a_change_of_relations_is_noticed() -> None:
    """The order is kept from frame to frame, and sorted again after a change of relations."""
    frame = Frame()
    hud = frame.add_pass(Pass("hud"))
    assert [p.name for p in frame.ordered()] == ["main", "hud"]
    hud.before = "main"
    assert [p.name for p in frame.ordered()] == ["hud", "main"]
    frame.remove_pass("hud")
    assert [p.name for p in frame.ordered()] == ["main"]


def test_names_that_are_taken_are_refused() -> None:
    """A name of a pass or target that exists already is rejected."""
    frame = Frame()
    with pytest.raises(UsageError, match="pass 'main' already"):
        frame.add_pass(Pass("main"))
    with pytest.raises(UsageError, match="target 'screen' already"):
        frame.add_target(Target("screen"))
    frame.add_target(Target("screen", clear=((1, 1, 1, 1),)), replace=True)
    with pytest.raises(UsageError, match="can't be removed"):
        frame.remove_target("screen")
    frame.add_target(Target("glow"))
    frame.remove_target("glow")
    assert "glow" not in frame.targets


def test_declared_passes_are_copied() -> None:
    """Declared passes are copied, so two games in one process share no camera and no batches."""
    declared = [Target("glow"), Pass("glow", targets=("glow",))]
    one, two = Frame(), Frame()
    one.declare(declared)
    two.declare(declared)
    one.add(sprites(), to="glow")
    one.passes["glow"].view[0, 3] = 7
    assert two.passes["glow"].batches == []
    assert two.passes["glow"].view[0, 3] == 0


def test_targets_have_a_size_in_pixels() -> None:
    """A target's size is absolute, or a fraction of the screen that rounds half up and is at least 1."""
    assert Target("a", size=(10, 20)).pixel_size((99, 99)) == (10, 20)
    assert Target("a", size=0.5).pixel_size((63, 48)) == (32, 24)
    assert Target("a", size=0.001).pixel_size((63, 48)) == (1, 1)


@pytest.mark.parametrize(
    "options",
    [
        {"size": 0},
        {"size": (0, 5)},
        {"size": float("nan")},
        {"formats": ()},
        {"formats": ("rgb9",)},
    ],
)
def test_impossible_targets_are_refused(options) -> None:
    """Impossible targets are rejected at their declaration, with the target's name."""
    with pytest.raises(RishError, match="target 'x'"):
        Target("x", **options)


@pytest.mark.parametrize("name", ["", "a:1"])
def test_targets_need_a_plain_name(name: str) -> None:
    """A target's name must not be empty or contain a colon, which precedes the number of an attachment."""
    with pytest.raises(UsageError, match="needs a name"):
        Target(name)


def test_passes_with_impossible_targets_are_refused() -> None:
    """A pass is rejected without targets, with attachments as targets, or with targets of different sizes.

    An input that names an attachment which its target does not have is rejected as well.
    """
    frame = Frame((64, 48))
    frame.add_target(Target("half", size=0.5))
    for p, words in (
        (Pass("x", targets=()), "needs a target"),
        (Pass("x", targets=("half:0",)), "complete targets"),
        (Pass("x", targets=("half", "screen")), "one size"),
        (Pass("x", inputs=("half:1",)), "attachments 0 to 0"),
    ):
        frame.add_pass(p, replace=True)
        with pytest.raises(UsageError, match=words):
            frame.ordered()


def test_rectangles_round_so_that_neighbors_share_an_edge() -> None:
    """The parts of a split screen have no gap and no overlap at any size."""
    for width in range(1, 60):
        third = 1 / 3
        parts = [pixel_rect((k * third, 0, third, 1), (width, 5)) for k in range(3)]
        assert parts[0][0] == 0
        assert all(a[0] + a[2] == b[0] for a, b in itertools.pairwise(parts))
        assert parts[2][0] + parts[2][2] == width


def test_clips_are_cut_with_one_another() -> None:
    """Viewport, scissor and a batch's clip are intersected; the result may be empty."""
    p = Pass("x", viewport=(0.5, 0, 0.5, 1), scissor=(0, 0.5, 1, 0.5))
    assert p.clip((100, 80)) == (50, 40, 50, 40)
    assert p.clip((100, 80), sprites(clip=(0, 0, 0.6, 1))) == (50, 40, 10, 40)
    assert p.clip((100, 80), sprites(clip=(0, 0, 0.1, 0.1)))[2:] == (0, 0)
    assert replace(p, viewport=(-1, -1, 3, 3), scissor=None).clip((100, 80)) == (0, 0, 100, 80)


def test_check_names_the_pass_and_the_batch() -> None:
    """`check` reports a batch with a wrong array, and one that reads a target that is no input of its pass."""
    frame = Frame()
    frame.add(Batch("sprites", {"instances": np.zeros(2)}))
    with pytest.raises(RishError, match="pass 'main': a batch of 'sprites'"):
        frame.check()
    frame.reset()
    frame.add(sprites(texture="glow"))
    with pytest.raises(UnknownName, match="uses the texture 'glow', which is not an input"):
        frame.check()


def test_set_frames_and_set_clear_change_what_they_say() -> None:
    """A frame table has a version that no other table has, so a backend never confuses them."""
    frame = Frame()
    frame.set_frames([0, 0, 0, 8, 8, 0])
    assert frame.frames.shape == (1, 6)
    first = frame.frames_version
    other = Frame()
    other.set_frames(frame.frames)
    frame.set_frames(frame.frames)
    assert len({0, first, other.frames_version, frame.frames_version}) == 4
    frame.set_clear((1, 0, 0, 1))
    assert frame.targets["screen"].clear_color() == (1, 0, 0, 1)
    assert frame.targets["screen"].clear_color(3) == (0, 0, 0, 0)
    with pytest.raises(UnknownName, match="screan"):
        frame.set_clear((1, 0, 0, 1), target="screan")


def test_a_depth_is_an_input_only_if_the_target_has_one() -> None:
    """`name:depth` is refused for a target without depth; the message says how to declare it."""
    frame = Frame()
    frame.add_target(Target("flat"))
    frame.add_target(Target("deep", depth=True))
    frame.passes["main"].inputs = ("deep:depth",)
    assert [pass_.name for pass_ in frame.ordered()] == ["main"]
    frame.passes["main"].inputs = ("flat:depth",)
    with pytest.raises(UsageError, match=r"no depth.*depth=True"):
        frame.ordered()


def test_a_pass_that_replaces_another_is_drawn_in_its_place() -> None:
    """A new pass with the name and the relations of a former one takes its place in the order."""
    frame = Frame((8, 8))
    frame.add_pass(Pass("late", rank="post"))
    before = frame.ordered()
    frame.passes["main"] = replaced = Pass("main", view=before[0].view)
    assert [p.name for p in frame.ordered()] == [p.name for p in before] == ["main", "late"]
    assert frame.ordered()[0] is replaced
