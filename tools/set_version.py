"""Give all packages another version, and another range of versions in which they accept each other.

`uv run --group wheels python tools/set_version.py 0.2.0` changes every `pyproject.toml` of the workspace, and the
ranges in pages of the documentation and in templates. Packages accept each other from the same minor version:
`>=0.2,<0.3`.
"""

from __future__ import annotations

import re
import sys

from staging import ROOT, settings_of
from wheels import members

_OURS = r"(\brish(?:-[a-z0-9]+)?(?:\[[^\]\"]*\])?|`)"
"""Matches the name of a package, maybe with extras; or a range alone as code."""


def range_of(version: str) -> str:
    """Return the range of versions that are compatible with one."""
    major, minor = (int(part) for part in version.split(".")[:2])
    return f">={major}.{minor},<{major}.{minor + 1}"


def with_ranges(text: str, old: str, new: str) -> str:
    """Return a text with the range of a new version instead of that of the old one after each name of a package."""
    return re.sub(_OURS + re.escape(range_of(old)), lambda match: match[1] + range_of(new), text)


def main(arguments: list[str]) -> int:
    """Rewrite the files and print their names."""
    (new,) = arguments
    old = settings_of(ROOT)["project"]["version"]
    settings = [folder / "pyproject.toml" for folder in members()]
    pages = [ROOT / "README.md", ROOT / "docs" / "stability.md", *sorted(ROOT.glob("docs/how-to/*.md"))]
    templates = sorted(ROOT.glob("plugins/*/src/*/new/templates/*/pyproject.toml"))
    for path in [*settings, *pages, *templates]:
        text = path.read_text(encoding="utf-8")
        changed = with_ranges(text, old, new)
        if path in settings:
            changed = changed.replace(f'\nversion = "{old}"\n', f'\nversion = "{new}"\n', 1)
        if changed != text:
            path.write_text(changed, encoding="utf-8", newline="\n")
            print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
