"""The licenses of everything in a program."""

from __future__ import annotations

from pathlib import Path

from rish_export import Licensed, library_licenses, license_files, license_of, python_license


def test_the_license_of_a_distribution_is_named_and_its_texts_are_kept(install) -> None:
    """The expression comes first, then classifiers, then the free text; all license files count."""
    texts = {
        "lake-1.0.dist-info/licenses/LICENSE": "do",
        "lake-1.0.dist-info/licenses/deep/NOTICE": "as",
        "lake.py": "",
    }
    package = install("lake", texts, more="License-Expression: MIT\nLicense: none of these\n")
    assert license_of(package) == Licensed("lake", "1.0", "MIT", {"LICENSE": b"do", "deep-NOTICE": b"as"})
    classified = install(
        "reed", {"reed-1.0.dist-info/COPYING": "x"}, more="Classifier: License :: OSI Approved :: BSD\n"
    )
    assert license_of(classified) == Licensed("reed", "1.0", "BSD", {"COPYING": b"x"})


def test_python_has_its_license() -> None:
    """The text is that of the Python that runs this."""
    assert any(b"PYTHON SOFTWARE FOUNDATION" in text for text in python_license().texts.values())


def test_the_index_names_every_part() -> None:
    """A part without a text says so."""
    parts = [Licensed("lake", "1.0", "MIT", {"LICENSE": b"do"}), Licensed("libreed.so.1", "", "", {})]
    files = dict(license_files(parts, "Pond 1.0"))
    assert files["licenses/lake/LICENSE"] == b"do"
    lines = files["licenses/README.txt"].decode().splitlines()
    assert lines == ["Pond 1.0", "", "lake 1.0: MIT (lake/)", "libreed.so.1: unknown: no text was found"]


def test_a_library_of_the_system_without_a_package_has_no_text(tmp_path: Path) -> None:
    """Nothing fails where the system's package manager does not know a file."""
    (licensed,) = library_licenses([tmp_path / "libreed.so.1"])
    assert licensed == Licensed("libreed.so.1", "", "", {})
