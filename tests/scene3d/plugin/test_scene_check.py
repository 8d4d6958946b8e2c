"""Mistakes of 3D scenes in a manifest, and the lines of the doctor."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gltf_models import robot
from rish_core import App, ManifestError, parse_manifest
from rish_frame import NullBackend
from rish_scene3d.plugin.diagnosis import diagnose_models

HEAD = "rish: 1\nplugins: [scene3d]\nscenes:\n  main:\n"


def start(folder: Path, entry: str, head: str = HEAD) -> None:
    """Start and close a game with one entry."""
    App(parse_manifest(f"{head}    - {entry}\n", root=folder), backend=NullBackend(), headless=True).close()


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{Transform3D: {}, Model3D: {asset: bxo}}", r"(?s):5:.*asset.*'bxo'.*box"),
        ("{Transform3D: {}, Model3D: {asset: boat.glb}}", r"(?s):5:.*there is no file 'boat.glb'.*box, sphere"),
        ("{Transform3D: {}, Model3D: {asset: robot.glb, part: hat}}", r"(?s):5:.*no node is called 'hat'.*Its nodes: "),
        ("{Transform3D: {}, Model3D: {part: lid}}", r"(?s):5:.*'lid'.*no named nodes"),
        ("{Transform3D: {}, Camera3D: {near: 2, far: 1}}", r"(?s):5:.*it shows nothing: far \(1 m\)"),
        ("{Camera3D: {}}", r"(?s):5:.*a Camera3D but no Transform3D"),
        ("{Transform3D: {}, Material3D: {}}", r"(?s):5:.*a Material3D but no Model3D"),
        ("{Transform3D: {}, Model3D: {}, Material3D: {roughness: 2}}", r"(?s):5:.*roughness"),
        ("{Transform3D: {}, Model3D: {}, Material3D: {map: wood.png}}", r"(?s):5:.*no file 'wood.png'.*camera:"),
        ("{Transform3D: {}, Model3D: {}, Material3D: {normal_map: robot.glb}}", r"(?s):5:.*normal_map.*end in .png"),
        ("{Sky3D: {map: robot.glb}}", r"(?s):5:.*map.*must end in .png"),
        ("{Transform3D: {}, Billboard3D: {image: robot.glb}}", r"(?s):5:.*image.*must end in .png"),
        ("{Transform3D: {}, Model3D: {asset: notes.txt}}", r"(?s):5:.*'notes.txt' can't.*glb.*Besides files: box"),
        ("{Transform3D: {}, Camera3D: {}, FlyCamera3D: {keys: [SPASE]}}", r"(?s):5:.*keys\[0\].*mean 'SPACE'"),
        ("{Transform3D: {}, Camera3D: {}, FlyCamera3D: {hold: look}}", r"(?s):5:.*hold.*no action is called 'look'"),
        ("{FlyCamera3D: {}}", r"(?s):5:.*a FlyCamera3D but no Transform3D"),
    ],
)
def test_mistakes_are_named_with_their_line(tmp_path: Path, entry: str, said: str):
    """A wrong model, part, picture, key, range, camera or missing component is named with its line and advice."""
    (tmp_path / "notes.txt").write_text("no model")
    (tmp_path / "robot.glb").write_bytes(robot().glb())
    with pytest.raises(ManifestError, match=said):
        start(tmp_path, entry)


def test_right_entries_have_no_problems(tmp_path: Path):
    """Shapes, parts that exist, pictures of cameras, and entries that a prefab completes are no mistakes."""
    (tmp_path / "robot.glb").write_bytes(robot().glb())
    head = HEAD.replace("scenes:", "prefabs:\n  lamp: {Transform3D: {}, Lamp3D: {}}\nscenes:")
    start(tmp_path, "{prefab: lamp, Lamp3D: {range: 3}}", head)
    start(tmp_path, "{Transform3D: {}, Model3D: {asset: torus}, Material3D: {map: 'camera:tv'}}")
    keys = HEAD.replace("scenes:", "input: {go: [UP]}\nscenes:")
    start(tmp_path, "{Transform3D: {}, Camera3D: {}, FlyCamera3D: {hold: '', keys: [go, '', '1']}}", keys)
    name = next(each["name"] for each in robot().json["nodes"] if each.get("name"))
    start(tmp_path, f"{{Transform3D: {{}}, Model3D: {{asset: robot.glb, part: {name}}}}}")


def test_settings_are_checked(tmp_path: Path):
    """An unknown pipeline is a mistake with the choices."""
    head = HEAD.replace("scenes:", "settings: {scene3d: {pipeline: defered}}\nscenes:")
    with pytest.raises(ManifestError, match=r"(?s)pipeline.*deferred"):
        start(tmp_path, "{Transform3D: {}}", head)


def test_the_doctor_counts_models(tmp_path: Path):
    """`rish doctor` counts files and triangles, and names a file that can't be read."""
    assert list(diagnose_models(None)) == []
    (tmp_path / "robot.glb").write_bytes(robot().glb())
    (tmp_path / "torn.glb").write_bytes(robot().glb()[:100])
    manifest: Any = SimpleNamespace(root=tmp_path)
    lines = list(diagnose_models(manifest))
    assert lines[0][:2] == ("!!", "models")
    assert "torn.glb" in lines[0][2]
    assert lines[-1][0] == "ok"
    assert "2 files" in lines[-1][2]
