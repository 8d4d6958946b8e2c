"""Layout: lines, columns, scrolling areas, trees, tables, and long lists."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager

from imgui_bundle import imgui

from ...look import icons
from ...look.style import role
from .base import Base


class Layout(Base):
    """Widgets that arrange others."""

    def same_line(self, gap: float = -1.0) -> None:
        """Put the next widget to the right of the last one. gap: units between them; -1: the default."""
        imgui.same_line(0.0, gap if gap < 0 else self.px(gap))

    def right(self, width: float) -> None:
        """Put the next widget onto the same line so that `width` units are left on the right."""
        imgui.same_line(
            max(imgui.get_cursor_pos_x(), imgui.get_window_width() - width - imgui.get_style().window_padding.x)
        )

    def separator(self) -> None:
        """Draw a line."""
        imgui.separator()

    def space(self, units: float = 4.0) -> None:
        """Leave a gap."""
        imgui.dummy((1.0, self.px(units)))

    @property
    def room(self) -> tuple[float, float]:
        """The width and height that are left in the panel, units of the window."""
        left = imgui.get_content_region_avail()
        return left.x, left.y

    def fill(self) -> None:
        """Let the next widget fill the line."""
        imgui.set_next_item_width(-1.0)

    @contextmanager
    def area(self, name: str, width: float = 0.0, height: float = 0.0, *, border: bool = False,
             scroll_across: bool = False, fields: bool = False) -> Generator[None]:  # fmt: skip
        """Make a part of the panel that scrolls. width, height: 0 fills, negative leaves room. fields: whether Tab goes
        through its widgets together with those around it.
        """
        flags = imgui.ChildFlags_.borders if border else imgui.ChildFlags_.none
        flags |= imgui.ChildFlags_.nav_flattened if fields else imgui.ChildFlags_.none
        sideways = imgui.WindowFlags_.horizontal_scrollbar if scroll_across else imgui.WindowFlags_.none
        imgui.begin_child(name, (width, height), flags, sideways)
        try:
            yield
        finally:
            imgui.end_child()
            self.mark(name)

    @contextmanager
    def group(self) -> Generator[None]:
        """Group the widgets of the block, so that `same_line` puts the next widget beside the whole group."""
        imgui.begin_group()
        try:
            yield
        finally:
            imgui.end_group()

    @contextmanager
    def section(self, label: str, name: str, *, icon: str = "", opened: bool = True) -> Generator[bool]:
        """Show a heading that opens and closes; the block gets whether it is open. opened: at first."""
        states, key = imgui.get_state_storage(), imgui.get_id(f"###{name}")
        shown = bool(states.get_bool(key, opened))
        imgui.push_style_var(imgui.StyleVar_.button_text_align, (0.0, 0.5))
        with role(self.theme, "section"), self.fonts.style("strong"):
            mark = icons.DOWN if shown else icons.RIGHT
            if imgui.button(f"{mark}  {icon}  {label}###{name}" if icon else f"{mark}  {label}###{name}", (-1, 0)):
                shown = not shown
                states.set_bool(key, shown)
        imgui.pop_style_var()
        self._used(name)
        with self.inside(name):
            yield shown

    @contextmanager
    def tree(self, label: str, name: str, *, leaf: bool = False, selected: bool = False,
             opened: bool = False) -> Generator[bool]:  # fmt: skip
        """Show a node of a tree; the block gets whether its children are shown."""
        flags = imgui.TreeNodeFlags_.open_on_arrow | imgui.TreeNodeFlags_.span_avail_width
        for is_set, flag in (
            (leaf, imgui.TreeNodeFlags_.leaf),
            (selected, imgui.TreeNodeFlags_.selected),
            (opened, imgui.TreeNodeFlags_.default_open),
        ):
            if is_set:
                flags |= flag
        shown = bool(imgui.tree_node_ex(f"{label}###{name}", flags))
        self._used(name)
        try:
            with self.inside(name):
                yield shown
        finally:
            if shown:
                imgui.tree_pop()

    @contextmanager
    def table(self, name: str, columns: int, *, lines: bool = False, resizable: bool = False,
              scrolls: bool = False, height: float = 0.0) -> Generator[bool]:  # fmt: skip
        """Make a table. lines: rows alternate in color. The block gets whether it is visible."""
        flags = imgui.TableFlags_.sizing_stretch_prop
        for is_set, flag in (
            (lines, imgui.TableFlags_.row_bg),
            (resizable, imgui.TableFlags_.resizable),
            (scrolls, imgui.TableFlags_.scroll_y),
        ):
            if is_set:
                flags |= flag
        shown = bool(imgui.begin_table(name, columns, flags, (0.0, height)))
        try:
            yield shown
        finally:
            if shown:
                imgui.end_table()

    def columns(self, *widths: float) -> None:
        """Set the widths of a table's columns, before its first row: units from 1 on, parts of the rest below 1."""
        for k, width in enumerate(widths):
            if width < 1:
                imgui.table_setup_column(f"{k}", imgui.TableColumnFlags_.width_stretch, width)
            else:
                imgui.table_setup_column(f"{k}", imgui.TableColumnFlags_.width_fixed, self.px(width))

    def header(self, *titles: str) -> None:
        """Write the titles of a table's columns into a row that stays at the top while scrolling; call it after
        `columns`."""
        imgui.table_setup_scroll_freeze(0, 1)
        imgui.table_next_row(imgui.TableRowFlags_.headers)
        with self.fonts.style("small"):
            imgui.push_style_color(imgui.Col_.text, self.theme.rgba("text_dim"))
            for title in titles:
                imgui.table_next_column()
                imgui.text_unformatted(title)
            imgui.pop_style_color()

    def row_color(self, name: str) -> None:
        """Give the row of the table a color of the theme."""
        imgui.table_set_bg_color(imgui.TableBgTarget_.row_bg1, self.theme.packed(name))

    @property
    def scroll(self) -> tuple[float, float]:
        """How far the area or the table is scrolled down, and its greatest value, units of the window."""
        return imgui.get_scroll_y(), imgui.get_scroll_max_y()

    def scroll_here(self, part: float) -> None:
        """Scroll so that the place of the next widget is visible. part: 0 at the top of the area, 1 at the bottom."""
        imgui.set_scroll_here_y(part)

    def cell(self) -> None:
        """Go to the next cell of the table."""
        imgui.table_next_column()

    def row(self, height: float = 0.0) -> None:
        """Begin the next row of the table."""
        imgui.table_next_row(0, height)

    def visible_rows(self, count: int, height: float = -1.0, *, also: int = -1) -> Iterator[int]:
        """Yield the indices of the visible rows of a long list. also: a row that is yielded in any case."""
        clipper = imgui.ListClipper()
        clipper.begin(count, height)
        if 0 <= also < count:
            clipper.include_item_by_index(also)
        while clipper.step():
            yield from range(clipper.display_start, clipper.display_end)
        clipper.end()
