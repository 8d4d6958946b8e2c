"""The manual is complete: every hook of every package has full documentation, an example and a test."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from pathlib import Path

import pytest

from known_hooks import hooks_by_package
from rish_core.plugin import hooks

TESTS = Path(__file__).resolve().parent.parent
PARTS = ("When", "How often", "Arguments", "Returns", "Failures", "Example")


BY_PACKAGE = hooks_by_package()
KERNEL, FRAME = BY_PACKAGE["rish_core"], BY_PACKAGE["rish_frame"]
HOOKS = {name: function for found in BY_PACKAGE.values() for name, function in found.items()}
PHASES = {
    "Declare": "about hookspecs settings components resources events systems layers host manifest_keys layer_options "
    "loaders prefabs names",
    "Moments": "manifest ready scene_loaded warm_up scene_unloading reloaded shutdown",
    "Errors and tools": "system_failed error_hint frame_end",
}
OF_THE_FRAME = "passes backends drawers compute pickers device_ready samples loading"


def part(hook: str, name: str) -> str:
    """Return the text of one part of a hook's docstring."""
    doc = inspect.getdoc(HOOKS[hook]) or ""
    following = "|".join(PARTS)
    found = re.search(rf"^{name}:+\s*(.*?)(?=^(?:{following}):|\Z)", doc, re.MULTILINE | re.DOTALL)
    return found[1].strip("\n") if found else ""


def example(hook: str) -> str:
    """Return the example of a hook, as source."""
    doc = inspect.getdoc(HOOKS[hook]) or ""
    return textwrap.dedent(doc.partition("Example::")[2]).strip()


def test_the_hooks_are_those_of_the_design() -> None:
    """The manual has exactly these hooks, in this order."""
    assert list(KERNEL) == [f"rish_{name}" for names in PHASES.values() for name in names.split()]
    assert list(FRAME) == [f"rish_{name}" for name in OF_THE_FRAME.split()]


def test_the_manual_is_grouped_by_phase() -> None:
    """A banner comment precedes the hooks of each phase."""
    source = inspect.getsource(hooks)
    for phase, names in PHASES.items():
        banner = source.index(f"# {phase}: ")
        assert banner < source.index(f"def rish_{names.split()[0]}(")


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_documented(hook: str) -> None:
    """A hook has a first line that is a sentence, then when, how often, arguments, returns and failures."""
    doc = inspect.getdoc(HOOKS[hook]) or ""
    assert doc.partition("\n")[0].endswith((".", "."))
    for name in PARTS[:-1]:
        assert len(part(hook, name)) > 3, f"{hook} does not say: {name}"


@pytest.mark.parametrize("hook", HOOKS)
def test_every_argument_is_explained(hook: str) -> None:
    """The explained arguments are exactly those of the signature."""
    signature = list(inspect.signature(HOOKS[hook]).parameters)
    explained = part(hook, "Arguments")
    assert re.findall(r"(?:^|\. )([a-z]+): ", explained) == signature or (not signature and explained == "none.")


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_has_an_example(hook: str) -> None:
    """The example has three to twelve lines that parse and implement the hook with valid arguments."""
    source = example(hook)
    lines = [line for line in source.splitlines() if line.strip()]
    assert 2 <= len(lines) <= 12
    functions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
    assert hook in functions
    given = [argument.arg for argument in functions[hook].args.args]
    assert set(given) <= set(inspect.signature(HOOKS[hook]).parameters)


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_typed(hook: str) -> None:
    """Each argument and the return value have a type."""
    signature = inspect.signature(HOOKS[hook])
    assert signature.return_annotation is not signature.empty
    assert all(p.annotation is not p.empty for p in signature.parameters.values())


def test_declaring_hooks_take_no_arguments() -> None:
    """Declaring hooks have no arguments, since declarations can't depend on state."""
    for hook in PHASES["Declare"].split():
        assert not inspect.signature(HOOKS[f"rish_{hook}"]).parameters


def test_every_hook_has_a_test() -> None:
    """There is a `test_hook_<name>` for each hook among the tests."""
    tested = {
        name
        for path in TESTS.rglob("test_*.py")
        for name in re.findall(r"^def test_hook_(rish_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert set(HOOKS) <= tested, f"no test for {sorted(set(HOOKS) - tested)}"
