"""Preparing the kernels of an edited game: those that the World needs are compiled in other processes while the user
works.

A kernel that is called and not compiled yet would stop the window for seconds. So after edits, and after the ticks of a
run, plugins are asked what the World needs (`rish_warm_up`). While something is missing, the systems of its plugin do
not run, and no tick of a run; the user goes on editing. When nothing is needed at once, everything that the lists of
the game's plugins name is compiled, for what may be added later.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rish_jit import Listed, Ready, available, load, missing

if TYPE_CHECKING:
    from rish_core import App

_log = logging.getLogger("rish.editor")
_PICTURE = ("core", "frame", "render")
"""The plugins whose systems always run: without them there is no picture."""

Name = tuple[str, str]
"""A plugin, and the name of one of its features."""


class Preparation:
    """Compiles the kernels that an edited game needs, in other processes.

    on: whether anything is compiled before it is called. pending: the features that the World needs and that can't be
    used yet. then: a function that is called as soon as nothing is pending; None without one.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self.on = False
        self.pending: dict[Name, Callable[[], object]] = {}
        self.then: Callable[[], object] | None = None
        self._ready: set[Name] = set()
        self._world: Any = None
        self._registry = app.registry
        self._job: _Job | None = None
        self._calls: Iterator[Name] | None = None
        self._calling = frozenset[Name]()
        self._all_compiled = False

    @property
    def progress(self) -> tuple[int, int] | None:
        """How many kernels are compiled, and how many there are; None if nothing is compiled now."""
        return self._job.progress if self._job is not None else None

    def ask(self) -> None:
        """Ask the plugins which kernels the World needs, and begin to compile them."""
        if not self.on:
            return
        app = self._app
        if app.registry is not self._registry:  # other plugins, or other code
            self._registry, self._all_compiled = app.registry, False
            self._cancel()
        app.kernels.gather(app.world)
        app.kernels.wanted = {name: call for name, call in app.kernels.wanted.items() if not _has_substitute(call)}
        features = app.features()
        fresh = features.keys() - self._ready - self.pending.keys()
        if fresh and app.kernels.ready(fresh):
            self._ready |= fresh
        self.pending = {name: call for name, call in features.items() if name not in self._ready}
        in_work = self._job.names if self._job is not None else self._calling
        if not in_work >= self.pending.keys():
            self._cancel()
            self._calls, self._job = None, _Job(app, frozenset(self.pending))

    def look(self, step: object) -> None:
        """Ask the plugins again if the World has changed. step: the last step of the history."""
        tables = [len(table).bit_length() for table in self._app.world.tables.values()]
        world = self._app.registry, tables, step
        if world != self._world:
            self._world = world
            self.ask()

    def go_on(self, step: object) -> None:
        """Work for one frame: load compiled kernels, and begin the next job. step: as for `look`."""
        if not self.on:
            return
        self.look(step)
        if self._job is not None and self._job.ended:
            self._take(self._job)
        if self._calls is not None and next(self._calls, None) is None:
            self._ready |= self._calling
            self.pending = {name: call for name, call in self.pending.items() if name not in self._ready}
            self._calls, self._calling = None, frozenset()
        if self.pending:
            return
        if self._job is None and not self._all_compiled:
            self._job = _Job(self._app, None)
        if self.then is not None:
            then, self.then = self.then, None
            then()

    def when_ready(self, then: Callable[[], object]) -> None:
        """Call a function as soon as all kernels that the World needs are compiled; at once if they are."""
        if self.pending:
            self.then = then
        else:
            then()

    def close(self) -> None:
        """End the processes and compile nothing more."""
        self.on, self.pending, self.then = False, {}, None
        self._cancel()

    @contextmanager
    def at_rest(self) -> Generator[None]:
        """Disable the systems of plugins whose kernels are missing during the block."""
        schedule, plugins = self._app.schedule, {plugin for plugin, _ in self.pending}.difference(_PICTURE)
        off = schedule.disabled if plugins else ()
        resting = [each.name for each in schedule.systems if each.plugin in plugins and each.name not in off]
        for name in resting:
            schedule.disable(name)
        try:
            yield
        finally:
            for name in resting:
                schedule.enable(name)

    def _cancel(self) -> None:
        if self._job is not None:
            self._job.cancelled = True

    def _take(self, job: _Job) -> None:
        """Load the kernels that a job has compiled; those that failed are compiled by the game, which reports the
        error."""
        self._job = None
        if job.cancelled:
            self._world = None
        elif job.everything:
            self._all_compiled = True
        else:
            self._calling = job.names
            calls = {name: call for name, call in self.pending.items() if name in job.names and not job.failed}
            self._calls = self._app.kernels.prepare_scene(calls, lambda done, total: True)


def _has_substitute(call: Callable[[], object]) -> bool:
    """Whether a feature works without its kernels, so that nobody has to wait for them; see `Ready`."""
    return isinstance(getattr(call, "__self__", None), Ready)


class _Job:
    """Compiles features of a game in other processes, which a thread waits for.

    names: of the features; None: all that the lists of the game's plugins name, in the background. progress: see
    `Preparation`. cancelled: set to end it. failed: whether something could not be compiled.
    """

    def __init__(self, app: App, names: frozenset[Name] | None) -> None:
        self._app, self.names, self.everything = app, names or frozenset(), names is None
        self.progress: tuple[int, int] | None = None
        self.ended = self.cancelled = self.failed = False
        threading.Thread(target=self._run, name="rish-preparing", daemon=True).start()

    def _run(self) -> None:
        kernels = self._app.kernels
        try:
            if self.everything:
                self._compile(kernels.listed_for(self._app.host.may_draw))
            else:
                kernel_list = kernels.listed(self.names)
                self._compile(kernel_list)
                load([] if self.cancelled else kernel_list)
        except Exception:
            self.failed = True
            _log.exception("no kernels could be compiled beside the editor, which waits at their first calls")
        finally:
            self.progress, self.ended = None, True

    def _compile(self, kernel_list: list[Listed]) -> None:
        entries = missing(kernel_list) if available() else []
        if entries and self._app.kernels.compile(entries, self._watch, background=self.everything):
            failed = missing(entries)
            if failed:
                self.failed = True
                names = ", ".join(sorted({each.kernel.rpartition(".")[2].removesuffix("*") for each in failed}))
                _log.warning("could not be compiled beside the editor, which waits at their first calls: %s", names)

    def _watch(self, done: int, total: int) -> bool:
        self.progress = done, total
        return not self.cancelled
