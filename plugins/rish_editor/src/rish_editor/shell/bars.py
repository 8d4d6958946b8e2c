"""The bars of the window: menus, toolbar and status bar. What they show are commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from imgui_bundle import imgui

from ..look import icons
from ..session.game.play import PlayState

if TYPE_CHECKING:
    from ..session.commands import Command
    from ..session.editor import Editor
    from ..session.game.game import Game

_NOTE = 240.0
"""The least width and height of the views in which notes are shown, units."""
MENUS = ("File", "Edit", "Entity", "View", "Tools", "Help")
"""The menus of the bar; commands name them. Other names are submenus, as in `View/Layout`."""
_BAR = (
    imgui.WindowFlags_.no_scrollbar | imgui.WindowFlags_.no_saved_settings | imgui.WindowFlags_.no_scroll_with_mouse
)  # fmt: skip
TOOLS = (
    ("file.save", "edit.undo", "edit.redo"),
    ("tool.select", "tool.move", "tool.stretch", "tool.scale", "tool.rotate"),
    ("tool.local", "view.snap", "view.grid"),
)
"""The commands of the toolbar in groups, left of the buttons for playing."""
PLAYING = {"play.start": "ok", "play.pause": "warning", "play.step": "info", "play.stop": "error"}
"""The buttons for playing and their colors."""
_NO_ICON = "\u2003"
"""A space as wide as an icon, so that all titles of a menu begin in the same column."""


def menu_bar(editor: Editor) -> None:
    """Draw the menus."""
    ui = editor.ui
    if not imgui.begin_main_menu_bar():
        return
    with ui.inside("menu"):
        for menu in MENUS:
            with ui.menu(editor.tr(menu), menu) as opened:
                if opened:
                    _menu(editor, menu)
        _title(editor)
    imgui.end_main_menu_bar()


def _menu(editor: Editor, menu: str) -> None:
    below = f"{menu}/"
    drawn_groups: set[str] = set()
    for command in editor.commands:
        path, _, _ = command.menu.partition("#")
        if path == menu:
            _group_line(command, drawn_groups)
            draw_item(editor, command)
            if command.id == "file.open":
                _recent(editor)
        elif path.startswith(below):
            name = path.removeprefix(below)
            if name in drawn_groups:
                continue
            drawn_groups.add(name)
            with editor.ui.menu(editor.tr(name), name, icon=_NO_ICON) as opened:
                if opened:
                    _submenu(editor, path)
    if menu == "View":
        imgui.separator()
        with editor.ui.menu(editor.tr("Panels"), "Panels", icon=_NO_ICON) as opened:
            if opened:
                _panel_items(editor)


def _submenu(editor: Editor, path: str) -> None:
    if path == "View/Layout":
        for name in editor.layouts.names:
            if editor.ui.item(name, f"layout:{name}"):
                editor.layouts.use(name)
        if editor.layouts.names:
            imgui.separator()
    for inner in editor.commands:
        if inner.menu.partition("#")[0] == path:
            draw_item(editor, inner)


def _group_line(command: Command, drawn_groups: set[str]) -> None:
    """Draw a separator before the first command of each group except the first one. In `Command.menu`, the group
    follows the menu, as in `Edit#group`."""
    group = f"#{command.menu.partition('#')[2]}"
    if group not in drawn_groups:
        if any(name.startswith("#") for name in drawn_groups):
            imgui.separator()
        drawn_groups.add(group)


def draw_item(editor: Editor, command: Command) -> None:
    """Draw a command as an item of a menu."""
    if editor.ui.item(
        editor.commands.label(command.id, editor),
        command.id,
        shortcut=editor.commands.shown(command.id),
        checked=editor.commands.checked(command.id, editor),
        enabled=editor.commands.enabled(command.id, editor),
        icon=icons.by_name(command.icon, "") if command.icon else _NO_ICON,
    ):
        editor.later(lambda: editor.run(command.id))


def _panel_items(editor: Editor) -> None:
    ui = editor.ui
    for window in editor.panels:
        if ui.item(editor.tr(window.panel.title), window.id, checked=window.open,
                   icon=icons.by_name(window.option("icon", ""))):  # fmt: skip
            editor.panels.show(window.id, not window.open)


def _recent(editor: Editor) -> None:
    ui = editor.ui
    with ui.menu(
        icons.labeled(icons.RECENT, editor.tr("Open recent")), "recent", enabled=bool(editor.settings.recent)
    ) as opened:
        if not opened:
            return
        for number, text in enumerate(editor.settings.recent):
            path = Path(text)
            there = path.is_dir() or path.is_file()
            shown = f"{path.name}   {path.parent}" if there else f"{path.name}   {editor.tr('Missing')}"
            if ui.item(shown, f"{number}", enabled=there):
                editor.later(lambda path=path: editor.games.leave(lambda: editor.open(path)))
        imgui.separator()
        if ui.item(editor.tr("Clear this list"), "clear"):
            editor.settings.recent = []


def _title(editor: Editor) -> None:
    """Write the game's title into the middle of the bar, with a mark if there are edits that are not saved."""
    game = editor.game
    if game is None:
        return
    ui = editor.ui
    text = f"{game.title} — {game.path.absolute().name}"
    width = imgui.calc_text_size(text).x + ui.px(20)
    left = max(imgui.get_cursor_pos_x() + ui.px(12), (imgui.get_window_width() - width) / 2)
    if left + width > imgui.get_window_width():
        return
    imgui.same_line(left)
    if game.dirty:
        ui.text(icons.UNSAVED, color=ui.theme.rgba("unsaved"))
        ui.mark("unsaved")
        ui.tooltip(editor.tr("Unsaved changes"))
        ui.same_line(6)
    ui.text(text, "dim")


