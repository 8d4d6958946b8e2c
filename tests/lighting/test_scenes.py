"""Lit scenes on both backends agree, and each feature is visible in the frame."""

from __future__ import annotations

import numpy as np
import pytest

from rish_frame import Frame
from rish_frame.testing import compare_pictures, measure
from rish_lighting.passes.extract import Lighting

from .conftest import BACKENDS

FLOOR = "- {at: [80, 48], Transform: {}, Shape: {size: [150, 86], color: '#c0b090'}}"
BOX = (
    "- {at: [60, 40], Transform: {rotation: 20}, Shape: {size: [16, 16], color: '#508050'}, Occluder: {size: [16, 16]}}"
)
BALL = "- {at: [110, 50], Transform: {}, Sprite: {image: ball.png, normal: bump.png}}"
LAMP = "- {at: [90, 60], Transform: {}, Light: {color: '#ffcc88', radius: 80, intensity: 1.5}}"
SCENES = {
    "point": f"{FLOOR}\n{BOX}\n{LAMP}",
    "spot": f"{FLOOR}\n{BOX}\n- {{at: [20, 40], Transform: {{}}, Light: {{kind: spot, radius: 120, angle: 60}}}}",
    "sun": f"{FLOOR}\n{BOX}\n- {{Transform: {{}}, Light: {{kind: directional, direction: -40, length: 30}}}}",
    "endless sun": f"{FLOOR}\n{BOX}\n- {{Transform: {{}}, Light: {{kind: directional, direction: 200}}}}",
    "area": f"{FLOOR}\n{BOX}\n- {{at: [90, 60], Transform: {{}}, Light: {{kind: area, length: 40, radius: 60}}}}",
    "textured": f"{FLOOR}\n{BOX}\n- {{at: [80, 48], Transform: {{rotation: 15}}, Light: {{kind: textured, image: "
    "cookie.png, radius: 45, falloff: none}}",
    "soft": f"{FLOOR}\n{BOX}\n- {{at: [90, 60], Transform: {{}}, Light: {{radius: 80, source_size: 10}}}}",
    "many": "\n".join(
        [FLOOR, BOX]
        + [
            f"- {{at: [{20 + 40 * (k % 4)}, {16 + 32 * (k // 4)}], Transform: {{}}, "
            f"Light: {{radius: 40, intensity: 0.5, color: {('red', 'lime', 'blue')[k % 3]}}}}}"
            for k in range(12)
        ]
    ),
    "normals": f"{FLOOR}\n{BALL}\n{LAMP}",
    "emission": f"{FLOOR}\n- {{at: [80, 50], Transform: {{}}, Sprite: {{image: ball.png, emission: glow.png}}}}",
    "gradient": f"{FLOOR}\n{BOX}\n- {{Ambient: {{color: '#ff8080', color_end: '#202060', gradient: true}}}}",
    "circle": f"{FLOOR}\n- {{at: [60, 40], Transform: {{}}, Occluder: {{shape: circle, size: [24, 14]}}}}\n{LAMP}",
    "image": f"{FLOOR}\n- {{at: [60, 40], Transform: {{rotation: 30}}, Occluder: {{shape: image, image: ball.png, "
    f"size: [0, 0]}}}}\n{LAMP}",
    "line": f"{FLOOR}\n- {{at: [60, 40], Transform: {{}}, Occluder: {{shape: line, "
    f"points: [[-20, 0], [20, 8]]}}}}\n{LAMP}",
    "layers": f"{FLOOR}\n- {{at: [60, 40], Transform: {{}}, Shape: {{size: [50, 20], color: white, layer: top}}}}\n"
    "- {at: [70, 50], Transform: {}, Light: {radius: 70, layers: [top]}}\n" + LAMP,
}
QUICK = ("point", "normals", "layers", "soft")
AMBIENT = "- {Ambient: {color: '#404858'}}"


def shot(hall, name, backend, **options):
    """Return the pixels of a scene."""
    text = SCENES[name] if "Ambient" in SCENES[name] else f"{SCENES[name]}\n{AMBIENT}"
    made = hall(text, backend, layers="[world, top]", **options)
    assert not made.app.host.skipped
    return made.pixels().copy()


