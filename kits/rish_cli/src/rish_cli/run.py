"""`rish run GAME`: play a game, or run it without a window.

Without a screen a game runs for a while, and images of it are written.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_core import settle
from rish_ecs import RishError, UsageError, say

from .early_window import ClosedEarly, early_window
from .game_file import game_of
from .log import add_log_options, set_up_log
from .options import add_audio_option, add_game, add_plugin_options, whole_number
from .progress import show_progress

if TYPE_CHECKING:
    from rish_core import App, Captures

SETTLES = True
"""`run` calls `settle` itself, see `rish_core.launcher`."""
DEMO_FRAMES = 600
"""The number of frames that are played by default if there is no window: ten seconds at 60 ticks per second."""
_MAX_SIDE = 8192
"""The longest side of a window, in pixels."""
_MAX_LISTED = 10
"""The number of failures, and of damaged files, that are named at the end; the others are counted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments: what to play, how, and what to record."""
    add_game(parser)
    add_play_options(parser)
    link = 'play with a second player over a simulated link, "80ms 20ms 5%%", as rish host --opponent'
    parser.add_argument("--net-sim", metavar="LINK", help=link)


def add_play_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `rish run`, for programs that play one game."""
    parser.add_argument("--backend", help="draw with this backend")
    parser.add_argument("--headless", action="store_true", help="no window and no clock: exactly one tick a frame")
    parser.add_argument("--size", type=_size, metavar="WxH", help="of the window in pixels, instead of the game's")
    parser.add_argument("--frames", type=whole_number, metavar="N", help="stop after N frames")
    parser.add_argument(
        "--speed", type=_speed, metavar="X", help="speed as a factor of real time, or max: headless and without drawing"
    )
    parser.add_argument("--seed", type=int, help="the seed of all random streams, instead of the manifest's")
    add_plugin_options(parser)
    parser.add_argument(
        "--capture", action="append", default=[], metavar="FILE", help="write .png (the last frame), .gif or .mp4"
    )
    add_audio_option(parser)
    parser.add_argument("--debug", action="store_true", help="panels for developers over the game; F12 hides them")
    parser.add_argument("--profile", action="store_true", help="print the times of the systems at the end")
    parser.add_argument("--hash", action="store_true", help="print the hash of the world's state at the end")
    strict = "watch every system for broken rules; each tick runs twice, so it is slow"
    parser.add_argument("--strict", action="store_true", help=strict)
    parser.add_argument(
        "--bisect", nargs="?", const="auto", choices=("auto", "ask"), metavar="ask",
        help="find the plugin that breaks the game, by runs with fewer plugins; ask: you say which run is broken",
    )  # fmt: skip
    parser.add_argument("--on-error", choices=("disable", "raise"), help="what a failing plugin or system does")
    add_log_options(parser)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not all(side.isascii() and side.isdigit() and 0 < int(side[:6]) <= _MAX_SIDE for side in (width, height)):
        raise argparse.ArgumentTypeError(f"expected a width and a height, as in 1280x720, not {text!r}")
    return int(width), int(height)


def _speed(text: str) -> float:
    if text == "max":
        return float("inf")
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not 0 < speed < 1000:
        raise argparse.ArgumentTypeError(f"expected a number above 0, or max, not {text!r}")
    return speed


