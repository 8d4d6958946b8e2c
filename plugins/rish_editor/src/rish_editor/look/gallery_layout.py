"""An imitation of the whole editor for judging a theme: menus, toolbar, docked panels, status bar, and a dialog."""

from __future__ import annotations

from collections.abc import Callable

from imgui_bundle import imgui

from . import icons
from .fonts import Fonts
from .gallery import edit_menu, layers, messages
from .kit import Kit, spaced
from .language import Language
from .style import role
from .theme import Theme

_BAR = imgui.WindowFlags_.no_decoration | imgui.WindowFlags_.no_docking | imgui.WindowFlags_.no_saved_settings
_TREE = (
    (0, icons.SCENE, "level_1", ""),
    (1, icons.CAMERA, "Camera", ""),
    (1, icons.TILEMAP, "Ground", ""),
    (1, icons.PREFAB, "Player 玩家", "selected"),
    (2, icons.SPRITE, "Body", ""),
    (2, icons.COLLIDER, "Feet", ""),
    (1, icons.GROUP, "Enemies", ""),
    (2, icons.PREFAB, "Slime", "prefab"),
    (2, icons.PREFAB, "Slime 2", "prefab"),
    (2, icons.PREFAB, "Bat", "hidden"),
    (1, icons.LIGHT, "Lantern", ""),
    (1, icons.PARTICLES, "Rain", ""),
)


