"""Editor: what panels, inspectors, gizmos and commands work with."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_core import ManifestError, Place, Problem, RishError, describe_error
from rish_ecs import place_of_error

from .catalog import Catalog, PluginRefused
from .commands import Cancelled, Command, Commands
from .files.sources import open_outside, open_source
from .log import LogBuffer
from .settings import Settings

if TYPE_CHECKING:
    from rish_space3d import SpaceView

    from ..look.language import Language
    from ..ui.ui import UI
    from .files.thumbnails import Thumbnails
    from .game.game import Game
    from .game.input import GameInput
    from .game.play import Change
    from .protocols import DialogsPart, GamesPart, LayoutsPart, PalettePart, PanelsPart, TextsPart

_log = logging.getLogger("rish.editor")
IMPORT = "assets.import"
"""The command that imports files."""


@dataclass
class Note:
    """A message that the editor shows for a while. left: seconds. action: the label and the work of a button."""

    text: str
    level: str = "info"
    left: float = 4.0
    action: tuple[str, Callable[[], Any]] | None = None


@dataclass
class View:
    """How scene views show things, for all of them.

    tool: move, stretch, scale or rotate, or select. local: handles follow the entity's rotation. pivot: where the
    handles of several entities are: `mean` of their positions, or at the `primary` one. gizmos, light: whether they are
    drawn. dragging: whether a handle of a view is dragged now.
    """

    tool: str = "move"
    local: bool = False
    pivot: str = "mean"
    dragging: bool = False
    gizmos: bool = True
    light: bool = True


class Editor:
    """The state of the editor, and the ways to change it.

    game: the opened game, None without one. ui: the widgets. settings: of the user. commands: all of them, by id.
    panels: the panels, see `show`. input: passes events of keyboard and pointer to a running game. dialogs: questions
    to the user. thumbnails: pictures of the game's files as textures. log: the last lines. view: options of scene
    views. games: opens and closes games. texts: the open source texts. layouts: arrangements of panels. palette: the
    list of all commands. problems: mistakes of the game's manifest. failures: the number of errors that were reported.
    notes: the messages that are shown now. catalog: the components of plugins that the game does not load. closing:
    whether the window closes after this frame. capture: a function that gets the next pressed shortcut, such as
    `Ctrl+B`, instead of a command; None without one. working: a function of a title that returns a context manager;
    progress of the block is shown, and can be cancelled. awake: seconds in which frames are drawn at the full rate.
    memory: what drawers of plugins keep while the editor runs, by names that begin with the plugin's.
    """

    def __init__(self, ui: UI, settings: Settings, language: Language, log: LogBuffer) -> None:
        self.ui = ui
        self.settings = settings
        self.language = language
        self.log = log
        self.commands = Commands(settings.keys)
        self.game: Game | None = None
        self.catalog = Catalog()
        self.panels: PanelsPart
        self.input: GameInput
        self.dialogs: DialogsPart
        self.thumbnails: Thumbnails
        self.view = View()
        self.inspectors: Mapping[type, Callable[..., None]] = {}
        self.gizmos: Sequence[tuple[type, Callable[..., None]]] = ()
        self.owners: Mapping[object, str] = {}
        self.failed_drawers: dict[Callable[..., None], str] = {}
        self.kept: list[Change] = []
        self.notes: list[Note] = []
        self.problems: list[Problem] = []
        self.closing = False
        self.failures = 0
        self.headless = False
        self.clipboard: Callable[[], str] = lambda: ""
        self.copy: Callable[[str], None] = lambda text: None
        self.memory: dict[str, Any] = {}
        self.capture: Callable[[str], Any] | None = None
        self.working: Callable[[str], AbstractContextManager[None]] = lambda title: nullcontext()
        self.awake = 0.0
        self._later: list[Callable[[], Any]] = []
        self.games: GamesPart
        self.texts: TextsPart
        self.layouts: LayoutsPart
        self.palette: PalettePart

    def tr(self, text: str, **values: Any) -> str:
        """Return a text in the user's language. values: for the text's placeholders, as in `{count}
        {count:entity|entities}`.
        """
        return self.language.tr(text, **values)

    def note(
        self, text: str, level: str = "info", *, seconds: float | None = None,
        action: tuple[str, Callable[[], Any]] | None = None,
    ) -> None:  # fmt: skip
        """Show a message for a while. level: info, ok, warning or error. action: the label and the work of a button."""
        self.notes = [note for note in self.notes if note.text != text][-4:]
        self.notes.append(Note(text, level, seconds or (8.0 if level == "error" else 4.0), action))

    def owner_of(self, item: object) -> str:
        """Return the plugin that has declared a panel or a drawer; for other classes and functions, their package."""
        return self.owners.get(item) or str(getattr(item, "__module__", "")).partition(".")[0].removeprefix("rish_")

    def report(self, what: str, error: BaseException, of: object = None) -> None:
        """Show and log that something failed. Mistakes of the user are one sentence; others have a traceback. of: the
        class or function that failed, whose plugin is named.

        A `PluginRefused` is shown in a dialogue, with what to do.
        """
        self.failures += 1
        owner = self.owner_of(of) if of is not None else "editor"
        what = what if owner == "editor" else self.tr("{what} (plugin {plugin})", what=what, plugin=owner)
        if isinstance(error, PluginRefused):
            _log.error("%s: %s", what, error)
            self.dialogs.tell(self.tr("{plugin} can't be switched on", plugin=error.plugin), str(error), level="error")
            return
        if isinstance(error, RishError):
            _log.error("%s: %s", what, error)
            self.note(f"{what}: {error.what}", "error")
            return
        _log.error("%s: %s", what, describe_error(error), exc_info=error)
        self.note(f"{what}: {describe_error(error)}", "error")

    def note_cancelled(self, title: str) -> None:
        """Show that long work was cancelled."""
        self.note(self.tr("{what}: cancelled, nothing has changed", what=title), "warning")

    def list_problems(self, problems: Iterable[Problem], of: str = ".yaml") -> None:
        """Replace the listed mistakes in files whose names end with `of`; show the panel Problems if there are new
        ones."""
        new = list(problems)
        self.problems = [*(each for each in self.problems if not each.place.file.endswith(of)), *new]
        if new and self.panels.focused != "editor.text":  # which shows them at their lines, and keeps the keyboard
            self.show("editor.problems")

    def list_mistake(self, error: BaseException) -> None:
        """List a mistake in the code of the game, instead of the mistakes in code that were listed before."""
        if isinstance(error, ManifestError):
            self.list_problems(error.problems)
            return
        where = error.where if isinstance(error, RishError) else None
        place = where if isinstance(where, Place) else place_of_error(error)
        what = error.what if isinstance(error, RishError) else describe_error(error)
        self.list_problems([Problem(place, "", what)], ".py")

    def inspector_of(self, cls: type) -> Callable[..., None] | None:
        """Return the drawer that a plugin has declared for a component or a class that it derives from."""
        return next((self.inspectors[base] for base in cls.__mro__ if base in self.inspectors), None)

    def open(self, path: Path) -> bool:
        """Open a game instead of the one that is open, whose unsaved edits are lost; return whether it was opened."""
        return self.games.open(path)

    def close_game(self) -> None:
        """Close the game; unsaved edits are lost. The window stays open."""
        self.games.close()

    def stay_awake(self, seconds: float = 0.5) -> None:
        """Draw the next frames at the full rate, for something that moves; an editor at rest draws few."""
        self.awake = max(self.awake, seconds)

    def open_source(self, path: Path | str, line: int = 0, *, outside: bool = False) -> None:
        """Open a file at a line: a text in the panel Text, unless the settings name a program; other files outside.

        outside: in a program in any case.
        """
        path = self.texts.path_of(str(path))
        if not self.settings.open_with and not outside and self.texts.takes(path):
            self.texts.open(path, line)
        elif not open_source(self.settings.open_with, path, line):
            self.note(self.tr("{path} could not be opened", path=path), "error")

    def open_outside(self, thing: Path | str) -> None:
        """Open a file, a folder or the address of a page with the program that the system has for it."""
        if not open_outside(thing):
            self.note(self.tr("{path} could not be opened", path=thing), "error")

    def import_files(self, paths: Sequence[Path]) -> None:
        """Copy files of the computer into the folder of the game that the panel Assets shows."""
        if not self.commands.enabled(IMPORT, self):
            self.note(self.tr("Files can be imported while a game is edited"), "warning")
            return
        work: Any = self.commands[IMPORT].run
        try:
            work(self, paths=paths)
        except (RishError, OSError) as error:
            self.report(self.tr("Import files"), error)

    def run(self, command: str) -> bool:
        """Run a command by its id, if it can run now."""
        self.panels.redraw()
        return self.commands.run(command, self)

    def later(self, work: Callable[[], Any]) -> None:
        """Call a function after this frame, outside of all panels; for what changes panels or the opened game."""
        self._later.append(work)

    def run_later(self) -> bool:
        """Call the functions that `later` was given; return whether there were any."""
        work, self._later = self._later, []
        title = self.game.title if self.game is not None else "Rish"
        for each in work:
            try:
                with self.working(title):
                    each()
            except KeyboardInterrupt:
                raise
            except Cancelled:
                self.note_cancelled(title)
            except BaseException as error:
                self.report("The editor", error)
        if work:
            self.panels.redraw()
        return bool(work)

    def show(self, panel: str) -> None:
        """Open a panel by its id, or bring it to the front."""
        self.panels.show(panel)

    def look_at(self, view: SpaceView) -> None:
        """Show space in the panel Scene as a view sees it, and bring the panel to the front."""
        if "editor.scene" in self.panels:
            self.panels["editor.scene"].show("3d").look_through(view)
            self.show("editor.scene")

    def use_commands(self, commands: Iterable[Command]) -> None:
        """Replace all commands."""
        self.commands.replace(commands)
