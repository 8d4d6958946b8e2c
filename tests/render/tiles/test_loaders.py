"""Maps as assets: a map that is lost ends a run, and a check, with the exit code 2."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rish_core import Assets
from rish_core.launcher import main
from rish_render.tiles import TileMap, tile_properties

GAME = """\
rish: 1
plugins: [render]
scenes:
  main: [{{Transform: {{}}, TileMap: {{map: {}}}}}]
"""
GOOD = {"type": "map", "width": 2, "height": 1, "tilewidth": 16, "tileheight": 16}


def game(folder: Path, name: str, cells: list[int], maps: Any, **more: Any) -> Path:
    """Write a game that shows one map of two cells."""
    tilesets = [{"firstgid": 1, **maps.TILESET, **more}]
    layer = {"type": "tilelayer", "name": "ground", "data": cells}
    text = json.dumps({**GOOD, "layers": [layer], "tilesets": tilesets})
    if name.endswith(".tmx"):
        data = f'<data encoding="csv">{",".join(map(str, cells))}</data>'
        image = f'<image source="{tilesets[0]["image"]}"/>'
        tileset = f'<tileset firstgid="1" tilewidth="16" tileheight="16">{image}</tileset>'
        head = '<map width="2" height="1" tilewidth="16" tileheight="16">'
        text = f'{head}{tileset}<layer name="ground">{data}</layer></map>'
    (folder / "levels").mkdir()
    (folder / "levels" / name).write_text(text)
    (folder / "levels" / "tiles.png").write_bytes(maps.sheet())
    (folder / "game.yaml").write_text(GAME.format(f"levels/{name}"))
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a.tmx", "a.tmj", "a.json"])
def test_a_run_and_a_check_of_a_lost_map_end_with_2(
    maps: Any, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A map that can't be built is named with its layer, and both commands end with 2; a whole map ends with 0."""
    folder = game(tmp_path, name, [1, 2, 3], maps)
    for command in (["check", str(folder)], ["run", str(folder), "--headless", "--frames", "1"]):
        assert main(command) == 2
        said = capsys.readouterr().err
        assert "the layer 'ground': it has 3 cells instead of 2×1 = 2" in said
        assert name in said
    text = (folder / "levels" / name).read_text()
    (folder / "levels" / name).write_text(text.replace("1,2,3", "1,2").replace("1, 2, 3", "1, 2"))
    assert main(["check", str(folder)]) == 0
    assert main(["run", str(folder), "--headless", "--frames", "1"]) == 0


@pytest.mark.parametrize("name", ["a.tmx", "a.json"])
def test_a_run_and_a_check_of_a_map_without_its_image_end_with_2(
    maps: Any, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both commands end with 2 and name the image, also if only the image tells how many tiles there are."""
    folder = game(tmp_path, name, [1, 2], maps, image="nowhere.png")
    for command in (["check", str(folder)], ["run", str(folder), "--headless", "--frames", "1"]):
        assert main(command) == 2
        assert "nowhere.png" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["a.tmx", "a.json"])
def test_an_image_outside_of_the_games_folder_is_refused(
    maps: Any, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A map whose image leads out of the game's folder is lost, with the exit code 2."""
    folder = game(tmp_path, name, [1, 2], maps, image="../../tiles.png")
    assert main(["run", str(folder), "--headless", "--frames", "1"]) == 2
    said = capsys.readouterr().err
    assert "../../tiles.png" in said
    assert "outside the game's folder" in said or "'../../tiles.png' leads out of" in said


@pytest.mark.parametrize("name", ["a.tmj", "a.json"])
def test_a_changed_tileset_changes_the_maps_that_use_it(map_studio: Any, maps: Any, name: str) -> None:
    """If a tileset beside a map is reloaded, the map is built again with it."""
    document = maps.tiled_map([maps.tile_layer("a", [[1, 2]])], tilesets=[{"firstgid": 1, "source": "t.tsj"}])
    stage = map_studio({name: maps.as_json(document), "t.tsj": maps.as_json(maps.TILESET)}, size=(32, 16))
    entity = stage.put(0, 0, TileMap(map=name))
    assert stage.shoot()[8, 8, :3].tolist() == list(maps.COLORS[0])
    assets = stage.world[Assets]
    changed = {**maps.TILESET, "tiles": [{"id": 0, "type": "wall"}], "tileoffset": {"x": 16, "y": 0}}
    (assets.root / "t.tsj").write_bytes(maps.as_json(changed))
    assert assets.reload("t.tsj")
    assert stage.shoot()[8, 24, :3].tolist() == list(maps.COLORS[0])
    assert tile_properties(stage.world, entity, "a", 0, 0) == {"class": "wall"}
