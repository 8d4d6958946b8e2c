"""The panel Timeline and its commands, which go back and forward in the ticks of a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..timeline.history import History

if TYPE_CHECKING:
    from rish_editor import UI, Editor

_HEIGHT = 64
_RULER = 18


def _history(editor: Editor) -> History | None:
    """Return the history of the run; None if no game runs or nothing is recorded."""
    game = editor.game
    if game is None or not game.play.running or History not in game.world or not game.world[History].kept:
        return None
    history: History = game.world[History]
    return history if history.timeline.frames else None


def seek(editor: Editor, tick: int) -> None:
    """Pause the run and restore a recorded tick. Later ticks are dropped when the run continues."""
    history, game = _history(editor), editor.game
    if history is None or game is None:
        return
    if game.play.state.value == "playing":
        game.play.pause()
    target = min(max(tick, history.oldest), history.newest)
    if target != game.world.tick:
        history.seek(target)
        game.selection.prune(game.world)


def go(editor: Editor, ticks: int) -> None:
    """Go some ticks back or forward; beyond the last recorded tick the game runs on."""
    history, game = _history(editor), editor.game
    if history is None or game is None:
        return
    if ticks > 0 and game.world.tick >= history.newest:
        game.play.step()
    else:
        seek(editor, game.world.tick + ticks)


class TimelinePanel:
    """A line through the recorded ticks of the run: drag the time, step, and go on from any tick."""

    id, title, icon, dock, order = "history.timeline", "Timeline", "history", "bottom", 30
    open = False

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the panel."""
        tr, game = editor.tr, editor.game
        if game is None or not game.play.running:
            hint = tr("Press Play; each tick is kept, and you can go back to it")
            ui.empty(tr("Nothing was recorded yet"), hint, ui.icon("history"))
            return
        history = _history(editor)
        if history is None:
            recorded = History in game.world and game.world[History].kept
            hint = (
                tr("The first tick is on its way") if recorded else tr("settings: history: budget_mb must be above 0")
            )
            ui.empty(tr("No history is kept"), hint, ui.icon("history"))
            return
        now, newest = int(game.world.tick), history.newest
        self._buttons(ui, editor, history, now)
        ui.same_line(14)
        seconds = game.world.dt
        ui.text(tr("tick {now} of {newest}", now=f"{now:,}", newest=f"{newest:,}"), "bold")
        ui.same_line()
        ui.text(f"{now * seconds:.2f} s", "dim")
        if now < newest:
            ui.same_line()
            ui.text(f"−{(newest - now) * seconds:.2f} s", "warning")
        ui.same_line(14)
        ui.text(tr("{size} kB in memory", size=f"{history.nbytes / 1e3:,.0f}"), "small")
        self._line(ui, editor, history, now)

    def _buttons(self, ui: UI, editor: Editor, history: History, now: int) -> None:
        """Draw the buttons that step, pause and continue."""
        tr, game = editor.tr, editor.game
        assert game is not None
        playing, past = game.play.state.value == "playing", now < history.newest
        before = now > history.oldest
        for name, icon, tooltip, run, enabled in (
            ("first", "back", tr("To the first tick that is kept"), lambda: seek(editor, history.oldest), before),
            ("back", "step_back", tr("One tick back"), lambda: go(editor, -1), before),
            ("forward", "step", tr("One tick forward"), lambda: go(editor, 1), True),
            ("last", "forward", tr("To the last tick"), lambda: seek(editor, history.newest), past),
        ):  # fmt: skip
            if ui.icon_button(ui.icon(icon), name, tooltip, enabled=enabled):
                editor.later(run)
            ui.same_line(2)
        ui.same_line(8)
        label = tr("Pause") if playing else tr("Continue from here") if past else tr("Continue")
        tip = tr("The later ticks are forgotten, and the game runs on from this one") if past and not playing else ""
        icon, kind = "pause" if playing else "play", "primary" if past else "normal"
        if ui.button(label, "continue", icon=ui.icon(icon), kind=kind, tooltip=tip):
            editor.later(game.play.pause)

    def _line(self, ui: UI, editor: Editor, history: History, now: int) -> None:
        """Draw the ruler with keyframes and inputs; dragging it moves the time."""
        game = editor.game
        assert game is not None
        timeline, dt = history.timeline, game.world.dt
        oldest, newest = history.oldest, max(history.newest, history.oldest + 1)
        canvas = ui.canvas("line", min(max(ui.room[1] / ui.scale - 4, _HEIGHT), 2 * _HEIGHT))
        width, height = canvas.size
        inset, ruler = ui.px(10), ui.px(_RULER)
        scale = (width - 2 * inset) / (newest - oldest)

        def place(tick: float) -> float:
            return inset + (tick - oldest) * scale

        with canvas.clipped():
            canvas.rect(0, ruler, place(now), height - ruler, "accent", opacity=0.16)
            if now < history.newest:
                canvas.rect(place(now), ruler, place(newest) - place(now), height - ruler, "warning", opacity=0.12)
            self._seconds(ui, canvas, oldest, newest, dt, place)
            middle = ruler + (height - ruler) / 2
            for tick in _thinned([frame.tick for frame in timeline.frames], scale):
                canvas.line((place(tick), middle - ui.px(5)), (place(tick), middle + ui.px(5)), "border_strong")
            for tick in _thinned(sorted(timeline.inputs), scale):
                canvas.disc((place(tick), height - ui.px(8)), ui.px(2), "info")
            for frame in timeline.frames:
                if frame.reason and frame.tick > oldest:
                    canvas.disc((place(frame.tick), middle), ui.px(4), "warning")
            x = place(now)
            canvas.line((x, 0), (x, height), "text", ui.px(2))
            canvas.disc((x, ruler * 0.5), ui.px(6), "accent")
        ui.mark_area(
            "now", canvas.origin[0] + x - 4, canvas.origin[1], canvas.origin[0] + x + 4, canvas.origin[1] + height
        )
        pointer_tick = round(oldest + (canvas.pointer[0] - inset) / scale)
        if canvas.held:
            target = min(max(pointer_tick, oldest), history.newest)
            if target != now:
                editor.later(lambda: seek(editor, target))
        elif canvas.hovered and oldest <= pointer_tick <= newest:
            place_text = editor.tr("tick {now} of {newest}", now=pointer_tick, newest=history.newest)
            ui.tooltip(f"{place_text}  ·  {pointer_tick * dt:.2f} s")

    def _seconds(
        self, ui: UI, canvas: Any, oldest: int, newest: int, dt: float, place: Callable[[float], float]
    ) -> None:
        """Draw the ruler: seconds, at least 60 pixels apart."""
        per_pixel = (newest - oldest) * dt / max(canvas.size[0], 1)
        step = next((s for s in (0.1, 0.25, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300) if s >= 60 * per_pixel), 600)
        first = int(oldest * dt / step)
        for k in range(first, int(newest * dt / step) + 2):
            x = place(k * step / dt)
            if x >= 0:
                canvas.line((x, 0), (x, canvas.size[1]), "border")
                canvas.text((x + ui.px(3), 0), f"{k * step:g} s", "text_dim")


def _thinned(ticks: list[int], scale: float) -> list[int]:
    """Return some of the ticks, at least two pixels apart. ticks: ascending. scale: pixels per tick."""
    kept_ticks: list[int] = []
    for tick in ticks:
        if not kept_ticks or (tick - kept_ticks[-1]) * scale >= 2:
            kept_ticks.append(tick)
    return kept_ticks


def _runs(editor: Editor) -> bool:
    return _history(editor) is not None


COMMANDS: Mapping[str, Mapping[str, Any]] = {
    "history.back": {
        "title": "One Tick Back", "icon": "step_back", "shortcut": "Shift+F7", "menu": "Tools#play", "when": _runs,
        "run": lambda editor: go(editor, -1), "tooltip": "Go back one tick of the run",
    },
    "history.forward": {
        "title": "One Tick Forward", "icon": "step", "menu": "Tools#play", "when": _runs,
        "run": lambda editor: go(editor, 1), "tooltip": "Go forward one tick of the run",
    },
}  # fmt: skip