@pytest.mark.gl
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in SCENES]
)
def test_backends_agree(hall, name):
    """Both backends agree within three levels on average, with a structural similarity of at least 0.98."""
    a, b = (shot(hall, name, backend) for backend in ("software", "arcade"))
    compare_pictures(b, a, mean=3.0, ssim=0.98)
    assert np.ptp(a[..., :3]) > 40


def test_a_missing_shadow_would_be_seen(hall):
    """The comparison detects a scene without its occluder, and one with a light that is a fifth dimmer."""
    a = shot(hall, "point", "software")
    for wrong in ("point", "circle"):
        settings = "{lighting: {shadows: false}}" if wrong == "point" else "{}"
        found = measure(shot(hall, wrong, "software", settings=settings), a)
        assert found.mean > 3 or found.ssim < 0.98


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("linear", [False, True])
def test_white_ambient_light_alone_changes_nothing(hall, backend, linear):
    """White ambient light changes at most one level, also with transparency and several layers.

    linear: through the frame in linear light, for an effect without influence.
    """
    things = (
        f"{FLOOR}\n- {{at: [60, 40], Transform: {{}},"
        " Shape: {size: [50, 50], color: '#ff404080', corner_radius: 20}}\n"
        "- {at: [90, 50], Transform: {}, Shape: {size: [60, 40], color: '#2060ffa0', layer: top}}\n"
        "- {at: [110, 60], Transform: {rotation: 20}, Sprite: {image: ball.png, layer: glass}}"
    )
    layers = "[world, top, {glass: {lit: false}}]"
    plain = hall(things, backend, layers=layers).pixels().copy()
    white = "- {Ambient: {color: white, layers: [world]}}\n- {Ambient: {color: white, layers: [top]}}"
    settings = "{lighting: {post: [{fade: {amount: 0}}]}}" if linear else "{}"
    made = hall(f"{things}\n{white}", backend, layers=layers, settings=settings)
    assert ("light.picture" in made.frame.targets) == linear
    shown = made.pixels()
    assert np.abs(plain.astype(int) - shown).max() <= 1


def test_without_light_nothing_changes(hall):
    """Without lights the plugin changes no bit and adds no pass."""
    things = f"{FLOOR}\n{BALL}"
    with_it = hall(things)
    without = hall(things, plugins="render")
    assert np.array_equal(with_it.pixels(), without.pixels())
    names = [[step.pass_.name for step in made.frame.steps()] for made in (with_it, without)]
    assert names[0] == names[1]


def test_a_backend_without_drawers_shows_the_game_unlit(hall, caplog):
    """A backend without drawers logs one line and shows the unlit frame."""
    software = hall.backend("software", (160, 96))
    drawers, software.drawers = dict(software.drawers), {}
    add, software.add_drawer = software.add_drawer, lambda kind, drawer: None
    software._painter.drawers = software.drawers
    try:
        made = hall(SCENES["point"], run=3)
        plain = hall(SCENES["point"], plugins="render, lighting", settings="{lighting: {shadows: false}}", run=3)
    finally:
        software.add_drawer, software.drawers = add, drawers
        software._painter.drawers = drawers
    lines = [record.getMessage() for record in caplog.records if "can't draw light" in record.getMessage()]
    assert len(lines) == 2, "one for each game"
    assert [step.pass_.name for step in made.frame.steps()] == ["main"]
    assert np.array_equal(made.pixels(), plain.pixels())


def test_where_nothing_moves_no_kernel_runs(hall):
    """Without movement no kernel runs; a moved light computes one map, a moved box those of lights near it."""
    from rish_core import Transform

    far = "- {at: [5, 5], Transform: {}, Light: {radius: 20}}"
    made = hall(f"{SCENES['point']}\n{far}", run=4)
    maps = made.world[Lighting].shadows.maps
    assert maps.kernels == 0
    lamps = made.world.query(Transform, *[kind for kind in made.world.tables if kind.__name__ == "Light"]).entities
    made.world.defer(lambda world: world.set(int(lamps[1]), Transform(position=(7, 6))))
    made.app.run(frames=1)
    assert maps.kernels == 1
    made.app.run(frames=3)
    assert maps.kernels == 0
    boxes = [e for e in made.world.query(Transform).entities.tolist()
             if any(kind.__name__ == "Occluder" for kind in made.world.components_of(e))]  # fmt: skip
    made.world.defer(lambda world: world.set(boxes[0], Transform(position=(64, 40))))
    made.app.run(frames=1)
    assert maps.kernels == 1


