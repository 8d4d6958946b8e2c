"""The declaration of a plugin is checked when it is made."""

from __future__ import annotations

import pytest

from rish_core.plugin.solving.about import About
from rish_core.plugin.solving.versions import parse_version
from rish_ecs import DeclarationError


def test_lists_become_requirements() -> None:
    """Names and version ranges are parsed when the About is made."""
    about = About(requires=["physics>=0.2,<1"], provides=["wind==2"], api=">=1,<2", description="blows")
    assert about.requires[0].name == "physics"
    assert parse_version("0.3") in about.requires[0].range
    assert str(about.provides[0]) == "wind==2"
    assert About() == About()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"requires": "physics"}, "requires is a text. Write a list"),
        ({"requires": ["physics=1"]}, "requires: '=1' is not a version range"),
        ({"conflicts": [None]}, "conflicts"),
        ({"provides": ["wind>=2"]}, "provides the range wind>=2"),
        ({"api": "newest"}, "'newest' is not a version range"),
        ({"version": "new"}, "'new' is not a version"),
    ],
)
def test_what_cannot_be_read_is_refused(given: dict[str, object], said: str) -> None:
    """A wrong argument of About is named, with the expected form."""
    with pytest.raises(DeclarationError, match=said):
        About(**given)  # pyright: ignore[reportArgumentType]
