"""The context menu of a field, and the menu of a component."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from rish_authoring import remove_component, revert
from rish_core import RishError
from rish_ecs import kind_of
from rish_ecs.storage import hangs

from ...look import icons
from ...session.plain_values import data_of, value_of
from ...session.target import Target
from .edits import edit_later

if TYPE_CHECKING:
    from rish_ecs.declarations import FieldSpec

    from ...session.editor import Editor
    from .state import State

_FAILURES = (RishError, ValueError, yaml.YAMLError, TypeError)


def field_menu(state: State, target: Target, spec: FieldSpec, override: bool) -> None:
    """Draw the context menu of the label that was drawn last."""
    ui, editor, tr = target.ui, target.editor, target.editor.tr
    with ui.context_menu(f"{spec.name}:menu") as opened:
        if not opened:
            return
        prefab = state.prefab(target.handles)
        if prefab is not None and ui.item(tr("Revert to prefab"), "revert", icon=icons.PREFAB, enabled=override):
            target.set(
                spec.name, prefab.value(target.cls, spec.name), title=f"Revert {target.cls.__name__}.{spec.name}"
            )
        if ui.item(tr("Reset to default"), "reset", icon=icons.RESET):
            target.set(spec.name, spec.default, title=f"Reset {target.cls.__name__}.{spec.name}")
        ui.separator()
        if ui.item(tr("Copy value"), "copy", icon=icons.COPY):
            editor.copy(_text(data_of(state.world, spec, target.value(spec.name))))
        if ui.item(tr("Paste value"), "paste", icon=icons.PASTE, enabled=bool(editor.clipboard().strip())):
            _paste_value(editor, target, spec)


def _text(data: Any) -> str:
    """Return plain data as YAML of one line; a text without quotes."""
    if isinstance(data, str):
        return data
    return (
        yaml.safe_dump(data, default_flow_style=True, allow_unicode=True, width=10_000).removesuffix("\n...\n").strip()
    )


def _paste_value(editor: Editor, target: Target, spec: FieldSpec) -> None:
    text = editor.clipboard()
    try:
        is_text = spec.type.special in ("str", "chars", "asset") or text.lstrip()[:1] == "#"  # a color, not a comment
        data = text.strip("\n") if is_text else yaml.safe_load(text)
        target.set(spec.name, value_of(target.game.world, spec, data), title=f"Paste {target.cls.__name__}.{spec.name}")
    except _FAILURES as error:
        editor.report(editor.tr("Paste value"), _plain(error))


def component_menu(state: State, target: Target) -> None:
    """Draw the menu of a component, if it is open. It is opened by `ui.open_popup` with the name `menu`."""
    ui, editor, tr = target.ui, target.editor, target.editor.tr
    with ui.popup("menu") as opened:
        if not opened:
            return
        name = target.cls.__name__
        prefab = state.prefab(target.handles)
        if prefab is not None and prefab.has(target.cls):
            changed = [field for field in target.shown if state.is_override(target, field)]
            if ui.item(tr("Revert to prefab"), "revert", icon=icons.PREFAB, enabled=bool(changed)):
                _set_all(target, {field: prefab.value(target.cls, field) for field in changed}, f"Revert {name}")
        if ui.item(tr("Reset to defaults"), "reset", icon=icons.RESET, enabled=bool(target.shown)):
            fields = target.kind.fields
            unchanged = {"parent"} if hangs(target.cls) else set[str]()
            _set_all(
                target,
                {field: fields[field].default for field in target.shown if field not in unchanged},
                f"Reset {name}",
            )
        ui.separator()
        if ui.item(tr("Copy component"), "copy", icon=icons.COPY):
            editor.copy(component_text(target))
        if ui.item(tr("Paste values"), "paste", icon=icons.PASTE, enabled=name in editor.clipboard()):
            _paste_component(editor, target)
        ui.separator()
        if ui.item(tr("Remove component"), "remove", icon=icons.DELETE):
            _remove(editor, target)


def component_text(target: Target) -> str:
    """Return a component of the primary entity as YAML, as a manifest has it, with all fields."""
    world, fields = target.game.world, target.kind.fields
    data = {name: data_of(world, fields[name], target.value(name)) for name in target.shown}
    text = yaml.safe_dump({target.cls.__name__: data}, allow_unicode=True, sort_keys=False, default_flow_style=None)
    return str(text)


def _paste_component(editor: Editor, target: Target) -> None:
    try:
        data: Any = yaml.safe_load(editor.clipboard())
        fields_data = data[target.cls.__name__] or {}
        fields, world = target.kind.fields, target.game.world
        values = {kind_of(target.cls).given_field(str(name)).name: value for name, value in fields_data.items()}
        new_values = {name: value_of(world, fields[name], value) for name, value in values.items()}
    except (*_FAILURES, KeyError, AttributeError) as error:
        editor.report(editor.tr("Paste values"), _plain(error))
        return
    _set_all(target, new_values, f"Paste {target.cls.__name__}")


def _set_all(target: Target, values: dict[str, Any], title: str) -> None:
    """Set several fields as one step."""
    if not values:
        return
    with target.game.edit(title):
        for name, value in values.items():
            target.set(name, value, title=title)


def _remove(editor: Editor, target: Target) -> None:
    cls, handles = target.cls, target.handles.tolist()
    edit_later(
        editor, f"Remove {cls.__name__}", lambda game: remove_component(game.app, handles, cls), what="Remove component"
    )


def restore(editor: Editor, handle: int, cls: type) -> None:
    """Add a component of its prefab to an entity again that was removed from it."""
    edit_later(editor, f"Revert {cls.__name__}", lambda game: revert(game.app, handle, cls), what="Revert to prefab")


def _plain(error: BaseException) -> BaseException:
    """Convert an error to one whose message is shown without a traceback."""
    if isinstance(error, RishError):
        return error
    return RishError(str(error).splitlines()[0] if str(error) else "the clipboard has another text")
