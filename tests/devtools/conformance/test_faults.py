"""Each planted fault is found, and the clause that it breaks is named with a place and with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from long_runs import long, only_long
from planted import NAMES, plant
from rish_devtools.conformance import CLAUSES, Violation, run

BROKEN = {
    "background_thread": "C24",
    "bare_settings": "C14",
    "by_address": "C27",
    "cached_value": "C26",
    "class_attribute": "C24",
    "default_argument": "C26",
    "derived_state": "C24",
    "emits_in_extract": "C21",
    "endless_generator": "C24",
    "endless_end": "C36",
    "exits": "C35",
    "failing_shutdown": "C21",
    "fixed_approach": "C29",
    "frame_state": "C28",
    "global_random": "C33",
    "growing_list": "C32",
    "hangs": "C36",
    "hidden_file": "C01",
    "hides_state": "C24",
    "ignores_dt": "C29",
    "kept_column": "C24",
    "kept_world": "C32",
    "late_state": "C23",
    "leaks_handles": "C31",
    "left_file": "C31",
    "lost_process": "C31",
    "measured_time": "C27",
    "missing_dependency": "C06",
    "mute_command": "C17",
    "name_clash": "C12",
    "overflow": "C25",
    "patches_numpy": "C33",
    "polite_exit": "C35",
    "poor_backend": "C41",
    "private_import": "C07",
    "reads_folder": "C27",
    "reads_environment": "C27",
    "scene_count": "C26",
    "second_call": "C11",
    "takes_signals": "C33",
    "thread_at_import": "C01",
    "undeclared_write": "C23",
    "unordered_set": "C27",
    "unprovided_contract": "C04",
    "view_leak": "C28",
    "wall_clock": "C27",
    "works_at_import": "C01",
    "wide_range": "C13",
    "writes_nan": "C25",
    "wrong_argument": "C03",
    "wrong_panel": "C16",
    "wrong_prefab": "C21",
    "wrong_return": "C03",
    "wrong_version": "C04",
}
"""The clause that each plugin breaks, perhaps among others."""
QUICK = ["bare_settings", "wrong_return", "works_at_import"]
SLOW = [name for name in BROKEN if name not in QUICK]
SAMPLE = ["exits", "hides_state", "ignores_dt", "kept_world", "unordered_set", "writes_nan"]
BESIDES = {"endless_end": "C21", "exits": "C21", "hangs": "C21", "polite_exit": "C21", "missing_dependency": "C01"}
"""The clause that is checked when the fault shows itself, where it is another one."""


def faults(name: str, folder: Path, *clauses: str, limit: float = 60.0) -> list[Violation]:
    """Return what the kit finds in a planted plugin."""
    return run(name, clauses or None, path=[plant(name, folder)], limit=limit)


def is_named(name: str, folder: Path) -> None:
    """Check that the fault of a plugin is found."""
    clauses = {BROKEN[name], BESIDES.get(name, BROKEN[name])}
    found = faults(name, folder, *clauses, limit=3.0 if name == "hangs" else 60.0)
    named = [each for each in found if each.clause == BROKEN[name]]
    assert named, found
    assert all(each.hint or each.where for each in named)
    assert name != "hangs" or "hangs.py:1" in (named[0].where or "")
    assert all(str(each).find(f"{name}: {each.clause} {each.title}: ") >= 0 for each in named)


def test_every_fault_is_expected() -> None:
    """The planted plugins and the list of what they break are the same, and most clauses have one that breaks them."""
    assert {*BROKEN, "healthy"} == {*NAMES}
    broken = {*BROKEN.values()}
    assert broken <= {each.id for each in CLAUSES}
    assert len(broken) > 0.6 * len(CLAUSES)


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_a_fault_is_named(name: str, tmp_path: Path) -> None:
    """The clause that a plugin breaks is named, with a place or with what to do."""
    is_named(name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", long(SLOW, SAMPLE))
def test_a_fault_of_a_running_game_is_named(name: str, tmp_path: Path) -> None:
    """Faults that only a running game shows are named as well."""
    is_named(name, tmp_path)


@only_long
@pytest.mark.slow
def test_a_plugin_without_a_fault_breaks_no_clause(tmp_path: Path) -> None:
    """No clause complains about a plugin that keeps all rules."""
    assert faults("healthy", tmp_path) == []
