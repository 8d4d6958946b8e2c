"""The certificate of a host, which is new for each game."""

from __future__ import annotations

import datetime
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

_DAY = datetime.timedelta(days=1)


def new_certificate() -> tuple[x509.Certificate, ec.EllipticCurvePrivateKey]:
    """Return a certificate that is valid for 30 days, and its key, which never leaves the process."""
    private_key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "rish")])
    now = datetime.datetime.now(datetime.UTC)
    builder = x509.CertificateBuilder(
        issuer_name=name, subject_name=name, public_key=private_key.public_key(),
        serial_number=x509.random_serial_number(), not_valid_before=now - _DAY, not_valid_after=now + 30 * _DAY,
    )  # fmt: skip
    return builder.sign(private_key, hashes.SHA256()), private_key


def der_of(certificate: Any) -> bytes:
    """Return a certificate in DER; empty for None."""
    return b"" if certificate is None else certificate.public_bytes(serialization.Encoding.DER)
