"""Compute shaders on the graphics card: mistakes, new versions, arrays of drawers, the end of a backend."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import textwrap
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rish_frame import ArraySpec, BackendError, Batch, Compute, DeviceArray, DrawStats, DrawTarget, Frame
from rish_render import arcade_in, open_window
from rish_render.backends.arcade import gl
from rish_render.backends.arcade.backend import ArcadeBackend

pytestmark = pytest.mark.gl

PLACE = ArraySpec(np.dtype(np.float32), ("n",), "places")
ADD = "void main() {\n    uint i = gl_GlobalInvocationID.x;\n    if (i < threads.x) place[i] += by;\n}\n"


def never(arrays: Any, uniforms: Any) -> None:
    """Fail: the device does the work."""
    raise AssertionError("the fallback ran")


WORK = Compute("test.add", "effects/add.comp", {"place": PLACE}, never, {"by": "float"}, source=ADD)


@pytest.fixture
def arcade() -> Iterator[ArcadeBackend]:
    """Open a backend with compute shaders, off screen."""
    backend = opened()
    yield backend
    backend.close()


def opened() -> ArcadeBackend:
    """Return an open backend with compute shaders; skip the test without them."""
    backend = ArcadeBackend()
    try:
        backend.open("test", (64, 48), False)
    except BackendError as error:
        pytest.skip(str(error))
    if "compute" not in backend.capabilities:
        backend.close()
        pytest.skip("OpenGL is older than 4.3")
    return backend


def add(backend: ArcadeBackend, place: DeviceArray, by: float, work: Compute = WORK) -> DrawStats:
    """Draw a frame that adds a number to the places."""
    frame = Frame((64, 48))
    frame.computes[work.name] = work
    frame.compute(work.name, len(place.array), {"place": place}, {"by": by})
    return backend.draw(frame)


def places(n: int = 5) -> DeviceArray:
    """Return an array of zeros."""
    return DeviceArray(np.zeros(n, np.float32))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("void main() {\n    place[0] = speed;\n}", "effects/add.comp:2: "),
        ("void main() {\n", "effects/add.comp:1: "),
        ("#version 330\nvoid main() {}", "effects/add.comp:1: "),
        ("void start() {}", "effects/add.comp: "),
    ],
)
def test_mistakes_are_reported_with_file_and_line(arcade: ArcadeBackend, source: str, expected: str) -> None:
    """The compiler's message has the author's file and line; the fallback does the work, in every frame."""
    work = dataclasses.replace(WORK, source=source, fallback=lambda arrays, uniforms: arrays["place"].__iadd__(1))
    place = places()
    for count in (1, 2):
        stats = add(arcade, place, 0.0, work)
        assert stats.skipped["compute:test.add"].startswith(expected)
        assert stats.skipped["compute:test.add"].endswith("; its fallback runs")
        assert place.fetch().tolist() == [count] * 5


def test_a_new_version_takes_over_and_a_broken_one_does_not(arcade: ArcadeBackend) -> None:
    """A version that compiles is used from the next frame on; after one that does not, the one before stays."""
    place = places()
    assert not add(arcade, place, 1).skipped
    twice = dataclasses.replace(WORK, source=ADD.replace("+= by", "+= 2.0 * by"), version=1)
    assert not add(arcade, place, 1, twice).skipped
    broken = dataclasses.replace(WORK, source="oh no", version=2)
    (why,) = add(arcade, place, 1, broken).skipped.values()
    assert why.endswith("the last version that compiled is used")
    assert not add(arcade, place, 1, dataclasses.replace(WORK, version=3)).skipped
    assert place.fetch().tolist() == [1 + 2 + 2 + 1] * 5


def test_shaders_are_compiled_before_they_are_needed(arcade: ArcadeBackend) -> None:
    """A declared shader is compiled, and its mistakes reported, with the first frame, without an order."""
    frame = Frame((64, 48))
    frame.computes["test.add"] = dataclasses.replace(WORK, source="oh no")
    assert list(arcade.draw(frame).skipped) == ["compute:test.add"]


def test_arrays_stay_on_the_device(arcade: ArcadeBackend) -> None:
    """An array is uploaded once, and copied back only when it is asked for."""
    place = places(1000)
    assert add(arcade, place, 1).bytes_uploaded == 4000
    assert add(arcade, place, 1).bytes_uploaded == 0
    assert place.on_device
    assert place.array[0] == 0
    assert place.fetch()[0] == 2
    assert add(arcade, place, 1).bytes_uploaded == 0
    place.write(5)
    assert add(arcade, place, 1).bytes_uploaded == 4000
    assert place.fetch()[999] == 6


def test_a_drawer_gets_the_buffers(arcade: ArcadeBackend) -> None:
    """A drawer finds the buffer of a computed array in `buffers`, and none for other arrays."""
    seen: list[dict[str, Any]] = []

    class Reader:
        needs = frozenset({"compute"})

        def draw(self, device: Any, target: DrawTarget, batch: Any, pass_: Any) -> None:
            seen.append({name: np.frombuffer(buffer.read(), np.float32) for name, buffer in target.buffers.items()})

    arcade.add_drawer("test.read", Reader())
    place, frame = places(3), Frame((64, 48))
    frame.computes["test.add"] = WORK
    frame.compute("test.add", 3, {"place": place}, {"by": 4})
    frame.add(Batch("test.read", {"place": place.array, "other": np.zeros(3)}))
    arcade.draw(frame)
    (buffers,) = seen
    assert {name: values.tolist() for name, values in buffers.items()} == {"place": [4, 4, 4]}


def test_a_closed_backend_leaves_the_newest_contents(arcade: ArcadeBackend) -> None:
    """`close` copies the arrays back, and another backend goes on from there; two may also take turns."""
    place, other = places(), opened()
    add(other, place, 1)
    add(arcade, place, 2)
    add(other, place, 4)
    other.close()
    assert place.array.tolist() == [7] * 5
    add(arcade, place, 8)
    assert place.fetch().tolist() == [15] * 5


def test_a_window_that_its_owner_closed_takes_the_contents_along() -> None:
    """After the shared window is gone, arrays have their last contents on the host, and closing raises nothing."""
    try:
        gl.find_library()
        window = open_window("shared", (64, 48), visible=False)
    except BackendError as error:
        pytest.skip(str(error))
    backend, place = arcade_in(window), places()
    backend.open("test", (64, 48), False)
    if "compute" in backend.capabilities:
        add(backend, place, 3)
        assert place.on_device
    window.close()
    backend.close()
    assert place.fetch().tolist() == [0] * 5


def test_dropped_arrays_are_freed(arcade: ArcadeBackend) -> None:
    """The buffer of an array is freed after the array is dropped."""
    place = places()
    add(arcade, place, 1)
    copy = weakref.ref(arcade._painter.compute.copy_of(place.array))
    assert copy() is not None
    del place
    add(arcade, places(), 1)
    assert copy() is None


def run(script: str, **environment: str) -> Any:
    """Return the JSON that a script prints in a separate process without a display."""
    inherited = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run(
        [sys.executable, "-c", "import json, sys\n" + textwrap.dedent(script)],
        capture_output=True, text=True, timeout=120, env={**inherited, **environment}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


SCRIPT = """
from rish_render.backends import make_arcade
backend = make_arcade()
backend.open("small", (64, 48), False)
import numpy as np
from rish_frame import ArraySpec, Compute, DeviceArray, Frame
spec = {"place": ArraySpec(np.dtype("float32"), ("n",), "")}
def double(arrays, uniforms):
    arrays["place"] *= 2
