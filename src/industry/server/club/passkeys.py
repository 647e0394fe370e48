"""Ceremonies with passkeys (WebAuthn). The library checks them; here is what it needs.

A passkey belongs to the name of a site: where the server is reached by a bare address, there are
none.
"""

import ipaddress
import json
from dataclasses import dataclass
from typing import Any

from webauthn import (
    base64url_to_bytes,
    generate_authentication_options,
    generate_registration_options,
    options_to_json,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from ..errors import Refused
from .persons import NewKey

SITE = "Industry"
PATIENCE = 5 * 60_000
"""Milliseconds that a ceremony may take."""
FAULTS = (WebAuthnException, ValueError, KeyError, TypeError, AttributeError)
"""What the library raises for answers that no authenticator gives."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where a ceremony takes place: the host's name, and the origins that may ask."""

    host: str
    origins: tuple[str, ...]

    @property
    def can_have_passkeys(self) -> bool:
        """Whether passkeys can belong to this host: it has a name and a safe connection."""
        if not self.host or _is_number(self.host):
            return False
        return self.host == "localhost" or any(o.startswith("https:") for o in self.origins)


def _is_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def registration(
    site: Site, person: str, name: str, challenge: bytes, known: list[str]
) -> dict[str, Any]:
    """Returns the options with which a browser makes a passkey for a person."""
    options = generate_registration_options(
        rp_id=site.host,
        rp_name=SITE,
        user_id=person.encode(),
        user_name=name,
        challenge=challenge,
        timeout=PATIENCE,
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.REQUIRED,
            user_verification=UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=[
            PublicKeyCredentialDescriptor(id=base64url_to_bytes(key)) for key in known
        ],
    )
    return _plain(options_to_json(options))


def registered(site: Site, credential: dict[str, Any], challenge: bytes, label: str) -> NewKey:
    """Returns the passkey that a browser has made; raises `Refused`."""
    try:
        found = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=list(site.origins),
        )
    except FAULTS:
        raise Refused("bad_passkey") from None
    key = bytes_to_base64url(found.credential_id)
    return NewKey(key, found.credential_public_key, found.sign_count, label)


def authentication(site: Site, challenge: bytes) -> dict[str, Any]:
    """Returns the options with which a browser offers the passkeys it has for this site."""
    options = generate_authentication_options(
        rp_id=site.host, challenge=challenge, timeout=PATIENCE
    )
    return _plain(options_to_json(options))


def authenticated(
    site: Site, credential: dict[str, Any], challenge: bytes, public_key: bytes, signs: int
) -> int:
    """Checks the answer of a passkey; returns its new counter. Raises `Refused`."""
    try:
        found = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.host,
            expected_origin=list(site.origins),
            credential_public_key=public_key,
            credential_current_sign_count=signs,
        )
    except FAULTS:
        raise Refused("bad_passkey") from None
    return found.new_sign_count


def _plain(text: str) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(text)
    return plain
