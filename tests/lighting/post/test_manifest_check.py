"""Mistakes in `settings: lighting: post:` are reported with file, line, column and the nearest valid name."""

from __future__ import annotations

import pytest

from rish_core import parse_manifest
from rish_lighting.post.effect import effect_of
from rish_lighting.post.effects.builtin import EFFECTS
from rish_lighting.post.manifest_check import check_post

EFFECTS_BY_NAME = {effect.name: effect for effect in map(effect_of, EFFECTS) if effect is not None}


def said(post: str, transition: str = '""') -> list[str]:
    """Return the messages about a chain, which begins in line 5."""
    manifest = parse_manifest(
        f"rish: 1\nplugins: [lighting]\nsettings:\n  lighting:\n    post: {post}\n    transition: {transition}\n"
    )
    check_post(manifest, EFFECTS_BY_NAME)
    return [str(problem) for problem in manifest.problems]


def test_a_good_chain_is_no_mistake():
    """A chain of names, parameters, color names, switches and an effect without parameters has no mistakes."""
    assert not said("[bloom, {vignette: {strength: 0.4, color: navy}}, {crt: {enabled: false}}, {blur: }]")
    assert not said("[]", "{dissolve: {seconds: 1.5, color: '#ff8800'}}")
    assert not said("[]", "iris")


@pytest.mark.parametrize(
    ("post", "sentence"),
    [
        ("[blom]", "no effect is called 'blom' (did you mean 'bloom'?)"),
        ("[{bloom: {strenght: 1}}]", "the effect 'bloom' has no field 'strenght' (did you mean 'strength'?)"),
        ("[{vignette: {strength: 3}}]", "3 is out of range: 0 to 1"),
        ("[{bloom: {reach: -1}}]", "-1 is out of range: 1 to 1000 px"),
        ("[{bloom: {strength: much}}]", "must be a number"),
        ("[{tone_map: {curve: acse}}]", "(did you mean 'aces'?)"),
        ("[{vignette: {color: blurple}}]", "is no color"),
        ("[{vignette: {enabled: maybe}}]", "must be true or false"),
        ("[{lut: {image: ../secret.png}}]", "lighting.post[0].lut.image"),
        ("[{a: {}, b: {}}]", "must be an effect"),
        ("[{crt: {over: all}}]", "must be world or game"),
        ("[3]", "must be an effect"),
        ("[[bloom]]", "must be an effect"),
        ("[{bloom: 3}]", "must be a mapping of fields"),
        ("bloom", "must be a list of effects"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(post: str, sentence: str):
    """Each mistake is reported in one sentence with its line."""
    found = said(post)
    assert len(found) == 1, found
    assert sentence in found[0]
    assert ":5:" in found[0]


def test_a_transition_is_one_that_leads_from_scene_to_scene():
    """A transition has to be one of the transitions, with seconds above 0."""
    assert "no effect is called 'bloom'" in said("[]", "bloom")[0]
    assert "above 0 and at most 60" in said("[]", "{iris: {seconds: 0}}")[0]
    assert ":6:" in said("[]", "{iris: {seconds: 1, center: [3, 0]}}")[0]


def test_every_mistake_is_reported_at_once():
    """All mistakes are reported together."""
    assert len(said("[blom, {bloom: {strength: -1, x: 2}}, {crt: {lines: 0}}]")) == 4
