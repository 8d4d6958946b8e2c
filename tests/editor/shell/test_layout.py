"""Layouts: named arrangements of panels, the usual one, and the last one at the next start."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_editor.session.settings import Settings, read_settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver

Open = Callable[..., Any]


def place(driver: UIDriver, panel: str) -> tuple[int, ...]:
    """Return the place of a panel, whole units."""
    return tuple(round(part) for part in driver.place(panel)[:4])


def float_hierarchy(driver: UIDriver) -> None:
    """Drag the hierarchy out of its place by its tab."""
    left, top, *_ = driver.place("editor.hierarchy")
    driver.drag((left + 40, top + 10), (700, 400), steps=12)
    driver.step(3)


def test_a_named_layout_is_restored(driver: UIDriver, open_text: Open) -> None:
    """Save layout keeps the arrangement under a name; choosing it in the menu brings it back."""
    open_text()
    before = place(driver, "editor.hierarchy")
    driver.shell.editor.run("layout.save")
    driver.step(3)
    driver.enter("dialog/name", "Mine")
    driver.step(2)
    float_hierarchy(driver)
    assert place(driver, "editor.hierarchy") != before
    driver.click("menu/View")
    driver.move("menu/View/Layout")
    driver.step(20)
    driver.click("menu/View/Layout/layout:Mine")
    driver.step(4)
    assert place(driver, "editor.hierarchy") == before


def test_reset_brings_the_usual_arrangement_back(driver: UIDriver, open_text: Open) -> None:
    """Reset layout puts panels to their usual places and opens those that are usually open."""
    open_text()
    before = place(driver, "editor.hierarchy")
    float_hierarchy(driver)
    driver.shell.editor.panels.show("editor.hierarchy", False)
    driver.step(2)
    assert not driver.sees("editor.hierarchy")
    driver.shell.editor.run("layout.reset")
    driver.step(5)
    assert place(driver, "editor.hierarchy") == before


def test_the_last_layout_is_there_at_the_next_start(settings: Settings, window: Any, tmp_path: Path) -> None:
    """What is open and where it is survives a restart."""
    found: list[Any] = []
    (tmp_path / "game.yaml").write_text("rish: 1\nplugins: [render]\nscenes: {main: []}\n")
    for start in range(2):
        chosen = settings if not start else read_settings()
        shell = Shell(chosen, headless=True, window=window, marks=True, drawn=False)
        try:
            driver = UIDriver(shell)
            shell.open(tmp_path)
            driver.step(6)
            if not start:
                float_hierarchy(driver)
                shell.editor.show("editor.settings")
                driver.step(4)
            found.append((place(driver, "editor.hierarchy"), place(driver, "editor.settings")))
        finally:
            shell.close()
    assert found[0] == found[1]


def test_a_layout_survives_other_panels(driver: UIDriver, open_text: Open) -> None:
    """A layout from before a panel existed puts the new one beside its neighbors; one that is gone is ignored."""
    open_text()
    editor = driver.shell.editor
    editor.layouts.save("Old")
    text = editor.settings.layouts["Old"]
    editor.settings.layouts["Old"] = text.replace(";panels ", ";panels wind.gone=1 ", 1)

    class New:
        id, title, dock = "editor.new", "New", "left"

        def draw(self, ui: Any, editor: Any) -> None:
            ui.button("Here", "here")

    editor.panels.use([*(type(held.panel) for held in editor.panels), New], {})
    editor.layouts.use("Old")
    driver.step(6)
    assert driver.sees("editor.new/here")
    assert driver.place("editor.new").left < 300


def test_the_next_game_is_opened_with_the_same_panels(driver: UIDriver, open_text: Open) -> None:
    """After a game was closed, the tabs that were in front are so again, and the view has the keyboard."""
    open_text()
    editor = driver.shell.editor
    for name in ("editor.assets", "editor.history", "editor.game"):
        editor.show(name)
        driver.step(3)
    before = {held.id for held in editor.panels if held.visible}
    editor.run("file.close")
    driver.step(4)
    open_text()
    driver.step(4)
    assert {held.id for held in editor.panels if held.visible} == before
    assert editor.panels.focused == "editor.game"


def test_a_hidden_panel_is_not_drawn(driver: UIDriver, open_text: Open) -> None:
    """The scene view behind the tab of the game view costs nothing; closed panels too."""
    open_text()
    drawn: list[str] = []
    for name in ("editor.scene", "editor.game"):
        panel = driver.shell.editor.panels[name]
        panel.draw = lambda ui, editor, name=name: drawn.append(name)
    driver.shell.editor.show("editor.game")
    driver.step(4)
    drawn.clear()
    driver.step(3)
    assert set(drawn) == {"editor.game"}
    driver.shell.editor.panels.show("editor.game", False)
    driver.step(3)
    drawn.clear()
    driver.step(3)
    assert set(drawn) == {"editor.scene"}


def test_panels_are_opened_in_the_view_menu(driver: UIDriver, open_text: Open) -> None:
    """View, Panels lists all panels with a mark for the open ones."""
    open_text()
    driver.click("menu/View")
    driver.move("menu/View/Panels")
    driver.step(20)
    driver.click("menu/View/Panels/editor.keys")
    driver.step(3)
    assert driver.sees("editor.keys")


@pytest.mark.slow
def test_side_panels_shrink_and_grow_with_the_window(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A smaller window makes all panels smaller, a larger one gives them back, also at the next start."""
    (tmp_path / "game.yaml").write_text("rish: 1\ngame: {title: Test}\nplugins: [render]\nscenes: {main: []}\n")
    shell = Shell(settings, size=(1280, 720), headless=True, marks=True, drawn=False)
    driver = UIDriver(shell)
    names = ("editor.hierarchy", "editor.scene", "editor.inspector", "editor.log")
    try:
        assert shell.open(tmp_path)
        driver.step(5)
        left, top, right, bottom = place(driver, "editor.hierarchy")
        driver.drag((right + 2, (top + bottom) / 2), by=(40, 0))
        driver.step(2)
        before = {name: driver.place(name).size for name in names}
        for size in ((900, 560), (1280, 720)):
            monkeypatch.setattr(driver.window, "get_size", lambda size=size: size)  # those off screen keep their size
            driver.step(4)
            for name in names:
                for axis, whole in enumerate((1280, 720)):
                    share = driver.place(name).size[axis] / before[name][axis]
                    assert share == pytest.approx(size[axis] / whole, abs=0.06), name
        assert before["editor.hierarchy"][0] == pytest.approx(right - left + 40, abs=2)
        monkeypatch.setattr(driver.window, "get_size", lambda: (900, 560))
        driver.step(3)
    finally:
        shell.close()
    shell = Shell(settings, size=(1280, 720), headless=True, marks=True, drawn=False)
    driver = UIDriver(shell)
    try:
        assert shell.open(tmp_path)
        driver.step(5)
        for name in names[:3]:
            assert driver.place(name).size == pytest.approx(before[name], rel=0.03), name
    finally:
        shell.close()


@pytest.mark.parametrize("size", [(1280, 720), (1024, 600), (800, 600)])
@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_usual_panels_are_usable_in_small_windows(
    settings: Settings, size: tuple[int, int], scale: float, tmp_path: Path
) -> None:
    """No panel is narrower or lower than what its fields need, as far as the window has room for all of them."""
    (tmp_path / "game.yaml").write_text("rish: 1\ngame: {title: Test}\nplugins: [render]\nscenes: {main: []}\n")
    settings.scale = scale
    shell = Shell(settings, size=size, headless=True, marks=True, drawn=False, saves=False)
    driver = UIDriver(shell)
    try:
        assert shell.open(tmp_path)
        driver.step(5)
        for name, least in {"editor.hierarchy": 170, "editor.inspector": 245, "editor.scene": 300}.items():
            assert driver.place(name).size[0] >= min(least * scale, least / 750 * size[0]), name
        assert driver.place("editor.log").size[1] >= min(150 * scale, size[1] * 0.22)
    finally:
        shell.close()
