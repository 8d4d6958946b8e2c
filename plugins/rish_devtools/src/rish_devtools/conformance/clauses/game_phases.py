"""The moments of a game with a plugin: it begins, runs, changes its scene, loses the plugin, and ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rish_core import App, PluginError
from rish_reload import Operation, disable, enable, reload

from ..checked_plugin import Subject
from ..clause import Finding, clause
from ..sample import Sample
from ..trial_run import TICKS, frames, prepare

_TICKS = 12


@clause("C21", "A game with it begins, runs and ends without a failure", needs=("C01", "C03"))
def check_runs(subject: Subject) -> Iterator[Finding]:
    """A game is made of the plugin's declarations: each component with its defaults and with drawn values, each prefab,
    drawn settings. It gets input, changes its scene and ends. The game in the folder `conformance` of the package, if
    there is one, runs as well.
    """
    try:
        for game in [*subject.games, subject.settings_sample.path]:
            with subject.playing(game) as app:
                prepare(app)
                for _ in frames(app, TICKS):
                    _note_used(subject, app)
                for what in app.set_aside:
                    yield Finding(f"{what} failed and was set aside", subject.place)
            app.close()
    except BaseException as error:
        subject.note_leaving(error)
        yield Finding.of(error)


def _note_used(subject: Subject, app: App) -> None:
    subject.used |= {cls for cls, table in app.world.tables.items() if len(table)}


@clause("C22", "Each of its components can be used in a game", needs=("C21",))
def check_used(subject: Subject) -> Iterator[Finding]:
    """In one of those games at least one entity has the component, with values that the plugin accepts."""
    for name in subject.own("component"):
        kind = subject.registry.components[name]
        if kind.cls in subject.used or (kind.fields and not kind.shown):
            continue
        why = _why(subject.sample, name)
        what = f"no game could be made in which an entity has {kind.name}{f': {why}' if why else ''}"
        yield Finding(what, kind.place, f"Add a game to the package, {subject.top}/conformance/game.yaml, that uses it")


def _why(sample: Sample, component: str) -> str:
    """Return why a component was refused, or an empty text."""
    short = component.rpartition(".")[2]
    return next((problem.what for problem in sample.refused if f".{short}" in problem.path), "")


@clause(
    "C34", "A running game goes on without it, with it again, and with its code loaded again", ("C21",), beside=True
)
def check_swaps(subject: Subject) -> Iterator[Finding]:
    """The plugin is disabled in the middle of a game, enabled, and reloaded, and the game runs on after each of these.
    What `rish_reload` refuses, such as to take away what shows the game, is not asked for.
    """
    for game in subject.games:
        with subject.playing(game) as app:
            prepare(app)
            for change in (None, disable, enable, *([] if subject.top == "rish_devtools" else [reload])):
                if change is not None and not _changed(subject, app, change):
                    break
                for _ in frames(app, app.world.tick + _TICKS):
                    pass
                if change is disable:
                    yield from _still_running(subject, app)


def _changed(subject: Subject, app: App, change: Callable[..., Operation]) -> bool:
    """Change the plugin; return False if that is refused before anything has happened."""
    try:
        change(app, subject.name)
    except PluginError as error:
        if error.__cause__ is not None:
            raise
        return False
    return True


def _still_running(subject: Subject, app: App) -> Iterator[Finding]:
    for system in app.schedule.systems:
        if system.plugin == subject.name and system.name not in app.schedule.disabled:
            yield Finding(f"the system {system.name} still runs after the plugin was disabled", system.place)
