"""Names and texts are in American English, as in the libraries that games use beside Rish (decision 18)."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOTS = (
    "local", "normal", "initial", "maxim", "minim", "optim", "organ", "quant", "random", "raster", "recogn", "serial",
    "special", "stabil", "summar", "synchron", "synthes", "vector",
)  # fmt: skip
BRITISH = (
    "colour", "centre", "centring", "centerd", "neighbour", "grey", "metre", "behaviour", "catalogue", "favour",
    "honour", "labelled", "travelled", "modelled", "modelling", "licence",
    *(f"{root}is{end}" for root in ROOTS for end in ("e", "ing", "ation")),
)  # fmt: skip
ALLOWED = ("__neighbours", "`grey`", '"grey"', "slategrey")
"""The key of a foreign format, and the second spelling of a CSS color."""
HAN = re.compile("[\u3400-\u9fff]")
HAVE_HAN = {"language.py", "languages.py", "scripts.py", "verb_tests.py"}
"""The names of languages, samples of writings, and a test of backends."""


def test_spelling_is_american() -> None:
    """No British spelling stands in code, shaders, manifests and pages, and in the names of files and folders."""
    wrong: list[str] = []
    for folder in ("rish_core", "libs", "kits", "plugins", "examples", "games", "tests", "benchmarks", "docs"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".py", ".md", ".glsl", ".frag", ".vert", ".comp", ".yaml") or path == Path(__file__):
                continue
            text = f"{path.relative_to(ROOT)} {path.read_text(encoding='utf-8')}".lower()
            for allowed in ALLOWED:
                text = text.replace(allowed, "")
            for word in BRITISH:
                if word in text:
                    line = text.count("\n", 0, text.index(word)) + 1
                    wrong.append(f"{path.relative_to(ROOT)}:{line}: {word}")
    assert wrong == []


def test_texts_in_chinese_are_files() -> None:
    """Translations are in files: only the sources that are named here have Han characters, as data or names."""
    found = {
        path.name
        for folder in ("rish_core", "libs", "kits", "plugins", "examples/plugins/*/src", "games", "docs", "benchmarks")
        for root in ROOT.glob(folder)
        for path in root.rglob("*.py")
        if HAN.search(path.read_text(encoding="utf-8"))
    }
    assert found <= HAVE_HAN
