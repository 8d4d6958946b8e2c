"""`rish warmup [GAME...]`: compile kernels ahead of time, so that the first start is as fast as later ones.

`--out` writes the compiled kernels into a file for other machines, and `--from` stores them there. `--image` writes
those of a package into a file for its wheel.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import rish_jit
from rish_cli import add_game, add_plugin_options, build_app, set_up_log, show_progress, whole_number
from rish_core import App, ManifestError, RishError, Scenes, say
from rish_core.manifest import tell_progress
from rish_core.plugin import installed_plugins

from ..kernel_lists.images import write_package_image


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the games; a few frames of each scene are run, so that everything that it uses is compiled."""
    add_game(parser, many=True, optional=True, more="; without one, all that installed packages list is compiled")
    add_plugin_options(parser)
    parser.add_argument("--backend", help="compile for this backend (default: software where it is loaded)")
    parser.add_argument(
        "--frames", type=whole_number, default=3, metavar="N", help="frames to run in each scene (default: 3)"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the compiled kernels into a file")
    parser.add_argument(
        "--for", dest="level", metavar="LEVEL", default=rish_jit.default_level(),
        help=f"with --out, --image: the processors to compile for: {', '.join(rish_jit.LEVELS)} (default: %(default)s)",
    )  # fmt: skip
    help_ = "write the compiled kernels that a package lists into a file for its wheel, in a folder"
    parser.add_argument("--image", nargs=2, metavar=("PACKAGE", "FOLDER"), help=help_)
    help_ = "store the kernels of a trusted file that --out wrote"
    parser.add_argument("--from", dest="source", type=Path, metavar="FILE", help=help_)


def run(arguments: argparse.Namespace) -> int:
    """Compile the kernels of games or of packages, or write or read a bundle; print what was done."""
    set_up_log()
    if not rish_jit.can_compile() and arguments.source is None:
        say("numba is not there or switched off: there is nothing to compile")
        return 0
    begin = time.perf_counter()
    if arguments.source is not None:
        apps = [_open(arguments, game, headless=True, warm_up=False) for game in arguments.games]
        taken = rish_jit.take_in(arguments.source)  # the modules of these games are importable now
        for app in apps:
            app.close()
        stale = f"; {taken.stale} are of other sources and were left out" if taken.stale else ""
        say(f"{taken.stored} compiled kernels stored{stale}")
        return 0
    if arguments.out is not None:
        return _write(arguments)
    if arguments.image is not None:
        package, folder = arguments.image
        return _write_image(package, folder, arguments.level)
    with show_progress():
        count = sum(_compile_game(arguments, game) for game in arguments.games) if arguments.games else _compile_all()
    seconds = time.perf_counter() - begin
    done = f"{count} kernels compiled in {seconds:.1f} s"
    say(done if count else f"everything was compiled already ({seconds:.1f} s)")
    return 0


def _compile_game(arguments: argparse.Namespace, game: str) -> int:
    """Compile the kernels that the scenes of a game use; return their number."""
    before = rish_jit.compilations
    with _open_drawing(arguments, game) as app:
        for scene in app.game.scenes:
            app.world[Scenes].go(scene)
            for _ in range(max(1, arguments.frames)):
                app.frame()
        return app.kernels.compiled + rish_jit.compilations - before


def _compile_all() -> int:
    """Compile all kernels in the lists of installed packages; return their number."""
    features = rish_jit.Features(package_folders())
    features.compile_all(lambda done, total: tell_progress("preparing kernels, only once:", done, total) is None)
    return features.compiled


def package_folders() -> dict[str, Path]:
    """Return the folders of the packages of the kernel and of those with plugins, by their names; imports nothing."""
    packages = {each.value.partition(":")[0].partition(".")[0] for each in installed_plugins()}
    packages |= {"rish_core", "rish_ecs"}
    origins = {package: getattr(find_spec(package), "origin", None) for package in sorted(packages)}
    return {package: rish_jit.package_folder(file) for package, file in origins.items() if file}


def _write(arguments: argparse.Namespace) -> int:
    """Compile in another process for a level of processors, into an empty cache, and write its content to a file."""
    if not arguments.games:
        raise RishError("--out needs the games whose kernels it shall hold", hint="rish warmup --out FILE GAME")
    if not arguments.out.resolve().parent.is_dir():
        raise RishError(f"there is no folder {arguments.out.parent}", hint="Create it, or name another file for --out")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rish_core", "warmup", *arguments.games, "--frames", str(arguments.frames)]
        command += ["--backend", arguments.backend] if arguments.backend else []
        command += ["--trust"] if arguments.trust else ["--no-scripts"] if arguments.no_scripts else []
        environment = {**os.environ, **rish_jit.environment_for(arguments.level, Path(folder))}
        process = subprocess.run(command, env=environment, check=False)
        if process.returncode:
            return process.returncode
        count = rish_jit.write_bundle(arguments.out, Path(folder), arguments.level)
    say(f"{arguments.out}: {count} kernels for {arguments.level}, {arguments.out.stat().st_size / 1e6:.1f} MB")
    return 0


def _write_image(package: str, folder: str, level: str) -> int:
    """Write the image of a package's kernels; for another level than that of this process in another one."""
    if level == rish_jit.default_level():
        path, count = write_package_image(package, Path(folder))
        say(f"{path}: {count} kernels for {level}, {path.stat().st_size / 1000:.0f} kB")
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        cache = Path(os.environ.get("RISH_CACHE_DIR") or scratch)
        environment = {**os.environ, **rish_jit.environment_for(level, cache)}
        command = [sys.executable, "-m", "rish_core", "warmup", "--image", package, folder]
        return subprocess.run(command, env=environment, check=False).returncode


def _open_drawing(arguments: argparse.Namespace, game: str) -> App:
    """Open a game with a backend that produces images, if there is one."""
    if arguments.backend is None:
        try:
            return _open(arguments, game, headless=True, pixels=True)
        except ManifestError:
            raise
        except RishError:  # nothing that draws pictures
            return _open(arguments, game, headless=True)
    return _open(arguments, game, backend=arguments.backend, headless=True)


def _open(arguments: argparse.Namespace, game: str, **options: Any) -> App:
    return build_app(argparse.Namespace(**{**vars(arguments), "game": game}), **options)
