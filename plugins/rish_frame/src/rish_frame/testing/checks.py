"""Shared helpers of the contract's tests: an open backend, drawing, and checks of pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, cast

import numpy as np
import numpy.typing as npt
import pytest

from ..backend import Backend, DrawStats, DrawTarget
from ..frame.batches import Batch
from ..frame.camera_math import orthographic, pixels, view_2d
from ..frame.frame import Frame
from ..frame.graph import base_name
from ..frame.passes import Pass, Target
from .samples import PAGE, picture_frame, sample_page

Picture = npt.NDArray[np.uint8]


class RecordingDrawer:
    """A drawer that records the arguments of its calls."""

    def __init__(self, *needs: str) -> None:
        self.needs = frozenset(needs)
        self.asked: list[tuple[Any, DrawTarget, Batch, Pass]] = []

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Record the arguments."""
        self.asked.append((device, target, batch, pass_))


class ContractChecks:
    """The base of the contract's tests; see `BackendContract`."""

    make: ClassVar[Callable[[], Backend]]
    size: ClassVar[tuple[int, int]] = (64, 48)
    extras: ClassVar[frozenset[str] | None] = frozenset()
    skips: ClassVar[frozenset[str] | None] = None

    _shared: ClassVar[Backend | None] = None
    _test: str = ""

    @pytest.fixture
    def backend(self, request: pytest.FixtureRequest) -> Backend:
        """An open backend with the test page; all tests of the class share one, which is reset to its first size."""
        cls = type(self)
        self._test = request.function.__name__
        shared = cls._shared
        if shared is None or shared.size == (0, 0):
            shared = cls._shared = cls._made()
            shared.open("contract", self.size, False)
        elif shared.size != self.size:
            shared.configure(size=self.size)
            shared.poll()
        shared.image(PAGE, sample_page())
        return shared

    @pytest.fixture
    def closed(self, request: pytest.FixtureRequest) -> Iterator[Backend]:
        """A new backend that is not open; the shared one of the class is closed first."""
        cls = type(self)
        self._test = request.function.__name__
        self._close_shared()
        backend = cls._made()
        yield backend
        backend.close()

    @classmethod
    def teardown_class(cls) -> None:
        """Close the backend that the tests shared."""
        cls._close_shared()

    @classmethod
    def _made(cls) -> Backend:
        return cast("Any", cls).make()

    @classmethod
    def _close_shared(cls) -> None:
        if cls._shared is not None:
            cls._shared.close()
            cls._shared = None

    def need(self, backend: Backend, *capabilities: str, kinds: Sequence[str] = ()) -> None:
        """Skip the test if the backend lacks a capability or kind; fail if `skips` does not allow that."""
        missing = [f"the capability '{name}'" for name in capabilities if name not in backend.capabilities]
        missing += [f"the kind '{name}'" for name in kinds if name not in backend.kinds]
        if not missing:
            return
        reason = f"'{backend.name}' does not have {', '.join(missing)}"
        if self.skips is not None and self._test not in self.skips:
            pytest.fail(f"{reason}, and {self._test} is not among the tests that it may skip")
        pytest.skip(reason)

    def scene(self, *batches: Batch, **main: Any) -> Frame:
        """Return a frame of the backend's size with batches on black, one pixel per unit, the test page's frame table.

        main: fields of the pass `main`.
        """
        frame = picture_frame(self.size)
        for name, value in main.items():
            setattr(frame.passes["main"], name, value)
        for batch in batches:
            frame.add(batch)
        return frame

    def show(self, backend: Backend, *batches: Batch, **main: Any) -> Picture:
        """Draw a scene as made by `scene` and return the screen; fail if one of the batches was skipped."""
        return self.show_frame(backend, self.scene(*batches, **main))

    def looking_at(self, x: float, y: float, rotation: float = 0.0, zoom: float = 1.0) -> dict[str, Any]:
        """Return the fields of a pass whose camera shows (x, y) in the middle of the screen."""
        width, height = self.size
        lens = orthographic(-width / 2, width / 2, -height / 2, height / 2)
        return {"view": view_2d(x, y, rotation, zoom), "projection": lens}

    def show_frame(self, backend: Backend, frame: Frame, target: str = "screen") -> Picture:
        """Draw a frame and return the image of a target; fail if anything was skipped.

        Skips the test if the backend has no pixels, or lacks a capability or kind that the frame needs.
        """
        kinds = {batch.kind for pass_ in frame.passes.values() for batch in pass_.batches}
        self.need(backend, "pixels", *needs_of(frame), kinds=sorted(kinds))
        stats: DrawStats = backend.draw(frame)
        assert not stats.skipped, stats.skipped
        return backend.pixels(target)