def run(
    arguments: argparse.Namespace, begin: Callable[[App], object] | None = None,
    watch: Callable[[App], object] | None = None,
) -> int:  # fmt: skip
    """Build the game, run it, and print the requested results; return the exit code.

    begin, watch: called with the game before its first frame; `begin` by commands that record the run. Without a
    window, a run that is recorded, also as pictures, begins with the demo scene.
    """
    set_up_log(arguments)
    arguments.game = str(game_of(arguments))
    if getattr(arguments, "net_sim", None):
        return _with_opponent(arguments)
    if arguments.bisect:
        return _bisect(arguments)
    captures = [Path(name) for name in arguments.capture]
    try:
        with early_window(arguments), show_progress():
            app = _build(arguments, captures, is_recorded=begin is not None)
    except ClosedEarly:
        return 0
    if app is None:
        return 0
    settle()
    if arguments.strict:
        say("rish: strict: each tick runs twice from the same state, and its systems print twice", error=True)
    demo = not app.windowed and not app.headless
    if demo:
        app.headless = True
    with app:
        for call in filter(None, (watch, begin)):
            call(app)
        try:
            (_demo if demo else _play)(app, arguments, captures)
        except RishError as error:
            error.add_hint(app.plugins.hint(error))
            raise
    return _finish(app, arguments)


def _with_opponent(arguments: argparse.Namespace) -> int:
    """Let the command `host` of rish-net play. Raises UsageError for options that it does not have."""
    from rish_core.launcher import main

    parser = argparse.ArgumentParser()
    add_arguments(parser)
    given = vars(arguments).copy()
    usual = vars(parser.parse_args([given["game"]]))
    options = ["host", given["game"], "--opponent", "--net-sim", given["net_sim"]]
    options += [f"--{name}" for name in ("headless", "hash") if given[name]]
    options += [f"--{name}={given[name]}" for name in ("backend", "frames") if given[name] is not None]
    options += [f"--set={each}" for each in given["overrides"]]
    passed = {"game", "net_sim", "headless", "hash", "backend", "frames", "overrides", "trust", "no_scripts"}
    for name in usual.keys() - passed:
        if given[name] != usual[name]:
            option = "with" if name == "more" else name.replace("_", "-")
            raise UsageError(f"--{option} does not go with --net-sim", hint="Leave one of them out")
    return main(options)


def _build(arguments: argparse.Namespace, captures: list[Path], *, is_recorded: bool) -> App | None:
    """Return the game; None if a person closed its window meanwhile."""
    from rish_core import WindowClosed

    from .game_app import build_app
    from .lock import warn_of_drift

    headless = arguments.headless or arguments.speed == float("inf")
    try:
        app = build_app(
            arguments,
            headless=headless,
            seed=arguments.seed,
            policy=arguments.on_error or ("raise" if arguments.strict else "disable"),
            backend=arguments.backend,
            capture=captures or None,
            size=arguments.size,
            personal=not arguments.hash,
            watches=getattr(arguments, "watches", True),
            demo=is_recorded or bool(captures) or not headless,
        )
    except WindowClosed:
        return None
    warn_of_drift(app)
    return app


def _bisect(arguments: argparse.Namespace) -> int:
    from rish_core import read_plugins

    from .bisect import bisect
    from .game_app import wished

    manifest, wishes = wished(arguments, arguments.backend)
    plugins = read_plugins(manifest, policy="disable", **wishes)
    return bisect(plugins, _trial_options(arguments), ask=arguments.bisect == "ask")


def _trial_options(arguments: argparse.Namespace) -> list[str]:
    """Return the options of `rish run` for the trials of `--bisect`."""
    options = [arguments.game, *(f"--set={each}" for each in arguments.overrides)]
    options += [f"--with={arguments.more}"] if arguments.more else []
    options += [f"--backend={arguments.backend}"] if arguments.backend else []
    options += [f"--seed={arguments.seed}"] if arguments.seed is not None else []
    options += ["--safe-mode"] if arguments.safe_mode else []
    options += ["--no-scripts"] if arguments.no_scripts else []
    from .bisect import FRAMES

    frames = arguments.frames or (None if arguments.bisect == "ask" else FRAMES)
    options += [f"--frames={frames}"] if frames else []
    return options if arguments.bisect == "ask" else [*options, "--headless", "--on-error=raise"]


