"""The dialogue About: versions and licenses of the packages of the editor."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, distributions, metadata
from typing import TYPE_CHECKING

from rish_system import described

if TYPE_CHECKING:
    from ..session.editor import Editor
    from ..ui.ui import UI

_USED = ("imgui-bundle", "arcade", "pyglet", "numpy", "numba", "pyyaml", "pillow")
_FONTS = (
    ("Noto Sans, Noto Sans TC", "SIL Open Font License 1.1"),
    ("Font Awesome 6 Solid", "SIL Open Font License 1.1"),
    ("Inconsolata", "SIL Open Font License 1.1"),
)


class About:
    """Shows versions and licenses."""

    width = 560.0

    def __init__(self, editor: Editor) -> None:
        self.title = editor.tr("About Rish")
        own_packages = {
            package.metadata["Name"] for package in distributions() if str(package.metadata["Name"]).startswith("rish-")
        }
        self._ours = [_row(name) for name in sorted(own_packages)]
        self._used = [_row(name) for name in _USED]

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the form; return whether it is done."""
        version = next((version for name, version, _ in self._ours if name == "rish-editor"), "")
        with ui.fonts.style("display"):
            ui.raw.text_unformatted("Rish")
        ui.text(editor.tr("Version {version}", version=version), "dim")
        ui.text(f"Python {sys.version.split()[0]} · {described()}", "dim")
        ui.mark("version")
        ui.space(4)
        with ui.area("packages", height=ui.high(280, 215), border=True):
            for title, rows in (("Packages of Rish", self._ours), ("Libraries", self._used)):
                ui.text(editor.tr(title), "section")
                _table(ui, title, rows)
                ui.space(4)
            ui.text(editor.tr("Fonts"), "section")
            _table(ui, "fonts", [(name, "", license) for name, license in _FONTS])
        ui.space(4)
        if ui.button(editor.tr("Copy"), "copy"):
            editor.copy("\n".join(f"{name} {version}" for name, version, _ in (*self._ours, *self._used)))
            editor.note(editor.tr("Copied"), "ok")
        ui.same_line()
        return ui.button(editor.tr("Close"), "close", kind="primary")


def _table(ui: UI, name: str, rows: list[tuple[str, str, str]]) -> None:
    with ui.table(name, 3, lines=True) as shown:
        if shown:
            for one, two, three in rows:
                ui.row()
                for text, style in ((one, "normal"), (two, "dim"), (three, "dim")):
                    ui.cell()
                    ui.text(text, style)  # pyright: ignore[reportArgumentType]


def _row(name: str) -> tuple[str, str, str]:
    """Return name, version and license of a package."""
    try:
        fields = metadata(name)
    except PackageNotFoundError:
        return name, "—", ""
    license = next((fields[key] for key in ("License-Expression", "License") if key in fields), "")
    if not license or len(license) > 40:
        classifiers = [line for line in fields.get_all("Classifier") or [] if line.startswith("License ::")]
        license = (
            classifiers[0].rpartition("::")[2].strip() if classifiers else license.splitlines()[0] if license else ""
        )
    return name, str(fields["Version"]), license
