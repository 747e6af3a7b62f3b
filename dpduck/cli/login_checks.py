"""What is dangerous about how people log in: sockets, certificates of clients, maps and tokens."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from dpduck.cli.access import context_of, tokens_of
from dpduck.cli.checks import Finding, Grade, Setup, fault_of, is_open
from dpduck.cli.usage import UsageError
from dpduck.errors import DpduckError

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
        import_module("dpduck.gateway.certificate_login").take_client_certificates(context, file)
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
        import_module("dpduck.gateway.login_names").read_login_names(file)
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
