"""The log panel: levels, filters, collapsed lines, details, the source of a line, and 10,000 lines."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_editor.panels.log.panel import clock
from rish_editor.panels.log.rows import Filter, LogRows
from rish_editor.session.log import LogBuffer
from rish_editor.testing import UIDriver

LOG = logging.getLogger("rish.game")
OPEN_TEXT = Callable[..., Any]


@pytest.fixture
def panel(driver: UIDriver, open_text: OPEN_TEXT) -> Any:
    """The panel of an open game, in front, with an empty log."""
    open_text()
    driver.shell.editor.show("editor.log")
    driver.step(2)
    driver.shell.log.clear()
    driver.step()
    return driver.shell.editor.panels["editor.log"]


def _texts(panel: Any) -> list[str]:
    return [row.line.text for row in panel.rows.rows]


def test_lines_of_all_levels_are_shown_and_the_terminal_gets_no_more(
    driver: UIDriver, panel: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """INFO and more appear in the panel; a handler of before, such as the terminal's, gets WARNING and more."""
    root = logging.getLogger("rish")
    driver.shell.log.detach()
    root.setLevel(logging.WARNING)
    terminal = logging.StreamHandler()
    root.addHandler(terminal)
    try:
        driver.shell.log.attach()
        LOG.info("a coin")
        LOG.warning("a cliff")
        driver.step()
        assert _texts(panel) == ["a coin", "a cliff"]
        assert "a coin" not in capsys.readouterr().err
        driver.shell.log.detach()
        assert root.level == logging.WARNING
        assert terminal.level == logging.NOTSET
    finally:
        root.removeHandler(terminal)
        driver.shell.log.attach()


