"""The panel Sounds: all sounds by name, with previews, and sliders for those of the synthesizer."""

from __future__ import annotations

import random
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple

from rish_core import Assets

from ...sounds.bank import SoundBank
from ...sounds.sound import SUFFIXES
from ...synth.parameters import Synth, copy_synth, vary
from ...synth.presets import DRUMS, EFFECTS, INSTRUMENTS, LOOPS
from ...synth.reading import shipped_tunes
from .clips import Clips
from .drawing import beside, preview_of
from .player import Player
from .synths import Synths, draw_parameters, yaml_of

if TYPE_CHECKING:
    from rish_editor import UI, Editor

    from ...sounds.sound import Sound

_LIST_WIDTH = 210.0
_WIDE_WIDTH = 520.0
"""The width, in units, from which the list is beside the sound."""


class _Button(NamedTuple):
    """A small button on a row of the list."""

    name: str
    icon: str
    tooltip: str
    always: bool = True


class SoundsPanel:
    """The panel that lists the sounds of the game, those that ship and the files, and creates sounds of the
    synthesizer.
    """

    id, title, icon, dock, order = "audio.sounds", "Sounds", "music", "right", 61
    open = False

    def __init__(self) -> None:
        self._find = ""
        self._name = ""
        self._closed: set[str] = set()
        self._auto = True
        self._new = ""
        self._heard: Any = None

    def choose(self, name: str) -> None:
        """Show a sound."""
        self._name, self._heard = name, None

    def draw(self, ui: UI, editor: Editor) -> None:
        """Draw the list, and the chosen sound."""
        if editor.game is None:
            ui.empty(editor.tr("No game is open"), "", ui.icon("music"))
            return
        wide = ui.room[0] >= ui.px(_WIDE_WIDTH)
        with ui.area("list", width=ui.px(_LIST_WIDTH) if wide else 0.0, height=0.0 if wide else ui.room[1] * 0.4):
            self._list(ui, editor)
        if wide:
            ui.same_line(10)
        with ui.area("sound"):
            self._sound(ui, editor)

    # The list

    def _list(self, ui: UI, editor: Editor) -> None:
        ui.fill()
        typed = ui.line("find", self._find, hint=f"{ui.icon('search')}  {editor.tr('Search sounds')}")
        self._find = self._find if typed is None else typed
        words = self._find.casefold().split()
        playing = Player.of(editor).name
        rows: list[tuple[str, str]] = []
        for group, names in _groups(editor):
            matches = [name for name in names if all(word in name.casefold() for word in words)]
            rows += [(group, "")] if matches else []
            rows += [(group, name) for name in matches if words or group not in self._closed]
        with ui.rows_area("rows"), ui.inside("of"):
            for k in ui.visible_rows(len(rows), ui.row_height):
                group, name = rows[k]
                if name:
                    self._row(ui, editor, name, playing=name == playing)
                else:
                    self._group(ui, editor, group, opened=bool(words) or group not in self._closed)
            if not rows:
                ui.text(editor.tr("No sound has this name"), "dim")

    def _group(self, ui: UI, editor: Editor, group: str, *, opened: bool) -> None:
        use = ui.tree_row(f"group:{group}", editor.tr(group), arrow=opened, color="text_dim")
        if use.clicked or use.arrow:
            self._closed ^= {group}

    def _row(self, ui: UI, editor: Editor, name: str, *, playing: bool) -> None:
        button: Any = _Button(
            "play", ui.icon("stop" if playing else "play"), editor.tr("Stop") if playing else editor.tr("Listen")
        )
        use = ui.tree_row(name, name.rpartition("/")[2], depth=1, selected=name == self._name, buttons=[button],
                          icon_color="sound")  # fmt: skip
        if use.clicked or use.button or use.double:
            self.choose(name)
        if use.button or use.double:
            player = Player.of(editor)
            if playing:
                player.stop()
            else:
                self._play(editor, name)

    def _play(self, editor: Editor, name: str) -> None:
        clips, game = Clips.of(editor), editor.game
        assert game is not None
        sound = clips.sound(game.world, name)
        if sound is None:
            return
        synth = Synths.of(editor).now(name, sound.made)
        variation = random.randrange(max(len(sound.clips), 1))

        def load() -> Any:
            return clips.of_sound(game.world, sound, variation) if synth is None else clips.made(name, synth, 44_100)

        Player.of(editor).play(name, load, gain=sound.gain, pitch=sound.pitch, loop=sound.loop)

    # The chosen sound

    def _sound(self, ui: UI, editor: Editor) -> None:
        game, tr = editor.game, editor.tr
        assert game is not None
        sound = Clips.of(editor).sound(game.world, self._name) if self._name else None
        if sound is None:
            hint = tr("Sounds of the synthesizer can be tuned and saved under a name")
            ui.empty(tr("Choose a sound"), hint, ui.icon("music"))
            return
        synths = Synths.of(editor)
        synth = synths.now(sound.name, sound.made)
        ui.text(sound.name, "bold")
        if synth is not None and synths.changed(sound.name):
            ui.same_line()
            ui.text(f"{ui.icon('unsaved')} {tr('not saved')}", color=ui.theme.rgba("unsaved"))
        ui.same_line(12)
        ui.text(_about(editor, sound), "dim")
        preview_of(ui, editor, sound, generator=synth, height=52.0)
        if synth is not None:
            self._tune(ui, editor, sound, synth)

    def _tune(self, ui: UI, editor: Editor, sound: Sound, synth: Synth) -> None:
        tr, synths = editor.tr, Synths.of(editor)
        changed: Synth | None = None
        if ui.button(tr("Randomize"), "randomize", icon=ui.icon("dice"), tooltip=tr("Another sound, by chance")):
            base = random.choice([*EFFECTS.values()])
            changed = copy_synth(vary(base, random.getrandbits(31), 1.0), gain=synth.gain, loop=synth.loop)
        beside(ui, 4, 60)
        if ui.button(tr("Vary"), "vary", tooltip=tr("Change all numbers a little")):
            changed = vary(synth, random.getrandbits(31), 0.15)
        beside(ui, 4, 90)
        if ui.button(tr("Revert"), "revert", icon=ui.icon("reset"), enabled=synths.changed(sound.name)):
            synths.revert(sound.name)
        beside(ui, 4, 26)
        if ui.icon_button(ui.icon("copy"), "copy", tr("Copy as YAML")):
            editor.copy(yaml_of(sound.name, synth))
            editor.note(tr("Copied"), "ok")
        beside(ui, 4, 66)
        if ui.button(tr("Save…"), "save", enabled=editor.game is not None and editor.game.editing,
                     tooltip=tr("Write it into the settings of the game")):  # fmt: skip
            self._new = sound.name
            ui.open_popup("save")
        beside(ui, 10, 120)
        auto = ui.checkbox(tr("Play changes"), "auto", self._auto)
        self._auto = self._auto if auto is None else auto
        self._save(ui, editor, sound, synth)
        with ui.area("parameters") if ui.room[1] > ui.px(200) else nullcontext():
            changed = draw_parameters(ui, editor, synth) or changed
        if changed is not None:
            synths.put(sound.name, changed)
            self._heard = self._heard or synth
        if self._heard is not None and not ui.raw.is_any_item_active():
            self._heard = None
            if self._auto:
                self._play(editor, sound.name)

    def _save(self, ui: UI, editor: Editor, sound: Sound, synth: Synth) -> None:
        tr = editor.tr
        with ui.popup("save") as is_open:
            if not is_open:
                return
            ui.text(tr("A name in the settings of the game"), "dim")
            typed = ui.line("name", self._new, width=ui.px(220))
            self._new = self._new if typed is None else typed
            if ui.button(tr("Save"), "confirm", kind="primary", enabled=bool(self._new.strip())):
                if Synths.of(editor).save(sound.name, self._new.strip(), synth):
                    self._name = self._new.strip()
                    editor.note(tr("Saved {name}", name=self._name), "ok")
                ui.close_popup()


def _groups(editor: Editor) -> list[tuple[str, list[str]]]:
    """Return the sounds by group: of the game, those that ship, files."""
    assert editor.game is not None
    world = editor.game.world
    bank = world[SoundBank].of_world(world)
    shipped = {"Effects": EFFECTS, "Loops": LOOPS, "Instruments": INSTRUMENTS, "Drums": DRUMS, "Tunes": shipped_tunes()}
    groups = [("Of the game", [*bank.sounds])]
    groups += [(title, [name for name in names if name not in bank.sounds]) for title, names in shipped.items()]
    return [*groups, ("Files", list(world[Assets].files(*SUFFIXES)))]


def _about(editor: Editor, sound: Sound) -> str:
    """Return one line about a sound: its files or generator, and how it is played."""
    tr = editor.tr
    if isinstance(sound.made, Synth):
        what = tr("synthesizer")
    elif sound.made is not None:
        what = tr("tune")
    else:
        what = tr("{count} {count:file|files}", count=len(sound.clips)) if len(sound.clips) != 1 else sound.clips[0]
    facts = [what, sound.bus, *([tr("repeats")] if sound.loop else [])]
    return " · ".join(facts)
