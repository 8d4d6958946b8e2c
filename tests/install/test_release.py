"""What is published: packages that agree, complete distributions with the same bytes each time, links that lead on."""

from __future__ import annotations

import importlib
import tarfile
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

import pytest
from packaging.specifiers import SpecifierSet

from tools import needing

ROOT = Path(__file__).parents[2]
URL = "https://example.org/rish"


@pytest.fixture(autouse=True)
def commands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the modules of the command be imported."""
    monkeypatch.syspath_prepend(str(ROOT / "tools"))


@pytest.fixture
def absolute(tmp_path: Path) -> Any:
    """A function that makes the links of a README absolute, in a repository with a few files."""
    links = importlib.import_module("links")
    for name in ("docs/page.md", "docs/look.png", "part/src/code.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()

    def convert(text: str, repository: str | None = URL) -> str:
        return links.Links(tmp_path, tmp_path / "part" / "README.md", repository, "v1.0").absolute(text)

    return convert


@pytest.mark.parametrize(
    ("text", "expected", "alone"),
    [
        ("a [page](../docs/page.md#top).", f"a [page]({URL}/blob/v1.0/docs/page.md#top).", "a page."),
        ("[code](src)", f"[code]({URL}/tree/v1.0/part/src)", "code"),
        ("![a look](../docs/look.png)", f"![a look]({URL}/raw/v1.0/docs/look.png)", ""),
        ('<img src="../docs/look.png" width="9">', f'<img src="{URL}/raw/v1.0/docs/look.png" width="9">', ""),
        ("[![x](../docs/look.png)](src)", f"[![x]({URL}/raw/v1.0/docs/look.png)]({URL}/tree/v1.0/part/src)", ""),
        ("[out](https://a.org/b) [down](#here)", "[out](https://a.org/b) [down](#here)", None),
        ("```python\nlist[int](nothing.md)\n```\n", "```python\nlist[int](nothing.md)\n```\n", None),
    ],
)
def test_links_lead_to_the_repository(absolute: Any, text: str, expected: str, alone: str | None) -> None:
    """Links of a README are absolute, to the files of its version; without an address of the repository, they go."""
    assert absolute(text) == expected
    assert absolute(text, None) == (expected if alone is None else alone)


def test_a_dead_link_is_an_error(absolute: Any) -> None:
    """A link that leads to nothing, or out of the repository, is named."""
    for target in ("nothing.md", "../../else"):
        with pytest.raises(ValueError, match=f"README.md: the link {target} leads to nothing"):
            absolute(f"[x]({target})")


@needing("tomli_w", "wheels")
def test_all_packages_agree() -> None:
    """All packages have one version, accept the same versions of each other, and the same versions of Python."""
    release: Any = importlib.import_module("release")
    folders = importlib.import_module("wheels").members()
    assert list(release.disagreements(folders)) == []


@needing("tomli_w", "wheels")
def test_a_package_that_disagrees_is_named(tmp_path: Path) -> None:
    """Another version, another Python and another range of a package of ours give a line each."""
    release: Any = importlib.import_module("release")
    text = (ROOT / "kits" / "rish_cli" / "pyproject.toml").read_text(encoding="utf-8")
    text = text.replace('version = "0.1.0"', 'version = "0.3.0"').replace("<3.15", "<3.13")
    (tmp_path / "pyproject.toml").write_text(text.replace("rish-core>=0.1,<0.2", "rish-core>=0.1"), encoding="utf-8")
    found = list(release.disagreements([tmp_path, ROOT / "rish_core", ROOT / "libs" / "rish_ecs"]))
    assert found == [
        "rish-cli: version is 0.3.0, and 0.1.0 in the root",
        "rish-cli: requires-python is >=3.11,<3.13, and >=3.11,<3.15 in the root",
        "rish-cli: requires rish-core>=0.1, others <0.2,>=0.1",
    ]


@needing("tomli_w", "wheels")
def test_every_package_says_who_it_is() -> None:
    """Each has keywords of its own, the license, a classifier for each Python, and a README without dead links."""
    staging, links = importlib.import_module("staging"), importlib.import_module("links")
    for folder in importlib.import_module("wheels").members():
        project = staging.complete(folder, URL)["project"]
        assert project["license-files"][0] == "LICENSE"
        assert project["urls"] == {"Repository": URL}
        assert len(project["keywords"]) > 3 or folder == ROOT
        accepted = SpecifierSet(project["requires-python"])
        said = {line.rpartition(":: ")[2] for line in project["classifiers"] if ":: 3." in line}
        assert said == {f"3.{minor}" for minor in range(8, 30) if f"3.{minor}" in accepted}
        page = folder / "README.md"
        assert "](../" not in links.Links(ROOT, page, URL, "v1").absolute(page.read_text(encoding="utf-8"))


@needing("tomli_w", "wheels")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"rish-core>=0.1,<0.2", "rish[all,jit]>=0.1,<0.2"', '"rish-core>=0.2,<0.3", "rish[all,jit]>=0.2,<0.3"'),
        ("accepts `>=0.1,<0.2`", "accepts `>=0.2,<0.3`"),
        ('"other>=0.1,<0.2", "rish-core>=0.1"', '"other>=0.1,<0.2", "rish-core>=0.1"'),
    ],
)
def test_a_new_version_changes_the_ranges_of_ours(text: str, expected: str) -> None:
    """The range of the next minor version stands after each name of ours, and after no other."""
    assert importlib.import_module("set_version").with_ranges(text, "0.1.0", "0.2.0") == expected


def _about(path: Path) -> Message:
    """Return the metadata of a distribution."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            return message_from_bytes(archive.read("rish_basics-0.1.0.dist-info/METADATA"))
    with tarfile.open(path) as archive:
        file = archive.extractfile("rish_basics-0.1.0/PKG-INFO")
        assert file is not None
        return message_from_bytes(file.read())


@pytest.mark.slow
@needing("twine", "wheels")
def test_distributions_are_complete_and_have_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A source distribution and a wheel are equal when built again, hold the license, and have the same metadata.

    The wheel for every system has the same bytes where another one with compiled kernels is made beside it.
    """
    release: Any = importlib.import_module("release")
    monkeypatch.setattr(release, "add_compiled", lambda wheel, *rest: wheel.set_tags(["cp311-cp311-linux_x86_64"]))
    for name, levels in (("first", ()), ("second", ("some",))):
        (tmp_path / name).mkdir()
        release.build_all([ROOT / "plugins" / "rish_basics"], tmp_path / name, levels, tmp_path, URL)
    first, second = tmp_path / "first", tmp_path / "second"
    assert release.differences(second, first) == []
    assert release.differences(first, second) == ["rish_basics-0.1.0-cp311-cp311-linux_x86_64.whl"]
    source, wheel = first / "rish_basics-0.1.0.tar.gz", first / "rish_basics-0.1.0-py3-none-any.whl"
    assert {path.name for path in first.iterdir()} == {source.name, wheel.name}
    check: Any = importlib.import_module("twine.commands.check")
    assert not check.check([str(source), str(wheel)], strict=True)
    abouts = [_about(path) for path in (source, wheel)]
    assert str(abouts[0]) == str(abouts[1])
    assert abouts[0]["License-File"] == "LICENSE"
    assert f"{URL}/blob/v0.1.0/README.md" in str(abouts[0])
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read("rish_basics-0.1.0.dist-info/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    wheel.write_bytes(b"other")
    assert release.differences(second, first) == [wheel.name]
