"""A window that fits the screen."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rish_render.backends.arcade.window.screens import placed

sides = st.integers(-4000, 4000)
lengths = st.integers(200, 5000)


@given(st.tuples(sides, sides, lengths, lengths), st.tuples(lengths, lengths), st.sampled_from([0.5, 1.0, 1.25, 2.0]))
@example((0, 0, 1280, 800), (1440, 860), 1.0)
def test_a_window_is_inside_of_its_area(area: tuple[int, int, int, int], size: tuple[int, int], scale: float):
    """The whole window is within the area with room for its title, in the middle, and only as small as it has to be."""
    (x, y), (width, height) = placed(size, area, scale)
    left, top, across, high = area
    assert left <= x
    assert top + 30 * scale <= y
    right, bottom = x + round(width * scale), y + round(height * scale)
    assert right <= left + across + 1
    assert bottom <= top + high + 1
    assert abs((x - left) - (left + across - right)) <= 2
    for length, wanted, room in ((width, size[0], across), (height, size[1], high - 32 * scale)):
        assert length == wanted or length >= room / scale - 1


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """A virtual screen of 1280x800 that keeps its properties while no window is open."""
    server_of_x = shutil.which("Xvfb")
    if server_of_x is None or shutil.which("xprop") is None:
        pytest.skip("needs Xvfb and xprop")
    read, write = os.pipe()
    server = subprocess.Popen(
        [server_of_x, "-noreset", "-displayfd", str(write), "-screen", "0", "1280x800x24"],
        pass_fds=[write], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    with os.fdopen(read) as answer:
        yield f":{answer.readline().strip()}"
    server.terminate()
    server.wait()


@pytest.mark.slow
def test_a_bar_of_the_desktop_stays_free(display: str):
    """What the window manager keeps for bars is left free; a window of another size stays as it is asked for."""
    environment = {**os.environ, "DISPLAY": display}
    area = ["xprop", "-root", "-f", "_NET_WORKAREA", "32c", "-set", "_NET_WORKAREA", "100, 0, 1180, 760"]
    subprocess.run(area, env=environment, check=True)
    script = """
import json
from rish_render import open_window
told = []
for size, fits in (((1440, 860), True), ((640, 360), True), ((1440, 860), False)):
    window = open_window("Test", size, fits=fits)
    told.append(window.get_size())
    window.close()
print(json.dumps(told))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    first, small, exact = json.loads(done.stdout)
    assert first == [1180, 728]
    assert small == [640, 360]
    assert exact == [1440, 860]
