"""Makes the pictures of the pages about the theory of 3D scenes; look at them before committing.

python docs/make_theory_pictures.py [NAME ...]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PIL import Image
from plots import Plot

from rish_core import open_game
from rish_frame import perspective
from rish_scene3d.light import albedo_rows, ambient_of, atlas_of, environment_light, formulas, shadowing, sky_of_colors
from rish_scene3d.shadows import Cascade, axes_of, enclosing_sphere, make_cascade, split_distances
from rish_space3d import quaternions

PICTURES = Path(__file__).parent / "pictures" / "theory"
UP = np.array([0.0, 1.0, 0.0])


def depths() -> Plot:
    """Plot the depth in clip space by the distance, for three near planes."""
    plot = Plot(
        "Depth after the division by w, far plane at 100 m", "distance, m", "depth, -1 to 1", legend="bottom right"
    )
    plot.x_range, plot.y_range = (0.0, 100.0), (-1.0, 1.0)
    z = np.linspace(0.02, 100, 2000)
    for near in (0.1, 1.0, 10.0):
        m = perspective(1.0, 1.0, near, 100.0)
        plot.line(f"near {near:g} m", z[z >= near], (-z * m[2, 2] + m[2, 3])[z >= near] / z[z >= near])
    return plot


def albedo() -> Plot:
    """Plot how much of even light white microfacets reflect once, and with the light that meets them again."""
    plot = Plot("Even light that a white metal reflects", "cosine of the angle of view", "share", legend="bottom left")
    plot.y_range, plot.x_range = (0.0, 1.1), (0.0, 1.0)
    cosine = np.linspace(0.02, 1, 100)
    for rough in (8, 16, 24, 31):
        share = formulas.dot(albedo_rows()[rough, :6], formulas.powers(cosine))
        plot.line(f"once, roughness {rough / 31:.2f}", cosine, share)
    plot.line("with all further times", cosine, np.ones_like(cosine), dashed=True)
    return plot


def spheres() -> Image.Image:
    """Draw paint and metal of six roughnesses, lit by a sun and a sky, with the sheet of formulas."""
    sky = sky_of_colors([0.15, 0.3, 0.75], [0.8, 0.85, 0.9], [0.16, 0.14, 0.12])
    side, rows = 160, [("paint", [0.75, 0.12, 0.08], 0.0), ("gold", [1.0, 0.72, 0.32], 1.0)]
    picture = np.ones((len(rows) * side, 6 * side, 3))
    y, x = np.mgrid[0:side, 0:side] / side * -2.2 + 1.1
    x = -x
    inside = x * x + y * y < 1
    normal = np.stack([x, y, np.sqrt(np.maximum(1 - x * x - y * y, 0))], axis=-1)[inside]
    to_eye = np.broadcast_to([0.0, 0.0, 1.0], normal.shape)
    to_light = np.broadcast_to(formulas.unit(np.array([0.5, 0.7, 0.6])), normal.shape)
    for row, (_, base, metallic) in enumerate(rows):
        for column in range(6):
            rough = np.full(len(normal), max(column / 5, 0.05))
            surface = formulas.gloss(np.broadcast_to(base, normal.shape), np.full(len(normal), metallic), rough)
            mirrored = environment_light.atlas_light(sky.atlas, formulas.mirror(normal, to_eye), rough)
            light = formulas.environment(
                surface, normal, to_eye, environment_light.ambient_light(sky.ambient, normal), mirrored
            )
            light = light + 1.2 * formulas.reflected(surface, normal, to_eye, to_light)
            part = picture[row * side : (row + 1) * side, column * side : (column + 1) * side]
            part[inside] = _shown(light)
    return _image(picture)


def _shown(light: np.ndarray) -> np.ndarray:
    """Return linear light as values to show: bright light is compressed, then encoded."""
    light = light / (1 + 0.4 * light)
    return np.clip(
        np.where(light < 0.0031308, light * 12.92, 1.055 * np.maximum(light, 1e-9) ** (1 / 2.4) - 0.055), 0, 1
    )


def _image(values: np.ndarray) -> Image.Image:
    return Image.fromarray((values * 255 + 0.5).astype(np.uint8))


SUN = formulas.unit(np.array([0.75, -0.55, 0.35]))
BOX = np.array([[-1.0, 0.0, -0.5], [0.0, 0.9, 0.5]])


def _first_hit(origins: np.ndarray, way: np.ndarray) -> np.ndarray:
    """Return the distances at which parallel rays meet the box or the floor."""
    with np.errstate(divide="ignore", invalid="ignore"):
        floor = -origins[..., 1] / way[1]
        both = (BOX[:, None] - origins.reshape(-1, 3)) / way
    enter, leave = both.min(axis=0).max(axis=-1), both.max(axis=0).min(axis=-1)
    box = np.where((enter <= leave) & (enter > 0), enter, np.inf).reshape(floor.shape)
    return np.minimum(floor, box)


def _map_of(cascade: Cascade, side: int) -> np.ndarray:
    """Return the shadow map of box and floor by a ray for the middle of each texel."""
    low, high = np.array(cascade.low), np.array(cascade.high)
    y, x = (np.mgrid[0:side, 0:side] + 0.5) / side
    starts = (low[0] + (high - low)[0] * x)[..., None] * cascade.axes[0]
    starts = starts + (low[1] + (high - low)[1] * y)[..., None] * cascade.axes[1] + low[2] * cascade.axes[2]
    return _first_hit(starts, cascade.axes[2]) / (high - low)[2]


def bias() -> Image.Image:
    """Draw a box and its shadow on a floor, from above: no offset, a large one along the light, one along normals."""
    side, pixels = 40, 320
    cascade = make_cascade(axes_of(SUN), (0.3, 0, 0.2), 1.7, side, BOX, 10)
    drawn = _map_of(cascade, side)
    y, x = np.mgrid[0:pixels, 0:pixels] / pixels * 3.2
    points = np.stack([x - 1.3, 0 * x, y - 1.4], axis=-1)
    on_box = (np.abs(points[..., 0] + 0.5) < 0.5) & (np.abs(points[..., 2]) < 0.5)
    panels = []
    for normal_texels, depth_texels in ((0.0, 0.0), (0.0, 5.0), (1.5, 0.0)):
        square = cascade.to_square()
        moved = points + UP * normal_texels * cascade.texel - SUN * depth_texels * cascade.texel
        place = moved @ square[:, :3].T + square[:, 3]
        zeros = np.zeros(x.shape, np.int64)
        share = shadowing.lit_share(drawn, place[..., 0] * side, place[..., 1] * side, place[..., 2], zeros, side)
        panel = np.array([0.09, 0.11, 0.16]) + share[..., None] * np.array([0.5, 0.47, 0.4])
        panel[on_box] = [0.75, 0.3, 0.16]
        panels += [_shown(panel), np.ones((pixels, 8, 3))]
    return _image(np.concatenate(panels[:-1], axis=1))


def taps() -> Plot:
    """Plot the share of light across the edge of a shadow: one texel compared, and three weighted ones."""
    plot = Plot("Across the edge of a shadow", "place, texels", "share of light", legend="bottom right")
    plot.x_range, plot.y_range = (-3.0, 3.0), (-0.05, 1.05)
    x = np.linspace(-3, 3, 601)
    lit = (np.arange(-8, 8) >= 0).astype(float)
    texel = np.floor(x).astype(int)
    plot.line("one texel", x, lit[texel + 8])
    weights = shadowing.weights(x - texel)
    plot.line("three, weighted", x, sum(weights[:, k + 1] * lit[texel + k + 8] for k in (-1, 0, 1)))
    return plot


def splits() -> Plot:
    """Plot the size of a texel by the distance, for one map and for three cascades."""
    plot = Plot(
        "A texel of the shadow map, seen", "distance, m", "texel ÷ pixel", log_x=True, log_y=True, legend="top right"
    )
    depth = np.geomspace(0.5, 60, 400)
    pixel = 2 * np.tan(0.435) * depth / 720
    for count, split, name in ((1, 0.0, "one map"), (3, 0.0, "three, of equal depth"), (3, 0.6, "three, split 0.6")):
        ends = split_distances(0.1, 60, count, split)
        texels, start = [], 0.1
        for end in ends:
            texels.append(2 * enclosing_sphere(start, end, (0.83, 0.465), orthographic=False)[1] / 1024)
            start = end
        plot.line(name, depth, np.array(texels)[np.minimum(np.searchsorted(ends, depth), count - 1)] / pixel)
    return plot


def turning() -> Plot:
    """Plot how far a camera has turned on its way between two rotations, by three ways of mixing them."""
    plot = Plot("From one rotation to another", "share of the way", "degrees turned", legend="bottom right")
    share = np.linspace(0, 1, 201)
    one, two = np.array([0.0, 0.0, 0.0]), np.array([80.0, 150.0, 60.0])
    a, b = (quaternions.from_angles(np.radians(angles)) for angles in (one, two))
    mixed = quaternions.from_angles(np.radians(one + share[:, None] * (two - one)))
    for name, q in (
        ("slerp", quaternions.slerp(a, b, share)),
        ("nlerp", quaternions.nlerp(a, b, share)),
        ("three angles", mixed),
    ):
        plot.line(name, share, np.degrees(2 * np.arccos(np.clip(np.abs(q @ a), 0, 1))))
    return plot


def bending() -> Plot:
    """Plot the outline of an arm of two bones that is bent more and more."""
    plot = Plot("An arm, bent by 0°, 60° and 130°", "meters", "meters", size=(720, 470), legend="top left")
    plot.x_range, plot.y_range = (-1.2, 1.4), (-0.4, 1.3)
    x = np.linspace(-1, 1, 81)
    weight = np.clip((x + 0.25) / 0.5, 0, 1)
    weight = weight * weight * (3 - 2 * weight)
    outline = np.concatenate([np.stack([x, 0 * x + 0.15], -1), np.stack([x, 0 * x - 0.15], -1)[::-1]])
    weights = np.concatenate([weight, weight[::-1]])[:, None]
    for degrees in (0, 60, 130):
        c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        bent = outline @ np.array([[c, -s], [s, c]]).T
        skin = outline * (1 - weights) + bent * weights
        plot.line(f"{degrees}°", *np.concatenate([skin, skin[:1]]).T)
    return plot


def harmonics() -> Image.Image:
    """Draw a sky with a bright window, what a matt ball sees of it by nine numbers, and mirrors of four roughnesses."""
    side = 160
    y, x = np.mgrid[0:side, 0:side] / side * -2.2 + 1.1
    inside = x * x + y * y < 1
    normal = np.stack([-x, y, np.sqrt(np.maximum(1 - x * x - y * y, 0))], axis=-1)
    sky = np.full((64, 128, 3), [0.1, 0.14, 0.22], np.float32)
    sky[14:26, 8:26], sky[40:, :] = [6, 4.5, 3], [0.07, 0.06, 0.05]
    atlas, picture = atlas_of(sky), np.ones((side, 5 * side, 3))
    to_eye = np.broadcast_to([0.0, 0.0, 1.0], normal.shape)
    seen = formulas.mirror(normal, to_eye)
    for column, rough in enumerate((0.0, 0.2, 0.4, 0.8)):
        light = environment_light.atlas_light(atlas, seen, np.full(x.shape, rough))
        picture[:, column * side : (column + 1) * side][inside] = _shown(light)[inside]
    picture[:, 4 * side :][inside] = _shown(environment_light.ambient_light(ambient_of(sky), normal))[inside]
    return _image(picture)


def quay() -> Image.Image:
    """Draw the game of the page about light."""
    page = (Path(__file__).parent / "how-to" / "light-3d.md").read_text(encoding="utf-8")
    with TemporaryDirectory() as folder:
        text = page.split("```yaml file=quay/game.yaml\n")[1].split("```")[0]
        (Path(folder) / "game.yaml").write_text(text, encoding="utf-8")
        with open_game(folder, headless=True, backend="software") as app:
            app.run(frames=3)
            return Image.fromarray(app.pixels()[..., :3])


TAKES: dict[str, Callable[[], Plot | Image.Image]] = {
    make.__name__: make for make in (depths, albedo, spheres, bias, taps, splits, turning, bending, harmonics, quay)
}


def main(names: list[str]) -> None:
    """Make some pictures, or all of them."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in names or TAKES:
        made, path = TAKES[name](), PICTURES / f"{name}.png"
        if isinstance(made, Plot):
            made.save(path)
        else:
            made.save(path, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1:])
