"""Makes the portraits of the demo from letters: each letter is a pixel of a color. Run it after changing a face."""

from pathlib import Path

from PIL import Image

COLORS = {
    ".": None, "o": "#2a1a1f", "s": "#f0c090", "d": "#d49a70", "h": "#7a3b22", "H": "#a0522d", "w": "#ffffff",
    "e": "#26344d", "r": "#c0392b", "g": "#3f6d4a", "G": "#5f9a68", "k": "#3b3b46", "K": "#55556a", "y": "#f2c94c",
    "p": "#e79aa8",
}  # fmt: skip
MARA = """
....hhhhhhhh....
..hhHHHHHHHHhh..
.hHHHHHHHHHHHHh.
.hHHhhsssshhHHh.
hHHhssssssssHHHh
hHhssssssssssHHh
hHsswwsssswwsHHh
hHsswesssswesHHh
hHsssssddssssHHh
hHsspsssssspsHhh
.hssssrrrrsssHh.
.hhsssssssssshh.
..h.ssssssss.h..
....gddddddg....
..ggGGsssGGggg..
.gGGGGGsGGGGGgg.
"""
CAT = """
................
.kk..........kk.
.kKk........kKk.
.kpKkkkkkkkkKpk.
.kKKKKKKKKKKKKk.
kKKKKKKKKKKKKKKk
kKKyykKKKKyykKKk
kKKyykKKKKyykKKk
kKKKKKKppKKKKKKk
wKwKKKKKKKKKKwKw
kKwwKKkkkkKKwwKk
.kKKKwwwwwwKKKk.
..kKKKwwwwKKKk..
...kkKKKKKKkk...
..kKKKKwwKKKKk..
.kKKKKwwwwKKKKk.
"""


def picture(letters: str) -> Image.Image:
    """Return a face of letters, each as four by four pixels."""
    rows = letters.split()
    image = Image.new("RGBA", (len(rows[0]), len(rows)))
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            color = COLORS[letter]
            if color is not None:
                image.putpixel((x, y), (*bytes.fromhex(color[1:]), 255))
    return image.resize((image.width * 4, image.height * 4), Image.Resampling.NEAREST)


if __name__ == "__main__":
    here = Path(__file__).parent
    picture(MARA).save(here / "mara.png")
    picture(MARA.replace("wwsssswws", "ddssssdds").replace("ssssrrrrsss", "sssrssssrss")).save(here / "mara_angry.png")
    picture(CAT).save(here / "cat.png")