class Layout:
    """The imitation. dialog: whether the question about unsaved changes is open; playing: whether the game plays."""

    def __init__(
        self, theme: Theme, fonts: Fonts, language: Language, dialog: bool = False, playing: bool = False
    ) -> None:
        self.kit = Kit(theme, fonts, language)
        self.dialog, self.playing = dialog, playing
        self._docked = False
        self._frames = 0

    def draw(self) -> None:
        """Draw the editor over the whole display, between `new_frame` and `render`."""
        self._frames += 1
        self._menu_bar()
        viewport = imgui.get_main_viewport()
        kit, bar = self.kit, imgui.get_frame_height() + 16 * self.kit.scale
        status = imgui.get_text_line_height() + 10 * kit.scale
        top, size = viewport.work_pos, viewport.work_size
        self._bar("toolbar", top.y, bar, self._toolbar)
        self._bar("status", top.y + size.y - status, status, self._status)
        self._dock(imgui.ImVec2(top.x, top.y + bar), imgui.ImVec2(size.x, size.y - bar - status))
        for name, icon, draw in (
            ("Hierarchy", icons.HIERARCHY, self._hierarchy),
            ("Scene", icons.SCENE, self._scene),
            ("Game", icons.GAME, _nothing),
            ("Inspector", icons.INSPECTOR, self._inspector),
            ("Log", icons.LOG, lambda: messages(self.kit)),
            ("History", icons.HISTORY, _nothing),
            ("Console", icons.CONSOLE, _nothing),
        ):
            self._panel(icon, name, draw)
        if self.dialog:
            self._question()

    def _panel(self, icon: str, name: str, draw: Callable[[], None]) -> None:
        scene = name == "Scene"
        flags = imgui.WindowFlags_.no_collapse | (imgui.WindowFlags_.unsaved_document if scene else 0)
        padding = imgui.ImVec2(0, 0) if scene else imgui.get_style().window_padding
        with spaced(imgui.StyleVar_.window_padding, padding.x, padding.y):
            shown = imgui.begin(f"{self.kit.label(icon, name)}###{name}", None, flags)[0]
        if shown:
            draw()
        imgui.end()
        if self._frames < 3 and name == "Console":
            imgui.set_window_focus("###Log")

    def _dock(self, corner: imgui.ImVec2, size: imgui.ImVec2) -> None:
        """Draw the window that panels dock to, and dock them the first time."""
        imgui.set_next_window_pos(corner)
        imgui.set_next_window_size(size)
        imgui.push_style_var(imgui.StyleVar_.window_padding, imgui.ImVec2(0, 0))
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
        imgui.push_style_color(imgui.Col_.window_bg, self.kit.theme.rgba("window"))
        imgui.begin("###dock", None, _BAR | imgui.WindowFlags_.no_bring_to_front_on_focus)
        imgui.pop_style_color()
        imgui.pop_style_var(3)
        space = imgui.get_id("space")
        if not self._docked:
            self._docked, dock = True, imgui.internal
            dock.dock_builder_remove_node(space)
            dock.dock_builder_add_node(space, dock.DockNodeFlagsPrivate_.dock_space)
            dock.dock_builder_set_node_size(space, size)
            left = dock.dock_builder_split_node(space, imgui.Dir.left, 0.19)
            right = dock.dock_builder_split_node(left.id_at_opposite_dir, imgui.Dir.right, 0.31)
            below = dock.dock_builder_split_node(right.id_at_opposite_dir, imgui.Dir.down, 0.3)
            places = {
                "Hierarchy": left.id_at_dir,
                "Inspector": right.id_at_dir,
                **dict.fromkeys(("Log", "History", "Console"), below.id_at_dir),
                **dict.fromkeys(("Scene", "Game"), below.id_at_opposite_dir),
            }
            for name, node in places.items():
                dock.dock_builder_dock_window(f"###{name}", node)
            dock.dock_builder_finish(space)
        with role(self.kit.theme, "gaps"):
            imgui.dock_space(space)
        imgui.end()

    def _bar(self, name: str, top: float, height: float, draw: Callable[[], None]) -> None:
        viewport = imgui.get_main_viewport()
        imgui.set_next_window_pos((viewport.work_pos.x, top))
        imgui.set_next_window_size((viewport.work_size.x, height))
        imgui.push_style_color(imgui.Col_.window_bg, self.kit.theme.rgba("bar"))
        imgui.push_style_var(imgui.StyleVar_.window_rounding, 0.0)
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
        imgui.push_style_var(imgui.StyleVar_.window_min_size, imgui.ImVec2(1, 1))
        imgui.push_style_var(imgui.StyleVar_.window_padding, imgui.ImVec2(10 * self.kit.scale, 6 * self.kit.scale))
        imgui.begin(f"###{name}", None, _BAR)
        imgui.pop_style_var(4)
        imgui.pop_style_color()
        draw()
        imgui.end()

    def _menu_bar(self) -> None:
        imgui.push_style_var(imgui.StyleVar_.window_border_size, 0.0)
        shown = imgui.begin_main_menu_bar()
        imgui.pop_style_var()
        if shown:
            for name in ("File", "Edit", "View", "Entity", "Tools", "Help"):
                with self.kit.menu(name) as open_:
                    if open_:
                        edit_menu(self.kit)
            imgui.end_main_menu_bar()

    def _toolbar(self) -> None:
        kit, gap = self.kit, 2 * self.kit.scale
        groups = (
            ((icons.OPEN, "Open"), (icons.SAVE, "Save"), (icons.UNDO, "Undo"), (icons.REDO, "Redo")),
            (
                (icons.SELECT, "Select"),
                (icons.MOVE, "Move"),
                (icons.ROTATE, "Rotate"),
                (icons.SCALE, "Scale"),
                (icons.STRETCH, "Stretch"),
            ),
            ((icons.WORLD, "World axes"), (icons.GRID, "Grid"), (icons.SNAP, "Snap")),
        )
        for group in groups:
            for icon, name in group:
                imgui.begin_disabled(name == "Redo")
                kit.tool(icon, kit.tr(name), chosen=name in ("Move", "Grid"))
                imgui.end_disabled()
                imgui.same_line(0, gap)
            imgui.same_line(0, 14 * kit.scale)
        side = imgui.get_frame_height() + 4 * kit.scale
        imgui.same_line((imgui.get_window_width() - 3 * side) / 2)
        imgui.push_style_color(imgui.Col_.text, kit.theme.rgba("text_accent" if self.playing else "ok"))
        kit.tool(icons.STOP if self.playing else icons.PLAY, kit.tr("Play"))
        imgui.pop_style_color()
        for icon, name in ((icons.PAUSE, "Pause"), (icons.STEP, "Step")):
            imgui.same_line(0, gap)
            imgui.begin_disabled(not self.playing)
            kit.tool(icon, kit.tr(name))
            imgui.end_disabled()
        width = 240 * kit.scale
        imgui.same_line(imgui.get_window_width() - width - 10 * kit.scale)
        imgui.set_cursor_pos_y(imgui.get_cursor_pos_y() + 2 * kit.scale)
        imgui.set_next_item_width(width)
        imgui.input_text_with_hint("##commands", kit.label(icons.SEARCH, "Type a command"), "")

    def _status(self) -> None:
        kit = self.kit
        with kit.fonts.style("small"):
            if self.playing:
                kit.colored("text_accent", icons.labelled(icons.PLAY, kit.tr("Playing")))
            else:
                kit.colored("ok", icons.labelled(icons.OK, kit.tr("Saved")))
            for text in (kit.tr("{count} entities", count=318), kit.tr("{count} selected", count=1)):
                imgui.same_line(0, 20 * kit.scale)
                kit.colored("text_dim", text)
            right = f"{icons.WARNING} 1   {icons.ERROR} 2   60 fps"
            imgui.same_line(imgui.get_window_width() - imgui.calc_text_size(right).x - 10 * kit.scale)
            kit.colored("warning", f"{icons.WARNING} 1")
            imgui.same_line()
            kit.colored("error", f"{icons.ERROR} 2")
            imgui.same_line()
            kit.colored("text_dim", "60 fps")

    def _hierarchy(self) -> None:
        kit = self.kit
        add = imgui.get_frame_height()
        imgui.set_next_item_width(-add - 6 * kit.scale)
        imgui.input_text_with_hint("##search", kit.label(icons.SEARCH, "Search entities"), "")
        imgui.same_line(0, 6 * kit.scale)
        kit.tool(icons.PLUS, kit.tr("Add entity"), small=True)
        with spaced(imgui.StyleVar_.cell_padding, 4 * kit.scale, 0):
            self._tree()

    def _tree(self) -> None:
        kit = self.kit
        if not imgui.begin_table("tree", 3, imgui.TableFlags_.scroll_y | imgui.TableFlags_.pad_outer_x):
            return
        imgui.table_setup_column("name", imgui.TableColumnFlags_.width_stretch)
        imgui.table_setup_column("eye", imgui.TableColumnFlags_.width_fixed, 18 * kit.scale)
        imgui.table_setup_column("lock", imgui.TableColumnFlags_.width_fixed, 14 * kit.scale)
        depth = 0
        for k, (level, icon, name, state) in enumerate(_TREE):
            while depth > level:
                imgui.tree_pop()
                depth -= 1
            depth += self._row(k, icon, name, state)
        for _ in range(depth):
            imgui.tree_pop()
        imgui.end_table()

    def _row(self, k: int, icon: str, name: str, state: str) -> int:
        """Draw a row of the tree; return 1 if rows below it are inside it."""
        kit = self.kit
        parent = k + 1 < len(_TREE) and _TREE[k + 1][0] > _TREE[k][0]
        flags = (
            imgui.TreeNodeFlags_.span_all_columns
            | imgui.TreeNodeFlags_.default_open
            | imgui.TreeNodeFlags_.frame_padding
        )
        flags |= 0 if parent else imgui.TreeNodeFlags_.leaf | imgui.TreeNodeFlags_.no_tree_push_on_open
        flags |= imgui.TreeNodeFlags_.selected if state == "selected" else 0
        token = {"prefab": "prefab", "hidden": "text_disabled"}.get(state, "text")
        imgui.table_next_row()
        imgui.table_next_column()
        imgui.push_style_color(imgui.Col_.text, kit.theme.rgba(token))
        with role(kit.theme, "selected"):
            opened = imgui.tree_node_ex(f"{icons.labelled(icon, name)}###{k}", flags)
        imgui.pop_style_color()
        imgui.table_next_column()
        imgui.align_text_to_frame_padding()
        if state in ("hidden", "selected"):
            kit.colored("text_dim", icons.EYE_SLASH if state == "hidden" else icons.EYE)
        imgui.table_next_column()
        imgui.align_text_to_frame_padding()
        if name == "Ground":
            kit.colored("text_dim", icons.LOCK)
        return int(opened and parent)

    def _scene(self) -> None:
        """Draw a grid, outlines of several kinds and the handles of the move tool."""
        kit, theme = self.kit, self.kit.theme
        corner, size = imgui.get_cursor_screen_pos(), imgui.get_content_region_avail()
        draw, unit = imgui.get_window_draw_list(), 32 * kit.scale
        high = imgui.ImVec2(corner.x + size.x, corner.y + size.y)
        draw.push_clip_rect(corner, high, True)
        draw.add_rect_filled(corner, high, theme.packed("scene"))
        for k in range(int(max(size.x, size.y) / unit) + 1):
            color, at = theme.packed("grid" if k % 4 else "grid_major"), k * unit
            draw.add_line((corner.x + at, corner.y), (corner.x + at, high.y), color)
            draw.add_line((corner.x, corner.y + at), (high.x, corner.y + at), color)
        kinds = ("camera", "collider", "sensor", "body", "joint", "light", "emitter")
        for k, kind in enumerate(kinds):
            x, y = corner.x + (1 + k % 4 * 4) * unit, corner.y + (1 + k // 4 * 4) * unit
            draw.add_rect((x, y), (x + 3 * unit, y + 2 * unit), theme.packed(kind), 4 * kit.scale, 1.5 * kit.scale)
            draw.add_text(
                (x + 6 * kit.scale, y + 4 * kit.scale), theme.packed(kind), icons.labelled(icons.by_name(kind), kind)
            )
        x, y = corner.x + 15 * unit, corner.y + 7 * unit
        draw.add_rect((x - unit, y - unit), (x + unit, y + unit), theme.packed("outline"), 0, 2 * kit.scale)
        self._arrow(x, y, 3 * unit, 0, "axis_x")
        self._arrow(x, y, 0, -3 * unit, "axis_y")
        draw.add_rect_filled(
            (x - 5 * kit.scale, y - 5 * kit.scale),
            (x + 5 * kit.scale, y + 5 * kit.scale),
            theme.packed("axis_center"),
            2,
        )
        draw.pop_clip_rect()

    def _arrow(self, x: float, y: float, dx: float, dy: float, token: str) -> None:
        draw, color, scale = imgui.get_window_draw_list(), self.kit.theme.packed(token), self.kit.scale
        draw.add_line((x, y), (x + dx, y + dy), color, 2.5 * scale)
        along, across = (0.08 * dx, 0.08 * dy), (0.05 * dy, -0.05 * dx)
        end = (x + dx + along[0], y + dy + along[1])
        draw.add_triangle_filled(
            end,
            (x + dx * 0.92 + across[0], y + dy * 0.92 + across[1]),
            (x + dx * 0.92 - across[0], y + dy * 0.92 - across[1]),
            color,
        )
        draw.add_text((end[0] + 6 * scale, end[1] - 8 * scale), color, token[-1].upper())

    def _inspector(self) -> None:
        kit = self.kit
        with kit.fonts.style("title"):
            imgui.text(icons.labelled(icons.PREFAB, "Player 玩家"))
        with kit.fonts.style("small"):
            kit.colored("text_dim", f"{kit.tr('Prefab')}: player   {kit.tr('Tags')}: hero, solid")
        imgui.spacing()
        if kit.section(icons.TRANSFORM, "Transform"):
            with kit.properties("transform"):
                kit.property("Position", lambda: kit.vector("position", 128.0, -42.5), override=True)
                kit.property("Rotation", lambda: imgui.drag_float("##angle", 45.0, format="%.1f°"))
                kit.property("Scale", lambda: kit.vector("scale", 1.0, 1.0))
        if kit.section(icons.SPRITE, "Sprite"):
            with kit.properties("sprite"):
                kit.property("Image", lambda: imgui.input_text("##image", "hero/idle.png"))
                kit.property("Color", lambda: imgui.color_edit3("##color", [0.6, 0.55, 1.0]))
                kit.property("Opacity", lambda: imgui.slider_float("##opacity", 0.7, 0.0, 1.0, "%.2f"))
                kit.property("Visible", lambda: imgui.checkbox("##visible", True))
        if kit.section(icons.BODY, "Body"):
            with kit.properties("body"):
                kit.property("Layer", lambda: layers(kit))
                kit.property("Size", self._several)
        imgui.spacing()
        imgui.button(kit.label(icons.PLUS, "Add component"), (-1, 0))

    def _several(self) -> None:
        with role(self.kit.theme, "mixed"):
            imgui.drag_float("##several", 0.0, format="—")

    def _question(self) -> None:
        kit, title = self.kit, f"{self.kit.tr('Unsaved changes')}###question"
        if not imgui.is_popup_open("###question"):
            imgui.open_popup("###question")
        center = imgui.get_main_viewport().get_center()
        imgui.set_next_window_pos(center, imgui.Cond_.always, (0.5, 0.5))
        imgui.push_style_var(imgui.StyleVar_.window_padding, imgui.ImVec2(20 * kit.scale, 16 * kit.scale))
        if imgui.begin_popup_modal(
            title, None, imgui.WindowFlags_.always_auto_resize | imgui.WindowFlags_.no_title_bar
        )[0]:
            with kit.fonts.style("title"):
                imgui.text(kit.tr("Save the changes to {name}?", name="level_1"))
            kit.colored("text_dim", kit.tr("Your changes are lost if you don't save them."))
            imgui.dummy((0, 8 * kit.scale))
            size = (110 * kit.scale, 30 * kit.scale)
            with role(kit.theme, "primary"):
                imgui.button(kit.tr("Save"), size)
            for name in ("Don't save", "Cancel"):
                imgui.same_line()
                imgui.button(kit.tr(name), size)
            imgui.end_popup()
        imgui.pop_style_var()


def _nothing() -> None:
    pass
