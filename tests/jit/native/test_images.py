"""Images: kernels that came with a package are used without a compilation, and a file that does not fit is not."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

import rish_jit
from rish_jit import cache
from rish_jit.machine import host
from rish_jit.native import images

from ..conftest import ADD, CALLER, Workshop

pytestmark = pytest.mark.skipif(
    not (rish_jit.can_compile() and host.usable()), reason="needs numba, on a system that can load machine code"
)


@pytest.fixture
def image(workshop: Workshop) -> Path:
    """Write the image of the workshop's modules, with `add` for two types and `work`, and empty the cache."""
    module = workshop.start(CALLER)
    assert [module.work(1, 0.5), module.add(1), module.add(2.5)] == [3.5, 2, 3.5]
    entries = [cache.read_entry(path) for path in workshop.entries()]
    path = workshop.folder / images.image_name(host.level())
    assert images.write_image(path, [each for each in entries if "*" not in each.key.kernel], host.level()) == 3
    for each in workshop.entries():
        each.unlink()
    return path


def call_all(workshop: Workshop, source: str = CALLER) -> list[str]:
    """Call the kernels, which must give the right numbers; return those that were compiled."""
    images.forget_images()
    module = workshop.start(source)
    assert [module.work(1, 0.5), module.add(1), module.add(2.5)] == [3.5, 2, 3.5]
    return workshop.compiled


def test_kernels_of_an_image_are_used(image: Path, workshop: Workshop) -> None:
    """Kernels of an image beside their module are neither compiled nor stored again."""
    assert image.is_file()
    assert call_all(workshop) == []
    assert workshop.entries() == []
    assert [entry.key.kernel for entry in workshop.used] == ["parts.work", "parts.add", "parts.add"]


def test_a_changed_kernel_is_compiled_again(image: Path, workshop: Workshop) -> None:
    """After an edit, the kernel and its callers are compiled; the others still come from the image."""
    assert image.is_file()
    compiled = call_all(workshop, CALLER.replace("add(x) + add(y)", "add(y) + add(x)"))
    assert "parts.work" in compiled
    assert [entry.key.types for entry in workshop.used if entry.key.kernel == "parts.add"][-2:] == ["(i8,)", "(f8,)"]
    assert not any(path.name.startswith("parts.add-") for path in workshop.entries())


def test_kernels_for_a_lower_level_are_used(image: Path, workshop: Workshop) -> None:
    """An image for a lower level of processors is used where there is none for this one."""
    if host.level() == "x86-64-v2":
        pytest.skip("this is the lowest level")
    image.rename(image.with_name(images.image_name("x86-64-v2")))
    assert call_all(workshop) == []


def damage(data: bytes, kind: str) -> bytes:
    """Return a file with a fault."""
    start = data.index(b"\n") + 1 + 16
    head, _, code = data[start:].partition(b"\n")
    changed = json.loads(head)
    if kind == "python":
        changed["python"] = "cp27"
    elif kind == "format":
        changed["format"] = 0
    elif kind == "shape":
        changed = [changed]
    content = json.dumps(changed).encode() + b"\n" + code
    if kind == "offsets":
        return data[:-1] + bytes([data[-1] ^ 1])
    return {"empty": b"", "cut": data[:-7], "text": b"words"}.get(
        kind, data[: start - 16] + cache.checksum(content) + content
    )


@pytest.mark.parametrize("kind", ["empty", "cut", "text", "offsets", "python", "format", "shape"])
def test_a_file_that_does_not_fit_is_not_used(
    kind: str, image: Path, workshop: Workshop, caplog: pytest.LogCaptureFixture
) -> None:
    """A damaged image, or one for another version, is left out with one warning; the kernels are compiled."""
    image.write_bytes(damage(image.read_bytes(), kind))
    with caplog.at_level(logging.WARNING, "rish.jit"):
        assert sorted(set(call_all(workshop))) == ["parts.add", "parts.work"]
    assert [str(image) in record.getMessage() for record in caplog.records] == [True]


def test_code_with_wrong_addresses_is_not_loaded(
    image: Path, workshop: Workshop, caplog: pytest.LogCaptureFixture
) -> None:
    """Code that refers to places outside of itself is refused when it is loaded, and the kernel still runs."""
    read = images.read_image(image)
    entries = [read.entry(cache.Key(*name, place.stamp, "")) for name, place in read.places.items()]
    broken = []
    for entry in entries:
        assert entry is not None
        head, _, code = entry.code.partition(b"\n")
        fields = json.loads(head)
        fields["symbols"]["next"] = len(code) + 8
        broken.append(cache.Entry(entry.key, entry.calls, json.dumps(fields).encode() + b"\n" + code))
    images.write_image(image, broken, host.level())
    with caplog.at_level(logging.WARNING, "rish.jit"):
        call_all(workshop)
    assert "outside the image" in caplog.text


def test_the_same_kernels_give_the_same_file(image: Path, workshop: Workshop, tmp_path: Path) -> None:
    """An image that is written from a second compilation has the same bytes."""
    first = image.read_bytes()
    image.unlink()
    assert call_all(workshop)
    entries = [cache.read_entry(path) for path in workshop.entries()]
    again = tmp_path / "again.image"
    images.write_image(again, [each for each in reversed(entries) if "*" not in each.key.kernel], host.level())
    assert again.read_bytes() == first


def test_packages_say_whether_they_have_an_image(image: Path, workshop: Workshop) -> None:
    """`has_image` finds the image beside a module, and none where there is none."""
    images.forget_images()
    assert images.has_image(str(workshop.folder / "parts.py"))
    workshop.start(ADD.format(1))
    image.unlink()
    images.forget_images()
    assert not images.has_image(str(workshop.folder / "parts.py"))


def test_an_image_serves_the_kernels_of_its_own_folder_alone(
    image: Path, workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing reads an image in a folder, such as that of a game, before code of that folder calls a kernel."""
    game = tmp_path / "game"
    game.mkdir()
    image.rename(game / image.name)
    monkeypatch.chdir(game)
    read: list[Path] = []
    monkeypatch.setattr(images, "read_image", lambda path: read.append(path) or images.Image(b"", "", "", {}))
    assert sorted(set(call_all(workshop))) == ["parts.add", "parts.work"]
    assert {path.parent for path in read} == {workshop.folder}
