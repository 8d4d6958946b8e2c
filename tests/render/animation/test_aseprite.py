"""Sheets of Aseprite are read, and each mistake in them is reported with its place."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import AssetError
from rish_render.animation import Clip, PlayMode
from rish_render.animation.aseprite import read_aseprite


def sheet(frames, tags=()):
    """Return the JSON data of a sheet exported by Aseprite."""
    return {"frames": frames, "meta": {"frameTags": list(tags)}}


def frame(x, duration=100, **more):
    """Return one frame of such a sheet, 16x8 pixels at (x, 2)."""
    return {"frame": {"x": x, "y": 2, "w": 16, "h": 8}, "duration": duration, **more}


TAGS = [
    {"name": "run", "from": 0, "to": 2, "direction": "forward"},
    {"name": "back", "from": 0, "to": 2, "direction": "reverse"},
    {"name": "swing", "from": 0, "to": 2, "direction": "pingpong"},
    {"name": "twice", "from": 1, "to": 2, "direction": "forward", "repeat": "2"},
]


@pytest.mark.parametrize("form", ["array", "hash"])
def test_aseprite_writes_places_times_and_tags(form):
    """Frames are read from an array or a hash, and the directions and repeats of the tags are kept."""
    frames = [frame(16 * k, 100 * (k + 1)) for k in range(3)]
    found = read_aseprite(
        sheet({f"f {k}": f for k, f in enumerate(frames)} if form == "hash" else frames, TAGS), "h.json"
    )
    np.testing.assert_array_equal(found.cells, [[0, 2, 16, 8], [16, 2, 16, 8], [32, 2, 16, 8]])
    assert found.clips["run"] == Clip((0, 1, 2), (0.1, 0.2, 0.3))
    assert found.clips["back"].cells == (2, 1, 0)
    assert found.clips["swing"].cells == (0, 1, 2, 1)
    assert found.clips["twice"] == Clip((1, 2, 1, 2), (0.2, 0.3, 0.2, 0.3), PlayMode.ONCE)


def test_a_sheet_without_tags_is_one_clip():
    """All frames of a sheet without tags become one clip, called `all`."""
    assert read_aseprite(sheet([frame(0), frame(16)]), "h.json").clips["all"].cells == (0, 1)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ([], "h.json is not an Aseprite sheet"),
        ({"frames": 3}, "h.json: frames: expected"),
        ({"frames": []}, "h.json: frames: expected"),
        (sheet([3]), "frames[0]: expected a frame"),
        (sheet([{"frame": {"x": 1, "y": 0, "w": 3}}]), "frames[0].frame.h: expected a whole number"),
        (sheet([frame(0, "soon")]), "frames[0].duration"),
        (sheet([frame(0, trimmed=True)]), "export without Trim Cels"),
        (sheet([frame(0)], [{"name": "a", "from": 0, "to": 4}]), "from 0 to 4 is out of range: the frames are 0 to 0"),
        (sheet([frame(0)], [{"name": "a", "from": 0, "to": 0, "direction": "up"}]), "expected one of forward"),
        (sheet([frame(0)], [3]), "frameTags[0]: expected a tag"),
        ({"frames": [frame(0)], "meta": 3}, "meta.frameTags: expected a list"),
    ],
)
def test_a_damaged_sheet_names_the_place(data, told):
    """A damaged sheet raises AssetError with the path of the wrong value within the JSON."""
    with pytest.raises(AssetError) as error:
        read_aseprite(data, "h.json")
    assert told in str(error.value)
