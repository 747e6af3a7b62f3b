"""Who may come in to a server, from its options: the certificate, and the ways to log in."""

from __future__ import annotations

import ssl
from importlib import import_module

from dpduck.cli.arguments import UsageError
from dpduck.cli.certificates import load_pair
from dpduck.cli.gateway_arguments import Serving
from dpduck.cli.login_arguments import LoginOptions
from dpduck.errors import ParameterError
from dpduck.gateway.certificate_login import take_client_certificates
from dpduck.gateway.channel_binding import endpoint_binding
from dpduck.gateway.limits import AccessRules, TokenReader
from dpduck.gateway.login_names import read_login_names


def access_rules(serving: Serving) -> AccessRules:
    """How clients may connect, with all that is in files read now. Errors: UsageError, ParameterError."""
    context = context_of(serving)
    if serving.client_ca is not None:
        if context is None:
            raise UsageError(
                "clients show certificates over TLS alone", hint="Give --tls-cert and --tls-key too."
            )
        take_client_certificates(context, serving.client_ca)
    return AccessRules(
        context,
        serving.allow_plain,
        serving.require_tls,
        endpoint_binding(context),
        tokens_of(serving),
        read_login_names(serving.login_map),
    )


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


def tokens_of(logins: LoginOptions) -> TokenReader | None:
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
        signing = import_module("dpduck.gateway.signing_keys")
        reading = import_module("dpduck.gateway.token_login")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "dpduck":
            raise
    else:
        keys = signing.SigningKeys(logins.oidc_jwks)
        rules: TokenReader = reading.TokenRules(
            logins.oidc_issuer, logins.oidc_audience, keys, logins.oidc_claim or "sub"
        )
        return rules
    raise ParameterError(
        "tokens need a package more",
        detail=f"The module {missing} is not installed.",
        hint="pip install 'dpduck[oidc]'",
    )