source = "void main() { if (gl_GlobalInvocationID.x < threads.x) place[gl_GlobalInvocationID.x] *= 2.0; }"
work = Compute("test.double", "", spec, double, source=source)
frame, place = Frame((64, 48)), DeviceArray(np.ones(3, np.float32))
frame.computes["test.double"] = work
frame.compute("test.double", 3, {"place": place})
able = "compute" in backend.capabilities
if not able:
    frame.run_fallbacks()
skipped = backend.draw(frame).skipped
broken = "arcade.sprite_list" in sys.modules
print(json.dumps([able, list(backend.device.gl_version) < [4, 3], place.fetch().tolist(), skipped, broken]))
"""


@pytest.mark.slow
def test_opengl_3_3_is_enough(arcade: ArcadeBackend) -> None:
    """Where OpenGL 4.3 can't be opened, 3.3 is, and the backend does not have the capability."""
    if not str(arcade.device.info.RENDERER).startswith("llvmpipe"):
        pytest.skip("only Mesa can be told to be older")
    assert run(SCRIPT, MESA_GL_VERSION_OVERRIDE="3.3") == [False, True, [2, 2, 2], {}, False]


@pytest.mark.slow
def test_compiling_loads_arcade_gl_alone(arcade: ArcadeBackend) -> None:
    """Compute shaders do not import the complete arcade."""
    assert run(SCRIPT) == [True, False, [2, 2, 2], {}, False]
