"""Texts become batches that are sharp and small, and stay the same while nothing changes."""

from __future__ import annotations

import numpy as np
import pytest

from long_runs import long
from rish_core import Assets, Name, Transform
from rish_frame import Frame, NullBackend
from rish_render import Align, Camera, Text
from rish_render.materials.material_images import Pictures

WHITE = 255


def texts(stage):
    """Return the batches of texts of the last frame."""
    return [batch for batch in stage.batches if batch.kind.startswith("sprites") and batch.filter == "linear"]


def cache(stage):
    """Return the cache of texts."""
    return stage.world[Pictures].atlas.cache["text"]


def alter(stage, entity, **fields):
    """Write fields of a text."""
    view = stage.world.get(entity, Text)
    for name, value in fields.items():
        setattr(view, name, value)


def test_straight_letters_take_sixteen_bytes_on_whole_pixels(studio):
    """At any position and zoom each letter of an upright text covers whole pixels, and its unit is one pixel."""
    stage = studio()
    eye = stage.put(3.3, 4.7, Camera())
    stage.put(10.3, -5.6, Text(text="Sharp", size=17, anchor=(0.3, 0.7)))
    for zoom in (1, 1.37, 0.61, 2.5):
        stage.world.get(eye, Camera).zoom = zoom
        stage.shoot()
        (batch,) = texts(stage)
        assert batch.kind == "sprites"
        assert batch.unit == pytest.approx(1 / zoom)
        one = batch.arrays["instances"]
        assert (one["w"] % 16 == 0).all()
        assert ((one["x"] - one["w"] // 4) % 8 == 0).all()
        assert ((one["y"] - one["h"] // 4) % 8 == 0).all()


@pytest.mark.parametrize("zoom", [1.0, 1.37, 0.61])
def test_a_straight_text_shows_its_glyphs_texel_by_texel(studio, zoom):
    """The pixels on the screen equal those of the glyph in the atlas, without resampling."""
    stage = studio(size=(200, 100))
    stage.put(0.37, 0.21, Camera(zoom=zoom, background=(0, 0, 0, 1)))
    stage.put(1.3, 2.6, Text(text="H", size=30))
    picture = stage.shoot()[..., 0]
    (view,) = cache(stage).shown.values()
    atlas = stage.world[Pictures].atlas
    page, (x, y, w, h) = atlas.place_of(int(view.shown.letters[0].frames[0]))
    glyph = next(one.pixels for one in atlas.pages if one.id == page)[y : y + h, x : x + w, 3]
    found = np.argwhere(picture)
    (top, left), (bottom, right) = found.min(axis=0), found.max(axis=0) + 1
    inked = np.argwhere(glyph)
    (t, le), (b, r) = inked.min(axis=0), inked.max(axis=0) + 1
    np.testing.assert_allclose(picture[top:bottom, left:right].astype(int), glyph[t:b, le:r].astype(int), atol=1)


@pytest.mark.parametrize(("words", "ranges"), [("9", [(12, 13)]), ("99", [(12, 25)])])
def test_a_text_that_changes_is_sent_alone(studio, words, ranges):
    """If one of several texts changes, their batch stays the same object and names the letters to upload: those of
    this text, and the ones that moved because it became longer."""
    stage = studio(strict=False)
    entities = [stage.put(100, 20 + k * 20, Text(text=f"Row{k}", size=14)) for k in range(3)]
    score = stage.put(200, 220, Text(text="0", size=14))
    stage.put(100, 80, Text(text="Some more row", size=14))
    stage.app.run(frames=2)
    (first,) = texts(stage)
    before, array = first.version, first.arrays["instances"]
    alter(stage, score, text=words)
    stage.shoot()
    (again,) = texts(stage)
    assert again is first
    assert again.version != before
    assert (again.patch.base is array, again.patch.ranges) == (True, ranges)
    version = again.version
    stage.world.table(Text).mark(stage.world.table(Text).row_of(entities[0]))
    stage.shoot()
    assert texts(stage)[0].version == version


def test_a_camera_that_scrolls_by_whole_pixels_leaves_the_bytes_alone(studio):
    """Scrolling by whole pixels keeps the batch and its bytes, and changes only its origin."""
    stage = studio(strict=False)
    eye = stage.put(0, 0, Camera())
    stage.put(10.4, 5.2, Text(text="Still"))
    stage.shoot()
    (first,) = texts(stage)
    before = first.arrays["instances"].copy()
    for k in range(1, 4):
        stage.world.get(eye, Transform).position = (k * 3, -k)
        stage.shoot()
        (batch,) = texts(stage)
        assert batch is first
        assert (batch.arrays["instances"] == before).all()


def test_sheared_and_mirrored_texts_go_wide(studio):
    """Sheared and mirrored texts use wide sprites; rotated ones do not."""
    stage = studio()
    stage.put(100, 100, Text(text="turned"), rotation=0.5)
    stage.shoot()
    assert [batch.kind for batch in texts(stage)] == ["sprites"]
    stage.put(100, 100, Text(text="mirrored"), scale=(-1, 1))
    stage.put(100, 150, Text(text="stretched"), scale=(3, 1))
    stage.shoot()
    assert sorted(batch.kind for batch in texts(stage)) == ["sprites", "sprites_wide"]


def test_texts_far_away_are_as_sharp(studio):
    """A text a million units away looks the same as at the origin, because positions are relative to cells."""
    stage = studio(size=(160, 60))
    eye = stage.put(0, 0, Camera(background=(0, 0, 0, 1)))
    stage.put(0, 0, Text(text="Here"))
    stage.put(1_000_000, 0, Text(text="Here"))
    near = stage.shoot().copy()
    stage.world.get(eye, Transform).position = (1_000_000, 0)
    stage.shoot()
    far = stage.shoot()
    assert near.max() == WHITE
    assert (near == far).all()


def test_what_no_camera_sees_costs_no_glyphs(studio):
    """Glyphs are made only for texts in view."""
    stage = studio()
    stage.put(100, 100, Text(text="a"))
    stage.put(9000, 100, Text(text="bcd"))
    stage.shoot()
    assert {piece.cluster for piece, _ in cache(stage).glyphs._known} == {"a"}


def test_colors_and_places_change_without_a_new_layout(studio, monkeypatch):
    """Changing color, opacity or position packs the text again without a new layout."""
    stage = studio(strict=False)
    entity = stage.put(100, 100, Text(text="Hello"))
    stage.shoot()
    monkeypatch.setattr("rish_render.kinds.text.cache.lay_out", None)
    monkeypatch.setattr("rish_render.kinds.text.cache.set_letters", None)
    alter(stage, entity, color=(1, 0, 0, 1), opacity=0.5)
    stage.world.get(entity, Transform).position = (120, 90)
    stage.shoot()
    (batch,) = texts(stage)
    assert batch.arrays["instances"]["rgba"][0].tolist() == [255, 0, 0, 128]


def test_shadows_lie_below_outlines_below_letters(studio):
    """Shadows are drawn below all outlines, and those below all letters, so that no outline covers a letter."""
    stage = studio()
    colors = {"color": (1, 0, 0, 1), "outline": (0, 1, 0, 1), "shadow": (0, 0, 1, 1)}
    stage.put(100, 100, Text(text="ab", outline_width=2, **colors))
    stage.shoot()
    (batch,) = texts(stage)
    rgb = batch.arrays["instances"]["rgba"][:, :3]
    assert np.argmax(rgb, axis=1).tolist() == [2, 2, 1, 1, 0, 0]


def test_outlines_grow_evenly_around_their_letters(studio):
    """An outline extends equally to the left and right, at any subpixel position of its letter."""
    stage = studio(size=(240, 60))
    stage.put(120, 30, Text(text="lllllllllll", size=17, outline=(1, 0, 0, 1), outline_width=2, color=(0, 1, 0, 1)))
    stage.put(120, 30, Camera(background=(0, 0, 0, 1)))
    row = stage.shoot()[30].astype(float)
    where = np.arange(len(row)) + 0.5
    for color in (0, 1):
        assert row[:, color].any()
    middle = [(row[:, c] * where).sum() / row[:, c].sum() for c in (0, 1)]
    assert middle[0] == pytest.approx(middle[1], abs=0.1)


def test_split_screens_share_glyphs_and_keep_their_own_batches(studio):
    """Two cameras share glyphs but have their own batches with their own pixel size; both stay while nothing moves."""
    stage = studio(strict=False)
    stage.put(0, 0, Camera(viewport=(0, 0, 0.5, 1)))
    stage.put(0, 0, Camera(viewport=(0.5, 0, 0.5, 1), zoom=2, primary=False, order=1))
    stage.put(0, 0, Text(text="Both", size=12))
    stage.shoot()
    first = texts(stage)
    stage.shoot()
    assert len(first) == 2
    assert all(a is b for a, b in zip(first, texts(stage), strict=True))
    assert sorted(batch.unit for batch in first) == [0.5, 1.0]


def test_glyphs_that_are_forgotten_come_back(studio, made_font):
    """Glyphs that were evicted from their page are drawn again when their text is shown again."""
    stage = studio(size=(200, 60), settings={"render": {"page_size": 64}}, strict=False)
    codes = range(0x4E00, 0x4E00 + 120)
    font = made_font(codes)
    stage.put(100, 30, Camera(background=(0, 0, 0, 1)))
    entity = stage.put(100, 30, Text(text="\u4e00\u4e01", size=20, font="bars.ttf"))
    (stage.world[Assets].root / "bars.ttf").write_bytes(font.source)
    first = stage.shoot().copy()
    assert first.max() == WHITE
    cache(stage).glyphs.max_pages = 1
    for begin in range(2, 120, 4):
        alter(stage, entity, text="".join(map(chr, codes[begin : begin + 4])))
        stage.shoot()
    assert cache(stage).glyphs.forgotten > 1
    alter(stage, entity, text="\u4e00\u4e01")
    assert (stage.shoot() == first).all()


def test_a_restored_world_needs_no_new_glyphs(studio):
    """Restoring a snapshot many times adds no rows or pages to the atlas and shows the same image."""
    stage = studio(strict=False)
    stage.put(100, 100, Text(text="Again and again", outline=(1, 0, 0, 1), outline_width=2))
    first = stage.shoot().copy()
    kept = stage.world.snapshot()
    rows, pages = len(stage.world[Pictures].atlas.table), len(stage.world[Pictures].atlas.pages)
    for _ in range(5):
        stage.world.restore(kept)
        assert (stage.shoot() == first).all()
    assert (len(stage.world[Pictures].atlas.table), len(stage.world[Pictures].atlas.pages)) == (rows, pages)


def test_a_font_that_changed_on_disk_is_shown_anew(studio, made_font):
    """When a font file changes on disk, texts in that font are drawn again."""
    stage = studio(strict=False)
    path = stage.world[Assets].root / "bars.ttf"
    path.write_bytes(made_font([0x41]).source)
    stage.put(100, 100, Text(text="A", font="bars.ttf", size=40))
    bar = stage.shoot().copy()
    path.write_bytes(made_font([0x42]).source)
    assert stage.world[Assets].reload("bars.ttf")
    assert (stage.shoot() != bar).any()


@pytest.mark.slow
def test_thousands_of_different_letters_at_several_sizes(studio, made_font):
    """Thousands of Chinese letters at two sizes use few pages and rows, and the table is sent only when it changes."""
    stage = studio(size=(640, 480), backend=NullBackend(), strict=False)
    count = long(5000, 2000)
    codes = range(0x4E00, 0x4E00 + count)
    (stage.world[Assets].root / "bars.ttf").write_bytes(made_font(codes).source)
    entity = stage.put(320, 240, Text(size=16, font="bars.ttf", wrap=640))
    for size in (12, 16):
        for begin in range(0, count, 1000):
            alter(stage, entity, text="".join(map(chr, codes[begin : begin + 1000])), size=size)
            stage.app.frame()
            assert sum(batch.count for batch in texts(stage)) == 1000
            version = stage.world[Frame].frames_version
            stage.app.frame()
            assert stage.world[Frame].frames_version == version
    assert len(cache(stage).glyphs.pages) <= long(5, 2)
    assert len(stage.world[Pictures].atlas.table) <= 2 * count + 100


HOSTILE = {
    "long": "word " * 30_000,
    "one word": "x" * 100_000,
    "controls": "a\0b\x1b[31m\x7f",
    "marks": "a" + "\u0301" * 10_000,
    "empty": "",
    "blank": " \n\t\n  ",
    "lines": "\n" * 5000,
    "overrides": "\u202e" * 500 + "abc (1) אב" + "\u202c" * 300,
    "isolates": "\u2068 " * 3000 + "א",
    "joined": "سلام" * 2000,
    "brackets": "(" * 2000 + "א" + ")" * 2000,
    "unassigned": "\u0378\U0010fffe\ue000",
    "markup": "[gold]" * 3000 + "a[[" + "[" * 500,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_are_drawn(studio, name):
    """Any text gives an image without an error."""
    stage = studio(strict=False)
    for wrap in (0, 90):
        stage.put(160, 120, Text(text=HOSTILE[name], size=13, wrap=wrap, markup=True, align=Align.JUSTIFY))
    stage.shoot()


def test_a_text_without_end_is_cut_and_reported_once(studio, caplog):
    """A text is cut off after fifty thousand letters, and one log line names the entity."""
    stage = studio(backend=NullBackend(), strict=False)
    stage.put(0, 0, Text(text="x" * 1_000_000))
    stage.app.frame()
    stage.app.frame()
    assert len(caplog.records) == 1
    assert "entity" in caplog.text
    assert texts(stage)[0].count == 50_000


@pytest.fixture
def few_fonts(monkeypatch):
    """Hide the CJK extra and the fonts of the system, on Linux."""
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("rish_render.kinds.text.faces.CJK", ("no_such_package", ""))
    monkeypatch.setattr("rish_render.kinds.text.faces.font_folders", list)


@pytest.mark.usefixtures("few_fonts")
def test_missing_characters_are_named_in_one_line_for_each_text(studio, caplog):
    """One log line for each text names its entity, the characters, their script and what to install; each only once."""
    stage = studio((300, 100), strict=False, settings={"render": {"language": "zh-Hant"}})
    sign = stage.put(150, 70, Text(text="開始 鬱龜籲 ok"), Name(value="sign"))
    stage.put(150, 30, Text(text="鬱\u0378\u0379"))
    for _ in range(2):
        stage.shoot()
    first, second = (record.getMessage() for record in caplog.records)
    assert "'sign'" in first
    assert "鬱 (U+9B31), 龜 (U+9F9C), 籲 (U+7C72) (Traditional Chinese)" in first
    assert "pip install noto-cjk-sans-otc, or apt install fonts-noto-cjk" in first
    assert "鬱" not in second
    assert "U+0378, U+0379 (unknown)" in second
    assert "apt install" not in second
    alter(stage, sign, text="籲鬱")
    stage.shoot()
    assert len(caplog.records) == 2


@pytest.mark.usefixtures("few_fonts")
def test_the_number_of_lines_about_missing_characters_is_limited(studio, caplog):
    """However many texts lack characters, at most twenty are logged, and the last line says so."""
    stage = studio((300, 300), strict=False)
    for k in range(30):
        stage.put(150, 10 * k, Text(text=chr(0x20000 + k), size=8))
    stage.shoot()
    assert len(caplog.records) == 20
    assert "further ones are not reported" in caplog.records[-1].getMessage()


@pytest.mark.parametrize("scale", [(0, 0), (-1, 1), (1e-20, 1e20), (1e8, 1e8), (0, 1)])
def test_odd_transforms_are_drawn_or_left_out(studio, scale):
    """Transforms of zero, mirrored and huge scale raise no error."""
    stage = studio(strict=False)
    stage.put(100, 100, Text(text="Odd ab"), scale=scale)
    stage.put(1e30, 100, Text(text="far"), scale=scale)
    stage.shoot()


def test_sizes_and_icons_are_shown(studio):
    """A text with larger letters is higher, and its icons are sprites with the colors of their image."""
    stage = studio(size=(120, 80))
    stage.put(0, 0, Camera(background=(0, 0, 0, 1)))
    text = stage.put(0, 0, Text(text="[icon=face.png*2]", markup=True, size=20, color=(0, 0, 0, 1)))
    picture = stage.shoot()
    shown = np.argwhere(picture[..., 0] > 20)
    assert np.ptp(shown, axis=0).tolist() == pytest.approx([39, 39], abs=3)
    alter(stage, text, text="[size=2]H[/]", color=(1, 1, 1, 1))
    large = np.ptp(np.argwhere(stage.shoot()[..., 0] > 99), axis=0)
    alter(stage, text, text="H", size=40)
    assert np.ptp(np.argwhere(stage.shoot()[..., 0] > 99), axis=0).tolist() == pytest.approx(large.tolist(), abs=1)
