"""The keys of structure and contents change with everything that a frame depends on, and are None if unknown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_frame.frame.batches import Batch, Material
from rish_frame.frame.camera_math import view_2d
from rish_frame.frame.frame import Frame
from rish_frame.frame.passes import Pass, Target
from rish_frame.frame.reuse_keys import Standing, contents_of, structure_of


def still() -> Frame:
    """Return a frame with two passes, a target and a batch that has a version."""
    frame = Frame((64, 48))
    frame.add_target(Target("glass"))
    frame.add_pass(Pass("over", rank="post", inputs=("glass",)))
    frame.add(Batch("stars", {"places": np.zeros((2, 2), np.float32)}, version=1))
    return frame


def main(frame: Frame) -> Pass:
    """Return the pass that every frame has."""
    return frame.passes["main"]


def batch(frame: Frame) -> Batch:
    """Return the batch of `still`."""
    return main(frame).batches[0]


def key(frame: Frame) -> tuple[Any, Any]:
    """Return everything that the drawn frame depends on."""
    return structure_of(frame), {pass_.name: contents_of(pass_) for pass_ in frame.ordered()}


def test_equal_frames_have_equal_keys():
    """Equal frames have equal keys, also when the batches were added again."""
    frame = still()
    first, shown = key(frame), batch(frame)
    assert None not in first[1].values()
    assert key(frame) == first
    frame.reset()
    frame.add(shown)
    frame.time = 5.0
    assert key(frame) == first


CHANGES: dict[str, Callable[[Frame], Any]] = {
    "another batch": lambda f: f.add(Batch("stars", {}, version=1)),
    "a batch less": lambda f: f.reset(),
    "an equal batch": lambda f: main(f).batches.__setitem__(0, Batch("stars", batch(f).arrays, version=1)),
    "version": lambda f: setattr(batch(f), "version", 2),
    "layer": lambda f: setattr(batch(f), "layer", 2),
    "z": lambda f: setattr(batch(f), "z", 2.0),
    "blend": lambda f: setattr(batch(f), "blend", "add"),
    "filter": lambda f: setattr(batch(f), "filter", "linear"),
    "origin": lambda f: setattr(batch(f), "origin", (1.0, 0.0)),
    "unit": lambda f: setattr(batch(f), "unit", 0.5),
    "texture": lambda f: setattr(batch(f), "texture", "glass"),
    "clip": lambda f: setattr(batch(f), "clip", (0, 0, 0.5, 0.5)),
    "the camera": lambda f: setattr(main(f), "view", view_2d(1, 2)),
    "the camera's own array": lambda f: main(f).view.__setitem__((0, 3), 7.0),
    "the lens": lambda f: main(f).projection.__setitem__((0, 0), 7.0),
    "viewport": lambda f: setattr(main(f), "viewport", (0, 0, 0.5, 1)),
    "scissor": lambda f: setattr(main(f), "scissor", (0, 0, 0.5, 1)),
    "layers shown": lambda f: setattr(main(f), "layer_mask", 1),
    "depth test": lambda f: setattr(main(f), "depth_test", True),
    "targets": lambda f: setattr(main(f), "targets", ("glass",)),
    "inputs": lambda f: setattr(main(f), "inputs", ("glass",)),
    "order": lambda f: setattr(main(f), "after", "over"),
    "rank": lambda f: setattr(main(f), "rank", "overlay"),
    "a pass": lambda f: f.add_pass(Pass("more")),
    "a pass less": lambda f: f.remove_pass("over"),
    "a pass like it": lambda f: f.add_pass(Pass("over", rank="post", inputs=("glass",)), replace=True),
    "clear color": lambda f: f.set_clear((1, 0, 0, 1)),
    "a target": lambda f: f.add_target(Target("more")),
    "a target's form": lambda f: f.add_target(Target("glass", 0.5), replace=True),
    "frame table": lambda f: f.set_frames(np.zeros((1, 6))),
    "size": lambda f: setattr(f, "size", (32, 32)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_noticed(change: str):
    """A change of anything that affects drawing changes the key."""
    frame = still()
    before = key(frame)
    CHANGES[change](frame)
    assert key(frame) != before


ALWAYS_NEW: dict[str, Callable[[Frame], Any]] = {
    "arrays that are new": lambda f: setattr(batch(f), "version", None),
    "a shader sees the time": lambda f: setattr(batch(f), "material", Material("glow")),
}


@pytest.mark.parametrize("reason", ALWAYS_NEW)
def test_a_picture_that_may_always_be_new_has_no_contents(reason: str):
    """A pass whose result may change each time has no contents key, so it is drawn each time."""
    frame = still()
    ALWAYS_NEW[reason](frame)
    assert contents_of(main(frame)) is None


class Stars:
    """A drawer that always draws the same if it is marked as steady."""

    needs = frozenset[str]()

    def __init__(self, steady: bool | None = None) -> None:
        if steady is not None:
            self.steady = steady

    def draw(self, device: Any, target: Any, batch: Batch, pass_: Pass) -> None:
        """Draw nothing."""


def test_a_drawer_is_asked_each_time_unless_it_is_steady():
    """A pass with a drawer has no contents key unless the drawer is steady; a steady one includes its material."""
    frame = still()
    assert contents_of(main(frame), {"stars": Stars()}) is None
    assert contents_of(main(frame), {"stars": Stars(steady=False)}) is None
    assert contents_of(main(frame), {"clouds": Stars()}) is not None
    batch(frame).material = Material("glow")
    assert contents_of(main(frame), {"stars": Stars(steady=True)}) is not None


def chain() -> Frame:
    """Return four passes: `a` draws a texture, `b` reads it and draws another, `c` reads that; `d` is independent."""
    frame = Frame((64, 48))
    for name in ("one", "two", "apart"):
        frame.add_target(Target(name))
    frame.remove_pass("main")
    ways: dict[str, tuple[str, tuple[str, ...]]] = {
        "a": ("one", ()), "b": ("two", ("one",)), "c": ("screen", ("two:0",)), "d": ("apart", ()),
    }  # fmt: skip
    for name, (target, inputs) in ways.items():
        frame.add_pass(Pass(name, (target,), inputs=inputs, batches=[Batch("stars", {}, count=1, version=1)]))
    return frame


def again(frame: Frame, standing: Standing, drawers: Any = None) -> set[str]:
    """Return the passes that have to be drawn again."""
    due = standing.due(frame.ordered(), drawers or {})
    standing.drawn()
    return due


def test_what_changed_is_due_and_all_that_reads_it():
    """A changed pass and all passes that read its target are drawn again; the others are not."""
    frame, standing = chain(), Standing()
    assert again(frame, standing) == {"a", "b", "c", "d"}
    assert again(frame, standing) == set()
    for changed, wanted in {"a": {"a", "b", "c"}, "b": {"b", "c"}, "c": {"c"}, "d": {"d"}}.items():
        frame.passes[changed].batches[0].version += 1  # pyright: ignore[reportOptionalOperand]
        assert again(frame, standing) == wanted
        assert again(frame, standing) == set()
    standing.forget()
    assert again(frame, standing) == {"a", "b", "c", "d"}


def test_a_backend_may_draw_the_same_more_often_first():
    """A backend may request several identical drawings first, also after `forget`."""
    frame, standing = chain(), Standing(times=2)
    assert [len(again(frame, standing)) for _ in range(4)] == [4, 4, 0, 0]
    standing.forget()
    assert [len(again(frame, standing)) for _ in range(3)] == [4, 4, 0]


def test_passes_onto_one_target_are_due_together():
    """Passes that draw onto one target are drawn together, since the target is cleared."""
    frame, standing = chain(), Standing()
    frame.add_pass(Pass("e", ("one",), after="a", before="b", batches=[Batch("stars", {}, count=1, version=1)]))
    again(frame, standing)
    frame.passes["e"].batches[0].version = 2
    assert again(frame, standing) == {"a", "b", "c", "e"}


def test_a_drawing_that_failed_is_due_again():
    """After a failed drawing all passes are drawn again."""
    frame, standing = chain(), Standing()
    again(frame, standing)
    standing.due(frame.ordered(), {})
    assert standing.due(frame.ordered(), {}) == {"a", "b", "c", "d"}


def test_what_goes_on_with_the_last_frame_is_due_each_time():
    """A pass that depends on the previous frame is drawn each time.

    That is a pass without clear or with an input that is drawn later, unless a steady drawer fills the target.
    """
    frame, standing = chain(), Standing()
    frame.passes["d"].clear = False
    again(frame, standing)
    assert again(frame, standing) == {"d"}
    frame.passes["d"].batches[0].blend = "replace"
    standing.forget()
    again(frame, standing, {"stars": Stars(steady=True)})
    assert again(frame, standing, {"stars": Stars(steady=True)}) == set()
    frame = chain()
    frame.passes["a"].inputs = ("two",)
    frame.passes["b"].after = "a"
    standing = Standing()
    again(frame, standing)
    assert again(frame, standing) == {"a", "b", "c"}


STEERED: dict[str, Callable[[Frame], Any]] = {
    "the camera": CHANGES["the camera"],
    "a version": CHANGES["version"],
    "an equal batch": CHANGES["an equal batch"],
    "arrays": lambda f: batch(f).arrays.update(places=np.ones((5, 2), np.float32)),
    "origin": CHANGES["origin"],
    "unit": CHANGES["unit"],
    "a number": lambda f: setattr(batch(f), "count", 1),
    "the time": lambda f: setattr(f, "time", 3.0),
}


@pytest.mark.parametrize("change", STEERED)
def test_what_moves_leaves_the_structure(change: str):
    """Changes of values, such as the camera or arrays, do not change the structure."""
    frame = still()
    before = structure_of(frame)
    STEERED[change](frame)
    assert structure_of(frame) == before


@pytest.mark.parametrize("change", ["a version comes", "a version goes", "nothing left", "material", "parameter"])
def test_what_changes_the_way_of_drawing_changes_the_structure(change: str):
    """Changes that affect merging, empty batches, shaders and parameters change the structure."""
    frame, shown = still(), Batch("stars", {"places": np.zeros((2, 2))}, version=None if "comes" in change else 1)
    parameters = {"width": 1.0}
    shown.material = Material("glow", parameters) if change == "parameter" else None
    frame.add(shown)
    before = structure_of(frame)
    if change == "parameter":
        parameters["width"] = 2.0
    elif change == "material":
        shown.material = Material("glow")
    elif change == "nothing left":
        shown.count = 0
    else:
        shown.version = 1 if change == "a version comes" else None
    assert structure_of(frame) != before


def test_origins_and_units_that_come_to_differ_change_the_structure():
    """The structure changes when origins or units of batches become different, not when all of them move together."""
    frame = Frame((64, 48))
    for layer in (0, 2, 1, 3):
        frame.add(Batch("stars", {"places": np.zeros((2, 2))}, layer=layer, origin=(float(layer == 2), 0.0)))
    before = structure_of(frame)
    for shown in main(frame).batches:
        shown.origin, shown.unit = (shown.origin[0] + 5.0, 1.0), 0.5
    assert structure_of(frame) == before
    batch(frame).origin = (9.0, 9.0)
    assert structure_of(frame) != before
    batch(frame).origin = main(frame).batches[2].origin
    assert structure_of(frame) == before
    main(frame).batches[3].unit = 2.0
    assert structure_of(frame) != before
