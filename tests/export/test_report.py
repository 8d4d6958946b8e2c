"""The sizes of the parts of a program."""

from __future__ import annotations

from rish_export.report import report_lines, sizes_by_part


def test_parts_are_added_up_and_the_largest_are_named() -> None:
    """This project's packages are one part; files that nobody named are Python's."""
    parts = {"rish_core/app.py": "rish-core", "rish_ecs/world.py": "rish-ecs", "numpy/a.so": "numpy"}
    sizes = [("rish_core/app.py", 1_000_000), ("rish_ecs/world.py", 500_000), ("numpy/a.so", 9_000_000), ("pond", 10)]
    by_part = sizes_by_part(sizes, parts)
    assert by_part == {"Rish": 1_500_000, "numpy": 9_000_000, "Python": 10}
    lines = list(report_lines(by_part))
    assert [line.split()[0] for line in lines] == ["numpy", "Rish", "Python", "unpacked"]
    assert lines[-1].endswith("10.5 MB")
