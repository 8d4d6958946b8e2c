"""Completing a game's `plugin.py`: a hook that declares new code, added to what the person has written.

    source = declare_code(source, "rish_components", "Wind", "components.wind")
    source = declare_code(source, "rish_scripts", "Door", "scripts.door", finder="rish_scripts.scripts_in")

All statements that were there stay as they are, except that a list which a hook returns gets one more item.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from rish_core import UsageError

_FIRST = '"""The game\'s own plugin: it declares the game\'s code."""\n'
_BLOCKS = (ast.If, ast.Try, ast.With, ast.For, ast.While)


@dataclass(frozen=True)
class _Wish:
    """hook: the function to add. thing: what it returns: a name in `module`. module: of the new code, relative to the
    game's folder. finder: the function that finds the things of a package instead, with its module; "" for none.
    """

    hook: str
    thing: str
    module: str
    finder: str

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]

    @property
    def found_by(self) -> tuple[str, str]:
        """The module and the name of the finder."""
        module, _, name = self.finder.rpartition(".")
        return module, name

    @property
    def imports(self) -> list[str]:
        if not self.finder:
            return [f"from .{self.module} import {self.thing}"]
        module, name = self.found_by
        return [f"from {module} import {name}", f"from . import {self.package}"]

    @property
    def value(self) -> str:
        return f"{self.found_by[1]}({self.package})" if self.finder else f"[{self.thing}]"

    @property
    def function(self) -> str:
        kind = self.hook.removeprefix("rish_")
        said = f"Return the {kind} in {self.package}/." if self.finder else f"Return the {kind} of the game."
        return f'def {self.hook}():\n    """{said}"""\n    return {self.value}\n'

    def refused(self, why: str) -> UsageError:
        added = [*self.imports, f"def {self.hook}():", f"    return {self.value}"]
        return UsageError(f"plugin.py can't be completed: {why}", hint="Add to it:\n" + "\n".join(added))


def declare_code(source: str, hook: str, thing: str, module: str, *, finder: str = "") -> str:
    """Return the text of a `plugin.py` in which a hook declares a thing; the same text if it does already.

    source: the present text, "" for a new file. hook: such as `rish_components`. thing: a name in the module. module:
    of the new code, relative to the game's folder, such as `components.wind`. finder: a function that finds all things
    of the module's package, such as `rish_scripts.scripts_in`; the hook then returns what it finds, unless it lists
    things of that package by their names.

    Raises UsageError with the lines to add if the text can't be completed without a change of what it does.
    """
    wish = _Wish(hook, thing, module, finder)
    newline = "\r\n" if "\r\n" in source else "\n"
    text = source.replace("\r\n", "\n")
    if not text.strip():
        text = _FIRST
    before = _parsed(text, wish)
    made = _completed(text, before, wish)
    _check(before, _parsed(made, wish), wish)
    return made.replace("\n", newline)


def _parsed(text: str, wish: _Wish) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise wish.refused(f"it has a mistake{line}") from None


def _completed(text: str, tree: ast.Module, wish: _Wish) -> str:
    found = [node for node in _bindings(tree) if wish.hook in _names(node)]
    if not found:
        text = text if text.endswith("\n") else text + "\n"
        return _with_imports(f"{text.rstrip()}\n\n\n{wish.function}", tree, wish)
    function = found[0]
    if len(found) > 1 or not isinstance(function, ast.FunctionDef) or function not in tree.body:
        raise wish.refused(f"{wish.hook} is not a plain function in it")
    if wish.finder and _finds(function, tree, wish):
        return text
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    given = returns[0].value if len(returns) == 1 else None
    if not isinstance(given, ast.List) or function.body[-1] is not returns[0]:
        raise wish.refused(f"{wish.hook} does not return a list in its last line")
    if wish.finder and any(_is_of(each, tree, wish.package) for each in given.elts):
        wish = replace(wish, finder="")
    if not wish.finder and any(_last_name(each) == wish.thing for each in given.elts):
        return text
    item = f"*{wish.value}" if wish.finder else wish.thing
    return _with_imports(_with_item(text, given, item), tree, wish)


def _finds(function: ast.FunctionDef, tree: ast.Module, wish: _Wish) -> bool:
    """Whether a hook returns already what the finder finds in the package."""
    module, name = wish.found_by
    finders = {name} | _aliases(tree, module, name)
    packages = {wish.package} | _aliases(tree, "", wish.package)
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    return any(
        _last_name(call.func) in finders and any(_last_name(each) in packages for each in call.args) for call in calls
    )


