"""Parts of libraries that are left out."""

from __future__ import annotations

import pytest

from rish_export.unused import is_unused, rules_for


@pytest.mark.parametrize(
    ("package", "name", "unused"),
    [
        ("arcade", "arcade/resources/assets/sounds/coin1.wav", True),
        ("arcade", "arcade/gl/context.py", False),
        ("arcade", "arcade/__init__.py", False),
        ("numpy", "numpy/_core/tests/test_multiarray.py", True),
        ("numpy", "numpy/_core/_simd.cpython-311-x86_64-linux-gnu.so", True),
        ("numpy", "numpy/_core/_multiarray_tests.cpython-311-x86_64-linux-gnu.so", True),
        ("numpy", "numpy/_core/_multiarray_umath.cpython-311-x86_64-linux-gnu.so", False),
        ("numpy", "numpy/testing/__init__.py", False),
        ("pillow", "pillow.libs/libavif-01e67780.so.16.3.0", True),
        ("pillow", "PIL/_imaging.cpython-311-x86_64-linux-gnu.so", False),
        ("babel", "babel/locale-data/zh_Hant_TW.dat", False),
        ("babel", "babel/locale-data/root.dat", False),
        ("babel", "babel/locale-data/de.dat", True),
        ("babel", "babel/locale-data/de_AT.dat", True),
        ("babel", "babel/locale-data/zhx.dat", True),
        ("lake", "lake/__init__.pyi", True),
    ],
)
def test_parts_that_no_game_needs(package: str, name: str, unused: bool) -> None:
    """Tests, samples, headers and other languages are left out; what is imported stays."""
    assert is_unused(name, rules_for(()).get(package), {"zh-Hant", "en"}) is unused


def test_a_game_that_imports_a_library_gets_all_of_it() -> None:
    """The rule of a library counts only where the game's code does not import it."""
    assert "arcade" not in rules_for({"arcade"})
    assert not is_unused("arcade/sprite/base.py", rules_for({"arcade"}).get("arcade"), ())
