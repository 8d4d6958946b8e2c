"""`rish doctor [GAME]`: report which libraries, devices and fonts this machine has, and how to get those it lacks."""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import rish_jit
from rish_cli import add_game, game_of, set_up_log
from rish_core import Manifest, builtin, describe_error, read_manifest, say
from rish_core.plugin import installed_plugins, load_plugins
from rish_ecs import how_to_get
from rish_system import current, described, display

from .. import hooks
from .warmup import package_folders

Line = tuple[str, str, str]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the game, whose own plugins report too."""
    add_game(parser, optional=True, more="; what it needs, such as its characters, is checked too")


def run(arguments: argparse.Namespace) -> int:
    """Print one line for each check: `ok`, `--` (absent, with the consequence), or `!!` (broken)."""
    set_up_log()
    manifest = read_manifest(game_of(arguments)).require() if arguments.game else None
    for mark, name, text in [*diagnose(), *diagnose_plugins(manifest)]:
        say(f" {mark}  {name:10} {text}")
    return 0


def diagnose() -> Iterator[Line]:
    """Run the checks and yield the result of each: the sign (`ok`, `--` or `!!`), the name and the text."""
    checks: list[Callable[[], Line]] = [_python, _numpy, _numba, _cache, _images, _display, _gl, _sound, _plugins]
    for check in checks:
        try:
            yield check()
        except Exception as error:  # a broken driver may raise anything, and the other checks must still run
            yield "!!", check.__name__.strip("_"), describe_error(error)
    if rish_jit.switched_off() is None:
        yield from _kernels()


def diagnose_plugins(manifest: Manifest | None) -> list[Line]:
    """Return the lines of the hook `rish_diagnose`: of a game's plugins, or without a game of all installed ones."""
    # All of them as optional, because two providers of one contract can't be loaded together.
    wishes = [f"{candidate.name}?" for candidate in installed_plugins()] if manifest is None else manifest.plugins
    game_file = None if manifest is None else manifest.plugin_file
    try:
        extra = {"doctor": SimpleNamespace(rish_hookspecs=lambda: hooks)}
        plugins = load_plugins(wishes, extra=extra, game_file=game_file, core=builtin, policy="disable")
        results = plugins.gather("rish_diagnose", manifest=manifest)
    except Exception as error:  # as in `diagnose`; plugins that exclude one another can't be loaded together
        return [("!!", "plugins", str(error))]
    results_of_plugins: list[Line] = []
    for plugin, lines in results:
        try:
            results_of_plugins += [(mark, name, text) for mark, name, text in lines]
        except (TypeError, ValueError):
            results_of_plugins.append(
                ("!!", plugin, f"rish_diagnose returned {lines!r}, not a list of (mark, name, text)")
            )
    return results_of_plugins


def _python() -> Line:
    return (
        "ok",
        "python",
        f"{platform.python_version()} on {described()}, {os.cpu_count()} cores",
    )


def _numpy() -> Line:
    return "ok", "numpy", import_module("numpy").__version__


def _numba() -> Line:
    switch = rish_jit.switched_off()
    if switch is not None:
        return "--", "numba", f"switched off by {switch}={os.environ[switch]}; kernels run as plain Python, slowly"
    if importlib.util.find_spec("numba") is None:
        what = "not installed; kernels that are not compiled run as plain Python, slowly"
        return "--", "numba", f"{what}. {rish_jit.how_to_get_numba()}"
    return "ok", "numba", f"{import_module('numba').__version__}, kernels are compiled"


def _cache() -> Line:
    folder = rish_jit.cache_folder()
    if folder is None:
        return "--", "cache", "no folder is writable; kernels are compiled again at every start"
    return "ok", "cache", f"compiled kernels are kept in {folder}"


def _kernels() -> Iterator[Line]:
    """Yield a line for each package with a list of kernels: how many are compiled, and whether its wheel has them."""
    for package, folder in package_folders().items():
        listed = [each for each in _list_in(folder) if not each.inner]
        done = sum(rish_jit.stored(each) is not None for each in listed)
        shipped = any((folder / rish_jit.image_name(level)).is_file() for level in rish_jit.LEVELS)
        if done == len(listed) > 0:
            yield "ok", "kernels", f"{package}: all {done} {'came' if shipped else 'are'} compiled"
        elif listed:
            others = "compile when a game needs them" if rish_jit.can_compile() else "run as plain Python, slowly"
            yield "--", "kernels", f"{package}: {done} of {len(listed)} are compiled, the others {others}"


def _list_in(folder: Path) -> list[rish_jit.Listed]:
    path = folder / rish_jit.LIST_FILE
    return rish_jit.read_list(path) if path.is_file() else []


def _images() -> Line:
    if importlib.util.find_spec("PIL") is None:
        return "--", "images", "Pillow is not installed; no images, fonts or captures. pip install pillow"
    return "ok", "images", f"Pillow {import_module('PIL').__version__}"


def _display() -> Line:
    name = display()
    if name is None:
        return "--", "display", "none (DISPLAY and WAYLAND_DISPLAY are not set); games run without a window"
    return "ok", "display", name


def _gl() -> Line:
    from ctypes.util import find_library

    if current() != "linux":
        return "ok", "opengl", "comes with the system"
    libraries = [name for name in ("GL", "EGL") if find_library(name)]
    if not libraries:
        return "--", "opengl", "no libGL or libEGL; backends without it (software, null) work"
    return (
        "ok",
        "opengl",
        f"libraries: {', '.join(libraries)}; whether a context opens shows only when a backend starts",
    )


def _sound() -> Line:
    if current() == "linux" and not os.path.exists("/dev/snd"):
        return "--", "sound", "no sound card; games play silently"
    return "ok", "sound", "a sound card is there"


def _plugins() -> Line:
    names = [candidate.name for candidate in installed_plugins()]
    return (
        ("ok", "plugins", ", ".join(names))
        if names
        else ("--", "plugins", f"none. For graphics: {how_to_get('rish-render')}")
    )
