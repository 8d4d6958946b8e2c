"""Wheels with one small plugin, as an installer expects them."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from pathlib import Path

PLUGIN = '''"""A plugin with one component."""
from rish_core import component


@component
class Gust:
    """Blows."""

    force: float = 1.0


def rish_components(): return [Gust]
'''


def write_wheel(
    folder: Path, name: str, *, plugins: Sequence[str] = ("gust",), requires: Sequence[str] = (),
    python: str = ">=3.11", code: str = PLUGIN,
) -> Path:  # fmt: skip
    """Write a wheel whose module offers plugins; return its path. requires: lines of `Requires-Dist`."""
    module = name.replace("-", "_")
    info = f"{module}-0.3.dist-info"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", "Version: 0.3", f"Requires-Python: {python}"]
    points = "[rish.plugins]\n" + "".join(f"{plugin} = {module}\n" for plugin in plugins)
    texts = {
        f"{module}.py": code,
        f"{info}/METADATA": "\n".join([*lines, *(f"Requires-Dist: {each}" for each in requires)]) + "\n\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": points,
    }
    texts[f"{info}/RECORD"] = "".join(f"{each},,\n" for each in (*texts, f"{info}/RECORD"))
    path = folder / f"{module}-0.3-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for each, text in texts.items():
            archive.writestr(each, text)
    return path
