"""Makes all models of the game into `models/`. Run it again after a change: `python make_models.py`."""

from __future__ import annotations

from pathlib import Path

from modeling import gull, harbour, robot, surfaces
from modeling.glb import Writer
from PIL import Image

FOLDER = Path(__file__).parent / "models"
BUILDERS = {
    "robot": robot.build,
    "gull": gull.build,
    "quay": harbour.quay,
    "bollard": harbour.bollard,
    "crate": harbour.crate,
    "lantern": harbour.lantern,
    "lighthouse": harbour.lighthouse,
    "lens": harbour.lens,
    "ray": harbour.ray,
    "boat": harbour.boat,
    "warehouse": harbour.warehouse,
    "lamp": harbour.street_lamp,
    "hills": harbour.hills,
}


def main() -> None:
    """Make every model."""
    FOLDER.mkdir(exist_ok=True)
    for name, build in BUILDERS.items():
        writer = Writer()
        build(writer)
        writer.save(FOLDER / f"{name}.glb")
    Image.fromarray(surfaces.sea()["normal"]).save(FOLDER / "sea.png", optimize=True)


if __name__ == "__main__":
    main()