def test_all_lights_are_one_draw_call(hall):
    """All lights of a view are one batch, however many and of whatever kinds."""
    made = hall(f"{SCENES['area']}\n{LAMP}\n- {{at: [9, 9], Transform: {{}}, Light: {{kind: spot}}}}")
    passes = [pass_ for name, pass_ in made.frame.passes.items() if name.startswith("light.lights")]
    assert [[batch.count for batch in pass_.batches] for pass_ in passes] == [[3]]


@pytest.mark.parametrize("backend", BACKENDS)
def test_lights_reach_the_layers_that_they_name(hall, backend):
    """Of four white boxes on four layers, the one on the named layer is red and the one on the unlit layer white."""
    boxes = "\n".join(
        f"- {{at: [{20 + 40 * k}, 48], Transform: {{}}, Shape: {{size: [30, 30], color: white, layer: {name}}}}}"
        for k, name in enumerate(("back", "mid", "front", "sky"))
    )
    shine = "color: red, radius: 500, falloff: none, windowed: false, layers: [mid]"
    red = f"- {{at: [60, 48], Transform: {{}}, Light: {{{shine}}}}}"
    dark = "- {Ambient: {color: '#404040'}}"
    made = hall(f"{boxes}\n{red}\n{dark}", backend, layers="[back, mid, front, {sky: {lit: false}}]")
    found = made.pixels()[48, [20, 60, 100, 140], :3].astype(int)
    np.testing.assert_allclose(found, [[64] * 3, [255, 64, 64], [64] * 3, [255] * 3], atol=2)


def test_screen_layers_are_not_lit(hall):
    """A score keeps its brightness, above the world and below it."""
    score = "- {at: [20, 20], Transform: {}, Shape: {size: [20, 20], color: white, layer: score}}"
    things = f"{FLOOR}\n{AMBIENT}\n{score}"
    made = hall(things, layers="[{back: {space: screen}}, world, {score: {space: screen}}]")
    assert made.pixels()[96 - 20, 20, :3].tolist() == [255, 255, 255]


def test_a_camera_with_a_picture_of_its_own_is_lit_too(hall):
    """A camera with its own target shows the same light as the world."""
    camera = "- {at: [80, 48], Transform: {}, Camera: {target: map, target_size: [160, 96]}}"
    made = hall(f"{SCENES['point']}\n{AMBIENT}\n{camera}\n- {{at: [80, 48], Transform: {{}}, Camera: {{}}}}", run=3)
    assert np.abs(made.pixels("camera.map")[..., :3].astype(int) - made.pixels()[..., :3]).mean() < 12


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_camera_with_a_picture_of_its_own_has_no_effects(hall, backend):
    """Effects are not applied to a camera's own target, only to the game's frame in which it is shown."""
    camera = "- {at: [80, 48], Transform: {}, Camera: {target: map, target_size: [80, 48], primary: false}}"
    scene = f"{SCENES['point']}\n{AMBIENT}\n{camera}"
    plain = hall(scene, backend, run=3).pixels("camera.map").copy()
    faded = hall(scene, backend, settings="{lighting: {post: [{fade: {amount: 1, color: red}}]}}", run=3)
    assert (faded.pixels("camera.map") == plain).all()
    assert (faded.pixels()[..., :3] == (255, 0, 0)).all()


def test_two_views_of_the_world_are_lit_each(hall):
    """Both halves of a split screen show the light at the lamp."""
    cameras = "\n".join(
        f"- {{at: [90, 60], Transform: {{}}, Camera: {{viewport: [{x}, 0, 0.5, 1]}}}}" for x in (0, 0.5)
    )
    made = hall(f"{SCENES['point']}\n{AMBIENT}\n{cameras}", run=3)
    left, right = made.pixels()[:, :80], made.pixels()[:, 80:]
    assert np.abs(left.astype(int) - right).mean() < 1
    assert left.max() > 150