def _last_name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _aliases(tree: ast.Module, module: str, name: str) -> set[str]:
    """Return the names under which a text has imported a name of a module; "": of the game's folder."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "") == module and bool(node.level) == (not module):
            found |= {each.asname or each.name for each in node.names if each.name == name}
    return found


def _is_of(node: ast.expr, tree: ast.Module, package: str) -> bool:
    """Whether a name was imported from a package of the game."""
    return isinstance(node, ast.Name) and any(
        isinstance(each, ast.ImportFrom)
        and each.level == 1
        and (each.module or "").partition(".")[0] == package
        and any(node.id == (one.asname or one.name) for one in each.names)
        for each in tree.body
    )


def _with_item(text: str, given: ast.List, item: str) -> str:
    """Return the text with one more item at the end of a list."""
    lines = text.split("\n")
    if given.elts:
        last = given.elts[-1]
        row, column = (last.end_lineno or 1) - 1, _column(lines, last.end_lineno, last.end_col_offset)
        new = f", {item}"
        before = lines[row][: len(lines[row]) - len(lines[row].lstrip())]
        if given.lineno != last.lineno and (given.elts[0].lineno != given.lineno):
            new = f",\n{before}{item}"
    else:
        row, column, new = given.lineno - 1, _column(lines, given.lineno, given.col_offset) + 1, item
    lines[row] = lines[row][:column] + new + lines[row][column:]
    return "\n".join(lines)


def _column(lines: list[str], line: int | None, offset: int | None) -> int:
    """Return a column in characters; the parser counts bytes of UTF-8."""
    return len(lines[(line or 1) - 1].encode()[: offset or 0].decode(errors="ignore"))


def _with_imports(text: str, tree: ast.Module, wish: _Wish) -> str:
    """Return the text with the imports that a wish needs, after those at its beginning."""
    missing = [line for line in wish.imports if not _has_import(tree, line, wish)]
    own = [line for line in missing if line.startswith("from .")]
    others = [line for line in missing if line not in own]
    lines = text.split("\n")
    first = next((number for number, node in enumerate(tree.body) if not _is_text(node)), len(tree.body))
    heads: list[ast.stmt] = []
    for node in tree.body[first:]:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            break
        heads.append(node)
    relative = [node for node in heads if isinstance(node, ast.ImportFrom) and node.level]
    absolute = [node for node in heads if node not in relative]
    top = (tree.body[0].end_lineno or 0) if first else sum(line.startswith(("#!", "# -*-")) for line in lines[:2])
    for new, same, before in ((own, relative, heads), (others, absolute, [])):
        if new and same:
            at = same[-1].end_lineno or 0
            lines[at:at] = new
        elif new:
            at = (before[-1].end_lineno or 0) if before else top
            after = [""] if at < len(lines) and lines[at].strip() else []
            lines[at:at] = [*([""] if at else []), *new, *after]
    return "\n".join(lines)


def _has_import(tree: ast.Module, line: str, wish: _Wish) -> bool:
    """Whether a text has an import already. Raises UsageError if the name means something else in it."""
    wanted = ast.parse(line).body[0]
    assert isinstance(wanted, ast.ImportFrom)
    name = wanted.names[0].name
    same = [
        node for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module, node.level) == (wanted.module, wanted.level)
    ]  # fmt: skip
    if any(each.name == name and each.asname in (None, name) for node in same for each in node.names):
        return True
    if any(name in _names(each) for each in _bindings(tree)):
        raise wish.refused(f"{name} is something else in it")
    return False


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _bindings(tree: ast.Module) -> list[ast.stmt]:
    """Return the statements of a module that bind names, also those in conditions."""
    found: list[ast.stmt] = []
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        found.append(node)
        if isinstance(node, _BLOCKS):
            waiting += [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.stmt)]
            waiting += [one for each in getattr(node, "handlers", ()) for one in each.body]
    return found


def _names(node: ast.stmt) -> set[str]:
    """Return the names that a statement binds."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {each.asname or each.name.partition(".")[0] for each in node.names}
    if isinstance(node, _BLOCKS):
        return set()
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _check(before: ast.Module, after: ast.Module, wish: _Wish) -> None:
    """Raise UsageError unless all statements are still there, in their order, but for the hook."""
    left = iter(after.body)
    for node in before.body:
        if isinstance(node, ast.FunctionDef) and node.name == wish.hook:
            continue
        same = ast.dump(node)
        if not any(ast.dump(other) == same for other in left):
            raise wish.refused("its form is not understood")
