"""Completing a game's plugin.py: the new code is declared, and what the person has written stays."""

from __future__ import annotations

import ast

import pytest

from rish_authoring import declare_code
from rish_core import UsageError

FINDER = "rish_scripts.scripts_in"
STYLES = {
    "missing": "",
    "only a docstring": '"""My game."""\n',
    "a comment": "# the wind of my game\n",
    "a shebang and a coding": "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nimport math\n",
    "other hooks": (
        '"""Doc."""\n\nfrom rish_core import Stage, system\n\nfrom .world import x\n\n\n'
        "@system(Stage.UPDATE)\ndef blow(world, dt):\n    pass\n\n\ndef rish_systems():\n    return [blow]\n"
    ),
    "no line at the end": "import math\ndef rish_systems(): return []",
    "carriage returns": "import math\r\n\r\n\r\ndef rish_systems():\r\n    return []\r\n",
    "imports in brackets": (
        "from rish_core import (\n    Stage,\n    system,\n)\nfrom . import (  # own\n    levels,\n)\nX = 1\n"
    ),
    "imports later": "from __future__ import annotations\nX = 1\nimport math\n",
    "a comment above a function": "# This is the wind.\ndef rish_systems():\n    return []\n",
    "conditions": "try:\n    import numpy\nexcept ImportError:\n    numpy = None\n",
}
LISTS = {
    "return []": "return [Wind]",
    "return [A]": "return [A, Wind]",
    "return [A, B,]  # both": "return [A, B, Wind,]  # both",
    "return [*others(), Ä]": "return [*others(), Ä, Wind]",
    "return [\n        A,\n        B,\n    ]": "return [\n        A,\n        B,\n        Wind,\n    ]",
}


def declared(source: str) -> str:
    """Return a text that declares a script and a component."""
    with_script = declare_code(source, "rish_scripts", "Door", "scripts.door", finder=FINDER)
    return declare_code(with_script, "rish_components", "Wind", "components.wind")


@pytest.mark.parametrize("source", STYLES.values(), ids=STYLES)
def test_hooks_are_added_and_every_statement_stays(source: str) -> None:
    """The statements, comments and ends of lines that were there stay, in their order; a second time adds nothing."""
    made = declared(source)
    before, after = [ast.dump(node) for node in ast.parse(source).body], [ast.dump(n) for n in ast.parse(made).body]
    assert [node for node in after if node in before] == before
    assert [line for line in source.splitlines() if line.strip()] == [
        line for line in made.splitlines() if line.strip() and line in source.splitlines()
    ]
    assert ("\r" in made) == ("\r" in source)
    assert "return scripts_in(scripts)" in made
    assert "return [Wind]" in made
    assert declared(made) == made


@pytest.mark.parametrize("given", LISTS)
def test_a_list_that_a_hook_returns_gets_one_more_item(given: str) -> None:
    """A hook that returns a list in its last line returns the new thing too, in the form of the list."""
    source = f"from .others import A, B, Ä\n\n\ndef rish_components():\n    {given}\n"
    made = declare_code(source, "rish_components", "Wind", "components.wind")
    assert LISTS[given] in made
    assert "from .components.wind import Wind\n" in made
    assert declare_code(made, "rish_components", "Wind", "components.wind") == made


FOUND = (
    "from rish_scripts import scripts_in\nfrom . import scripts\ndef rish_scripts():\n    return scripts_in(scripts)\n",
    "import rish_scripts as r\nfrom . import scripts\ndef rish_scripts():\n    return [*r.scripts_in(scripts)]\n",
    "from rish_scripts import scripts_in as f\nfrom . import scripts as s\ndef rish_scripts():\n    return f(s)\n",
)


@pytest.mark.parametrize("source", FOUND)
def test_a_text_that_finds_scripts_already_stays_as_it_is(source: str) -> None:
    """Whatever the names of imports, a hook that returns the scripts of the folder needs no edit."""
    assert declare_code(source, "rish_scripts", "Door", "scripts.door", finder=FINDER) == source


def test_scripts_that_are_listed_by_name_get_one_more_name() -> None:
    """A finder beside a list of the same scripts would declare them twice, so the new one is listed too."""
    source = "from .scripts.fox import Fox\n\n\ndef rish_scripts():\n    return [Fox]\n"
    made = declare_code(source, "rish_scripts", "Door", "scripts.door", finder=FINDER)
    assert "from .scripts.door import Door" in made
    assert "return [Fox, Door]" in made


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("def broken(:\n", "it has a mistake in line 1"),
        ("rish_components = lambda: []\n", "not a plain function"),
        ("from .hooks import rish_components\n", "not a plain function"),
        ("if X:\n    def rish_components():\n        return []\n", "not a plain function"),
        ("def rish_components():\n    return list(FOUND)\n", "does not return a list"),
        ("def rish_components():\n    if X:\n        return []\n    return [A]\n", "does not return a list"),
        ("def rish_components():\n    yield A\n", "does not return a list"),
        ("Wind = 3\n", "Wind is something else"),
        ("def Wind(): pass\n", "Wind is something else"),
    ],
)
def test_what_is_not_safe_is_refused_with_the_lines_to_add(source: str, why: str) -> None:
    """A text that can't be completed without a change of what it does is left to the person, with the exact lines."""
    with pytest.raises(UsageError, match=why) as found:
        declare_code(source, "rish_components", "Wind", "components.wind")
    assert "from .components.wind import Wind\ndef rish_components():\n    return [Wind]" in str(found.value.hint)
