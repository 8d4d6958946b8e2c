"""What a game loads when it starts: no library, and no plugin, that it does not use, in a window and without one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, KeysView
from pathlib import Path

import pytest

from screen_person import HAS_SCREENS, virtual_screen

ROOT = Path(__file__).parents[2]
HELLO = """\
rish: 1
game: {title: Hello, size: [320, 180]}
plugins: [render]
scenes:
  main:
    - {at: [160, 90], Transform: {}, Sprite: {image: star.png}}
    - {at: [160, 40], Transform: {}, Text: {text: Hello}}
"""
UNUSED = {
    "arcade", "asyncio", "attr", "babel", "email", "http", "importlib.metadata", "importlib_metadata", "llvmlite",
    "multiprocessing", "numba", "numpy.ctypeslib", "numpy.fft", "numpy.ma", "numpy.polynomial", "numpy.random",
    "numpy.testing", "pydantic", "pyglet.font", "pyglet.media", "pyglet.shapes", "pyglet.sprite", "pyglet.text",
    "pymunk", "pytest", "pytiled_parser", "requests", "rich", "sqlite3", "tkinter", "tornado", "unittest",
    "urllib.request", "xml",
}  # fmt: skip
"""What a small game does not use."""
PICTURES = {f"PIL.{name}ImagePlugin" for name in ("Bmp", "Gif", "Jpeg", "Png", "Ppm")}
"""The readers of images that Pillow loads together, with the first image."""
PACKAGES = {
    "rish_animation", "rish_assets", "rish_cli", "rish_core", "rish_ecs", "rish_expressions", "rish_frame", "rish_jit",
    "rish_render", "rish_system",
}  # fmt: skip
"""The packages of Rish that it uses."""
MEASURE = """
import json, linecache, sys
from rish_core.launcher import main
code = main(sys.argv[1:])
print(json.dumps([code, list(sys.modules), sorted(linecache.cache)]))
"""


@pytest.fixture(scope="module")
def hello(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a game with one picture and one text."""
    from PIL import Image

    folder = tmp_path_factory.mktemp("hello")
    (folder / "game.yaml").write_text(HELLO)
    Image.new("RGBA", (16, 16), "gold").save(folder / "star.png")
    return folder


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of programs on a virtual screen."""
    if not HAS_SCREENS:
        pytest.skip("needs Xvfb and xdotool")
    with virtual_screen(tmp_path_factory.mktemp("config"), (640, 480)) as environment:
        yield environment


def loaded(*arguments: str, environment: dict[str, str] | None = None) -> tuple[KeysView[str], list[str]]:
    """Run a game in a new process; return the modules that it has loaded, in this order, and the files of which it read
    the source.
    """
    command = [sys.executable, "-c", MEASURE, "run", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, cwd=ROOT)
    code, modules, files = json.loads(done.stdout.splitlines()[-1])
    assert code == 0, done.stderr
    return dict.fromkeys(modules).keys(), files


def readers(modules: KeysView[str]) -> set[str]:
    """Return what Pillow imports where defusedxml is installed."""
    return {"xml"} if "defusedxml" in modules else set()


def check(modules: KeysView[str], files: list[str]) -> None:
    """Check that a small game has loaded nothing that it does not use."""
    watcher = {"asyncio", "multiprocessing"} if "watchfiles" in modules else set[str]()  # a thread imports it later
    assert not {name for name in UNUSED - watcher - readers(modules) if name in modules}
    assert {name for name in modules if name.startswith("PIL.") and name.endswith("ImagePlugin")} <= PICTURES
    assert {name.partition(".")[0] for name in modules if name.startswith("rish_")} <= PACKAGES
    read = [file for file in files if "anyio" not in file or not watcher]  # a library of the watcher
    assert read == [], "source was read, which takes 5 ms a file"


def test_a_small_game_without_a_window_loads_what_it_uses(hello: Path) -> None:
    """Without a window, a game with a picture and a text loads neither a library nor a plugin that it does not use."""
    modules, files = loaded(str(hello), "--headless", "--frames", "2")
    check(modules, files)
    assert not {name for name in modules if name.startswith("pyglet")}


def test_a_small_game_in_a_window_loads_what_it_uses(hello: Path, screen: dict[str, str]) -> None:
    """The same in a window with OpenGL, until the first picture; the window opens before what takes time is loaded."""
    modules, files = loaded(str(hello), "--backend", "arcade", "--frames", "1", environment=screen)
    check(modules, files)
    order = list(modules)
    assert order.index("pyglet.window") < min(map(order.index, ("numpy", "PIL", "rish_core.app")))


@pytest.mark.parametrize("game", ["breakout", "physics", "orchard"])
def test_a_larger_game_loads_no_plugin_that_it_does_not_name(game: str) -> None:
    """A game whose entries change children of prefabs loads neither tools nor the plugins of other games."""
    modules, _ = loaded(f"games/{game}", "--headless", "--frames", "2")
    assert not modules & {"difflib", "email", "importlib.metadata", "numpy.ma"}
    tools = {"rish_authoring", "rish_devtools", "rish_editor", "rish_scene3d", "rish_scripts", "rish_terminal"}
    assert not {name.partition(".")[0] for name in modules} & (
        tools | {"pydantic", "tornado", "xml", "unittest"} - readers(modules)
    )