def needs_of(frame: Frame) -> list[str]:
    """Return the capabilities that drawing a frame needs because of its targets and passes."""
    passes = frame.passes.values()
    other_targets = [target for target in frame.targets.values() if target.name != "screen"]
    needs = {
        "targets": bool(other_targets),
        "mrt": any(len(target.formats) > 1 for target in other_targets),
        "float": any({*target.formats} - {"rgba8"} for target in other_targets),
        "depth": any(pass_.depth_test for pass_ in passes),
        "copy": any(not {*pass_.targets}.isdisjoint(map(base_name, pass_.inputs)) for pass_ in passes),
    }
    return [name for name, is_needed in needs.items() if is_needed]


def off_screen(frame: Frame, name: str, size: tuple[int, int], *formats: str, **options: Any) -> Pass:
    """Add a target, and a pass of the same name that draws onto it, one pixel per unit; return the pass.

    options: of the target.
    """
    frame.add_target(Target(name, size, formats or ("rgba8",), **options))
    return frame.add_pass(Pass(name, (name,), projection=pixels(size)))


def at(picture: npt.NDArray[Any], x: int, y: int) -> list[int]:
    """Return the pixel at column x and row y, counted from the bottom left."""
    return picture[picture.shape[0] - 1 - y, x].tolist()


def assert_color(picture: npt.NDArray[Any], x: int, y: int, expected: Sequence[float], within: float = 1) -> None:
    """Fail if a pixel (from the bottom left) differs from `expected` by more than `within` in a channel."""
    color = at(picture, x, y)
    difference = max(abs(a - b) for a, b in zip(color, expected, strict=True))
    assert difference <= within, f"pixel ({x}, {y}) from the bottom left is {color}, expected {list(expected)}"


def assert_pixels(
    picture: npt.NDArray[Any], expected: Mapping[tuple[int, int], Sequence[float]], within: float = 1
) -> None:
    """Fail if one of several pixels differs from its color, see `assert_color`."""
    for (x, y), color in expected.items():
        assert_color(picture, x, y, color, within)


def assert_rectangle(
    picture: npt.NDArray[Any],
    x: int,
    y: int,
    w: int,
    h: int,
    inside: Sequence[float],
    outside: Sequence[float],
) -> None:
    """Fail unless the corners and the middle of a rectangle have one color, and the pixels around it another.

    x, y: its bottom left pixel.
    """
    right, top = x + w - 1, y + h - 1
    inside_points = ((x, y), (right, y), (x, top), (right, top), (x + w // 2, y + h // 2))
    assert_pixels(picture, dict.fromkeys(inside_points, inside))
    for px, py in ((x - 1, y), (x, y - 1), (right + 1, y), (right, y - 1), (x, top + 1), (right + 1, top)):
        if 0 <= px < picture.shape[1] and 0 <= py < picture.shape[0]:
            assert_color(picture, px, py, outside)


def over(target: Sequence[float], straight: Sequence[float]) -> list[float]:
    """Blend a straight color over a pixel by alpha and return the premultiplied result; all 0..255."""
    a = straight[3] / 255
    source = [straight[0] * a, straight[1] * a, straight[2] * a, straight[3]]
    return [s + d * (1 - a) for s, d in zip(source, target, strict=True)]
