"""Adds a hook that declares new code to a game's `plugin.py`.

    source = declare_code(source, "rish_components", "Wind", "components.wind")
    source = declare_code(source, "rish_scripts", "Door", "scripts.door", finder="rish_scripts.scripts_in")

All existing statements stay as they are, except that a list that a hook returns gets one more item.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from rish_core import UsageError

_FIRST = '"""The game\'s own plugin: it declares the game\'s code."""\n'
_BLOCKS = (ast.If, ast.Try, ast.With, ast.For, ast.While)


@dataclass(frozen=True)
class _Declaration:
    """What to declare, and how.

    hook: the function to add. thing: the name in `module` that it returns. module: the module of the new code, relative
    to the game's folder. finder: the function that finds all things of a package instead, with its module; "" for none.
    """

    hook: str
    thing: str
    module: str
    finder: str

    @property
    def package(self) -> str:
        """The package of the module."""
        return self.module.partition(".")[0]

    @property
    def finder_parts(self) -> tuple[str, str]:
        """The module and the name of the finder."""
        module, _, name = self.finder.rpartition(".")
        return module, name

    @property
    def imports(self) -> list[str]:
        """The import statements that the hook needs."""
        if not self.finder:
            return [f"from .{self.module} import {self.thing}"]
        module, name = self.finder_parts
        return [f"from {module} import {name}", f"from . import {self.package}"]

    @property
    def value(self) -> str:
        """The expression that the hook returns."""
        return f"{self.finder_parts[1]}({self.package})" if self.finder else f"[{self.thing}]"

    @property
    def function(self) -> str:
        """The source of the hook."""
        kind = self.hook.removeprefix("rish_")
        docstring = f"Return the {kind} in {self.package}/." if self.finder else f"Return the {kind} of the game."
        return f'def {self.hook}():\n    """{docstring}"""\n    return {self.value}\n'

    def refused(self, why: str) -> UsageError:
        """Return an error with the lines to add by hand."""
        lines = [*self.imports, f"def {self.hook}():", f"    return {self.value}"]
        return UsageError(f"plugin.py can't be completed: {why}", hint="Add to it:\n" + "\n".join(lines))


def declare_code(source: str, hook: str, thing: str, module: str, *, finder: str = "") -> str:
    """Return the source of a `plugin.py` in which a hook declares a thing; the same source if it does already.

    source: the present source, "" for a new file. hook: its name, such as `rish_components`. thing: a name in the
    module. module: the module of the new code, relative to the game's folder, such as `components.wind`. finder: a
    function that finds all things of the module's package, such as `rish_scripts.scripts_in`; the hook then returns
    what it finds, unless it lists things of that package by their names.

    Raises UsageError with the lines to add, if adding them would change what the source does.
    """
    declaration = _Declaration(hook, thing, module, finder)
    newline = "\r\n" if "\r\n" in source else "\n"
    text = source.replace("\r\n", "\n")
    if not text.strip():
        text = _FIRST
    before = _parsed(text, declaration)
    completed = _completed(text, before, declaration)
    _check(before, _parsed(completed, declaration), declaration)
    return completed.replace("\n", newline)


def _parsed(text: str, declaration: _Declaration) -> ast.Module:
    """Return the syntax tree of a source. Raises UsageError."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise declaration.refused(f"it has a mistake{line}") from None


def _completed(text: str, tree: ast.Module, declaration: _Declaration) -> str:
    definitions = [node for node in _bindings(tree) if declaration.hook in _names(node)]
    if not definitions:
        text = text if text.endswith("\n") else text + "\n"
        return _with_imports(f"{text.rstrip()}\n\n\n{declaration.function}", tree, declaration)
    function = definitions[0]
    if len(definitions) > 1 or not isinstance(function, ast.FunctionDef) or function not in tree.body:
        raise declaration.refused(f"{declaration.hook} is not a plain function in it")
    if declaration.finder and _uses_finder(function, tree, declaration):
        return text
    returns = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    returned = returns[0].value if len(returns) == 1 else None
    if not isinstance(returned, ast.List) or function.body[-1] is not returns[0]:
        raise declaration.refused(f"{declaration.hook} does not return a list in its last line")
    if declaration.finder and any(_is_imported_from(element, tree, declaration.package) for element in returned.elts):
        declaration = replace(declaration, finder="")
    if not declaration.finder and any(_last_name(element) == declaration.thing for element in returned.elts):
        return text
    item = f"*{declaration.value}" if declaration.finder else declaration.thing
    return _with_imports(_with_item(text, returned, item), tree, declaration)


def _uses_finder(function: ast.FunctionDef, tree: ast.Module, declaration: _Declaration) -> bool:
    """Return whether a hook already returns what the finder finds in the package."""
    module, name = declaration.finder_parts
    finders = {name} | _aliases(tree, module, name)
    packages = {declaration.package} | _aliases(tree, "", declaration.package)
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    return any(
        _last_name(call.func) in finders and any(_last_name(argument) in packages for argument in call.args)
        for call in calls
    )


def _last_name(node: ast.expr) -> str:
    """Return the name after the last dot of an expression; "" if it is no name."""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _aliases(tree: ast.Module, module: str, name: str) -> set[str]:
    """Return the names under which a source imports a name of a module. module: "" for the game's folder."""
    aliases: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "") == module and bool(node.level) == (not module):
            aliases |= {alias.asname or alias.name for alias in node.names if alias.name == name}
    return aliases


