"""What is dangerous about how people log in: sockets, certificates of clients, maps and tokens."""

from __future__ import annotations

import ssl
import stat
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from dpduck.doors.cli.certificates import load_pair
from dpduck.doors.cli.checks import Finding, Grade, Setup, fault_of, is_open
from dpduck.doors.cli.gateway_arguments import Serving
from dpduck.doors.cli.login_arguments import LoginOptions
from dpduck.doors.cli.usage import UsageError
from dpduck.kernel.errors import DpduckError, ParameterError

_MOST_AUTHORITIES = 10
_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_LASTING = ("sub", "oid", "email")  # claims that do not change hands; an address only if it is verified
_BEGIN = "-----BEGIN CERTIFICATE-----"


def _socket(setup: Setup) -> Iterator[Finding]:
    serving = setup.options.serving
    if serving.socket is None:
        if serving.socket_group is not None:
            yield Finding(
                Grade.WRONG, "a group of no socket", "Only socket-group is set.", "Set socket to a folder."
            )
        return
    if not serving.socket.is_dir():
        yield Finding(
            Grade.WRONG,
            f"the folder of the socket is not there: {serving.socket}",
            "The server would not start.",
            f"mkdir -m 0755 {serving.socket}",
        )
    elif is_open(serving.socket, _OTHERS, sticky=True):
        yield Finding(
            Grade.DANGER,
            f"others may write to the folder of the socket: {serving.socket}",
            "They could put a socket of their own in its place, and read what clients send.",
            f"chmod go-w {serving.socket}",
        )
    elif is_open(serving.socket, stat.S_IWOTH):
        yield Finding(
            Grade.ADVICE,
            f"every account may put a socket into {serving.socket}",
            "While the server is down, clients might talk to somebody else.",
            "Set socket to a folder that only the server writes to, such as /run/dpduck.",
        )


def _authorities(setup: Setup) -> Iterator[Finding]:
    serving = setup.options.serving
    file = serving.client_ca
    if file is None:
        return
    try:
        context = context_of(serving)
        if context is None:
            raise UsageError("clients show certificates over TLS alone", hint="Set tls-cert and tls-key.")
        import_module("dpduck.doors.gateway.logins").take_client_certificates(context, file)
    except DpduckError as error:
        yield fault_of(error)
        return
    yield from _writable(file, "the authorities of clients", "They could let in whom they like.")
    count = file.read_text(encoding="ascii", errors="replace").count(_BEGIN)
    if count > _MOST_AUTHORITIES:
        yield Finding(
            Grade.DANGER,
            f"{count} authorities may let clients in: {file}",
            "Public ones give a certificate to anybody, and some with any name in it.",
            "Set client-ca to an authority of your own, and to nothing else.",
        )


def _map(setup: Setup) -> Iterator[Finding]:
    file = setup.options.serving.login_map
    if file is None:
        return
    try:
        import_module("dpduck.doors.gateway.login_names").read_login_names(file)
    except DpduckError as error:
        yield fault_of(error)
        return
    yield from _writable(file, "the map of logins", "They could become any analyst.")


def _tokens(setup: Setup) -> Iterator[Finding]:
    serving = setup.options.serving
    if not serving.takes_tokens:
        return
    remote = serving.oidc_jwks is not None and "://" in serving.oidc_jwks
    incomplete = None in (serving.oidc_issuer, serving.oidc_audience)
    try:
        if incomplete or not remote:  # an address is asked for keys when the server starts
            tokens_of(serving)
    except DpduckError as error:
        yield fault_of(error)
        return
    if serving.oidc_jwks is not None and not remote:
        yield from _writable(Path(serving.oidc_jwks), "the keys of tokens", "They could sign any token.")
    if serving.tls_cert is None and serving.socket is None:
        yield Finding(
            Grade.DANGER,
            "tokens are taken over encrypted connections alone, and there are none",
            "Nobody can log in by token.",
            "Give tls-cert and tls-key.",
        )
    claim = serving.oidc_claim or "sub"
    if claim not in _LASTING:
        yield Finding(
            Grade.DANGER,
            f"people may be able to change what names them in a token: {claim}",
            "Many issuers let them, so that one could take the name of another.",
            "Take sub, with a map of logins.",
        )


def _writable(file: Path, what: str, why: str) -> Iterator[Finding]:
    if is_open(file, _OTHERS):
        yield Finding(Grade.DANGER, f"others may write to {what}: {file}", why, f"chmod go-w {file}")


LOGIN_CHECKS: tuple[Callable[[Setup], Iterator[Finding]], ...] = (_socket, _authorities, _map, _tokens)


# Who may come in to a server, from its options: the certificate, and the ways to log in.


def access_rules(serving: Serving) -> Any:
    """How clients may connect, with all that is in files read now. Errors: UsageError, ParameterError."""
    context = context_of(serving)
    if serving.client_ca is not None:
        if context is None:
            raise UsageError(
                "clients show certificates over TLS alone", hint="Give --tls-cert and --tls-key too."
            )
        _of_gateway("logins").take_client_certificates(context, serving.client_ca)
    return _of_gateway("limits").AccessRules(
        context,
        serving.allow_plain,
        serving.require_tls,
        _of_gateway("scram").endpoint_binding(context),
        tokens_of(serving),
        _of_gateway("login_names").read_login_names(serving.login_map),
    )


def _of_gateway(name: str) -> Any:
    """A module of the gateway, whose packages the rest of the command line does without."""
    return import_module(f"dpduck.doors.gateway.{name}")


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
        login = _of_gateway("token_login")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == "dpduck":
            raise
    else:
        keys = login.SigningKeys(logins.oidc_jwks)
        return login.TokenRules(logins.oidc_issuer, logins.oidc_audience, keys, logins.oidc_claim or "sub")
    raise ParameterError(
        "tokens need a package more",
        detail=f"The module {missing} is not installed.",
        hint="pip install 'dpduck[oidc]'",
    )