def toolbar(editor: Editor) -> None:
    """Draw the tools; the buttons for playing are in the middle, the scenes and the palette on the right."""
    ui = editor.ui
    height = imgui.get_frame_height() + ui.px(10)
    viewport = imgui.get_main_viewport()
    imgui.push_style_var(imgui.StyleVar_.window_padding, (ui.px(8), ui.px(5)))
    imgui.push_style_color(imgui.Col_.menu_bar_bg, ui.theme.rgba("bar"))
    imgui.push_style_color(imgui.Col_.window_bg, ui.theme.rgba("bar"))
    if imgui.internal.begin_viewport_side_bar("##toolbar", viewport, imgui.Dir.up, height, _BAR):
        with ui.inside("toolbar"):
            _tools(editor, imgui.get_window_width() - ui.px(16))
    imgui.end()
    imgui.pop_style_color(2)
    imgui.pop_style_var()


def _tools(editor: Editor, room: float) -> None:
    """Draw the groups of tools that fit into `room`; the others are in a menu."""
    ui = editor.ui
    button, gap = imgui.get_frame_height() + ui.px(2), ui.px(12)
    groups = [[name for name in group if name in editor.commands] for group in TOOLS]
    widths = [len(group) * button + gap for group in groups]
    scene = min(ui.px(150), room * 0.16) if editor.game is not None else 0.0
    playing = len(PLAYING) * button + ui.px(8 + 72 + 12)
    right = scene + button + gap
    shown = len(groups)
    while shown > 1 and sum(widths[:shown]) + (button if shown < len(groups) else 0) + playing + right > room:
        shown -= 1
    for group in groups[:shown]:
        for name in group:
            _tool(editor, name)
            ui.same_line(2)
        ui.same_line(12)
    if shown < len(groups):
        _more(editor, groups[shown:])
        ui.same_line(12)
    imgui.same_line(max(imgui.get_cursor_pos_x(), min((room - playing) / 2, room - playing - right)))
    _playing(editor)
    imgui.same_line(max(imgui.get_cursor_pos_x(), room + ui.px(8) - right + gap))
    if editor.game is not None:
        _scenes(editor, scene)
        ui.same_line(6)
    _tool(editor, "tools.palette")


def _more(editor: Editor, groups: Sequence[Sequence[str]]) -> None:
    """Draw a button whose menu has the tools that did not fit."""
    ui = editor.ui
    if ui.icon_button(icons.MORE, "more", editor.tr("More tools")):
        ui.open_popup("tools")
    with ui.popup("tools") as opened:
        if opened:
            for number, group in enumerate(groups):
                if number:
                    imgui.separator()
                for name in group:
                    draw_item(editor, editor.commands[name])


def _tool(editor: Editor, name: str, color: str = "") -> None:
    if name not in editor.commands:
        return
    icon = icons.by_name(editor.commands[name].icon)
    if name == "file.save" and editor.game is not None and editor.game.dirty:
        color = "unsaved"
    active = editor.commands.checked(name, editor)
    enabled = active or editor.commands.enabled(name, editor)
    shown = editor.ui.theme.rgba(color) if color else None
    if editor.ui.icon_button(icon, name, lambda: editor.commands.tip(name, editor), active=active, enabled=enabled,
                             color=shown):  # fmt: skip
        editor.later(lambda: editor.run(name))


def _playing(editor: Editor) -> None:
    ui, game = editor.ui, editor.game
    for name, color in PLAYING.items():
        active = editor.commands.checked(name, editor) if name in editor.commands else False
        _tool(editor, name, "play" if active else color)
        ui.same_line(2)
    ui.same_line(8)
    with ui.disabled(game is None):
        scale = game.app.clock.time_scale if game is not None else 1.0
        new = ui.number("time_scale", scale, speed=0.02, low=0.0, high=20.0, form="%.2f×", width=ui.px(72),
                        tooltip=editor.tr("How fast the game runs; 1 is real time"))  # fmt: skip
        if new is not None and game is not None:
            game.app.clock.time_scale = new


def _scenes(editor: Editor, width: float) -> None:
    """Draw the list of scenes."""
    game = editor.game
    assert game is not None
    with editor.ui.disabled(game.play.running):
        chosen = editor.ui.choice(
            "scene", game.scene, game.scenes, tooltip=editor.tr("The scene that is edited"), width=width
        )
    if chosen is not None:
        editor.later(lambda: editor.games.go(chosen))


