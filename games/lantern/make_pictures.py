"""Paints all images of the game into `pictures/`. Run it again after a change: `python make_pictures.py`.

The keep is painted from `keep.map.yaml`, so run it again after a change of the map.
"""

from __future__ import annotations

from pathlib import Path

from painting import dungeon, people, things, title
from painting.clay import save
from PIL import Image

HERE = Path(__file__).parent
FOLDER = HERE / "pictures"
SINGLE = (
    "pillar", "crate", "barrel", "gate", "tomb", "jar", "lamp", "lantern", "brazier", "coals", "mushroom",
    "ember", "life",
)  # fmt: skip


def main() -> None:
    """Paint everything."""
    FOLDER.mkdir(exist_ok=True)
    Image.new("RGBA", (16, 16), (0, 0, 0, 0)).save(FOLDER / "blank.png")
    for picture, name in zip(dungeon.paint(HERE / "keep.map.yaml"), ("keep", "keep_normal"), strict=True):
        picture.save(FOLDER / f"{name}.png", optimize=True)
    for picture, name in zip(title.paint(), ("title", "title_normal"), strict=True):
        picture.save(FOLDER / f"{name}.png", optimize=True)
    save(people.hero(), FOLDER, "hero")
    save(people.rats(), FOLDER, "rat")
    save(people.wraith(), FOLDER, "wraith")
    for name in SINGLE:
        save(getattr(things, name)(), FOLDER, name)
    save([things.plate(False), things.plate(True)], FOLDER, "plate")
    save([things.bracket(False), things.bracket(True)], FOLDER, "torch")
    save(things.crystal(False), FOLDER, "crystal")
    save(things.crystal(True), FOLDER, "crystal_large")


if __name__ == "__main__":
    main()
