"""Dear ImGui's side of the benchmark `ui`: it builds its widgets again in each frame; the draw lists are not drawn."""

from __future__ import annotations

import itertools
from collections.abc import Callable

from imgui_bundle import imgui

from ._task import Task
from ._ui_scene import HIGH, LIST, LIST_HIGH, ROWS, SMALL, WIDE, label_of


def _frames(build: Callable[[], object], high: int = HIGH) -> Task:
    """Return a task that runs frames of a window as large as the picture with these widgets."""
    context = imgui.create_context()
    imgui.set_current_context(context)
    io = imgui.get_io()
    io.display_size, io.delta_time = imgui.ImVec2(WIDE, high), 1 / 60
    io.set_ini_filename("")
    io.backend_flags |= imgui.BackendFlags_.renderer_has_textures.value
    flags = imgui.WindowFlags_.no_decoration.value | imgui.WindowFlags_.no_move.value

    def run() -> None:
        imgui.set_current_context(context)
        imgui.new_frame()
        imgui.set_next_window_pos(imgui.ImVec2(0, 0))
        imgui.set_next_window_size(imgui.ImVec2(WIDE, high))
        imgui.begin("screen", None, flags)
        build()
        imgui.end()
        imgui.render()

    return Task(run, after=lambda: imgui.destroy_context(context))


def _screen(rows: int, changed: Callable[[], int]) -> Task:
    labels = [label_of(k) for k in range(rows)]

    def build() -> None:
        labels[9] = label_of(changed())
        for k, text in enumerate(labels):
            imgui.push_id(k)
            imgui.text(text)
            imgui.same_line()
            imgui.button("Press")
            imgui.same_line()
            imgui.checkbox("Switch", False)
            imgui.same_line()
            imgui.slider_float("", 0.5, 0.0, 1.0)
            imgui.pop_id()

    return _frames(build)


def still() -> Task:
    """A frame with 500 widgets."""
    return _screen(SMALL, lambda: 9)


def relayout() -> Task:
    """A frame with 1,000 widgets, of which one has another text."""
    numbers = itertools.count()
    return _screen(ROWS, lambda: next(numbers))


def scroll() -> Task:
    """A frame in which a list of 10,000 rows is scrolled; only those that are seen are built."""
    rows, numbers = [f"Row {k}" for k in range(LIST)], itertools.count()

    def build() -> None:
        imgui.set_scroll_y(float(next(numbers) % 500) * 60)
        clipper = imgui.ListClipper()
        clipper.begin(LIST)
        while clipper.step():
            for k in range(clipper.display_start, clipper.display_end):
                imgui.selectable(rows[k], False)
        clipper.end()

    return _frames(build, LIST_HIGH)
