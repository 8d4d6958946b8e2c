"""The moments of a game with a plugin: it begins, runs, changes its scene, loses the plugin, and ends."""

from __future__ import annotations

from collections.abc import Iterator

from rish_core import App

from ..clause import Finding, clause
from ..sample import Sample
from ..subject import Subject
from ..trial import TICKS, frames, prepare

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


@clause("C34", "A running game goes on without it, and with it again", needs=("C21",))
def check_disabled(subject: Subject) -> Iterator[Finding]:
    """The plugin is disabled in the middle of a game, as after a failure: the game goes on and ends without it."""
    for game in subject.games:
        with subject.playing(game) as app:
            prepare(app)
            for _ in frames(app, _TICKS):
                pass
            app.plugins.set_aside(subject.name, "the kit checks that the game goes on")
            for _ in frames(app, 2 * _TICKS):
                pass
            running = [each.name for each in app.schedule.systems if each.plugin == subject.name]
            left = [name for name in running if name not in app.schedule.disabled]
            for name in left:
                yield Finding(f"the system {name} still runs after the plugin was disabled", subject.place)
