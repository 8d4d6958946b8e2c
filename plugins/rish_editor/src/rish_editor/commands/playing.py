"""Commands that run the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..session.game.play import PlayState
from .targets import has_game, the_game

if TYPE_CHECKING:
    from ..session.editor import Editor


def _start(editor: Editor) -> None:
    """Start the run as soon as the kernels that the game needs are compiled."""
    game = the_game(editor)

    def start() -> None:
        play = game.play
        if editor.log.clear_on_play and not play.running:
            editor.log.clear()
        play.start()
        if play.lost.lost:
            what = "; ".join(map(str, play.lost.lost[:5]))
            editor.note(editor.tr("A scene that begins anew in this run lacks: {what}", what=what), "warning")
        editor.kept = []
        editor.show("editor.game")

    game.preparation.when_ready(start)


def _may_start(editor: Editor) -> bool:
    return editor.game is not None and editor.game.play.state is not PlayState.PLAYING


def _pause(editor: Editor) -> None:
    the_game(editor).play.pause()


def _step(editor: Editor) -> None:
    game = the_game(editor)
    game.preparation.when_ready(game.play.step)


def _runs(editor: Editor) -> bool:
    return editor.game is not None and editor.game.play.running


def _paused(editor: Editor) -> bool:
    return editor.game is not None and editor.game.play.state is PlayState.PAUSED


def _playing(editor: Editor) -> bool:
    return editor.game is not None and editor.game.play.state is PlayState.PLAYING


def _stop(editor: Editor) -> None:
    changes = the_game(editor).play.stop()
    editor.show("editor.scene")
    editor.kept = changes
    if changes:
        text = editor.tr("{count} {count:change|changes} of the run can be kept", count=len(changes))
        editor.note(text, seconds=20.0, action=(editor.tr("Show"), lambda: editor.show("editor.changes")))


COMMANDS: dict[str, dict[str, Any]] = {
    "play.start": {
        "title": "Play", "run": _start, "icon": "play", "shortcut": "F5", "menu": "Tools#play", "when": _may_start,
        "checked": _playing, "tooltip": "Play the game from its edited state",
    },
    "play.pause": {
        "title": "Pause", "run": _pause, "icon": "pause", "shortcut": "F6", "menu": "Tools#play", "when": _runs,
        "checked": _paused, "tooltip": "Let the game stand still",
    },
    "play.step": {
        "title": "Step", "run": _step, "icon": "step", "shortcut": "F7", "menu": "Tools#play", "when": has_game,
        "tooltip": "Run one tick, then stand still",
    },
    "play.stop": {
        "title": "Stop", "run": _stop, "icon": "stop", "shortcut": "F8", "menu": "Tools#play", "when": _runs,
        "tooltip": "End the run and restore the edited state",
    },
}  # fmt: skip
