"""Who may come in to a server, from its options: the certificate, and the ways to log in."""

from __future__ import annotations

import ssl
from importlib import import_module
from typing import Any

from dpduck.cli.certificates import load_pair
from dpduck.cli.gateway_arguments import Serving
from dpduck.cli.login_arguments import LoginOptions
from dpduck.cli.usage import UsageError
from dpduck.errors import ParameterError


def access_rules(serving: Serving) -> Any:
    """How clients may connect, with all that is in files read now. Errors: UsageError, ParameterError."""
    context = context_of(serving)
    if serving.client_ca is not None:
        if context is None:
            raise UsageError(
                "clients show certificates over TLS alone", hint="Give --tls-cert and --tls-key too."
            )
        _of_gateway("certificate_login").take_client_certificates(context, serving.client_ca)
    return _of_gateway("limits").AccessRules(
        context,
        serving.allow_plain,
        serving.require_tls,
        _of_gateway("channel_binding").endpoint_binding(context),
        tokens_of(serving),
        _of_gateway("login_names").read_login_names(serving.login_map),
    )


def _of_gateway(name: str) -> Any:
    """A module of the gateway, whose packages the rest of the command line does without."""
    return import_module(f"dpduck.gateway.{name}")


def context_of(serving: Serving) -> ssl.SSLContext | None:
    """TLS 1.3 with the certificate. Errors: UsageError, ParameterError."""
    if (serving.tls_cert is None) != (serving.tls_key is None):
        raise UsageError("a certificate needs its key", hint="Give both --tls-cert and --tls-key.")
    if serving.tls_cert is None:
        if serving.require_tls:
            raise UsageError(
                "without a certificate nothing is encrypted", hint="Give --tls-cert and --tls-key."
            )
        return None
    assert serving.tls_key is not None
    return load_pair(serving.tls_cert, serving.tls_key)


def tokens_of(logins: LoginOptions) -> Any:
    """What reads tokens, None if none are taken. Errors: UsageError, ParameterError."""
    if not logins.takes_tokens:
        return None
    if logins.oidc_issuer is None or logins.oidc_audience is None or logins.oidc_jwks is None:
        raise UsageError(
            "tokens need an issuer, an audience and keys",
            detail="A token of anybody, or for anybody, would let in whom it names.",
            hint="Give --oidc-issuer, --oidc-audience and --oidc-jwks.",
        )
    try:
        signing, reading = _of_gateway("signing_keys"), _of_gateway("token_login")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "dpduck":
            raise
    else:
        keys = signing.SigningKeys(logins.oidc_jwks)
        return reading.TokenRules(logins.oidc_issuer, logins.oidc_audience, keys, logins.oidc_claim or "sub")
    raise ParameterError(
        "tokens need a package more",
        detail=f"The module {missing} is not installed.",
        hint="pip install 'dpduck[oidc]'",
    )