def test_printed_lines_appear_with_the_place_that_printed_them(
    driver: UIDriver, panel: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the game prints is in the log, and still on the terminal."""
    driver.shell.log.detach()
    driver.shell.log.attach()  # pytest has replaced standard output since the editor opened
    print("hello", "from here")
    driver.step()
    line = panel.rows.rows[-1].line
    assert (line.text, line.logger) == ("hello from here", "print")
    assert Path(line.where[0]).name == "test_log.py"
    assert "hello from here" in capsys.readouterr().out


def test_the_least_level_decides_what_is_logged_at_all(driver: UIDriver, panel: Any) -> None:
    """With DEBUG chosen, lines of that level are received from then on, and its button appears."""
    LOG.debug("before")
    driver.click("editor.log/level")
    driver.click("editor.log/level:debug")
    LOG.debug("after")
    driver.step()
    assert _texts(panel) == ["after"]
    assert driver.sees("editor.log/show.debug")
    assert not driver.sees("editor.log/show.trace")


def test_a_button_hides_the_lines_of_its_level(driver: UIDriver, panel: Any) -> None:
    """The button of a level hides and shows its lines; what is hidden is kept for the next start."""
    LOG.info("a coin")
    LOG.error("a fault")
    driver.step()
    driver.click("editor.log/show.info")
    assert _texts(panel) == ["a fault"]
    again = type(panel)()
    again.load(panel.save())
    assert again.filter.hidden == {"info"}
    driver.click("editor.log/show.info")
    assert _texts(panel) == ["a coin", "a fault"]


def test_search_and_logger_narrow_the_lines(driver: UIDriver, panel: Any) -> None:
    """Only lines with the searched text are shown, in any case of letters, and only those of the chosen logger."""
    LOG.info("A coin")
    LOG.info("a door")
    logging.getLogger("rish.physics").info("a coin rolls")
    driver.step()
    driver.enter("editor.log/search", "COIN")
    assert _texts(panel) == ["A coin", "a coin rolls"]
    panel.filter.logger = "rish.physics"
    driver.step()
    assert _texts(panel) == ["a coin rolls"]


def test_equal_lines_are_one_row_with_their_number(driver: UIDriver, panel: Any) -> None:
    """Equal lines are one row that counts them, with the details of the first and the time of the last; the switch
    shows each, and is kept for the next start.
    """
    for number in range(5):
        try:
            raise ValueError(number)
        except ValueError:
            LOG.exception("too large")
        LOG.info("a coin")
    driver.step()
    rows = panel.rows.rows
    assert [(row.line.text, row.count) for row in rows] == [("too large", 5), ("a coin", 5)]
    assert rows[0].line.details.endswith("ValueError: 0")
    assert [line for line in driver.shell.log.lines if line.text == "too large"][-1] is rows[0].last
    LOG.info("a coin")
    driver.step()
    assert rows[1].count == 6
    driver.click("editor.log/line1")
    driver.click("editor.log/copy")
    assert "(6×)" in driver.shell.host.paste()
    assert clock(rows[1].last) in driver.shell.host.paste()
    driver.click("editor.log/collapse")
    assert len(panel.rows.rows) == 11
    again = type(panel)()
    assert again.filter.collapse
    again.load(panel.save())
    assert not again.filter.collapse


def test_rows_are_picked_and_copied(driver: UIDriver, panel: Any) -> None:
    """A click picks a row, Ctrl one more or less, Shift all between, Ctrl+A all; Ctrl+C copies them in their order."""
    for number in range(4):
        LOG.info("coin %d", number)
    driver.step()

    def copied() -> str:
        driver.key("Ctrl+C")
        return "".join(line[-1] for line in driver.shell.host.paste().split("\n") if "coin" in line)

    driver.click("editor.log/line2")
    assert copied() == "2"
    driver.click("editor.log/line0", held="shift")
    assert copied() == "012"
    driver.click("editor.log/line3", held="ctrl")
    driver.click("editor.log/line1", held="ctrl")
    assert copied() == "023"
    driver.key("Ctrl+A")
    assert copied() == "0123"


def test_a_click_shows_the_whole_line_with_its_traceback(
    driver: UIDriver, panel: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A click selects a line and shows its traceback and a link; the link and a double click open the source."""
    opened: list[tuple[str, int]] = []
    monkeypatch.setattr(driver.shell.editor, "open_source", lambda file, line: opened.append((file, line)))
    try:
        raise ValueError("a broken wing")
    except ValueError:
        LOG.exception("the bird failed")
    driver.step()
    line = panel.rows.rows[0].line
    assert "a broken wing" in line.details
    assert "Traceback" in line.details
    driver.click("editor.log/line0")
    assert panel.selected is line
    driver.click("editor.log/source")
    driver.double_click("editor.log/line0")
    assert len(opened) == 2
    assert Path(opened[0][0]).name == "test_log.py"
    driver.click("editor.log/copy")
    assert "a broken wing" in driver.shell.host.paste()


def test_the_list_stays_at_the_end_until_it_is_scrolled_up(driver: UIDriver, panel: Any) -> None:
    """New lines scroll the list; after scrolling up it stands still, and the button or its end let it follow again."""

    def log_more() -> None:
        for number in range(100):
            LOG.info("coin %d", number)
        driver.step(3)

    log_more()
    last = len(panel.rows.rows) - 1
    assert driver.sees(f"editor.log/line{last}")
    driver.scroll(f"editor.log/line{last}", 5)
    driver.step(2)
    assert not panel.follow
    log_more()
    assert not driver.sees(f"editor.log/line{len(panel.rows.rows) - 1}")
    driver.click("editor.log/follow")
    log_more()
    assert panel.follow
    assert driver.sees(f"editor.log/line{len(panel.rows.rows) - 1}")


def test_clear_empties_the_log_also_when_playing_begins(driver: UIDriver, panel: Any) -> None:
    """The button empties the log; with the option on, so does Play."""
    LOG.info("a coin")
    driver.step()
    driver.click("editor.log/clear")
    assert _texts(panel) == []
    driver.click("editor.log/more")
    driver.click("editor.log/options/clear_on_play")
    LOG.info("a coin")
    driver.click("toolbar/play.start")
    driver.step()
    assert "a coin" not in _texts(panel)


@pytest.mark.slow
def test_ten_thousand_lines_cost_little_and_are_looked_at_once(driver: UIDriver, panel: Any) -> None:
    """A frame with a full log looks at new lines only, and draws only the visible ones."""
    for number in range(10_000):
        LOG.info("coin %d", number)
    driver.step(2)
    tested = panel.rows.tested
    begin = time.perf_counter()
    for number in range(20):
        LOG.info("coin %d", number)
        panel.rows.update(driver.shell.log, panel.filter)
    assert panel.rows.tested == tested + 20
    assert time.perf_counter() - begin < 0.05
    driver.step()
    assert len(driver.marks("editor.log/line")) < 100


@given(
    st.lists(st.tuples(st.sampled_from([10, 20, 30]), st.sampled_from("ab"), st.sampled_from(["x", "xy"]))),
    st.booleans(), st.sampled_from([10, 20, 30]), st.sampled_from(["", "x"]), st.integers(1, 7),
)  # fmt: skip
def test_rows_are_those_of_a_filter_over_all_lines(
    lines: list[tuple[int, str, str]], collapse: bool, minimum: int, text: str, every: int
) -> None:
    """Taking lines bit by bit gives the same rows as filtering all kept lines at once."""
    log, rows = LogBuffer(1000), LogRows()
    wanted = Filter(minimum, text=text, collapse=collapse)
    for number, line in enumerate(lines):
        log.put(*line)
        if number % every == 0:
            rows.update(log, wanted)
    rows.update(log, wanted)
    taken = [line for line in lines if line[0] >= minimum and text in f"{line[2]} {line[1]}"]
    assert [row.line.key for row in rows.rows] == (list(dict.fromkeys(taken)) if collapse else taken)
    assert all(row.count == (taken.count(row.line.key) if collapse else 1) for row in rows.rows)


def test_a_full_log_drops_its_oldest_lines() -> None:
    """A log keeps its limit of lines, counts those that it keeps, and rows of dropped lines go."""
    log, rows, wanted = LogBuffer(100), LogRows(), Filter()
    for number in range(450):
        log.put(20, "game", str(number))
        rows.update(log, wanted)
    assert [line.text for line in log.lines] == [str(number) for number in range(350, 450)]
    assert log.counts["info"] == 100
    assert 100 <= len(rows.rows) <= 111
    assert rows.rows[-1].line.text == "449"


def test_a_line_that_is_repeated_stays_while_its_last_is_kept() -> None:
    """A collapsed row goes with the last of its lines, not with the first, and counts all."""
    log, rows, wanted = LogBuffer(100), LogRows(), Filter()
    for number in range(450):
        log.put(20, "game", "again" if number % 2 else str(number))
        rows.update(log, wanted)
    again = next(row for row in rows.rows if row.line.text == "again")
    assert (again.line.number, again.last.number, again.count) == (2, 450, 225)
    assert rows.row_of(2) is again
    assert rows.row_of(1) is None
    assert len(rows.rows) <= 62


def test_the_status_bar_shows_the_last_serious_line(driver: UIDriver, panel: Any) -> None:
    """Later lines of less weight do not take its place; a look at the log takes it away."""
    log = driver.shell.log
    log.clear()
    assert log.serious is None
    for level, text in ((30, "a warning"), (40, "an error"), (20, "news")):
        log.put(level, "rish.test", text)
    assert log.serious is not None
    assert log.serious.text == "an error"
    log.seen()
    assert log.serious is None
