"""Every field of every plugin that names a file is checked by `rish check`, with the file and the line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from gltf_models import quad
from rish_core import App, AssetNames, Registry, parse_manifest
from rish_core.launcher import main
from rish_core.manifest.check import check_manifest
from rish_core.plugin.discovery import installed_plugins
from sound_files import encoded, tone, wav_bytes

TOOLS = {"debug", "editor", "profile", "profiler", "remote", "strict", "teach", "teach3d", "terminal", "watchdog"}
"""Plugins without fields of their own, and `teach` and `teach3d`, which would replace `physics` and `physics3d`."""
PLUGINS = sorted({each.name for each in installed_plugins()} - TOOLS)
FONT = Path(__file__).parents[2] / "plugins/rish_editor/src/rish_editor/look/shipped/NotoSans-Regular.ttf"
SHEET = '{"frames": [{"frame": {"x": 0, "y": 0, "w": 2, "h": 2}, "duration": 100}]}'
MAP = '<map width="1" height="1" tilewidth="16" tileheight="16"/>'
Field = tuple[str, str, AssetNames]
"""A component, or `settings` and a plugin; its field; the list of files that it names."""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Return a game with all plugins, whose folder has a good and several bad files for each suffix."""
    root = tmp_path_factory.mktemp("game")
    with App(parse_manifest(f"rish: 1\nplugins: [{', '.join(PLUGINS)}]\n", root=root), headless=True) as app:
        for suffix in {suffix for _, _, names in fields(app.registry) for suffix in names.suffixes}:
            (root / f"folder{suffix}").mkdir()
            (root / f"empty{suffix}").write_bytes(b"")
            (root / f"damaged{suffix}").write_bytes(b"]]\x00\xff rubbish")
        Image.fromarray(np.zeros((4, 16, 4), np.uint8)).save(root / "good.png")
        (root / "good.ttf").write_bytes(FONT.read_bytes())
        (root / "good.glb").write_bytes(quad().glb())
        (root / "good.wav").write_bytes(wav_bytes(tone(100)))
        (root / "good.json").write_text(SHEET)
        (root / "good.tmx").write_text(MAP)
        (root / "good.anim.yaml").write_text("clips: {run: {frames: 0-3}}\n")
        (root / "good.particles.yaml").write_text("capacity: 10\n")
        (root / "notes.txt").write_text("notes")
        (root / "plain").write_text("no suffix")
        yield app


def fields(registry: Registry) -> list[Field]:
    """Return the visible fields of all components and settings that hold an asset or name one of a list of files."""
    owners = {name: kind.fields for name, kind in registry.components.items()}
    owners |= {f"settings {name}": spec.fields for name, spec in registry.settings.items()}
    found: list[Field] = []
    for owner, specs in owners.items():
        for name, spec in specs.items():
            names = registry.names.get(spec.names)
            special = (spec.type.item or spec.type).special
            assert special != "asset" or isinstance(names, AssetNames), (
                f"{owner}.{name} does not say which files it names"
            )
            if isinstance(names, AssetNames) and not spec.hidden:
                found.append((owner, name, names))
    return found


def mistakes(app: App, values: dict[tuple[str, str], str], *, check: bool = True) -> dict[tuple[str, str], str]:
    """Return the first problem of each of these fields in a game that gives them these values."""
    lines = [f"rish: 1\nplugins: [{', '.join(PLUGINS)}]"]
    scene = {key: value for key, value in values.items() if not key[0].startswith("settings ")}
    lines += ["settings:"] if len(scene) < len(values) else []
    for (owner, name), value in values.items():
        if owner.startswith("settings "):
            lines.append(f"  {owner.partition(' ')[2]}: {{{name}: {value!r}}}")
    lines += ["scenes:", "  main:", *(f"  - {owner}: {{{name}: {value!r}}}" for (owner, name), value in scene.items())]
    manifest = parse_manifest("\n".join(lines), root=app.manifest.root)
    manifest.loaders, manifest.names = app.registry.loaders if check else None, app.registry.names
    plugins = app.plugins
    plugins.gather("rish_manifest", manifest=manifest, plugins=plugins, registry=app.registry)
    problems = [*manifest.problems, *check_manifest(manifest, app.registry)]
    paths = {f"scenes.main[{index}].{owner}.{name}": (owner, name) for index, (owner, name) in enumerate(scene)}
    paths |= {f"{owner.replace(' ', '.')}.{name}": (owner, name) for owner, name in values}
    return {paths[each.path]: each.what for each in reversed(problems) if each.path in paths and each.place.line}


def bad_values(names: AssetNames, kind: str, root: Path) -> list[str]:
    """Return the bad values of a kind for a field that names files of this list."""
    other = "good.glb" if ".png" in names.suffixes else "good.png"
    fixed = {"wrong kind": other, "another suffix": "notes.txt", "no suffix": "plain", "unknown word": "fier"}
    if kind in fixed:
        return [fixed[kind]]
    form = {"absolute": f"{root}/good", "above": "../good", "wrong case": "GOOD"}.get(kind, kind)
    suffixes = names.suffixes if kind in DAMAGED else names.suffixes[:1]
    return [form + suffix for suffix in suffixes]


