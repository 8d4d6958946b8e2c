"""Reference scenes of text, drawn by the software backend and compared with a stored image.

Run with RISH_SAVE_PICTURES=1 to write the references again, and check the written images by eye.
"""

from __future__ import annotations

import pytest

from rish_render import Align, Camera, Text
from rish_render.kinds.text.fonts import can_shape
from tools import needing

SHAPED = pytest.mark.skipif(not can_shape(), reason="Pillow has no Raqm here, which shapes writing")
CJK = needing("noto_cjk_sans_otc", "fonts")
TOP = {"anchor": (0, 1)}
SMALL = "The quick brown fox jumps over “lazy” dogs: 0123456789 AVATAR"


@SHAPED
def test_small_letters_are_even(studio):
    """Text at every size from 8 to 17 pixels has even spacing, and stems end on whole pixels."""
    stage = studio((480, 220))
    y = 214.0
    for size in range(8, 18):
        stage.put(8, y, Text(text=f"{size} {SMALL}", size=size, **TOP))
        y -= 1.25 * size + 5
    stage.compare("text_small")


@pytest.mark.slow
@SHAPED
def test_color_spans(studio):
    """Color spans can be nested, half transparent, outlined, with a shadow, and run over several lines."""
    stage = studio((480, 220))
    treasure = "A chest of [gold]gold[/], [#9fd0ff]silver[/] and [tomato]a bold [#ffffff]snake[/]![/]"
    stage.put(10, 210, Text(text=treasure, markup=True, size=24, **TOP))
    words = "[lime]Outlined[/] and [#ff66ccaa]faint[/]"
    outline = {"outline": (0.1, 0.1, 0.3, 1), "outline_width": 3}
    stage.put(10, 160, Text(text=words, markup=True, size=34, **outline, **TOP))
    shadow = {"shadow": (0, 0, 0, 1), "shadow_offset": (2, -2)}
    stage.put(10, 100, Text(text="[orange]Cast a[/] [[shadow]", markup=True, size=30, **shadow, **TOP))
    long = "[skyblue]A span goes on over the end of a line[/], and [salmon]of another one[/], as [[it] should."
    stage.put(300, 105, Text(text=long, markup=True, size=15, wrap=170, **TOP))
    stage.compare("text_spans")


@SHAPED
@CJK
def test_scripts_that_come_along(studio):
    """Greek, Cyrillic, pointed Hebrew, joined Arabic, Indian conjuncts, Thai and symbols are drawn in their order."""
    stage = studio((480, 250))
    lines = [
        "Ελληνικά, Русский, Tiếng Việt, Łódź, Ærøskøbing",
        "שָׁלוֹם עוֹלָם! Hebrew (שלום) in Latin 123",
        "العربية مكتوبة من اليمين ٤٥٦ Arabic",
        "नमस्ते दुनिया · สวัสดีชาวโลก · გამარჯობა",
        "♪ ♥ → ∞ ☂ 😀 👍🏽 e\u0301 a\u0308\u0323 office",
    ]
    for k, line in enumerate(lines):
        stage.put(10, 240 - k * 46, Text(text=line, size=24, **TOP))
    stage.compare("text_scripts")


@SHAPED
def test_mixed_writing_is_wrapped_line_by_line(studio):
    """Paragraphs from the right and from the left, each with words of the other, are aligned and justified."""
    stage = studio((480, 200))
    hebrew = "המשחק Rish רץ על 3 מערכות (Linux, Windows) ומצייר טקסט מעורב כמו שצריך."
    latin = "The word שלום means peace, and (עברית) is Hebrew; 12 + 3 = 15, as in שנת 2024."
    for k, align in enumerate((Align.RIGHT, Align.JUSTIFY)):
        stage.put(10, 190 - k * 95, Text(text=hebrew, size=17, wrap=210, align=align, **TOP))
        stage.put(250, 190 - k * 95, Text(text=latin, size=17, wrap=210, align=align, **TOP))
    stage.compare("text_bidi")


@SHAPED
@CJK
def test_chinese_japanese_and_korean(studio):
    """Lines end between ideographs but not before closing signs."""
    stage = studio((480, 240))
    japanese = "日本語の文章は、空白がなくても「ここ」で折り返される。句読点は行頭に来ない。"
    chinese = "繁體中文：玩家可以在這裡輸入文字，標點符號不會出現在行首。"
    korean = "한국어 문장은 띄어쓰기에서, 또는 글자 사이에서 줄이 바뀝니다."
    for k, text in enumerate((japanese, chinese, korean)):
        stage.put(-230 + k * 158, 110, Text(text=text, size=16, wrap=144, align=Align.JUSTIFY, **TOP))
    stage.put(0, -60, Text(text="漢字 Kanji かな 한글", size=30, outline=(0.6, 0.1, 0.1, 1), outline_width=2))
    stage.put(0, 0, Camera())
    stage.compare("text_cjk")


@SHAPED
def test_traditional_chinese_with_the_shipped_font(studio, monkeypatch):
    """Without other fonts, Chinese and Latin words stand on one line at every size from 12 to 72."""
    monkeypatch.setattr("rish_render.kinds.text.faces.CJK", ("no_such_package", ""))
    monkeypatch.setattr("rish_render.kinds.text.faces.font_folders", list)
    stage = studio((640, 360), settings={"render": {"language": "zh-Hant"}})
    y = 354.0
    for size in (12, 14, 16, 20, 28, 40, 72):
        stage.put(10, y, Text(text="繼續遊戲 Agx 設定：音量 80％" if size < 72 else "開始 Agx！", size=size, **TOP))
        y -= 1.3 * size + 3
    long = "「確定要離開嗎？」尚未儲存的進度將會遺失。按 Esc 返回主選單（或按任意鍵繼續）；載入 game.yaml 失敗，請重試…"
    stage.put(400, 350, Text(text=long, size=16, wrap=224, align=Align.JUSTIFY, **TOP))
    stage.put(400, 158, Text(text="檔案、編輯、場景\n[gold]分數[/]：１２３４／5678", size=18, markup=True, **TOP))
    stage.put(400, 84, Text(text="勝利！", size=44, outline=(0.6, 0.1, 0.1, 1), outline_width=3, **TOP))
    stage.compare("text_traditional")


@SHAPED
def test_the_box_and_spacing(studio, monkeypatch):
    """Missing characters are boxes at every size; letters can be spaced wide and close; tabs align columns."""
    monkeypatch.setattr("rish_render.kinds.text.faces.font_folders", list)
    stage = studio((480, 160))
    for k, size in enumerate((10, 16, 28, 44)):
        stage.put(10 + k * 75 + k * k * 8, 150, Text(text="a\u0378\U000105ff!", size=size, **TOP))
    stage.put(10, 90, Text(text="W I D E  set wide", size=18, letter_spacing=4, **TOP))
    stage.put(250, 90, Text(text="set very close", size=18, letter_spacing=-1.5, **TOP))
    stage.put(10, 60, Text(text="iron\t12\t3.5 kg\ncopper\t7\t12 kg", size=18, **TOP))
    stage.compare("text_odd")
