"""Effects over the frame: the cost of each effect on its own at 1280x720, on both backends.

The effect is the only one of a game's chain, and only the passes that draw it are drawn: from the canvas, through
linear light if it needs that, and back. `bloom` is a task on `arcade`, `bloom_software` the same without OpenGL.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from rish_core import App, read_manifest
from rish_frame import Frame
from rish_lighting.post import EFFECTS, effect_of

from ._task import Task

SOFTWARE = "_software"
CROSSINGS = tuple(made.name for made in map(effect_of, EFFECTS) if made is not None and made.transition)
NAMES = tuple(made.name for made in map(effect_of, EFFECTS) if made is not None)
_GAME = """
rish: 1
game: {{title: Effects, size: [1280, 720]}}
plugins: [render, lighting]
settings:
  render: {{background: "#404858"}}
  lighting: {{post: {chain}}}
scenes:
  main:
    - {{at: [640, 360], Transform: {{}}, Shape: {{size: [900, 400], color: "#ffd080", color_end: "#4060c0"}}}}
  next:
    - {{at: [640, 360], Transform: {{}}, Shape: {{shape: circle, radius: 200, color: "#80ffb0"}}}}
"""


def effect(name: str, backend: str) -> Task:
    """Return a task that draws one effect on one backend."""
    from rish_lighting import transition
    from rish_render import make_arcade, make_software

    made = make_arcade() if backend == "arcade" else make_software()
    with tempfile.TemporaryDirectory() as folder:
        chain = (
            "[]" if name in CROSSINGS else f"[{{lut: {{image: {_table(folder)}}}}}]" if name == "lut" else f"[{name}]"
        )
        Path(folder, "game.yaml").write_text(_GAME.format(chain=chain), encoding="utf-8")
        app = App(read_manifest(folder), backend=made, headless=True)
        app.run(frames=2)
    if name in CROSSINGS:
        transition(app.world, "next", effect=name, seconds=1e6)
        app.run(frames=2)

    def draw() -> None:
        made.draw(only_effects(app.world[Frame]))
        if made.device is not None:
            made.device.finish()

    return Task(draw, after=app.close)


def only_effects(frame: Frame) -> Frame:
    """Return a new frame with only the passes that draw effects; since it is new, a backend draws it each time."""
    only = Frame(frame.size)
    only.targets = frame.targets
    only.passes = {name: pass_ for name, pass_ in frame.passes.items() if pass_.batches and _is_effect(name)}
    return only


def _is_effect(name: str) -> bool:
    return name.startswith(("light.post.", "light.crossing."))


def _table(folder: str) -> str:
    """Write a table of colors into a folder; return its file name."""
    from PIL import Image

    from rish_lighting.post import neutral

    Image.fromarray(neutral()).save(Path(folder, "table.png"))
    return "table.png"


def __getattr__(name: str) -> Callable[[], Task]:
    """Return the function that makes a task, by its name."""
    plain = name.removesuffix(SOFTWARE)
    if plain not in NAMES:
        raise AttributeError(name)
    return lambda: effect(plain, "software" if name.endswith(SOFTWARE) else "arcade")