def _is_imported_from(node: ast.expr, tree: ast.Module, package: str) -> bool:
    """Return whether a name was imported from a package of the game."""
    return isinstance(node, ast.Name) and any(
        isinstance(statement, ast.ImportFrom)
        and statement.level == 1
        and (statement.module or "").partition(".")[0] == package
        and any(node.id == (alias.asname or alias.name) for alias in statement.names)
        for statement in tree.body
    )


def _with_item(text: str, items: ast.List, item: str) -> str:
    """Return the source with one more item at the end of a list."""
    lines = text.split("\n")
    if items.elts:
        last = items.elts[-1]
        row, column = (last.end_lineno or 1) - 1, _column(lines, last.end_lineno, last.end_col_offset)
        new = f", {item}"
        indent = lines[row][: len(lines[row]) - len(lines[row].lstrip())]
        if items.lineno != last.lineno and (items.elts[0].lineno != items.lineno):
            new = f",\n{indent}{item}"
    else:
        row, column, new = items.lineno - 1, _column(lines, items.lineno, items.col_offset) + 1, item
    lines[row] = lines[row][:column] + new + lines[row][column:]
    return "\n".join(lines)


def _column(lines: list[str], line: int | None, offset: int | None) -> int:
    """Return a column in characters; the parser counts bytes of UTF-8."""
    return len(lines[(line or 1) - 1].encode()[: offset or 0].decode(errors="ignore"))


def _with_imports(text: str, tree: ast.Module, declaration: _Declaration) -> str:
    """Return the source with the imports that a declaration needs, after the imports at its beginning."""
    missing = [line for line in declaration.imports if not _has_import(tree, line, declaration)]
    of_game = [line for line in missing if line.startswith("from .")]
    others = [line for line in missing if line not in of_game]
    lines = text.split("\n")
    body_start = next((number for number, node in enumerate(tree.body) if not _is_docstring(node)), len(tree.body))
    imports: list[ast.stmt] = []
    for node in tree.body[body_start:]:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            break
        imports.append(node)
    relative = [node for node in imports if isinstance(node, ast.ImportFrom) and node.level]
    absolute = [node for node in imports if node not in relative]
    top = (tree.body[0].end_lineno or 0) if body_start else sum(line.startswith(("#!", "# -*-")) for line in lines[:2])
    for new, same, before in ((of_game, relative, imports), (others, absolute, [])):
        if new and same:
            position = same[-1].end_lineno or 0
            lines[position:position] = new
        elif new:
            position = (before[-1].end_lineno or 0) if before else top
            after = [""] if position < len(lines) and lines[position].strip() else []
            lines[position:position] = [*([""] if position else []), *new, *after]
    return "\n".join(lines)


def _has_import(tree: ast.Module, line: str, declaration: _Declaration) -> bool:
    """Return whether a source has an import already. Raises UsageError if it uses the name for something else."""
    statement = ast.parse(line).body[0]
    assert isinstance(statement, ast.ImportFrom)
    name = statement.names[0].name
    equal_imports = [
        node for node in tree.body
        if isinstance(node, ast.ImportFrom) and (node.module, node.level) == (statement.module, statement.level)
    ]  # fmt: skip
    if any(each.name == name and each.asname in (None, name) for node in equal_imports for each in node.names):
        return True
    if any(name in _names(each) for each in _bindings(tree)):
        raise declaration.refused(f"{name} is something else in it")
    return False


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _bindings(tree: ast.Module) -> list[ast.stmt]:
    """Return the statements of a module that bind names, also those in conditions."""
    statements: list[ast.stmt] = []
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        node = waiting.pop(0)
        statements.append(node)
        if isinstance(node, _BLOCKS):
            waiting += [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
            waiting += [statement for child in getattr(node, "handlers", ()) for statement in child.body]
    return statements


def _names(node: ast.stmt) -> set[str]:
    """Return the names that a statement binds."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {each.asname or each.name.partition(".")[0] for each in node.names}
    if isinstance(node, _BLOCKS):
        return set()
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def _check(before: ast.Module, after: ast.Module, declaration: _Declaration) -> None:
    """Raise UsageError unless `after` has all statements of `before` except the hook, in the same order."""
    remaining = iter(after.body)
    for node in before.body:
        if isinstance(node, ast.FunctionDef) and node.name == declaration.hook:
            continue
        dumped = ast.dump(node)
        if not any(ast.dump(other) == dumped for other in remaining):
            raise declaration.refused("its form is not understood")