def status_bar(editor: Editor) -> None:
    """Draw the status bar: the state, counts, the last warning or error of the log, and the duration of a frame."""
    ui = editor.ui
    height = imgui.get_frame_height() + ui.px(2)
    viewport = imgui.get_main_viewport()
    imgui.push_style_var(imgui.StyleVar_.window_padding, (ui.px(10), ui.px(3)))
    imgui.push_style_color(imgui.Col_.window_bg, ui.theme.rgba("bar"))
    if imgui.internal.begin_viewport_side_bar("##status", viewport, imgui.Dir.down, height, _BAR):
        with ui.inside("status"):
            _status(editor)
    imgui.end()
    imgui.pop_style_color()
    imgui.pop_style_var()


def _status(editor: Editor) -> None:
    ui, game, tr = editor.ui, editor.game, editor.tr
    if game is None:
        ui.text(tr("No game is open"), "dim")
        return
    state = {
        PlayState.EDIT: (icons.RENAME, tr("Editing"), "text_dim"),
        PlayState.PLAYING: (icons.PLAY, tr("Playing"), "play"),
        PlayState.PAUSED: (icons.PAUSE, tr("Paused"), "play"),
    }[game.play.state]
    ui.text(f"{state[0]}  {state[1]}", color=ui.theme.rgba(state[2]))
    ui.mark("state")
    ui.same_line(16)
    ui.text(tr("{count} {count:entity|entities}", count=f"{game.count:,}"), "dim")
    ui.same_line(16)
    ui.text(tr("{count} selected", count=len(game.selection)), "dim")
    ui.mark("selected")
    if game.play.running:
        ui.same_line(16)
        ui.text(tr("tick {tick}", tick=f"{game.world.tick:,}"), "dim")
    _compiling(editor, game)
    line = editor.log.serious
    if line is not None:
        ui.same_line(16)
        style = "error" if line.level >= 40 else "warning"
        first = line.text.strip().partition("\n")[0]
        ui.text(f"{icons.by_name(style)}  {first}", style, cut=True)
        ui.mark("log")
        if ui.hovered() and imgui.is_item_clicked():
            editor.show("editor.log")


def _compiling(editor: Editor, game: Game) -> None:
    """Show how many of the kernels that compile in the background are ready."""
    ui, tr, progress = editor.ui, editor.tr, game.preparation.progress
    if progress is None:
        return
    done, total = progress
    ui.same_line(16)
    needed = bool(game.preparation.pending)
    ui.text(tr("Preparing {done} / {total}", done=done, total=total), "normal" if needed else "dim")
    ui.mark("preparing")
    if needed:
        ui.tooltip(tr("What the scene needs is compiled, only once; it is shown as soon as it is ready"))
    else:
        ui.tooltip(tr("What the plugins may need later is compiled, only once"))
    ui.same_line(6)
    imgui.progress_bar(done / total, (ui.px(90), imgui.get_text_line_height()), "")


def notes(editor: Editor, root: int) -> None:
    """Draw the present messages in the lower right corner of the views, where they cover no buttons. root: the
    identifier of the dock space."""
    if not editor.notes:
        return
    ui = editor.ui
    viewport = imgui.get_main_viewport()
    bottom = viewport.work_pos.y + viewport.work_size.y - ui.px(12)
    right = viewport.work_pos.x + viewport.work_size.x - ui.px(12)
    views = imgui.internal.dock_builder_get_central_node(root)
    if editor.game is not None and views is not None and min(views.size.x, views.size.y) > ui.px(_NOTE):
        bottom, right = views.pos.y + views.size.y - ui.px(12), views.pos.x + views.size.x - ui.px(12)
    flags = (
        imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.always_auto_resize
        | imgui.WindowFlags_.no_focus_on_appearing | imgui.WindowFlags_.no_nav | imgui.WindowFlags_.no_saved_settings
        | imgui.WindowFlags_.no_docking
    )  # fmt: skip
    for number, note in enumerate(reversed(editor.notes)):
        imgui.set_next_window_pos((right, bottom), imgui.Cond_.always, (1.0, 1.0))
        imgui.set_next_window_bg_alpha(min(1.0, note.left) * 0.96)
        imgui.push_style_color(imgui.Col_.window_bg, ui.theme.rgba("popup"))
        passive = imgui.WindowFlags_.no_inputs if note.action is None else imgui.WindowFlags_.none
        imgui.begin(f"##note{number}", None, flags | passive)
        imgui.push_text_wrap_pos(ui.px(420))
        style = note.level if note.level in ("ok", "warning", "error") else "normal"
        ui.text(f"{icons.by_name(note.level, icons.INFO)}  {note.text}", style)  # pyright: ignore[reportArgumentType]
        imgui.pop_text_wrap_pos()
        if note.action is not None and ui.button(note.action[0], f"note{number}", kind="primary"):
            note.left = 0.0
            editor.later(note.action[1])
        at, size = imgui.get_window_pos(), imgui.get_window_size()
        ui.mark_area(f"note:{number}", at.x, at.y, at.x + size.x, at.y + size.y)
        bottom -= size.y + ui.px(6)
        imgui.end()
        imgui.pop_style_color()
