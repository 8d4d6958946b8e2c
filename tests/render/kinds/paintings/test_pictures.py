"""Reference scenes of paintings, drawn by the software backend and compared with a stored image.

Run with RISH_SAVE_PICTURES=1 to write the references again, and check the written images by eye.
"""

from __future__ import annotations

import pytest

from rish_frame import (
    BoxItem,
    Frame,
    ImageItem,
    LineItem,
    Painting,
    Paintings,
    Part,
    TextItem,
    TextLook,
)
from rish_render import Camera
from rish_render.kinds.text.fonts import can_shape
from tools import needing

SHAPED = pytest.mark.skipif(not can_shape(), reason="Pillow has no Raqm here, which shapes writing")
CJK = needing("noto_cjk_sans_otc", "fonts")
LAYERS = ["world", {"hud": {"space": "screen"}}]
WHITE, GRAY, GOLD = (235, 238, 245, 255), (150, 158, 175, 255), (255, 205, 90, 255)


def written(stage, text, x, y, color=WHITE, look=None, **more):
    """Return an item for a text. look: fields of its TextLook."""
    world = stage.world
    made = world[Frame].typesetter.typeset(world, text, TextLook(**(look or {})))
    return TextItem(made, x, y, color, **more)


def everything(stage):
    """Return a part with every kind of item and many scripts."""
    part = Part()
    part.backs = [ImageItem("face.png", 6, 150, 190, 84, slices=(6, 6, 6, 6), scale=1.0)]
    part.boxes = [
        BoxItem(210, 150, 120, 84, (52, 60, 82, 255), (30, 34, 48, 255), (110, 130, 180, 255), 2, 12),
        BoxItem(222, 162, 40, 40, (200, 90, 90, 255), round=True),
        BoxItem(270, 162, 48, 20, edge=(255, 255, 255, 255), line=1.5, corner=10),
    ]
    part.images = [ImageItem("face.png", 345, 190, 40, 40, smooth=False), ImageItem("face.png", 390, 190, 40, 40)]
    part.images += [ImageItem("face.png", 345, 150, 32, 32, region=(0, 0, 8, 8), tint=(120, 255, 160, 200))]
    part.lines = [LineItem(210, 240, 330, 246, 2, GOLD), LineItem(390, 155, 430, 180, 6, (90, 160, 255, 180))]
    part.texts = [
        written(stage, "English: AVATAR, fjord", 14, 228, (40, 24, 4, 255)),
        written(stage, "中文字體 繁體", 14, 205, (40, 24, 4, 255)),
        written(stage, "العربية (hello) مرحبا", 14, 182, (40, 24, 4, 255)),
        written(
            stage, "[gold]12 [icon=face.png][/] for [size=1.7]big[/] [size=0.7]small[/] [icon=face.png*2] end", 8, 140,
            look={"markup": True, "size": 18.0},
        ),
        written(stage, "shadow", 8, 84, shadow=(0, 0, 0, 255), dx=2, dy=-2, look={"size": 24.0}),
        written(
            stage, "outline", 110, 84, GOLD, outline=(90, 30, 0, 255), look={"size": 24.0, "outline_width": 2.0}
        ),
        written(stage, "half", 220, 84, opacity=0.4, look={"size": 24.0}),
        written(
            stage, "A text of several lines that is cut after two of them and ends in dots", 290, 130, GRAY,
            look={"size": 14.0, "wrap": 150.0, "most_lines": 2, "align": "right"},
        ),
        written(stage, "justified text fills its lines from side to side", 290, 80, GRAY,
                look={"size": 14.0, "wrap": 150.0, "align": "justify"}),
    ]  # fmt: skip
    return part


@SHAPED
@CJK
def test_every_kind_of_item(studio):
    """Boxes, images, nine-patches, lines and texts of many scripts are drawn in order, and cut by a clip."""
    stage = studio((450, 260), layers=LAYERS, strict=False)
    stage.shoot()
    clipped = Part(clip=(8, 8, 200, 40))
    clipped.boxes = [BoxItem(0, 0, 260, 60, (60, 90, 70, 255), corner=8)]
    clipped.texts = [written(stage, "This text is longer than its clip", 14, 46, look={"size": 22.0})]
    stage.world[Paintings].items["all"] = Painting("hud", parts=[everything(stage), clipped])
    stage.compare("paintings")


def test_paintings_of_a_camera(studio):
    """In the world, paintings follow the camera, their entity and their scale; letters stay sharp."""
    stage = studio((320, 200), layers=LAYERS, strict=False)
    stage.shoot()
    stage.put(10, 20, Camera(zoom=1.5))
    entity = stage.put(-60, 0)
    items = stage.world[Paintings].items
    for k, scale in enumerate((0.5, 1.0, 2.0)):
        part = Part(clip=(-40, -12, 70, 30))
        part.boxes = [BoxItem(-30, -10, 60, 20, (40, 80, 160, 255), (20, 40, 80, 255), WHITE, 1, 6)]
        part.texts = [written(stage, "Chief 7", -26, 8, look={"size": 11.0})]
        items[str(k)] = Painting("world", parts=[part], entity=entity, offset=(60.0 * k, 12.0 * k), scale=scale)
    stage.compare("paintings_camera", busy=0.2)
