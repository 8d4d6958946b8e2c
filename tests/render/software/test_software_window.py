"""The software backend in a window: the picture is copied into a window of pyglet, without arcade."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from rish_core import App, parse_manifest
from rish_frame import BackendError, Frame
from rish_render.backends import make_arcade, make_software, make_software_window
from rish_render.plugin.diagnosis import diagnose_backends

SHOWN = """
import importlib.util, json, sys
import numpy as np
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, package=None: None if name == "arcade" else real(name, package)
from rish_frame import Frame
from rish_render.backends import make_arcade, make_software_window
from rish_render.backends.arcade import gl

def look():
    functions = gl.raw()
    functions.glBindFramebuffer(functions.GL_READ_FRAMEBUFFER, 0)
    functions.glReadBuffer(functions.GL_BACK)
    width, height = backend.size
    data = (functions.GLubyte * (width * height * 4))()
    functions.glReadPixels(0, 0, width, height, functions.GL_RGBA, functions.GL_UNSIGNED_BYTE, data)
    rows = np.frombuffer(data, np.uint8).reshape(height, width, 4)
    flip()
    found.append([rows[-3, 3, :3].tolist(), rows[3, -3, :3].tolist()])  # near the left top and the right bottom corner

backend = make_software_window()
backend.open("shown", (64, 48), True)
frame = Frame(backend.size)
frame.set_clear((1.0, 0.0, 0.0, 1.0))
found = ["window" in backend.capabilities, backend.window.caption]
flip, backend.window.flip = backend.window.flip, look
backend.draw(frame)
backend.present()
with backend.over():
    gl.raw().glClearColor(0.0, 0.0, 1.0, 1.0)
    gl.raw().glClear(gl.raw().GL_COLOR_BUFFER_BIT)
backend.present()
picture = np.zeros((*backend.size[::-1], 4), np.uint8)
picture[:10] = 255
backend.splash(picture)
backend.configure(size=(80, 60), title="other")
backend.poll()
flip()  # after which the buffers have the new size
frame.size = backend.size
backend.draw(frame)
backend.present()
found += [list(backend.size), backend.pixels().shape[:2] == backend.size[::-1], backend.window.caption]
backend.close()
print(json.dumps([found, [name for name in sys.modules if name.split(".")[0] == "arcade"], backend.size]))
"""


@pytest.mark.gl
@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("DISPLAY") and shutil.which("xvfb-run") is None, reason="there is no display")
def test_the_picture_is_shown_in_a_window_without_arcade() -> None:
    """What software draws, a splash, and what other code draws over it are in the window, at the window's size."""
    screen = [] if os.environ.get("DISPLAY") else ["xvfb-run", "-a"]
    done = subprocess.run(
        [*screen, sys.executable, "-c", textwrap.dedent(SHOWN)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found, arcade, closed = json.loads(done.stdout)
    red, blue, white, black = [255, 0, 0], [0, 0, 255], [255] * 3, [0] * 3
    shown = [[red, red], [blue, blue], [white, black], [red, red]]
    assert found == [True, "shown", *shown, [80, 60], True, "other"]
    assert arcade == []
    assert closed == [0, 0]


def test_off_screen_it_draws_without_a_window() -> None:
    """Without a screen the backend is the software backend: no window, no events, and the same picture."""
    backends = make_software_window(), make_software()
    frame = Frame((40, 30))
    frame.set_clear((1.0, 0.5, 0.0, 1.0))
    for backend in backends:
        backend.open("Hidden", (40, 30), False)
        backend.draw(frame)
        backend.present()
    shown, plain = backends
    assert (shown.pixels() == plain.pixels()).all()
    assert "window" not in shown.capabilities
    assert shown.poll() == []
    assert shown.window is None
    with pytest.raises(BackendError, match="no window"), shown.over():
        pass
    shown.configure(size=(20, 10))
    assert shown.size == (20, 10)
    for backend in backends:
        backend.close()


def test_without_arcade_only_its_backend_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """If arcade is not installed, its backend says so before it opens anything, and so does the doctor."""
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == "arcade" else real(name, *rest)
    )
    with pytest.raises(BackendError, match="arcade is not installed"):
        make_arcade().open("none", (64, 48), True)
    ((mark, name, text),) = diagnose_backends()
    assert (mark, name) == ("--", "arcade")
    assert text.startswith("arcade is not installed")


@pytest.mark.gl
@pytest.mark.skipif(importlib.util.find_spec("arcade") is None, reason="arcade is not installed")
def test_a_game_is_swapped_between_opengl_and_software() -> None:
    """The pictures agree to a few levels, and the state does not change."""
    text = "rish: 1\ngame: {size: [64, 48]}\nplugins: [render]\n"
    text += "scenes: {main: [{Transform: {position: [32, 24]}, Shape: {size: [20, 20]}}]}"
    with App(parse_manifest(text), headless=True, backend="arcade") as app:
        app.run(2)
        before, picture = app.world.hash(), app.pixels()
        for name in ("software", "arcade", "software"):
            app.host.swap(name)  # pyright: ignore[reportAttributeAccessIssue]
            app.draw()
            assert np.abs(app.pixels().astype(int) - picture).max() <= 3
            assert app.world.hash() == before
