"""The command `rish warmup GAME`: compiles kernels ahead of time, so that the first start is as fast as later ones."""

from __future__ import annotations

import argparse
import time

from rish_ecs import RishError, jit

from ..app import App
from ..errors import ManifestError
from ..manifest.scenes import Scenes
from .common import add_game, add_plugin_options, build_app, set_up_log, whole_number
from .progress import progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: the game, plugin options, the backend and the number of frames."""
    add_game(parser)
    add_plugin_options(parser)
    parser.add_argument("--backend", help="compile for this backend (default: software where it is loaded)")
    parser.add_argument(
        "--frames", type=whole_number, default=3, metavar="N", help="frames to run in each scene (default: 3)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Run a few frames of each scene off-screen, and print how many kernels this compiled."""
    set_up_log(False)
    if not jit.available():
        print("numba is not there or switched off: there is nothing to compile")
        return 0
    begin = time.perf_counter()
    with progress():
        app = _build(arguments)
        for scene in app.game.scenes:
            app.world[Scenes].go(scene)
            for _ in range(max(1, arguments.frames)):
                app.frame()
        app.close()
    count = jit.compilations
    seconds = time.perf_counter() - begin
    print(
        f"{count} kernels compiled in {seconds:.1f} s"
        if count
        else f"everything was compiled already ({seconds:.1f} s)"
    )
    return 0


def _build(arguments: argparse.Namespace) -> App:
    """Build the App, with a backend that can return images if there is one."""
    if arguments.backend is None:
        try:
            return build_app(arguments, headless=True, pixels=True)
        except ManifestError:
            raise
        except RishError:  # no backend that returns images
            return build_app(arguments, headless=True)
    return build_app(arguments, backend=arguments.backend, headless=True)