def test_a_light_that_is_carried_shines_out_of_its_carrier(hall):
    """A lantern's light is not blocked by the outline of its carrier; a torch elsewhere is."""
    box, light = "Occluder: {size: [20, 20]}", "Light: {radius: 60}"
    carrier = f"- {{at: [80, 48], Transform: {{}}, {box}, children: [{{Transform: {{}}, {light}}}]}}"
    carried = hall(f"{FLOOR}\n{carrier}\n{AMBIENT}")
    shut = hall(f"{FLOOR}\n- {{at: [80, 48], Transform: {{}}, {box}}}\n- {{at: [80, 48], Transform: {{}}, {light}}}")
    assert carried.world[Lighting].shadows.maps.texels.min() > 1e20
    assert shut.world[Lighting].shadows.maps.texels.max() < 40


def test_what_the_last_frame_changed_is_undone_when_lights_go(hall):
    """A game whose last light is removed is drawn as one without lights."""
    made = hall(f"{FLOOR}\n{LAMP}", run=3)
    lamps = made.world.query(*[kind for kind in made.world.tables if kind.__name__ == "Light"]).entities
    made.world.defer(lambda world: world.despawn(lamps))
    made.app.run(frames=3)
    plain = hall(FLOOR, run=3)
    assert np.array_equal(made.pixels(), plain.pixels())
    assert not [name for name in made.world[Frame].targets if name.startswith("light.")]


def test_a_layer_that_is_not_there_is_reported_once(hall, caplog):
    """An unknown layer is reported once with the nearest name; the light reaches no layer."""
    hall(f"{FLOOR}\n{AMBIENT}\n- {{Transform: {{}}, Light: {{layers: [wrld]}}}}", run=4)
    lines = [record.getMessage() for record in caplog.records if "wrld" in record.getMessage()]
    assert len(lines) == 1
    assert "did you mean 'world'?" in lines[0]


@pytest.mark.parametrize("backend", BACKENDS)
def test_drawn_shadows_are_those_of_rays_but_for_a_pixel_along_their_edges(hall, backend):
    """Shadows of thin walls and boxes equal rays pixel by pixel, up to a pixel along their edges."""
    from plain_shadows import lit
    from rish_core import Edges

    rng = np.random.default_rng(12)
    for _ in range(3):
        things = [
            f"- {{at: [{x:.2f}, {y:.2f}], Transform: {{rotation: {turn:.1f}}}, "
            f"Occluder: {{size: [{wide:.1f}, {high}]}}}}"
            for x, y, turn, wide, high in zip(
                rng.uniform(5, 155, 6), rng.uniform(5, 91, 6), rng.uniform(0, 360, 6), rng.uniform(6, 40, 6),
                (1, 1, 1, 8, 12, 5), strict=True,
            )
        ]  # fmt: skip
        x, y = rng.uniform(60, 100), rng.uniform(30, 60)
        flat = "radius: 300, falloff: none, windowed: false"
        things += [f"- {{at: [{x:.3f}, {y:.3f}], Transform: {{}}, Light: {{{flat}}}}}", "- {Ambient: {enabled: false}}"]
        made = hall("\n".join(things), backend, settings="{lighting: {resolution: 1}}", run=3)
        table = made.world[Edges]
        edges = np.stack([table.column(name) for name in ("x0", "y0", "x1", "y1")], axis=1)
        rows, columns = np.mgrid[0:96, 0:160]
        centers = np.stack([columns.ravel() + 0.5, 95.5 - rows.ravel()], axis=1)
        wanted = lit((float(np.float32(f"{x:.3f}")), float(np.float32(f"{y:.3f}"))), centers, edges).reshape(96, 160)
        shown = made.pixels("light.light.1")[..., 0] > 0.5
        padded = np.pad(wanted, 1, mode="edge")
        around = [padded[1 + dy : 97 + dy, 1 + dx : 161 + dx] for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
        beside = np.any(around, axis=0) & ~np.all(around, axis=0)
        assert not ((shown != wanted) & ~beside).any()
        assert (shown != wanted).mean() < 0.02
