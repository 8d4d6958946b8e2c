"""The reference page of the plugins: what each requires, provides and does without."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path

from reference_text import table

from rish_core.plugin import installed_plugins, load_plugins

FOLDER = Path(__file__).parents[1] / "plugins"

INTRO = """# Plugins and contracts

What `rish plugins info` prints of the plugins of this repository, and the contracts that they provide.

"""


def plugins_page() -> str:
    """Return the page of the plugins in this repository."""
    paths = FOLDER.glob("*/pyproject.toml")
    ours = {tomllib.loads(path.read_text(encoding="utf-8"))["project"]["name"] for path in paths}
    found = [one for one in installed_plugins() if one.distribution in ours]
    rows, contracts = [], dict[str, list[str]]()
    without: list[list[str]] = []
    for one in found:
        about = load_plugins([one.name], installed=found, policy="raise")[one.name].about
        rows.append([f"`{one.name}`", one.distribution, about.description, _codes(map(str, about.requires))])
        without += [[f"`{one.name}`", f"`{wanted}`", effect] for wanted, effect in about.optional.items() if effect]
        for provided in about.provides:
            contracts.setdefault(provided.name, []).append(f"`{one.name}`: `{provided}`")
    return (
        INTRO
        + table(["plugin", "package", "what it is", "requires"], rows)
        + "\n## Contracts\n\n"
        + table(["contract", "providers"], [[f"`{name}`", ", ".join(them)] for name, them in sorted(contracts.items())])
        + "\n## Without\n\nWhat plugins do without an optional plugin or capability.\n\n"
        + table(["plugin", "without", "effect"], without)
    )


def _codes(texts: Iterable[str]) -> str:
    return ", ".join(f"`{text}`" for text in texts)
