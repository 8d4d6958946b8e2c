"""HTTPS with a certificate of the settings."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
from contextlib import ExitStack, suppress
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import pytest

from rish_core import PluginError
from rish_remote import attach
from rish_remote.server import server as server_module
from rish_remote.server.connections import MAX_CONNECTIONS


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for this machine, and its key."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("certificate")
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    files = ["-keyout", "key.pem", "-out", "certificate.pem", "-addext", names]
    subprocess.run([*command.split(), *files], cwd=folder, check=True, capture_output=True)
    return folder / "certificate.pem", folder / "key.pem"


def settings(certificate: Path, key: Path | None = None) -> list[str]:
    """Return the overrides of a manifest for a certificate."""
    files = {"certificate": certificate, "key": key}
    return [f"settings.remote.{name}={file}" for name, file in files.items() if file is not None]


def test_a_game_speaks_https(make_pond: Any, certificate: tuple[Path, Path]) -> None:
    """A client that trusts the certificate reads and watches the game; another refuses to go on."""
    pond = make_pond(*settings(*certificate))
    assert pond.url.startswith("https://127.0.0.1:")

    def play() -> None:
        game = attach(pond.url, str(certificate[0]))
        game["Donald"].speed = 10
        assert next(game.watch("Donald/Duck.speed", every=1))["values"] == {"Donald/Duck.speed": 10}
        with pytest.raises(ssl.SSLError):
            attach(pond.url)

    pond.drive(play)


def test_a_page_of_another_scheme_is_another_site(make_pond: Any, certificate: tuple[Path, Path]) -> None:
    """The origin of the game's own page begins with https."""
    pond = make_pond(*settings(*certificate))
    context = ssl.create_default_context(cafile=certificate[0])

    def status(origin: str) -> int:
        connection = HTTPSConnection("localhost", pond.port, timeout=20, context=context)
        try:
            connection.request("GET", "/", headers={"Origin": f"{origin}://localhost:{pond.port}"})
            return connection.getresponse().status
        finally:
            connection.close()

    assert (status("https"), status("http")) == (200, 403)


@pytest.mark.slow
def test_clients_that_shake_no_hands_are_cut_off(
    make_pond: Any, certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A client that sends nothing, plain HTTP or nonsense is cut off, and many of them keep nobody out."""
    monkeypatch.setattr(server_module, "READ_SECONDS", 0.1)
    pond = make_pond(*settings(*certificate))
    for sent in (b"", b"\x16\x03\x01", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", b"\xff" * 600):
        with socket.create_connection(("127.0.0.1", pond.port), timeout=20) as client, suppress(ConnectionResetError):
            client.sendall(sent)
            assert b"HTTP/1.1" not in client.recv(100)
    with ExitStack() as stack:
        for _ in range(2 * MAX_CONNECTIONS):
            stack.enter_context(socket.create_connection(("127.0.0.1", pond.port), timeout=20))
        pond.drive(lambda: attach(pond.url, str(certificate[0])))


def test_a_wrong_certificate_is_named_at_its_place(
    make_pond: Any, certificate: tuple[Path, Path], tmp_path: Path
) -> None:
    """A game whose certificate can't be read does not begin, and the error names the setting's place and the file."""
    text = tmp_path / "text.pem"
    text.write_text("no certificate")
    for files in ((tmp_path / "missing.pem", None), (text, None), (certificate[0], None), (certificate[0], text)):
        with pytest.raises(
            PluginError, match=rf"--set settings.remote.certificate=.*: no certificate can be read from {files[0]}"
        ):
            make_pond(*settings(*files))
