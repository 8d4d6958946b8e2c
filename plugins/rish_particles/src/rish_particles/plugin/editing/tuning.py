"""The tuned presets: those that a person edits, with their steps in the history and their files.

Presets are files and not state of the World. While a person tunes a preset, its new values are in the library of the
World, so a running game and the previews use them immediately. The history of the game follows the tuned presets, so
Undo takes edits back.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_core import UsageError
from rish_system import write_whole

from ...components.emitter import Emitter
from ...files.preset_library import PresetLibrary
from ...files.reading import HOME, SUFFIX, asset_of, read_effect
from ...files.writing import write_effect
from ...preset import Effect, Preset

if TYPE_CHECKING:
    from rish_editor import Editor

_MEMORY = "particles.tuning"


class _Tuned(dict[str, Effect]):
    """The tuned effects by asset. Effects are immutable, so a copy of the mapping is enough for the history."""

    def __deepcopy__(self, memo: Any) -> _Tuned:
        return _Tuned(self)


class Tuning:
    """The tuned presets of one game. saved: by asset, the effects as they are in their files."""

    def __init__(self, editor: Editor) -> None:
        assert editor.game is not None
        self.editor = editor
        self.game = editor.game
        self.saved: dict[str, Effect] = {}
        self._tuned = _Tuned()
        self.game.history.follow("particles.presets", lambda: self._tuned, self._put)

    @classmethod
    def of(cls, editor: Editor) -> Tuning:
        """Return the tuning of the opened game."""
        tuning = editor.memory.get(_MEMORY)
        if tuning is None or tuning.game is not editor.game:
            tuning = editor.memory[_MEMORY] = cls(editor)
        return tuning

    @property
    def library(self) -> PresetLibrary:
        """The library of the World."""
        return self.game.world[PresetLibrary]

    def effect(self, name: str) -> Effect | None:
        """Return the current effect of a preset's name; None if it cannot be loaded."""
        if not name:
            return None
        effect = self.library.effect(self.game.world, name)
        asset = asset_of(name)
        if effect is not None and asset not in self.saved:
            self.saved[asset] = effect
        return effect

    def unsaved(self, name: str) -> bool:
        """Return whether a preset differs from its file."""
        asset = asset_of(name)
        return asset in self._tuned and self._tuned[asset] != self.saved.get(asset)

    def change(self, preset: Preset, title: str, merge: Hashable = None, **values: Any) -> None:
        """Change fields of a preset, as one step of the history. preset: a preset with its full name."""
        self.put(dataclasses.replace(preset, **values), title, merge)

    def put(self, preset: Preset, title: str, merge: Hashable = None) -> None:
        """Replace the preset with the same name, as one step of the history."""
        asset = preset.name.partition("#")[0]
        effect = self.library.effect(self.game.world, asset)
        if effect is not None and effect.presets.get(preset.name) != preset:
            changed = dataclasses.replace(effect, presets={**effect.presets, preset.name: preset})
            self._replace(asset, changed, title, merge)

    def revert(self, name: str) -> None:
        """Give a preset the values of its file again, as one step of the history."""
        asset = asset_of(name)
        if asset in self.saved:
            self._replace(asset, self.saved[asset], self.editor.tr("Revert a preset"), None)

    def _replace(self, asset: str, effect: Effect, title: str, merge: Hashable) -> None:
        self.effect(asset)
        with self.game.edit(title, merge=merge):
            self._tuned = _Tuned({**self._tuned, asset: effect})
            self.library.add(effect, asset)

    def _put(self, tuned: _Tuned) -> None:
        """Put the presets of another step of the history into the library."""
        for asset in {*self._tuned, *tuned}:
            effect = tuned.get(asset) or self.saved.get(asset)
            if effect is not None and effect != self.effect(asset):
                self.library.add(effect, asset)
        self._tuned = _Tuned(tuned)

    # Files

    def file_of(self, name: str) -> Path | None:
        """Return the file of a preset of the game; None for one that ships with a plugin."""
        asset = asset_of(name)
        return None if asset.startswith(HOME) or ":" in asset else self.game.path / asset

    def save(self, name: str) -> str:
        """Write a preset to its file; return its name. Raises UsageError for a preset that ships with a plugin, and
        OSError.
        """
        path = self.file_of(name)
        if path is None:
            raise UsageError(f"the preset {name} ships with the plugin", hint="Save it as a new file of the game")
        self._write(path, name)
        return name

    def save_as(self, name: str, stem: str) -> str:
        """Write a preset to a new file of the game; return its asset. Raises UsageError and OSError."""
        clean = stem.strip().removesuffix(SUFFIX)
        if not clean or clean.startswith(("/", ".")) or ".." in Path(clean).parts or ":" in clean:
            raise UsageError(f"{stem!r} is no name of a file", hint="Write it as in effects/torch")
        asset = f"{clean}{SUFFIX}"
        path = self.game.path / asset
        if path.exists():
            raise UsageError(f"{asset} exists already", hint="Choose another name")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._write(path, name, asset)
        return asset

    def _write(self, path: Path, name: str, asset: str = "") -> None:
        effect = self.effect(name)
        if effect is None:
            raise UsageError(f"there is no preset {name}")
        write_whole(path, write_effect(effect, _comment(path)).encode())
        target = asset or asset_of(name)
        written, report = read_effect(path)
        if written is None or report:
            raise UsageError(f"{path.name} was written, but can't be read again")
        self.saved[target] = self.library.add(written, target)
        self._tuned = _Tuned({**self._tuned, target: self.saved[target]})

    def names(self) -> list[str]:
        """Return the presets that an emitter can have: those that ship, then the game's files."""
        return list(self.game.app.registry.names["particle_presets"](self.game.world))

    def users(self, name: str) -> list[int]:
        """Return the emitters that run a preset."""
        table = self.game.world.table(Emitter)
        asset = asset_of(name)
        return [
            handle for row, handle in enumerate(table.entities.tolist())
            if asset_of(table.read_row("preset", row) or "") == asset
        ]  # fmt: skip


def _comment(path: Path) -> str:
    """Return the comment at the top of a file, without `#`."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError):
        return ""
    top: list[str] = []
    for line in lines:
        if not line.startswith("#"):
            break
        top.append(line.removeprefix("#").removeprefix(" "))
    return "\n".join(top)
