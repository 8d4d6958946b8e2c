"""Effects in a game: the manifest's chain, effects of plugins, transitions, and no influence on hashes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_core import ManifestError, Scenes, field, open_game
from rish_ecs import DeclarationError, RishError
from rish_frame import Frame
from rish_lighting.post.chain import Post, set_effect, transition
from rish_lighting.post.effect import Stage, effect, effect_of
from rish_lighting.post.effect_library import EffectLibrary
from rish_lighting.post.effects.builtin import EFFECTS

NEGATIVE = "vec4 shade(vec4 pixel, vec2 at) { return vec4(mix(pixel.rgb, vec3(1.0) - pixel.rgb, much), 1.0); }"


def negative(block: Any) -> None:
    """Apply the fallback of NEGATIVE."""
    much = np.float32(block.values["much"])
    block.out[..., :3] += (1 - 2 * block.out[..., :3]) * much


@effect(glsl=NEGATIVE, fallback=negative)
class Negative:
    """Inverts the light."""

    much: float = field(1.0, low=0, high=1, doc="share of the negative")


@effect(glsl="vec4 shade(vec2 at) { return picture(vec2(1.0) - at); }", samples=True)
class Turned:
    """Flips the frame, in GLSL only."""


@effect(glsl="vec4 shade(vec4 pixel, vec2 at) { return pixel * nonsense; }", fallback=negative)
class Broken:
    """Has GLSL that does not compile."""

    much: float = field(0.0)


def wobble(block: Any) -> None:
    """Read a little to the right, by numpy."""
    at = block.at()
    at[..., 0] += np.float32(block.values["shift"] * block.unit / block.size[0])
    block.out[...] = block.sample(at)


@effect(
    glsl="vec4 shade(vec2 at) { return picture(at + vec2(shift * unit / resolution.x, 0.0)); }",
    fallback=wobble,
    samples=True,
)
class Shifted:
    """Shifts the frame to the left."""

    shift: float = field(8.0, unit="px", low=0, high=100, doc="how far")


MINE = SimpleNamespace(rish_effects=lambda: [Negative, Turned, Broken, Shifted])


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """A function that opens games of two scenes: a red one and a blue one, each with a white box."""
    opened: list[Any] = []

    def make(post: str = "[]", transition: str = '""', backend: str = "software", **options: Any) -> Any:
        folder = tmp_path / f"game{len(opened)}"
        folder.mkdir(exist_ok=True)
        box = "{Transform: {position: [48, 27]}, Shape: {size: [20, 20], color: white}}"
        wall = "{Transform: {position: [48, 27]}, Shape: {size: [200, 200], color: '%s', z: -1}}"
        text = (
            "rish: 1\ngame: {title: Post, size: [96, 54]}\nplugins: [render, lighting]\n"
            f"settings:\n  lighting: {{post: {post}, transition: {transition}}}\n"
            f"scenes:\n  red: [{wall % '#800000'}, {box}]\n  blue: [{wall % '#000080'}, {box}]\n"
        )
        (folder / "game.yaml").write_text(text, encoding="utf-8")
        app = open_game(folder, headless=True, backend=backend, **options)
        opened.append(app)
        return app.__enter__()

    yield make
    for app in opened:
        app.__exit__(None, None, None)


def shown(app: Any, frames: int = 1) -> np.ndarray:
    """Return the pixels after some frames."""
    app.run(frames=frames)
    return app.host.backend.pixels().astype(int)


def test_the_manifests_chain_is_seen(play: Any):
    """The manifest's chain is drawn, and may be changed while the game runs."""
    plain, dark = shown(play()), play("[{fade: {amount: 1, color: '#102030'}}]")
    assert (shown(dark)[..., :3] == [0x10, 0x20, 0x30]).all()
    set_effect(dark.world, "fade", amount=0)
    assert np.array_equal(shown(dark), plain)


def test_a_stranger_brings_an_effect(play: Any):
    """A plugin adds an effect with one class and one hook; its parameters are checked in the manifest."""
    app = play("[{negative: {much: 1}}]", extra={"mine": MINE})
    assert shown(app)[27, 48, :3].tolist() == [0, 0, 0]
    with pytest.raises(ManifestError, match="2 is out of range"):
        play("[{negative: {much: 2}}]", extra={"mine": MINE})
    with pytest.raises(ManifestError, match="no effect is called 'negative'"):
        play("[negative]")


def test_a_twin_in_numpy_may_sample(play: Any):
    """A numpy fallback may sample, with the block's own places in logical pixels."""
    plain = shown(play())
    moved = shown(play("[{shifted: {shift: 8}}]", extra={"mine": MINE}))
    assert np.array_equal(moved[:, :88], plain[:, 8:])


def test_an_effect_without_a_twin_is_said_once_and_left_out(play: Any, caplog: pytest.LogCaptureFixture):
    """An effect without a fallback is reported once and left out."""
    with caplog.at_level(logging.WARNING, "rish.lighting"):
        app = play("[turned]", extra={"mine": MINE})
        assert np.array_equal(shown(app, 3), shown(play()))
    assert [r.message for r in caplog.records if "turned" in r.message] == [
        "the effect 'turned' has only GLSL and no fallback, so it is not drawn on 'software'"
    ]


