"""The page of all modules: each file of the packages with the first sentence of its docstring, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from reference_text import code, first_sentence, table

ROOT = Path(__file__).parents[1]
LEAD = """# Modules

Each package, its folders and its files in one line. The order of the packages is in the
[architecture](../architecture.md#packages); what other packages may import is in [public names](names.md).
"""


def modules_page() -> str:
    """Return the page: a chapter for each package, with its modules by their path in it."""
    parts = [LEAD]
    for source in sorted(
        source for folder in ("libs/*", "rish_core", "kits/*", "plugins/*") for source in ROOT.glob(f"{folder}/src/*")
    ):
        if (source / "__init__.py").is_file():
            parts += [f"## {source.name}\n", table(("module", "what"), rows_of(source))]
    return "\n".join(parts)


def rows_of(package: Path) -> Iterator[tuple[str, str]]:
    """Yield path and sentence of each module of a package; folders come before what is in them."""
    for path in sorted(package.rglob("*.py"), key=lambda path: path.relative_to(package).with_suffix("").parts):
        inner = path.relative_to(package).as_posix()
        if "templates" in path.parts or (path.name == "__init__.py" and path.parent == package):
            continue
        text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        yield code(inner.replace("__init__.py", "")), first_sentence(text)
