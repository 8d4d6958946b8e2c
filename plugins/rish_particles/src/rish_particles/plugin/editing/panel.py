"""The panel that tunes the preset of the selected emitter: all of its parameters, with a live preview."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import RishError

from ...components.emitter import Emitter
from ...files.reading import SUFFIX, asset_of
from ...preset import SHAPES, Collision, Effect, ParticleLight, Preset, Pulse
from .fields import draw_curve, draw_field, draw_gradient, label_of
from .preview import MAX_DOTS, Preview
from .tuning import Tuning

if TYPE_CHECKING:
    from rish_editor import UI, Editor

_PREVIEW_HEIGHT = 190
_AREA = {
    "point": (), "line": ("size", "outward"), "circle": ("radius", "outward"), "ring": ("radius", "outward"),
    "box": ("size", "outward"), "polygon": ("outward",), "image": ("image", "size"),
}  # fmt: skip
"""The fields of the shapes of the area of emission."""
_PARTS = {
    "emission": ("rate", "per_unit", "duration", "delay", "loop", "pause", "active"),
    "particle": ("capacity", "life", "direction", "speed", "size", "angle", "spin", "spin_growth", "inherit",
                 "time_scale", "prewarm", "local"),
    "forces": ("gravity", "drag", "wind", "turbulence", "turbulence_scale", "turbulence_drift"),
    "look": ("picture", "blend", "filter", "aligned", "stretch", "sort", "layer", "z", "visible"),
    "collision": ("response", "bounce", "friction"),
    "light": ("radius", "color", "intensity", "maximum"),
}  # fmt: skip
_CURVES = ("size", "speed", "spin", "opacity")


class PresetPanel:
    """The panel that tunes the preset of the emitter that was selected last."""

    id, title, icon, dock, order = "particles.presets", "Particle Preset", "particles", "right", 60
    open = False

    def __init__(self) -> None:
        self._preview: Preview | None = None
        self._world: Any = None
        self._part = ""
        self._zoom = 1.0
        self._stem = ""

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the panel."""
        game = editor.game
        handle = _emitter(game) if game is not None else 0
        if game is None or not handle:
            hint = editor.tr("Select an entity with an Emitter to tune its preset")
            ui.empty(editor.tr("No emitter is selected"), hint, ui.icon("particles"))
            return
        tuning = Tuning.of(editor)
        name = str(game.read(handle, Emitter, "preset"))
        self._header(ui, editor, tuning, handle, name)
        effect = tuning.effect(name)
        if effect is None:
            ui.text(
                editor.tr("The preset can't be loaded; see the log")
                if name
                else editor.tr("The emitter has no preset"),
                "warning",
            )
            return
        self._show(ui, editor, handle, effect)
        if self._part not in effect.presets:
            self._part = effect.name
        self._tabs(ui, editor, effect)
        with ui.area("parameters"), ui.inside(_short(self._part, effect)):
            self._parameters(ui, editor, tuning, effect.presets[self._part])

    # The header: the preset and its file

    def _header(self, ui: UI, editor: Editor, tuning: Tuning, handle: int, name: str) -> None:
        tr, game = editor.tr, tuning.game
        unsaved = bool(name) and tuning.unsaved(name)
        ui.text(game.name_of(handle), "bold")
        if unsaved:
            ui.same_line()
            ui.text(f"{ui.icon('unsaved')} {tr('not saved')}", color=ui.theme.rgba("unsaved"))
        with ui.property(tr("Preset"), "preset"):
            chosen = ui.choice("preset", name, tuning.names())
        if chosen is not None:
            game.set([handle], Emitter, "preset", chosen, name=tr("Choose a preset"))
        shipped = not name or tuning.file_of(name) is None
        tip = (
            tr("The preset ships with the plugin: save it as a new file")
            if shipped
            else tr("Write the preset to its file")
        )
        if ui.button(tr("Save"), "save", icon=ui.icon("save"), enabled=unsaved and not shipped, tooltip=tip):
            _guarded(editor, tr("Save the preset"), lambda: tuning.save(name))
        ui.same_line()
        if ui.button(tr("Save as…"), "save_as", enabled=bool(name)):
            self._stem = f"{_stem(name)}_copy" if shipped else _stem(name)
            ui.open_popup("save_as")
        ui.same_line()
        if ui.button(
            tr("Revert"), "revert", icon=ui.icon("reset"), enabled=unsaved, tooltip=tr("As in the file again")
        ):
            tuning.revert(name)
        ui.same_line()
        if (
            ui.icon_button(ui.icon("reload"), "restart", tr("Begin anew; or double-click the preview"))
            and self._preview
        ):
            self._preview.restart()
        self._save_as(ui, editor, tuning, handle, name)

    def _save_as(self, ui: UI, editor: Editor, tuning: Tuning, handle: int, name: str) -> None:
        with ui.popup("save_as") as is_open:
            if not is_open:
                return
            tr = editor.tr
            ui.text(tr("A new file in the folder of the game"), "dim")
            typed = ui.line("stem", self._stem, width=ui.px(200))
            self._stem = self._stem if typed is None else typed
            ui.same_line()
            ui.text(SUFFIX, "dim")
            if ui.button(tr("Save"), "confirm", kind="primary", enabled=bool(self._stem.strip())):
                asset = _guarded(editor, tr("Save the preset"), lambda: tuning.save_as(name, self._stem))
                if asset is not None:
                    tuning.game.set([handle], Emitter, "preset", asset, name=tr("Choose a preset"))
                    editor.note(tr("Saved as {file}", file=asset), "ok")
                    ui.close_popup()

    # The preview

    def _show(self, ui: UI, editor: Editor, handle: int, effect: Effect) -> None:
        game = editor.game
        assert game is not None
        if self._preview is None or self._world is not game.world:
            self._preview, self._world = Preview(game.world), game.world
        preview = self._preview
        values = {name: game.read(handle, Emitter, name) for name in ("rate_scale", "scale", "color")}
        preview.show(effect, None, **values)
        preview.step(1 / 60)
        canvas = ui.canvas("preview", _PREVIEW_HEIGHT, background="scene")
        width, height = canvas.size
        if canvas.hovered and ui.wheel:
            self._zoom = min(max(self._zoom * 1.15**ui.wheel, 0.05), 20.0)
        if canvas.double_clicked:
            preview.restart()
        dots, middle = preview.dots, np.array([width / 2, height * 0.62])
        places = middle + dots.places * (self._zoom, -self._zoom)
        with canvas.clipped():
            canvas.line((0, middle[1]), (width, middle[1]), "grid_major")
            canvas.line((middle[0], 0), (middle[0], height), "grid")
            canvas.discs(places.tolist(), (dots.radii * self._zoom).tolist(), dots.colors.tolist())
            count = f"{preview.count:,}" + (f" ({MAX_DOTS:,})" if preview.count > MAX_DOTS else "")
            canvas.text((8, 6), editor.tr("{count} {count:particle|particles}", count=count), "text_dim")
            canvas.text((width - 8, 6), f"{self._zoom * 100:.0f} %", "text_dim", right=True)

    # The parameters

    def _tabs(self, ui: UI, editor: Editor, effect: Effect) -> None:
        """Draw tabs that select one of the presets of the file."""
        if len(effect.presets) < 2:
            return
        for k, name in enumerate(effect.presets):
            if k:
                ui.same_line(4)
            label = _short(name, effect) or editor.tr("main")
            if ui.room[0] < ui.px(60):
                ui.space(0)
            if ui.button(label, f"part.{label}", active=name == self._part):
                self._part = name

    def _parameters(self, ui: UI, editor: Editor, tuning: Tuning, preset: Preset) -> None:
        tr = editor.tr
        sections = (
            ("emission", label_of(editor, "emission"), self._emission, True),
            ("area", tr("Area"), self._area, True),
            ("particle", tr("Particles"), self._particle, True),
            ("over_life", tr("Over life"), self._over_life, True),
            ("forces", tr("Forces"), self._plain("forces"), False),
            ("look", tr("Look"), self._plain("look"), False),
            ("collision", tr("Collision"), self._optional("collision", Collision), False),
            ("light", tr("Light"), self._optional("light", ParticleLight), False),
        )
        for name, title, draw, opened in sections:
            with ui.section(title, name, opened=opened) as is_open:
                changed = draw(ui, editor, preset) if is_open else None
            if changed is not None:
                tuning.put(changed, tr("Tune {part}", part=title), ("particles", preset.name, name, ui.gesture))

    def _emission(self, ui: UI, editor: Editor, preset: Preset) -> Preset | None:
        emission = preset.emission
        changed = _fields(ui, editor, emission, _PARTS["emission"])
        burst = emission.pulses[0] if emission.pulses else None
        with ui.property(editor.tr("Burst"), "burst", tooltip=editor.tr("Particles at once when it begins")):
            burst_count = ui.whole("burst", int(burst.count[1]) if burst is not None else 0, low=0, high=100_000)
        if burst_count is not None:
            first = (
                Pulse((float(burst_count), float(burst_count)))
                if burst is None
                else dataclasses.replace(burst, count=(float(burst_count), float(burst_count)))
            )
            changed = dataclasses.replace(
                emission, pulses=(first, *emission.pulses[1:]) if burst_count else emission.pulses[1:]
            )
        return None if changed is None else dataclasses.replace(preset, emission=changed)

    def _area(self, ui: UI, editor: Editor, preset: Preset) -> Preset | None:
        shape, changed = preset.shape, None
        with ui.property(editor.tr("Shape"), "kind"):
            kind = ui.choice("kind", shape.kind, [kind for kind in SHAPES if kind != "image" or shape.image])
        if kind is not None:
            points = shape.points or ((-20.0, -10.0), (20.0, -10.0), (0.0, 20.0)) if kind == "polygon" else shape.points
            radius = shape.radius if shape.radius[1] else (0.0, 20.0)
            size = shape.size if any(shape.size) else (40.0, 20.0)
            changed = dataclasses.replace(shape, kind=kind, points=points, radius=radius, size=size)
        changed = _fields(ui, editor, shape, _AREA[shape.kind]) or changed
        at = draw_field(ui, editor, preset, "at", label=editor.tr("Offset"))
        if at is not None:
            return dataclasses.replace(preset, at=at)
        return None if changed is None else dataclasses.replace(preset, shape=changed)

    def _particle(self, ui: UI, editor: Editor, preset: Preset) -> Preset | None:
        changed = _fields(ui, editor, preset, _PARTS["particle"])
        colors = list(preset.colors)
        for k, color in enumerate(colors):
            with ui.property(editor.tr("Color") if not k else "", f"color.{k}"):
                edited = ui.color(f"color.{k}", color)
            if edited is not None:
                colors[k] = edited
        if ui.button(editor.tr("Add a color"), "color.add", icon=ui.icon("plus")):
            colors.append(colors[-1])
        ui.same_line()
        if ui.button(editor.tr("Remove"), "color.remove", enabled=len(colors) > 1):
            colors.pop()
        blended = draw_field(ui, editor, preset, "blended")
        if tuple(colors) != preset.colors:
            changed = dataclasses.replace(preset, colors=tuple(colors))
        return changed if blended is None else dataclasses.replace(preset, blended=blended)

    def _over_life(self, ui: UI, editor: Editor, preset: Preset) -> Preset | None:
        tr, changed = editor.tr, None
        labels = {"size": tr("Size"), "speed": tr("Speed"), "spin": tr("Spin"), "opacity": tr("Opacity")}
        for name in _CURVES:
            field = f"{name}_over_life"
            edited = draw_curve(ui, editor, field, labels[name], getattr(preset, field), 1.0)
            if edited is not None:
                changed = dataclasses.replace(preset, **{field: edited})
        edited = draw_gradient(ui, editor, "color_over_life", tr("Color"), preset.color_over_life)
        return changed if edited is None else dataclasses.replace(preset, color_over_life=edited)

    def _plain(self, part: str) -> Any:
        """Return the drawer of a section whose fields are in a dataclass of their own."""

        def draw(ui: UI, editor: Editor, preset: Preset) -> Preset | None:
            changed = _fields(ui, editor, getattr(preset, part), _PARTS[part])
            return None if changed is None else dataclasses.replace(preset, **{part: changed})

        return draw

    def _optional(self, part: str, cls: type) -> Any:
        """Return the drawer of a section that can be switched off."""

        def draw(ui: UI, editor: Editor, preset: Preset) -> Preset | None:
            value = getattr(preset, part)
            with ui.property(editor.tr("Switched on"), "on"):
                is_on = ui.checkbox("", "on", value is not None)
            if is_on is not None:
                return dataclasses.replace(preset, **{part: cls() if is_on else None})
            changed = _fields(ui, editor, value, _PARTS[part]) if value is not None else None
            return None if changed is None else dataclasses.replace(preset, **{part: changed})

        return draw


def _fields(ui: UI, editor: Editor, instance: Any, names: tuple[str, ...]) -> Any:
    """Draw fields of a dataclass; return it with a new value, or None without a change."""
    changed = None
    for name in names:
        edited = draw_field(ui, editor, instance, name)
        if edited is not None:
            changed = dataclasses.replace(instance, **{name: edited})
    return changed


def _emitter(game: Any) -> int:
    """Return the emitter that was selected last, 0 for none."""
    table = game.world.table(Emitter)
    return next((handle for handle in reversed(game.selection.handles) if table.row_of(handle) >= 0), 0)


def _short(name: str, effect: Effect) -> str:
    """Return the name of a preset within its file, "" for the main preset of the file."""
    return name.removeprefix(effect.name).removeprefix("#")


def _stem(name: str) -> str:
    return asset_of(name).rpartition(":")[2].removeprefix("presets/").removesuffix(SUFFIX)


def _guarded(editor: Editor, what: str, work: Any) -> Any:
    """Call a function and return its result; if it raises an error, show the error and return None."""
    try:
        return work()
    except (OSError, RishError) as error:
        editor.report(what, error)
        return None
