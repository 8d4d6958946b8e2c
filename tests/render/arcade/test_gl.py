"""arcade.gl is loaded without the rest of arcade."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from typing import Any

import pytest

pytestmark = pytest.mark.gl


def run(script: str, **environment: str) -> Any:
    """Return the JSON that a script prints in a separate process without a display."""
    inherited = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    done = subprocess.run(
        [sys.executable, "-c", "import json, sys\n" + textwrap.dedent(script)],
        capture_output=True, text=True, timeout=120, env={**inherited, **environment}, check=False,
    )  # fmt: skip
    if "BackendError" in done.stderr:
        pytest.skip(done.stderr.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.slow
def test_opening_loads_neither_sprites_nor_sounds_nor_physics():
    """Opening loads no sprites, sounds or physics, and afterwards `import arcade` loads the real package."""
    loaded, real, works = run(
        """
        from rish_render.backends import make_arcade
        from rish_frame.frame.frame import Frame
        backend = make_arcade()
        backend.open("alone", (64, 48), False)
        heavy = ("PIL", "pymunk", "pytiled_parser", "pyglet.media")
        loaded = [name for name in sys.modules if name in heavy or name.split(".")[0] == "arcade"]
        import arcade
        backend.draw(Frame((64, 48)))
        print(json.dumps([loaded, hasattr(arcade, "SpriteList"), backend.pixels().shape == (48, 64, 4)]))
        """
    )
    assert loaded == []
    assert real
    assert works


@pytest.mark.parametrize("first", ["import arcade", "gl._import_alone = None"])
@pytest.mark.slow
def test_the_whole_of_arcade_does_as_well(first: str):
    """The backend also works if the game has imported all of arcade, and if loading arcade.gl alone fails."""
    shown = run(
        f"""
        import os
        os.environ["ARCADE_HEADLESS"] = "1"
        from rish_render.backends import make_arcade
        from rish_render.backends.arcade import gl
        {first}
        from rish_frame.frame.frame import Frame
        backend = make_arcade()
        backend.open("whole", (64, 48), False)
        frame = Frame((64, 48))
        frame.set_clear((1.0, 0.0, 0.0, 1.0))
        backend.draw(frame)
        print(json.dumps([backend.pixels()[5, 5].tolist(), "arcade.sprite_list" in sys.modules]))
        """
    )
    assert shown == [[255, 0, 0, 255], True]


@pytest.mark.slow
def test_without_a_driver_the_next_backend_opens_and_the_reason_is_one_line():
    """If the OpenGL driver is broken, the next backend opens and the reason is one line."""
    name, why = run(
        """
        from rish_frame.backend import open_backend
        from rish_frame.null import NullBackend
        from rish_render.backends import make_arcade
        backend, why = open_backend({"arcade": make_arcade, "null": NullBackend}, visible=False)
        print(json.dumps([backend.name, why]))
        """,
        LIBGL_DRIVERS_PATH="/nowhere",
        __EGL_VENDOR_LIBRARY_FILENAMES="/nowhere.json",
    )
    assert name == "null"
    assert "'arcade' did not open (this machine has no OpenGL 3.3: EGL reports no graphics device" in why
    assert "\n" not in why


@pytest.mark.slow
def test_without_arcade_the_reason_says_what_to_install():
    """If arcade is not installed, the error names the package to install."""
    error, name, why = run(
        """
        import importlib.util
        real = importlib.util.find_spec
        importlib.util.find_spec = lambda name, *more: None if name == "arcade" else real(name, *more)
        from rish_frame import BackendError, NullBackend
        from rish_frame.backend import open_backend
        from rish_render.backends import make_arcade
        try:
            make_arcade().open("none", (64, 48), False)
        except BackendError as failure:
            error = str(failure)
        backend, why = open_backend({"arcade": make_arcade, "null": NullBackend}, visible=False)
        print(json.dumps([error, backend.name, why]))
        """
    )
    assert "arcade is not installed" in error
    assert name == "null"
    assert "pip install" in why