@pytest.mark.gl
def test_on_gl_it_runs_and_one_that_does_not_compile_is_said_once(play: Any, caplog: pytest.LogCaptureFixture):
    """With OpenGL it runs; an effect that does not compile is reported once and left out."""
    try:
        plain = shown(play(backend="arcade"))
    except RishError as error:
        pytest.skip(str(error))
    turned = shown(play("[turned]", backend="arcade", extra={"mine": MINE}))
    assert np.abs(turned[::-1, ::-1] - plain).max() <= 1
    with caplog.at_level(logging.WARNING, "rish.lighting"):
        assert np.array_equal(shown(play("[broken]", backend="arcade", extra={"mine": MINE}), 3), plain)
    said = [r.message for r in caplog.records if "broken" in r.message]
    assert len(said) == 1
    assert "nonsense" in said[0]


def test_a_name_that_is_taken_sets_the_second_plugin_aside(play: Any):
    """A second plugin with the same effect's name is disabled; both are named."""
    other = SimpleNamespace(rish_effects=lambda: [Negative])
    app = play("[]", extra={"mine": MINE, "theirs": other}, policy="disable")
    assert "declared by 'mine' and by 'theirs'" in str(app.plugins.aside["theirs"])
    assert app.world[EffectLibrary].effects["negative"].cls is Negative


@pytest.mark.parametrize("answer", [3, [3], [dict]])
def test_hook_rish_effects(play: Any, answer: Any):
    """A wrong return value disables the plugin, with the expected type in the message."""
    app = play("[]", extra={"mine": SimpleNamespace(rish_effects=lambda: answer)}, policy="disable")
    assert "@effect" in str(app.plugins.aside["mine"])


def test_scenes_cross_as_the_manifest_says(play: Any):
    """During the manifest's transition the old scene is still visible, and gone afterwards."""
    app = play("[]", "{crossfade: {seconds: 0.5}}")
    app.world[Scenes].go("red")
    red = shown(app, 40)[5, 5, :3]
    app.world[Scenes].go("blue")
    between = shown(app, 15)[5, 5, :3]
    assert between[0] > 20
    assert between[2] > 20
    assert shown(app, 40)[5, 5, :3].tolist() == red[::-1].tolist()


def test_no_hash_and_no_snapshot_depends_on_effects(play: Any):
    """Games with different effects have the same hash, and effects are kept in a restore."""
    plain, loud = play(), play("[bloom, vignette, {grain: {strength: 0.5}}]", "dissolve")
    set_effect(loud.world, "bloom", strength=3, seconds=4)
    plain.run(frames=20)
    loud.run(frames=20)
    loud.world[Post].time += 3
    before = loud.world.hash()
    set_effect(loud.world, "vignette", strength=1.0)
    assert loud.world.hash() == before
    saved = loud.world.snapshot()
    set_effect(loud.world, "vignette", strength=0.0)
    loud.world.restore(saved)
    assert loud.world[Post].link("vignette").values["strength"] == 1.0


@pytest.mark.parametrize("backend", ["null"])
def test_a_backend_without_drawers_gives_one_line(play: Any, backend: str, caplog: pytest.LogCaptureFixture):
    """A backend without drawers for effects logs at most one line about them."""
    app = play("[bloom]", backend=backend)
    app.run(frames=3)
    assert len([r for r in caplog.records if "light.effect" in r.message]) <= 1


def test_every_parameter_has_a_sentence_a_unit_or_a_range():
    """Every parameter has a description, a unit or a range, for the reference and the checks."""
    for cls in EFFECTS:
        found = effect_of(cls)
        assert found is not None
        assert found.doc.endswith(".")
        for name, spec in found.fields.items():
            assert spec.doc, f"{found.name}.{name}"
            bounded = spec.low is not None and spec.high is not None
            assert bounded or spec.choices or spec.type.name in ("Color", "Asset") or spec.angle, f"{found.name}.{name}"
        if found.transition:
            assert "progress" in found.fields


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"xy": (float, field(1.0))}, "swizzle"),
        ({"time": (float, field(1.0))}, "can't be called 'time'"),
        ({"things": ("dict", None)}, "has a type that is not allowed"),
    ],
)
def test_parameters_that_glsl_could_not_have_are_refused(fields: dict[str, Any], says: str):
    """A parameter type without a GLSL equivalent is rejected at the class."""
    space = {"__doc__": "No.", "__annotations__": {k: v[0] for k, v in fields.items()}, "__module__": __name__}
    space.update({k: v[1] for k, v in fields.items()})
    with pytest.raises(DeclarationError, match=says):
        effect(glsl=NEGATIVE)(type("Wrong", (), space))


def test_an_effect_needs_glsl_or_stages():
    """An effect without GLSL and stages is rejected, with the code to add."""
    with pytest.raises(DeclarationError, match="neither GLSL nor stages"):

        @effect
        class Nothing:
            """An effect without code."""

    assert Stage("x").fuses


def test_nothing_compiles_once_the_game_is_played(play: Any):
    """The complete chain is compiled while the scene loads, including disabled effects."""
    import rish_jit

    app = play("[bloom, vignette, {crt: {enabled: false}}]", "dissolve")
    compiled = rish_jit.compilations
    set_effect(app.world, "crt", enabled=True)
    app.world[Scenes].go("blue")
    app.run(frames=5)
    assert rish_jit.compilations == compiled
    assert not [name for name in app.world[Frame].passes if name == "light.keep"]


@pytest.mark.parametrize("way", ["crossfade", "wipe", "iris", "dissolve"])
def test_ways_to_cross_that_only_code_asks_for_are_warmed_up(play: Any, way: str):
    """In a game of several scenes every transition is compiled in advance, since code may request any."""
    import rish_jit

    app = play("[bloom]")
    compiled = rish_jit.compilations
    transition(app.world, "blue", effect=way, seconds=0.1)
    app.run(frames=5)
    assert rish_jit.compilations == compiled