def _play(app: App, arguments: argparse.Namespace, captures: list[Path]) -> None:
    count = arguments.frames
    if count is None and app.headless and captures:
        count = DEMO_FRAMES
    unlimited = arguments.speed == float("inf")
    speed, draw = None if unlimited else arguments.speed, bool(captures) or not unlimited
    with app.host.record(captures, app.clock.dt) as capture:
        with suppress(KeyboardInterrupt):  # the captures are still written
            _run_frames(app, count, capture, speed=speed, draw=draw)
        for path in capture.finish():
            say(f"wrote {path}", error=True)


def _demo(app: App, arguments: argparse.Namespace, captures: list[Path]) -> None:
    """Run the game without a window for a number of frames and write images of it."""
    name = (app.manifest.root or Path("game")).resolve().name
    paths = captures or [Path("out") / f"{name}.{suffix}" for suffix in ("png", "gif") if app.host.has_pixels]
    count = DEMO_FRAMES if arguments.frames is None else arguments.frames
    seconds = f"{count * app.clock.dt:.3g} s"
    drawn = bool(app.host_owner)
    how = "no window is available, so the game plays itself" if drawn else "no plugin of the game draws, so it runs"
    say(f"{app.manifest.title}: {how} for {seconds}.")
    begin = time.perf_counter()
    with app.host.record(paths, app.clock.dt) as capture:
        _run_frames(app, count, capture)
        written = capture.finish()
    took = f"in {time.perf_counter() - begin:.1f} s"
    if not drawn:
        say(f"{app.clock.frame} frames {took}. To see the game, add render to `plugins:`, or use --with render")
        return
    say(f"{app.clock.frame} frames drawn by '{app.host.name}' {took}")
    for path in written:
        say(f"  picture: {path}" if path.suffix == ".png" else f"  film:    {path}")
    say("To play it yourself, run the same command on a machine with a screen; see `rish doctor`.")


def _run_frames(app: App, count: int | None, captures: Captures, **options: Any) -> None:
    """Run the frames, capture images, and show the progress if there is no window."""
    with show_progress() as show:

        def after(app: App) -> None:
            captures.take()
            if count and app.headless and not app.clock.frame % 10:
                show(f"{app.manifest.title}: frame {app.clock.frame:,} of {count:,}")

        app.run(count, each=after, **options)


def _finish(app: App, arguments: argparse.Namespace) -> int:
    from rish_core import Session

    slow = _plain_kernels()
    if slow:
        say(f"rish: {slow}", error=True)
    if arguments.hash:
        say(f"hash {app.world.hash()}")
    session: Any = app.world[Session]
    failed = _failures(app)
    if failed and arguments.on_error != "disable":
        for what in failed:
            say(f"rish: {what}: see above", error=True)
        say("rish: use --on-error disable to exit with the game's own code", error=True)
        return 2
    return int(session.exit_code)


def _plain_kernels() -> str:
    """Return a sentence about the kernels that are not compiled for the types of their calls; "" if all are."""
    from rish_jit import plain_calls

    calls = plain_calls()
    names = [f"{kernel}{types}" for kernel, types in calls]
    return f"{sum(calls.values()):,} calls of kernels ran as plain Python, slowly: {_listed(names)}" if calls else ""


def _failures(app: App) -> list[str]:
    """Return a sentence for each outcome with what failed, and one for the assets that a placeholder replaces."""
    from rish_core import Assets

    assets = app.world[Assets] if Assets in app.world else Assets()
    damaged = sorted({*assets.problems, *assets.failed})
    by_outcome: dict[str, list[str]] = {}
    for what, outcome in app.failed.items():
        by_outcome.setdefault(outcome, []).append(what)
    sentences = [f"{_listed(names)} failed{outcome and f' and {outcome}'}" for outcome, names in by_outcome.items()]
    return sentences + ([f"{_listed(damaged)} could not be loaded"] if damaged else [])


def _listed(names: list[str]) -> str:
    more = len(names) - _MAX_LISTED
    return ", ".join(names[:_MAX_LISTED]) + (f" and {more} more" if more > 0 else "")