DAMAGED = ("empty", "damaged")
"""The kinds of files that must be opened."""
KINDS = (
    "absent", "folder", "empty", "damaged", "wrong kind", "another suffix", "no suffix", "unknown word", "wrong case",
    "absolute", "above",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_bad_value_of_every_field_is_located(app: App, kind: str) -> None:
    """A field that names a file says what is wrong with each bad value, at its line, for each of its suffixes."""
    bad = {
        (owner, name): bad_values(names, kind, app.manifest.root or Path())
        for owner, name, names in fields(app.registry)
    }
    for turn in range(max(map(len, bad.values()))):
        values = {key: each[turn % len(each)] for key, each in bad.items()}
        said = mistakes(app, values)
        assert not {key: value for key, value in values.items() if key not in said}, f"called fine: {kind}"
        if kind not in DAMAGED:  # a run opens files only when it needs them
            assert said.keys() == mistakes(app, values, check=False).keys()


def test_good_values_are_fine(app: App) -> None:
    """Fields accept a good file, and the words that their lists offer."""
    root = app.manifest.root or Path()
    good = {
        (owner, name): f"good{suffix}"
        for owner, name, names in fields(app.registry)
        for suffix in reversed(names.suffixes)
        if (root / f"good{suffix}").exists()
    }
    assert len(good) > 20
    assert mistakes(app, good) == {}
    words = {(owner, name): names.words[0] for owner, name, names in fields(app.registry) if names.words}
    assert len(words) > 1
    assert mistakes(app, words) == {}


@pytest.mark.parametrize("form", ["wav", "flac", "ogg", "mp3"])
def test_a_sound_that_is_damaged_behind_its_header_is_located(app: App, form: str) -> None:
    """A sound is decoded, so one that is cut off, or damaged in a way that its format can tell, is not called fine."""
    if form != "wav":
        pytest.importorskip("av")
    samples = tone(22_050, 2)
    data = wav_bytes(samples) if form == "wav" else encoded(samples, form)
    path = (app.manifest.root or Path()) / f"cut.{form}"
    path.write_bytes(data)
    assert mistakes(app, {("audio.AudioSource", "clip"): path.name}) == {}
    path.write_bytes(data[: len(data) * 2 // 3])
    assert mistakes(app, {("audio.AudioSource", "clip"): path.name})


def test_files_in_settings_of_effects_are_checked_too(app: App) -> None:
    """The table of colors of an effect must be a picture of the right size."""
    form = "rish: 1\nplugins: [lighting]\nsettings:\n  lighting:\n    post:\n    - {{lut: {{image: {0}}}}}\n"
    for value, said in (("good.png", None), ("notes.txt", "must end in .png"), ("square.png", "n·n texels wide")):
        Image.fromarray(np.zeros((4, 4, 4), np.uint8)).save((app.manifest.root or Path()) / "square.png")
        manifest: Any = parse_manifest(form.format(value), root=app.manifest.root)
        manifest.loaders, manifest.names = app.registry.loaders, app.registry.names
        app.plugins.gather("rish_manifest", manifest=manifest, plugins=app.plugins, registry=app.registry)
        found = [str(problem) for problem in manifest.problems if ".post[" in problem.path]
        assert len(found) == (said is not None)
        assert all(str(said) in one and one.startswith("game.yaml:6:") for one in found)


@pytest.mark.slow
def test_a_run_agrees_with_the_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What `rish check` calls damaged, `rish run` names too; it draws the rest, and both exit with 2."""
    files = ("a.png", "b.ttf", "c.anim.yaml", "d.particles.yaml", "e.wav", "f.json", "g.glb")
    for name in files:
        (tmp_path / name).write_text("[]" if name == "f.json" else "]]")
    (tmp_path / "game.yaml").write_text(
        "rish: 1\nplugins: [render, particles, audio, scene3d, space3d]\nscenes:\n  main:\n"
        "  - {Transform: {}, Sprite: {image: a.png}}\n"
        "  - {Transform: {}, Text: {text: hello, font: b.ttf}}\n"
        "  - {Transform: {}, Sprite: {}, Animation: {clips: c.anim.yaml}}\n"
        "  - {Transform: {}, Emitter: {preset: d.particles.yaml}}\n"
        "  - {Transform: {}, AudioSource: {clip: e.wav}}\n"
        "  - {Transform: {}, Sprite: {}, SpriteSheet: {file: f.json}}\n"
        "  - {Transform3D: {}, Model3D: {asset: g.glb}}\n"
        "  - {Transform3D: {position: [0, 0, 5]}, Camera3D: {}}\n"
    )
    assert main(["check", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert all(f"game.yaml:{5 + line}:" in said and name in said for line, name in enumerate(files))
    picture = str(tmp_path / "shot.png")
    assert main(["run", str(tmp_path), "--headless", "--frames", "2", "--capture", picture]) == 2
    said = capsys.readouterr().err
    assert not [name for name in files if name not in said.partition("could not be loaded")[0]]
    assert "disabled" not in said.partition("could not be loaded")[0]
